import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import type * as z from 'zod'
import { decode } from '../../compare/pixels.ts'
import { Called, Failure, Initialized, Listed, RpcError } from '../../contract/observer-mcp.ts'
import { Receipt, Windows } from '../../contract/observer-shapes.ts'
import { fail, fits, parseJson } from '../../probe/failure.ts'
import type { Mcp } from '../../probe/mcp.ts'
import type { Bench } from '../../run/test-context.ts'
import { freePort } from '../../servers/processes.ts'
import { check as anyCheck, type RequirementId } from '../check.ts'
import { MCP_ONLY, NOT_IN_MCP, TOOLS } from './tools.ts'

/** These share one process and its handshake, but for those that are about the process itself. */
const check = (id: RequirementId, run: (bench: Bench) => Promise<void>) =>
  anyCheck(id, run, { lane: 'mcp', timeoutMs: 60_000 })

const VERSION = '2025-06-18'

const greeted = new WeakSet<Mcp>()

/** A session that has shaken hands. */
async function connect(mcp: Mcp): Promise<Mcp> {
  if (greeted.has(mcp)) return mcp
  await initialize(mcp)
  mcp.notify('notifications/initialized')
  greeted.add(mcp)
  return mcp
}

/** Shakes hands. */
export async function initialize(mcp: Mcp, protocolVersion = VERSION) {
  const clientInfo = { name: 'conformance', version: '1.0' }
  const { result } = await mcp.request('initialize', { protocolVersion, capabilities: {}, clientInfo })
  return fits(Initialized, result, 'the answer to initialize')
}

async function call(mcp: Mcp, name: string, args: object = {}) {
  const { result, error } = await mcp.request('tools/call', { name, arguments: args })
  if (error) fail(`tools/call ${name} is error ${error.code}: ${error.message}`)
  return fits(Called, result, `the answer to tools/call ${name}`)
}

/** The JSON that a tool answered as text. */
function textOf({ content }: z.infer<typeof Called>): unknown {
  const text = content.find((item) => item.type === 'text')
  if (text?.type !== 'text') fail('the answer has no text')
  return parseJson(text.text as string, 'the text of the answer')
}

async function listTools(mcp: Mcp) {
  const { result } = await mcp.request('tools/list', {})
  return fits(Listed, result, 'the answer to tools/list').tools
}

check('observer:mcp:initialize', async (bench) => {
  const mcp = await bench.ownMcp()
  await initialize(mcp)
  assert.deepEqual((await mcp.request('ping')).result, {})
})

check('observer:mcp:tools', async (bench) => {
  const listed = (await listTools(await connect(await bench.mcp()))).map((tool) => tool.name)
  const wanted = [...TOOLS.map((tool) => tool.name).filter((name) => !NOT_IN_MCP.includes(name)), ...MCP_ONLY]
  assert.deepEqual(
    wanted.filter((name) => !listed.includes(name)),
    [],
    'tools are missing',
  )
  assert.equal(new Set(listed).size, listed.length, 'a tool is listed twice')
})

