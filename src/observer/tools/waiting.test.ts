import { describe, expect, it } from 'vitest'
import { openDesktop } from '../../testing.ts'

// Rules such as [OB123] are stated in src/observer/SPEC.md.

const SLOW = `
initial_state: loading
states:
  loading:
    windows:
      - uid: mock:app
        title: App
        bounds: {x: 0, y: 0, width: 400, height: 300}
        tree:
          role: Window
          name: App
          children:
            - {id: spinner, role: Text, name: Loading, bounds: {x: 10, y: 40, width: 100, height: 28}}
            - {id: name, role: Edit, name: Name, value: "", bounds: {x: 10, y: 80, width: 100, height: 28}}
            - {id: ghost, role: Text, name: Ghost, hidden: true, bounds: {x: 10, y: 120, width: 100, height: 28}}
  ready:
    windows:
      - uid: mock:dialog
        title: Welcome
        bounds: {x: 50, y: 50, width: 200, height: 200}
        tree: {role: Dialog, name: Welcome, children: [{id: hi, role: Text, name: "Hello, Ada"}]}
      - uid: mock:app
        title: App
        bounds: {x: 0, y: 0, width: 400, height: 300}
        tree: {role: Window, name: App, children: [{id: name, role: Edit, name: Name, value: ""}]}
  gone: {windows: []}
timers:
  - {in: loading, after_ms: 1000, transition_to: ready}
  - {in: ready, after_ms: 1000, transition_to: gone}
`

const wait = (desk: ReturnType<typeof openDesktop>, condition: object, more: object = {}) =>
  desk.tryCall('wait_for' as string, { any_of: [condition], ...more })

