import { createHash } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it } from 'vitest'
import { ALL_TOOLS, toolsFor } from '../../observer/registry.ts'
import { openDesktop, type TestDesktopOptions } from '../../testing.ts'
import { observerMcp } from './connection.ts'
import { serveStdio } from './stdio.ts'
import { toListing } from './translate.ts'

// Rules such as [MCP1] are stated in README.md beside this file.

const APP = `
states:
  a:
    windows:
      - uid: mock:a
        title: A
        bounds: {x: 0, y: 0, width: 400, height: 300}
        tree: {role: Window, name: A, children: [{id: e, role: Edit, name: E, value: "", bounds: {x: 10, y: 50, width: 80, height: 28}}]}
`

async function connected(options: TestDesktopOptions = {}, capabilities: object = {}, app = APP) {
  const desk = openDesktop({ scenario: app, ...options })
  const [here, there] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '0' }, { capabilities })
  const server = observerMcp({ session: desk.session, name: 'os-screen-observer', version: '9.9.9' })
  await Promise.all([server.connect(there), client.connect(here)])
  const call = (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args })
  return { desk, client, call }
}

/** The tools of a client. Its own `listTools` would compile the schema of each result, which takes more than a second. */
const toolsOf = async (client: Client) => (await client.request({ method: 'tools/list' }, ListToolsResultSchema)).tools

/** What a server answers to some lines, written at once. */
const talk = (...lines: string[]) => hear(lines.map((line) => `${line}\n`).join(''))

/** What a server has answered to some pieces of text when it has ended. */
async function hear(...pieces: string[]): Promise<Record<string, unknown>[]> {
  const { session } = openDesktop({ scenario: APP })
  const [input, output] = [new PassThrough(), new PassThrough()]
  let said = ''
  output.on('data', (chunk) => {
    said += chunk
  })
  const served = serveStdio({ session, name: 'x', version: '1' }, input, output)
  for (const piece of pieces) input.write(piece)
  input.end()
  await served
  return said.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}

const request = (id: unknown, method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })
const initialize = (protocolVersion: string) =>
  request(0, 'initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '0' } })

describe('standard input and output', () => {
  const stateless = (id: number, method: string, params: object = {}, version = '2026-07-28') => {
    const name = 'io.modelcontextprotocol'
    const client = { [`${name}/clientCapabilities`]: {}, [`${name}/clientInfo`]: { name: 'test', version: '0' } }
    return request(id, method, { ...params, _meta: { [`${name}/protocolVersion`]: version, ...client } })
  }

  it('[MCP15] serves requests that name revision 2026-07-28, without initialize', async () => {
    const answers = await talk(
      stateless(1, 'server/discover'),
      stateless(2, 'tools/list'),
      stateless(3, 'tools/call', { name: 'list_windows', arguments: {} }),
      stateless(4, 'tools/call', { name: 'nothing', arguments: {} }),
      stateless(5, 'tools/list', {}, '2031-01-01'),
    )
    const [discovered, listed, called, unknown, refused] = answers.sort((a, b) => Number(a.id) - Number(b.id))
    expect(discovered).toMatchObject({ id: 1, result: { supportedVersions: ['2026-07-28'], resultType: 'complete' } })
    const { tools, ...hints } = listed!.result as { tools: { name: string }[] }
    expect(tools.map(({ name }) => name)).toEqual(ALL_TOOLS.map(({ name }) => name))
    expect(hints).toMatchObject({ resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'private' })
    expect(called).toMatchObject({ id: 3, result: { resultType: 'complete', structuredContent: { count: 1 } } })
    expect(unknown).toMatchObject({ id: 4, error: { code: -32602 } })
    expect(refused).toMatchObject({ id: 5, error: { code: -32022 } })
  })

  it.each([
    ['first tried', ['server/discover', 'initialize']],
    ['also used after another', ['initialize', 'server/discover']],
  ])('[MCP16] answers a client by which the revision is %s', async (_, methods) => {
    const asked = methods.map((method, id) =>
      method === 'initialize' ? initialize('2025-11-25') : stateless(id + 10, method),
    )
    const answers = await talk(...asked, request(20, 'tools/list'), stateless(21, 'tools/list'))
    expect(answers.map(({ id, error }) => [id, error]).sort()).toEqual(
      [0, methods.indexOf('server/discover') + 10, 20, 21].map((id) => [id, undefined]).sort(),
    )
  })
})

describe('the listing', () => {
  it('[MCP3] has every tool with its arguments, its answer and its annotations', async () => {
    const { client } = await connected()
    const tools = await toolsOf(client)
    expect(tools.map(({ name }) => name)).toEqual(ALL_TOOLS.map(({ name }) => name))
    const click = tools.find(({ name }) => name === 'click_element')!
    expect(Object.keys(click.inputSchema.properties!)).toEqual(
      expect.arrayContaining(['selector', 'element_id', 'window_uid', 'window_title', 'dry_run', 'confirm_token']),
    )
    expect(click.description).toMatch(/Errors: .*ElementNotFound \(no element matches\)/)
    expect(click.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    })
    const observe = tools.find(({ name }) => name === 'observe_window')!
    expect(observe.annotations).toMatchObject({ readOnlyHint: true, idempotentHint: true })
    expect(tools.find(({ name }) => name === 'set_value')!.annotations).toMatchObject({ destructiveHint: true })
    for (const { name, outputSchema } of tools) expect([name, outputSchema?.type]).toEqual([name, 'object'])
  })
})