check('observer:mcp:arguments', async (bench) => {
  const listed = new Map(
    (await listTools(await connect(await bench.mcp()))).map((tool) => [tool.name, tool.inputSchema]),
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

check('observer:mcp:call', async (bench) => {
  const mcp = await connect(await bench.mcp())
  fits(Windows, textOf(await call(mcp, 'list_windows')), 'list_windows over MCP')
  const structure = textOf(await call(mcp, 'get_window_structure', { roles: ['Button'], prune_empty: true }))
  assert.equal((structure as { ok?: unknown }).ok, true)
})

check('observer:mcp:act', async (bench) => {
  const mcp = await connect(await bench.mcp())
  const { tree } = textOf(await call(mcp, 'observe_window')) as { tree: { id: string } }
  const answer = textOf(await call(mcp, 'click_element', { element_id: tree.id, dry_run: true }))
  fits(Receipt, answer, 'click_element over MCP')
})

check('observer:mcp:picture', async (bench) => {
  const { content } = await call(await connect(await bench.mcp()), 'get_screenshot')
  const picture = content.find((item) => item.type === 'image')
  if (picture?.type !== 'image') fail('no image is among the content')
  decode(picture.data as string, 'the image')
})

check('observer:mcp:is-error', async (bench) => {
  const answer = await call(await connect(await bench.mcp()), 'find_element', {
    selector: `Button[name="${bench.random.word()}"]`,
  })
  assert.equal(answer.isError, true)
  const { error } = fits(Failure, textOf(answer), 'the failure')
  assert.equal(error.code, 'ElementNotFound')
})

check('observer:mcp:unknown', async (bench) => {
  const mcp = await connect(await bench.mcp())
  const { error } = await mcp.request(bench.random.word())
  assert.equal(fits(RpcError, error, 'the error of an unknown method').code, -32601)
})

check('observer:mcp:unknown-tool', async (bench) => {
  const mcp = await connect(await bench.mcp())
  const { result, error } = await mcp.request('tools/call', { name: bench.random.word(), arguments: {} })
  const failed = error !== undefined || (result as { isError?: unknown } | undefined)?.isError === true
  assert.ok(failed, `an unknown tool succeeds: ${JSON.stringify(result)?.slice(0, 200)}`)
})

check('observer:mcp:notifications', async (bench) => {
  const mcp = await connect(await bench.mcp())
  mcp.notify(`notifications/${bench.random.word()}`)
  const silence = await mcp.unasked(300).catch(() => undefined)
  assert.equal(silence, undefined, `a notification is answered: ${JSON.stringify(silence)}`)
  await call(mcp, 'list_windows')
})

check('observer:mcp:clean', async (bench) => {
  const mcp = await connect(await bench.mcp())
  for (const name of ['get_screenshot', 'list_windows']) await call(mcp, name)
  assert.deepEqual(mcp.noise, [], 'standard output carries other lines')
})

check('observer:mcp:survives', async (bench) => {
  const mcp = await connect(await bench.ownMcp())
  mcp.sendRaw('this is no JSON')
  mcp.sendRaw('{"jsonrpc":"2.0"')
  await call(mcp, 'list_windows')
})

check('observer:mcp:parse-error', async (bench) => {
  const mcp = await connect(await bench.ownMcp())
  mcp.sendRaw('this is no JSON')
  const { id, error } = await mcp.unasked()
  assert.deepEqual([id, error?.code], [null, -32700])
})

/** The version that is answered to a version. */
async function versionFor(bench: Bench, version: string): Promise<string> {
  return (await initialize(await bench.ownMcp(), version)).protocolVersion
}

check('observer:mcp:version', async (bench) => {
  const supported = await versionFor(bench, '1999-12-31')
  assert.notEqual(supported, '1999-12-31', 'a version that never was is supported')
  assert.equal(await versionFor(bench, supported), supported)
})

check('observer:mcp:versions', async (bench) => {
  const latest = ['2025-03-26', '2025-06-18']
  assert.deepEqual(await Promise.all(latest.map((version) => versionFor(bench, version))), latest)
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

check('observer:mcp:gates', async (bench) => {
  const listed = await listTools(await connect(await bench.mcp()))
  const missing = ACTS.flatMap((name) => {
    const properties = listed.find((tool) => tool.name === name)?.inputSchema.properties ?? {}
    return ['dry_run', 'confirm_token'].filter((argument) => !(argument in properties)).map((one) => `${name} ${one}`)
  })
  assert.deepEqual(missing, [])
})

check('observer:mcp:both', async (bench) => {
  const port = await freePort()
  const mcp = await connect(await bench.ownMcp(bench.satelliteCommand('both', port)))
  const spoken = fits(Windows, textOf(await call(mcp, 'list_windows')), 'list_windows over MCP')
  const answered = await fetch(`http://127.0.0.1:${port}/api/windows`)
  const served = fits(Windows, await answered.json(), 'GET /api/windows')
  assert.deepEqual(served.windows, spoken.windows)
  await call(mcp, 'get_screenshot')
  assert.deepEqual(mcp.noise, [], 'standard output carries other lines')
})

check('observer:mcp:port', async (bench) => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = taken.address() as AddressInfo
    const mcp = await bench.ownMcp(bench.satelliteCommand('both', port))
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

check('observer:mcp:end', async (bench) => {
  const mcp = await connect(await bench.ownMcp())
  assert.equal(await mcp.end(), 0)
})
