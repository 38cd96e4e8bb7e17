import { type AnyJson, defineSabotages, type SabotageBehavior } from '../../behaviors.ts'

/** Changes every response. */
export const inAnswer = (change: (message: AnyJson) => void): SabotageBehavior => ({ changeMessage: change })

/** Changes the results of one kind. */
const inResult = (isOfKind: (result: AnyJson) => boolean, change: (result: AnyJson) => void): SabotageBehavior =>
  inAnswer(({ result }) => {
    if (result && isOfKind(result)) change(result)
  })

export const inGreeting = (change: (result: AnyJson) => void) => inResult((result) => 'serverInfo' in result, change)
export const inListing = (change: (tools: AnyJson) => void) =>
  inResult(
    (result) => Array.isArray(result.tools),
    (result) => change(result.tools),
  )
export const inCall = (change: (result: AnyJson) => void) => inResult((result) => Array.isArray(result.content), change)

export const toolIn = (tools: AnyJson, name: string): AnyJson => tools.find((tool: AnyJson) => tool.name === name)

/** Removes a tool of the document from a listing. */
export const hideTool = (tools: AnyJson): void => {
  tools.splice(tools.indexOf(toolIn(tools, 'find_element')), 1)
}

/** Changes the JSON text of a tool result. */
export const inText = (change: (json: AnyJson) => void) =>
  inCall((result) => {
    const text = result.content.find((item: AnyJson) => item.type === 'text')
    if (!text) return
    const json = JSON.parse(text.text)
    change(json)
    text.text = JSON.stringify(json)
  })

/** Faults on standard input and output. */
export const mcpSabotages = defineSabotages('observer', {
  'MCP: answers no version': [
    'mcp:initialize',
    inGreeting((result) => {
      delete result.protocolVersion
    }),
  ],
  'MCP: has no name': [
    'mcp:initialize',
    inGreeting((result) => {
      result.serverInfo.name = ''
    }),
  ],
  'MCP: cannot have tools': [
    'mcp:initialize',
    inGreeting((result) => {
      delete result.capabilities.tools
    }),
  ],
  'MCP: writes its ids as text': [
    'mcp:initialize',
    { interceptLines: () => ({ fromServer: (line) => [line.replace(/"id":(\d+)/, '"id":"$1"')] }) },
  ],
  'MCP: hides a tool': ['mcp:tools', inListing(hideTool)],
  'MCP: lists a tool twice': ['mcp:tools', inListing((tools) => tools.push(tools[0]))],
  'MCP: describes nothing': [
    'mcp:tools',
    inListing((tools) => {
      for (const tool of tools) delete tool.description
    }),
  ],
  'MCP: hides an argument': [
    'mcp:arguments',
    inListing((tools) => {
      delete toolIn(tools, 'click_element').inputSchema.properties.selector
    }),
  ],
  'MCP: needs no arguments': [
    'mcp:arguments',
    inListing((tools) => {
      for (const tool of tools) delete tool.inputSchema.required
    }),
  ],
  'MCP: needs every argument': [
    'mcp:arguments',
    inListing((tools) => {
      for (const tool of tools) tool.inputSchema.required = Object.keys(tool.inputSchema.properties)
    }),
  ],
  'MCP: counts no windows': [
    'mcp:call',
    inText((json) => {
      delete json.count
    }),
  ],
  'MCP: sends receipts without a name': [
    'mcp:act',
    inText((json) => {
      delete json.action
    }),
  ],
  'MCP: shows other pictures': [
    'mcp:picture',
    inCall((result) => {
      for (const item of result.content) if (item.type === 'image') item.data = item.data.slice(400)
    }),
  ],
  'MCP: shows no picture': [
    'mcp:picture',
    inCall((result) => {
      result.content = [{ type: 'text', text: '{}' }]
    }),
  ],
  'MCP: calls failures successes': [
    'mcp:is-error',
    inCall((result) => {
      delete result.isError
    }),
  ],
  'MCP: names another code': [
    'mcp:is-error',
    inText((json) => {
      if (json.error?.code) json.error.code = 'Internal'
    }),
  ],
  'MCP: knows every method': [
    'mcp:unknown',
    inAnswer((message) => {
      if (message.error?.code !== -32601) return
      delete message.error
      message.result = {}
    }),
  ],
  'MCP: knows every tool': [
    'mcp:unknown-tool',
    inAnswer((message) => {
      if (!message.error && !message.result?.isError) return
      delete message.error
      message.result = { content: [{ type: 'text', text: '{"error":"Unknown tool"}' }] }
    }),
  ],
  'MCP: falls silent after a broken line': [
    'mcp:survives',
    {
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
  ],
  'MCP: says nothing of broken lines': [
    'mcp:parse-error',
    { interceptLines: () => ({ fromServer: (line) => (line.includes('-32700') ? [] : [line]) }) },
  ],
  'MCP: supports every version': ['mcp:version', supportsAll()],
  'MCP: supports one version': [
    'mcp:versions',
    inGreeting((result) => {
      result.protocolVersion = '2024-11-05'
    }),
  ],
  'MCP: lists no tokens': [
    'mcp:gates',
    inListing((tools) => {
      for (const tool of tools) delete tool.inputSchema.properties?.confirm_token
    }),
  ],
  'MCP: shows another desktop than REST': [
    'mcp:both',
    inText((json) => {
      if (json.windows) json.count = json.windows.splice(1).length
    }),
  ],
  'MCP: ends well when its port is in use': ['mcp:port', { exitCode: 0 }],
  'MCP: answers notifications': [
    'mcp:notifications',
    {
      interceptLines: (say) => ({
        fromClient: (line) => {
          if (line.startsWith('{') && line.includes('"notifications/')) say('{"jsonrpc":"2.0","id":null,"result":{}}')
        },
      }),
    },
  ],
  'MCP: chats on its output': [
    'mcp:clean',
    {
      interceptLines: (say) => {
        say('Listening on standard input …')
        return {}
      },
    },
  ],
  'MCP: ends in failure': ['mcp:end', { exitCode: 3 }],
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
