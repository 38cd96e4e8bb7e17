import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertAgree } from '../compare/differences.ts'
import { decode } from '../compare/pixels.ts'
import { fail, notOffered, parseAs } from '../probe/failure.ts'
import type { TestContext } from '../suite/test-context.ts'
import {
  call,
  connect,
  initialize,
  listTools,
  type McpPeer,
  openMcpHttp,
  parsedTextOf,
  RpcError,
  STATELESS,
  speaksStateless,
  statelessHttpPeer,
  ToolFailure,
  toStateless,
} from './mcp-driver.ts'
import { Receipt, Windows } from './shapes.ts'
import { MCP_ONLY, NOT_IN_MCP, TOOLS } from './tools.ts'

/** A way to reach the tools over the Model Context Protocol. */
export interface McpTransport {
  connect(context: TestContext): Promise<McpPeer>
}

/** A transport of the revisions up to 2025-11-25, in which the two sides agree on a version. */
interface NegotiatingTransport extends McpTransport {
  /** The version that is answered to a version. */
  versionFor(context: TestContext, version: string): Promise<string>
}

export const stdio: NegotiatingTransport = {
  connect: async (context) => connect(await context.mcp()),
  versionFor: async (context, version) => (await initialize(await context.ownMcp(), version)).protocolVersion,
}

export const streamableHttp: NegotiatingTransport = {
  connect: openMcpHttp,
  versionFor: async (context, version) => (await openMcpHttp(context, version)).greeting.protocolVersion,
}

/** The client of a server that speaks the stateless revision. Ends the check as not offered otherwise. */
async function requireStateless(peer: McpPeer): Promise<McpPeer> {
  if (!(await speaksStateless(peer))) notOffered(`the server does not speak ${STATELESS}`)
  return peer
}

/** Standard input and output, in revision 2026-07-28, with a process of its own that never shook hands. */
export const statelessStdio: McpTransport = {
  connect: async (context) => requireStateless(toStateless(await context.ownMcp())),
}

/** Streamable HTTP in revision 2026-07-28. */
export const statelessHttp: McpTransport = { connect: (context) => requireStateless(statelessHttpPeer(context)) }

/** Tools of the document that act on an element. */
const ACTS = [
  'click_element',
  'focus_element',
  'invoke_element',
  'set_value',
  'select_option',
  'click_element_and_observe',
]

/** Requests whose results have to say that they are complete. */
const RESULTS = [
  ['server/discover', {}],
  ['tools/list', {}],
  ['tools/call', { name: 'list_windows', arguments: {} }],
] as const

/** Methods that revision 2026-07-28 does not have. */
const REMOVED = ['ping', 'logging/setLevel']

const CompleteResult = z.looseObject({ resultType: z.literal('complete') })
const CacheableResult = z.looseObject({ ttlMs: z.int().nonnegative(), cacheScope: z.enum(['public', 'private']) })

