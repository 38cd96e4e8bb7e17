import { describe, expect, it } from 'vitest'
import {
  act,
  click,
  find,
  focus,
  invoke,
  press,
  select,
  setValue,
  states,
} from '../../../test/support/desktop/driver.ts'
import { checkbox, desktop, group, radioButton, toggle, window } from '../model/builders.ts'

describe('check boxes, switches and radio buttons', () => {
  const choices = desktop(
    window(
      'Choices',
      checkbox('Plain', { id: 'plain' }),
      checkbox('Three', { id: 'three', traits: { triState: true } }),
      toggle('Dark', { id: 'dark' }),
      group(
        'Size',
        { id: 'size' },
        ...['S', 'M', 'L'].map((name) => radioButton(name, { id: name, enabled: name !== 'M' })),
      ),
    ),
  )

  it('[DT118] are ticked by a click, Space or their action, and set by words', () => {
    expect(states(act(choices, click('plain')), 'plain')).toEqual([true])
    expect(states(act(choices, click('plain'), press('space')), 'plain')).toEqual([false])
    expect(states(act(choices, invoke('dark'), setValue('plain', 'on')), 'dark', 'plain')).toEqual([true, true])
    expect(() => act(choices, setValue('plain', 'maybe'))).toThrow(
      '"Plain" is ticked with "true" or "false"; "maybe" is neither',
    )
  })

  it('[DT119] go from off over on to mixed when they have three states', () => {
    const seen = [1, 2, 3].map((times) =>
      find(act(choices, ...Array.from({ length: times }, () => click('three'))), 'three'),
    )
    expect(seen.map(({ selected, value }) => [selected, value])).toEqual([
      [true, null],
      [false, 'mixed'],
      [false, null],
    ])
  })

  it('[DT120] [DT155] are one of a group, which arrows and an option can choose as well', () => {
    const small = act(choices, click('S'))
    expect(states(small, 'S', 'M', 'L')).toEqual([true, false, false])
    const next = act(small, press('down'))
    expect([states(next, 'S', 'M', 'L'), find(next, 'L').focused]).toEqual([[false, false, true], true])
    expect(states(act(next, press('down')), 'S')).toEqual([true])
    expect(states(act(choices, select('size', { name: 'l' })), 'L')).toEqual([true])
  })

  it('[DT120] pass over radio buttons that are hidden or disabled', () => {
    const radios = (...hidden: readonly string[]) =>
      desktop(
        window(
          'Sizes',
          ...['S', 'M', 'L', 'XL'].map((name) =>
            radioButton(name, { id: name, enabled: name !== 'L', traits: { hidden: hidden.includes(name) } }),
          ),
        ),
      )
    const next = act(radios('M'), click('S'), press('down'))
    expect([states(next, 'S', 'M', 'L', 'XL'), find(next, 'XL').focused]).toEqual([[false, false, false, true], true])
    const back = act(next, press('up'))
    expect([states(back, 'S', 'XL'), find(back, 'S').focused]).toEqual([[true, false], true])
    expect(states(act(radios('S'), focus('M'), press('up')), 'XL')).toEqual([true])
  })
})
