import assert from 'node:assert/strict'
import { connect, parseEvent, subscribe } from '../../agent-webkit/driver.ts'
import { check } from '../check.ts'

check('agent-webkit:close:answer', async (context) => {
  const client = await connect(context)
  assert.equal((await context.http.delete(client.path)).status, 204)
})

check('agent-webkit:close:done', async (context) => {
  const client = await connect(context)
  const other = await subscribe(context, client.id)
  await client.runTurn(context.profile.phrase('hello'))
  await context.http.delete(client.path)
  for (const { stream } of [client, other]) {
    await stream.end()
    const last = stream.events.at(-1)
    assert.equal(last?.event, 'done', `the last event is ${last?.event}`)
    parseEvent(last, 'done')
    assert.equal(stream.events.filter((seen) => seen.event === 'done').length, 1)
  }
})

check('agent-webkit:close:parked', async (context) => {
  const client = await connect(context)
  await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
  const { status } = await context.http.delete(client.path)
  assert.ok(status < 300, `DELETE answers ${status}`)
  await client.stream.end()
  assert.equal(client.stream.events.at(-1)?.event, 'done')
})

check('agent-webkit:close:gone', async (context) => {
  const client = await connect(context)
  await client.runTurn(context.profile.phrase('hello'))
  await context.http.delete(client.path)
  assert.equal((await client.postInput({ type: 'interrupt' })).status, 404)
  for (const cursor of [undefined, 1]) {
    const { stream } = await subscribe(context, client.id, cursor)
    assert.equal(stream.status, 404, `a stream with the cursor ${cursor ?? '(none)'} answers ${stream.status}`)
  }
})

check('agent-webkit:close:twice', async (context) => {
  const client = await connect(context)
  await context.http.delete(client.path)
  assert.equal((await context.http.delete(client.path)).status, 204)
  assert.equal((await context.http.delete(`/sessions/${context.random.word(12)}`)).status, 204)
})

check('agent-webkit:close:alone', async (context) => {
  const [one, other] = [await connect(context), await connect(context)]
  await context.http.delete(one.path)
  await one.stream.end()
  await other.runTurn(context.profile.phrase('hello'))
})
