import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { PNG } from 'pngjs'
import * as z from 'zod'
import { DesktopPath, DirectoryTree } from '../../osworld/contract.ts'
import { sendForm, textOf } from '../../osworld/driver.ts'
import type { HttpResponse } from '../../probe/http.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

/** The parts of an upload; those that are absent are left out. */
interface Upload {
  readonly path?: string
  readonly bytes?: Buffer
}

function upload({ http }: TestContext, { path, bytes }: Upload): Promise<HttpResponse> {
  const boundary = `part-${randomBytes(8).toString('hex')}`
  const part = (header: string, content: Buffer) =>
    Buffer.concat([Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; ${header}\r\n\r\n`), content, CRLF])
  const raw = Buffer.concat([
    ...(path === undefined ? [] : [part('name="file_path"', Buffer.from(path))]),
    ...(bytes === undefined
      ? []
      : [part('name="file_data"; filename="data"\r\ncontent-type: application/octet-stream', bytes)]),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  return http.send({
    method: 'POST',
    path: '/setup/upload',
    raw,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  })
}
const CRLF = Buffer.from('\r\n')

/** A path for a new file. The profile names a directory that may be written to; the desktop otherwise. */
async function newPath(context: TestContext, ending = 'txt'): Promise<string> {
  return `${await directoryOf(context)}/conformance-${context.random.word(10)}.${ending}`
}

async function directoryOf({ http, profile }: TestContext): Promise<string> {
  if (profile.has('directory')) return profile.known('directory', z.string())
  return (await http.post('/desktop_path')).json(DesktopPath).desktop_path
}

const readFile = (context: TestContext, path: string) => sendForm(context, '/file', { file_path: path })

async function assertStored(context: TestContext, path: string, bytes: Buffer): Promise<void> {
  textOf(await upload(context, { path, bytes }))
  const answer = await readFile(context, path)
  assert.equal(answer.status, 200, answer.text)
  assert.ok(answer.bytes.equals(bytes), `${bytes.length} bytes were sent, and ${answer.bytes.length} others came back`)
}

check('osworld:file:round', async (context) => {
  const bytes = Buffer.from(Array.from({ length: 1024 }, (_, at) => (at * 7) % 256))
  await assertStored(context, await newPath(context, 'bin'), bytes)
})

check('osworld:file:attachment', async (context) => {
  const path = await newPath(context)
  textOf(await upload(context, { path, bytes: Buffer.from('cargo') }))
  const { headers } = await readFile(context, path)
  assert.match(headers['content-disposition'] ?? '', /^attachment\b/)
})

check('osworld:file:text', async (context) => {
  const answer = await upload(context, { path: await newPath(context), bytes: Buffer.from('cargo') })
  assert.match(textOf(answer), /^File Uploaded/)
})

check('osworld:file:empty', async (context) => assertStored(context, await newPath(context), Buffer.alloc(0)))

check('osworld:file:replaced', async (context) => {
  const path = await newPath(context)
  await assertStored(context, path, Buffer.from('a first and longer text'))
  await assertStored(context, path, Buffer.from('a second'))
})

check('osworld:file:missing', async (context) => {
  const { status, text } = await readFile(context, await newPath(context))
  assert.equal(status, 404, text)
})

check('osworld:file:unnamed', async (context) => {
  assert.equal((await sendForm(context, '/file', { path: '/etc' })).status, 400)
})

check('osworld:file:incomplete', async (context) => {
  const path = await newPath(context)
  assert.equal((await upload(context, { path })).status, 400, 'without file_data')
  assert.equal((await upload(context, { bytes: Buffer.from('x') })).status, 400, 'without file_path')
})

const Entry = z.looseObject({
  type: z.enum(['directory', 'file']),
  name: z.string(),
  get children() {
    return z.array(Entry).optional()
  },
})
type Entry = z.infer<typeof Entry>

async function listDirectory(context: TestContext, path: string): Promise<Entry> {
  const answer = await context.http.post('/list_directory', { path })
  assert.equal(answer.status, 200, answer.text)
  return answer.json(z.looseObject({ directory_tree: Entry })).directory_tree
}

check('osworld:directory:tree', async (context) => {
  const name = `conformance-${context.random.word(10)}`
  const path = `${await directoryOf(context)}/${name}`
  for (const file of ['one.txt', 'inner/two.txt'])
    textOf(await upload(context, { path: `${path}/${file}`, bytes: Buffer.from(file) }))
  const simple = ({ type, name: called, children }: Entry): unknown =>
    type === 'file' ? called : { [called]: children?.map(simple).sort(bySpelling) }
  assert.deepEqual(simple(await listDirectory(context, path)), { [name]: ['one.txt', { inner: ['two.txt'] }] })
})

const bySpelling = (one: unknown, other: unknown): number =>
  (typeof one === 'string' ? 0 : 1) - (typeof other === 'string' ? 0 : 1)

check('osworld:directory:missing', async (context) => {
  const file = await newPath(context)
  const answers = [await context.http.post('/list_directory', { path: file })]
  textOf(await upload(context, { path: file, bytes: Buffer.from('x') }))
  answers.push(await context.http.post('/list_directory', { path: file }))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [400, 400],
    'for nothing, and for a file',
  )
})

check('osworld:directory:unnamed', async ({ http }) => {
  assert.equal((await http.post('/list_directory', {})).status, 400)
})

check('osworld:desktop:path', async (context) => {
  const { desktop_path } = (await context.http.post('/desktop_path')).json(DesktopPath)
  const listed = (await context.http.post('/list_directory', { path: desktop_path })).json(DirectoryTree)
  assert.equal(listed.directory_tree.name, desktop_path.split(/[/\\]/).at(-1))
})

function smallPicture(context: TestContext): Buffer {
  const picture = new PNG({ width: 8, height: 8 })
  for (let at = 0; at < picture.data.length; at++) picture.data[at] = at % 4 === 3 ? 255 : context.random.int(0, 255)
  return PNG.sync.write(picture)
}

const changeWallpaper = ({ http }: TestContext, path: string) => http.post('/setup/change_wallpaper', { path })

check('osworld:wallpaper:round', async (context) => {
  const bytes = smallPicture(context)
  const path = await newPath(context, 'png')
  textOf(await upload(context, { path, bytes }))
  textOf(await changeWallpaper(context, path))
  const answer = await context.http.post('/wallpaper')
  assert.equal(answer.status, 200, answer.text)
  assert.match(answer.headers['content-type'] ?? '', /^image\//)
  assert.ok(answer.bytes.equals(bytes), 'the wallpaper is another picture')
})

check('osworld:wallpaper:missing', async (context) => {
  assert.equal((await changeWallpaper(context, await newPath(context, 'png'))).status, 404)
})

check('osworld:wallpaper:unnamed', async ({ http }) => {
  assert.equal((await http.post('/setup/change_wallpaper', {})).status, 400)
})

check('osworld:download:unnamed', async ({ http }) => {
  assert.equal((await http.post('/setup/download_file', { path: '/home/user/file' })).status, 400, 'without url')
  assert.equal((await http.post('/setup/download_file', { url: 'http://127.0.0.1/' })).status, 400, 'without path')
})
