import assert from 'node:assert/strict'
import { notOffered, parseAs } from '../../probe/failure.ts'
import type { AnyJson } from '../../suite/behaviors.ts'
import { changeData } from '../../suite/generated-sabotages.ts'
import { defineRules, MCP_CHECK } from '../../suite/rules.ts'
import type { ProxiedRequest, SabotageBehavior } from '../../suite/sabotage.ts'
import { sources } from '../document.ts'
import { mcpChecks, statelessHttp, statelessStdio } from '../mcp-checks.ts'
import {
  askStateless,
  DiscoverResult,
  RpcError,
  STATELESS,
  speaksStateless,
  statelessHttpPeer,
  toStateless,
} from '../mcp-driver.ts'
import { hideTool, inAnswer, inStateless, toolIn } from '../mcp-sabotage.ts'

const isStateless = ({ method, path, headers }: ProxiedRequest): boolean =>
  method === 'POST' &&
  path.split('?')[0] === '/mcp' &&
  headers['mcp-protocol-version'] !== undefined &&
  'mcp-method' in headers

/** Changes the messages of the revision, on event streams and as JSON. */
const overHttp = ({ changeMessage }: SabotageBehavior): SabotageBehavior => ({
  changeFrames: () => (frame) => [
    frame.includes('"jsonrpc"') ? changeData(frame, (message) => changeMessage?.(message as never)) : frame,
  ],
  changeResponse: ({ json }, request) => {
    if (isStateless(request) && typeof json === 'object' && json !== null) changeMessage?.(json as never)
  },
})

const inRequest = (change: (request: ProxiedRequest) => void): SabotageBehavior => ({
  changeRequest: (request) => {
    if (isStateless(request)) change(request)
  },
})

const inTools = (change: (tools: AnyJson) => void) =>
  inStateless(
    (result) => change(result.tools),
    (result) => Array.isArray(result.tools),
  )

const inContent = (change: (result: AnyJson) => void) => inStateless(change, (result) => Array.isArray(result.content))

const inText = (change: (json: AnyJson) => void) =>
  inContent((result) => {
    const text = result.content.find((item: AnyJson) => item.type === 'text')
    if (!text) return
    const json = JSON.parse(text.text)
    change(json)
    text.text = JSON.stringify(json)
  })

const inDiscovery = (change: (result: AnyJson) => void) =>
  inStateless(change, (result) => Array.isArray(result.supportedVersions))

/** Turns one error into another, or into a success. */
const changeError = (from: number, change: (message: AnyJson) => void) =>
  inAnswer((message) => {
    if (message.error?.code === from) change(message)
  })

const succeed = (message: AnyJson): void => {
  delete message.error
  message.result = { resultType: 'complete' }
}

/** Why a rule about tools holds in this revision too. */
const SAME_TOOLS = { because: 'A revision changes how requests are sent; it changes no tool.' }

