import assert from 'node:assert/strict'
import * as z from 'zod'
import { auxiliaryCheck } from '../../observer/auxiliary.ts'
import {
  actOnElement,
  assertRefusal,
  fillNameField,
  getElementByName,
  getValue,
  observe,
  observeFull,
  parseSuccess,
  requireCapability,
  showScenario,
} from '../../observer/driver.ts'
import { ReplayStarted, ReplayStatus, ReplayStepped, success } from '../../observer/shapes.ts'
import { fail } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import { assertNoTrace, checkOf, record, startTrace, stopTrace, typedText } from './traces.ts'

const replayCheck = checkOf('replay')

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

replayCheck('observer:replay:verify', async (context) => {
  const { http } = context
  const { path, steps } = await record(context)
  await showScenario(context)
  const { replay_id, total } = await startReplay(http, path, { mode: 'verify', on_divergence: 'warn' })
  assert.equal(total, steps)
  await playOut(http, replay_id, total)
  const { finished, position, divergences } = await outcomeOf(http, replay_id)
  assert.deepEqual([finished, position, divergences], [true, total, []])
  await getElementByName(http, 'All changes saved')
})

replayCheck('observer:replay:diverges', async (context) => {
  const { http } = context
  const { path } = await record(context)
  for (const on_divergence of ['warn', 'resume', 'stop']) {
    await showScenario(context, 'other')
    const { replay_id, total } = await startReplay(http, path, { mode: 'verify', on_divergence })
    await playOut(http, replay_id, total)
    const { position, divergences } = await outcomeOf(http, replay_id)
    assert.ok(divergences.length > 0, `no divergence although another scenario is on the screen (${on_divergence})`)
    if (on_divergence !== 'stop') assert.equal(position, total)
    else assert.ok(position < total, 'the replay went on after a divergence')
  }
})

replayCheck('observer:replay:execute', async (context) => {
  const { http } = context
  const { path } = await record(context)
  await showScenario(context)
  const { replay_id, total, mode } = await startReplay(http, path)
  assert.equal(mode, 'execute')
  await playOut(http, replay_id, total)
  await getElementByName(http, 'All changes saved')
})

replayCheck('observer:replay:stop', async (context) => {
  const { http } = context
  const { path } = await record(context)
  const { replay_id } = await startReplay(http, path)
  parseSuccess(await http.post('/api/replay/stop', { replay_id }), success({ stopped: z.literal(true) }))
})

replayCheck('observer:replay:gone', async (context) => {
  const { http } = context
  const { path } = await record(context)
  const { replay_id } = await startReplay(http, path)
  await http.post('/api/replay/stop', { replay_id })
  for (const action of ['step', 'status'])
    assertRefusal(await http.post(`/api/replay/${action}`, { replay_id }), 'BadRequest')
  assertRefusal(await http.post('/api/replay/step', { replay_id: `rep:${context.random.word()}` }), 'BadRequest')
})

replayCheck('observer:replay:ids', async (context) => {
  const { http } = context
  const { path } = await record(context)
  const [one, two] = [await startReplay(http, path), await startReplay(http, path)]
  await http.post('/api/replay/stop', { replay_id: one.replay_id })
  const three = await startReplay(http, path)
  assert.equal(new Set([one.replay_id, two.replay_id, three.replay_id]).size, 3, 'a replay id is used twice')
})

replayCheck('observer:replay:arguments', async (context) => {
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
})

replayCheck('observer:replay:since', async (context) => {
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
  assert.deepEqual((await outcomeOf(http, replay_id)).divergences, [])
})

replayCheck('observer:replay:long', async (context) => {
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
})

auxiliaryCheck('observer:replay:redacted', async (context) => {
  await requireCapability(context.http, 'replay')
  const { http, path, text } = await typedText(context)
  const started = await http.post('/api/replay/start', { path })
  if (started.status === 200) {
    const { replay_id, total } = parseSuccess(started, ReplayStarted)
    for (let step = 0; step < total; step++) await http.post('/api/replay/step', { replay_id })
  }
  const value = (await getValue(http, 'Name')) ?? ''
  assert.ok(value === text || value === '', `the replay has typed another text: ${value.slice(0, 100)}`)
})
