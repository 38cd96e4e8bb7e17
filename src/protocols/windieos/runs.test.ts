import { afterEach, describe, expect, it } from 'vitest'
import { cleanUp } from '../../../test/support/protocols/cleanup.ts'
import { type JsonBody, startWindieos } from '../../../test/support/protocols/windieos.ts'

// Facts such as [I-H28] are listed in facts.ts.

afterEach(cleanUp)

const KEY = { 'x-windie-runs-key': 'k3y' }
const STAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

async function plane(options: Parameters<typeof startWindieos>[0] = {}) {
  const served = await startWindieos({ runKeys: { runs: 'k3y' }, ...options })
  const post = (path: string, body: unknown) => served.post(`/api/runs${path}`, body, KEY)
  const get = (path: string) => served.get(`/api/runs${path}`, KEY)
  const create = async (more: object = {}) =>
    (await post('/', { workspace_id: 'w', query: 'apply for me', ...more }))[1].run as JsonBody
  const beat = async (more: object = {}) => (await post('/workers/heartbeat', { ...WORKER, ...more }))[1]
  const eventsOf = async (id: unknown) =>
    ((await get(`/${id}/events`))[1].events as JsonBody[]).map(({ seq, event_type, source }) => [
      seq,
      event_type,
      source,
    ])
  const statusOf = async (id: unknown) => ((await get(`/${id}`))[1].run as JsonBody).status
  return { ...served, post, get, create, beat, eventsOf, statusOf }
}

const WORKER = {
  workspace_id: 'w',
  worker_id: 'worker-1',
  vm_id: 'vm-1',
  user_id: 'vm-user-1',
  session_id: 'session-1',
  status: 'ready',
  metadata: {},
}
const ACK = { worker_id: 'worker-1', user_id: 'vm-user-1', turn_ref: 'turn-1' }

