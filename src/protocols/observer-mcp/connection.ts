import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  LATEST_PROTOCOL_VERSION,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
  type ServerResult,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'
import * as z from 'zod'
import { describeIssues } from '../../base/external-values.ts'
import { Fault } from '../../base/fault.ts'
import { call } from '../../observer/call.ts'
import { findTool, toolsFor } from '../../observer/registry.ts'
import type { DesktopSession } from '../../observer/session/session.ts'
import { Settings } from '../../observer/settings.ts'
import type { Audience, CallWatch, Progress } from '../../observer/tool.ts'
import { readResource, resourcesFor } from './resources.ts'
import { type Reader, readArguments, toListing, toResult } from './translate.ts'

/** Options of the MCP server. */
export interface McpOptions {
  readonly session: DesktopSession
  /** The tools that the client gets. Those of the session's callers by default. */
  readonly audience?: Audience
  readonly name: string
  readonly version: string
}

const INSTRUCTIONS =
  'Observe before deciding and after every action: list_windows, observe_window, find_element, one action, observe_window. ' +
  'Coordinates are absolute screen pixels; click the centre of an element, x + width div 2 and y + height div 2.'

/** The instructions for the tools, and the task of the scenario. */
export function instructionsFor(session: DesktopSession): string {
  const task = session.computer.simulation?.task
  return task === undefined ? INSTRUCTIONS : `${INSTRUCTIONS} The task: ${task}`
}

/** The revision that the library answers an initialize request with. */
export function negotiatedVersion(message: unknown): string {
  const { params } = message as { params?: { protocolVersion?: unknown } | null }
  return SUPPORTED_PROTOCOL_VERSIONS.find((version) => version === params?.protocolVersion) ?? LATEST_PROTOCOL_VERSION
}

/** Calls a function with the revision that a connection of the server negotiates, which the library does not tell. */
function watchVersion(server: Server, onVersion: (protocolVersion: string) => void): void {
  const connect = server.connect.bind(server)
  server.connect = (transport) => {
    const before = transport.onmessage
    transport.onmessage = (message, extra) => {
      before?.(message, extra)
      if ('method' in message && message.method === 'initialize') onVersion(negotiatedVersion(message))
    }
    return connect(transport)
  }
}

/** Creates the MCP server of a session. It is not connected yet. */
export function observerMcp({ session, name, version, audience = audienceIn(session) }: McpOptions): Server {
  const server = new Server(
    { name, version },
    { capabilities: { tools: {}, resources: {} }, instructions: instructionsFor(session) },
  )
  let protocolVersion: string = LATEST_PROTOCOL_VERSION
  watchVersion(server, (negotiated) => {
    protocolVersion = negotiated
  })
  server.oninitialized = () => tightenBudgets(session, server.getClientCapabilities()?.experimental?.budgets)
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: listTools(session, { audience, protocolVersion }),
  }))
  handle(server, CallToolRequestSchema, ({ params }, { signal, sendNotification }) => {
    const watch = watchOf(signal, sendNotification, params._meta?.progressToken)
    return asParams(callTool(session, params, { audience, protocolVersion }, watch))
  })
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({ resources: resourcesFor(audience) }))
  handle(server, ReadResourceRequestSchema, async ({ params }) => ({
    contents: [await asParams(readResource(session, params.uri, audience))],
  }))
  return server
}

/** Faults of a request are invalid-params errors. */
async function asParams<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (thrown) {
    const fault = Fault.from(thrown)
    throw new McpError(ErrorCode.InvalidParams, fault.message, { code: fault.code })
  }
}

/** The result of tools/list. */
export const listTools = ({ context }: DesktopSession, reader: Reader) =>
  toolsFor(reader.audience, context.settings).map((tool) => toListing(tool, reader))

/** The result of tools/call. Throws `BadRequest` for an unknown tool. */
export async function callTool(
  session: DesktopSession,
  params: { readonly name: string; readonly arguments?: unknown },
  reader: Reader,
  watch: CallWatch,
) {
  const tool = findTool(params.name)
  if (!tool) throw new Fault('BadRequest', `Unknown tool: ${params.name}. See tools/list.`)
  const { args, isInline } = readArguments(tool, params.arguments, reader)
  const options = { caller: 'mcp', audience: reader.audience, watch }
  return toResult(await call(session, params.name, args, options), reader, isInline)
}

/** The tools that the client of a session gets by default. */
export const audienceIn = ({ audience }: DesktopSession): Audience => (audience === 'agent' ? 'agent' : 'harness')

type RequestExtra = RequestHandlerExtra<ServerRequest, ServerNotification>

/** The least progress between two notifications, as a part of the whole wait. */
const PROGRESS_STEP = 0.05

interface ProgressNotification {
  readonly method: 'notifications/progress'
  readonly params: {
    readonly progressToken: string | number
    readonly progress: number
    readonly total: number
    readonly message: string
  }
}

/** Ends a wait when the client cancels its request, and notifies a client that gave a progress token. */
export function watchOf(
  signal: AbortSignal,
  notify: (notification: ProgressNotification) => Promise<void>,
  progressToken: string | number | undefined,
): CallWatch {
  if (progressToken === undefined) return { signal }
  let sentMs = Number.NEGATIVE_INFINITY
  const onProgress = ({ elapsedMs, timeoutMs }: Progress): void => {
    if (elapsedMs - sentMs < timeoutMs * PROGRESS_STEP) return
    sentMs = elapsedMs
    const params = { progressToken, progress: elapsedMs, total: timeoutMs, message: 'waiting' }
    // A client that is gone reads no notification.
    void notify({ method: 'notifications/progress', params }).catch(() => {})
  }
  return { signal, onProgress }
}

/** Handles a method. Invalid params are invalid-params errors; the library would report an internal error. */
function handle<Schema extends typeof CallToolRequestSchema | typeof ReadResourceRequestSchema>(
  server: Server,
  schema: Schema,
  answer: (request: z.infer<Schema>, extra: RequestExtra) => Promise<ServerResult>,
): void {
  server.setRequestHandler(z.looseObject({ method: schema.shape.method }), (request, extra) => {
    const read = schema.safeParse(request)
    if (!read.success) throw new McpError(ErrorCode.InvalidParams, describeIssues(read.error))
    return answer(read.data as z.infer<Schema>, extra)
  })
}

const Budgets = z.partialRecord(Settings.shape.budget.unwrap().keyof(), z.int().min(0))

/** Applies smaller budgets that a client requests at initialize, in `capabilities.experimental.budgets`. */
function tightenBudgets(session: DesktopSession, asked: unknown): void {
  const budgets = Budgets.safeParse(asked)
  if (budgets.success) session.budget.tighten(budgets.data)
}
