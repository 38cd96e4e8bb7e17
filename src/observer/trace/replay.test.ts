import { describe, expect, it, vi } from 'vitest'
import { BINDINGS, LOGIN, RENAMED, recorded, replayed, traced } from '../../../test/support/observer/traced-login.ts'
import { openDesktop } from '../../testing.ts'
import { parseTrace } from './replay.ts'

// Rules such as [OB169] are stated in src/observer/SPEC.md.

describe('a trace that was read', () => {
  const header = '{"type":"header","trace_id":"t","label":"x"}'
  const row = (trace_seq: number) => JSON.stringify({ trace_seq, tool: 'list_windows', args: {} })
  const footer = (step_count: number) => JSON.stringify({ type: 'footer', step_count })
  const missing = (...lines: readonly string[]) => parseTrace([header, ...lines].join('\n'), 'a trace').missing

  it('[OB160] is compared with its footer and with the numbers of its rows', () => {
    expect(missing(row(1), row(2), footer(2))).toBeUndefined()
    expect(missing(row(1))).toBeUndefined()
    expect(missing(row(1), footer(3))).toMatch(/^2 of 3 recorded calls are missing/)
    expect(missing(row(1), row(3), footer(3))).toMatch(/^1 of 3 recorded calls are missing/)
    expect(missing(row(1), row(4))).toMatch(/^2 of 4 recorded calls are missing/)
    expect(missing(row(1), row(1), footer(1))).toMatch(/^the footer of the trace names 1 calls, and it has 2/)
  })

  it('[OB162] may begin with a byte order mark', () => {
    expect(parseTrace(`\uFEFF${header}\n${row(1)}`, 'a trace')).toMatchObject({ label: 'x', rows: [{ trace_seq: 1 }] })
  })
})

