/** An MCP server of one tool with the SDK for TypeScript, on standard input and output. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'

const server = new McpServer({ name: 'stranger', version: '1.0.0' })
server.registerTool('list_windows', { description: 'Lists the windows of the desktop.' }, () => {
  const result = { ok: true, success: true, count: 0, is_mock: true, windows: [] }
  return { content: [{ type: 'text', text: JSON.stringify(result) }] }
})
await server.connect(new StdioServerTransport())
