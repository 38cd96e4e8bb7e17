import { describe, expect, it } from 'vitest'
import {
  act,
  click,
  clickAt,
  drag,
  find,
  focus,
  press,
  scroll,
  setValue,
  type,
} from '../../../test/support/desktop/driver.ts'
import { performAction } from '../apply/apply.ts'
import { button, desktop, type ElementDetails, rect, slider, spinner, window } from '../model/builders.ts'
import type { Desktop } from '../model/desktop.ts'

describe('sliders and spinners', () => {
  const numbers = desktop(
    window(
      'Numbers',
      slider('Volume', { id: 'volume', valueNow: 5, valueMin: 0, valueMax: 10, bounds: rect(100, 150, 216, 24) }),
      spinner('Copies', { id: 'copies', value: '1', valueMin: 1, valueMax: 9, bounds: rect(100, 200, 100, 30) }),
      slider('Part', {
        id: 'part',
        valueNow: 0,
        valueMin: 0,
        valueMax: 1,
        traits: { step: 0.1 },
        bounds: rect(100, 250, 216, 24),
      }),
    ),
  )
  const now = (on: Desktop, id: string) => find(on, id).valueNow

  it('[DT135] move by keys, the wheel, a click and a drag, within their range and on their steps', () => {
    const at = act(numbers, focus('volume'))
    expect(
      ['right', 'down', 'home', 'end', 'pageup', 'pagedown'].map((key) => now(act(at, press(key)), 'volume')),
    ).toEqual([6, 4, 0, 10, 10, 0])
    expect([now(act(at, scroll('volume', 2)), 'volume'), now(act(numbers, scroll('volume', 2)), 'volume')]).toEqual([
      7, 5,
    ])
    expect(now(act(numbers, clickAt({ x: 128, y: 160 })), 'volume')).toBe(1)
    expect(now(act(numbers, drag({ x: 208, y: 160 }, { x: 900, y: 160 })), 'volume')).toBe(10)
    expect(now(act(numbers, focus('part'), press('right', 'right', 'right')), 'part')).toBe(0.3)
  })

  it('[DT136] have arrows to click and take typed digits, and their value shows the number', () => {
    expect(find(act(numbers, clickAt({ x: 190, y: 205 })), 'copies')).toMatchObject({ value: '2', valueNow: 2 })
    expect(find(act(numbers, clickAt({ x: 190, y: 225 })), 'copies').value).toBe('1')
    expect(find(act(numbers, focus('copies'), type('7'), press('up')), 'copies').value).toBe('8')
    expect(find(act(numbers, setValue('copies', '99')), 'copies').value).toBe('9')
    expect(() => act(numbers, setValue('volume', 'loud'))).toThrow('"Volume" takes a number; "loud" is none')
  })

  it('[DT135] end with the last step that is in range', () => {
    const thirds = { id: 'thirds', valueNow: 9, valueMin: 0, valueMax: 10, traits: { step: 3 } }
    const on = act(desktop(window('Numbers', slider('Thirds', thirds))), focus('thirds'))
    expect(['right', 'end', 'left'].map((key) => now(act(on, press(key)), 'thirds'))).toEqual([9, 9, 6])
  })

  const spinning = (details: ElementDetails) =>
    act(
      desktop(
        window(
          'Numbers',
          spinner('Number', { id: 'number', ...details }),
          button('OK', { id: 'ok', traits: { presses: 'enter', closes: true } }),
        ),
        window('Other', button('Other')),
      ),
      focus('number'),
    )
  const said = (on: Desktop) => [find(on, 'number').value, now(on, 'number')]
  const tens = { value: '12', valueNow: 12, valueMin: 10, valueMax: 50 }

  it.each<[string, ElementDetails, string[], unknown]>([
    ['fractions', { value: '0', valueMin: 0, traits: { step: 0.5 } }, ['1', '.', '5'], ['1.5', 1.5]],
    ['below zero', { value: '0', valueMin: -10 }, ['-', '5'], ['-5', -5]],
    ['in the place of all', tens, ['ctrl+a', '2', '5'], ['25', 25]],
    ['in place of the typed text', tens, ['2', '5', 'ctrl+a', '3', '1'], ['31', 31]],
    ['after removing', tens, ['backspace', 'backspace', '4', '0'], ['40', 40]],
    ['not in range yet', tens, ['2'], ['2', 12]],
    ['out of range', tens, ['9', '9', 'tab'], ['50', 50]],
    ['between steps', { value: '0', valueMin: 0, traits: { step: 5 } }, ['1', '2', 'shift+tab'], ['10', 10]],
    ['no number', tens, ['backspace', 'backspace', '-', 'tab'], ['12', 12]],
    ['before an arrow', tens, ['9', 'up'], ['11', 11]],
    ['where no value was', { valueNow: 3 }, ['4', '2'], ['42', 42]],
  ])('[DT137] accept typed text: %s', (_, details, keys, expected) => {
    expect(said(act(spinning(details), press(...keys)))).toEqual(expected)
  })

  it('[DT137] take typed text, and clamp it when they lose the focus or Enter is pressed', () => {
    expect(said(act(spinning(tens), type('2'), type('5')))).toEqual(['25', 25])
    expect(said(act(spinning(tens), type('99'), click('root')))).toEqual(['99', 12])
    expect(said(act(spinning(tens), type('99'), press('alt+tab')))).toEqual(['50', 50])
    expect(said(act(spinning(tens), type('99\t')))).toEqual(['50', 50])
    expect(said(act(spinning({ ...tens, traits: { readOnly: true } }), type('31')))).toEqual(['12', 12])
    expect(said(act(spinning(tens), type('2e1')))).toEqual(['20', 20])
    expect(() => act(spinning(tens), type('many'))).toThrow('"Number" takes a number; "many" is none')
    const entered = performAction(
      act(spinning(tens), type('31')),
      { type: 'key', keys: 'enter' },
      { isInteractive: true },
    )
    expect(entered.pressed).toMatchObject([{ element: 'ok' }])
  })
})
