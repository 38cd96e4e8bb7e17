import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import type { DesktopSessions } from '../../observer/session/sessions.ts'
import { readJson } from '../http/app.ts'
import type { ApiDescription } from '../http/document.ts'
import { type Route, routesFor } from '../http/route.ts'
import type { Environments } from './environments.ts'
import type { Episode } from './episode.ts'
import { answerRpc, parseError } from './mcp.ts'
import { SPLIT_LIST, TaskList } from './tasks.ts'
import {
  ENVIRONMENT,
  EpisodeState,
  INCOMING,
  OUTGOING,
  PlayResult,
  Problem,
  READERS,
  ResetRequest,
  RpcResponse,
  SplitRequest,
  StepRequest,
  schemas,
  Task,
  TaskRangeRequest,
  TaskRequest,
} from './wire.ts'

/** What the routes share. */
export interface RouteContext {
  readonly environments: Environments
  readonly sessions: DesktopSessions
  /** The version of the package. */
  readonly version: string
  /** The URL of the observer's page for a caller. Undefined when the observer is not served. */
  readonly livePage: (request: { readonly hostname: string }) => URL | undefined
}

const route = routesFor<RouteContext>(READERS)

const REFUSED = { 400: Problem, 401: Problem, 403: Problem, 413: Problem, 422: Problem, 503: Problem }
const TASK_REFUSED = { 400: Problem, 401: Problem, 403: Problem, 404: Problem, 413: Problem, 422: Problem }

/** Plays on an environment that ends with the request. */
async function once<T>({ environments }: RouteContext, play: (episode: Episode) => Promise<T> | T): Promise<T> {
  const { episode, release } = await environments.open()
  try {
    return await play(episode)
  } finally {
    await release()
  }
}

/** The routes of one environment. */
const EPISODE_ROUTES: readonly Route<RouteContext>[] = [
  route(
    {
      method: 'post',
      path: '/reset',
      summary: 'Start an episode that ends with the response. Episodes of several steps are played over /ws.',
      body: ResetRequest,
      bodyOptional: true,
      responses: { 200: PlayResult, ...REFUSED },
    },
    (context, { body, reply }) => {
      const args = body()
      return once(context, async (episode) => reply.send(await episode.reset(args)))
    },
  ),
  route(
    {
      method: 'post',
      path: '/step',
      summary: 'Perform an action on a new environment. Episodes of several steps are played over /ws.',
      body: StepRequest,
      responses: { 200: PlayResult, ...REFUSED },
    },
    (context, { body, reply }) => {
      const { action } = body()
      return once(context, async (episode) => reply.send(await episode.step(action)))
    },
  ),
  route(
    {
      method: 'get',
      path: '/state',
      summary: 'The state of a new environment.',
      responses: { 200: EpisodeState, 401: Problem, 403: Problem, 503: Problem },
    },
    (context, { reply }) => once(context, async (episode) => reply.send(episode.state())),
  ),
  route(
    {
      method: 'post',
      path: '/mcp',
      summary: 'JSON-RPC: the tools of an environment, and environments that outlive a request.',
      body: z.looseObject({}),
      bodyOptional: true,
      responses: { 200: RpcResponse, 401: Problem, 403: Problem, 413: Problem },
    },
    async ({ environments }, { request, reply }) => {
      let message: unknown
      try {
        message = readJson(request.body)
      } catch (thrown) {
        return reply.send(parseError(`Parse error: ${Fault.from(thrown).message}`))
      }
      return reply.send(await answerRpc(message, environments))
    },
  ),
]

/** What anybody may read. */
const INFO_ROUTES: readonly Route<RouteContext>[] = [
  route(
    {
      method: 'get',
      path: '/health',
      summary: 'The health of the server.',
      responses: { 200: z.object({ status: z.enum(['healthy', 'unhealthy', 'degraded']) }) },
    },
    () => ({ status: 'healthy' as const }),
  ),
  route(
    {
      method: 'get',
      path: '/metadata',
      summary: 'The name and the description of the environment.',
      responses: {
        200: z.object({
          name: z.string(),
          description: z.string(),
          readme_content: z.string().nullable(),
          version: z.string(),
          author: z.string(),
          documentation_url: z.string().nullable(),
        }),
      },
    },
    ({ version }) => ({
      name: ENVIRONMENT,
      description:
        'Synthetic desktops for agents that use graphical interfaces: a task, the windows as elements or pixels, the tools of a user, and a reward from the state of the desktop.',
      readme_content: null,
      version,
      author: 'Backlot',
      documentation_url: null,
    }),
  ),
  route(
    {
      method: 'get',
      path: '/schema',
      summary: 'The JSON Schemas of actions, observations and states.',
      responses: {
        200: z.object({
          action: z.looseObject({}),
          observation: z.looseObject({}),
          reset_observation: z.looseObject({}),
          state: z.looseObject({}),
        }),
      },
    },
    () => schemas(),
  ),
]

