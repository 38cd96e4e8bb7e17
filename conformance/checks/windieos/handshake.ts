import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { RegisteredInstall } from '../../windieos/contract.ts'
import { assertAlive, connect, createClient, handshakeMessage, parsePayload } from '../../windieos/driver.ts'
import { check } from '../check.ts'

/** The message of the official client. */
const DEFINITION = {
  version: 1,
  tools: { mode: 'client_only' },
  skills: [],
  plugins: [],
  runtime: { operating_system: 'Linux', coordinate_methods: ['manual'] },
}

check('windieos:handshake:plain', async (context) => {
  await assertAlive(await connect(context))
  await assertAlive(await connect(context, { agent_definition: DEFINITION }))
})

check(
  'windieos:handshake:first',
  async (context) => {
    const wrong = ['{"type":', 'null', '[]', '7', '{}', '{"id":"1","type":"list-models","payload":{}}']
    for (const raw of wrong) {
      const socket = await context.socket('/ws')
      socket.sendRaw(raw)
      assert.equal(await socket.closing(), 1008, `after ${raw}`)
    }
  },
  { pool: 'dangerous' },
)

const REMOVED = ['operating_system', 'available_tools', 'available_coordinate_methods', 'requested_agent_policy']

check(
  'windieos:handshake:removed',
  async (context) => {
    for (const field of REMOVED) {
      const socket = await context.socket('/ws')
      socket.sendRaw(JSON.stringify(handshakeMessage({ [field]: field === 'operating_system' ? 'macOS' : [] })))
      assert.equal(await socket.closing(), 1008, `with ${field}`)
    }
  },
  { pool: 'dangerous' },
)

const tool = (name: string, more: object = {}) => ({
  name,
  description: `Does ${name.slice(0, 20)}.`,
  execution_target: 'local_runtime',
  schema: { type: 'object', properties: {} },
  argument_resolution: 'passthrough',
  ...more,
})

const bringing = (tools: readonly object[]) => ({
  agent_definition: { version: 1, tools: { mode: 'default_plus_client', client_manifest: { version: 1, tools } } },
})

check(
  'windieos:handshake:large',
  async (context) => {
    const tools = Array.from({ length: 400 }, (_, at) => tool(`tool_${at}`, { description: 'x'.repeat(200) }))
    const client = await connect(context, bringing(tools))
    const { accepted } = parsePayload(await client.nextMessage('client-tool-manifest'), 'client-tool-manifest')
    assert.equal(accepted.length, tools.length)
  },
  { pool: 'dangerous' },
)

check('windieos:handshake:at-once', async (context) => {
  const client = await connect(context)
  const ids = ['list-models', 'load-settings', 'list-models'].map((type) => client.send(type))
  await client.nextResponse(ids[0]!, 'models-listed')
  await client.nextResponse(ids[1]!, 'settings-loaded')
  await client.nextResponse(ids[2]!, 'models-listed')
})

check(
  'windieos:handshake:again',
  async (context) => {
    const client = await connect(context)
    await assertAlive(client)
    const after = client.socket.messages.length
    client.socket.sendRaw(JSON.stringify(handshakeMessage()))
    await client.nextMessage('error', after)
    await assertAlive(client)
  },
  { pool: 'dangerous' },
)

check(
  'windieos:handshake:empty-user',
  async (context) => {
    for (const raw of ['{"type":"handshake"}', JSON.stringify(handshakeMessage({ user_id: '' }))]) {
      const socket = await context.socket('/ws')
      socket.sendRaw(raw)
      assert.equal(await socket.closing(), 1008, `after ${raw}`)
    }
  },
  { pool: 'dangerous' },
)

check(
  'windieos:handshake:huge',
  async (context) => {
    const socket = await context.socket('/ws')
    socket.sendRaw(
      JSON.stringify(handshakeMessage({ agent_definition: { version: 1, name: 'x'.repeat(11 * 1024 * 1024) } })),
    )
    assert.equal(await socket.closing(), 1008)
  },
  { pool: 'dangerous' },
)

check('windieos:manifest:none', async (context) => {
  const client = await connect(context)
  await assertAlive(client)
  const answered = client.socket.messages.filter((one) => one.type === 'client-tool-manifest')
  assert.deepEqual(answered, [], 'a manifest that was not sent is answered')
})

check(
  'windieos:handshake:token',
  async (context) => {
    const { base } = await context.auxiliary('hosted')
    const isRefused = (error: Error) => (/refused with HTTP 4/.test(error.message) ? undefined : Promise.reject(error))
    // Either the HTTP upgrade or the WebSocket handshake refuses the header.
    const socket = await context.socketAt(base.href, '/ws').catch(isRefused)
    if (!socket) return
    socket.send(handshakeMessage())
    await socket.closing()
  },
  { pool: 'auxiliary', timeoutMs: 60_000 },
)

check(
  'windieos:handshake:token-code',
  async (context) => {
    const { base } = await context.auxiliary('hosted')
    const socket = await context.socketAt(base.href, '/ws')
    socket.send(handshakeMessage())
    assert.equal(await socket.closing(), 1008)
  },
  { pool: 'auxiliary', timeoutMs: 60_000 },
)

check(
  'windieos:handshake:claim',
  async (context) => {
    const http = await context.auxiliary('hosted')
    const { install_token } = (await http.post('/api/install/register', {})).json(RegisteredInstall)
    const headers = { authorization: `Bearer ${install_token}` }
    const socket = await context.socketAt(http.base.href, '/ws', { headers })
    socket.send(handshakeMessage({ user_id: 'somebody-else' }))
    await assertAlive(createClient(context, socket))
  },
  { pool: 'auxiliary', timeoutMs: 60_000 },
)

check('windieos:manifest:judged', async (context) => {
  const client = await connect(context, bringing([tool('read_note'), tool('web_search'), tool('save_note')]))
  const message = await client.nextMessage('client-tool-manifest')
  const { accepted, rejected } = parsePayload(message, 'client-tool-manifest')
  assert.deepEqual(accepted.map((one) => one.name).sort(), ['read_note', 'save_note'])
  assert.deepEqual(
    rejected.map((one) => one.name),
    ['web_search'],
  )
  await assertAlive(client)
})

check('windieos:manifest:name', async (context) => {
  const [longest, tooLong] = [`a${'b'.repeat(95)}`, `a${'b'.repeat(96)}`]
  const client = await connect(context, bringing([tool(longest), tool(tooLong), tool('1st'), tool('ok')]))
  const { accepted } = parsePayload(await client.nextMessage('client-tool-manifest'), 'client-tool-manifest')
  assert.deepEqual(
    accepted.map((one) => one.name),
    [longest, 'ok'],
  )
})

check('windieos:manifest:catalog', async (context) => {
  const client = await connect(context)
  const { payload } = await client.nextMessage('remote-tool-catalog')
  const { remote_tools } = z.looseObject({ remote_tools: z.array(z.looseObject({ name: z.string() })) }).parse(payload)
  assert.ok(remote_tools.length > 0)
  await pause(50)
})
