import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { Bench } from '../../bench.ts'
import { check } from '../../check.ts'
import { Heartbeat, RunAnswer, RunEvents } from '../../contract/windieos.ts'

/** A client of the control plane that knows the key, in a workspace of its own. */
function controller({ http, profile, random }: Bench) {
  const headers = { 'x-windie-runs-key': profile.known('runs-key', z.string()) }
  // The server remembers runs, so the name is new whatever the seed draws.
  const workspace_id = `workspace-${randomUUID()}`
  const worker = { worker_id: `worker-${random.word()}`, user_id: 'vm-user' }
  const post = (path: string, body: unknown) => http.post(`/api/runs${path}`, body, { headers })
  const get = (path: string) => http.get(`/api/runs${path}`, { headers })
  return {
    workspace_id,
    worker,
    post,
    get,
    create: async () => {
      const answer = await post('/', { workspace_id, query: 'apply for the job', files: [], metadata: {} })
      assert.equal(answer.status, 200, answer.text)
      return answer.json(RunAnswer).run
    },
    beat: async () =>
      (
        await post('/workers/heartbeat', {
          workspace_id,
          ...worker,
          vm_id: 'vm-1',
          session_id: 'session-1',
          status: 'ready',
          metadata: {},
        })
      ).json(Heartbeat),
    read: async (id: string) => (await get(`/${id}`)).json(RunAnswer).run,
    events: async (id: string, query = '') => (await get(`/${id}/events${query}`)).json(RunEvents),
  }
}

check(
  'windieos:runs:key',
  async (bench) => {
    const { get, create } = controller(bench)
    const { run_id } = await create()
    assert.equal((await get(`/${run_id}`)).status, 200)
    for (const headers of [{}, { 'x-windie-runs-key': 'wrong' }])
      assert.equal((await bench.http.get(`/api/runs/${run_id}`, { headers })).status, 401)
    if (!bench.profile.has('no-runs')) return
    const closed = await bench.satellite('hosted')
    assert.equal((await closed.get('/api/runs/none', { headers: { 'x-windie-runs-key': 'any' } })).status, 503)
  },
  { lane: 'satellite', timeoutMs: 60_000 },
)

check('windieos:runs:create', async (bench) => {
  const { create, read, events, workspace_id } = controller(bench)
  const run = await create()
  assert.deepEqual(
    [run.workspace_id, run.status, run.control_mode, run.conversation_ref],
    [workspace_id, 'awaiting_worker', 'agent_only', `run-${run.run_id}`],
  )
  assert.equal((await read(run.run_id)).run_id, run.run_id)
  assert.equal((await events(run.run_id)).events[0]?.event_type, 'run-created')
})

check('windieos:runs:cap', async (bench) => {
  const { create, post, workspace_id } = controller(bench)
  const { run_id } = await create()
  assert.equal((await post('/', { workspace_id, query: 'another' })).status, 409)
  await post(`/${run_id}/control`, { action: 'stop' })
  await create()
})

check('windieos:runs:story', async (bench) => {
  const { create, beat, post, read, worker, events } = controller(bench)
  const { run_id, conversation_ref } = await create()
  const { assigned_run } = await beat()
  assert.equal(assigned_run?.run_id, run_id)
  assert.equal((await beat()).assigned_run, null, 'the run is given out twice')
  const turn_ref = `turn-${bench.random.word()}`
  const dispatched = await post(`/${run_id}/worker-dispatched`, { ...worker, turn_ref, conversation_ref })
  assert.equal(dispatched.json(RunAnswer).run.status, 'running')
  const relay = (event_type: string) =>
    post(`/${run_id}/events`, {
      event_type,
      source: 'worker-stream',
      payload: { payload: {}, conversation_ref, turn_ref },
    })
  await relay('tool-call')
  assert.equal((await read(run_id)).status, 'running')
  await relay('streaming-complete')
  assert.equal((await read(run_id)).status, 'completed')
  const types = (await events(run_id)).events.map((event) => event.event_type)
  assert.ok(types.indexOf('tool-call') < types.indexOf('streaming-complete'), types.join(', '))
})

check('windieos:runs:control', async (bench) => {
  const { create, beat, post, read, worker } = controller(bench)
  const { run_id, conversation_ref } = await create()
  await beat()
  await post(`/${run_id}/worker-dispatched`, { ...worker, turn_ref: 'turn', conversation_ref })
  const control = (body: object) => post(`/${run_id}/control`, { requested_by: 'operator', ...body })
  await control({ action: 'pause' })
  assert.equal((await read(run_id)).status, 'paused')
  assert.deepEqual(
    (await beat()).control_commands.map((command) => command.action),
    ['pause'],
  )
  assert.deepEqual((await beat()).control_commands, [], 'a command is delivered twice')
  await control({ action: 'resume' })
  assert.equal((await read(run_id)).status, 'running')
  await control({ action: 'set-control-mode', control_mode: 'human_override' })
  assert.equal((await read(run_id)).control_mode, 'human_override')
  for (const wrong of [
    { action: 'set-control-mode' },
    { action: 'set-control-mode', control_mode: 'x' },
    { action: 'dance' },
  ])
    assert.equal((await control(wrong)).status, 422, JSON.stringify(wrong))
  await control({ action: 'stop' })
  assert.equal((await read(run_id)).status, 'stopped')
})

check('windieos:runs:stop-all', async (bench) => {
  const { create, post, read, workspace_id } = controller(bench)
  const { run_id } = await create()
  const answer = await post('/stop-all', { workspace_id, requested_by: 'operator' })
  const stopped = answer.json(z.looseObject({ stopped_run_ids: z.array(z.string()), count: z.int() }))
  assert.deepEqual([stopped.stopped_run_ids, stopped.count], [[run_id], 1])
  assert.equal((await read(run_id)).status, 'stopped')
})

check('windieos:runs:events', async (bench) => {
  const { create, beat, post, events, get, worker } = controller(bench)
  const { run_id, conversation_ref } = await create()
  await beat()
  await post(`/${run_id}/worker-dispatched`, { ...worker, turn_ref: 'turn', conversation_ref })
  const { events: all, next_after_seq } = await events(run_id)
  assert.deepEqual(
    all.map((event) => event.seq),
    all.map((_, at) => at + 1),
  )
  assert.equal(next_after_seq, all.length)
  const pieces = []
  for (let after = 0; after < all.length; after++)
    pieces.push(...(await events(run_id, `?after_seq=${after}&limit=1`)).events)
  assert.deepEqual(pieces, all)
  const none = await events(run_id, `?after_seq=${all.length}`)
  assert.deepEqual([none.events, none.next_after_seq], [[], all.length])
  for (const limit of [0, 1001])
    assert.equal((await get(`/${run_id}/events?limit=${limit}`)).status, 422, `limit=${limit}`)
})

check('windieos:runs:unknown', async (bench) => {
  const { get, post } = controller(bench)
  const id = bench.random.word(16)
  for (const answer of [
    await get(`/${id}`),
    await get(`/${id}/events`),
    await post(`/${id}/control`, { action: 'stop' }),
  ])
    assert.equal(answer.status, 404, `${answer.what} answers ${answer.status}`)
})
