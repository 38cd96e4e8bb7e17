import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { describeIssues } from '../../base/external-values.ts'
import { Fault } from '../../base/fault.ts'
import { callNow } from '../../observer/call.ts'
import { HARNESS_HINT } from '../../observer/gates/audience.ts'
import { liveExplanation } from '../../observer/inspection/live-explanation.ts'
import { liveFile, liveScreen } from '../../observer/inspection/live-screen.ts'
import { liveSelection } from '../../observer/inspection/live-selection.ts'
import { findTool, toolsFor } from '../../observer/registry.ts'
import {
  type CallOutcome,
  isToolArguments,
  type ToolArguments,
  type ToolResult,
  toRefusal,
} from '../../observer/result.ts'
import type { DesktopSession } from '../../observer/session/session.ts'
import type { Tool } from '../../observer/tool.ts'
import { audienceOf, type HarnessAccess } from '../http/guard.ts'
import { tryParseJson } from '../http/json.ts'
import { callerOf, runInBatch, sendReply, sendSerialized, serialize } from './reply.ts'
import {
  fromHover,
  fromLegacyAction,
  fromQuery,
  type HttpReply,
  type ToolRequest,
  toLegacyReply,
  toReply,
} from './translate.ts'

type Method = 'GET' | 'POST' | 'DELETE'

/** The error shape of a route. Version 2 by default. */
export type ErrorShape = 'legacy'

/** A route that calls one tool with a query string or a body as arguments. */
type ToolRoute = readonly [method: Method, path: string, tool: string, shape?: ErrorShape]

/** Every route of the document that calls one tool (observer document, "Endpoints" and "Version 2"). */
export const TOOL_ROUTES: readonly ToolRoute[] = [
  ['GET', '/api/windows', 'list_windows'],
  ['GET', '/api/structure', 'get_window_structure'],
  ['GET', '/api/description', 'get_screen_description', 'legacy'],
  ['GET', '/api/sketch', 'get_screen_sketch', 'legacy'],
  ['GET', '/api/screenshot', 'get_screenshot', 'legacy'],
  ['GET', '/api/full_screenshot', 'get_full_screenshot', 'legacy'],
  ['GET', '/api/visible_areas', 'get_visible_areas', 'legacy'],
  ['POST', '/api/bring_to_foreground', 'bring_to_foreground', 'legacy'],
  ['GET', '/api/screenshot/cropped', 'get_screenshot_cropped'],
  ['GET', '/api/ocr', 'get_ocr'],
  ['GET', '/api/capabilities', 'get_capabilities'],
  ['GET', '/api/monitors', 'get_monitors'],
  ['GET', '/api/find_element', 'find_element'],
  ['GET', '/api/observe', 'observe_window'],
  ['POST', '/api/element/click', 'click_element'],
  ['POST', '/api/element/focus', 'focus_element'],
  ['POST', '/api/element/invoke', 'invoke_element'],
  ['POST', '/api/element/set_value', 'set_value'],
  ['POST', '/api/element/select', 'select_option'],
  ['POST', '/api/element/right_click', 'right_click_element'],
  ['POST', '/api/element/double_click', 'double_click_element'],
  ['POST', '/api/element/key', 'key_into_element'],
  ['POST', '/api/element/clear_text', 'clear_text'],
  ['POST', '/api/element/click_and_observe', 'click_element_and_observe'],
  ['POST', '/api/type_and_observe', 'type_and_observe'],
  ['POST', '/api/key_and_observe', 'press_key_and_observe'],
  ['POST', '/api/drag', 'drag'],
  ['POST', '/api/wait_for', 'wait_for'],
  ['POST', '/api/wait_idle', 'wait_idle'],
  ['POST', '/api/snapshot', 'snapshot'],
  ['GET', '/api/snapshot/:snapshot_id', 'snapshot_get'],
  ['DELETE', '/api/snapshot/:snapshot_id', 'snapshot_drop'],
  ['POST', '/api/snapshot/diff', 'snapshot_diff'],
  ['POST', '/api/trace/start', 'trace_start'],
  ['POST', '/api/trace/stop', 'trace_stop'],
  ['GET', '/api/trace/status', 'trace_status'],
  ['POST', '/api/replay/start', 'replay_start'],
  ['POST', '/api/replay/step', 'replay_step'],
  ['POST', '/api/replay/status', 'replay_status'],
  ['POST', '/api/replay/stop', 'replay_stop'],
  ['POST', '/api/scenario/load', 'load_scenario'],
  ['POST', '/api/assert_state', 'assert_state'],
  ['GET', '/api/budget_status', 'get_budget_status'],
  ['GET', '/api/redaction_status', 'get_redaction_status'],
  ['POST', '/api/propose_action', 'propose_action'],
  ['POST', '/api/session/fork', 'session_fork'],
  ['POST', '/api/session/rewind', 'session_rewind'],
  ['POST', '/api/session/advance', 'session_advance'],
  ['POST', '/api/session/reset', 'session_reset'],
  ['POST', '/api/session/step', 'session_step'],
]

