import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { LOGIN, RENAMED, recorded, replayed, rowsOf, traced } from '../../../test/support/observer/traced-login.ts'
import { Config } from '../../compose/config.ts'
import { VERSION } from '../../compose/package.ts'
import { createTestbed } from '../../compose/testbed.ts'
import { memoryOutput } from '../../stores/memory.ts'
import { openDesktop } from '../../testing.ts'
import { call } from '../call.ts'
import { Tracer } from './trace.ts'
import { WithheldValues } from './withheld.ts'

// Rules such as [OB147] are stated in src/observer/SPEC.md.

const EVENT = { protocol: 'navi', conversation: 'c', direction: 'in', name: 'a', content: {}, endsRun: true } as const

describe('a call of a door', () => {
  const door = { door: 'anthropic', call: { action: 'left_click', coordinate: [5, 5] } }

  it('[OB167] is in the row beside the call of the tool, and replays ignore it', async () => {
    const desk = openDesktop({ scenario: LOGIN })
    const { path, text } = await traced(desk, async () => {
      await call(desk.session, 'click_element', { element_id: 'u' })
      await call(desk.session, 'mouse_click', { x: 5, y: 5 }, { door })
    })
    expect(rowsOf(text).slice(1, 3)).toMatchObject([
      { tool: 'click_element' },
      { tool: 'mouse_click', args: { x: 5, y: 5 }, door_call: door },
    ])
    expect(rowsOf(text)[1]).not.toHaveProperty('door_call')
    const again = openDesktop({ scenario: LOGIN, files: { 'trace.jsonl': text } })
    const { replay_id } = await again.call('replay_start', { path: 'trace.jsonl', mode: 'execute' })
    for (const _ of [1, 2]) await again.call('replay_step', { replay_id })
    expect(again.computer.desktop.pointer).toEqual(desk.computer.desktop.pointer)
    expect(path).not.toBe('')
  })

  it('[OB167] is hidden with an argument, under listed names, and when it is long', async () => {
    const rows = async (redact_keys: readonly string[], args: { text: string }, sent: object) => {
      const desk = openDesktop({
        scenario: LOGIN,
        config: { tracing: { redact_keys: [...redact_keys], max_args_bytes: 200 } },
      })
      const { text } = await traced(desk, async () => {
        await call(desk.session, 'type_text', args, { door: { door: 'osworld', call: sent } })
      })
      return rowsOf(text)[1]!.door_call
    }
    const typed = { command: "pyautogui.write('secret')" }
    expect(await rows(['text'], { text: 'secret' }, typed)).toEqual({ door: 'osworld', call: '<redacted>' })
    expect(await rows(['pin'], { text: 'a' }, { pin: '1', command: 'x' })).toEqual({
      door: 'osworld',
      call: { pin: '<redacted>', command: 'x' },
    })
    const long = { command: 'x'.repeat(500) }
    expect(await rows([], { text: 'a' }, long)).toEqual({
      door: 'osworld',
      call: { __truncated: true, preview: JSON.stringify(long).slice(0, 100) },
    })
  })
})

