import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { SessionContext, Upload } from '../../navi/contract.ts'
import { connect, createSession, getMessages } from '../../navi/driver.ts'
import type { HttpResponse } from '../../probe/http.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

/** Uploads bytes under a name, as one multipart field. */
export function upload(
  { http }: TestContext,
  id: string,
  name: string,
  bytes: Buffer,
  field = 'file',
): Promise<HttpResponse> {
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

const stored = (answer: HttpResponse) => {
  assert.equal(answer.status, 201, answer.text)
  return answer.json(Upload)
}

check('navi:file:upload', async (context) => {
  const id = await createSession(context)
  const bytes = Buffer.from(context.random.word(100))
  const file = stored(await upload(context, id, 'report.txt', bytes))
  assert.deepEqual([file.name, file.size], ['report.txt', bytes.length])
  assert.match(file.content_type, /^text\/plain/)
  assert.ok(file.path.endsWith(`session_files/${id}/report.txt`), file.path)
})

check('navi:file:empty', async (context) => {
  const id = await createSession(context)
  assert.equal(stored(await upload(context, id, 'empty.txt', Buffer.alloc(0))).size, 0)
})

check('navi:file:collision', async (context) => {
  const id = await createSession(context)
  const names = []
  for (let count = 0; count < 3; count++)
    names.push(stored(await upload(context, id, 'file.txt', Buffer.from('x'))).name)
  assert.deepEqual(names, ['file.txt', 'file_1.txt', 'file_2.txt'])
})

const BLOCKED = ['exe', 'dll', 'so', 'sh', 'bat', 'cmd', 'ps1', 'vbs', 'bin', 'elf']

check('navi:file:blocked', async (context) => {
  const id = await createSession(context)
  for (const type of BLOCKED)
    assert.equal((await upload(context, id, `tool.${type}`, Buffer.from('x'))).status, 400, `.${type} is not refused`)
  stored(await upload(context, id, 'exe.txt', Buffer.from('x')))
})

check('navi:file:blocked-case', async (context) => {
  const id = await createSession(context)
  for (const type of ['EXE', 'Sh'])
    assert.equal((await upload(context, id, `tool.${type}`, Buffer.from('x'))).status, 400, `.${type} is not refused`)
})

check(
  'navi:file:too-large',
  async (context) => {
    const limit = context.profile.has('upload-limit')
      ? context.profile.known('upload-limit', z.int())
      : 200 * 1024 * 1024
    const id = await createSession(context)
    const answer = await upload(context, id, 'large.txt', Buffer.alloc(limit + 1024 * 1024, 65)).catch(() => undefined)
    // A server may close the connection before the client has sent everything.
    if (answer) assert.equal(answer.status, 413)
    stored(await upload(context, id, 'small.txt', Buffer.from('x')))
  },
  { timeoutMs: 90_000, pool: 'dangerous' },
)

check(
  'navi:file:escape',
  async (context) => {
    const id = await createSession(context)
    for (const name of ['../outside.txt', '..\\outside.txt', '/etc/outside.txt', 'a/b/outside.txt']) {
      const answer = await upload(context, id, name.replaceAll('\\', '\\\\'), Buffer.from('x'))
      if (answer.status >= 400 && answer.status < 500) continue
      const { path } = stored(answer)
      assert.match(path, new RegExp(`session_files/${id}/[^/\\\\]+$`), `${name} is stored at ${path}`)
    }
  },
  { pool: 'dangerous' },
)

check('navi:file:session', async (context) => {
  assert.equal((await upload(context, context.random.word(16), 'a.txt', Buffer.from('x'))).status, 404)
})

check('navi:file:no-field', async (context) => {
  const id = await createSession(context)
  assert.equal((await upload(context, id, 'a.txt', Buffer.from('x'), 'other')).status, 422)
})

check('navi:file:unknown-path', async (context) => {
  const { id, run } = await connect(context)
  const path = `session_files/${id}/never-uploaded.txt`
  const events = await run(context.profile.phrase('hello'), { files: [{ name: 'never-uploaded.txt', size: 1, path }] })
  assert.equal(events.at(-1)!.type, 'stream_end')
})

check('navi:file:mentioned', async (context) => {
  const { id, run } = await connect(context)
  const { name, size, path } = stored(await upload(context, id, 'notes.txt', Buffer.from('x')))
  const hello = context.profile.phrase('hello')
  await run(hello, { files: [{ name, size, path }] })
  const { context: items } = (await context.http.get(`/sessions/${id}/context`)).json(SessionContext)
  assert.ok(
    items.some((item) => item.role === 'user' && item.content?.includes(path)),
    'the context does not contain the path',
  )
})

check('navi:file:hidden', async (context) => {
  const { id, run } = await connect(context)
  const { name, size, path } = stored(await upload(context, id, 'notes.txt', Buffer.from('x')))
  const hello = context.profile.phrase('hello')
  await run(hello, { files: [{ name, size, path }] })
  assert.equal((await getMessages(context, id)).find((item) => item.role === 'user')?.content, hello)
})