/** The schemas within a schema, by their paths, as the Inspector visits them. */
function schemasIn(schema: unknown, path = ''): readonly (readonly [path: string, schema: unknown])[] {
  if (Array.isArray(schema)) return schema.flatMap((each, index) => schemasIn(each, `${path}.${index}`))
  if (typeof schema !== 'object' || schema === null) return [[path, schema]]
  const inner = Object.entries(schema).flatMap(([key, value]) => {
    if (['properties', '$defs', 'definitions', 'patternProperties'].includes(key))
      return Object.entries(value as object).flatMap(([name, each]) => schemasIn(each, `${path}.${name}`))
    // `additionalProperties` may be a boolean.
    const isSchema =
      ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items', 'not', 'propertyNames'].includes(key) ||
      (key === 'additionalProperties' && value === Object(value))
    return isSchema ? schemasIn(value, `${path}.${key}`) : []
  })
  return [[path, schema], ...inner]
}

const SAYS_SOMETHING = ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not']

it.each(['harness', 'agent'] as const)('[MCP5] lists portable schemas to the %s', (audience) => {
  const listed = toolsFor(audience).map((tool) => toListing(tool, { audience, protocolVersion: '2026-07-28' }))
  const problems = listed.flatMap(({ name, inputSchema, ...more }) =>
    [
      ...schemasIn(inputSchema, `${name}.input`),
      ...schemasIn('outputSchema' in more ? more.outputSchema : { type: 'object' }, `${name}.output`),
    ].filter(([, schema]) => {
      if (typeof schema !== 'object' || schema === null) return true
      const { type, $ref } = schema as { readonly type?: unknown; readonly $ref?: unknown }
      if (Array.isArray(type) || (typeof $ref === 'string' && !$ref.startsWith('#'))) return true
      // A keyword of an older draft, which 2020-12 spells otherwise.
      if ('definitions' in schema || ('items' in schema && Array.isArray(schema.items))) return true
      return !SAYS_SOMETHING.some((key) => key in schema)
    }),
  )
  expect(problems).toEqual([])
})