/** The checks of what holds over every transport. */
export const mcpChecks = {
  tools: async (transport: McpTransport, context: TestContext) => {
    const listed = (await listTools(await transport.connect(context))).map((tool) => tool.name)
    const wanted = [...TOOLS.map((tool) => tool.name).filter((name) => !NOT_IN_MCP.includes(name)), ...MCP_ONLY]
    assert.deepEqual(
      wanted.filter((name) => !listed.includes(name)),
      [],
      'tools are missing',
    )
    assert.equal(new Set(listed).size, listed.length, 'a tool is listed twice')
  },

  arguments: async (transport: McpTransport, context: TestContext) => {
    const listed = new Map(
      (await listTools(await transport.connect(context))).map((tool) => [tool.name, tool.inputSchema]),
    )
    for (const { name, takes } of TOOLS) {
      const schema = listed.get(name)
      if (!schema) continue
      for (const argument of takes) {
        const plain = argument.replace(/[!?]$/, '')
        assert.ok(plain in schema.properties, `${name} does not list ${plain}`)
        if (!argument.endsWith('?'))
          assert.equal(schema.required.includes(plain), argument.endsWith('!'), `whether ${name} needs ${plain}`)
      }
    }
  },

  call: async (transport: McpTransport, context: TestContext) => {
    const mcp = await transport.connect(context)
    parseAs(Windows, parsedTextOf(await call(mcp, 'list_windows')), 'list_windows over MCP')
    const structure = parsedTextOf(await call(mcp, 'get_window_structure', { roles: ['Button'], prune_empty: true }))
    assert.equal((structure as { ok?: unknown }).ok, true, 'ok')
  },

  act: async (transport: McpTransport, context: TestContext) => {
    const mcp = await transport.connect(context)
    const { tree } = parsedTextOf(await call(mcp, 'observe_window')) as { tree: { id: string } }
    const answer = parsedTextOf(await call(mcp, 'click_element', { element_id: tree.id, dry_run: true }))
    parseAs(Receipt, answer, 'click_element over MCP')
  },

  desktop: async (transport: McpTransport, context: TestContext) => {
    const client = await transport.connect(context)
    const overMcp = parseAs(Windows, parsedTextOf(await call(client, 'list_windows')), 'list_windows over MCP')
    const overRest = (await context.http.get('/api/windows')).json(Windows)
    assertAgree({ MCP: overMcp.windows, REST: overRest.windows }, 'the windows')
  },

  picture: async (transport: McpTransport, context: TestContext) => {
    const { content } = await call(await transport.connect(context), 'get_screenshot')
    const picture = content.find((item) => item.type === 'image')
    if (picture?.type !== 'image') fail('no image is among the content')
    decode(picture.data as string, 'the image')
  },

  isError: async (transport: McpTransport, context: TestContext) => {
    const answer = await call(await transport.connect(context), 'find_element', {
      selector: `Button[name="${context.random.word()}"]`,
    })
    assert.equal(answer.isError, true, 'isError')
    const { error } = parseAs(ToolFailure, parsedTextOf(answer), 'the failure')
    assert.equal(error.code, 'ElementNotFound', 'code')
  },

  unknown: async (transport: McpTransport, context: TestContext) => {
    const mcp = await transport.connect(context)
    const { error } = await mcp.request(context.random.word())
    assert.equal(parseAs(RpcError, error, 'the error of an unknown method').code, -32601, 'code')
  },

  unknownTool: async (transport: McpTransport, context: TestContext) => {
    const mcp = await transport.connect(context)
    const { result, error } = await mcp.request('tools/call', { name: context.random.word(), arguments: {} })
    const failed = error !== undefined || (result as { isError?: unknown } | undefined)?.isError === true
    assert.ok(failed, `an unknown tool succeeds: ${JSON.stringify(result)?.slice(0, 200)}`)
  },

  lists: async (transport: McpTransport, context: TestContext) => {
    const mcp = await transport.connect(context)
    const [first, second] = [(await mcp.request('tools/list')).result, (await mcp.request('tools/list')).result]
    assertAgree({ 'the second answer': second, 'the first answer': first }, 'the list of tools')
    parseAs(CacheableResult, first, 'the answer to tools/list')
  },

  resultTypes: async (transport: McpTransport, context: TestContext) => {
    const mcp = await transport.connect(context)
    for (const [method, params] of RESULTS)
      parseAs(CompleteResult, (await mcp.request(method, params)).result, `the answer to ${method}`)
  },

  removed: async (transport: McpTransport, context: TestContext) => {
    const mcp = await transport.connect(context)
    for (const method of REMOVED) {
      const { error } = await mcp.request(method, method === 'logging/setLevel' ? { level: 'info' } : {})
      assert.equal(parseAs(RpcError, error, `the error of ${method}`).code, -32601, 'code')
    }
  },

  gates: async (transport: McpTransport, context: TestContext) => {
    const listed = await listTools(await transport.connect(context))
    const missing = ACTS.flatMap((name) => {
      const properties = listed.find((tool) => tool.name === name)?.inputSchema.properties ?? {}
      return ['dry_run', 'confirm_token'].filter((argument) => !(argument in properties)).map((one) => `${name} ${one}`)
    })
    assert.deepEqual(missing, [], 'what is missing')
  },

  version: async (transport: NegotiatingTransport, context: TestContext) => {
    const supported = await transport.versionFor(context, '1999-12-31')
    assert.notEqual(supported, '1999-12-31', 'a version that never was is supported')
    assert.equal(await transport.versionFor(context, supported), supported, 'the version that is agreed on')
  },

  versions: async (transport: NegotiatingTransport, context: TestContext) => {
    const latest = ['2025-03-26', '2025-06-18']
    assert.deepEqual(
      await Promise.all(latest.map((version) => transport.versionFor(context, version))),
      latest,
      'the versions that are agreed on',
    )
  },
} satisfies Readonly<Record<string, (transport: NegotiatingTransport, context: TestContext) => Promise<void>>>
