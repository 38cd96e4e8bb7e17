import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { assertAlive, connect, ownMessages, SETTLE_MS } from '../../cortask/driver.ts'
import { check } from '../check.ts'

check(
  'cortask:broken:not-json',
  async (context) => {
    const client = await connect(context)
    for (const [at, raw] of ['{"type":', 'chat', '{"type":"chat",}'].entries()) {
      client.socket.sendRaw(raw)
      const answer = await client.nextEvent('error', at)
      assert.equal(answer.type, 'error')
    }
    await assertAlive(context, client)
  },
  { pool: 'dangerous' },
)

check(
  'cortask:broken:null',
  async (context) => {
    const client = await connect(context)
    for (const raw of ['null', '[]', '7', '"chat"', 'true', '[{"type":"chat"}]']) {
      client.socket.sendRaw(raw)
      // One at a time, so that a server that dies of one is lost before the next.
      await pause(50)
    }
    await assertAlive(context, client)
    await assertAlive(context, await connect(context))
  },
  { pool: 'dangerous' },
)

check(
  'cortask:broken:unknown-type',
  async (context) => {
    const client = await connect(context)
    client.socket.sendRaw(JSON.stringify({ type: context.random.word() }))
    client.socket.sendRaw('{}')
    await pause(SETTLE_MS)
    assert.ok(
      ownMessages(client.socket).every((one) => one.type === 'error'),
      'it is answered as if it were known',
    )
    await assertAlive(context, client)
  },
  { pool: 'dangerous' },
)

check(
  'cortask:broken:huge',
  async (context) => {
    const [loud, quiet] = [await connect(context), await connect(context)]
    loud.socket.sendRaw(JSON.stringify({ type: 'chat', message: 'A'.repeat(110 * 1024 * 1024) }))
    const code = await loud.socket.closing(6000).catch(() => undefined)
    assert.ok(code === undefined || code === 1009, `the socket closes with ${code}`)
    await pause(SETTLE_MS)
    await assertAlive(context, quiet)
  },
  { timeoutMs: 30_000, pool: 'dangerous' },
)