describe('a call', () => {
  it('[MCP3] answers with structured content and the same as text', async () => {
    const { call } = await connected()
    const result = await call('list_windows')
    expect(result.isError).toBeUndefined()
    expect(result.structuredContent).toMatchObject({ ok: true, step_id: 1, count: 1, untrusted: true })
    expect(JSON.parse((result.content as { text: string }[])[0]!.text)).toEqual(result.structuredContent)
  })

  it('[MCP1] that is refused is an error with the same body as over REST', async () => {
    const { call } = await connected()
    const result = await call('find_element', { selector: 'Link' })
    expect(result.isError).toBe(true)
    expect(result).not.toHaveProperty('structuredContent')
    expect(JSON.parse((result.content as { text: string }[])[0]!.text)).toMatchObject({
      ok: false,
      success: false,
      step_id: 1,
      error: { code: 'ElementNotFound', suggested_next_tool: 'find_element' },
    })
    const bad = await call('find_element', { selector: 5 })
    expect(bad.isError).toBe(true)
  })

  it('[MCP2] that returns a picture has image content next to its text', async () => {
    const { call } = await connected()
    const result = await call('get_screenshot', { window_uid: 'mock:a' })
    const [text, image] = result.content as [{ text: string }, { type: string; data: string; mimeType: string }]
    expect(image).toMatchObject({ type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBOR/) })
    const bytes = Buffer.from(image.data, 'base64')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const described = { content: 0, media_type: 'image/png', bytes: bytes.length, sha256 }
    expect(JSON.parse(text.text)).toEqual(result.structuredContent)
    expect(result.structuredContent).toMatchObject({ width: 400, height: 300, format: 'png', image: described })
    expect(JSON.stringify(result).split(image.data)).toHaveLength(2)
    const proposed = await call('propose_action', { action: 'click_element', args: { element_id: 'e' } })
    expect((proposed.content as { type: string }[]).map(({ type }) => type)).toEqual(['text', 'image'])
  })

  it('[MCP2] of the harness with inline: true has the bytes in structured content too', async () => {
    const { call } = await connected()
    for (const [name, args] of [
      ['get_screenshot', {}],
      ['session_reset', { screenshot: true, observe: 'none' }],
    ] as const) {
      const { content, structuredContent } = await call(name, { ...args, inline: true })
      const { data } = (content as { data: string }[])[1]!
      expect(JSON.stringify(structuredContent).split(data)).toHaveLength(2)
      expect(structuredContent).not.toHaveProperty('ignored_arguments')
    }
  })

  it('[MCP2] of an agent has no bytes in structured content', async () => {
    const { call, client } = await connected({ audience: 'agent' })
    const listed = (await client.listTools()).tools.find(({ name }) => name === 'get_screenshot')!
    expect(listed.inputSchema.properties).not.toHaveProperty('inline')
    const { structuredContent } = await call('get_screenshot', { inline: true })
    expect(structuredContent).toMatchObject({ ignored_arguments: [{ name: 'inline' }] })
    expect(structuredContent).not.toHaveProperty('data')
  })

  it.each([
    ['2024-11-05', false],
    ['2025-03-26', false],
    ['2025-06-18', true],
    ['2025-11-25', true],
  ])('[MCP4] under the revision %s has structured content: %s', async (protocolVersion, isStructured) => {
    const picture = request(2, 'tools/call', { name: 'get_screenshot', arguments: {} })
    const answers = await talk(initialize(protocolVersion), request(1, 'tools/list'), picture)
    const resultOf = (wanted: number) => answers.find(({ id }) => id === wanted)!.result as Record<string, unknown>
    expect((resultOf(1).tools as object[]).some((tool) => 'outputSchema' in tool)).toBe(isStructured)
    const result = resultOf(2)
    expect('structuredContent' in result).toBe(isStructured)
    expect((result.content as { type: string }[]).map(({ type }) => type)).toEqual(['text', 'image'])
  })

  it.each([
    ['png', /^iVBOR/],
    ['jpeg', /^\/9j\//],
    ['webp', /^UklGR/],
  ])('[MCP2] with a picture as %s has its media type', async (format, start) => {
    const { call } = await connected()
    const { content } = await call('capture_screen', { format })
    expect((content as unknown[])[1]).toEqual({
      type: 'image',
      mimeType: `image/${format}`,
      data: expect.stringMatching(start),
    })
  })

  it('[MCP8] of an unknown tool is a protocol error', async () => {
    const { call } = await connected()
    await expect(call('dance')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/Unknown tool: dance/),
    })
  })
})

it.each([
  ['tools/call', {}],
  ['tools/call', { name: 'list_windows', arguments: [] }],
  ['resources/read', { uri: 7 }],
])('[MCP8] refuses %s of %j as params that do not fit', async (method, params) => {
  const [answer] = await talk(request(1, method, params))
  expect(answer).toMatchObject({ id: 1, error: { code: -32602 } })
})

describe('initialize', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18'])('[MCP8] speaks %s', async (version) => {
    const [answer] = await talk(initialize(version))
    expect(answer!.result).toMatchObject({ protocolVersion: version, serverInfo: { name: 'x', version: '1' } })
  })

  it('[MCP8] offers its own version to a client of another', async () => {
    const [answer] = await talk(initialize('1999-01-01'))
    expect((answer!.result as { protocolVersion: string }).protocolVersion).toMatch(/^20\d\d-/)
  })

  it('[MCP12] makes budgets smaller, never larger', async () => {
    const asked = { experimental: { budgets: { max_actions: 1, max_screenshots: 99 } } }
    const { call } = await connected({ config: { budget: { max_screenshots: 2 } } }, asked)
    const { structuredContent } = await call('get_budget_status')
    expect(structuredContent).toMatchObject({ actions: { limit: 1 }, screenshots: { limit: 2 } })
    const nonsense = await connected({}, { experimental: { budgets: { max_actions: -5 } } })
    expect((await nonsense.call('get_budget_status')).structuredContent).toMatchObject({ configured: false })
  })
})

