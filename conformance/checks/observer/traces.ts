import assert from 'node:assert/strict'
import type * as z from 'zod'
import type { Bench } from '../../bench.ts'
import { check, type RequirementId } from '../../check.ts'
import {
  ReplayStarted,
  ReplayStatus,
  ReplayStepped,
  TraceStarted,
  TraceStatus,
  TraceStopped,
} from '../../contract/observer-shapes.ts'
import { fail } from '../../probe/failure.ts'
import type { Http } from '../../probe/http.ts'
import { act, type Capability, elementNamed, findIn, needs, read, refusedWith, stage, treeOf } from './desk.ts'

/** Checks of what a server need not do unless it announces it. */
const checkOf =
  (capability: Capability) =>
  (id: RequirementId, run: (bench: Bench) => Promise<void>): void =>
    check(id, async (bench) => {
      await needs(bench.http, capability)
      await run(bench)
    })
const traceCheck = checkOf('tracing')
const replayCheck = checkOf('replay')

const statusOf = async (http: Http) => read(await http.get('/api/trace/status'), TraceStatus)
const startTrace = async (http: Http, label: string) =>
  read(await http.post('/api/trace/start', { label }), TraceStarted)
const stopTrace = async (http: Http) => read(await http.post('/api/trace/stop', {}), TraceStopped)

/** Ends a trace that another check may have left running. */
async function noTrace(http: Http): Promise<void> {
  if ((await statusOf(http)).active_trace_id !== null) await stopTrace(http)
}

traceCheck('observer:trace:status', async (bench) => {
  await stage(bench)
  const { http } = bench
  await noTrace(http)
  const { trace_id } = await startTrace(http, bench.random.word())
  const first = await statusOf(http)
  assert.equal(first.active_trace_id, trace_id)
  await findIn(http, 'Button[name="Save"]')
  await act(http, 'focus', { selector: 'Edit[name="Note"]' })
  const second = await statusOf(http)
  assert.equal(second.step_count, first.step_count + 2)
  await stopTrace(http)
})

traceCheck('observer:trace:stop', async (bench) => {
  await stage(bench)
  const { http } = bench
  await noTrace(http)
  const { trace_id } = await startTrace(http, '')
  await findIn(http, 'Button[name="Save"]')
  const { step_count } = await statusOf(http)
  const stopped = await stopTrace(http)
  assert.equal(stopped.trace_id, trace_id)
  assert.equal(stopped.step_count, step_count)
  assert.match(stopped.path, /trace\.jsonl$/)
  const after = await statusOf(http)
  assert.deepEqual([after.active_trace_id, after.step_count, after.dir], [null, 0, null])
})

traceCheck('observer:trace:twice', async ({ http }) => {
  await noTrace(http)
  refusedWith(await http.post('/api/trace/stop', {}), 'BadRequest')
  await startTrace(http, 'first')
  refusedWith(await http.post('/api/trace/start', { label: 'second' }), 'BadRequest')
  await stopTrace(http)
})

/** A trace of a small piece of work on the suite's screen, from the scenario's beginning. */
async function record(bench: Bench): Promise<{ readonly path: string; readonly steps: number }> {
  const { http } = bench
  await noTrace(http)
  await stage(bench)
  await startTrace(http, 'a piece of work')
  await treeOf(http)
  await findIn(http, 'Edit[name="Name"]')
  await act(http, 'click', { selector: 'Edit[name="Name"]' })
  await http.post('/api/action', { action: 'type', value: 'Ada' })
  await act(http, 'click', { selector: 'Button[name="Save"]' })
  await elementNamed(http, 'All changes saved')
  const { path, step_count } = await stopTrace(http)
  return { path, steps: step_count }
}

type Step = z.infer<typeof ReplayStepped>

const startReplay = async (http: Http, path: string, more: object = {}) =>
  read(await http.post('/api/replay/start', { path, ...more }), ReplayStarted)

/** Steps a replay to its end; the steps it took. */
async function playOut(http: Http, replay_id: string, total: number): Promise<readonly Step[]> {
  const steps: Step[] = []
  while (steps.length <= total) {
    const step = read(await http.post('/api/replay/step', { replay_id }), ReplayStepped)
    steps.push(step)
    if (step.finished) return steps
  }
  fail(`the replay of ${total} steps is not finished after ${steps.length}`)
}

const outcomeOf = async (http: Http, replay_id: string) =>
  read(await http.post('/api/replay/status', { replay_id }), ReplayStatus)

replayCheck('observer:replay:verify', async (bench) => {
  const { http } = bench
  const { path, steps } = await record(bench)
  await stage(bench)
  const { replay_id, total } = await startReplay(http, path, { mode: 'verify', on_divergence: 'warn' })
  assert.equal(total, steps)
  await playOut(http, replay_id, total)
  const { finished, position, divergences } = await outcomeOf(http, replay_id)
  assert.deepEqual([finished, position, divergences], [true, total, []])
  await elementNamed(http, 'All changes saved')
})

replayCheck('observer:replay:diverges', async (bench) => {
  const { http } = bench
  const { path } = await record(bench)
  for (const on_divergence of ['warn', 'resume', 'stop']) {
    await stage(bench, 'other')
    const { replay_id, total } = await startReplay(http, path, { mode: 'verify', on_divergence })
    await playOut(http, replay_id, total)
    const { position, divergences } = await outcomeOf(http, replay_id)
    assert.ok(divergences.length > 0, `nothing diverges although another scenario is on the screen (${on_divergence})`)
    if (on_divergence !== 'stop') assert.equal(position, total)
    else assert.ok(position < total, 'the replay went on after a divergence')
  }
})

replayCheck('observer:replay:execute', async (bench) => {
  const { http } = bench
  const { path } = await record(bench)
  await stage(bench)
  const { replay_id, total, mode } = await startReplay(http, path)
  assert.equal(mode, 'execute')
  await playOut(http, replay_id, total)
  await elementNamed(http, 'All changes saved')
})

replayCheck('observer:replay:stop', async (bench) => {
  const { http } = bench
  const { path } = await record(bench)
  const { replay_id } = await startReplay(http, path)
  assert.equal((await http.post('/api/replay/stop', { replay_id })).status, 200)
  for (const action of ['step', 'status'])
    refusedWith(await http.post(`/api/replay/${action}`, { replay_id }), 'BadRequest')
  refusedWith(await http.post('/api/replay/step', { replay_id: `rep:${bench.random.word()}` }), 'BadRequest')
})

replayCheck('observer:replay:ids', async (bench) => {
  const { http } = bench
  const { path } = await record(bench)
  const [one, two] = [await startReplay(http, path), await startReplay(http, path)]
  await http.post('/api/replay/stop', { replay_id: one.replay_id })
  const three = await startReplay(http, path)
  assert.equal(new Set([one.replay_id, two.replay_id, three.replay_id]).size, 3, 'a replay id is used twice')
})

replayCheck('observer:replay:arguments', async (bench) => {
  const { http } = bench
  const { path } = await record(bench)
  const wrong = [
    {},
    { path: `no/such/${bench.random.word()}` },
    { path, mode: 'dream' },
    { path, on_divergence: 'weep' },
  ]
  for (const body of wrong) {
    const raw = JSON.stringify(body)
    const answer = await http.send({ method: 'POST', path: '/api/replay/start', raw, deliberate: true })
    assert.ok([400, 403].includes(answer.status), `${raw} answers ${answer.status}: ${answer.text.slice(0, 200)}`)
  }
})