describe('a trace', () => {
  it('[OB164] has notes beside it, without hidden texts', async () => {
    const desk = openDesktop({ scenario: LOGIN })
    desk.session.context.tracing.note('model', { message: 'not traced' })
    const { path } = await traced(desk, async () => {
      await desk.call('set_value', { element_id: 'p', value: 'hunter2' })
      desk.session.context.tracing.note('model', { after: 1, message: 'I typed "hunter2"', args: { text: 'other' } })
    })
    const notes = String(desk.artifacts.get(path.replace('trace.jsonl', 'model.jsonl')))
    expect(rowsOf(notes)).toEqual([{ after: 1, message: 'I typed "<redacted>"', args: { text: '<redacted>' } }])
  })

  it('[OB147] [OB148] [OB136] [OB138] has a header, a row per call, and a footer, with both times', async () => {
    const { text } = await recorded(openDesktop({ scenario: LOGIN }), Date.UTC(2025, 5, 1, 8))
    const rows = rowsOf(text)
    expect(rows[0]).toEqual({
      type: 'header',
      trace_id: expect.stringMatching(/^trace-[0-9a-f]{8}$/),
      label: 'demo',
      started_at: '2025-06-01T08:00:00.000000+00:00',
      desktop_started_at: '2024-03-12T14:00:00.000000+00:00',
      tool_version: VERSION,
      scenario: 'login',
      seed: 1,
      scenario_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    })
    expect(rows.at(-1)).toMatchObject({ type: 'footer', step_count: 13 })
    const calls = rows.slice(1, -1)
    expect(calls.map(({ trace_seq }) => trace_seq)).toEqual(calls.map((_, at) => at + 1))
    expect(calls[4]).toEqual({
      step_id: 6,
      trace_seq: 5,
      ts: '2025-06-01T08:00:00.000000+00:00',
      desktop_ts: '2024-03-12T14:00:00.050000+00:00',
      caller: 'library',
      tool: 'click_element',
      args: { window_uid: 'mock:app', selector: 'Edit[name="Username"]' },
      result_summary: {
        ok: true,
        step_id: 6,
        action: 'click_element',
        changed: true,
        duration_ms: 50,
        target: { selector: 'Edit[name="Username"]', window_uid: 'mock:app', element_id: 'u' },
      },
      tree_hash_before: 'sha1:fea1872051222609de110f1d998873b68a4e8faf',
      tree_hash_after: 'sha1:fea1872051222609de110f1d998873b68a4e8faf',
      duration_ms: 0,
      desktop_duration_ms: 50,
      elements_before: 1,
      elements_after: 1,
      screenshot_full_ref: 'screenshots/step-00005-full.png',
      screenshot_window_ref: 'screenshots/step-00005-window.png',
    })
  })

  it('[OB139] has the times of the scenario’s clock, and durations that do not jump with it', async () => {
    const at = (time: string) => `name: a\nstart_time: "${time}"\nstates: {a: {windows: [{uid: w, title: a}]}}`
    const desk = openDesktop({ scenario: at('2026-03-02T09:00:00Z') })
    const started = await desk.call('trace_start')
    await desk.call('wait', { duration_ms: 45_000 })
    desk.session.context.tracing.noteEvent(EVENT, desk.session.now())
    await desk.call('session_reset')
    await desk.call('load_scenario', { yaml: at('2031-01-01T00:00:00Z') })
    await desk.call('wait', { duration_ms: 60_000 })
    const { path, desktop_duration_ms } = (await desk.call('trace_stop')) as Record<string, unknown>
    const rows = rowsOf(String(desk.artifacts.get(String(path))))
    expect(started.desktop_started_at).toBe(Date.UTC(2026, 2, 2, 9) / 1000)
    expect(desktop_duration_ms).toBe(105_000)
    expect(rows[0]!.desktop_started_at).toBe('2026-03-02T09:00:00.000000+00:00')
    expect(rows.slice(1, -1).map((row) => [row.tool, row.desktop_ts, row.desktop_duration_ms])).toEqual([
      ['wait', '2026-03-02T09:00:45.000000+00:00', 45_000],
      ['session_reset', '2026-03-02T09:00:45.000000+00:00', 0],
      ['load_scenario', '2031-01-01T00:00:00.000000+00:00', 0],
      ['wait', '2031-01-01T00:01:00.000000+00:00', 60_000],
    ])
    expect(rows.at(-1)!.desktop_stopped_at).toBe('2031-01-01T00:01:00.000000+00:00')
    const [event] = rowsOf(String(desk.artifacts.get(String(path).replace('trace.jsonl', 'events.jsonl'))))
    expect(event!.desktop_ts).toBe('2026-03-02T09:00:45.000000+00:00')
  })

  it('[OB147] is complete on disk after every call', async () => {
    const desk = openDesktop({ scenario: LOGIN })
    const { dir } = await desk.call('trace_start')
    await desk.call('list_windows')
    await desk.call('click_element', { selector: 'Edit "Username"' })
    const text = String(desk.artifacts.get(`${dir}/trace.jsonl`))
    expect(rowsOf(text).map(({ type, tool }) => type ?? tool)).toEqual(['header', 'list_windows', 'click_element'])
    const { status } = await replayed(LOGIN, `${text}{"tool":"type_te`, { bindings: {} })
    expect(status).toMatchObject({ total: 2, finished: true, divergences: [] })
  })

  it('[OB147] reports its status', async () => {
    const desk = openDesktop({ scenario: LOGIN })
    expect(await desk.call('trace_status')).toMatchObject({ active_trace_id: null, step_count: 0, dir: null })
    expect((await desk.tryCall('trace_stop')).error?.code).toBe('BadRequest')
    const { trace_id, dir } = await desk.call('trace_start')
    await desk.call('list_windows')
    expect(await desk.call('trace_status')).toMatchObject({ active_trace_id: trace_id, step_count: 1, dir })
    const again = await desk.tryCall('trace_start')
    expect(again.error).toMatchObject({ code: 'BadRequest', context: { trace_id } })
  })

  it('[OB149] omits calls that the operator denies', async () => {
    const desk = openDesktop({ scenario: LOGIN, config: { actions: { deny: ['press_key'] } } })
    const { dir } = await desk.call('trace_start')
    await desk.tryCall('press_key', { keys: 'enter' })
    await desk.tryCall('click_element', { element_id: 'nope' })
    const rows = rowsOf(String(desk.artifacts.get(`${dir}/trace.jsonl`)))
    expect(rows.map(({ type, tool }) => type ?? tool)).toEqual(['header', 'click_element'])
    expect(rows[1]!.result_summary).toMatchObject({ ok: false, error: { code: 'ElementNotFound' } })
  })

  it('[OB149] records a training step as the call of its action', async () => {
    const desk = openDesktop({ scenario: LOGIN })
    const { dir } = await desk.call('trace_start')
    await desk.call('session_step', { action: { tool: 'click_element', args: { element_id: 'u' } } })
    const rows = rowsOf(String(desk.artifacts.get(`${dir}/trace.jsonl`)))
    expect(rows.flatMap(({ tool, caller }) => (tool ? [[tool, caller]] : []))).toEqual([
      ['click_element', 'session_step'],
    ])
  })

  it('[OB154] does not contain typed text or long arguments', async () => {
    const desk = openDesktop({ scenario: LOGIN })
    const { dir } = await desk.call('trace_start')
    await desk.call('click_element', { selector: 'Edit "Password"' })
    await desk.call('type_text', { text: 'hunter2' })
    await desk.call('propose_action', { action: 'set_value', args: { element_id: 'p', value: 'hunter2' } })
    await desk.tryCall('find_element', { selector: `Button "${'x'.repeat(5000)}"` })
    const text = String(desk.artifacts.get(`${dir}/trace.jsonl`))
    expect(text).not.toContain('hunter2')
    const args = rowsOf(text).flatMap((row) => (row.args ? [row.args] : []))
    expect(args[1]).toEqual({ text: '<redacted>' })
    expect(args[2]).toEqual({ action: 'set_value', args: { element_id: 'p', value: '<redacted>' } })
    expect(args[3]).toMatchObject({ __truncated: true })
    expect((args[3] as { preview: string }).preview).toHaveLength(2048)
  })

  it('[OB155] contains screenshots of the first call and of every n-th call', async () => {
    const { desk, path } = await recorded(
      openDesktop({ scenario: LOGIN, config: { tracing: { screenshot_every_n_actions: 4 } } }),
    )
    const pictures = [...desk.artifacts.keys()].filter((name) => name.endsWith('.png'))
    expect(pictures.map((name) => name.replace(path.replace('trace.jsonl', 'screenshots/'), ''))).toEqual([
      'step-00001-full.png',
      'step-00004-full.png',
      'step-00004-window.png',
      'step-00008-full.png',
      'step-00008-window.png',
      'step-00012-full.png',
    ])
  })

  it('[OB156] records the elements of a window once', async () => {
    const { text } = await recorded()
    expect(rowsOf(text).flatMap(({ elements = [] }) => elements)).toEqual([
      {
        number: 1,
        window_uid: 'mock:app',
        elements: {
          root: ['Window', 'Acme Login'],
          u: ['Edit', 'Username'],
          p: ['Edit', 'Password'],
          btn: ['Button', 'Login'],
        },
      },
      {
        number: 2,
        window_uid: 'mock:app',
        base: 1,
        elements: { root: ['Window', 'Acme — Welcome'], 'root.0': ['Text', 'Hello, alice'] },
        gone: ['u', 'p', 'btn'],
      },
    ])
  })

  it('[OB156] replays traces of older versions, whose inventories are separate lines', async () => {
    const { text } = await recorded()
    const older = rowsOf(text).flatMap(({ elements = [], ...row }) => [
      ...(elements as object[]).map((each) => ({ type: 'elements', ...each })),
      row,
    ])
    const { status } = await replayed(RENAMED, older.map((row) => JSON.stringify(row)).join('\n'))
    expect(status.divergences).toMatchObject([{ differences: [{ path: 'elements.btn.name' }] }])
  })

  it('[OB138] is identical in every run, except for wall-clock time', async () => {
    const desktopOnly = (text: string) =>
      rowsOf(text).map(({ trace_id, ts, started_at, stopped_at, duration_ms, ...row }) => row)
    const slow = openDesktop({ scenario: LOGIN })
    slow.operatorClock.now = () => Date.now() + slow.session.steps * 1000
    const [one, other] = [await recorded(), await recorded(slow, slow.operatorClock.now())]
    expect(desktopOnly(other.text)).toEqual(desktopOnly(one.text))
    expect(other.text).not.toBe(one.text)
  })

  it('[OB150] does not record arguments that the tool ignores, at any depth', async () => {
    const desk = openDesktop({ scenario: LOGIN })
    const { dir } = await desk.call('trace_start')
    await desk.call('list_windows' as string, { junk: 'x'.repeat(5000) })
    const condition = { type: 'text_visible', regex: 'Username', junk: 'x' }
    await desk.call('wait_for' as string, { any_of: [condition], window_uid: null })
    await desk.tryCall('find_element' as string, { selector: 5, junk: 'x' })
    const rows = rowsOf(String(desk.artifacts.get(`${dir}/trace.jsonl`)))
    expect(rows.slice(1).map(({ args }) => args)).toEqual([
      {},
      { any_of: [{ type: 'text_visible', regex: 'Username' }] },
      { selector: 5 },
    ])
  })

  it.each([0, 1, 63])('[OB152] cuts arguments at %d bytes', async (max_args_bytes) => {
    const desk = openDesktop({ scenario: LOGIN, config: { tracing: { max_args_bytes } } })
    const selector = `Edit[name="${'x'.repeat(99)}"]`
    const { path, text } = await traced(desk, async () => {
      await desk.call('click_element', { element_id: 'u' })
      await desk.tryCall('find_element', { selector })
    })
    const preview = JSON.stringify({ selector }).slice(0, Math.floor(max_args_bytes / 2))
    expect(rowsOf(text)[2]!.args).toEqual({ __truncated: true, preview })
    expect(await desk.call('replay_start', { path })).toMatchObject({ total: 2 })
  })

  it('[OB153] keeps the newest hidden values within its limits', async () => {
    const withheld = new WithheldValues(10_000)
    const desk = openDesktop({ scenario: LOGIN })
    const directory = memoryOutput('traces', desk.artifacts as Map<string, string>)
    const { settings, secretIds: ids } = desk.session.context
    const { lostWrites } = desk.session
    const tracing = new Tracer({
      settings: settings.tracing,
      directory,
      ids,
      version: '0',
      withheld,
      lostWrites,
      owner: 'memory',
    })
    Object.assign(desk.session.context, { tracing })
    const { path } = await traced(desk, async () => {
      for (let at = 0; at < 100; at++) await desk.tryCall('type_text', { text: `${at}`.repeat(100) })
    })
    const { error } = await desk.tryCall('replay_start', { path })
    expect(error).toMatchObject({ context: { missing: expect.arrayContaining(['1.text']) } })
    const kept = [...withheld.from('memory', (file) => file === path).keys()]
    expect(kept.at(-1)).toBe('100.text')
    expect(kept.length).toBeGreaterThan(5)
    expect(kept.length).toBeLessThan(30)
    expect(withheld.from('other', () => true).size).toBe(0)
    await desk.session.close()
    expect(withheld.from('memory', () => true).size).toBe(0)
  })

  it('[OB157] does not fail the call when it cannot be written', async () => {
    const desk = openDesktop({ scenario: LOGIN })
    const reported: unknown[] = []
    const { session } = desk
    Object.assign(session.context, { report: (bug: unknown) => reported.push(bug) })
    await desk.call('trace_start')
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
    desk.artifacts.get = () => {
      throw full
    }
    expect((await desk.tryCall('list_windows')).ok).toBe(true)
    expect(reported).toEqual([full])
    expect((await desk.tryCall('trace_stop')).error?.code).toBe('StorageFailed')
    expect(await desk.call('trace_status')).toMatchObject({ active_trace_id: null })
  })
})

