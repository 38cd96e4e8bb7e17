import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { assertAgree } from '../../compare/differences.ts'
import { assertStatus, parseAs } from '../../probe/failure.ts'
import { changeStatus } from '../../suite/behaviors.ts'
import { AUXILIARY_CHECK, defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { Heartbeat, RegisteredInstall, Run, RunAnswer, RunEvent, RunEvents } from '../contract.ts'
import { sources } from '../document.ts'
import { changeStatusAt, onSuccessOf } from '../sabotage.ts'

/** A client of the control plane with the key, in its own workspace. */
function controller({ http, profile, random }: TestContext) {
  const headers = { 'x-windie-runs-key': profile.known('runs-key', z.string()) }
  // The server remembers runs, so the name is unique, independent of the seed.
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
      assert.ok([200, 201].includes(answer.status), answer.text)
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
    // The document does not specify whether the state of a run is wrapped.
    read: async (id: string) => {
      const answer = await get(`/${id}`)
      const json = Object(answer.json()) as Readonly<Record<string, unknown>>
      return parseAs(Run, json.run ?? json, `the run of ${answer.what}`)
    },
    events: async (id: string, query = '') => (await get(`/${id}/events${query}`)).json(RunEvents),
  }
}

/** A run with some events. */
async function eventful(context: TestContext) {
  const control = controller(context)
  const { create, beat, post, worker } = control
  const { run_id, conversation_ref } = await create()
  await beat()
  await post(`/${run_id}/worker-dispatched`, { ...worker, turn_ref: 'turn', conversation_ref })
  return { ...control, run_id }
}

