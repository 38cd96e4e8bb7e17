import assert from 'node:assert/strict'
import { Stopped } from '../../contract/navi.ts'
import { check } from '../check.ts'
import { createSession, settle, typesOf, visit } from './client.ts'

check('navi:stop:running', async (bench) => {
  const { say, next, path } = await visit(bench)
  say(bench.profile.phrase('endless'))
  await next('stream_delta')
  const answer = await bench.http.post(`${path}/stop`)
  assert.equal(answer.json(Stopped).ok, true)
  await next('stream_stopped')
})

check('navi:stop:idle', async (bench) => {
  const id = await createSession(bench)
  const answer = await bench.http.post(`/sessions/${id}/stop`)
  assert.equal(answer.status, 200)
  const { ok, reason } = answer.json(Stopped)
  assert.deepEqual([ok, reason], [false, 'no active run'])
})

check('navi:stop:unknown', async ({ http, random }) => {
  assert.equal((await http.post(`/sessions/${random.word(16)}/stop`)).status, 404)
})

check('navi:stop:after', async (bench) => {
  const { socket, say, next, run, path } = await visit(bench)
  say(bench.profile.phrase('endless'))
  await next('stream_delta')
  await bench.http.post(`${path}/stop`)
  const stopped = await next('stream_stopped')
  await settle(300)
  assert.equal(socket.messages.at(-1), stopped, `${typesOf(socket.messages).at(-1)} follows the stop`)
  const events = await run(bench.profile.phrase('hello'))
  assert.equal(events.at(-1)!.type, 'stream_end')
})

check('navi:stop:delete', async (bench) => {
  const { socket, say, next, path } = await visit(bench)
  say(bench.profile.phrase('endless'))
  await next('stream_delta')
  assert.equal((await bench.http.delete(path)).status, 204)
  await socket.closing()
})
