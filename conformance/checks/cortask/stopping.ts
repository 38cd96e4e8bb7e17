import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, ownMessages, parseEvent, SETTLE_MS } from '../../cortask/driver.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

/** A run that has started to send text and continues for a while. */
async function talkative(context: TestContext) {
  const client = await connect(context)
  const key = client.chat(context.profile.phrase('endless'))
  await client.nextEvent('text_delta')
  return { client, key }
}

check('cortask:cancel:stops', async (context) => {
  const { client, key } = await talkative(context)
  client.socket.send({ type: 'cancel', sessionKey: key })
  await pause(400)
  const said = client.eventsOf(key).length
  await pause(400)
  assert.equal(client.eventsOf(key).length, said, 'the run continues')
})

check('cortask:cancel:end', async (context) => {
  const { client, key } = await talkative(context)
  client.socket.send({ type: 'cancel', sessionKey: key })
  await pause(800)
  const ends = client.eventsOf(key).filter((one) => one.type === 'done' || one.type === 'error')
  assert.ok(ends.length <= 1 && ends.every((one) => one.type === 'done'), `it ends with ${JSON.stringify(ends)}`)
  if (ends[0]) assert.equal(client.eventsOf(key).at(-1), ends[0], 'something follows the done')
})

check('cortask:cancel:again', async (context) => {
  const { client, key } = await talkative(context)
  client.socket.send({ type: 'cancel', sessionKey: key })
  const place = client.socket.messages.length
  client.chat(context.profile.phrase('hello'), { sessionKey: key })
  await client.socket.until('the answer', (one) => one.type === 'text_delta' && one.sessionKey === key, {
    after: place,
  })
  await client.socket.until('the done', (one) => one.type === 'done' && one.sessionKey === key, { after: place })
})

check('cortask:cancel:unknown', async (context) => {
  const client = await connect(context)
  client.socket.send({ type: 'cancel', sessionKey: context.random.word(16) })
  await pause(SETTLE_MS)
  assert.deepEqual(ownMessages(client.socket), [])
  await client.run(context.profile.phrase('hello'))
})

check('cortask:cancel:pending', async (context) => {
  const client = await connect(context)
  const key = client.chat(context.profile.phrase('permission'))
  const { requestId } = parseEvent(await client.nextEvent('permission_request'), 'permission_request')
  client.socket.send({ type: 'cancel', sessionKey: key })
  await pause(SETTLE_MS)
  // A busy server may send the end of the run and the result of the tool late.
  const said = () => client.eventsOf(key).filter((one) => one.type !== 'done' && one.type !== 'tool_result').length
  const before = said()
  client.socket.send({ type: 'permission_response', requestId, approved: true })
  await pause(SETTLE_MS)
  assert.equal(said(), before, 'the late approval has an effect')
  const ran = client
    .eventsOf(key)
    .some((one) => one.type === 'tool_result' && parseEvent(one, 'tool_result').isError !== true)
  assert.ok(!ran, 'the tool ran')
})

check(
  'cortask:disconnect:others',
  async (context) => {
    const [going, staying] = [await connect(context), await connect(context)]
    const key = staying.chat(context.profile.phrase('permission'))
    const { requestId } = parseEvent(await staying.nextEvent('permission_request'), 'permission_request')
    going.chat(context.profile.phrase('endless'))
    await going.nextEvent('text_delta')
    going.socket.terminate()
    await pause(300)
    staying.socket.send({ type: 'permission_response', requestId, approved: true })
    assert.equal((await staying.end(key)).type, 'done')
    const results = staying.eventsOf(key).filter((one) => one.type === 'tool_result')
    assert.deepEqual(
      results.map((one) => parseEvent(one, 'tool_result').isError === true),
      [false],
      'the permission was denied',
    )
  },
  { pool: 'dangerous' },
)

check(
  'cortask:disconnect:permission',
  async (context) => {
    const going = await connect(context)
    const key = going.chat(context.profile.phrase('permission'))
    const { requestId } = parseEvent(await going.nextEvent('permission_request'), 'permission_request')
    going.socket.terminate()
    const other = await connect(context)
    await pause(300)
    other.socket.send({ type: 'permission_response', requestId, approved: true })
    await pause(300)
    assert.deepEqual(other.eventsOf(key), [], 'the run of the disconnected client continues')
  },
  { pool: 'dangerous' },
)

check(
  'cortask:disconnect:replay',
  async (context) => {
    const { client } = await talkative(context)
    client.socket.terminate()
    const again = await connect(context)
    await pause(300)
    assert.deepEqual(ownMessages(again.socket), [])
  },
  { pool: 'dangerous' },
)
