import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import { inputSchema, toolsFor } from '../../observer/registry.ts'
import type { ToolResult } from '../../observer/result.ts'
import type { Environments } from './environments.ts'
import type { Episode } from './episode.ts'
import type { RpcResponse } from './wire.ts'

/** The errors of JSON-RPC 2.0. */
const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602
const SERVER_ERROR = -32000

const RpcRequest = z.strictObject({
  jsonrpc: z.literal('2.0'),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).nullish(),
  id: z.union([z.string(), z.int()]).nullish(),
})

class RpcError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data: unknown = null) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** The answer to a text that is not JSON. */
export const parseError = (message: string): RpcResponse => failure(null, new RpcError(PARSE_ERROR, message))

/** The answer to a client that gets no environment. */
export const refuseRpc = (fault: Fault): RpcResponse => failure(null, fromFault(fault))

const fromFault = ({ code, message, context }: Fault): RpcError =>
  new RpcError(SERVER_ERROR, message, { code, ...context })

const failure = (id: string | number | null, { code, message, data }: RpcError): RpcResponse => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, data },
})

/**
 * Answers a JSON-RPC request for the tools of an environment.
 * @param own The environment of the connection. Undefined over HTTP.
 */
export async function answerRpc(message: unknown, environments: Environments, own?: Episode): Promise<RpcResponse> {
  const read = RpcRequest.safeParse(message)
  if (!read.success) {
    const places = read.error.issues.map(({ path, message }) => `${path.join('.') || 'request'}: ${message}`)
    return failure(null, new RpcError(INVALID_REQUEST, `Invalid request: ${places.slice(0, 5).join('; ')}`))
  }
  const { method, params, id = null } = read.data
  try {
    return { jsonrpc: '2.0', id, result: await resultOf(method, params ?? {}, environments, own) }
  } catch (thrown) {
    if (thrown instanceof RpcError) return failure(id, thrown)
    const fault = Fault.from(thrown)
    if (fault.cause !== undefined) throw thrown
    return failure(id, fromFault(fault))
  }
}

async function resultOf(
  method: string,
  params: ToolResult,
  environments: Environments,
  own: Episode | undefined,
): Promise<unknown> {
  switch (method) {
    case 'tools/list':
      return {
        tools: toolsFor('agent').map((tool) => ({
          name: tool.name,
          description: tool.summary,
          inputSchema: inputSchema(tool),
        })),
      }
    case 'tools/call':
      return callTool(params, environments, own)
    case 'openenv/session/create':
      return { session_id: own?.session.id ?? (await environments.create()) }
    case 'openenv/session/close': {
      const session_id = textOf(params, 'session_id')
      if (own?.session.id === session_id)
        throw new RpcError(INVALID_REQUEST, 'the session belongs to this connection; close the connection')
      if (!environments.find(session_id)) throw new RpcError(INVALID_PARAMS, `Unknown session_id: ${session_id}`)
      const closed = await environments.close(session_id)
      return { session_id, closed, ...(!closed && { closing: true }) }
    }
    default:
      throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${method}`)
  }
}

async function callTool(
  { session_id: id, ...params }: ToolResult,
  environments: Environments,
  own: Episode | undefined,
): Promise<unknown> {
  const name = textOf(params, 'name')
  const known = own ?? (typeof id === 'string' ? environments.find(id) : undefined)
  if (!known && id !== undefined) throw new RpcError(INVALID_PARAMS, `Unknown session_id: ${String(id)}`)
  // Without a session, the call has an environment of its own.
  const lease = known ? undefined : await environments.open()
  try {
    const { body, fault } = await (known ?? lease!.episode).callTool(name, params.arguments ?? {})
    const text = JSON.stringify(body)
    return { content: [{ type: 'text', text }], structuredContent: body, isError: fault !== undefined }
  } finally {
    await lease?.release()
  }
}

function textOf(params: ToolResult, name: string): string {
  const value = params[name]
  if (typeof value === 'string' && value !== '') return value
  throw new RpcError(INVALID_PARAMS, `Invalid params: ${name} is required`)
}
