import type { FastifyRequest } from 'fastify'
import { Fault } from '../../../base/fault.ts'
import { matchesSecret } from '../../http/guard.ts'
import type { Route } from '../../http/route.ts'
import { ControlRun, CreateRun, EventsQuery, Heartbeat, RelayEvent, StopAll, WorkerDispatched } from '../requests.ts'
import { HeartbeatResponse, RunChanged, RunCreated, RunEvents, RunRead, StopAllResponse } from '../responses.ts'
import { answers, identify, type RouteContext, route } from '../route.ts'

function authorize(server: RouteContext, request: FastifyRequest): void {
  // Without authentication, workers need only the key.
  if (server.auth === 'install') identify(server, request)
  const { runs } = server.runKeys
  if (runs === undefined) throw new Fault('PlatformUnsupported', 'Runs API key is not configured')
  if (!matchesSecret(request.headers['x-windie-runs-key'], runs))
    throw new Fault('Unauthorized', 'Invalid runs API key')
}

/** The control plane for runs (WindieOS document, "Runs"). */
export const RUN_ROUTES: readonly Route<RouteContext>[] = [
  route(
    {
      method: 'post',
      path: '/api/runs',
      summary: 'Create a run.',
      body: CreateRun,
      responses: answers(RunCreated, 409),
      trailingSlash: true,
    },
    (server, { body, request }) => {
      authorize(server, request)
      return server.runs.create(body())
    },
  ),
  route(
    {
      method: 'post',
      path: '/api/runs/workers/heartbeat',
      summary: 'Report the heartbeat of a worker.',
      body: Heartbeat,
      responses: answers(HeartbeatResponse),
    },
    (server, { body, request }) => {
      authorize(server, request)
      return server.runs.heartbeat(body())
    },
  ),
  route(
    {
      method: 'post',
      path: '/api/runs/stop-all',
      summary: 'Stop every run.',
      body: StopAll,
      responses: answers(StopAllResponse),
    },
    (server, { body, request }) => {
      authorize(server, request)
      const { control } = server.runKeys
      if (control !== undefined && !matchesSecret(request.headers['x-windie-runs-control-key'], control))
        throw new Fault('Unauthorized', 'Invalid runs control API key')
      const { workspace_id, requested_by } = body()
      const workspace = workspace_id?.trim() || undefined
      const stopped_run_ids = server.runs.stopAll(workspace, requested_by ?? null)
      return { workspace_id: workspace ?? null, stopped_run_ids, count: stopped_run_ids.length }
    },
  ),
  route(
    { method: 'get', path: '/api/runs/{id}', summary: 'The state of a run.', responses: answers(RunRead, 404) },
    (server, { params, request }) => {
      authorize(server, request)
      return { run: server.runs.run(params.id) }
    },
  ),
  route(
    {
      method: 'get',
      path: '/api/runs/{id}/events',
      summary: 'The events of a run.',
      query: EventsQuery,
      responses: answers(RunEvents, 404),
    },
    (server, { params, query, request }) => {
      authorize(server, request)
      const { after_seq, limit } = query()
      const events = server.runs.events(params.id, after_seq, limit)
      return { run_id: params.id, events, next_after_seq: events.at(-1)?.seq ?? after_seq }
    },
  ),
  route(
    {
      method: 'post',
      path: '/api/runs/{id}/events',
      summary: 'Relay an event of a worker.',
      body: RelayEvent,
      responses: answers(RunChanged, 404),
    },
    (server, { params, body, request }) => {
      authorize(server, request)
      return server.runs.relay(params.id, body())
    },
  ),
  route(
    {
      method: 'post',
      path: '/api/runs/{id}/control',
      summary: 'Pause, resume, stop or hand over a run.',
      body: ControlRun,
      responses: answers(RunChanged, 404, 409),
    },
    (server, { params, body, request }) => {
      authorize(server, request)
      return server.runs.control(params.id, body())
    },
  ),
  route(
    {
      method: 'post',
      path: '/api/runs/{id}/worker-dispatched',
      summary: 'Report that a worker has started a run.',
      body: WorkerDispatched,
      responses: answers(RunChanged, 404, 409),
    },
    (server, { params, body, request }) => {
      authorize(server, request)
      return server.runs.dispatched(params.id, body())
    },
  ),
]
