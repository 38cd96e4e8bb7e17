import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { assertAgree } from '../../compare/differences.ts'
import { fail, notOffered, parseAs, parseJson } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import type { AnyJson } from '../../suite/behaviors.ts'
import { AUXILIARY_CHECK, defineRules } from '../../suite/rules.ts'
import { forEachWithKey, type SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { openPreparedServer } from '../auxiliary.ts'
import { sources } from '../document.ts'
import {
  actOnElement,
  assertRefusal,
  fillNameField,
  findElement,
  getElementByName,
  getTree,
  getValue,
  ifOffered,
  observe,
  observeFull,
  parseSuccess,
  requireCapability,
  showScenario,
} from '../driver.ts'
import { acceptRefused, isOnPath, onSuccessOf, swapCode } from '../sabotage.ts'
import {
  ReplayStarted,
  ReplayStatus,
  ReplayStepped,
  success,
  TraceStarted,
  TraceStatus,
  TraceStopped,
} from '../shapes.ts'

type Step = z.infer<typeof ReplayStepped>

const startReplay = async (http: HttpProbe, path: string, more: object = {}) =>
  parseSuccess(await http.post('/api/replay/start', { path, ...more }), ReplayStarted)

/** Steps a replay to its end; the steps it took. */
async function playOut(http: HttpProbe, replay_id: string, total: number): Promise<readonly Step[]> {
  const steps: Step[] = []
  while (steps.length <= total) {
    const step = parseSuccess(await http.post('/api/replay/step', { replay_id }), ReplayStepped)
    steps.push(step)
    if (step.finished) return steps
  }
  fail(`the replay of ${total} steps is not finished after ${steps.length}`)
}

const outcomeOf = async (http: HttpProbe, replay_id: string) =>
  parseSuccess(await http.post('/api/replay/status', { replay_id }), ReplayStatus)

const statusOf = async (http: HttpProbe) => parseSuccess(await http.get('/api/trace/status'), TraceStatus)

const startTrace = async (http: HttpProbe, label: string) =>
  parseSuccess(await http.post('/api/trace/start', { label }), TraceStarted)

const stopTrace = async (http: HttpProbe) => parseSuccess(await http.post('/api/trace/stop', {}), TraceStopped)

/** Stops a trace that another check may have left running. */
async function assertNoTrace(http: HttpProbe): Promise<void> {
  if ((await statusOf(http)).active_trace_id !== null) await stopTrace(http)
}

/** A trace of a small piece of work on the suite's screen, from the scenario's beginning. */
async function record(context: TestContext): Promise<{ readonly path: string; readonly steps: number }> {
  const { http } = context
  await assertNoTrace(http)
  await showScenario(context)
  await startTrace(http, 'a piece of work')
  await getTree(http)
  await findElement(http, 'Edit[name="Name"]')
  await actOnElement(http, 'click', { selector: 'Edit[name="Name"]' })
  await http.post('/api/action', { action: 'type', value: 'Ada' })
  await actOnElement(http, 'click', { selector: 'Button[name="Save"]' })
  await getElementByName(http, 'All changes saved')
  const { path, step_count } = await stopTrace(http)
  return { path, steps: step_count }
}

/** The lines of a trace, where the server writes to a disk that the suite can read. */
function linesOf(path: string): readonly Loose[] {
  if (!existsSync(path)) notOffered('the traces lie on a disk that the suite cannot read')
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines
    .filter((line) => line !== '')
    .map((line) => parseAs(Loose, parseJson(line, 'a line of the trace'), 'a line'))
}

const Loose = z.looseObject({ tool: z.string().optional() })
type Loose = z.infer<typeof Loose>

/** A trace of typing on the server that withholds typed text. */
async function typedText(
  context: TestContext,
): Promise<{ readonly http: HttpProbe; readonly path: string; readonly text: string }> {
  const http = await openPreparedServer(context, 'brief')
  const text = context.random.word(16)
  await assertNoTrace(http)
  await startTrace(http, 'typing')
  await fillNameField(http, text)
  const { path } = await stopTrace(http)
  await showScenario({ ...context, http })
  return { http, path, text }
}

/** Does to the file of a trace, as soon as it is complete. */
const inTrace = (change: (path: string) => void) =>
  onSuccessOf('POST /api/trace/stop', (json) => {
    if (existsSync(json.path)) change(json.path)
  })

/** Changes each record of a trace; those that become undefined are left out. */
const inRecords = (change: (record: AnyJson) => AnyJson | undefined) =>
  inTrace((file) => {
    const lines = readFileSync(file, 'utf8').split('\n')
    const kept = lines.filter((line) => line !== '').flatMap((line) => change(JSON.parse(line)) ?? [])
    writeFileSync(file, kept.map((one) => `${JSON.stringify(one)}\n`).join(''))
  })

/** Traces. */
export const traceRules = defineRules('trace', ['trace:stop'], {
  status: {
    level: 'MUST',
    text: 'The status of a trace counts the steps as they happen.',
    source: sources.traces,
    basis: { states: 'The status has active_trace_id, step_count and dir.' },
    covers: ['O-E31', 'O-E33'],
    tier: 'full',
    check: ifOffered('tracing', async (context) => {
      await showScenario(context)
      const { http } = context
      await assertNoTrace(http)
      const { trace_id } = await startTrace(http, context.random.word())
      const first = await statusOf(http)
      assertAgree({ 'the status': first.active_trace_id, 'the start': trace_id }, 'the trace')
      await findElement(http, 'Button[name="Save"]')
      await actOnElement(http, 'focus', { selector: 'Edit[name="Note"]' })
      const second = await statusOf(http)
      assert.equal(second.step_count, first.step_count + 2, 'step_count after two calls')
      await stopTrace(http)
    }),
    sabotage: {
      'counts trace steps wrongly': {
        alsoBreaks: ['trace:stop'],
        ...onSuccessOf('GET /api/trace/status', (json) => {
          json.step_count = 0
        }),
      },
    },
  },

  stop: {
    level: 'MUST',
    text: 'A stopped trace reports its id, its path and its number of steps; then no trace is active.',
    source: sources.traces,
    basis: { states: 'Stopping answers with trace_id, path, step_count and duration_ms.' },
    covers: ['O-E32', 'O-E33'],
    tier: 'full',
    check: ifOffered('tracing', async (context) => {
      await showScenario(context)
      const { http } = context
      await assertNoTrace(http)
      const { trace_id } = await startTrace(http, '')
      await findElement(http, 'Button[name="Save"]')
      const { step_count } = await statusOf(http)
      const stopped = await stopTrace(http)
      assertAgree({ 'the end': stopped.trace_id, 'the start': trace_id }, 'the trace')
      assertAgree({ 'the end': stopped.step_count, 'the status': step_count }, 'step_count')
      assert.match(stopped.path, /trace\.jsonl$/)
      assert.equal((await statusOf(http)).active_trace_id, null, 'active_trace_id')
    }),
    sabotage: {
      'stops another trace': onSuccessOf('POST /api/trace/stop', (json) => {
        json.trace_id = 'trace-0'
      }),
      'never stops tracing': onSuccessOf('GET /api/trace/status', (json) => {
        json.active_trace_id ??= 'trace-0'
      }),
    },
  },

  twice: {
    level: 'SHOULD',
    text: 'A second start, and a stop without a trace, are BadRequest.',
    source: sources.traces,
    basis: {
      because:
        'The document does not specify the effect of a second start or stop; the reference server answers BadRequest.',
    },
    covers: ['O-E31', 'O-E32', 'O-X17'],
    tier: 'full',
    check: ifOffered('tracing', async ({ http }) => {
      await assertNoTrace(http)
      assertRefusal(await http.post('/api/trace/stop', {}), 'BadRequest')
      await startTrace(http, 'first')
      assertRefusal(await http.post('/api/trace/start', { label: 'second' }), 'BadRequest')
      await stopTrace(http)
    }),
    sabotage: {
      'takes the blame for a second trace': swapCode('BadRequest', 'Internal', '/api/trace'),
    },
  },

  file: {
    level: 'MUST',
    text: 'A trace is a trace.jsonl with one record per call of a tool.',
    source: sources.traces,
    basis: { states: 'A trace is a folder with trace.jsonl, one record per tool call.' },
    covers: ['O-R10'],
    tier: 'full',
    check: ifOffered('tracing', async (context) => {
      const { path, steps } = await record(context)
      const tools = linesOf(path).flatMap(({ tool }) => tool ?? [])
      assertAgree(
        { 'the trace': tools.length, step_count: steps },
        `the number of steps; the trace has records of ${tools.join(', ')}`,
      )
      for (const tool of ['find_element', 'click_element', 'type_text'])
        assert.ok(tools.includes(tool), `no record is that of ${tool}`)
    }),
    sabotage: {
      'records a call too few': inRecords((one) => (one.tool === 'click_element' ? undefined : one)),
    },
  },

  idle: {
    level: 'SHOULD',
    text: 'Without a trace the status has no steps and no folder.',
    source: sources.traces,
    basis: { because: 'The document names the fields, and does not specify their values without a trace.' },
    covers: ['O-E33'],
    tier: 'full',
    check: ifOffered('tracing', async ({ http }) => {
      await assertNoTrace(http)
      const { step_count, dir } = await statusOf(http)
      assert.deepEqual({ step_count, dir }, { step_count: 0, dir: null })
    }),
    sabotage: {
      'counts steps without a trace': onSuccessOf('GET /api/trace/status', (json) => {
        if (json.active_trace_id === null) json.step_count = 4
      }),
    },
  },

  screenshots: {
    level: 'SHOULD',
    text: 'The screenshots of a trace are step-NNNNN-full.png in its folder screenshots.',
    source: sources.traces,
    basis: { states: 'A trace has screenshots/step-NNNNN-full.png, at its cadence.' },
    covers: ['O-R10'],
    tier: 'full',
    check: ifOffered('tracing', async (context) => {
      const { path } = await record(context)
      linesOf(path)
      const folder = join(dirname(path), 'screenshots')
      assert.ok(existsSync(folder), 'the trace has no folder screenshots')
      const names = readdirSync(folder)
      assert.ok(
        names.some((name) => /^step-\d{5}-full\.png$/.test(name)),
        `no file is named step-NNNNN-full.png: ${names.join(', ')}`,
      )
    }),
    sabotage: {
      'keeps its screenshots elsewhere': inTrace((file) => {
        const folder = join(dirname(file), 'screenshots')
        if (existsSync(folder)) renameSync(folder, `${folder}-elsewhere`)
      }),
    },
  },

  secrets: {
    level: 'SHOULD',
    text: 'Typed text is not in any trace when its argument is redacted.',
    source: sources.traces,
    basis: { because: 'The document has redact_arg_keys for the log; the trace would contain the same text.' },
    covers: ['O-R10'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      await requireCapability(context.http, 'tracing')
      const { path, text } = await typedText(context)
      assert.ok(!JSON.stringify(linesOf(path)).includes(text), 'the trace has the text')
    },
    sabotage: {
      'records what is to be redacted': recordsTyped(),
    },
  },
})

/** Replays of traces. */
export const replayRules = defineRules('replay', ['trace:stop'], {
  verify: {
    level: 'MUST',
    text: 'A trace replayed in verify mode on the same scenario diverges nowhere.',
    source: sources.traces,
    basis: { states: 'mode verify compares each step with the recorded result.' },
    covers: ['O-E34', 'O-E35', 'O-E36'],
    tier: 'full',
    check: ifOffered('replay', async (context) => {
      const { http } = context
      const { path, steps } = await record(context)
      await showScenario(context)
      const { replay_id, total } = await startReplay(http, path, { mode: 'verify', on_divergence: 'warn' })
      assertAgree({ 'the replay': total, 'the trace': steps }, 'the number of steps')
      await playOut(http, replay_id, total)
      const { finished, position, divergences } = await outcomeOf(http, replay_id)
      assert.deepEqual({ finished, position, divergences }, { finished: true, position: total, divergences: [] })
      await getElementByName(http, 'All changes saved')
    }),
    sabotage: {
      'always diverges': onSuccessOf('POST /api/replay/status', (json) => {
        json.divergences = [{ tool: 'list_windows' }]
      }),
      'ends replays early': onSuccessOf('POST /api/replay/step', (json) => {
        json.finished = true
      }),
    },
  },

  diverges: {
    level: 'MUST',
    text: 'A trace replayed on another screen reports divergences, and with on_divergence stop it ends there.',
    source: sources.traces,
    basis: { states: 'The status lists divergences, and on_divergence is stop, warn or resume.' },
    covers: ['O-E36', 'O-R9'],
    tier: 'full',
    check: ifOffered('replay', async (context) => {
      const { http } = context
      const { path } = await record(context)
      for (const on_divergence of ['warn', 'resume', 'stop']) {
        await showScenario(context, 'other')
        const { replay_id, total } = await startReplay(http, path, { mode: 'verify', on_divergence })
        await playOut(http, replay_id, total)
        const { position, divergences } = await outcomeOf(http, replay_id)
        assert.ok(divergences.length > 0, `no divergence although another scenario is on the screen (${on_divergence})`)
        if (on_divergence !== 'stop') assert.equal(position, total, 'position')
        else assert.ok(position < total, 'the replay went on after a divergence')
      }
    }),
    sabotage: {
      'replays without looking': onSuccessOf('POST /api/replay/status', (json) => {
        json.divergences = []
      }),
    },
  },

  execute: {
    level: 'MUST',
    text: 'A trace replayed in execute mode repeats the recorded actions.',
    source: sources.traces,
    basis: { states: 'mode execute carries the recorded calls out.' },
    covers: ['O-E34', 'O-E35'],
    tier: 'full',
    check: ifOffered('replay', async (context) => {
      const { http } = context
      const { path } = await record(context)
      await showScenario(context)
      const { replay_id, total, mode } = await startReplay(http, path)
      assert.equal(mode, 'execute', 'mode')
      await playOut(http, replay_id, total)
      await getElementByName(http, 'All changes saved')
    }),
    sabotage: {
      'replays in another mode': onSuccessOf('POST /api/replay/start', (json) => {
        json.mode = 'verify'
      }),
    },
  },

  stop: {
    level: 'MUST',
    text: 'A replay can be stopped.',
    source: sources.traces,
    basis: { states: 'Stopping a replay answers with stopped.' },
    covers: ['O-E37', 'O-X17'],
    tier: 'full',
    check: ifOffered('replay', async (context) => {
      const { http } = context
      const { path } = await record(context)
      const { replay_id } = await startReplay(http, path)
      parseSuccess(await http.post('/api/replay/stop', { replay_id }), success({ stopped: z.literal(true) }))
    }),
    sabotage: {
      'never stops a replay': {
        changeRequest: (request) => {
          if (request.path === '/api/replay/stop') request.path = '/api/replay/status'
        },
      },
    },
  },

  ids: {
    level: 'MUST',
    text: 'Each replay has its own id, even after another one was stopped.',
    source: sources.traces,
    basis: { states: 'Starting answers with a replay_id, by which step, status and stop name it.' },
    covers: ['O-E34'],
    tier: 'full',
    check: ifOffered('replay', async (context) => {
      const { http } = context
      const { path } = await record(context)
      const [one, two] = [await startReplay(http, path), await startReplay(http, path)]
      await http.post('/api/replay/stop', { replay_id: one.replay_id })
      const three = await startReplay(http, path)
      assert.equal(new Set([one.replay_id, two.replay_id, three.replay_id]).size, 3, 'a replay id is used twice')
    }),
    sabotage: {
      'reuses replay ids': onSuccessOf('POST /api/replay/start', (json) => {
        json.replay_id = 'rep:1'
      }),
    },
  },

  arguments: {
    level: 'MUST',
    text: 'An invalid path, mode or policy is BadRequest.',
    source: sources.traces,
    basis: { states: 'path is required, and mode and on_divergence are one of the listed words.' },
    covers: ['O-E34', 'O-X17'],
    tier: 'full',
    check: ifOffered('replay', async (context) => {
      const { http } = context
      const { path } = await record(context)
      const wrong = [
        {},
        { path: `no/such/${context.random.word()}` },
        { path, mode: 'dream' },
        { path, on_divergence: 'weep' },
      ]
      for (const body of wrong) {
        const raw = JSON.stringify(body)
        const answer = await http.send({ method: 'POST', path: '/api/replay/start', raw, deliberate: true })
        assert.ok([400, 403].includes(answer.status), `${raw} answers ${answer.status}: ${answer.text.slice(0, 200)}`)
      }
    }),
    sabotage: {
      'replays in any mode': acceptRefused('BadRequest', isOnPath('/api/replay/start')),
    },
  },

  gone: {
    level: 'SHOULD',
    text: 'A stopped replay, and one that never was, are BadRequest.',
    source: sources.traces,
    basis: { because: 'The document does not specify the response to an unknown replay_id.' },
    covers: ['O-E35', 'O-E36', 'O-X17'],
    tier: 'full',
    check: ifOffered('replay', async (context) => {
      const { http } = context
      const { path } = await record(context)
      const { replay_id } = await startReplay(http, path)
      await http.post('/api/replay/stop', { replay_id })
      for (const action of ['step', 'status'])
        assertRefusal(await http.post(`/api/replay/${action}`, { replay_id }), 'BadRequest')
      assertRefusal(await http.post('/api/replay/step', { replay_id: `rep:${context.random.word()}` }), 'BadRequest')
    }),
    sabotage: {
      'knows replays that were stopped': {
        changeRequest: (request) => {
          if (request.path === '/api/replay/stop') request.path = '/api/replay/status'
        },
      },
    },
  },

  since: {
    level: 'SHOULD',
    text: 'A trace with differences since a token diverges nowhere on the same scenario.',
    source: sources.traces,
    basis: {
      because:
        'The document does not specify which results are compared; a token of the recording never equals that of the replay.',
    },
    covers: ['O-E36', 'O-R9'],
    tier: 'full',
    check: ifOffered('replay', async (context) => {
      const { http } = context
      await assertNoTrace(http)
      await showScenario(context)
      await startTrace(http, 'differences')
      const { tree_token } = await observeFull(http)
      await fillNameField(http)
      await observe(http, { since: tree_token })
      const { path } = await stopTrace(http)
      await showScenario(context)
      const { replay_id, total } = await startReplay(http, path, { mode: 'verify', on_divergence: 'warn' })
      await playOut(http, replay_id, total)
      assert.deepEqual((await outcomeOf(http, replay_id)).divergences, [], 'divergences')
    }),
    sabotage: {
      'compares tokens of other runs': onSuccessOf('POST /api/replay/status', (json) => {
        json.divergences = [{ tool: 'observe_window' }]
      }),
    },
  },

  long: {
    level: 'SHOULD',
    text: 'A long argument is replayed whole, or not at all.',
    source: sources.traces,
    basis: { because: 'The document does not cover arguments that are cut; another text would be typed.' },
    covers: ['O-E35', 'O-R10'],
    tier: 'full',
    check: ifOffered('replay', async (context) => {
      const { http } = context
      const text = context.random.word(12).repeat(1000)
      await assertNoTrace(http)
      await showScenario(context)
      await startTrace(http, 'a long text')
      // A real desktop would need a minute to type it.
      await actOnElement(http, 'set_value', { selector: 'Edit[name="Name"]', value: text })
      const { path } = await stopTrace(http)
      await showScenario(context)
      const started = await http.post('/api/replay/start', { path })
      if (started.status === 200) {
        const { replay_id, total } = parseSuccess(started, ReplayStarted)
        for (let step = 0; step < total; step++) await http.post('/api/replay/step', { replay_id })
      }
      const value = await getValue(http, 'Name')
      assert.ok(value === text || (value ?? '') === '', `the replay has typed another text: ${value?.slice(0, 100)}`)
    }),
    sabotage: {
      'replays a part of long texts': retypes((value) => (value.length > 4096 ? '__truncated' : value)),
    },
  },

  redacted: {
    level: 'SHOULD',
    text: 'An argument that a trace withholds is replayed as it was, or not at all.',
    source: sources.traces,
    basis: {
      because: 'The document does not cover it; otherwise the placeholder of the text would be typed.',
    },
    covers: ['O-E35', 'O-R10'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      await requireCapability(context.http, 'replay')
      const { http, path, text } = await typedText(context)
      const started = await http.post('/api/replay/start', { path })
      if (started.status === 200) {
        const { replay_id, total } = parseSuccess(started, ReplayStarted)
        for (let step = 0; step < total; step++) await http.post('/api/replay/step', { replay_id })
      }
      const value = (await getValue(http, 'Name')) ?? ''
      assert.ok(value === text || value === '', `the replay has typed another text: ${value.slice(0, 100)}`)
    },
    sabotage: {
      'types the word for what it withheld': retypes(() => '<redacted>'),
    },
  },
})

/** Writes the typed text into the trace file. */
function recordsTyped(): SabotageBehavior {
  let typed = ''
  const stop = inRecords((one) => ({ ...one, typed }))
  return {
    changeRequest: (request) => {
      if (request.path === '/api/action') typed = request.body.toString()
    },
    changeResponse: (response, request) => stop.changeResponse?.(response, request),
  }
}

/** Types another text during a replay. */
function retypes(change: (value: string) => string): SabotageBehavior {
  let replayed = false
  return {
    changeResponse: (response, request) => {
      if (request.path === '/api/replay/start') replayed = true
      if (request.path === '/api/scenario/load') replayed = false
      if (!replayed || !request.path.startsWith('/api/structure')) return
      forEachWithKey(response.json, 'value', (node) => {
        if (node.name === 'Name') node.value = change(String(node.value ?? ''))
      })
    },
  }
}
