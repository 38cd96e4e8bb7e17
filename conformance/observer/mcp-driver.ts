import type * as z from 'zod'
import { fail, parseAs, parseJson } from '../probe/failure.ts'
import type { McpClient } from '../probe/mcp.ts'
import { InitializeResult, ToolCallResult, ToolListResult } from './mcp-shapes.ts'

/** The server's side of a conversation over any transport. */
export type McpPeer = Pick<McpClient, 'request'>

export const VERSION = '2025-06-18'

const greeted = new WeakSet<McpClient>()

/** A session on standard input and output that has shaken hands. */
export async function connect(mcp: McpClient): Promise<McpClient> {
  if (greeted.has(mcp)) return mcp
  await initialize(mcp)
  mcp.notify('notifications/initialized')
  greeted.add(mcp)
  return mcp
}

/** The params of initialize. */
export const greetingOf = (protocolVersion: string) => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'conformance', version: '1.0' },
})

/** Shakes hands. */
export async function initialize(mcp: McpPeer, protocolVersion = VERSION) {
  const { result } = await mcp.request('initialize', greetingOf(protocolVersion))
  return parseAs(InitializeResult, result, 'the answer to initialize')
}

export async function call(mcp: McpPeer, name: string, args: object = {}) {
  const { result, error } = await mcp.request('tools/call', { name, arguments: args })
  if (error) fail(`tools/call ${name} is error ${error.code}: ${error.message}`)
  return parseAs(ToolCallResult, result, `the answer to tools/call ${name}`)
}

/** The JSON that a tool answered as text. */
export function textOf({ content }: z.infer<typeof ToolCallResult>): unknown {
  const text = content.find((item) => item.type === 'text')
  if (text?.type !== 'text') fail('the answer has no text')
  return parseJson(text.text as string, 'the text of the answer')
}

export async function listTools(mcp: McpPeer) {
  const { result } = await mcp.request('tools/list', {})
  return parseAs(ToolListResult, result, 'the answer to tools/list').tools
}
