import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { manualClock } from '../../../test/support/base/manual-clock.ts'
import { createSyntheticComputer } from '../../adapters/synthetic/synthetic.ts'
import { createTestbed } from '../../compose/testbed.ts'
import { parseScenario } from '../../scenario/load/load.ts'
import { createRestApp, openDesktop, type TestDesktop } from '../../testing.ts'
import { call } from '../call.ts'
import { DesktopSession } from './session.ts'
import { DesktopSessions } from './sessions.ts'

// Rules such as [OB133] are stated in src/observer/SPEC.md.

const APP = `
states:
  a:
    windows:
      - uid: mock:a
        title: A
        bounds: {x: 0, y: 0, width: 400, height: 300}
        tree:
          role: Window
          name: A
          children:
            - {id: box, role: CheckBox, name: Box, bounds: {x: 10, y: 50, width: 80, height: 28}}
`

const click = { element_id: 'box' }
const codeOf = async (desk: TestDesktop, tool: string, args: object = {}) =>
  (await desk.tryCall(tool, args)).error?.code

describe('the operator', () => {
  it('[OB134] [OB135] restores the rate budget after a minute of real time, not of virtual time', async () => {
    const desk = openDesktop({ scenario: APP, config: { budget: { actions_per_minute: 2 } } })
    await desk.call('click_element', click)
    await desk.call('click_element', click)
    await desk.call('session_advance', { ms: 60_001 })
    expect(await codeOf(desk, 'click_element', click)).toBe('RateLimited')
    desk.operatorClock.advance(60_001)
    expect(await codeOf(desk, 'click_element', click)).toBeUndefined()
  })

  it('[OB135] does not count virtual time against a session', async () => {
    const desk = openDesktop({ scenario: APP, config: { budget: { max_session_seconds: 10 } } })
    await desk.call('session_advance', { ms: 3_600_000 })
    expect((await desk.call('get_budget_status')).session_seconds).toEqual({ elapsed: 0, limit: 10, remaining: 10 })
  })

  it('[OB135] does not expire tokens by virtual time', async () => {
    const desk = openDesktop({ scenario: APP, config: { confirmation_required: [{ role: 'CheckBox' }] } })
    const { confirm_token } = await desk.call('propose_action', { action: 'click_element', args: click })
    const { snapshot_id } = await desk.call('snapshot')
    await desk.call('session_advance', { ms: 3_600_000 })
    expect(await codeOf(desk, 'snapshot_get', { snapshot_id })).toBeUndefined()
    expect(await codeOf(desk, 'click_element', { ...click, confirm_token })).toBeUndefined()
  })

  it('[OB136] uses real time in timestamps', async () => {
    const desk = openDesktop({ scenario: APP })
    desk.operatorClock.advance(Date.UTC(2025, 5, 1) - desk.operatorClock.now())
    const now = Date.UTC(2025, 5, 1) / 1000
    expect((await desk.call('snapshot')).ts).toBe(now)
    const proposed = await desk.call('propose_action', { action: 'click_element', args: click })
    expect(proposed.expires_at).toBe(now + 60)
    await desk.call('get_window_structure')
    const { tree_stats } = (await desk.call('get_capabilities')) as { tree_stats: Record<string, unknown> }
    expect(tree_stats['mock:a']).toMatchObject({ captured_at: now })
    const { started_at, desktop_started_at } = await desk.call('trace_start')
    expect([started_at, desktop_started_at]).toEqual([now, desk.clock.now() / 1000])
  })

  it('[OB134] [OB135] reports its uptime', async () => {
    const desk = openDesktop({ scenario: APP })
    const app = await createRestApp(desk)
    await desk.call('session_advance', { ms: 3_600_000 })
    desk.operatorClock.advance(90_500)
    expect((await app.inject('/api/healthz')).json()).toMatchObject({ uptime_s: 90 })
    expect((await app.inject('/api/metrics')).body).toMatch(/^oso_uptime_seconds 90$/m)
  })

  it('[OB137] is not affected by jumps of the system clock', async () => {
    const testbed = await createTestbed({ config: { budget: { actions_per_minute: 1, max_session_seconds: 600 } } })
    const systemTime = vi.spyOn(Date, 'now')
    onTestFinished(async () => {
      systemTime.mockRestore()
      await testbed.close()
    })
    const { session } = testbed
    expect((await call(session, 'press_key', { keys: 'tab' })).fault).toBeUndefined()
    const before = session.operatorClock.now()
    for (const jumpMs of [7_200_000, -86_400_000]) {
      systemTime.mockReturnValue(before + jumpMs)
      expect((await call(session, 'press_key', { keys: 'tab' })).fault?.code).toBe('RateLimited')
      expect((await call(session, 'snapshot', {})).body.ts).toBeCloseTo(before / 1000, -2)
    }
  })

  it('[OB134] closes idle sessions', async () => {
    const { session, operatorClock } = openDesktop({ scenario: APP })
    const open = async () => session.fork('other')
    const sessions = new DesktopSessions({
      first: session,
      open,
      ids: session.ids,
      operatorClock,
      limit: 10,
      ttlMs: 1000,
    })
    await sessions.open({})
    session.clock.sleep(5000)
    expect(sessions.list()).toHaveLength(1)
    operatorClock.advance(1001)
    expect(sessions.list()).toHaveLength(0)
  })
})