/** A route of the Task API, for one environment by its name. */
function assertEnvironment({ env_name }: { readonly env_name: string }): void {
  if (env_name.toLowerCase() !== ENVIRONMENT)
    throw new Fault(
      'SessionNotFound',
      `unknown environment ${JSON.stringify(env_name)}; this server has ${ENVIRONMENT}`,
    )
}

const listOf = async ({ sessions }: RouteContext): Promise<TaskList> => new TaskList(await sessions.scenarios())

const SPLIT = z.object({ name: z.string(), type: z.enum(['train', 'validation', 'test']) })

/** The Task API: the scenarios with the seeds of each split. */
const TASK_ROUTES: readonly Route<RouteContext>[] = [
  route(
    {
      method: 'get',
      path: '/list_environments',
      summary: 'The environments of the server.',
      responses: { 200: z.array(z.string()), 401: Problem, 403: Problem },
    },
    () => [ENVIRONMENT],
  ),
  route(
    {
      method: 'get',
      path: '/{env_name}/splits',
      summary: 'The splits. No two have a seed in common.',
      responses: { 200: z.array(SPLIT), 401: Problem, 403: Problem, 404: Problem },
    },
    (_, { params }) => {
      assertEnvironment(params)
      return SPLIT_LIST
    },
  ),
  route(
    {
      method: 'post',
      path: '/{env_name}/tasks',
      summary: 'All tasks of a split.',
      body: SplitRequest,
      responses: { 200: z.object({ tasks: z.array(Task), env_name: z.string() }), ...TASK_REFUSED },
    },
    async (context, { params, body }) => {
      assertEnvironment(params)
      return { tasks: (await listOf(context)).slice(body().split), env_name: ENVIRONMENT }
    },
  ),
  route(
    {
      method: 'post',
      path: '/{env_name}/num_tasks',
      summary: 'The number of tasks of a split.',
      body: SplitRequest,
      responses: { 200: z.object({ num_tasks: z.int() }), ...TASK_REFUSED },
    },
    async (context, { params, body }) => {
      assertEnvironment(params)
      return { num_tasks: (await listOf(context)).count(body().split) }
    },
  ),
  route(
    {
      method: 'post',
      path: '/{env_name}/task',
      summary: 'A task of a split.',
      body: TaskRequest,
      responses: { 200: z.object({ task: Task }), ...TASK_REFUSED },
    },
    async (context, { params, body }) => {
      assertEnvironment(params)
      const { split, index } = body()
      return { task: (await listOf(context)).at(split, index) }
    },
  ),
  route(
    {
      method: 'post',
      path: '/{env_name}/task_range',
      summary: 'The tasks of a split between two indices, as a slice of Python.',
      body: TaskRangeRequest,
      responses: { 200: z.object({ tasks: z.array(Task) }), ...TASK_REFUSED },
    },
    async (context, { params, body }) => {
      assertEnvironment(params)
      const { split, start, stop } = body()
      return { tasks: (await listOf(context)).slice(split, start, stop) }
    },
  ),
]

const PageQuery = z.object({ session_id: z.string().optional().describe('By default the environment opened last') })

const PAGE_ROUTE = route(
  {
    method: 'get',
    path: '/web',
    summary: 'Redirect to the live page of an environment.',
    query: PageQuery,
    responses: { 302: null, 401: Problem, 403: Problem, 404: Problem, 422: Problem },
    options: () => ({ config: { pages: 'link' } }),
  },
  ({ environments, sessions, livePage }, { query, request, reply }) => {
    const page = livePage(request)
    if (!page)
      throw new Fault(
        'SessionNotFound',
        'the live page is on the port of the observer; add it: --protocols observer,openenv',
      )
    const { session_id: id = environments.latest } = query()
    if (id !== undefined) sessions.get(id)
    return reply.redirect(new URL(id === undefined ? '/' : `/sessions/${id}/`, page).href, 302)
  },
)

/** All routes. */
export const ROUTES: readonly Route<RouteContext>[] = [...INFO_ROUTES, ...EPISODE_ROUTES, ...TASK_ROUTES, PAGE_ROUTE]

/** The paths that are open to callers without rights. */
export const OPEN_PATHS: readonly string[] = ['/openapi.json', '/asyncapi.json', ...INFO_ROUTES.map(({ path }) => path)]

/** The documents of the protocol. */
export const openenvApi: ApiDescription = {
  title: 'Backlot: OpenEnv',
  version: '1.0.0',
  description:
    'Environments for training. A WebSocket is an environment: reset starts an episode, step performs an action. Over HTTP, /reset and /step have a new environment for each request.',
  url: 'http://127.0.0.1:8001',
  bearer: true,
  operations: ROUTES,
  channels: [
    { name: 'episodes', over: 'ws', address: '/ws', toServer: INCOMING, toClient: OUTGOING },
    {
      name: 'tools',
      over: 'ws',
      address: '/mcp',
      toServer: { request: z.looseObject({ jsonrpc: z.literal('2.0'), method: z.string() }) },
      toClient: { response: RpcResponse },
    },
  ],
}