it('[OB161] a call that still runs is not missing, and a stopped trace gets no row behind its footer', async () => {
  const desk = openDesktop({ scenario: LOGIN })
  const { computer } = desk.session
  await desk.call('trace_start')
  const { windows } = computer
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  let reach = () => {}
  const reached = new Promise<void>((resolve) => (reach = resolve))
  let count = 0
  // Before the call, the call, after the call: the last takes its time.
  Object.assign(computer, {
    windows: async () => {
      if (++count === 3) {
        reach()
        await opened
      }
      return windows.call(computer)
    },
  })
  const running = desk.call('list_windows')
  await reached
  Object.assign(computer, { windows })
  expect(await desk.call('trace_status')).toMatchObject({ step_count: 0 })
  const { path } = await desk.call('trace_stop')
  open()
  await running
  const rows = String(desk.artifacts.get(path))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(rows.map(({ type }) => type)).toEqual(['header', 'footer'])
  expect(rows[1]).toMatchObject({ step_count: 0, lost_rows: 1 })
})

describe('a disk that is full for a while', () => {
  /** A desktop whose trace loses two of four calls, the first of them by an agent. */
  async function interrupted() {
    const desk = openDesktop({ scenario: LOGIN })
    const { session } = desk
    Object.assign(session.context, { report: () => {} })
    await desk.call('trace_start')
    await desk.call('list_windows')
    const { get } = desk.artifacts
    desk.artifacts.get = () => {
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    }
    const byAgent = await call(session, 'list_windows', {}, { audience: 'agent' })
    const byHarness = await desk.tryCall('list_windows')
    const status = await desk.tryCall('trace_status')
    desk.artifacts.get = get
    await desk.call('list_windows')
    return { desk, byAgent: byAgent.body, byHarness, status }
  }

  it('[OB158] is reported by the next answer to the harness, once', async () => {
    const { desk, byAgent, byHarness } = await interrupted()
    expect(byAgent).not.toHaveProperty('warnings')
    expect(byHarness.warnings).toEqual(["2 entries of the trace could not be written: the server's disk is full"])
    expect(await desk.call('list_windows')).not.toHaveProperty('warnings')
  })

  it('[OB159] makes the tools of the trace fail, and the footer counts only rows that are there', async () => {
    const { desk, status } = await interrupted()
    const message =
      "2 of 3 calls are missing in the trace, because they could not be written: the server's disk is full"
    expect(status.error).toMatchObject({ code: 'StorageFailed', message })
    const stopped = await desk.tryCall('trace_stop')
    expect(stopped.error).toMatchObject({
      code: 'StorageFailed',
      message: message.replace('of 3', 'of 4'),
      context: { step_count: 2 },
    })
    const { path } = (stopped.error as unknown as { context: { path: string } }).context
    const text = String(desk.artifacts.get(path))
    expect(JSON.parse(text.trim().split('\n').at(-1)!)).toMatchObject({ type: 'footer', step_count: 2, lost_rows: 2 })
    expect(await desk.call('replay_start', { path })).toMatchObject({
      total: 2,
      warning: expect.stringContaining('2 of 4 recorded calls are missing'),
    })
  })
})

