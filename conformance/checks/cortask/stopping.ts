import assert from 'node:assert/strict'
import type { Bench } from '../../run/test-context.ts'
import { check } from '../check.ts'
import { connect, heard, read, settle } from './client.ts'

/** A run that has begun to talk and goes on for a while. */
async function talkative(bench: Bench) {
  const client = await connect(bench)
  const key = client.chat(bench.profile.phrase('endless'))
  await client.next('text_delta')
  return { client, key }
}

check('cortask:cancel:stops', async (bench) => {
  const { client, key } = await talkative(bench)
  client.socket.send({ type: 'cancel', sessionKey: key })
  await settle(400)
  const said = client.of(key).length
  await settle(400)
  assert.equal(client.of(key).length, said, 'the run goes on')
})

check('cortask:cancel:end', async (bench) => {
  const { client, key } = await talkative(bench)
  client.socket.send({ type: 'cancel', sessionKey: key })
  await settle(800)
  const ends = client.of(key).filter((one) => one.type === 'done' || one.type === 'error')
  assert.ok(ends.length <= 1 && ends.every((one) => one.type === 'done'), `it ends with ${JSON.stringify(ends)}`)
  if (ends[0]) assert.equal(client.of(key).at(-1), ends[0], 'something follows the done')
})

check('cortask:cancel:again', async (bench) => {
  const { client, key } = await talkative(bench)
  client.socket.send({ type: 'cancel', sessionKey: key })
  const place = client.socket.messages.length
  client.chat(bench.profile.phrase('hello'), { sessionKey: key })
  await client.socket.until('the answer', (one) => one.type === 'text_delta' && one.sessionKey === key, {
    after: place,
  })
  await client.socket.until('the done', (one) => one.type === 'done' && one.sessionKey === key, { after: place })
})

check('cortask:cancel:unknown', async (bench) => {
  const client = await connect(bench)
  client.socket.send({ type: 'cancel', sessionKey: bench.random.word(16) })
  await settle()
  assert.deepEqual(heard(client.socket), [])
  await client.run(bench.profile.phrase('hello'))
})

check('cortask:cancel:pending', async (bench) => {
  const client = await connect(bench)
  const key = client.chat(bench.profile.phrase('permission'))
  const { requestId } = read(await client.next('permission_request'), 'permission_request')
  client.socket.send({ type: 'cancel', sessionKey: key })
  await settle()
  // The end of the run and what became of the tool may come late, of a server that is busy.
  const said = () => client.of(key).filter((one) => one.type !== 'done' && one.type !== 'tool_result').length
  const before = said()
  client.socket.send({ type: 'permission_response', requestId, approved: true })
  await settle()
  assert.equal(said(), before, 'the late approval has an effect')
  const ran = client.of(key).some((one) => one.type === 'tool_result' && read(one, 'tool_result').isError !== true)
  assert.ok(!ran, 'the tool ran')
})

check(
  'cortask:disconnect:others',
  async (bench) => {
    const [going, staying] = [await connect(bench), await connect(bench)]
    const key = staying.chat(bench.profile.phrase('permission'))
    const { requestId } = read(await staying.next('permission_request'), 'permission_request')
    going.chat(bench.profile.phrase('endless'))
    await going.next('text_delta')
    going.socket.terminate()
    await settle(300)
    staying.socket.send({ type: 'permission_response', requestId, approved: true })
    assert.equal((await staying.end(key)).type, 'done')
    const results = staying.of(key).filter((one) => one.type === 'tool_result')
    assert.deepEqual(
      results.map((one) => read(one, 'tool_result').isError === true),
      [false],
      'the permission was denied',
    )
  },
  { lane: 'dangerous' },
)

check(
  'cortask:disconnect:permission',
  async (bench) => {
    const going = await connect(bench)
    const key = going.chat(bench.profile.phrase('permission'))
    const { requestId } = read(await going.next('permission_request'), 'permission_request')
    going.socket.terminate()
    const other = await connect(bench)
    await settle(300)
    other.socket.send({ type: 'permission_response', requestId, approved: true })
    await settle(300)
    assert.deepEqual(other.of(key), [], 'the run of the client that went goes on')
  },
  { lane: 'dangerous' },
)

check(
  'cortask:disconnect:replay',
  async (bench) => {
    const { client } = await talkative(bench)
    client.socket.terminate()
    const again = await connect(bench)
    await settle(300)
    assert.deepEqual(heard(again.socket), [])
  },
  { lane: 'dangerous' },
)
