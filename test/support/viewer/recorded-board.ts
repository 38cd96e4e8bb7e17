import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createFastifyApp } from '../../../src/compose/rest-app.ts'
import { openDesktop } from '../../../src/testing.ts'
import type { Box } from '../../../src/viewer/model/element.ts'
import { closeLater } from './test-browser.ts'

/** A task that can be lost, with a timer, a fault, a variable and a slider. */
const BOARD = `
name: board
task: Save the name Ann.
initial_state: ask
vars: {tries: 0}
states:
  ask:
    windows:
      - uid: w
        title: Board
        bounds: {x: 40, y: 40, width: 500, height: 360}
        tree: {role: Window, name: Board, children: [{id: name, role: Edit, name: Name}, {id: ok, role: Button, name: OK}, {id: no, role: Button, name: Drop}, {id: level, role: Slider, name: Level, value_now: 10, value_min: 0, value_max: 100}, {id: clock, role: Text, name: early}]}
  done: {windows: [{uid: w, title: Board, tree: {role: Window, name: Board, children: [{id: t, role: Text, name: Saved}]}}]}
  gone: {windows: [{uid: w, title: Gone, tree: {role: Window, name: Gone, children: [{id: t, role: Text, name: Dropped}]}}]}
reactions:
  - {on: {tool: click_element, target_id: ok}, when: [{id: name, value_not_empty: true}], transition_to: done}
  - {on: {tool: click_element, target_id: ok}, set: [{var: tries, to: 1}]}
  - {on: {tool: click_element, target_id: no}, transition_to: gone}
timers:
  - {in: ask, after_ms: 5000, set: [{id: clock, name: late}]}
faults:
  - {on: {tool: get_window_structure}, times: 1, code: Timeout}
solution:
  - {call: set_value, with: {element_id: name, value: Ann}}
  - {call: click_element, with: {element_id: ok}}
oracles:
  success: [{kind: text_visible, regex: Saved}]
  failure: [{kind: text_visible, regex: Dropped}]
`

/** A trace that a server wrote, and its scenario. */
export interface RecordedBoard {
  readonly folder: string
  readonly scenario: string
}

/**
 * Plays the board over HTTP and keeps the trace, as `backlot serve` does with a log of requests, with the turns of a model and the
 * events of an agent protocol beside it. The steps:
 *
 * | step | call |
 * |---|---|
 * | 1 | a click on OK in the dialect of OpenAI, where the solution types the name |
 * | 2 | the screenshot that answers it |
 * | 3 | a drag of the slider |
 * | 4, 5 | Shift is pressed; a click with Shift held |
 * | 6, 7 | Shift is released; the clipboard is set |
 * | 8 | a wait until the timer has fired |
 * | 9 | a tree that a planned fault refuses |
 * | 10 | a click on Drop, after which success is impossible; the other run types the name instead |
 * | 11 | a screenshot; the other run clicks OK |
 */
export async function recordBoard(end: 'lost' | 'solved' = 'lost'): Promise<RecordedBoard> {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-board-'))
  closeLater(async () => rmSync(folder, { recursive: true }))
  const scenario = join(folder, 'board.yaml')
  writeFileSync(scenario, BOARD)
  const tracing = { wire_log: true, redact_keys: ['password'], screenshot_every_n_actions: 0 }
  const desktop = openDesktop({ scenario, config: { tracing } })
  const app = await createFastifyApp(desktop)
  const url = await app.listen({ port: 0 })
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const call = (tool: string, args: object) => post(`/api/tool/${tool}`, args)
  const boxOf = async (selector: string) => (await desktop.call('find_element', { selector })).bounds as Box
  const [ok, level] = [await boxOf('Button "OK"'), await boxOf('Slider')]
  const { dir } = await desktop.call('trace_start', { label: 'board' })
  const x = ok.x + Math.floor(ok.width / 2)
  const y = ok.y + Math.floor(ok.height / 2)
  await post('/computer/openai', {
    type: 'computer_call',
    call_id: 'c',
    action: { type: 'click', button: 'left', x, y },
  })
  const across = level.y + Math.floor(level.height / 2)
  await call('mouse_drag', {
    path: [
      { x: level.x + 20, y: across },
      { x: level.x + level.width - 20, y: across },
    ],
  })
  await call('key_down', { key: 'shift' })
  await call('click_at', { x, y })
  await call('key_up', { key: 'shift' })
  await call('set_clipboard', { text: 'copied words' })
  await call('wait', { duration_ms: 6000 })
  await call('get_window_structure', { window_uid: 'w' })
  if (end === 'lost') await call('click_element', { selector: 'Button "Drop"' })
  else await call('set_value', { element_id: 'name', value: 'Ann' })
  if (end === 'lost') await call('get_screenshot', {})
  else await call('click_element', { element_id: 'ok' })
  await desktop.call('trace_stop')
  await app.close()
  const trace = join(folder, 'trace')
  for (const [path, content] of desktop.artifacts) {
    if (!path.startsWith(dir)) continue
    const file = join(trace, path.slice(dir.length))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  writeFileSync(join(trace, 'model.jsonl'), `${JSON.stringify(TURN)}\n`)
  writeFileSync(join(trace, 'events.jsonl'), EVENTS.map((event) => `${JSON.stringify(event)}\n`).join(''))
  return { folder: trace, scenario }
}

const TURN = {
  ...{ after: 0, message: 'I press OK first.', reasoning: 'The form may be filled in.' },
  ...{ input_tokens: 1234, output_tokens: 56, cost_usd: 0.0025, latency_ms: 1500 },
}

const EVENTS = [
  {
    after: 0,
    ts: '2026-01-05T09:30:00.000Z',
    protocol: 'navi',
    direction: 'in',
    name: 'user_message',
    content: { text: 'Save Ann' },
  },
  {
    after: 9,
    ts: '2026-01-05T09:30:09.000Z',
    protocol: 'navi',
    direction: 'out',
    name: 'answer',
    content: { text: 'Nearly done' },
  },
]