describe('records that cannot be written', () => {
  const full = () => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
  }

  it('[OB158] of the audit log are a warning in the next answer to the harness', async () => {
    const desk = openDesktop({ scenario: LOGIN, config: { logging: { audit: true } } })
    Object.assign(desk.session.context, { report: () => {} })
    const { get } = desk.artifacts
    desk.artifacts.get = full
    const answer = await desk.call('list_windows')
    desk.artifacts.get = get
    expect(answer.warnings).toEqual(["1 entry of the audit log could not be written: the server's disk is full"])
    expect(await desk.call('list_windows')).not.toHaveProperty('warnings')
  })

  it('[OB158] [OB159] of the files beside a trace are a warning, and the footer counts them apart', async () => {
    const desk = openDesktop({ scenario: LOGIN })
    const { tracing } = desk.session.context
    await desk.call('trace_start')
    tracing.note('wire', { url: '/a' })
    const { get } = desk.artifacts
    desk.artifacts.get = full
    tracing.note('wire', { url: '/b' })
    desk.artifacts.get = get
    tracing.note('wire', { url: '/c' })
    tracing.note('model', { step: 1 })
    expect((await desk.call('list_windows')).warnings).toEqual([
      "1 entry of the wire log could not be written: the server's disk is full",
    ])
    const { path } = await desk.call('trace_stop')
    const rows = rowsOf(String(desk.artifacts.get(String(path))))
    expect(rows.at(-1)).toMatchObject({ step_count: 1, notes: { wire: 2, model: 1 }, lost_notes: { wire: 1 } })
  })
})
it('[OB163] names the traces of two processes with one seed differently', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'backlot-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const named = async () => {
    const testbed = await createTestbed({ config: Config.parse({ tracing: { dir } }) })
    onTestFinished(() => testbed.close())
    return (await call(testbed.session, 'trace_start', {})).body.trace_id
  }
  expect(await named()).not.toBe(await named())
})
