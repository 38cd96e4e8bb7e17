import { describe, expect, it } from 'vitest'
import { openDesktop } from '../../testing.ts'
import { ALL_TOOLS } from '../registry.ts'

// Rules such as [OB250] are stated in src/observer/SPEC.md.

const APP = `states: {a: {windows: [{uid: mock:a, title: A}]}}`

const denied = async (actions: object, tool: string) => {
  const { error } = await openDesktop({ scenario: APP, config: { actions } }).tryCall(tool, {})
  return error?.code === 'PermissionDenied' ? (error as unknown as { message: string }).message : undefined
}

const ALWAYS = [
  'get_budget_status',
  'get_capabilities',
  'get_monitors',
  'get_redaction_status',
  'list_windows',
  'replay_status',
  'trace_status',
]

describe('the allow list', () => {
  it('[OB250] gives deny precedence', async () => {
    const message = "tool 'scroll' is in actions.deny"
    expect(await denied({ allow: ['scroll'], deny: ['scroll'] }, 'scroll')).toBe(message)
    expect(await denied({ allow: ['press_key'] }, 'scroll')).toBeUndefined()
  })

  it('[OB250] allows only listed tools when the default is deny', async () => {
    const actions = { default: 'deny', allow: ['scroll'] }
    expect(await denied(actions, 'scroll')).toBeUndefined()
    expect(await denied(actions, 'get_screen_sketch')).toBe("tool 'get_screen_sketch' is not in actions.allow")
    expect(await denied({ default: 'deny' }, 'scroll')).toBe(
      "actions.default is 'deny' and no allowlist matches 'scroll'",
    )
  })

  it('[OB250] can deny every tool except those that report the session status', async () => {
    const open: string[] = []
    for (const { name } of ALL_TOOLS) if ((await denied({ default: 'deny' }, name)) === undefined) open.push(name)
    expect(open).toEqual(ALWAYS)
  })

  it('[OB250] matches the name of the called tool, not the contents of its result', async () => {
    const actions = { deny: ['get_window_structure', 'observe_window', 'get_screenshot'] }
    const desk = openDesktop({ scenario: APP, config: { actions } })
    const shown = { tree: { role: 'Window' } }
    expect(await desk.call('session_reset', { screenshot: true })).toMatchObject({
      observation: { ...shown, screenshot_b64: expect.any(String) },
    })
    expect(await desk.call('press_key_and_observe', { keys: 'f5' })).toMatchObject({ observation: shown })
  })

  it('[OB250] applies to the calls of a replay or a training step, too', async () => {
    const desk = openDesktop({ scenario: APP, config: { actions: { deny: ['scroll'] } } })
    const { info } = await desk.call('session_step', { action: { tool: 'scroll' } })
    expect(info).toMatchObject({ action: { ok: false, error: { code: 'PermissionDenied' } } })
    expect(desk.computer.stepCount).toBe(0)
  })

  it('[OB255] refuses all actions on a read-only desktop', async () => {
    const desk = openDesktop({ scenario: APP, config: { read_only: true } })
    const refused: string[] = []
    for (const { name } of ALL_TOOLS) {
      const { error } = await desk.tryCall(name, {})
      if (error?.code === 'PermissionDenied') refused.push(name)
    }
    const acting = ALL_TOOLS.filter(({ kind }) => kind === 'act').map(({ name }) => name)
    // Tools of pages are off by default.
    expect(refused.sort()).toEqual(
      [...acting, 'load_scenario', 'session_reset', 'session_rewind', 'webmcp_list'].sort(),
    )
  })

  it('[OB256] refuses all actions after the operator has stopped input', async () => {
    const desk = openDesktop({ scenario: APP })
    desk.session.stop()
    expect((await desk.tryCall('press_key', { keys: 'a' })).error?.code).toBe('PermissionDenied')
    expect((await desk.tryCall('list_windows')).ok).toBe(true)
  })
})
