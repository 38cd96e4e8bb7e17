import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { call } from '../../observer/call.ts'
import { createRestApp, openDesktop } from '../../testing.ts'
import { observerApi } from './api-description.ts'
import { TOOL_ROUTES } from './routes.ts'

// Rules such as [OB284] are stated in the SPEC.md of the observer.

const DESK = `
seed: 3
vars: {count: 0}
events: {pressed: {}}
clipboard: before
files: {/home/user/a.txt: kept, /home/user/pictures: ~}
states:
  form:
    windows:
      - uid: app
        title: App
        bounds: {x: 100, y: 100, width: 400, height: 300}
        tree:
          role: Window
          name: App
          children:
            - {id: go, role: Button, name: Go}
            - {id: name, role: Edit, name: Name, value: ""}
            - {id: pw, role: Edit, name: Password, secret: true, value: ""}
            - {id: news, role: Text, name: "0"}
      - {uid: other, title: Other, bounds: {x: 300, y: 200, width: 300, height: 200}, tree: {role: Window, name: Other}}
  done:
    windows: [{uid: app, title: Done, bounds: {x: 100, y: 100, width: 400, height: 300}, tree: {role: Window, name: Done}}]
reactions:
  - on: {tool: click_element, target_id: go}
    when: [{id: name, value_not_empty: true}]
    set: [{emit: pressed}]
    choose: [{weight: 1, transition_to: done}, {weight: 3, set: [{id: news, name: again}]}]
  - {on: {tool: click_element, target_id: go}, probability: 0.5, set: [{id: news, name: drawn}]}
timers:
  - {in: form, after_ms: {between: [100, 400]}, set: [{id: news, name: late}]}
  - {in: form, every_ms: 170, set: [{log: tick}]}
faults:
  - {on: {tool: get_screenshot}, skip: 1, times: 1, code: Timeout}
  - {on: {tool: find_element}, times: 1, code: Timeout}
  - {on: {tool: session_info}, times: 1, code: Timeout}
  - {on: {tool: read_disk_file}, times: 1, code: Timeout}
oracles:
  success:
    - {kind: event, name: pressed}
    - {kind: at_most, event: pressed, count: 3}
  failure: [{kind: window_exists, title_regex: Error}]
`

const FAULTS = [
  { fault: 'lost-click', probability: 0.3, times: 2 },
  { fault: 'late-tree', for_ms: 300, probability: 0.5 },
  { fault: 'stale-pixels', for_ms: 300, probability: 0.5 },
]

const CALLS: readonly (readonly [tool: string, args: object])[] = [
  ['trace_start', {}],
  ['list_windows', {}],
  ['observe_window', { window_uid: 'app' }],
  ['click_element', { selector: 'Button', window_uid: 'app' }],
  ['get_screenshot', {}],
  ['click_element', { selector: 'Edit "Name"', window_uid: 'app' }],
  ['type_text', { text: 'Ann' }],
  ['press_key', { keys: 'ctrl+a' }],
  ['press_key', { keys: 'ctrl+c' }],
  ['write_disk_file', { path: '/home/user/b.txt', content: 'new' }],
  ['read_disk_file', { path: '/home/user/a.txt' }],
  ['get_screenshot', {}],
  ['find_element', { selector: 'Button', window_uid: 'app' }],
  ['click_element_and_observe', { selector: 'Button', window_uid: 'app' }],
  ['session_advance', { ms: 500 }],
  ['click_element', { selector: 'Edit "Password"', window_uid: 'app' }],
  ['type_text', { text: 'hunter2' }],
  ['session_info', {}],
  ['session_step', { action: { tool: 'click_element', args: { element_id: 'go', window_uid: 'app' } } }],
  ['click_at', { x: 350, y: 250 }],
  ['get_screenshot', {}],
  ['wait_for', { any_of: [{ type: 'element_appears', selector: 'Link' }], timeout_ms: 300 }],
  ['session_rewind', { to_step: 3 }],
  ['click_element', { selector: 'Button', window_uid: 'app' }],
  ['get_screenshot', {}],
  ['session_info', {}],
  ['get_budget_status', {}],
  ['trace_stop', {}],
]

