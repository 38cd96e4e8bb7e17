import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault } from '../../base/fault.ts'
import { isSecret } from '../guard.ts'
import {
  ControlRun,
  CreateRun,
  Dispatched,
  EventsAfter,
  Heartbeat,
  RelayEvent,
  readBody,
  readQuery,
  StopAll,
} from './bodies.ts'
import type { House } from './house.ts'
import { identify, slashed } from './routes.ts'
import type { Runs } from './runs.ts'

/** The keys of the control plane; without the first it is closed. */
export interface RunKeys {
  /** `WINDIE_RUNS_API_KEY`. */
  readonly runs?: string | undefined
  /** `WINDIE_RUNS_CONTROL_API_KEY`: asked for, where there is one, by what stops everything. */
  readonly control?: string | undefined
}

interface ById {
  Params: { id: string }
}

/** The control plane for runs (WindieOS document, "Runs"). */
export function runRoutes(app: FastifyInstance, house: House, runs: Runs, keys: RunKeys): void {
  function admit(request: FastifyRequest): void {
    // Where nobody is told apart, a worker is known by the key alone.
    if (house.auth === 'install') identify(house, request)
    if (keys.runs === undefined) throw new Fault('PlatformUnsupported', 'Runs API key is not configured')
    if (!isSecret(request.headers['x-windie-runs-key'], keys.runs))
      throw new Fault('Unauthorized', 'Invalid runs API key')
  }

  for (const path of slashed('/api/runs'))
    app.post(path, async (request) => {
      admit(request)
      return runs.create(readBody(CreateRun, request.body))
    })

  app.post('/api/runs/workers/heartbeat', async (request) => {
    admit(request)
    return runs.heartbeat(readBody(Heartbeat, request.body))
  })

  app.post('/api/runs/stop-all', async (request) => {
    admit(request)
    if (keys.control !== undefined && !isSecret(request.headers['x-windie-runs-control-key'], keys.control))
      throw new Fault('Unauthorized', 'Invalid runs control API key')
    const { workspace_id, requested_by } = readBody(StopAll, request.body)
    const workspace = workspace_id?.trim() || undefined
    const stopped_run_ids = runs.stopAll(workspace, requested_by ?? null)
    return { workspace_id: workspace ?? null, stopped_run_ids, count: stopped_run_ids.length }
  })

  app.get<ById>('/api/runs/:id', async (request) => {
    admit(request)
    return { run: runs.run(request.params.id) }
  })

  app.get<ById>('/api/runs/:id/events', async (request) => {
    admit(request)
    const { after_seq, limit } = readQuery(EventsAfter, request.query)
    const events = runs.events(request.params.id, after_seq, limit)
    return { run_id: request.params.id, events, next_after_seq: events.at(-1)?.seq ?? after_seq }
  })

  app.post<ById>('/api/runs/:id/events', async (request) => {
    admit(request)
    return runs.relay(request.params.id, readBody(RelayEvent, request.body))
  })

  app.post<ById>('/api/runs/:id/control', async (request) => {
    admit(request)
    return runs.control(request.params.id, readBody(ControlRun, request.body))
  })

  app.post<ById>('/api/runs/:id/worker-dispatched', async (request) => {
    admit(request)
    return runs.dispatched(request.params.id, readBody(Dispatched, request.body))
  })
}
