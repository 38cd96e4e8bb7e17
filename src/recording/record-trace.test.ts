import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { describe, expect, it, onTestFinished } from 'vitest'
import { playSolution } from '../compose/play-solution.ts'
import { fromPng, type Picture } from '../paint/picture.ts'
import { openDesktop, type TestDesktop } from '../testing.ts'
import { readRecording } from '../viewer/model/read-recording.ts'
import type { Recording, StoredElement } from '../viewer/model/recording.ts'
import { readTraceFiles } from './read-trace.ts'
import { type BuiltRecording, type RecordTraceOptions, recordTrace } from './record-trace.ts'

// Rules such as [RC1] are stated in README.md beside this file.

const OPEN_TEXTS = { redact_keys: ['password'], screenshot_every_n_actions: 0 }

/** A trace of what `act` does on a desktop. */
async function traced(desktop: TestDesktop, act: () => Promise<unknown>): Promise<string> {
  await desktop.call('trace_start', { label: 'test' })
  await act()
  const { path } = await desktop.call('trace_stop')
  return String(desktop.artifacts.get(path))
}

async function solved(scenario: string): Promise<string> {
  const desktop = openDesktop({ scenario, config: { tracing: OPEN_TEXTS } })
  return traced(desktop, async () => {
    for await (const { failure } of playSolution(desktop, desktop.computer.loadedScenario.solutions[0]))
      expect(failure).toBeUndefined()
  })
}

/** A recording, which the page accepts. */
async function built(text: string, options: RecordTraceOptions = {}): Promise<BuiltRecording> {
  const made = await recordTrace({ path: 'trace', text, read: () => undefined }, options)
  expect(readRecording(JSON.parse(JSON.stringify(made.recording)))).toEqual(made.recording)
  return made
}

/** The pixels of a moment, put together from its tiles. */
function pixelsOf({ recording, tiles }: BuiltRecording, moment: number): { width: number; pixels: Buffer } {
  const { frames, tiles: names, tileSize } = recording.tables
  const { width, height, tiles: indexes } = frames[recording.moments[moment]!.frame!]!
  const pixels = Buffer.alloc(width * height * 4)
  const columns = Math.ceil(width / tileSize)
  for (const [at, index] of indexes.entries()) {
    const tile = fromPng(tiles.get(names[index]!)!)
    const [left, top] = [(at % columns) * tileSize, Math.floor(at / columns) * tileSize]
    const bytes = Buffer.from(tile.pixels())
    for (let row = 0; row < tile.height; row++)
      bytes.copy(pixels, ((top + row) * width + left) * 4, row * tile.width * 4, (row + 1) * tile.width * 4)
  }
  return { width, pixels }
}

const screenOf = async (desktop: TestDesktop): Promise<Picture> => desktop.session.computer.screenshot({ screen: true })

/** The elements of a moment by id. */
function elementsOf({ tables, moments }: Recording, moment: number): ReadonlyMap<string, StoredElement> {
  const found = new Map<string, StoredElement>()
  const add = (index: number) => {
    const element = tables.elements[index]!
    found.set(element.id, element)
    element.children?.forEach(add)
  }
  for (const { root } of tables.desks[moments[moment]!.desk!]!) if (root !== undefined) add(root)
  return found
}

