import { describe, expect, it } from 'vitest'
import { appScenario, refusalOf } from '../../../test/support/scenario/problems.ts'
import { type Element, nodeById } from '../../desktop/model/element.ts'
import { textWidth } from '../../desktop/model/text-width.ts'
import { BACKLOT_METRICS } from '../../desktop/style/backlot.ts'
import { layOutWindow } from '../layout/layout.ts'
import { startScenario, stepScenario } from '../run/step.ts'
import { withVariant } from '../seeds.ts'
import { parseScenario } from './load.ts'

// Rules such as [SC27] are stated in SPEC.md of the folder above.

const scenario = appScenario(400, 300)

const windowOf = (text: string) => parseScenario(text).states.get('only')!.windows[0]!
const NOTE = '{id: note, role: Text, rich: "Read [the manual](#manual) **now**."}'

describe('formatted texts of a scenario', () => {
  it('[SC27] have their text without mark-up as name, and their links as elements inside of them', () => {
    const { tree } = windowOf(scenario(NOTE))
    const note = nodeById(tree, 'note')!
    expect(note.name).toBe('Read the manual now.')
    const [link] = note.children
    expect(link).toMatchObject({ id: 'manual', role: 'Hyperlink', name: 'the manual' })
    expect(link!.bounds).toEqual({
      x: note.bounds.x + textWidth('Read ', 14),
      y: note.bounds.y,
      width: textWidth('the manual', 14),
      height: 20,
    })
  })

  it('[SC27] stay in place when they are laid out again', () => {
    const window = windowOf(scenario(NOTE))
    expect(layOutWindow(window, BACKLOT_METRICS)).toBe(window)
  })

  it('[SC27] have links that are clicked like others', () => {
    const loaded = parseScenario(
      scenario(
        NOTE,
        'reactions: [{on: {tool: click_element, target_id: manual}, set: [{id: note, rich: "**Read**"}]}]',
      ),
    )
    const run = startScenario(loaded, { atMs: 0 })
    const { bounds } = nodeById(run.desktop.windows[0]!.tree, 'manual')!
    const at = { x: bounds.x + 5, y: bounds.y + 5 }
    const clicked = stepScenario(run, {
      type: 'action',
      action: { type: 'click', target: { window: 'app', element: 'manual' }, at, button: 'left', count: 1 },
    })
    const note = nodeById(clicked.run.desktop.windows[0]!.tree, 'note')!
    expect([note.name, note.children, note.traits?.rich?.spans]).toEqual(['Read', [], [{ from: 0, to: 4, bold: true }]])
  })

  it('[SC28] are plain once they get another name', () => {
    const loaded = parseScenario(
      scenario(NOTE, 'reactions: [{on: {tool: press_key, text_regex: F1}, set: [{id: note, name: "**Plain**"}]}]'),
    )
    const pressed = stepScenario(startScenario(loaded, { atMs: 0 }), {
      type: 'action',
      action: { type: 'key', keys: 'F1' },
    })
    const note: Element = nodeById(pressed.run.desktop.windows[0]!.tree, 'note')!
    expect([note.name, note.children, note.traits?.rich]).toEqual(['**Plain**', [], undefined])
  })

  it('[SC29] are not filled with mark-up', () => {
    const texts = `${NOTE}, {id: field, role: Edit, name: Field, value: "[x](#y)"}`
    const loaded = parseScenario(
      scenario(
        texts,
        'reactions: [{on: {tool: press_key, text_regex: F1}, set: [{id: note, rich: "**{field.value}**"}]}]',
      ),
    )
    const pressed = stepScenario(startScenario(loaded, { atMs: 0 }), {
      type: 'action',
      action: { type: 'key', keys: 'F1' },
    })
    expect(nodeById(pressed.run.desktop.windows[0]!.tree, 'note')!.name).toBe('[x](#y)')
  })

  it('[SC30] are translated with their mark-up', () => {
    const german = 'locales: {de: {"Read [the manual](#manual) **now**.": "Lies [das Handbuch](#manual)."}}'
    const { tree } = withVariant(parseScenario(scenario(NOTE, german)), { locale: 'de' }).states.get('only')!
      .windows[0]!
    expect(nodeById(tree, 'note')!.name).toBe('Lies das Handbuch.')
    expect(nodeById(tree, 'manual')!.name).toBe('das Handbuch')
  })

  it('[SC31] show numbers and dates as the language of a variant writes them', () => {
    const text = scenario(
      '{id: note, role: Text, rich: "**{{ price }}** on {{ day }}"}',
      'locales: {de: {"**{{ price }}** on {{ day }}": "**{{ price }}** am {{ day }}"}}\nvars: {price: "12.50", day: 2026-03-09}',
    )
    const { desktop } = startScenario(withVariant(parseScenario(text), { locale: 'de' }), { atMs: 0 })
    expect(nodeById(desktop.windows[0]!.tree, 'note')!.name).toBe('12,50 am 09.03.2026')
  })

  it('[SC31] with wrong mark-up, a taken id or on another role are errors', () => {
    expect(refusalOf(scenario('{role: Text, rich: "**open"}'))).toContain('a.yaml:10:41: states.only')
    expect(refusalOf(scenario('{role: Text, rich: "**open"}'))).toContain('has a "**" that is not closed')
    expect(refusalOf(scenario(`${NOTE}, {id: manual, role: Button, name: Manual}`))).toContain(
      'another element of this window has the id "manual"',
    )
    expect(refusalOf(scenario('{role: Button, rich: "**a**"}'))).toContain('only a Text has formatted text')
    expect(refusalOf(scenario('{role: Text, name: b, rich: "**a**"}'))).toContain('rich gives the text its name')
  })
})