/** The looks of a page and of monitors, and some that are refused. */
const OBSERVATIONS = [
  '/api/inspector/screen',
  '/api/inspector/screen?version=x&calls_after=2',
  '/api/inspector/select?selector=Button&window_uid=app',
  '/api/inspector/select?selector=Button[',
  '/api/inspector/select?element_id=go&window_uid=app',
  '/api/inspector/select?element_id=none&window_uid=app',
  '/api/inspector/explain?call=4',
  '/api/inspector/explain?call=9',
  '/api/inspector/explain?tool=click_element&args=%7B%22element_id%22:%22go%22,%22window_uid%22:%22app%22%7D',
  '/api/inspector/explain?tool=click_element_and_observe&args=%7B%22element_id%22:%22go%22,%22window_uid%22:%22app%22%7D',
  '/api/inspector/explain?tool=type_text&args=%7B%22text%22:%22x%22%7D',
  '/api/inspector/file?path=/home/user/a.txt',
  '/api/inspector/file?path=/home/user/b.txt',
  '/api/inspector/file?path=/home/user',
  '/api/inspector/file',
  '/api/healthz',
  '/api/metrics',
  '/api/tools',
  '/sessions',
  '/scenarios',
  '/openapi.json',
  '/asyncapi.json',
  '/api/nothing',
]

/** The paths of routes that call a tool. */
const CALLS_TOOL: ReadonlySet<string> = new Set([
  '/api/tool/{name}',
  ...TOOL_ROUTES.map(([, path]) => path.replace(/:(\w+)/g, '{$1}')),
])

/** The routes of the server that only look: all that are read and call no tool. */
const PASSIVE_ROUTES = observerApi.operations
  .filter(({ method, path }) => method === 'get' && !CALLS_TOOL.has(path))
  .map(({ path }) => path)

/** Plays the calls, with looks before each and after the last, and returns all that they left behind. */
async function play(looks: readonly string[]) {
  const config = {
    tracing: { wire_log: true },
    budget: { max_actions: 12, max_screenshots: 2 },
    logging: { audit: true },
  }
  const desk = openDesktop({ scenario: DESK, faults: FAULTS, config })
  const app = await createRestApp(desk)
  const statuses = new Set<number>()
  const look = async () => {
    for (const url of looks) statuses.add((await app.inject({ url, headers: { host: '127.0.0.1:5001' } })).statusCode)
  }
  const results: unknown[] = []
  for (const [tool, args] of CALLS) {
    await look()
    results.push((await call(desk.session, tool as string, args)).body)
  }
  await look()
  const picture = await desk.computer.screenshot({ screen: true })
  return {
    statuses: [...statuses].sort(),
    left: {
      results,
      artifacts: [...desk.artifacts].map(([path, content]) => [
        path,
        typeof content === 'string' ? content : sha1(content),
      ]),
      fired: desk.computer.firedFaults,
      log: desk.computer.run.log,
      course: desk.computer.run.course,
      data: desk.computer.run.data,
      steps: [desk.session.steps, desk.computer.stepCount, desk.clock.now(), desk.operatorClock.now()],
      counts: [...desk.session.callCounts.calls],
      desktop: desk.computer.desktop,
      pixels: sha1(picture.pixels()),
      next: desk.session.ids.hex(16),
    },
  }
}

const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex')

describe('looking', () => {
  it('[OB284] is proven for every route that reads without calling a tool', () => {
    const proven = new Set(OBSERVATIONS.map((url) => url.split('?')[0]))
    expect(PASSIVE_ROUTES.filter((path) => !proven.has(path))).toEqual([])
    expect(PASSIVE_ROUTES).toContain('/api/inspector/file')
  })

  it('[OB284] leaves results, traces, budgets, faults, hashes and pixels as they are without it', async () => {
    const alone = await play([])
    const watched = await play(OBSERVATIONS)
    expect(watched.statuses).toEqual([200, 400, 404])
    expect(watched.left).toEqual(alone.left)
    // The run reaches what looks could disturb.
    const codes = JSON.stringify(alone.left.results).matchAll(/"code":"(\w+)"/g)
    expect(new Set([...codes].map(([, code]) => code))).toEqual(new Set(['Timeout', 'BudgetExceeded']))
    expect(new Set(alone.left.fired.map(({ fault }) => fault)).size).toBeGreaterThan(1)
    const trace = alone.left.artifacts.find(([path]) => String(path).endsWith('trace.jsonl'))
    expect(String(trace?.[1]).split('\n').length).toBeGreaterThan(CALLS.length - 4)
  })
})
