import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { assertAgree } from '../../compare/differences.ts'
import { parseAs } from '../../probe/failure.ts'
import { findFreePort } from '../../servers/processes.ts'
import { defineRules, MCP_CHECK } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import { sources } from '../document.ts'
import { mcpChecks, stdio } from '../mcp-checks.ts'
import { call, connect, initialize, parsedTextOf } from '../mcp-driver.ts'
import { hideTool, inAnswer, inCall, inGreeting, inListing, inText, toolIn } from '../mcp-sabotage.ts'
import { Windows } from '../shapes.ts'

/** The Model Context Protocol over standard input and output. */
export const mcpRules = defineRules('mcp', ['mcp:initialize'], {
  initialize: {
    level: 'MUST',
    text: 'initialize answers with a protocol version, the server’s name and the capability tools.',
    source: sources.mcp,
    basis: { states: 'initialize is answered with protocolVersion, capabilities and serverInfo.' },
    covers: ['O-M1'],
    ...MCP_CHECK,
    check: async (context) => {
      const mcp = await context.ownMcp()
      await initialize(mcp)
      assert.deepEqual((await mcp.request('ping')).result, {}, 'result')
    },
    sabotage: {
      'MCP: answers no version': inGreeting((result) => {
        delete result.protocolVersion
      }),
      'MCP: has no name': inGreeting((result) => {
        delete result.serverInfo.name
      }),
      'MCP: cannot have tools': inGreeting((result) => {
        delete result.capabilities.tools
      }),
      'MCP: writes its ids as text': {
        interceptLines: () => ({ fromServer: (line) => [line.replace(/"id":(\d+)/, '"id":"$1"')] }),
      },
    },
  },

  tools: {
    level: 'SHOULD',
    text: 'tools/list lists the documented tools, each with a description and an object as input schema.',
    source: sources.mcpReference,
    basis: {
      because: 'The document names the MCP mode, but not its tools; clients use those of the reference server.',
    },
    covers: ['O-M2'],
    ...MCP_CHECK,
    check: (context) => mcpChecks.tools(stdio, context),
    sabotage: {
      'MCP: hides a tool': inListing(hideTool),
      'MCP: lists a tool twice': inListing((tools) => tools.push(tools[0])),
      'MCP: describes nothing': inListing((tools) => {
        for (const tool of tools) delete tool.description
      }),
    },
  },

  arguments: {
    level: 'SHOULD',
    text: 'Every documented argument is in the input schema, and the documented ones are required.',
    source: sources.mcpReference,
    basis: {
      because: 'The document names the MCP mode, but not its arguments; clients use those of the reference server.',
    },
    covers: ['O-M2'],
    ...MCP_CHECK,
    check: (context) => mcpChecks.arguments(stdio, context),
    sabotage: {
      'MCP: hides an argument': inListing((tools) => {
        delete toolIn(tools, 'click_element').inputSchema.properties.selector
      }),
      'MCP: needs no arguments': inListing((tools) => {
        for (const tool of tools) delete tool.inputSchema.required
      }),
      'MCP: needs every argument': inListing((tools) => {
        for (const tool of tools) tool.inputSchema.required = Object.keys(tool.inputSchema.properties)
      }),
    },
  },

  call: {
    level: 'SHOULD',
    text: 'tools/call answers with text that is the JSON of the same answer over REST.',
    source: sources.mcpReference,
    basis: { because: 'The reference server answers with JSON as text; the protocol leaves the content to the tool.' },
    covers: ['O-M3'],
    ...MCP_CHECK,
    check: (context) => mcpChecks.call(stdio, context),
    sabotage: {
      'MCP: counts no windows': inText((json) => {
        delete json.count
      }),
    },
  },

  act: {
    level: 'SHOULD',
    text: 'An action over MCP answers with a receipt.',
    source: sources.mcpReference,
    basis: { because: 'The reference server answers with JSON as text; the protocol leaves the content to the tool.' },
    covers: ['O-M3'],
    ...MCP_CHECK,
    check: (context) => mcpChecks.act(stdio, context),
    sabotage: {
      'MCP: sends receipts without a name': inText((json) => {
        delete json.action
      }),
    },
  },

  picture: {
    level: 'SHOULD',
    text: 'A screenshot comes as image content.',
    source: sources.mcp,
    basis: { because: 'The protocol has image content; the reference server sends base64 as text.' },
    covers: ['O-M3'],
    ...MCP_CHECK,
    check: (context) => mcpChecks.picture(stdio, context),
    sabotage: {
      'MCP: shows other pictures': inCall((result) => {
        for (const item of result.content) if (item.type === 'image') item.data = item.data.slice(400)
      }),
      'MCP: shows no picture': inCall((result) => {
        result.content = [{ type: 'text', text: '{}' }]
      }),
    },
  },

  'is-error': {
    level: 'SHOULD',
    text: 'A failed tool answers with isError and the error object as text.',
    source: sources.mcp,
    basis: { because: 'The protocol asks tools to report their own failures with isError.' },
    covers: ['O-M4'],
    ...MCP_CHECK,
    check: (context) => mcpChecks.isError(stdio, context),
    sabotage: {
      'MCP: calls failures successes': inCall((result) => {
        delete result.isError
      }),
      'MCP: names another code': inText((json) => {
        if (json.error?.code) json.error.code = 'Internal'
      }),
    },
  },

  unknown: {
    level: 'MUST',
    text: 'An unknown method is error -32601.',
    source: sources.mcp,
    basis: { states: 'An unknown method is the JSON-RPC error -32601.' },
    covers: ['O-M4'],
    ...MCP_CHECK,
    check: (context) => mcpChecks.unknown(stdio, context),
    sabotage: {
      'MCP: knows every method': inAnswer((message) => {
        if (message.error?.code !== -32601) return
        delete message.error
        message.result = {}
      }),
    },
  },

  notifications: {
    level: 'MUST',
    text: 'A notification is not answered.',
    source: sources.mcp,
    basis: { states: 'Notifications get no response.' },
    covers: ['O-M5'],
    ...MCP_CHECK,
    check: async (context) => {
      const mcp = await connect(await context.mcp())
      mcp.notify(`notifications/${context.random.word()}`)
      const reason = await mcp.nextUnsolicited(300).catch(() => undefined)
      assert.equal(reason, undefined, `a notification is answered: ${JSON.stringify(reason)}`)
      await call(mcp, 'list_windows')
    },
    sabotage: {
      'MCP: answers notifications': {
        interceptLines: (say) => ({
          fromClient: (line) => {
            if (line.startsWith('{') && line.includes('"notifications/')) say('{"jsonrpc":"2.0","id":null,"result":{}}')
          },
        }),
      },
    },
  },

  clean: {
    level: 'MUST',
    text: 'Standard output carries messages of the protocol only.',
    source: sources.mcp,
    basis: { states: 'A server over stdio writes only protocol messages to its standard output.' },
    covers: ['O-M5'],
    ...MCP_CHECK,
    check: async (context) => {
      const mcp = await connect(await context.mcp())
      for (const name of ['get_screenshot', 'list_windows']) await call(mcp, name)
      assert.deepEqual(mcp.noise, [], 'standard output carries other lines')
    },
    sabotage: {
      'MCP: chats on its output': {
        interceptLines: (say) => {
          say('Listening on standard input …')
          return {}
        },
      },
    },
  },

  end: {
    level: 'SHOULD',
    text: 'The process ends with 0 when its standard input closes.',
    source: sources.mcpReference,
    basis: {
      because: 'The protocol has the client close the input and wait; the status 0 is that of the reference server.',
    },
    covers: ['O-M5'],
    ...MCP_CHECK,
    check: async (context) => {
      const mcp = await connect(await context.ownMcp())
      assert.equal(await mcp.end(), 0, 'the exit code')
    },
    sabotage: {
      'MCP: ends in failure': { exitCode: 3 },
    },
  },

  'unknown-tool': {
    level: 'MUST',
    text: 'A call of an unknown tool is an error, of the protocol or of the tool.',
    source: sources.mcp,
    basis: { states: 'An unknown tool is a JSON-RPC error; what fails within a tool is a result with isError.' },
    covers: ['O-M4'],
    ...MCP_CHECK,
    check: (context) => mcpChecks.unknownTool(stdio, context),
    sabotage: {
      'MCP: knows every tool': inAnswer((message) => {
        if (!message.error && !message.result?.isError) return
        delete message.error
        message.result = { content: [{ type: 'text', text: '{"error":"Unknown tool"}' }] }
      }),
    },
  },

  survives: {
    level: 'SHOULD',
    text: 'The session survives a line that is not JSON.',
    source: sources.mcp,
    basis: { because: 'The protocol does not specify what happens to the session; one broken line should not end it.' },
    covers: ['O-M5'],
    ...MCP_CHECK,
    check: async (context) => {
      const mcp = await connect(await context.ownMcp())
      mcp.sendRaw('this is no JSON')
      mcp.sendRaw('{"jsonrpc":"2.0"')
      await call(mcp, 'list_windows')
    },
    sabotage: {
      'MCP: falls silent after a broken line': {
        interceptLines: () => {
          let silent = false
          return {
            fromClient: (line) => {
              silent ||= !line.startsWith('{')
            },
            fromServer: (line) => (silent ? [] : [line]),
          }
        },
      },
    },
  },

  'parse-error': {
    level: 'SHOULD',
    text: 'A line that is not JSON is error -32700 without an id.',
    source: sources.jsonRpc,
    basis: { because: 'The specification defines the code; servers built with common SDKs do not respond.' },
    covers: ['O-M4', 'O-M5'],
    ...MCP_CHECK,
    check: async (context) => {
      const mcp = await connect(await context.ownMcp())
      mcp.sendRaw('this is no JSON')
      const { id, error } = await mcp.nextUnsolicited()
      assert.deepEqual({ id, code: error?.code }, { id: null, code: -32700 })
    },
    sabotage: {
      'MCP: says nothing of broken lines': {
        interceptLines: () => ({ fromServer: (line) => (line.includes('-32700') ? [] : [line]) }),
      },
    },
  },

  version: {
    level: 'MUST',
    text: 'When a client requests a version that the server offered, the server returns it; it never returns an unknown version.',
    source: sources.mcp,
    basis: { states: 'A supported version is answered with itself, any other with one that the server supports.' },
    covers: ['O-M1'],
    ...MCP_CHECK,
    check: (context) => mcpChecks.version(stdio, context),
    sabotage: {
      'MCP: supports every version': supportsAll(),
    },
  },

  versions: {
    level: 'SHOULD',
    text: 'The two latest versions of the protocol are supported.',
    source: sources.mcp,
    basis: { because: 'The protocol leaves open which versions a server has; clients are of either.' },
    covers: ['O-M1'],
    ...MCP_CHECK,
    check: (context) => mcpChecks.versions(stdio, context),
    sabotage: {
      'MCP: supports one version': inGreeting((result) => {
        result.protocolVersion = '2024-11-05'
      }),
    },
  },

  gates: {
    level: 'SHOULD',
    text: 'Tools that act list dry_run and confirm_token among their arguments.',
    source: sources.mcpReference,
    basis: { because: 'The document has them over REST; a model does not send arguments that no schema lists.' },
    covers: ['O-M2', 'O-R3', 'O-G5'],
    ...MCP_CHECK,
    check: (context) => mcpChecks.gates(stdio, context),
    sabotage: {
      'MCP: lists no tokens': inListing((tools) => {
        for (const tool of tools) delete tool.inputSchema.properties?.confirm_token
      }),
    },
  },

  both: {
    level: 'SHOULD',
    text: 'With --mode both REST and MCP serve the same desktop, and standard output carries messages of the protocol only.',
    source: sources.starting,
    basis: { states: '--mode both serves REST and MCP over stdio simultaneously.' },
    covers: ['O-M5'],
    ...MCP_CHECK,
    check: async (context) => {
      const port = await findFreePort()
      const mcp = await connect(await context.ownMcp(context.auxiliaryCommand('both', port)))
      const spoken = parseAs(Windows, parsedTextOf(await call(mcp, 'list_windows')), 'list_windows over MCP')
      const answered = await fetch(`http://127.0.0.1:${port}/api/windows`)
      const served = parseAs(Windows, await answered.json(), 'GET /api/windows')
      assertAgree({ MCP: served.windows, REST: spoken.windows }, 'the windows')
      await call(mcp, 'get_screenshot')
      assert.deepEqual(mcp.noise, [], 'standard output carries other lines')
    },
    sabotage: {
      'MCP: shows another desktop than REST': inText((json) => {
        if (json.windows) json.count = json.windows.splice(1).length
      }),
    },
  },

  port: {
    level: 'SHOULD',
    text: 'With --mode both a port that is in use ends the server with a status other than 0, or leaves MCP working.',
    source: sources.starting,
    basis: { because: 'The document does not specify the effect of a port in use; the operator has to notice.' },
    covers: ['O-M5'],
    ...MCP_CHECK,
    check: async (context) => {
      const taken = createServer()
      await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
      try {
        const { port } = taken.address() as AddressInfo
        const mcp = await context.ownMcp(context.auxiliaryCommand('both', port))
        const begun = await Promise.race([
          initialize(mcp).then(
            () => 'begun',
            () => 'ended',
          ),
          mcp.exited,
        ])
        if (begun === 'begun') return
        const code = await mcp.exited
        assert.notEqual(code, 0, 'it ends with 0 although its port is in use')
      } finally {
        taken.close()
      }
    },
    sabotage: {
      'MCP: ends well when its port is in use': { exitCode: 0 },
    },
  },
})

/** Accepts any requested version. */
function supportsAll(): SabotageBehavior {
  return {
    interceptLines: () => {
      let asked = ''
      return {
        fromClient: (line) => {
          asked = /"protocolVersion":"([^"]*)"/.exec(line)?.[1] ?? asked
        },
        fromServer: (line) => [line.replace(/("protocolVersion":")[^"]*/, `$1${asked}`)],
      }
    },
  }
}