describe('a wait', () => {
  const never = { any_of: [{ type: 'window_appears', title_regex: 'Never' }], timeout_ms: 30_000 }

  it('[OB140] states that its time was virtual and that no other client could act during it', async () => {
    const desk = openDesktop({ scenario: APP })
    const { error, ...answer } = await desk.tryCall('wait_for' as string, never)
    expect(answer).toMatchObject({ elapsed_ms: 30_000, clock: 'virtual' })
    expect(error).toMatchObject({ code: 'Timeout', message: expect.stringMatching(/virtual time.*--clock real/) })
    expect(await desk.call('wait_idle')).toMatchObject({ clock: 'virtual' })
  })

  it('[OB140] sees actions of other clients in real time', async () => {
    const { session, clock } = live()
    const waiting = call(session, 'wait_for', {
      any_of: [{ type: 'element_appears', selector: 'CheckBox[value="true"]' }, { type: 'focused_changes' }],
      timeout_ms: 30_000,
    })
    await clock.advance(500)
    expect((await call(session, 'click_element', click)).fault).toBeUndefined()
    await clock.advance(500)
    expect((await waiting).body).toMatchObject({ ok: true, clock: 'real', elapsed_ms: 600 })
  })
})

/** A session on a synthetic desktop in real time. */
function live() {
  const { session: other } = openDesktop({ scenario: APP })
  const clock = manualClock()
  const { ids, context, operatorClock } = other
  const { folder, traces, perception } = context
  const computer = createSyntheticComputer({ scenario: parseScenario(APP, { file: 'app.yaml' }), clock })
  const parts = { id: 'live', computer, clock, operatorClock, ids, folder, traces, audit: traces, perception }
  return { clock, session: new DesktopSession({ ...parts, version: '0' }) }
}

describe('an action in real time', () => {
  const resting = { x: 20, y: 60, hover_ms: 400 }
  it.each([
    ['hover_at', resting],
    ['hover_element', { ...click, hover_ms: 400 }],
    ['drag', { from: { x: 20, y: 60 }, to: { x: 90, y: 60 }, duration_s: 0.4 }],
  ])('[OB141] %s lasts the requested time', async (tool, args) => {
    const { session, clock } = live()
    let done = false
    const acting = call(session, tool, args).then((outcome) => {
      done = true
      return outcome
    })
    await clock.advance(399)
    expect(done).toBe(false)
    await clock.advance(1)
    expect((await acting).body).toMatchObject({ ok: true, duration_ms: 400 })
  })

  it('[OB141] ends at once when the operator stops all input', async () => {
    const { session, clock } = live()
    const acting = call(session, 'hover_at', { ...resting, hover_ms: 60_000 })
    await clock.advance(10)
    session.stop()
    expect((await acting).body).toMatchObject({ duration_ms: 10 })
  })
})
