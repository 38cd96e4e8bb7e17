import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import type * as z from 'zod'
import { decode } from '../../compare/pixels.ts'
import { InitializeResult, RpcError, ToolCallResult, ToolFailure, ToolListResult } from '../../contract/observer-mcp.ts'
import { Receipt, Windows } from '../../contract/observer-shapes.ts'
import { fail, parseAs, parseJson } from '../../probe/failure.ts'
import type { McpClient } from '../../probe/mcp.ts'
import type { TestContext } from '../../run/test-context.ts'
import { findFreePort } from '../../servers/processes.ts'
import { check as anyCheck, type RequirementId } from '../check.ts'
import { MCP_ONLY, NOT_IN_MCP, TOOLS } from './tools.ts'

/** These share one process and its handshake, but for those that are about the process itself. */
const check = (id: RequirementId, run: (context: TestContext) => Promise<void>) =>
  anyCheck(id, run, { pool: 'mcp', timeoutMs: 60_000 })

const VERSION = '2025-06-18'

const greeted = new WeakSet<McpClient>()

/** A session that has shaken hands. */
async function connect(mcp: McpClient): Promise<McpClient> {
  if (greeted.has(mcp)) return mcp
  await initialize(mcp)
  mcp.notify('notifications/initialized')
  greeted.add(mcp)
  return mcp
}

/** Shakes hands. */
export async function initialize(mcp: McpClient, protocolVersion = VERSION) {
  const clientInfo = { name: 'conformance', version: '1.0' }
  const { result } = await mcp.request('initialize', { protocolVersion, capabilities: {}, clientInfo })
  return parseAs(InitializeResult, result, 'the answer to initialize')
}

async function call(mcp: McpClient, name: string, args: object = {}) {
  const { result, error } = await mcp.request('tools/call', { name, arguments: args })
  if (error) fail(`tools/call ${name} is error ${error.code}: ${error.message}`)
  return parseAs(ToolCallResult, result, `the answer to tools/call ${name}`)
}

/** The JSON that a tool answered as text. */
function textOf({ content }: z.infer<typeof ToolCallResult>): unknown {
  const text = content.find((item) => item.type === 'text')
  if (text?.type !== 'text') fail('the answer has no text')
  return parseJson(text.text as string, 'the text of the answer')
}

async function listTools(mcp: McpClient) {
  const { result } = await mcp.request('tools/list', {})
  return parseAs(ToolListResult, result, 'the answer to tools/list').tools
}

check('observer:mcp:initialize', async (context) => {
  const mcp = await context.ownMcp()
  await initialize(mcp)
  assert.deepEqual((await mcp.request('ping')).result, {})
})

check('observer:mcp:tools', async (context) => {
  const listed = (await listTools(await connect(await context.mcp()))).map((tool) => tool.name)
  const wanted = [...TOOLS.map((tool) => tool.name).filter((name) => !NOT_IN_MCP.includes(name)), ...MCP_ONLY]
  assert.deepEqual(
    wanted.filter((name) => !listed.includes(name)),
    [],
    'tools are missing',
  )
  assert.equal(new Set(listed).size, listed.length, 'a tool is listed twice')
})

