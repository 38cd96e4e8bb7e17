import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestContext } from '../../run/test-context.ts'
import { assertAlive, assertRefused, connect, SETTLE_MS } from '../../windieos/driver.ts'
import { check } from '../check.ts'

const TEN_MB = 10 * 1024 * 1024
const LARGE = { timeoutMs: 40_000, pool: 'dangerous' } as const

/** Sends a message that is too large; returns how it is refused. */
async function sendHuge(context: TestContext) {
  const client = await connect(context)
  await assertAlive(client)
  const after = client.socket.messages.length
  const payload = { text: 'A'.repeat(TEN_MB), conversation_ref: 'c' }
  client.socket.sendRaw(JSON.stringify({ id: 'huge', type: 'query', payload }))
  return { client, how: await assertRefused(client.socket, 'a message over 10 MB', after) }
}

check('windieos:limit:message', async (context) => void (await sendHuge(context)), LARGE)

check(
  'windieos:limit:stays',
  async (context) => {
    const { client, how } = await sendHuge(context)
    assert.equal(how, 'error', 'the socket closes')
    await assertAlive(client)
  },
  LARGE,
)

/** Sends many queries at the same time; returns the client and the ids in order. */
async function askMany(context: TestContext, count: number) {
  const client = await connect(context)
  const text = context.profile.phrase('endless')
  const ids = Array.from({ length: count }, (_, at) =>
    client.send('query', { text, conversation_ref: `many-${context.random.word()}-${at}` }),
  )
  return { client, ids }
}

check(
  'windieos:limit:tasks',
  async (context) => {
    const { client } = await askMany(context, 50)
    await pause(500)
    const refused = client.socket.messages.find((one) => one.type === 'error')
    client.socket.terminate()
    assert.equal(refused, undefined, `one of fifty is refused: ${JSON.stringify(refused?.payload)}`)
    assert.equal(client.socket.closed, undefined, 'the socket closed')
  },
  LARGE,
)

check(
  'windieos:limit:more-tasks',
  async (context) => {
    const { client, ids } = await askMany(context, 60)
    await client.socket.until('a refusal', (one) => one.type === 'error')
    await pause(SETTLE_MS)
    const refused = client.socket.messages.filter((one) => one.type === 'error').map((one) => one.id)
    assert.ok(
      refused.every((id) => !ids.slice(0, 50).includes(String(id))),
      'one of the first fifty is refused',
    )
    client.socket.terminate()
  },
  LARGE,
)
