import assert from 'node:assert/strict'
import { check } from '../check.ts'
import { assertAlive, connect, heard, settle } from './client.ts'

check(
  'cortask:broken:not-json',
  async (bench) => {
    const client = await connect(bench)
    for (const [at, raw] of ['{"type":', 'chat', '{"type":"chat",}'].entries()) {
      client.socket.sendRaw(raw)
      const answer = await client.next('error', at)
      assert.equal(answer.type, 'error')
    }
    await assertAlive(bench, client)
  },
  { lane: 'dangerous' },
)

check(
  'cortask:broken:null',
  async (bench) => {
    const client = await connect(bench)
    for (const raw of ['null', '[]', '7', '"chat"', 'true', '[{"type":"chat"}]']) {
      client.socket.sendRaw(raw)
      // One at a time, so that a server that dies of one is lost before the next.
      await settle(50)
    }
    await assertAlive(bench, client)
    await assertAlive(bench, await connect(bench))
  },
  { lane: 'dangerous' },
)

check(
  'cortask:broken:unknown-type',
  async (bench) => {
    const client = await connect(bench)
    client.socket.sendRaw(JSON.stringify({ type: bench.random.word() }))
    client.socket.sendRaw('{}')
    await settle()
    assert.ok(
      heard(client.socket).every((one) => one.type === 'error'),
      'it is answered as if it were known',
    )
    await assertAlive(bench, client)
  },
  { lane: 'dangerous' },
)

check(
  'cortask:broken:huge',
  async (bench) => {
    const [loud, quiet] = [await connect(bench), await connect(bench)]
    loud.socket.sendRaw(JSON.stringify({ type: 'chat', message: 'A'.repeat(110 * 1024 * 1024) }))
    const code = await loud.socket.closing(6000).catch(() => undefined)
    assert.ok(code === undefined || code === 1009, `the socket closes with ${code}`)
    await settle()
    await assertAlive(bench, quiet)
  },
  { timeoutMs: 30_000, lane: 'dangerous' },
)