describe('a replay', () => {
  it('[OB168] of the login finds no difference', async () => {
    const { text } = await recorded()
    const { status, steps } = await replayed(LOGIN, text)
    expect(status).toMatchObject({ position: 13, total: 13, finished: true, skipped: 0, divergences: [] })
    expect(steps.map(({ tool }) => tool)).toContain('click_element_and_observe')
  })

  it('[OB169] of the login with one renamed button reports exactly that difference', async () => {
    const { text } = await recorded()
    const { status } = await replayed(RENAMED, text)
    expect(status.divergences).toEqual([
      {
        step_id: 3,
        trace_seq: 2,
        tool: 'observe_window',
        differences: [{ path: 'elements.btn.name', want: 'Login', got: 'Sign in' }],
      },
    ])
  })

  it('[OB169] of the login with one renamed field reports exactly that difference', async () => {
    const { text } = await recorded()
    const { status } = await replayed(LOGIN.replace('name: Username', 'name: User name'), text)
    expect(status.divergences).toMatchObject([
      { differences: [{ path: 'elements.u.name', want: 'Username', got: 'User name' }] },
    ])
  })

  it('[OB169] lists missing and new elements', async () => {
    const { text } = await recorded()
    const other = LOGIN.replace('presses: enter,', 'presses: enter, description: x,').replace(
      '  welcome:',
      '            - {id: hint, role: Text, name: Hint, bounds: {x: 200, y: 320, width: 100, height: 20}}\n\n  welcome:',
    )
    const { status } = await replayed(other, text)
    expect(status.divergences).toMatchObject([
      { tool: 'observe_window', differences: [{ path: 'elements.hint', want: null, got: 'Text "Hint"' }] },
    ])
  })

  it('[OB168] compares the relevant part of each tool result', async () => {
    const { text } = await recorded()
    const { status } = await replayed(LOGIN.replace('value: "{{ user }}"', 'value: bob'), text)
    expect(status.divergences).toMatchObject([
      {
        tool: 'click_element_and_observe',
        differences: [
          { path: 'elements.root.name', want: 'Acme — Welcome', got: 'Acme Login' },
          { path: 'elements.root.0', want: 'Text "Hello, alice"', got: null },
          { path: 'elements.u', want: null, got: 'Edit "Username"' },
          { path: 'elements.p', want: null, got: 'Edit "Password"' },
          { path: 'elements.btn', want: null, got: 'Button "Login"' },
        ],
      },
      {
        tool: 'assert_state',
        differences: [
          { path: 'all_passed', want: true, got: false },
          { path: 'failures', want: [], got: ['0 text_visible'] },
        ],
      },
    ])
  })

  it('[OB168] in execute mode compares nothing', async () => {
    const { text } = await recorded()
    const { status, desk } = await replayed(LOGIN, text, { mode: 'execute' })
    expect(status).toMatchObject({ mode: 'execute', divergences: [] })
    expect(desk.computer.state).toBe('welcome')
    expect((await replayed(RENAMED, text, { mode: 'execute' })).desk.computer.state).toBe('start')
  })

  it('[OB171] stops, continues, or waits until the recorded screen returns', async () => {
    const { text } = await recorded()
    const policy = async (on_divergence: string) => {
      const { status, desk } = await replayed(RENAMED, text, { on_divergence })
      const { position, skipped, finished, divergences } = status as Record<string, unknown>
      return [position, skipped, finished, (divergences as unknown[]).length, desk.computer.state]
    }
    expect(await policy('stop')).toEqual([2, 0, true, 1, 'start'])
    expect(await policy('warn')).toEqual([13, 0, true, 1, 'welcome'])
    expect(await policy('resume')).toEqual([13, 11, true, 1, 'start'])
  })

  it('[OB171] resumes when the screen matches the recording again', async () => {
    const { text } = await recorded()
    const late = LOGIN.replace('name: Username', 'name: User').replace(
      'reactions:',
      'timers:\n  - {in: start, after_ms: 100, set: [{id: u, name: Username}]}\n\nreactions:',
    )
    const desk = openDesktop({ scenario: late, files: { 'trace.jsonl': text } })
    const args = { path: 'trace.jsonl', mode: 'verify', on_divergence: 'resume', bindings: BINDINGS } as const
    const { replay_id } = await desk.call('replay_start', args)
    const step = async () => {
      const { tool, skipped = false, divergence } = await desk.call('replay_step', { replay_id })
      return [tool, skipped, divergence]
    }
    expect(await step()).toEqual(['list_windows', false, null])
    const renamed = { path: 'elements.u.name', want: 'Username', got: 'User' }
    expect(await step()).toEqual(['observe_window', false, [renamed]])
    expect(await step()).toEqual(['get_screenshot', true, null])
    desk.clock.advance(100)
    expect(await step()).toEqual(['find_element', false, null])
    for (let count = 4; count < 13; count++) await step()
    expect(await desk.call('replay_status', { replay_id })).toMatchObject({ finished: true, skipped: 1 })
    expect(desk.computer.state).toBe('welcome')
  })

  it('[OB172] uses its own tokens and snapshots in place of the recorded ones', async () => {
    const desk = openDesktop({ scenario: LOGIN })
    const { dir } = await desk.call('trace_start')
    const { snapshot_id: a } = await desk.call('snapshot')
    await desk.call('click_element', { element_id: 'u' })
    const { snapshot_id: b } = await desk.call('snapshot')
    await desk.call('snapshot_diff', { a, b })
    const { status } = await replayed(LOGIN, String(desk.artifacts.get(`${dir}/trace.jsonl`)))
    expect(status.divergences).toEqual([])
  })

  it('[OB173] types the text that this process recorded', async () => {
    const { desk, path } = await recorded()
    await desk.call('session_reset')
    const { replay_id } = await desk.call('replay_start', { path, mode: 'verify' })
    let step: Record<string, unknown>
    do step = await desk.call('replay_step', { replay_id })
    while (!step.finished)
    expect(await desk.call('replay_status', { replay_id })).toMatchObject({ divergences: [] })
    expect(desk.computer.state).toBe('welcome')
  })

  it('[OB173] does not start without the hidden values, and names them', async () => {
    const { text } = await recorded()
    const desk = openDesktop({ scenario: LOGIN, files: { 'trace.jsonl': text } })
    const { error } = await desk.tryCall('replay_start', { path: 'trace.jsonl', bindings: { '6.text': 'alice' } })
    expect(error).toMatchObject({
      code: 'BadRequest',
      message: 'the trace hides 1 values; give them as bindings, e.g. {"9.text": "…"}',
      context: { field: 'bindings', missing: ['9.text'] },
    })
  })

  it('[OB174] has a unique id that is not reused', async () => {
    const { text } = await recorded()
    const desk = openDesktop({ scenario: LOGIN, files: { 'trace.jsonl': text } })
    const start = async () =>
      (await desk.call('replay_start', { path: 'trace.jsonl', bindings: BINDINGS })).replay_id as string
    const [one, two] = [await start(), await start()]
    await desk.call('replay_stop', { replay_id: one })
    const three = await start()
    expect(new Set([one, two, three]).size).toBe(3)
    for (const tool of ['replay_step', 'replay_status', 'replay_stop'])
      expect((await desk.tryCall(tool, { replay_id: one })).error?.code).toBe('BadRequest')
  })

  it('[OB182] restarts a sent scenario as a reset does: the seed of the trace is read where sent scenarios are', async () => {
    const yaml =
      'name: sent\nparams: {who: {pick: [Ann, Bob, Cleo]}}\nstates: {a: {windows: [{uid: w, title: "{{ who }}"}]}}'
    const played = openDesktop({ scenario: yaml, seed: 7, variant: { theme: 'dark' } })
    const { text } = await traced(played, async () => void (await played.call('list_windows')))
    const desk = openDesktop({ files: { 'trace.jsonl': text } })
    await desk.call('load_scenario', { yaml })
    const prepared = vi.spyOn(desk.session.context, 'prepareReset')
    const { replay_id } = await desk.call('replay_start', { path: 'trace.jsonl', mode: 'verify' })
    expect(prepared.mock.calls).toEqual([[{ seed: 7, variant: { theme: 'dark' } }]])
    expect([desk.computer.seed, desk.computer.variant]).toEqual([7, { theme: 'dark' }])
    expect(await desk.call('replay_step', { replay_id })).toMatchObject({ divergence: null, finished: true })
  })

  it('[OB174] executes one step at a time', async () => {
    const { text } = await recorded()
    const desk = openDesktop({ scenario: LOGIN, files: { 'trace.jsonl': text } })
    const { replay_id } = await desk.call('replay_start', { path: 'trace.jsonl', mode: 'verify', bindings: BINDINGS })
    await Promise.all(Array.from({ length: 13 }, () => desk.call('replay_step', { replay_id })))
    expect(await desk.call('replay_status', { replay_id })).toMatchObject({ position: 13, divergences: [] })
    expect(await desk.call('replay_step', { replay_id })).toMatchObject({ finished: true, position: 13, total: 13 })
  })

  it('[OB8] advances in a training step as it does on its own', async () => {
    const { text } = await recorded()
    const desk = openDesktop({ scenario: LOGIN, files: { 'trace.jsonl': text } })
    const { replay_id } = await desk.call('replay_start', { path: 'trace.jsonl', bindings: BINDINGS })
    const args = { replay_id }
    await Promise.all([
      desk.call('replay_step', args),
      desk.call('session_step', { audience: 'harness', actions: Array(10).fill({ tool: 'replay_step', args }) }),
      desk.call('replay_step', args),
    ])
    expect(await desk.call('replay_status', args)).toMatchObject({ position: 12, divergences: [] })
    expect(await desk.call('list_windows')).toMatchObject({ windows: [{ title: 'Acme — Welcome' }] })
  })

  it('[OB174] refuses a file that is not a trace', async () => {
    const desk = openDesktop({ scenario: LOGIN, files: { 'notes.jsonl': 'hello\n' } })
    for (const path of ['notes.jsonl', 'missing.jsonl', ''])
      expect((await desk.tryCall('replay_start', { path })).error?.code).toBe('BadRequest')
  })

  it('[OB174] accepts rows that another server wrote', async () => {
    const text = [
      { type: 'header', label: 'by hand' },
      { tool: 'list_windows', args: {}, result_summary: null },
      { tool: 'click_element', args: { selector: 'Button[name="Login"]' }, result_summary: 'ok' },
      { tool: 'constructor', args: {} },
    ].map((row) => JSON.stringify(row))
    const { status } = await replayed(LOGIN, text.join('\n'), { bindings: {} })
    expect(status).toMatchObject({ position: 3, finished: true })
  })
})
