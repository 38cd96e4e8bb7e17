import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, ownMessages, SETTLE_MS } from '../../cortask/driver.ts'
import { check } from '../check.ts'

check('cortask:connect:path', async (context) => {
  await context.socket('/ws')
})

check('cortask:connect:other-path', async (context) => {
  await context.socket(`/ws?page=${context.random.word()}`)
  for (const path of ['/', '/wss', `/${context.random.word()}`]) {
    const { refused } = await context.tryConnect(path)
    assert.ok(refused !== undefined && refused >= 400, `${path} is not refused`)
  }
})

check('cortask:connect:silent', async (context) => {
  const socket = await context.socket('/ws')
  await pause(SETTLE_MS)
  assert.deepEqual(ownMessages(socket), [])
})

check('cortask:connect:local-origin', async (context) => {
  await context.socket('/ws')
  for (const origin of ['http://localhost', 'http://localhost:5173', 'http://127.0.0.1:3777', 'https://localhost:8443'])
    await context.socket('/ws', { origin })
})

/** Milliseconds in which a socket that was let in by mistake would have been closed. */
const REFUSAL_MS = 1000

const FOREIGN = [
  'https://evil.example',
  'http://localhost.evil.example',
  'http://evil.example:3777',
  'null',
  'http://127.0.0.1.evil.example',
]

check('cortask:connect:foreign-origin', async (context) => {
  for (const origin of FOREIGN) {
    const opened = await context.tryConnect('/ws', { origin })
    // A server may refuse the handshake, or close the socket immediately.
    const closed = opened.refused ?? (await opened.socket.closing(REFUSAL_MS).catch(() => undefined))
    assert.ok(closed !== undefined, `the origin ${origin} is let in`)
    if (opened.refused !== undefined)
      assert.ok(closed >= 400 && closed < 500, `the origin ${origin} is refused with ${closed}`)
  }
})

check('cortask:connect:cors', async ({ http }) => {
  for (const origin of FOREIGN) {
    const answer = await http.get('/api/health', { headers: { origin } })
    const allowed = answer.headers['access-control-allow-origin']
    assert.ok(allowed !== '*' && allowed !== origin, `the origin ${origin} is allowed`)
  }
})

check(
  'cortask:connect:binary',
  async (context) => {
    const client = await connect(context)
    const chat = {
      type: 'chat',
      sessionKey: 'binary',
      message: context.profile.phrase('hello'),
      workspaceId: client.workspaceId,
    }
    client.socket.sendRaw(Buffer.from(JSON.stringify(chat)))
    assert.equal((await client.end('binary')).type, 'done')
  },
  { pool: 'dangerous' },
)
