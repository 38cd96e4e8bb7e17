import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { StopResult } from '../../navi/contract.ts'
import { connect, createSession, typesOf } from '../../navi/driver.ts'
import { check } from '../check.ts'

check('navi:stop:running', async (context) => {
  const { sendText, nextEvent, path } = await connect(context)
  sendText(context.profile.phrase('endless'))
  await nextEvent('stream_delta')
  const answer = await context.http.post(`${path}/stop`)
  assert.equal(answer.json(StopResult).ok, true)
  await nextEvent('stream_stopped')
})

check('navi:stop:idle', async (context) => {
  const id = await createSession(context)
  const answer = await context.http.post(`/sessions/${id}/stop`)
  assert.equal(answer.status, 200)
  const { ok, reason } = answer.json(StopResult)
  assert.deepEqual([ok, reason], [false, 'no active run'])
})

check('navi:stop:unknown', async ({ http, random }) => {
  assert.equal((await http.post(`/sessions/${random.word(16)}/stop`)).status, 404)
})

check('navi:stop:after', async (context) => {
  const { socket, sendText, nextEvent, run, path } = await connect(context)
  sendText(context.profile.phrase('endless'))
  await nextEvent('stream_delta')
  await context.http.post(`${path}/stop`)
  const stopped = await nextEvent('stream_stopped')
  await pause(300)
  assert.equal(socket.messages.at(-1), stopped, `${typesOf(socket.messages).at(-1)} follows the stop`)
  const events = await run(context.profile.phrase('hello'))
  assert.equal(events.at(-1)!.type, 'stream_end')
})

check('navi:stop:delete', async (context) => {
  const { socket, sendText, nextEvent, path } = await connect(context)
  sendText(context.profile.phrase('endless'))
  await nextEvent('stream_delta')
  assert.equal((await context.http.delete(path)).status, 204)
  await socket.closing()
})