describe('resources', () => {
  it('[MCP13] are the screen, the tree and the scenario as they are now', async () => {
    const { client } = await connected()
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual([
      'backlot://screenshot',
      'backlot://tree',
      'backlot://task',
      'backlot://scenario',
    ])
    const read = async (uri: string) =>
      (await client.readResource({ uri })).contents[0] as unknown as Record<string, string>
    expect(await read('backlot://screenshot')).toMatchObject({
      mimeType: 'image/png',
      blob: expect.stringMatching(/^iVBOR/),
    })
    expect(JSON.parse((await read('backlot://tree')).text!)).toMatchObject({ window: 'A', tree: { id: 'root' } })
    expect(JSON.parse((await read('backlot://scenario')).text!)).toMatchObject({ state: 'a', states: ['a'] })
    await expect(read('backlot://moon')).rejects.toMatchObject({ code: -32602 })
  })

  it('[MCP14] hold the task, and so do the instructions, without a word of the states', async () => {
    const { client } = await connected({}, {}, `task: Press the button\n${APP}`)
    const { contents } = await client.readResource({ uri: 'backlot://task' })
    expect(contents).toMatchObject([{ text: '{"task":"Press the button"}' }])
    expect(client.getInstructions()).toMatch(/ The task: Press the button$/)
    const none = await connected()
    expect((await none.client.readResource({ uri: 'backlot://task' })).contents).toMatchObject([
      { text: '{"task":null}' },
    ])
    expect(none.client.getInstructions()).not.toContain('task')
  })

  it('[MCP13] go through the gates', async () => {
    const { client } = await connected({ config: { actions: { default: 'deny' }, budget: { max_screenshots: 0 } } })
    await expect(client.readResource({ uri: 'backlot://tree' })).rejects.toMatchObject({
      data: { code: 'PermissionDenied' },
    })
    await expect(client.readResource({ uri: 'backlot://screenshot' })).rejects.toMatchObject({
      data: { code: 'PermissionDenied' },
    })
  })
})

describe('lines', () => {
  it('[MCP10] that are not messages get an error, and the connection stays open', async () => {
    const answers = await talk('nonsense', '{}', '[]', request(7, 'ping'))
    const received = answers.map(({ id, error }) => [id, (error as { code: number } | undefined)?.code])
    expect(received).toEqual([
      [null, -32700],
      [null, -32600],
      [null, -32600],
      [7, undefined],
    ])
  })

  it('[MCP10] may begin with a byte order mark, the first of them', async () => {
    expect(await talk(`\ufeff${request(7, 'ping')}`)).toEqual([{ jsonrpc: '2.0', id: 7, result: {} }])
    expect(await hear('\ufeff', `${request(7, 'ping')}\n`)).toMatchObject([{ id: 7, result: {} }])
  })

  it('[MCP10] that are too long get an error and end the connection', async () => {
    const unfinished = request(1, 'tools/call', { name: 'get_screenshot' })
    const answers = await hear(`${unfinished}\n`, 'x'.repeat(11 * 1024 * 1024), `\n${request(2, 'ping')}\n`)
    expect(answers).toMatchObject([{ id: null, error: { code: -32600 } }])
  })

  it('[MCP10] ask for methods that there are', async () => {
    const [answer] = await talk(request(1, 'dance'))
    expect(answer).toMatchObject({ id: 1, error: { code: -32601 } })
  })

  it('[MCP11] are all answered, also at the end of input', async () => {
    const calls = ['get_screenshot', 'wait_for', 'list_windows'].map((name, at) =>
      request(at, 'tools/call', { name, arguments: { any_of: [{ type: 'text_visible', regex: 'never' }] } }),
    )
    const answers = await talk(...calls)
    expect(answers.map(({ id }) => id).sort()).toEqual([0, 1, 2])
    expect(await hear(`${request(3, 'ping')}\n${request(4, 'ping')}`)).toMatchObject([{ id: 3 }, { id: 4 }])
  })
})

describe('a session for agents', () => {
  it('[MCP7] lists the tools of agents only, in less than half of the space, and refuses the others', async () => {
    const all = await toolsOf((await connected()).client)
    const { client, call } = await connected({ audience: 'agent' })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(toolsFor('agent').map(({ name }) => name))
    expect(tools.filter(({ outputSchema }) => outputSchema)).toEqual([])
    expect(JSON.stringify(tools).length).toBeLessThan(JSON.stringify(all).length / 2)
    expect(await call('session_reset')).toMatchObject({ isError: true })
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).not.toContain('backlot://scenario')
    await expect(client.readResource({ uri: 'backlot://scenario' })).rejects.toThrow('there is no resource')
    await expect(client.readResource({ uri: 'backlot://tree' })).resolves.toBeDefined()
  })
})

describe('text', () => {
  it('[MCP6] is compact JSON', async () => {
    const { call } = await connected()
    const { content } = await call('observe_window')
    const [{ text }] = content as [{ text: string }]
    expect(text).toBe(JSON.stringify(JSON.parse(text)))
  })
})
