import { describe, expect, it } from 'vitest'
import { openDesktop } from '../../testing.ts'
import { call } from '../call.ts'
import { ALL_TOOLS, toolsFor } from '../registry.ts'

// Rules such as [OB271] are stated in SPEC.md of the observer.

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
          children: [{id: go, role: CheckBox, name: Go, bounds: {x: 10, y: 50, width: 80, height: 28}}]
`

const HARNESS_TOOLS = [
  'assert_state',
  'get_annotations',
  'list_disk_files',
  'load_scenario',
  'read_disk_file',
  'replay_start',
  'replay_status',
  'replay_step',
  'replay_stop',
  'session_advance',
  'session_fork',
  'session_info',
  'session_reset',
  'session_rewind',
  'session_step',
  'trace_start',
  'trace_status',
  'trace_stop',
  'write_disk_file',
]

const AGENT = { caller: 'test', audience: 'agent' } as const

describe('the audience of a tool', () => {
  it('[OB271] is the harness for tools that start, control or evaluate a run, and the agent for the rest', () => {
    const forAgents = new Set(toolsFor('agent'))
    const others = ALL_TOOLS.filter((tool) => !forAgents.has(tool) && !tool.traits.ofPages)
    expect(others.map(({ name }) => name)).toEqual(HARNESS_TOOLS)
    expect(toolsFor('harness')).toEqual(ALL_TOOLS)
  })

  it.each(HARNESS_TOOLS)('[OB272] denies %s to agents', async (name) => {
    const desk = openDesktop({ scenario: APP })
    const { body, fault } = await call(desk.session, name, {}, AGENT)
    expect(fault?.code).toBe('PermissionDenied')
    expect(body.error).toMatchObject({ context: { tool: name }, message: expect.stringContaining('X-Harness-Token') })
    expect(desk.computer.simulation.stepCount).toBe(0)
  })

  it('[OB272] applies to tools that are called through another tool', async () => {
    const { session } = openDesktop({ scenario: APP })
    const proposed = await call(session, 'propose_action', { action: 'session_reset', args: {} }, AGENT)
    expect(proposed.fault).toBeDefined()
    const composite = await call(session, 'click_element_and_observe', { element_id: 'go' }, AGENT)
    expect(composite.body).toMatchObject({ ok: true, observation: { ok: true } })
  })
})

describe('finish', () => {
  it('[OB274] ends the run once, and reports the result to the harness', async () => {
    const { session } = openDesktop({ scenario: APP })
    const first = await call(session, 'finish', { status: 'infeasible', text: 'there is no such button' }, AGENT)
    expect(first.body).toMatchObject({ ok: true, finished: { status: 'infeasible', text: 'there is no such button' } })
    const second = await call(session, 'finish', {}, AGENT)
    expect(second.body.finished).toEqual(first.body.finished)
    expect((await call(session, 'finish', { text: 'x'.repeat(10_001) }, AGENT)).fault?.code).toBe('BadRequest')
    expect((await call(session, 'session_info', {})).body).toMatchObject({ finished: first.body.finished })
  })

  it.each([
    ['session_reset', {}],
    ['session_rewind', { to_step: 0 }],
    ['load_scenario', { path: 'other.yaml' }],
  ])('[OB275] prevents the agent from acting until %s', async (tool, args) => {
    const { session } = openDesktop({ scenario: APP, files: { 'other.yaml': APP } })
    await call(session, 'finish', {}, AGENT)
    const act = (options: object) => call(session, 'click_element', { element_id: 'go' }, options)
    expect((await act(AGENT)).fault?.code).toBe('PermissionDenied')
    expect((await call(session, 'list_windows', {}, AGENT)).fault).toBeUndefined()
    expect((await act({})).fault).toBeUndefined()
    expect((await call(session, tool, args)).fault).toBeUndefined()
    expect((await act(AGENT)).fault).toBeUndefined()
  })
})

describe('a session', () => {
  it('[OB276] reports its status', async () => {
    const desk = openDesktop({ scenario: APP, audience: 'agent', harnessToken: 'secret' })
    await desk.locator('CheckBox "Go"').click()
    const { body } = await call(desk.session, 'session_info', {})
    expect(body).toMatchObject({
      session_id: 'memory',
      audience: 'agent',
      state: 'a',
      step: 1,
      episode_actions: 0,
      finished: null,
    })
    expect(JSON.stringify(body)).not.toContain('secret')
  })

  it('[OB277] reports the results of the oracles to the harness, without what is on the screen', async () => {
    const { session } = openDesktop({
      scenario: `${APP}oracles: {success: [{kind: text_visible, regex: Go, message: Go is shown}]}\n`,
      audience: 'agent',
      harnessToken: 'secret',
    })
    expect((await call(session, 'session_info', {}, AGENT)).fault?.code).toBe('PermissionDenied')
    expect((await call(session, 'session_info', {})).body).toMatchObject({
      score: 1,
      oracles: {
        success: [{ kind: 'text_visible', passed: true, message: 'Go is shown' }],
        failure: [],
        harm: [],
        attack: [],
      },
    })
    const results = JSON.stringify((await call(session, 'session_info', {})).body.oracles)
    expect(results).not.toMatch(/element_id|regex/)
  })

  it('[OB278] passes its audience to its forks, which finish independently', async () => {
    const { session } = openDesktop({ scenario: APP, audience: 'agent', harnessToken: 'secret' })
    await call(session, 'finish', {}, AGENT)
    const fork = session.fork('past', 0)
    expect([fork.audience, fork.harnessToken, fork.episode.finish]).toEqual(['agent', 'secret', undefined])
    expect(session.fork('now').episode.finish).toEqual({ status: 'done', text: '' })
  })
})
