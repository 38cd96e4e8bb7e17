import assert from 'node:assert/strict'
import * as z from 'zod'
import type { Bench } from '../../bench.ts'
import { check as anyCheck, type RequirementId } from '../../check.ts'
import { decode } from '../../compare/pixels.ts'
import { Receipt, Refusal, Windows } from '../../contract/observer-shapes.ts'
import { fail, fits, parseJson } from '../../probe/failure.ts'
import type { Mcp } from '../../probe/mcp.ts'
import { MCP_ONLY, NOT_IN_MCP, TOOLS } from './tools.ts'

/** These share one process and its handshake, but for those that are about the process itself. */
const check = (id: RequirementId, run: (bench: Bench) => Promise<void>) =>
  anyCheck(id, run, { lane: 'mcp', timeoutMs: 60_000 })

const VERSION = '2025-06-18'

const Initialized = z.looseObject({
  protocolVersion: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  serverInfo: z.looseObject({ name: z.string().min(1), version: z.string().min(1) }),
  capabilities: z.looseObject({ tools: z.looseObject({}) }),
})

const Listed = z.looseObject({
  tools: z.array(
    z.looseObject({
      name: z.string().min(1),
      description: z.string().min(1),
      inputSchema: z.looseObject({
        type: z.literal('object'),
        properties: z.record(z.string(), z.unknown()).default({}),
        required: z.array(z.string()).default([]),
      }),
    }),
  ),
  nextCursor: z.string().optional(),
})

const Content = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('image'), data: z.base64(), mimeType: z.literal('image/png') }),
  z.looseObject({ type: z.literal('resource') }),
  z.looseObject({ type: z.literal('resource_link') }),
])
const Called = z.looseObject({ content: z.array(Content).min(1), isError: z.boolean().optional() })

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
export async function initialize(mcp: Mcp) {
  const clientInfo = { name: 'conformance', version: '1.0' }
  const { result } = await mcp.request('initialize', { protocolVersion: VERSION, capabilities: {}, clientInfo })
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
  const { error } = fits(Refusal, textOf(answer), 'the failure')
  assert.equal(error.code, 'ElementNotFound')
})

check('observer:mcp:unknown', async (bench) => {
  const mcp = await connect(await bench.mcp())
  assert.equal((await mcp.request(bench.random.word())).error?.code, -32601)
  const { result, error } = await mcp.request('tools/call', { name: bench.random.word(), arguments: {} })
  const failed = error !== undefined || (result as { isError?: unknown } | undefined)?.isError === true
  assert.ok(failed || JSON.stringify(result).includes('error'), 'an unknown tool succeeds')
})

check('observer:mcp:notifications', async (bench) => {
  const mcp = await connect(await bench.mcp())
  mcp.notify(`notifications/${bench.random.word()}`)
  const silence = await mcp.unasked(300).catch(() => undefined)
  assert.equal(silence, undefined, `a notification is answered: ${JSON.stringify(silence)}`)
  await call(mcp, 'list_windows')
})

check('observer:mcp:clean', async (bench) => {
  const mcp = await connect(await bench.ownMcp())
  mcp.sendRaw('this is no JSON')
  mcp.sendRaw('{"jsonrpc":"2.0"')
  await call(mcp, 'get_screenshot')
  assert.deepEqual(mcp.noise, [], 'standard output carries other lines')
})

check('observer:mcp:end', async (bench) => {
  const mcp = await connect(await bench.ownMcp())
  assert.equal(await mcp.end(), 0)
})
