import assert from 'node:assert/strict'
import * as z from 'zod'
import { ReplayStarted, ReplayStatus, ReplayStepped, success } from '../../contract/observer-shapes.ts'
import { fail } from '../../probe/failure.ts'
import type { Http } from '../../probe/http.ts'
import { satelliteCheck } from './auxiliary.ts'
import { elementNamed, fillIn, needs, observe, observeFull, read, refusedWith, stage, valueIn } from './client.ts'
import { checkOf, noTrace, record, startTrace, stopTrace, typedText } from './traces.ts'

const replayCheck = checkOf('replay')

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
  read(await http.post('/api/replay/stop', { replay_id }), success({ stopped: z.literal(true) }))
})

replayCheck('observer:replay:gone', async (bench) => {
  const { http } = bench
  const { path } = await record(bench)
  const { replay_id } = await startReplay(http, path)
  await http.post('/api/replay/stop', { replay_id })
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

replayCheck('observer:replay:since', async (bench) => {
  const { http } = bench
  await noTrace(http)
  await stage(bench)
  await startTrace(http, 'differences')
  const { tree_token } = await observeFull(http)
  await fillIn(http)
  await observe(http, { since: tree_token })
  const { path } = await stopTrace(http)
  await stage(bench)
  const { replay_id, total } = await startReplay(http, path, { mode: 'verify', on_divergence: 'warn' })
  await playOut(http, replay_id, total)
  assert.deepEqual((await outcomeOf(http, replay_id)).divergences, [])
})

replayCheck('observer:replay:long', async (bench) => {
  const { http } = bench
  const text = bench.random.word(12).repeat(1000)
  await noTrace(http)
  await stage(bench)
  await startTrace(http, 'a long text')
  await fillIn(http, text)
  const { path } = await stopTrace(http)
  await stage(bench)
  const started = await http.post('/api/replay/start', { path })
  if (started.status === 200) {
    const { replay_id, total } = read(started, ReplayStarted)
    for (let step = 0; step < total; step++) await http.post('/api/replay/step', { replay_id })
  }
  const value = await valueIn(http, 'Name')
  assert.ok(value === text || (value ?? '') === '', `the replay has typed another text: ${value?.slice(0, 100)}`)
})

satelliteCheck('observer:replay:redacted', async (bench) => {
  await needs(bench.http, 'replay')
  const { http, path, text } = await typedText(bench)
  const started = await http.post('/api/replay/start', { path })
  if (started.status === 200) {
    const { replay_id, total } = read(started, ReplayStarted)
    for (let step = 0; step < total; step++) await http.post('/api/replay/step', { replay_id })
  }
  const value = (await valueIn(http, 'Name')) ?? ''
  assert.ok(value === text || value === '', `the replay has typed another text: ${value.slice(0, 100)}`)
})
