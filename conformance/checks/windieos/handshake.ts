import assert from 'node:assert/strict'
import * as z from 'zod'
import { Registered } from '../../contract/windieos.ts'
import { check } from '../check.ts'
import { assertAlive, clientOn, connect, handshake, read, settle } from './client.ts'

/** What the official client sends. */
const DEFINITION = {
  version: 1,
  tools: { mode: 'client_only' },
  skills: [],
  plugins: [],
  runtime: { operating_system: 'Linux', coordinate_methods: ['manual'] },
}

check('windieos:handshake:plain', async (bench) => {
  await assertAlive(await connect(bench))
  await assertAlive(await connect(bench, { agent_definition: DEFINITION }))
})

check(
  'windieos:handshake:first',
  async (bench) => {
    const wrong = ['{"type":', 'null', '[]', '7', '{}', '{"id":"1","type":"list-models","payload":{}}']
    for (const raw of wrong) {
      const socket = await bench.socket('/ws')
      socket.sendRaw(raw)
      assert.equal(await socket.closing(), 1008, `after ${raw}`)
    }
  },
  { lane: 'dangerous' },
)

const REMOVED = ['operating_system', 'available_tools', 'available_coordinate_methods', 'requested_agent_policy']

check(
  'windieos:handshake:removed',
  async (bench) => {
    for (const field of REMOVED) {
      const socket = await bench.socket('/ws')
      socket.sendRaw(JSON.stringify(handshake({ [field]: field === 'operating_system' ? 'macOS' : [] })))
      assert.equal(await socket.closing(), 1008, `with ${field}`)
    }
  },
  { lane: 'dangerous' },
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
  async (bench) => {
    const tools = Array.from({ length: 400 }, (_, at) => tool(`tool_${at}`, { description: 'x'.repeat(200) }))
    const client = await connect(bench, bringing(tools))
    const { accepted } = read(await client.next('client-tool-manifest'), 'client-tool-manifest')
    assert.equal(accepted.length, tools.length)
  },
  { lane: 'dangerous' },
)

check('windieos:handshake:at-once', async (bench) => {
  const client = await connect(bench)
  const ids = ['list-models', 'load-settings', 'list-models'].map((type) => client.say(type))
  await client.answer(ids[0]!, 'models-listed')
  await client.answer(ids[1]!, 'settings-loaded')
  await client.answer(ids[2]!, 'models-listed')
})

check(
  'windieos:handshake:again',
  async (bench) => {
    const client = await connect(bench)
    await assertAlive(client)
    const after = client.socket.messages.length
    client.socket.sendRaw(JSON.stringify(handshake()))
    await client.next('error', after)
    await assertAlive(client)
  },
  { lane: 'dangerous' },
)

check(
  'windieos:handshake:empty-user',
  async (bench) => {
    for (const raw of ['{"type":"handshake"}', JSON.stringify(handshake({ user_id: '' }))]) {
      const socket = await bench.socket('/ws')
      socket.sendRaw(raw)
      assert.equal(await socket.closing(), 1008, `after ${raw}`)
    }
  },
  { lane: 'dangerous' },
)

check(
  'windieos:handshake:huge',
  async (bench) => {
    const socket = await bench.socket('/ws')
    socket.sendRaw(JSON.stringify(handshake({ agent_definition: { version: 1, name: 'x'.repeat(11 * 1024 * 1024) } })))
    assert.equal(await socket.closing(), 1008)
  },
  { lane: 'dangerous' },
)

check('windieos:manifest:none', async (bench) => {
  const client = await connect(bench)
  await assertAlive(client)
  const answered = client.socket.messages.filter((one) => one.type === 'client-tool-manifest')
  assert.deepEqual(answered, [], 'a manifest that was not sent is answered')
})

check(
  'windieos:handshake:token',
  async (bench) => {
    const { base } = await bench.satellite('hosted')
    const isRefused = (error: Error) => (/refused with HTTP 4/.test(error.message) ? undefined : Promise.reject(error))
    // Whoever sees the header first refuses: the handshake of HTTP, or that of the socket.
    const socket = await bench.socketAt(base.href, '/ws').catch(isRefused)
    if (!socket) return
    socket.send(handshake())
    await socket.closing()
  },
  { lane: 'satellite', timeoutMs: 60_000 },
)

check(
  'windieos:handshake:token-code',
  async (bench) => {
    const { base } = await bench.satellite('hosted')
    const socket = await bench.socketAt(base.href, '/ws')
    socket.send(handshake())
    assert.equal(await socket.closing(), 1008)
  },
  { lane: 'satellite', timeoutMs: 60_000 },
)

check(
  'windieos:handshake:claim',
  async (bench) => {
    const http = await bench.satellite('hosted')
    const { install_token } = (await http.post('/api/install/register', {})).json(Registered)
    const headers = { authorization: `Bearer ${install_token}` }
    const socket = await bench.socketAt(http.base.href, '/ws', { headers })
    socket.send(handshake({ user_id: 'somebody-else' }))
    await assertAlive(clientOn(bench, socket))
  },
  { lane: 'satellite', timeoutMs: 60_000 },
)

check('windieos:manifest:judged', async (bench) => {
  const client = await connect(bench, bringing([tool('read_note'), tool('web_search'), tool('save_note')]))
  const message = await client.next('client-tool-manifest')
  const { accepted, rejected } = read(message, 'client-tool-manifest')
  assert.deepEqual(accepted.map((one) => one.name).sort(), ['read_note', 'save_note'])
  assert.deepEqual(
    rejected.map((one) => one.name),
    ['web_search'],
  )
  await assertAlive(client)
})

check('windieos:manifest:name', async (bench) => {
  const [longest, tooLong] = [`a${'b'.repeat(95)}`, `a${'b'.repeat(96)}`]
  const client = await connect(bench, bringing([tool(longest), tool(tooLong), tool('1st'), tool('ok')]))
  const { accepted } = read(await client.next('client-tool-manifest'), 'client-tool-manifest')
  assert.deepEqual(
    accepted.map((one) => one.name),
    [longest, 'ok'],
  )
})

check('windieos:manifest:catalog', async (bench) => {
  const client = await connect(bench)
  const { payload } = await client.next('remote-tool-catalog')
  const { remote_tools } = z.looseObject({ remote_tools: z.array(z.looseObject({ name: z.string() })) }).parse(payload)
  assert.ok(remote_tools.length > 0)
  await settle(50)
})