check('observer:mcp:arguments', async (context) => {
  const listed = new Map(
    (await listTools(await connect(await context.mcp()))).map((tool) => [tool.name, tool.inputSchema]),
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
})

check('observer:mcp:call', async (context) => {
  const mcp = await connect(await context.mcp())
  parseAs(Windows, textOf(await call(mcp, 'list_windows')), 'list_windows over MCP')
  const structure = textOf(await call(mcp, 'get_window_structure', { roles: ['Button'], prune_empty: true }))
  assert.equal((structure as { ok?: unknown }).ok, true)
})

check('observer:mcp:act', async (context) => {
  const mcp = await connect(await context.mcp())
  const { tree } = textOf(await call(mcp, 'observe_window')) as { tree: { id: string } }
  const answer = textOf(await call(mcp, 'click_element', { element_id: tree.id, dry_run: true }))
  parseAs(Receipt, answer, 'click_element over MCP')
})

check('observer:mcp:picture', async (context) => {
  const { content } = await call(await connect(await context.mcp()), 'get_screenshot')
  const picture = content.find((item) => item.type === 'image')
  if (picture?.type !== 'image') fail('no image is among the content')
  decode(picture.data as string, 'the image')
})

check('observer:mcp:is-error', async (context) => {
  const answer = await call(await connect(await context.mcp()), 'find_element', {
    selector: `Button[name="${context.random.word()}"]`,
  })
  assert.equal(answer.isError, true)
  const { error } = parseAs(ToolFailure, textOf(answer), 'the failure')
  assert.equal(error.code, 'ElementNotFound')
})

check('observer:mcp:unknown', async (context) => {
  const mcp = await connect(await context.mcp())
  const { error } = await mcp.request(context.random.word())
  assert.equal(parseAs(RpcError, error, 'the error of an unknown method').code, -32601)
})

check('observer:mcp:unknown-tool', async (context) => {
  const mcp = await connect(await context.mcp())
  const { result, error } = await mcp.request('tools/call', { name: context.random.word(), arguments: {} })
  const failed = error !== undefined || (result as { isError?: unknown } | undefined)?.isError === true
  assert.ok(failed, `an unknown tool succeeds: ${JSON.stringify(result)?.slice(0, 200)}`)
})

check('observer:mcp:notifications', async (context) => {
  const mcp = await connect(await context.mcp())
  mcp.notify(`notifications/${context.random.word()}`)
  const reason = await mcp.nextUnsolicited(300).catch(() => undefined)
  assert.equal(reason, undefined, `a notification is answered: ${JSON.stringify(reason)}`)
  await call(mcp, 'list_windows')
})

check('observer:mcp:clean', async (context) => {
  const mcp = await connect(await context.mcp())
  for (const name of ['get_screenshot', 'list_windows']) await call(mcp, name)
  assert.deepEqual(mcp.noise, [], 'standard output carries other lines')
})

check('observer:mcp:survives', async (context) => {
  const mcp = await connect(await context.ownMcp())
  mcp.sendRaw('this is no JSON')
  mcp.sendRaw('{"jsonrpc":"2.0"')
  await call(mcp, 'list_windows')
})

check('observer:mcp:parse-error', async (context) => {
  const mcp = await connect(await context.ownMcp())
  mcp.sendRaw('this is no JSON')
  const { id, error } = await mcp.nextUnsolicited()
  assert.deepEqual([id, error?.code], [null, -32700])
})

/** The version that is answered to a version. */
async function versionFor(context: TestContext, version: string): Promise<string> {
  return (await initialize(await context.ownMcp(), version)).protocolVersion
}

check('observer:mcp:version', async (context) => {
  const supported = await versionFor(context, '1999-12-31')
  assert.notEqual(supported, '1999-12-31', 'a version that never was is supported')
  assert.equal(await versionFor(context, supported), supported)
})

check('observer:mcp:versions', async (context) => {
  const latest = ['2025-03-26', '2025-06-18']
  assert.deepEqual(await Promise.all(latest.map((version) => versionFor(context, version))), latest)
})

/** Tools of the document that act on an element. */
const ACTS = [
  'click_element',
  'focus_element',
  'invoke_element',
  'set_value',
  'select_option',
  'click_element_and_observe',
]

check('observer:mcp:gates', async (context) => {
  const listed = await listTools(await connect(await context.mcp()))
  const missing = ACTS.flatMap((name) => {
    const properties = listed.find((tool) => tool.name === name)?.inputSchema.properties ?? {}
    return ['dry_run', 'confirm_token'].filter((argument) => !(argument in properties)).map((one) => `${name} ${one}`)
  })
  assert.deepEqual(missing, [])
})

check('observer:mcp:both', async (context) => {
  const port = await findFreePort()
  const mcp = await connect(await context.ownMcp(context.auxiliaryCommand('both', port)))
  const spoken = parseAs(Windows, textOf(await call(mcp, 'list_windows')), 'list_windows over MCP')
  const answered = await fetch(`http://127.0.0.1:${port}/api/windows`)
  const served = parseAs(Windows, await answered.json(), 'GET /api/windows')
  assert.deepEqual(served.windows, spoken.windows)
  await call(mcp, 'get_screenshot')
  assert.deepEqual(mcp.noise, [], 'standard output carries other lines')
})

check('observer:mcp:port', async (context) => {
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
})

check('observer:mcp:end', async (context) => {
  const mcp = await connect(await context.ownMcp())
  assert.equal(await mcp.end(), 0)
})
