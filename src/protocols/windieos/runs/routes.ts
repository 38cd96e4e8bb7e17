import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault } from '../../../base/fault.ts'
import { matchesSecret } from '../../http/guard.ts'
import type { ServerContext } from '../context.ts'
import {
  ControlRun,
  CreateRun,
  EventsQuery,
  Heartbeat,
  RelayEvent,
  StopAll,
  validateBody,
  validateQuery,
  WorkerDispatched,
} from '../requests.ts'
import { identify, withTrailingSlash } from '../routes.ts'
import type { RunStore } from './runs.ts'

/** The keys of the control plane. Without `runs` it is disabled. */
export interface RunKeys {
  /** `WINDIE_RUNS_API_KEY`. */
  readonly runs?: string | undefined
  /** `WINDIE_RUNS_CONTROL_API_KEY`: if set, `stop-all` requires it. */
  readonly control?: string | undefined
}

interface ById {
  Params: { id: string }
}

/** The control plane for runs (WindieOS document, "Runs"). */
export function runRoutes(app: FastifyInstance, server: ServerContext, runs: RunStore, keys: RunKeys): void {
  function authorize(request: FastifyRequest): void {
    // Without authentication, workers need only the key.
    if (server.auth === 'install') identify(server, request)
    if (keys.runs === undefined) throw new Fault('PlatformUnsupported', 'Runs API key is not configured')
    if (!matchesSecret(request.headers['x-windie-runs-key'], keys.runs))
      throw new Fault('Unauthorized', 'Invalid runs API key')
  }

  for (const path of withTrailingSlash('/api/runs'))
    app.post(path, async (request) => {
      authorize(request)
      return runs.create(validateBody(CreateRun, request.body))
    })

  app.post('/api/runs/workers/heartbeat', async (request) => {
    authorize(request)
    return runs.heartbeat(validateBody(Heartbeat, request.body))
  })

  app.post('/api/runs/stop-all', async (request) => {
    authorize(request)
    if (keys.control !== undefined && !matchesSecret(request.headers['x-windie-runs-control-key'], keys.control))
      throw new Fault('Unauthorized', 'Invalid runs control API key')
    const { workspace_id, requested_by } = validateBody(StopAll, request.body)
    const workspace = workspace_id?.trim() || undefined
    const stopped_run_ids = runs.stopAll(workspace, requested_by ?? null)
    return { workspace_id: workspace ?? null, stopped_run_ids, count: stopped_run_ids.length }
  })

  app.get<ById>('/api/runs/:id', async (request) => {
    authorize(request)
    return { run: runs.run(request.params.id) }
  })

  app.get<ById>('/api/runs/:id/events', async (request) => {
    authorize(request)
    const { after_seq, limit } = validateQuery(EventsQuery, request.query)
    const events = runs.events(request.params.id, after_seq, limit)
    return { run_id: request.params.id, events, next_after_seq: events.at(-1)?.seq ?? after_seq }
  })

  app.post<ById>('/api/runs/:id/events', async (request) => {
    authorize(request)
    return runs.relay(request.params.id, validateBody(RelayEvent, request.body))
  })

  app.post<ById>('/api/runs/:id/control', async (request) => {
    authorize(request)
    return runs.control(request.params.id, validateBody(ControlRun, request.body))
  })

  app.post<ById>('/api/runs/:id/worker-dispatched', async (request) => {
    authorize(request)
    return runs.dispatched(request.params.id, validateBody(WorkerDispatched, request.body))
  })
}