/** The control plane of runs. */
export const runsRules = defineRules('runs', ['runs:create'], {
  key: {
    level: 'MUST',
    text: 'Every runs route needs the runs key, and answers 503 where none is configured.',
    source: sources.runs,
    basis: { states: 'Every runs route requires x-windie-runs-key; without a configured key it answers 503.' },
    covers: ['X401', 'X503', 'H28'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const { get, create } = controller(context)
      const { run_id } = await create()
      assertStatus(await get(`/${run_id}`), 200)
      for (const headers of [{}, { 'x-windie-runs-key': 'wrong' }]) {
        const { status } = await context.http.get(`/api/runs/${run_id}`, { headers })
        assert.ok([401, 403].includes(status), `the key ${headers['x-windie-runs-key'] ?? '(none)'} answers ${status}`)
      }
      if (!context.profile.has('no-runs')) return
      const closed = await context.auxiliary(context.profile.known('no-runs', z.string()))
      const { install_token } = (await closed.post('/api/install/register', {})).json(RegisteredInstall)
      const headers = { 'x-windie-runs-key': 'any', authorization: `Bearer ${install_token}` }
      assertStatus(await closed.get('/api/runs/none', { headers }), 503)
    },
    sabotage: {
      'runs without a key': {
        changeRequest: (request) => {
          if (request.path.startsWith('/api/runs')) request.headers['x-windie-runs-key'] = 'conformance-runs'
        },
      },
    },
  },

  'key-status': {
    level: 'SHOULD',
    text: 'A wrong runs key answers 401.',
    source: sources.runs,
    basis: { because: 'The document names no status for a wrong key.' },
    covers: ['X401'],
    tier: 'full',
    check: async (context) => {
      const { run_id } = await controller(context).create()
      const { status } = await context.http.get(`/api/runs/${run_id}`, { headers: { 'x-windie-runs-key': 'wrong' } })
      assert.equal(status, 401, 'the status')
    },
    sabotage: {
      'answers 403 to a wrong key': changeStatusAt(401, 403, '/api/runs'),
    },
  },

  keys: {
    level: 'MAY',
    text: 'Where installs are authenticated a runs route needs the install token as well, and stop-all the same key as the others.',
    source: sources.runs,
    basis: { because: 'The document asks for the key, and for a token on every route below /api.' },
    covers: ['A29', 'A30'],
    tier: 'full',
    unchecked: 'the operator decides which of two keys a server checks first',
  },

  create: {
    level: 'MUST',
    text: 'A created run can be read, and run-created is among its events.',
    source: sources.runs,
    basis: { states: 'The answer has the run and its events, among them run-created.' },
    covers: ['H28', 'H29', 'H30', 'A31'],
    tier: 'full',
    check: async (context) => {
      const { create, read, post, workspace_id } = controller(context)
      const { run_id } = await create()
      assertAgree({ 'GET /api/runs/{run_id}': (await read(run_id)).run_id, 'POST /api/runs': run_id }, 'run_id')
      await post(`/${run_id}/control`, { action: 'stop' })
      const answer = await post('/', { workspace_id, query: 'apply for the job' })
      const types = answer.json(z.looseObject({ events: z.array(RunEvent) })).events.map((event) => event.event_type)
      assert.ok(types.includes('run-created'), `the events are ${types.join(', ')}`)
    },
    sabotage: {
      'creates in silence': onSuccessOf('POST /api/runs/', (json) => {
        json.events = []
      }),
    },
  },

  states: {
    level: 'SHOULD',
    text: 'A run awaits a worker, runs, is paused, completed or stopped, under the names that workers use.',
    source: sources.runs,
    basis: { because: 'The document names the field status, but none of its values.' },
    covers: ['H29', 'H32', 'H34', 'H35'],
    tier: 'full',
    check: async (context) => {
      const { create, beat, post, read, worker, workspace_id } = controller(context)
      const run = await create()
      assert.deepEqual(
        {
          workspace_id: run.workspace_id,
          status: run.status,
          control_mode: run.control_mode,
          conversation_ref: run.conversation_ref,
        },
        { workspace_id, status: 'awaiting_worker', control_mode: 'agent_only', conversation_ref: `run-${run.run_id}` },
      )
      const { run_id, conversation_ref } = run
      await beat()
      await post(`/${run_id}/worker-dispatched`, { ...worker, turn_ref: 'turn', conversation_ref })
      const states = [(await read(run_id)).status]
      for (const body of [{ action: 'pause' }, { action: 'resume' }]) {
        await post(`/${run_id}/control`, { requested_by: 'operator', ...body })
        states.push((await read(run_id)).status)
      }
      const payload = { payload: {}, conversation_ref, turn_ref: 'turn' }
      await post(`/${run_id}/events`, { event_type: 'streaming-complete', source: 'worker-stream', payload })
      states.push((await read(run_id)).status)
      const stopped = await create()
      await post(`/${stopped.run_id}/control`, { action: 'stop' })
      states.push((await read(stopped.run_id)).status)
      assert.deepEqual(states, ['running', 'paused', 'running', 'completed', 'stopped'], 'the states of the run')
    },
    sabotage: {
      'runs at once': onSuccessOf('POST /api/runs/', (json) => {
        json.run.status = 'running'
      }),
      'never completes a run': onSuccessOf('GET /api/runs/{run_id}', (json) => {
        if (json.run.status === 'completed') json.run.status = 'running'
      }),
    },
  },

  cap: {
    level: 'MUST',
    text: 'A workspace has one active run; the next is refused with 409 until it ends.',
    source: sources.runs,
    basis: { states: 'Over the cap of active runs in a workspace, 1 by default, the answer is 409.' },
    covers: ['L12', 'X409'],
    tier: 'full',
    check: async (context) => {
      const { create, post, workspace_id } = controller(context)
      const { run_id } = await create()
      assertStatus(await post('/', { workspace_id, query: 'another' }), 409)
      await post(`/${run_id}/control`, { action: 'stop' })
      await create()
    },
    sabotage: {
      'takes any number of runs': changeStatus(409, 200),
    },
  },

  story: {
    level: 'MUST',
    text: 'A ready worker gets the run, acknowledges it and relays events into its timeline, in order.',
    source: sources.runs,
    basis: { states: 'A heartbeat returns an assigned run; the worker acknowledges it and relays events.' },
    covers: ['H31', 'H34', 'H35'],
    tier: 'full',
    check: async (context) => {
      const { create, beat, post, worker, events } = controller(context)
      const { run_id, conversation_ref } = await create()
      const { assigned_run } = await beat()
      assertAgree({ 'the worker': assigned_run?.run_id, 'POST /api/runs': run_id }, 'run_id')
      const turn_ref = `turn-${context.random.word()}`
      const dispatched = await post(`/${run_id}/worker-dispatched`, { ...worker, turn_ref, conversation_ref })
      assert.ok(dispatched.status < 300, `the acknowledgement answers ${dispatched.status}`)
      const payload = { payload: {}, conversation_ref, turn_ref }
      for (const event_type of ['tool-call', 'streaming-complete']) {
        const relayed = await post(`/${run_id}/events`, { event_type, source: 'worker-stream', payload })
        assert.ok(relayed.status < 300, `${event_type} answers ${relayed.status}`)
      }
      const types = (await events(run_id)).events.map((event) => event.event_type)
      const places = ['tool-call', 'streaming-complete'].map((type) => types.indexOf(type))
      assert.ok(places[0]! >= 0 && places[0]! < places[1]!, types.join(', '))
    },
    sabotage: {
      'gives no run out': onSuccessOf('POST /api/runs/workers/heartbeat', (json) => {
        json.assigned_run = null
      }),
    },
  },

  once: {
    level: 'SHOULD',
    text: 'A run and a command are given out once.',
    source: sources.runs,
    basis: { because: 'The document does not specify that a heartbeat takes them from the queue.' },
    covers: ['H31'],
    tier: 'full',
    check: async (context) => {
      const { create, beat, post } = controller(context)
      const { run_id } = await create()
      await beat()
      assert.equal((await beat()).assigned_run, null, 'the run is given out twice')
      await post(`/${run_id}/control`, { action: 'pause' })
      const actions = async () => (await beat()).control_commands.map((command) => command.action)
      assert.deepEqual([await actions(), await actions()], [['pause'], []], 'a command is delivered once')
    },
    sabotage: {
      'gives a run out twice': twice(),
      'delivers commands twice': again('control_commands'),
    },
  },

  heartbeats: {
    level: 'SHOULD',
    text: 'Heartbeats of its worker are among the events of a run.',
    source: sources.runs,
    basis: { because: 'The sample shows one; the document does not specify when they are written.' },
    covers: ['A32'],
    tier: 'full',
    check: async (context) => {
      const { create, beat, events, worker, post } = controller(context)
      const { run_id, conversation_ref } = await create()
      await beat()
      await post(`/${run_id}/worker-dispatched`, { ...worker, turn_ref: 'turn', conversation_ref })
      await beat()
      const types = (await events(run_id)).events.map((event) => event.event_type)
      assert.ok(types.includes('worker-heartbeat'), types.join(', '))
    },
    sabotage: {
      'writes no heartbeats down': onSuccessOf('GET /api/runs/{run_id}/events', (json) => {
        for (const one of json.events) if (one.event_type === 'worker-heartbeat') one.event_type = 'beat'
      }),
    },
  },

  control: {
    level: 'MUST',
    text: 'pause, resume, set-control-mode and stop are accepted and reach the worker; others are refused.',
    source: sources.runs,
    basis: { states: 'The actions are pause, resume, stop and set-control-mode; heartbeats return queued commands.' },
    covers: ['H32'],
    tier: 'full',
    check: async (context) => {
      const { create, beat, post, read, worker } = controller(context)
      const { run_id, conversation_ref } = await create()
      await beat()
      await post(`/${run_id}/worker-dispatched`, { ...worker, turn_ref: 'turn', conversation_ref })
      const control = (body: object) => post(`/${run_id}/control`, { requested_by: 'operator', ...body })
      const mode = { action: 'set-control-mode', control_mode: 'human_override' }
      for (const body of [{ action: 'pause' }, { action: 'resume' }, mode]) {
        const { status } = await control(body)
        assert.ok(status < 300, `${body.action} answers ${status}`)
      }
      assert.equal((await read(run_id)).control_mode, 'human_override', 'control_mode')
      assert.ok((await beat()).control_commands.length > 0, 'the worker is given no command')
      for (const wrong of [
        { action: 'set-control-mode' },
        { action: 'set-control-mode', control_mode: 'x' },
        { action: 'dance' },
      ]) {
        const { status } = await control(wrong)
        assert.ok(status >= 400 && status < 500, `${JSON.stringify(wrong)} answers ${status}`)
      }
      assert.ok((await control({ action: 'stop' })).status < 300, 'stop is refused')
    },
    sabotage: {
      'tells workers nothing': onSuccessOf('POST /api/runs/workers/heartbeat', (json) => {
        json.control_commands = []
      }),
    },
  },

  'stop-all': {
    level: 'MUST',
    text: 'stop-all stops the active runs of a workspace and counts them.',
    source: sources.runs,
    basis: { states: 'All active runs are stopped, of one workspace if given, and counted.' },
    covers: ['H33'],
    tier: 'full',
    check: async (context) => {
      const { create, post, workspace_id } = controller(context)
      const { run_id } = await create()
      const answer = await post('/stop-all', { workspace_id, requested_by: 'operator' })
      const stopped = answer.json(z.looseObject({ stopped_run_ids: z.array(z.string()), count: z.int() }))
      assert.deepEqual(
        { stopped_run_ids: stopped.stopped_run_ids, count: stopped.count },
        { stopped_run_ids: [run_id], count: 1 },
      )
      // The workspace accepts runs again.
      await create()
    },
    sabotage: {
      'counts more than it stopped': onSuccessOf('POST /api/runs/stop-all', (json) => {
        json.count++
      }),
    },
  },

  events: {
    level: 'MUST',
    text: 'The events of a run have growing numbers, and next_after_seq is the last of them.',
    source: sources.runs,
    basis: { states: 'Events have seq, and next_after_seq continues the polling.' },
    covers: ['H30'],
    tier: 'full',
    check: async (context) => {
      const { run_id, events } = await eventful(context)
      const { events: all, next_after_seq } = await events(run_id)
      const numbers = all.map((event) => event.seq)
      for (const [at, seq] of numbers.entries()) assert.ok(at === 0 || seq > numbers[at - 1]!, numbers.join(', '))
      assertAgree({ next_after_seq: next_after_seq, 'the last event': numbers.at(-1) }, 'the sequence number')
      assert.deepEqual((await events(run_id, `?after_seq=${next_after_seq}`)).events, [], 'an event is polled twice')
    },
    sabotage: {
      'repeats a number': onSuccessOf('GET /api/runs/{run_id}/events', (json) => {
        if (json.events.length > 1) json.events[1].seq = json.events[0].seq
      }),
    },
  },

  numbers: {
    level: 'SHOULD',
    text: 'Events are numbered from 1 without gaps and polled in pieces of 1 to 1000.',
    source: sources.runs,
    basis: { because: 'The document does not specify where the numbers start and how many events come at a time.' },
    covers: ['H30', 'L13', 'X422'],
    tier: 'full',
    check: async (context) => {
      const { run_id, events, get } = await eventful(context)
      const { events: all } = await events(run_id)
      assert.deepEqual(
        all.map((event) => event.seq),
        all.map((_, at) => at + 1),
        'the sequence numbers',
      )
      const pieces = []
      for (let after = 0; after < all.length; after++)
        pieces.push(...(await events(run_id, `?after_seq=${after}&limit=1`)).events)
      assertAgree({ 'the pages': pieces, 'the whole list': all }, 'the events')
      for (const limit of [0, 1001]) assertStatus(await get(`/${run_id}/events?limit=${limit}`), 422, `limit=${limit}`)
    },
    sabotage: {
      'numbers events from 2': onSuccessOf('GET /api/runs/{run_id}/events', (json) => {
        for (const one of json.events) one.seq++
        if (json.events.length > 0) json.next_after_seq++
      }),
    },
  },

  unknown: {
    level: 'SHOULD',
    text: 'An unknown run answers 404.',
    source: sources.runs,
    basis: { because: 'The document names no status for a run that is not there.' },
    covers: ['H29', 'X404'],
    tier: 'full',
    check: async (context) => {
      const { get, post } = controller(context)
      const id = context.random.word(16)
      for (const answer of [
        await get(`/${id}`),
        await get(`/${id}/events`),
        await post(`/${id}/control`, { action: 'stop' }),
      ])
        assertStatus(answer, 404)
    },
    sabotage: {
      'answers 422 for unknown runs': changeStatusAt(404, 422, '/api/runs'),
    },
  },
})

/** The first run that is given out is given out again. */
function twice(): SabotageBehavior {
  let first: unknown
  return onSuccessOf('POST /api/runs/workers/heartbeat', (json) => {
    first ??= json.assigned_run
    json.assigned_run ??= first
  })
}

/** Restores earlier entries of a list. */
function again(key: string): SabotageBehavior {
  let last: readonly unknown[] = []
  return onSuccessOf('POST /api/runs/workers/heartbeat', (json) => {
    const now = json[key]
    if (now.length === 0) json[key] = last
    last = now
  })
}