describe('wait_for', () => {
  it('[OB122] [OB123] ends with the first condition that holds, at once in virtual time', async () => {
    const desk = openDesktop({ scenario: SLOW })
    const answer = await desk.call('wait_for', {
      any_of: [
        { type: 'window_appears', title_regex: 'Nothing' },
        { type: 'element_appears', selector: 'Text "Hello, Ada"' },
        { type: 'text_visible', regex: 'Hello' },
      ],
    })
    expect(answer).toMatchObject({ matched_index: 1, elapsed_ms: 1000, clock: 'virtual', polls: 6 })
    expect(answer.matched_detail).toMatchObject({ element_id: 'hi' })
  })

  it('[OB122] evaluates the condition immediately', async () => {
    const answer = await wait(openDesktop({ scenario: SLOW }), { type: 'text_visible', regex: 'Loading' })
    expect(answer).toMatchObject({ matched_detail: { element_id: 'spinner' }, elapsed_ms: 0, polls: 1 })
  })

  it.each([
    [{ type: 'element_disappears', selector: 'Text "Loading"' }, {}, 1000],
    [{ type: 'element_disappears', element_id: 'spinner' }, {}, 1000],
    [{ type: 'element_disappears', element_id: 'root.0' }, {}, 2000],
    [{ type: 'element_disappears', element_id: 'Text "Loading"' }, {}, 1000],
    [{ type: 'element_disappears', selector: 'Text "Nothing"', element_id: 'spinner' }, {}, 1000],
    [{ type: 'text_visible', regex: '^Hello, Ada$' }, { element_id: 'hi' }, 1000],
    [{ type: 'window_appears', title_regex: '^Wel' }, { window_uid: 'mock:dialog', title: 'Welcome' }, 1000],
    [{ type: 'window_disappears', window_uid: 'mock:app' }, { window_uid: 'mock:app' }, 2000],
    [{ type: 'focused_changes' }, { focused_uid: 'mock:dialog' }, 1000],
  ])('[OB126] %j', async (condition, detail, elapsed_ms) => {
    expect(await wait(openDesktop({ scenario: SLOW }), condition)).toMatchObject({ matched_detail: detail, elapsed_ms })
  })

  it('[OB126] detects that a tree differs from the one of a token', async () => {
    const desk = openDesktop({ scenario: SLOW })
    const { tree_token: since } = await desk.call('observe_window')
    expect(await wait(desk, { type: 'tree_changes', since })).toMatchObject({ matched_index: 0, elapsed_ms: 1000 })
  })

  it('[OB123] never exceeds the requested time or the limit of the operator', async () => {
    const never = { type: 'text_visible', regex: 'never' }
    const desk = openDesktop({ scenario: SLOW })
    expect(await wait(desk, never, { timeout_ms: 100, poll_ms: 2000 })).toMatchObject({ elapsed_ms: 100, polls: 2 })
    const strict = openDesktop({ scenario: SLOW, config: { wait_for: { max_timeout_ms: 300 } } })
    expect(await wait(strict, never, { timeout_ms: 60_000 })).toMatchObject({ elapsed_ms: 300 })
  })

  it('[OB124] reports the last observed state', async () => {
    const answer = await wait(
      openDesktop({ scenario: SLOW }),
      { type: 'text_visible', regex: 'never' },
      { timeout_ms: 500 },
    )
    expect(answer).toMatchObject({
      ok: false,
      error: { code: 'Timeout', recoverable: true },
      elapsed_ms: 500,
      polls: 4,
      matched_index: null,
      last_observation: { window_uid: 'mock:app', format: 'full' },
    })
  })

  it('[OB126] does not match hidden text', async () => {
    const answer = await wait(
      openDesktop({ scenario: SLOW }),
      { type: 'text_visible', regex: 'Ghost' },
      { timeout_ms: 500 },
    )
    expect(answer.error?.code).toBe('Timeout')
  })

  it.each([
    [{ type: 'element_appears', selector: 'Button[' }, 'BadRequest'],
    [{ type: 'element_appears' }, 'BadRequest'],
    [{ type: 'element_disappears' }, 'BadRequest'],
    [{ type: 'text_visible', regex: '(' }, 'BadRequest'],
    [{ type: 'window_disappears' }, 'BadRequest'],
    [{ type: 'tree_changes', since: 'tt:0000000000000000' }, 'SnapshotExpired'],
    [{ type: 'moon_rises' }, 'BadRequest'],
  ])('[OB125] refuses %j before waiting', async (condition, code) => {
    const desk = openDesktop({ scenario: SLOW })
    const from = desk.clock.now()
    expect((await wait(desk, condition)).error?.code).toBe(code)
    expect(desk.clock.now()).toBe(from)
  })

  it('[OB127] checks the requested window, else the one that is focused at the time', async () => {
    const hello = { type: 'text_visible', regex: 'Hello' }
    expect(
      (await wait(openDesktop({ scenario: SLOW }), hello, { window_uid: 'mock:app', timeout_ms: 1500 })).error?.code,
    ).toBe('Timeout')
    expect(await wait(openDesktop({ scenario: SLOW }), hello, { timeout_ms: 1500 })).toMatchObject({ elapsed_ms: 1000 })
    expect((await wait(openDesktop({ scenario: SLOW }), hello, { window_uid: 'nope' })).error?.code).toBe('WindowGone')
  })

  it('[OB127] waits on an empty desktop too', async () => {
    const desk = openDesktop({ scenario: SLOW })
    desk.clock.advance(2000)
    const answer = await wait(desk, { type: 'window_appears', title_regex: '.' }, { timeout_ms: 100 })
    expect(answer).toMatchObject({ error: { code: 'Timeout' }, last_observation: null })
  })
})

describe('wait_idle', () => {
  it('[OB128] ends when nothing has changed for the requested time', async () => {
    const desk = openDesktop({ scenario: SLOW })
    desk.clock.advance(600)
    const answer = await desk.call('wait_idle', { quiet_ms: 500, poll_ms: 50 })
    expect(answer.elapsed_ms).toBe(900)
  })

  it('[OB123] [OB128] times out in time', async () => {
    const answer = await openDesktop({ scenario: SLOW }).tryCall('wait_idle', { quiet_ms: 5000, timeout_ms: 1200 })
    expect(answer).toMatchObject({ error: { code: 'Timeout' }, elapsed_ms: 1200 })
  })
})

it('[OB130] says that its timeout was cut', async () => {
  const desk = openDesktop({ scenario: 'states: {a: {windows: [{uid: w, title: W, tree: {role: Window, name: W}}]}}' })
  const any_of = [{ type: 'text_visible' as const, regex: 'never' }]
  const error = async (timeout_ms: number) =>
    (await desk.tryCall('wait_for', { any_of, timeout_ms })).error as { message?: string }
  expect((await error(120_000)).message).toContain('timeout_ms 120000 was cut to 60000')
  expect((await error(60_000)).message).not.toContain('was cut')
})
