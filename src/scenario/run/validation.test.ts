import { describe, expect, it } from 'vitest'
import { begin, click, element, key, setValue, until } from '../../../test/support/scenario/player.ts'
import type { ScenarioRun } from '../scenario-run.ts'

// Rules such as [SC151] are stated in ../SPEC.md.

const form = (...more: readonly string[]): ScenarioRun =>
  begin(
    [
      'states:',
      '  only:',
      '    windows:',
      '      - uid: main',
      '        bounds: {x: 100, y: 100, width: 500, height: 400}',
      '        tree:',
      '          role: Window',
      '          name: Main',
      '          children:',
      '            - {id: amount, role: Edit, name: Amount, description: In euros, value: "", validation: {required: true, min: 1}}',
      '            - {id: save, role: Button, name: Save, submits: true, presses: enter}',
      '            - {id: status, role: Text, name: Not saved}',
      ...more,
    ].join('\n'),
  )

const status = (run: ScenarioRun) => element(run, 'status').name
const message = (run: ScenarioRun) => element(run, 'amount').description

describe('fields with rules', () => {
  const REACTIONS = [
    'reactions: [{on: {tool: any}, set: [{id: status, name: Saved}]}]',
    'timers: [{on: {tool: press_key}, after_ms: 5, set: [{id: status, name: Late}]}]',
  ]

  it('[SC151] keep a refused button from triggering reactions and timers', () => {
    const refused = click(form(...REACTIONS), 'save')
    expect([status(refused), message(refused), refused.desktop.windows[0]!.focus]).toEqual([
      'Not saved',
      'This field is required',
      'amount',
    ])
    const entered = key(refused, 'enter')
    expect([status(entered), status(until(entered, 5))]).toEqual(['Not saved', 'Not saved'])
    const valid = setValue(form(REACTIONS[0]!.replace('tool: any', 'tool: click_element')), 'amount', '5')
    expect([status(click(valid, 'save')), status(key(valid, 'enter'))]).toEqual(['Saved', 'Saved'])
  })

  it('[SC152] lose their message when an effect changes their content', () => {
    const run = form(
      'timers: [{after_ms: 5, set: [{id: amount, value: "0"}]}, {after_ms: 9, set: [{id: status, name: x}]}]',
    )
    const fixed = until(click(run, 'save'), 9)
    expect([message(fixed), element(fixed, 'amount').traits?.invalid]).toEqual(['In euros', undefined])
    expect(message(click(fixed, 'save'))).toBe('Enter 1 or more')
  })

  it('[SC96] have space for their message', () => {
    const run = form()
    const [field, button] = [element(run, 'amount').bounds, element(run, 'save').bounds]
    expect(button.y - field.y - field.height).toBeGreaterThanOrEqual(18)
  })
})