describe('the recording of a trace', () => {
  it('[RC2] [RC3] has the desktop at the start and after each step', async () => {
    const { recording } = await built(await solved('login'))
    const { steps, moments, scenario, verdict, warnings } = recording
    expect(warnings).toEqual([])
    expect(scenario).toMatchObject({ name: 'login', seed: 1, variant: {}, faults: [] })
    expect(steps.map(({ number, tool, ok }) => [number, tool, ok])).toEqual([
      [1, 'click_element', true],
      [2, 'type_text', true],
      [3, 'click_element', true],
      [4, 'type_text', true],
      [5, 'click_element', true],
    ])
    expect(moments.map(({ atMs, state }) => [atMs, state])).toEqual([
      [0, 'start'],
      [50, 'start'],
      [100, 'start'],
      [150, 'start'],
      [200, 'start'],
      [250, 'welcome'],
    ])
    expect(moments.map(({ oracles }) => oracles)).toEqual([
      ...Array(5).fill([false, false, false]),
      [true, true, false],
    ])
    expect([1, 2].map((at) => elementsOf(recording, at).get('u')?.value)).toEqual(['', 'alice'])
    expect(verdict).toMatchObject({ success: true, score: 1 })
  })

  it('[RC4] stores equal elements, windows and tiles once', async () => {
    const { recording, tiles } = await built(await solved('notepad'))
    const { elements, desks, frames, tiles: names, values } = recording.tables
    for (const list of [elements, desks, frames, names, values])
      expect(new Set(list.map((each) => JSON.stringify(each))).size).toBe(list.length)
    expect([...tiles.keys()].sort()).toEqual([...names].sort())
    const perFrame = frames[0]!.tiles.length
    expect(names.length).toBeLessThan(3 * perFrame)
    expect(frames.length).toBeGreaterThan(5)
  })

  it('[RC5] has the pixels of the screen', async () => {
    const desktop = openDesktop({ scenario: 'notepad', config: { tracing: OPEN_TEXTS } })
    const shots = [await screenOf(desktop)]
    const text = await traced(desktop, async () => {
      await desktop.call('type_text', { text: 'eggs' })
      shots.push(await screenOf(desktop))
    })
    const recorded = await built(text)
    for (const [moment, shot] of shots.entries()) {
      const { width, pixels } = pixelsOf(recorded, moment)
      expect(width).toBe(shot.width)
      expect(pixels.equals(Buffer.from(shot.pixels()))).toBe(true)
    }
    expect(Buffer.compare(shots[0]!.pixels(), shots[1]!.pixels())).not.toBe(0)
  })

  it('[RC6] has the point, the way, the element and what is held', async () => {
    const desktop = openDesktop({ scenario: 'login', config: { tracing: OPEN_TEXTS } })
    const text = await traced(desktop, async () => {
      await desktop.call('click_element', { element_id: 'u' })
      await desktop.call('key_down', { key: 'shift' })
      await desktop.call('drag', { from: { x: 300, y: 212 }, to: { x: 340, y: 212 } })
    })
    const [click, down, drag] = (await built(text)).recording.steps
    expect(click).toMatchObject({ point: { x: 320, y: 212 }, hit: { window: 'mock:app', element: 'u' } })
    expect(down).not.toHaveProperty('held')
    expect(drag).toMatchObject({
      path: [
        { x: 300, y: 212 },
        { x: 340, y: 212 },
      ],
      held: ['shift'],
    })
  })

  it('[RC7] lists reactions, behaviour, events, timers, faults and transitions', async () => {
    const scenario = `
name: causes
initial_state: a
vars: {sent: 0}
events: {sent: {}}
states:
  a: {windows: [{uid: w, title: W, tree: {role: Window, children: [{id: go, role: Button, name: Go}, {id: note, role: Edit}]}}]}
  b: {windows: [{uid: w, title: W, tree: {role: Window, children: [{id: done, role: Text, name: Done}]}}]}
reactions:
  - {id: send, on: {tool: click_element, target_id: go}, set: [{emit: sent}]}
timers:
  - {id: end, after_ms: 1000, transition_to: b}
  - {in: b, after_ms: 300, set: [{emit: sent}]}
faults:
  - {on: {tool: get_screenshot}, code: Timeout}
`
    const desktop = openDesktop({ scenario })
    const text = await traced(desktop, async () => {
      await desktop.call('click_element', { element_id: 'note' })
      await desktop.call('click_element', { element_id: 'go' })
      await desktop.tryCall('get_screenshot', {})
      await desktop.call('wait', { duration_ms: 2000 })
    })
    const directory = mkdtempSync(join(tmpdir(), 'backlot-recording-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    writeFileSync(join(directory, 'causes.yaml'), scenario)
    const { recording } = await built(text, { scenario: join(directory, 'causes.yaml') })
    expect(recording.warnings).toEqual([])
    expect(recording.steps.map(({ fired }) => fired.map(({ kind, text: words }) => `${kind} ${words}`))).toEqual([
      ['behaviour click note'],
      ['reaction reactions[0]: click_element go (send)', 'log event sent'],
      ['fault faults[0]: Timeout of get_screenshot'],
      // The second timer starts and fires within the step.
      [
        'timer timers[0]: after 1000 ms (end)',
        'transition a → b',
        'timer timers[1]: after 300 ms in b',
        'log event sent',
      ],
    ])
  })

  it('[RC8] shows recorded screenshots from the first difference on', async () => {
    const text = (await solved('login')).replaceAll(/("trace_seq":3,.*?"tree_hash_after":")[^"]*/g, '$1sha1:other')
    const desktop = openDesktop({ scenario: 'login' })
    const shot = await (await screenOf(desktop)).png()
    const withShot = text.replace('"trace_seq":4,', '"trace_seq":4,"screenshot_full_ref":"screenshots/4.png",')
    const read = (name: string) => (name === 'screenshots/4.png' ? shot : undefined)
    const { recording } = await recordTrace({ path: 'trace', text: withShot, read })
    expect(recording.warnings).toEqual([
      expect.stringMatching(
        /^the replay differs from the trace at step 3, click_element: the focused window after .*sha1:other/,
      ),
    ])
    expect(recording.moments.map(({ frame, desk }) => [frame !== undefined, desk !== undefined])).toEqual([
      [true, true],
      [true, true],
      [true, true],
      [false, false],
      [true, false],
      [false, false],
    ])
    expect(recording.steps).toHaveLength(5)
    expect(recording).not.toHaveProperty('verdict')
  })

  it('[RC27] does not last the years between two scenarios', async () => {
    const at = (time: string) => `name: a\nstart_time: ${time}\nstates: {a: {windows: [{uid: w, title: a}]}}`
    const desktop = openDesktop({ scenario: at('2026-03-02T09:00:00Z') })
    const text = await traced(desktop, async () => {
      await desktop.call('wait', { duration_ms: 1000 })
      await desktop.call('load_scenario', { yaml: at('2031-01-01T00:00:00Z') })
      await desktop.call('wait', { duration_ms: 500 })
      await desktop.call('session_reset', { yaml: at('2020-01-01T00:00:00Z') })
      await desktop.call('wait', { duration_ms: 20 })
    })
    const { recording } = await built(text)
    expect(recording.steps.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [0, 1000],
      [1000, 1000],
      [1000, 1500],
      [1500, 1500],
      [1500, 1520],
    ])
  })

  it('[RC26] shows rows that another program wrote, and pictures that cannot be read', async () => {
    const lines = [
      { type: 'header', label: 7, scenario: 3, seed: 'x', desktop_started_at: 5 },
      { tool: 'click_at', args: { x: 1, y: 2 } },
      {
        tool: 'mine',
        args: {},
        desktop_ts: 4,
        desktop_duration_ms: 'long',
        caller: {},
        door_call: {},
        result_summary: 5,
      },
      { tool: 'wait', args: {}, screenshot_full_ref: 'a.png' },
      { tool: 'wait', args: {}, screenshot_full_ref: 9 },
    ]
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    const read = (name: string) => (name === 'a.png' ? Buffer.from('no picture') : undefined)
    const { recording } = await recordTrace({ path: 'trace', text, read })
    expect(readRecording(JSON.parse(JSON.stringify(recording)))).toEqual(recording)
    expect(recording.steps.map(({ tool, caller, endMs }) => [tool, caller, endMs])).toEqual([
      ['click_at', 'unknown', 0],
      ['mine', 'unknown', 0],
      ['wait', 'unknown', 0],
      ['wait', 'unknown', 0],
    ])
    expect(recording.warnings).toEqual([
      expect.stringMatching(/^the trace has no footer/),
      expect.stringMatching(/^the trace names no scenario/),
      expect.stringMatching(/^a\.png: the picture cannot be read as a PNG file/),
    ])
  })

  it('[RC8] needs no scenario for its rows', async () => {
    const text = (await solved('login')).replace('"scenario":"login"', '"scenario":"gone"')
    const { recording } = await built(text)
    expect(recording.warnings).toEqual(['the scenario gone cannot be opened; name its file with --scenario'])
    expect(recording.steps.map(({ tool }) => tool)).toHaveLength(5)
    expect(recording.moments).toHaveLength(6)
  })

  it('[RC9] hides what the trace hides', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    const text = await traced(desktop, async () => {
      await desktop.call('click_element', { element_id: 'u' })
      await desktop.call('type_text', { text: 'alice' })
      await desktop.call('click_element', { element_id: 'p' })
    })
    const unbound = await built(text)
    expect(unbound.recording.warnings[0]).toMatch(
      /The trace hides 1 values, such as 2\.text; give them with --bindings$/,
    )
    const bound = await built(text, { bindings: { '2.text': 'alice' } })
    expect(bound.recording.warnings).toEqual([])
    expect(JSON.stringify(bound.recording.tables)).not.toContain('alice')
    expect(elementsOf(bound.recording, 2).get('u')?.value).toBe('<redacted>')
    const { width, pixels } = pixelsOf(bound, 3)
    // The middle of the field with the hidden text is covered.
    expect([...pixels.subarray((212 * width + 320) * 4).subarray(0, 3)]).toEqual([0, 0, 0])
  })

  it('[RC11] leaves out calls that a budget refused', async () => {
    const desktop = openDesktop({ scenario: 'login', config: { tracing: OPEN_TEXTS, budget: { max_actions: 1 } } })
    const text = await traced(desktop, async () => {
      await desktop.call('click_element', { element_id: 'u' })
      await desktop.tryCall('click_element', { element_id: 'p' })
    })
    const { recording } = await built(text)
    expect(recording.warnings).toEqual([])
    expect(recording.steps[1]).toMatchObject({ ok: false, error: { code: 'BudgetExceeded' }, fired: [] })
    expect(recording.moments).toHaveLength(3)
    expect(recording.moments[2]!.desk).toBe(recording.moments[1]!.desk)
  })

  it('[RC2] [RC10] is the same every time, in a variant and with faults', async () => {
    const desktop = openDesktop({
      scenario: 'login',
      seed: 11,
      variant: { theme: 'dark', scale: 1.5 },
      faults: ['latency'],
      config: { tracing: OPEN_TEXTS },
    })
    const text = await traced(desktop, async () => {
      await desktop.call('click_element', { element_id: 'u' })
      await desktop.call('type_text', { text: 'alice' })
    })
    const [one, other] = [await built(text), await built(text)]
    expect(one.recording.warnings).toEqual([])
    expect(one.recording.scenario).toMatchObject({
      seed: 11,
      variant: { theme: 'dark', scale: '1.5' },
      faults: ['latency'],
    })
    expect(other.recording).toEqual(one.recording)
    expect(pixelsOf(one, 2).pixels.equals(Buffer.from((await screenOf(desktop)).pixels()))).toBe(true)
  })
})

