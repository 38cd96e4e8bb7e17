import { describe, expect, it } from 'vitest'
import { realDesktop } from '../../../test/support/observer/real-desktop.ts'
import { openDesktop } from '../../testing.ts'
import { liveCalls } from './live-calls.ts'
import { liveExplanation } from './live-explanation.ts'

// Rules such as [OB294] are stated in SPEC.md of the observer.

const DESK = `
states:
  form:
    windows:
      - uid: app
        title: App
        tree:
          role: Window
          children:
            - {id: name, role: Edit, name: Name, value: ""}
            - {id: pw, role: Edit, name: Password, secret: true, value: ""}
            - {id: go, role: Button, name: Go}
            - {id: off, role: Button, name: Off, enabled: false}
  done: {}
reactions:
  - {on: {tool: click_element, target_id: go}, when: [{id: name, value_not_empty: true}], transition_to: done}
  - {on: {tool: type_text, target_id: pw, text_regex: "[0-9]+"}, set: [{id: go, name: Number}]}
timers:
  - {in: form, after_ms: 1000, set: [{id: go, name: Late}]}
`

describe('an explanation', () => {
  it('[OB294] has the reasons of a call on the desktop before it', async () => {
    const desk = openDesktop({ scenario: DESK })
    await desk.call('click_element', { selector: 'Button "Go"' })
    await desk.call('set_value', { selector: 'Edit "Name"', value: 'Ann' })
    await desk.call('click_element', { selector: 'Button "Go"' })
    expect(await liveExplanation(desk.session, { call: 1 })).toMatchObject({
      call: 'click_element {"selector":"Button \\"Go\\""}',
      refused: null,
      actions: [
        {
          state: 'form',
          events: ['click_element on go in root of app'],
          refused: null,
          reactions: [
            {
              index: 0,
              text: 'click_element go',
              outcome: 'no match',
              reasons: ['when[0]: "name" value_not_empty must be true; found ""'],
            },
            { index: 1, text: 'type_text pw', outcome: 'no match' },
          ],
          timers: [{ index: 0, text: 'after 1000 ms in form', outcome: 'runs', fires_in_ms: 1000, reasons: [] }],
        },
      ],
    })
    const { actions } = await liveExplanation(desk.session, { call: 3 })
    expect(actions[0]?.reactions[0]).toMatchObject({ outcome: 'applies', reasons: [] })
  })

  it('[OB294] hides values of secret fields and texts typed into them', async () => {
    const desk = openDesktop({ scenario: DESK })
    await desk.call('click_element', { selector: 'Edit "Password"' })
    await desk.call('type_text', { text: 'hunter2' })
    const explanation = await liveExplanation(desk.session, { call: 2 })
    expect(explanation.actions[0]?.reactions[1]?.reasons).toEqual([
      'on.text_regex must be "[0-9]+"; the text is "<filled>"',
    ])
    expect(JSON.stringify(explanation)).not.toContain('hunter2')
  })

  it('[OB294] knows the last 50 calls that acted', async () => {
    const desk = openDesktop({ scenario: DESK })
    await desk.call('list_windows')
    for (let count = 0; count < 60; count++) await desk.call('click_element', { selector: 'Edit "Name"' })
    const explainable = liveCalls(desk.session, 0).filter((call) => call.explainable)
    expect(explainable.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 50 }, (_, index) => 12 + index))
    await expect(liveExplanation(desk.session, { call: 11 })).rejects.toMatchObject({ code: 'BadRequest' })
    await expect(liveExplanation(desk.session, { call: 1 })).rejects.toMatchObject({ code: 'BadRequest' })
    expect((await liveExplanation(desk.session, { call: 12 })).actions).toHaveLength(1)
  })

  it('[OB294] is refused while elements are hidden, where it is denied, and on a real desktop', async () => {
    const call = { tool: 'press_key', args: { keys: 'Enter' } }
    const refusal = async (config: object) =>
      liveExplanation(openDesktop({ scenario: DESK, config }).session, call).catch(({ code }) => code)
    expect(await refusal({ redaction: { element_name_patterns: ['Name'] } })).toBe('PermissionDenied')
    expect(await refusal({ actions: { deny: ['session_info'] } })).toBe('PermissionDenied')
    expect(await refusal({ actions: { deny: ['press_key'] } })).toBe('PermissionDenied')
    await expect(liveExplanation(realDesktop().session, call)).rejects.toMatchObject({ code: 'PlatformUnsupported' })
  })

  it('[OB296] has the reasons of a call that is not made', async () => {
    const desk = openDesktop({ scenario: DESK })
    const explain = (tool: string, args: Readonly<Record<string, unknown>>) =>
      liveExplanation(desk.session, { tool, args })
    expect(await explain('click_element', { selector: 'Button "Go"' })).toMatchObject({
      refused: null,
      actions: [{ reactions: [{ outcome: 'no match' }, { outcome: 'no match' }] }],
    })
    expect(await explain('click_element_and_observe', { selector: 'Button "Go"' })).toMatchObject({
      actions: [{ events: ['click_element on go in root of app'] }],
    })
    expect(await explain('click_element', { selector: 'Button "Off"' })).toMatchObject({
      refused: expect.stringContaining('disabled'),
      actions: [],
    })
    await expect(explain('list_windows', {})).rejects.toMatchObject({ code: 'BadRequest' })
    await expect(explain('click_element', { selector: 5 })).rejects.toMatchObject({ code: 'BadRequest' })
    expect([desk.session.steps, desk.computer.stepCount, desk.clock.now()]).toEqual([0, 0, desk.clock.now()])
    expect(liveCalls(desk.session, 0)).toEqual([])
  })
})