describe('the control plane', () => {
  it('[I-X503] [I-X401] [I-A29] is disabled without a key, and rejects wrong keys', async () => {
    const closed = await startWindieos()
    const open = await plane()
    const hosted = await plane({ auth: 'install' })
    expect([
      await closed.get('/api/runs/x', KEY),
      await open.get('/x'),
      await (await fetch(`${open.url}/api/runs/x`)).json(),
      await hosted.get('/x'),
    ]).toEqual([
      [503, { detail: 'Runs API key is not configured' }],
      [404, { detail: 'there is no run "x"' }],
      { detail: 'Invalid runs API key' },
      [401, { detail: 'Missing install bearer token' }],
    ])
  })

  it('[I-H28] [I-H29] [I-A31] makes a run that waits for a worker', async () => {
    const { post, get } = await plane()
    const files = [{ artifact_id: 'resume.pdf', filename: 'resume.pdf', content_type: 'application/pdf' }]
    const asked = { workspace_id: 'w', agent_id: 'a', query: 'apply', requested_by: 'u', files, metadata: { k: 1 } }
    const [status, { run, events }] = await post('', asked)
    const { run_id } = run as JsonBody
    expect([status, run]).toEqual([
      200,
      {
        ...asked,
        run_id: expect.stringMatching(/^run-/),
        status: 'awaiting_worker',
        control_mode: 'agent_only',
        conversation_ref: `run-${run_id}`,
        worker_id: null,
        vm_id: null,
        user_id: null,
        session_id: null,
        query_message_id: null,
        created_at: STAMP,
        updated_at: STAMP,
      },
    ])
    expect(events).toEqual([
      { seq: 1, timestamp: STAMP, event_type: 'run-created', source: 'api', payload: { requested_by: 'u' } },
    ])
    expect(await get(`/${run_id}`)).toEqual([200, { run }])
  })

  it('[I-L12] [I-X409] limits the active runs of a workspace, and accepts another when one has ended', async () => {
    const { post, create } = await plane()
    const { run_id } = await create({ metadata: { conversation_ref: 'mine' } })
    const again = { workspace_id: 'w', query: 'x' }
    expect((await post('/', again))[0]).toBe(409)
    expect((await post('/', { ...again, workspace_id: 'other' }))[0]).toBe(200)
    await post(`/${run_id}/control`, { action: 'stop' })
    expect((await post('/', again))[0]).toBe(200)
  })

  it('[I-H31] [I-A32] assigns the oldest run to a worker, once', async () => {
    const { create, beat, statusOf, eventsOf } = await plane({ maxActiveRuns: 2 })
    const { run_id, conversation_ref } = await create({ metadata: { conversation_ref: 'mine' } })
    await create()
    expect(await beat({ status: 'draining' })).toMatchObject({ assigned_run: null })
    expect(await beat()).toEqual({
      worker: { ...WORKER, last_heartbeat_at: STAMP },
      assigned_run: {
        run_id,
        workspace_id: 'w',
        agent_id: null,
        conversation_ref,
        query: 'apply for me',
        requested_by: null,
        files: [],
        metadata: { conversation_ref: 'mine' },
        control_mode: 'agent_only',
      },
      control_commands: [],
    })
    expect(await statusOf(run_id)).toBe('queued')
    expect((await beat({ worker_id: 'worker-2' })).assigned_run).not.toBeNull()
    expect((await beat()).assigned_run).toBeNull()
    expect(await eventsOf(run_id)).toEqual([
      [1, 'run-created', 'api'],
      [2, 'run-worker-assigned', 'backend'],
      [3, 'worker-heartbeat', 'worker'],
      [4, 'worker-heartbeat', 'worker'],
    ])
  })

  it('[I-H34] records the start of the run, from its worker only', async () => {
    const { create, beat, post, statusOf } = await plane()
    const { run_id } = await create()
    expect((await post(`/${run_id}/worker-dispatched`, ACK))[0]).toBe(409)
    await beat()
    expect((await post(`/${run_id}/worker-dispatched`, { ...ACK, worker_id: 'worker-2' }))[0]).toBe(409)
    expect((await post(`/${run_id}/worker-dispatched`, { ...ACK, user_id: 'other' }))[0]).toBe(409)
    const [status, { run, latest_event }] = await post(`/${run_id}/worker-dispatched`, ACK)
    expect([status, (run as JsonBody).query_message_id, (latest_event as JsonBody).event_type]).toEqual([
      200,
      'turn-1',
      'run-dispatched',
    ])
    expect(await statusOf(run_id)).toBe('running')
  })

  it.each([
    ['streaming-response', 'running'],
    ['streaming-complete', 'completed'],
    ['error', 'failed'],
  ])('[I-H35] receives %s, and the run is %s', async (event_type, status) => {
    const { create, post, statusOf } = await plane()
    const { run_id } = await create()
    const event = { event_type, source: 'worker-stream', payload: { payload: {}, turn_ref: 't' } }
    const [, { latest_event }] = await post(`/${run_id}/events`, event)
    expect(latest_event).toEqual({ seq: 2, timestamp: STAMP, ...event })
    expect(await statusOf(run_id)).toBe(status)
  })

  it('[I-H32] is paused, resumed, handed over and stopped, with one command each for the worker', async () => {
    const { create, beat, post, statusOf } = await plane()
    const { run_id } = await create()
    await beat()
    await post(`/${run_id}/worker-dispatched`, ACK)
    const order = (body: object) => post(`/${run_id}/control`, body)
    const statuses: unknown[] = []
    for (const body of [
      { action: 'pause', requested_by: 'u' },
      { action: 'resume' },
      { action: 'set-control-mode', control_mode: 'human_override' },
      { action: 'stop' },
    ]) {
      const [status, { latest_event }] = await order(body)
      statuses.push([status, (latest_event as JsonBody).event_type, await statusOf(run_id)])
    }
    expect(statuses).toEqual([
      [200, 'run-control', 'paused'],
      [200, 'run-control', 'running'],
      [200, 'run-control', 'running'],
      [200, 'run-control', 'stopped'],
    ])
    const commands = (await beat()).control_commands as JsonBody[]
    expect(commands.map(({ action, control_mode }) => [action, control_mode])).toEqual([
      ['pause', 'agent_only'],
      ['resume', 'agent_only'],
      ['set-control-mode', 'human_override'],
      ['stop', 'human_override'],
    ])
    expect((await beat()).control_commands).toEqual([])
    expect((await order({ action: 'pause' }))[0]).toBe(409)
  })

  it('[I-H32] requires a mode to set, and a known action', async () => {
    const { create, post } = await plane()
    const { run_id } = await create()
    const order = async (body: object) => (await post(`/${run_id}/control`, body))[0]
    expect([
      await order({ action: 'set-control-mode' }),
      await order({ action: 'set-control-mode', control_mode: 'mine' }),
      await order({ action: 'dance' }),
    ]).toEqual([422, 422, 422])
  })

  it('[I-H33] [I-A30] stops all runs, of one workspace or all, with both keys', async () => {
    const { create, post, eventsOf, url } = await plane({ runKeys: { runs: 'k3y', control: 'c0ntrol' } })
    const [one, other] = [await create(), await create({ workspace_id: 'other' })]
    const stop = async (body: object) => {
      const headers = { ...KEY, 'x-windie-runs-control-key': 'c0ntrol' }
      const answer = await fetch(`${url}/api/runs/stop-all`, { method: 'POST', headers, body: JSON.stringify(body) })
      return answer.json()
    }
    expect((await post('/stop-all', {}))[0]).toBe(401)
    expect(await stop({ workspace_id: 'other', requested_by: 'operator' })).toEqual({
      workspace_id: 'other',
      stopped_run_ids: [other.run_id],
      count: 1,
    })
    expect(await stop({ workspace_id: ' ' })).toEqual({
      workspace_id: null,
      stopped_run_ids: [one.run_id],
      count: 1,
    })
    expect(await eventsOf(one.run_id)).toEqual([
      [1, 'run-created', 'api'],
      [2, 'run-control', 'api'],
    ])
  })

  it('[I-H30] [I-L13] returns events after a number, 1 to 1000 at a time', async () => {
    const { create, post, get } = await plane()
    const { run_id } = await create()
    for (let count = 0; count < 3; count++)
      await post(`/${run_id}/events`, { event_type: 'llm-thought', source: 'worker-stream', payload: {} })
    const read = async (query: string) => {
      const [status, { events, next_after_seq }] = await get(`/${run_id}/events${query}`)
      return [status, (events as JsonBody[] | undefined)?.map(({ seq }) => seq), next_after_seq]
    }
    expect(await read('')).toEqual([200, [1, 2, 3, 4], 4])
    expect(await read('?after_seq=1&limit=2')).toEqual([200, [2, 3], 3])
    expect(await read('?after_seq=4')).toEqual([200, [], 4])
    const statuses = []
    for (const limit of [0, 1, 1000, 1001]) statuses.push((await read(`?limit=${limit}`))[0])
    expect(statuses).toEqual([422, 200, 200, 422])
  })
})