/** The paths with version 1 errors. */
export const LEGACY_PATHS: readonly string[] = [
  '/api/action',
  ...TOOL_ROUTES.flatMap(([, path, , shape]) => (shape === 'legacy' ? [path] : [])),
]

/** Options of the routes. */
export interface RouteOptions {
  /** The session of a request. Throws `SessionNotFound`. */
  readonly sessionOf: (request: FastifyRequest) => DesktopSession
  /** The callers that count as the harness. */
  readonly harness: HarnessAccess
  /** The state of the configuration, for healthz. */
  readonly config: { readonly path: string; readonly error: string | null }
}

/** Registers the routes of one desktop, relative to the prefix. */
export function observerRoutes(app: FastifyInstance, { sessionOf, config, harness }: RouteOptions): void {
  const answer = (
    request: FastifyRequest,
    reply: FastifyReply,
    { tool, args, sentAs, ignored }: ToolRequest,
    legacy = false,
  ): void =>
    runInBatch({
      work: () => {
        const session = sessionOf(request)
        const options = callerOf(session, request.headers, harness)
        const more = sentAs || ignored ? { ...(sentAs && { sentAs }), ignored } : undefined
        return callNow(session, tool, args, more ? { ...options, ...more } : options)
      },
      write: (outcome) => serialize(legacy ? toLegacyReply(outcome) : toReply(outcome)),
      send: (written) => sendSerialized(reply, written),
      refuse: (thrown) => reply.send(thrown),
    })

  for (const [method, path, tool, shape] of TOOL_ROUTES) {
    const definition = requireTool(tool)
    app.route({
      method,
      url: path,
      handler: (request, reply) =>
        answer(request, reply, { tool, args: argumentsOf(definition, method, request) }, shape === 'legacy'),
    })
  }

  app.post('/api/hover', (request, reply) => answer(request, reply, fromHover(request.body)))

  app.post('/api/action', (request, reply) => {
    const asked = attempt(() => fromLegacyAction(request.body))
    if ('fault' in asked) sendReply(reply, toLegacyReply(toRefusal(asked.fault)))
    else answer(request, reply, asked.value, true)
  })

  app.get('/api/bring_to_foreground', (request, reply) => {
    refusePages(request, 'bring_to_foreground')
    return answer(
      request,
      reply,
      { tool: 'bring_to_foreground', args: fromQuery(requireTool('bring_to_foreground'), queryOf(request)) },
      true,
    )
  })

  app.get('/api/tools', async (request, reply) => {
    const session = sessionOf(request)
    const tools = toolsFor(audienceOf(session, request.headers, harness), session.context.settings)
    return sendReply(reply, { status: 200, body: { ok: true, success: true, tools: tools.map((tool) => tool.name) } })
  })
  app.post<{ Params: { name: string } }>('/api/tool/:name', (request, reply) =>
    answer(request, reply, { tool: request.params.name, args: request.body }),
  )
  app.get<{ Params: { name: string } }>('/api/tool/:name', (request, reply) => {
    const tool = findTool(request.params.name)
    if (tool && tool.kind !== 'look')
      throw new Fault('BadRequest', `GET never acts: use POST /api/tool/${tool.name}`, { tool: tool.name })
    const args = tool ? fromQuery(tool, queryOf(request)) : {}
    return answer(request, reply, { tool: request.params.name, args })
  })

  inspectorRoutes(app, { sessionOf, harness })

  app.get('/api/healthz', async (request, reply) =>
    sendReply(reply, { status: 200, body: await healthOf(sessionOf(request), config) }),
  )
}

/** The tool of a route. Throws if it does not exist. */
export function requireTool(name: string): Tool {
  const tool = findTool(name)
  if (!tool) throw new Error(`a route names the tool ${name}, which does not exist`)
  return tool
}

const queryOf = (request: FastifyRequest) => request.query as Readonly<Record<string, unknown>>

function argumentsOf(tool: Tool, method: Method, request: FastifyRequest): unknown {
  if (method === 'POST') return request.body
  const given = fromQuery(tool, queryOf(request))
  const { snapshot_id } = request.params as Readonly<Record<string, string>>
  return snapshot_id === undefined ? given : { ...given, snapshot_id }
}

/** Rejects a GET that acts if any header shows that a web page sent it. */
function refusePages(request: FastifyRequest, what: string): void {
  const { origin, referer } = request.headers
  const page = origin ?? referer ?? request.headers['sec-fetch-mode'] ?? request.headers['sec-fetch-site']
  if (page !== undefined) throw new Fault('PermissionDenied', `GET /api/${what} does not act for web pages: use POST`)
}

function attempt<T>(work: () => T): { value: T } | { fault: Fault } {
  try {
    return { value: work() }
  } catch (thrown) {
    return { fault: Fault.from(thrown) }
  }
}

/** The reply to an error outside of a tool. */
export const failureReply = (fault: Fault, legacy: boolean): HttpReply => {
  const outcome: CallOutcome = toRefusal(fault)
  return legacy ? toLegacyReply(outcome) : toReply(outcome)
}