/** Model Context Protocol 2026-07-28 over Streamable HTTP. Not offered by a server of older revisions. */
export const mcpStatelessRules = defineRules('mcp-2026-http', ['mcp-2026-http:discover'], {
  discover: {
    level: 'SHOULD',
    text: 'In 2026-07-28: server/discover answers with the supported versions and the capability tools.',
    source: sources.mcpStateless,
    basis: { states: 'A server must answer server/discover.' },
    covers: ['O-M7'],
    tier: 'full',
    check: async (context) => {
      const peer = statelessHttpPeer(context)
      if (!(await speaksStateless(peer))) notOffered(`the server does not speak ${STATELESS}`)
      parseAs(DiscoverResult, (await peer.request('server/discover')).result, 'the answer to server/discover')
    },
    sabotage: {
      'MCP 2026-07-28: does not name the revision': overHttp(
        inDiscovery((result) => {
          result.supportedVersions = ['2025-11-25']
        }),
      ),
      'MCP 2026-07-28: cannot have tools': overHttp(
        inDiscovery((result) => {
          delete result.capabilities.tools
        }),
      ),
    },
  },

  tools: {
    level: 'SHOULD',
    text: 'In 2026-07-28: tools/list lists the documented tools, each with a description and an input schema.',
    source: sources.mcpReference,
    basis: SAME_TOOLS,
    covers: ['O-M7'],
    tier: 'full',
    check: (context) => mcpChecks.tools(statelessHttp, context),
    sabotage: { 'MCP 2026-07-28: hides a tool': overHttp(inTools(hideTool)) },
  },

  arguments: {
    level: 'SHOULD',
    text: 'In 2026-07-28: every documented argument is in the input schema, and the documented ones are required.',
    source: sources.mcpReference,
    basis: SAME_TOOLS,
    covers: ['O-M7'],
    tier: 'full',
    check: (context) => mcpChecks.arguments(statelessHttp, context),
    sabotage: {
      'MCP 2026-07-28: hides an argument': overHttp(
        inTools((tools) => {
          delete toolIn(tools, 'click_element').inputSchema.properties.selector
        }),
      ),
    },
  },

  call: {
    level: 'SHOULD',
    text: 'In 2026-07-28: tools/call answers with text that is the JSON of the same answer over REST.',
    source: sources.mcpReference,
    basis: SAME_TOOLS,
    covers: ['O-M7'],
    tier: 'full',
    check: (context) => mcpChecks.call(statelessHttp, context),
    sabotage: {
      'MCP 2026-07-28: counts no windows': overHttp(
        inText((json) => {
          delete json.count
        }),
      ),
    },
  },

  act: {
    level: 'SHOULD',
    text: 'In 2026-07-28: an action answers with a receipt.',
    source: sources.mcpReference,
    basis: SAME_TOOLS,
    covers: ['O-M7'],
    tier: 'full',
    check: (context) => mcpChecks.act(statelessHttp, context),
    sabotage: {
      'MCP 2026-07-28: sends receipts without a name': overHttp(
        inText((json) => {
          delete json.action
        }),
      ),
    },
  },

  picture: {
    level: 'SHOULD',
    text: 'In 2026-07-28: a screenshot comes as image content.',
    source: sources.mcpStateless,
    basis: SAME_TOOLS,
    covers: ['O-M7'],
    tier: 'full',
    check: (context) => mcpChecks.picture(statelessHttp, context),
    sabotage: {
      'MCP 2026-07-28: shows no picture': overHttp(
        inContent((result) => {
          result.content = [{ type: 'text', text: '{}' }]
        }),
      ),
    },
  },

  'is-error': {
    level: 'SHOULD',
    text: 'In 2026-07-28: a failed tool answers with isError and the error object as text.',
    source: sources.mcpStateless,
    basis: SAME_TOOLS,
    covers: ['O-M7'],
    tier: 'full',
    check: (context) => mcpChecks.isError(statelessHttp, context),
    sabotage: {
      'MCP 2026-07-28: calls failures successes': overHttp(
        inContent((result) => {
          delete result.isError
        }),
      ),
    },
  },

  'unknown-tool': {
    level: 'SHOULD',
    text: 'In 2026-07-28: a call of an unknown tool is an error, of the protocol or of the tool.',
    source: sources.mcpStateless,
    basis: SAME_TOOLS,
    covers: ['O-M7'],
    tier: 'full',
    check: (context) => mcpChecks.unknownTool(statelessHttp, context),
    sabotage: {
      'MCP 2026-07-28: knows every tool': overHttp(
        changeError(-32602, (message) => {
          succeed(message)
          message.result.content = [{ type: 'text', text: '{"error":"Unknown tool"}' }]
        }),
      ),
    },
  },

  desktop: {
    level: 'SHOULD',
    text: 'In 2026-07-28: MCP over HTTP and REST serve the same desktop.',
    source: 'good sense',
    basis: { because: 'Both are at one address.' },
    covers: ['O-M7'],
    tier: 'full',
    check: (context) => mcpChecks.desktop(statelessHttp, context),
    sabotage: {
      'MCP 2026-07-28: shows another desktop than REST': overHttp(
        inText((json) => {
          if (json.windows) json.count = json.windows.splice(1).length
        }),
      ),
    },
  },

  'result-type': {
    level: 'SHOULD',
    text: 'In 2026-07-28: each result has the type complete when it asks for nothing.',
    source: sources.mcpStateless,
    basis: { states: 'A result has resultType, which is complete or input_required.' },
    covers: ['O-M7'],
    tier: 'full',
    check: (context) => mcpChecks.resultTypes(statelessHttp, context),
    sabotage: {
      'MCP 2026-07-28: types no results of tools': overHttp(
        inContent((result) => {
          delete result.resultType
        }),
      ),
      'MCP 2026-07-28: asks for input with the list': overHttp(
        inStateless(
          (result) => {
            result.resultType = 'input_required'
          },
          (result) => Array.isArray(result.tools),
        ),
      ),
    },
  },

  lists: {
    level: 'SHOULD',
    text: 'In 2026-07-28: tools/list is the same each time, and states how long and by whom it may be kept.',
    source: sources.mcpStateless,
    basis: { states: 'Lists have ttlMs and cacheScope, are the same for all connections, and keep their order.' },
    covers: ['O-M7'],
    tier: 'full',
    check: (context) => mcpChecks.lists(statelessHttp, context),
    sabotage: {
      'MCP 2026-07-28: lists tools in another order each time': overHttp(shuffled()),
      'MCP 2026-07-28: states no time for lists': overHttp(
        inStateless((result) => {
          delete result.ttlMs
        }),
      ),
    },
  },

  removed: {
    level: 'SHOULD',
    text: 'In 2026-07-28: ping and logging/setLevel are unknown methods, error -32601.',
    source: sources.mcpStateless,
    basis: { states: 'The revision has neither ping nor logging/setLevel.' },
    covers: ['O-M7'],
    tier: 'full',
    check: (context) => mcpChecks.removed(statelessHttp, context),
    sabotage: { 'MCP 2026-07-28: still answers pings': overHttp(changeError(-32601, succeed)) },
  },

  stateless: {
    level: 'SHOULD',
    text: 'In 2026-07-28: a request needs no other before it, and no response has a session id.',
    source: sources.mcpStateless,
    basis: { states: 'There is no initialize and no Mcp-Session-Id.' },
    covers: ['O-M7'],
    tier: 'full',
    check: async (context) => {
      await statelessHttp.connect(context)
      const reply = await askStateless(context, 'tools/call', { name: 'list_windows', arguments: {} })
      assert.deepEqual(
        [reply.status, reply.headers['mcp-session-id']],
        [200, undefined],
        'the status and the session id',
      )
    },
    sabotage: {
      'MCP 2026-07-28: gives out session ids': {
        changeStreamHeaders: (headers) => {
          headers['mcp-session-id'] = 'session'
        },
        changeResponse: ({ headers }, request) => {
          if (isStateless(request)) headers['mcp-session-id'] = 'session'
        },
      },
    },
  },

  headers: {
    level: 'SHOULD',
    text: 'In 2026-07-28: a header Mcp-Method or Mcp-Name that differs from the body is refused with 400 and -32020.',
    source: sources.mcpStateless,
    basis: { states: 'The headers are required and repeat the body; a difference is HeaderMismatch, -32020.' },
    covers: ['O-M7'],
    tier: 'full',
    check: async (context) => {
      await statelessHttp.connect(context)
      const params = { name: 'list_windows', arguments: {} }
      for (const headers of [{ 'mcp-method': 'tools/list' }, { 'mcp-name': 'observe_window' }]) {
        const { status, error } = await askStateless(context, 'tools/call', params, headers)
        const { code } = parseAs(RpcError, error, `the error of ${JSON.stringify(headers)}`)
        assert.deepEqual({ status, code }, { status: 400, code: -32020 })
      }
    },
    sabotage: {
      'MCP 2026-07-28: reads no headers': inRequest((request) => {
        const { method, params } = JSON.parse(request.body.toString())
        request.headers['mcp-method'] = method
        if (params?.name !== undefined) request.headers['mcp-name'] = params.name
      }),
    },
  },

  version: {
    level: 'SHOULD',
    text: 'In 2026-07-28: an unknown revision is refused with -32022 and the supported ones.',
    source: sources.mcpStateless,
    basis: { states: 'An unsupported revision is UnsupportedProtocolVersion, -32022.' },
    covers: ['O-M7'],
    tier: 'full',
    check: async (context) => {
      await statelessHttp.connect(context)
      const { status, error } = await askStateless(context, 'tools/list', {}, {}, '2099-01-01')
      assert.deepEqual({ status, code: parseAs(RpcError, error, 'the error').code }, { status: 400, code: -32022 })
    },
    sabotage: {
      'MCP 2026-07-28: calls unknown revisions invalid requests': overHttp(
        changeError(-32022, ({ error }) => {
          error.code = -32600
        }),
      ),
    },
  },

  resource: {
    level: 'SHOULD',
    text: 'In 2026-07-28: an unknown resource is error -32602.',
    source: sources.mcpStateless,
    basis: { states: 'A resource that is not found is -32602.' },
    covers: ['O-M7'],
    tier: 'full',
    check: async (context) => {
      const peer = await statelessHttp.connect(context)
      const { result } = await peer.request('server/discover')
      if (!parseAs(DiscoverResult, result, 'the answer to server/discover').capabilities.resources)
        notOffered('the server has no resources')
      const { error } = await peer.request('resources/read', { uri: `test://${context.random.word()}` })
      assert.equal(parseAs(RpcError, error, 'the error').code, -32602, 'code')
    },
    sabotage: {
      'MCP 2026-07-28: has a code of its own for unknown resources': overHttp(
        changeError(-32602, (message) => {
          if (/resource|uri|:\/\//i.test(message.error.message)) message.error.code = -32002
        }),
      ),
    },
  },
})

/** Reverses every second list of tools. */
function shuffled(): SabotageBehavior {
  let count = 0
  return inTools((tools) => {
    if (count++ % 2 === 1) tools.reverse()
  })
}

/** Model Context Protocol 2026-07-28 over standard input and output. Not offered by a server of older revisions. */
export const mcpStatelessStdioRules = defineRules('mcp-2026', ['mcp-2026:discover'], {
  discover: {
    level: 'MUST',
    text: 'A server of 2026-07-28 answers server/discover with its versions and the capability tools.',
    source: sources.mcpStateless,
    basis: { states: 'A server must answer server/discover.' },
    covers: ['O-M7'],
    ...MCP_CHECK,
    check: async (context) => {
      const mcp = toStateless(await context.ownMcp())
      if (!(await speaksStateless(mcp))) notOffered(`the server does not speak ${STATELESS}`)
      parseAs(DiscoverResult, (await mcp.request('server/discover')).result, 'the answer to server/discover')
    },
    sabotage: {
      'MCP 2026-07-28 over stdio: does not name the revision': inDiscovery((result) => {
        result.supportedVersions = ['2025-11-25']
      }),
    },
  },

  tools: {
    level: 'SHOULD',
    text: 'Over standard input in 2026-07-28, tools/list lists the documented tools.',
    source: sources.mcpReference,
    basis: SAME_TOOLS,
    covers: ['O-M7'],
    ...MCP_CHECK,
    check: (context) => mcpChecks.tools(statelessStdio, context),
    sabotage: { 'MCP 2026-07-28 over stdio: hides a tool': inTools(hideTool) },
  },

  call: {
    level: 'SHOULD',
    text: 'Over standard input in 2026-07-28, tools/call answers with the JSON of the answer over REST as text.',
    source: sources.mcpReference,
    basis: SAME_TOOLS,
    covers: ['O-M7'],
    ...MCP_CHECK,
    check: (context) => mcpChecks.call(statelessStdio, context),
    sabotage: {
      'MCP 2026-07-28 over stdio: counts no windows': inText((json) => {
        delete json.count
      }),
    },
  },

  'is-error': {
    level: 'SHOULD',
    text: 'Over standard input in 2026-07-28, a failed tool answers with isError and the error object as text.',
    source: sources.mcpStateless,
    basis: SAME_TOOLS,
    covers: ['O-M7'],
    ...MCP_CHECK,
    check: (context) => mcpChecks.isError(statelessStdio, context),
    sabotage: {
      'MCP 2026-07-28 over stdio: calls failures successes': inContent((result) => {
        delete result.isError
      }),
    },
  },

  'result-type': {
    level: 'MUST',
    text: 'Over standard input in 2026-07-28, each result has the type complete when it asks for nothing.',
    source: sources.mcpStateless,
    basis: { states: 'A result has resultType, which is complete or input_required.' },
    covers: ['O-M7'],
    ...MCP_CHECK,
    check: (context) => mcpChecks.resultTypes(statelessStdio, context),
    sabotage: {
      'MCP 2026-07-28 over stdio: types no results of tools': inContent((result) => {
        delete result.resultType
      }),
    },
  },

  lists: {
    level: 'SHOULD',
    text: 'Over standard input in 2026-07-28, tools/list is the same each time, and states how it may be kept.',
    source: sources.mcpStateless,
    basis: { states: 'Lists have ttlMs and cacheScope, are the same for all connections, and keep their order.' },
    covers: ['O-M7'],
    ...MCP_CHECK,
    check: (context) => mcpChecks.lists(statelessStdio, context),
    sabotage: {
      'MCP 2026-07-28 over stdio: states no scope for lists': inStateless((result) => {
        delete result.cacheScope
      }),
    },
  },

  version: {
    level: 'MUST',
    text: 'Over standard input, an unknown revision in _meta is error -32022.',
    source: sources.mcpStateless,
    basis: { states: 'An unsupported revision is UnsupportedProtocolVersion, -32022.' },
    covers: ['O-M7'],
    ...MCP_CHECK,
    check: async (context) => {
      const mcp = await context.ownMcp()
      if (!(await speaksStateless(toStateless(mcp)))) notOffered(`the server does not speak ${STATELESS}`)
      const { error } = await toStateless(mcp, '2099-01-01').request('tools/list')
      assert.equal(parseAs(RpcError, error, 'the error').code, -32022, 'code')
    },
    sabotage: {
      'MCP 2026-07-28 over stdio: calls unknown revisions invalid requests': changeError(-32022, ({ error }) => {
        error.code = -32600
      }),
    },
  },
})
