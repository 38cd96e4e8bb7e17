import assert from 'node:assert/strict'
import { check } from '../../check.ts'
import { assertAlive, connect, settle } from './client.ts'

const TEN_MB = 10 * 1024 * 1024

check(
  'windieos:limit:message',
  async (bench) => {
    const client = await connect(bench)
    await assertAlive(client)
    const after = client.socket.messages.length
    client.socket.sendRaw(
      JSON.stringify({ id: 'huge', type: 'query', payload: { text: 'A'.repeat(TEN_MB), conversation_ref: 'c' } }),
    )
    await client.next('error', after)
    await assertAlive(client)
  },
  { timeoutMs: 40_000, lane: 'dangerous' },
)

check(
  'windieos:limit:tasks',
  async (bench) => {
    const client = await connect(bench)
    const text = bench.profile.phrase('endless')
    const ids = Array.from({ length: 60 }, (_, at) =>
      client.say('query', { text, conversation_ref: `many-${bench.random.word()}-${at}` }),
    )
    await client.socket.until('a refusal', (one) => one.type === 'error')
    await settle()
    const refused = client.socket.messages.filter((one) => one.type === 'error').map((one) => one.id)
    assert.ok(
      refused.every((id) => ids.slice(50).includes(String(id))),
      'one of the first fifty is refused',
    )
    client.socket.terminate()
  },
  { timeoutMs: 40_000, lane: 'dangerous' },
)