/** The response of GET /api/healthz: readiness and configuration (observer document, "Health"). */
async function healthOf(
  session: DesktopSession,
  config: { readonly path: string; readonly error: string | null },
): Promise<ToolResult> {
  const { settings, trees, perception } = session.context
  const { ocr, vision } = perception
  return {
    ok: true,
    success: true,
    uptime_s: Math.floor((session.operatorClock.now() - session.startedMs) / 1000),
    step_count: session.steps,
    adapter: session.computer.info.adapter,
    platform: session.computer.info.platform,
    version: session.version,
    config_path: config.path,
    config_error: config.error,
    ...(!session.computer.info.synthetic && { desktop_error: await desktopErrorOf(session) }),
    tree_cache: {
      hits: trees.hits,
      misses: trees.misses,
      entries: trees.windows,
      capture_count: trees.captured,
      capture_ms_total: trees.captureMsTotal,
      capture_ms_max: trees.captureMsMost,
      capture_ms_mean: trees.captured === 0 ? 0 : trees.captureMsTotal / trees.captured,
    },
    ocr: {
      enabled: settings.ocr.enabled,
      engine: ocr?.name ?? null,
      pytesseract_installed: ocr !== undefined,
      configured_path: settings.ocr.tesseract_cmd,
      error: settings.ocr.enabled && !ocr ? 'no text recognition is installed for this desktop' : null,
    },
    vlm: {
      enabled: settings.vlm.enabled,
      base_url: settings.vlm.base_url,
      model: vision?.model ?? null,
      error: settings.vlm.enabled && !vision ? 'set vlm.base_url and vlm.model' : null,
    },
  }
}

/** Why the desktop of a session does not answer, or null when it does. */
async function desktopErrorOf({ computer }: DesktopSession): Promise<string | null> {
  try {
    await computer.monitors()
    return null
  } catch (error) {
    return Fault.from(error).message
  }
}

/** The query for the whole screen. */
export const InspectorScreen = z.object({
  version: z.string().optional().describe('The version of the picture that is shown already: it comes without it'),
  windows_version: z.string().optional().describe('The version of the windows that are shown already'),
  calls_after: z.coerce.number().int().min(0).optional().describe('Only later calls of the log than this sequence'),
})

/** The query that tries a selector, or asks for one. */
export const InspectorSelect = z.object({
  selector: z.string().optional().describe('The selector to try'),
  element_id: z.string().optional().describe('The element to find a selector for, instead'),
  window_uid: z.string().optional().describe('The window; the focused one without'),
})

/** The query that reads a file. */
export const InspectorFile = z.object({
  path: z.string().min(1).describe('The absolute path, such as /home/user/notes.txt'),
})

/** The query that explains a call. */
export const InspectorExplain = z
  .object({
    call: z.coerce.number().int().min(1).optional().describe('The sequence of a call in the log'),
    tool: z.string().optional().describe('A tool that acts, for a call that is not made, instead'),
    args: z.string().optional().describe('The arguments of the tool as JSON'),
  })
  .refine(({ call, tool }) => (call === undefined) !== (tool === undefined), {
    path: ['call'],
    message: 'give either call or tool',
  })

/** Options of the routes for looking at a session. */
interface InspectorOptions {
  /** The session of a request. Throws `SessionNotFound`. */
  readonly sessionOf: (request: FastifyRequest) => DesktopSession
  /** The callers that count as the harness. */
  readonly harness: HarnessAccess
}

/** Registers the routes that look at a session without being calls. Only the harness may use them. */
function inspectorRoutes(app: FastifyInstance, { sessionOf, harness }: InspectorOptions): void {
  const look = <Query extends z.ZodType>(
    path: string,
    schema: Query,
    body: (session: DesktopSession, query: z.infer<Query>) => Promise<object>,
  ): void => {
    app.get(path, async (request, reply) => {
      const session = sessionOf(request)
      if (audienceOf(session, request.headers, harness) === 'agent')
        throw new Fault('PermissionDenied', `only the harness may use the inspector; ${HARNESS_HINT}`)
      const asked = schema.safeParse(request.query)
      if (!asked.success) throw new Fault('BadRequest', describeIssues(asked.error))
      return sendReply(reply, { status: 200, body: { ...(await body(session, asked.data)) } })
    })
  }

  look('/api/inspector/screen', InspectorScreen, (session, query) =>
    liveScreen(session, {
      version: query.version,
      windowsVersion: query.windows_version,
      callsAfter: query.calls_after,
    }),
  )
  look('/api/inspector/explain', InspectorExplain, (session, { call, tool = '', args }) =>
    liveExplanation(session, call === undefined ? { tool, args: parseArguments(args) } : { call }),
  )
  look('/api/inspector/file', InspectorFile, async ({ context }, { path }) => liveFile(context, path))
  look('/api/inspector/select', InspectorSelect, ({ context }, query) =>
    liveSelection(context, { selector: query.selector, elementId: query.element_id, windowUid: query.window_uid }),
  )
}

/** Arguments in a query string. Throws `BadRequest` for anything but a JSON object. */
function parseArguments(text = '{}'): ToolArguments {
  const args = tryParseJson(text)
  if (isToolArguments(args)) return args
  throw new Fault('BadRequest', 'args: expected a JSON object, such as {"selector":"Button"}', { field: 'args' })
}
