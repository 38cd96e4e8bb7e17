import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { Context, Upload } from '../../contract/navi.ts'
import type { HttpAnswer } from '../../probe/http.ts'
import type { Bench } from '../../run/test-context.ts'
import { check } from '../check.ts'
import { createSession, messagesOf, visit } from './client.ts'

/** Uploads bytes under a name, as one multipart field. */
export function upload({ http }: Bench, id: string, name: string, bytes: Buffer, field = 'file'): Promise<HttpAnswer> {
  const boundary = `part-${randomBytes(8).toString('hex')}`
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\ncontent-type: text/plain\r\n\r\n`
  const raw = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
  return http.send({
    method: 'POST',
    path: `/sessions/${id}/files`,
    raw,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    timeoutMs: 60_000,
  })
}

const stored = (answer: HttpAnswer) => {
  assert.equal(answer.status, 201, answer.text)
  return answer.json(Upload)
}

check('navi:file:upload', async (bench) => {
  const id = await createSession(bench)
  const bytes = Buffer.from(bench.random.word(100))
  const file = stored(await upload(bench, id, 'report.txt', bytes))
  assert.deepEqual([file.name, file.size], ['report.txt', bytes.length])
  assert.match(file.content_type, /^text\/plain/)
  assert.ok(file.path.endsWith(`session_files/${id}/report.txt`), file.path)
})

check('navi:file:empty', async (bench) => {
  const id = await createSession(bench)
  assert.equal(stored(await upload(bench, id, 'empty.txt', Buffer.alloc(0))).size, 0)
})

check('navi:file:collision', async (bench) => {
  const id = await createSession(bench)
  const names = []
  for (let count = 0; count < 3; count++) names.push(stored(await upload(bench, id, 'file.txt', Buffer.from('x'))).name)
  assert.deepEqual(names, ['file.txt', 'file_1.txt', 'file_2.txt'])
})

const BLOCKED = ['exe', 'dll', 'so', 'sh', 'bat', 'cmd', 'ps1', 'vbs', 'bin', 'elf']

check('navi:file:blocked', async (bench) => {
  const id = await createSession(bench)
  for (const type of BLOCKED)
    assert.equal((await upload(bench, id, `tool.${type}`, Buffer.from('x'))).status, 400, `.${type} is not refused`)
  stored(await upload(bench, id, 'exe.txt', Buffer.from('x')))
})

check('navi:file:blocked-case', async (bench) => {
  const id = await createSession(bench)
  for (const type of ['EXE', 'Sh'])
    assert.equal((await upload(bench, id, `tool.${type}`, Buffer.from('x'))).status, 400, `.${type} is not refused`)
})

check(
  'navi:file:too-large',
  async (bench) => {
    const limit = bench.profile.has('upload-limit') ? bench.profile.known('upload-limit', z.int()) : 200 * 1024 * 1024
    const id = await createSession(bench)
    const answer = await upload(bench, id, 'large.txt', Buffer.alloc(limit + 1024 * 1024, 65)).catch(() => undefined)
    // A server that stops reading early may be gone before the client has sent everything.
    if (answer) assert.equal(answer.status, 413)
    stored(await upload(bench, id, 'small.txt', Buffer.from('x')))
  },
  { timeoutMs: 90_000, lane: 'dangerous' },
)

check(
  'navi:file:escape',
  async (bench) => {
    const id = await createSession(bench)
    for (const name of ['../outside.txt', '..\\outside.txt', '/etc/outside.txt', 'a/b/outside.txt']) {
      const answer = await upload(bench, id, name.replaceAll('\\', '\\\\'), Buffer.from('x'))
      if (answer.status >= 400 && answer.status < 500) continue
      const { path } = stored(answer)
      assert.match(path, new RegExp(`session_files/${id}/[^/\\\\]+$`), `${name} is stored at ${path}`)
    }
  },
  { lane: 'dangerous' },
)

check('navi:file:session', async (bench) => {
  assert.equal((await upload(bench, bench.random.word(16), 'a.txt', Buffer.from('x'))).status, 404)
})

check('navi:file:no-field', async (bench) => {
  const id = await createSession(bench)
  assert.equal((await upload(bench, id, 'a.txt', Buffer.from('x'), 'other')).status, 422)
})

check('navi:file:unknown-path', async (bench) => {
  const { id, run } = await visit(bench)
  const path = `session_files/${id}/never-uploaded.txt`
  const events = await run(bench.profile.phrase('hello'), { files: [{ name: 'never-uploaded.txt', size: 1, path }] })
  assert.equal(events.at(-1)!.type, 'stream_end')
})

check('navi:file:mentioned', async (bench) => {
  const { id, run } = await visit(bench)
  const { name, size, path } = stored(await upload(bench, id, 'notes.txt', Buffer.from('x')))
  const hello = bench.profile.phrase('hello')
  await run(hello, { files: [{ name, size, path }] })
  const { context } = (await bench.http.get(`/sessions/${id}/context`)).json(Context)
  assert.ok(
    context.some((item) => item.role === 'user' && item.content?.includes(path)),
    'the agent is not told the path',
  )
})

check('navi:file:hidden', async (bench) => {
  const { id, run } = await visit(bench)
  const { name, size, path } = stored(await upload(bench, id, 'notes.txt', Buffer.from('x')))
  const hello = bench.profile.phrase('hello')
  await run(hello, { files: [{ name, size, path }] })
  assert.equal((await messagesOf(bench, id)).find((item) => item.role === 'user')?.content, hello)
})
