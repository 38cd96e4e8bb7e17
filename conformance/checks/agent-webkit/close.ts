import assert from 'node:assert/strict'
import { check } from '../check.ts'
import { attach, dataOf, openTalk } from './client.ts'

check('agent-webkit:close:answer', async (bench) => {
  const talk = await openTalk(bench)
  assert.equal((await bench.http.delete(talk.path)).status, 204)
})

check('agent-webkit:close:done', async (bench) => {
  const talk = await openTalk(bench)
  const other = await attach(bench, talk.id)
  await talk.turn(bench.profile.phrase('hello'))
  await bench.http.delete(talk.path)
  for (const { stream } of [talk, other]) {
    await stream.end()
    const last = stream.events.at(-1)
    assert.equal(last?.event, 'done', `the last event is ${last?.event}`)
    dataOf(last, 'done')
    assert.equal(stream.events.filter((seen) => seen.event === 'done').length, 1)
  }
})

check('agent-webkit:close:parked', async (bench) => {
  const talk = await openTalk(bench)
  await talk.ask(bench.profile.phrase('permission'), 'permission_request')
  const { status } = await bench.http.delete(talk.path)
  assert.ok(status < 300, `DELETE answers ${status}`)
  await talk.stream.end()
  assert.equal(talk.stream.events.at(-1)?.event, 'done')
})

check('agent-webkit:close:gone', async (bench) => {
  const talk = await openTalk(bench)
  await talk.turn(bench.profile.phrase('hello'))
  await bench.http.delete(talk.path)
  assert.equal((await talk.input({ type: 'interrupt' })).status, 404)
  for (const cursor of [undefined, 1]) {
    const { stream } = await attach(bench, talk.id, cursor)
    assert.equal(stream.status, 404, `a stream with the cursor ${cursor ?? '(none)'} answers ${stream.status}`)
  }
})

check('agent-webkit:close:twice', async (bench) => {
  const talk = await openTalk(bench)
  await bench.http.delete(talk.path)
  assert.equal((await bench.http.delete(talk.path)).status, 204)
  assert.equal((await bench.http.delete(`/sessions/${bench.random.word(12)}`)).status, 204)
})

check('agent-webkit:close:alone', async (bench) => {
  const [one, other] = [await openTalk(bench), await openTalk(bench)]
  await bench.http.delete(one.path)
  await one.stream.end()
  await other.turn(bench.profile.phrase('hello'))
})