describe('a run beside the solution', () => {
  const PAIR = `
name: pair
initial_state: ask
states:
  ask: {windows: [{uid: w, title: W, tree: {role: Window, children: [{id: name, role: Edit, name: Name}, {id: ok, role: Button, name: OK}, {id: no, role: Button, name: Drop}]}}]}
  done: {windows: [{uid: w, title: W, tree: {role: Window, children: [{id: t, role: Text, name: Saved}]}}]}
  gone: {windows: [{uid: w, title: W, tree: {role: Window, children: [{id: t, role: Text, name: Dropped}, {id: b, role: Button, name: Close}]}}]}
reactions:
  - {on: {tool: click_element, target_id: ok}, when: [{id: name, value_not_empty: true}], transition_to: done}
  - {on: {tool: click_element, target_id: no}, transition_to: gone}
solution:
  - {call: set_value, with: {element_id: name, value: Ann}}
  - {call: click_element, with: {element_id: ok}}
oracles: {success: [{kind: text_visible, regex: Saved}]}
`
  const recordedPair = async (clicks: readonly string[], lostWithin = { maxScreens: 100 }) => {
    const directory = mkdtempSync(join(tmpdir(), 'backlot-recording-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const scenario = join(directory, 'pair.yaml')
    writeFileSync(scenario, PAIR)
    const desktop = openDesktop({ scenario, config: { tracing: { ...OPEN_TEXTS } } })
    const text = await traced(desktop, async () => {
      for (const element_id of clicks)
        if (element_id === 'name') await desktop.call('set_value', { element_id, value: 'Ann' })
        else await desktop.call('click_element', { element_id })
    })
    return (await built(text, { scenario, lostWithin })).recording
  }

  it('[RC18] has what the solution does next', async () => {
    const { steps } = await recordedPair(['ok', 'name', 'no', 'b'])
    expect(steps.map(({ meant }) => meant?.element)).toEqual(['name', 'name', 'ok', undefined])
  })

  it('[RC19] was lost at the step that no way leads back from', async () => {
    expect((await recordedPair(['ok', 'name', 'no', 'b'])).lostAt).toBe(3)
  })

  it('[RC19] is not lost without a proof, while there is a way, and after success', async () => {
    expect(await recordedPair(['ok', 'name', 'no'], { maxScreens: 1 })).not.toHaveProperty('lostAt')
    expect(await recordedPair(['ok', 'name'])).not.toHaveProperty('lostAt')
    expect(await recordedPair(['name', 'ok'])).not.toHaveProperty('lostAt')
  })
})

describe('the files of a trace', () => {
  const folder = () => {
    const path = mkdtempSync(join(tmpdir(), 'backlot-recording-'))
    onTestFinished(() => rmSync(path, { recursive: true }))
    return path
  }

  it('[RC1] are in a folder, named by its trace, or in a zip archive', () => {
    const path = folder()
    mkdirSync(join(path, 'screenshots'))
    writeFileSync(join(path, 'trace.jsonl'), '{"type":"header"}')
    writeFileSync(join(path, 'screenshots/a.png'), 'picture')
    const zip = { 'run/trace.jsonl': Buffer.from('{"type":"header"}'), 'run/screenshots/a.png': Buffer.from('picture') }
    writeFileSync(join(path, 'run.zip'), zipSync(zip))
    for (const each of [path, join(path, 'trace.jsonl'), join(path, 'run.zip')]) {
      const files = readTraceFiles(each)
      expect(files.text).toBe('{"type":"header"}')
      expect(files.read('screenshots/a.png')?.toString()).toBe('picture')
      expect(files.read('../secret')).toBeUndefined()
      expect(files.read('gone.png')).toBeUndefined()
    }
  })

  it('[RC1] are named in errors', async () => {
    const path = folder()
    expect(() => readTraceFiles(join(path, 'gone'))).toThrow(/gone does not exist; give a folder/)
    expect(() => readTraceFiles(path)).toThrow(/has no trace\.jsonl$/)
    writeFileSync(join(path, 'bad.zip'), 'PK nothing')
    expect(() => readTraceFiles(join(path, 'bad.zip'))).toThrow(/cannot be read as a zip archive/)
    await expect(built('no trace')).rejects.toThrow(/is not a trace: it has no header line/)
  })
})
