import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { PNG } from 'pngjs'
import * as z from 'zod'
import { assertAgree } from '../../compare/differences.ts'
import { assertStatus } from '../../probe/failure.ts'
import type { HttpResponse } from '../../probe/http.ts'
import { defineRules } from '../../suite/rules.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { DesktopPath, DirectoryTree } from '../contract.ts'
import { sources } from '../document.ts'
import { sendForm, textOfSuccess } from '../driver.ts'
import { bodyOf, changeBytes, onSuccessOf, replaceStatus } from '../sabotage.ts'

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
  textOfSuccess(await upload(context, { path, bytes }))
  const answer = await readFile(context, path)
  assertStatus(answer, 200)
  assert.ok(answer.bytes.equals(bytes), `${bytes.length} bytes were sent, and ${answer.bytes.length} others came back`)
}

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
  assertStatus(answer, 200)
  return answer.json(z.looseObject({ directory_tree: Entry })).directory_tree
}

const bySpelling = (one: unknown, other: unknown): number =>
  (typeof one === 'string' ? 0 : 1) - (typeof other === 'string' ? 0 : 1)

function smallPicture(context: TestContext): Buffer {
  const picture = new PNG({ width: 8, height: 8 })
  for (let at = 0; at < picture.data.length; at++) picture.data[at] = at % 4 === 3 ? 255 : context.random.int(0, 255)
  return PNG.sync.write(picture)
}

const changeWallpaper = ({ http }: TestContext, path: string) => http.post('/setup/change_wallpaper', { path })

/** Reading and uploading files. */
export const fileRules = defineRules('file', ['file:round'], {
  round: {
    level: 'MUST',
    text: 'An uploaded file is read back byte by byte.',
    source: sources.server,
    basis: {
      states: 'POST /setup/upload stores file_data at file_path, and POST /file answers the bytes of file_path.',
    },
    covers: ['OW-R15', 'OW-R14'],
    tier: 'sdk',
    check: async (context) => {
      const bytes = Buffer.from(Array.from({ length: 1024 }, (_, at) => (at * 7) % 256))
      await assertStored(context, await newPath(context, 'bin'), bytes)
    },
    sabotage: {
      'loses the last byte of a file': changeBytes('/file', (bytes) => bytes.subarray(0, -1)),
    },
  },

  attachment: {
    level: 'MUST',
    text: 'POST /file answers an attachment.',
    source: sources.server,
    basis: { states: 'POST /file answers the bytes as an attachment.' },
    covers: ['OW-R14'],
    tier: 'sdk',
    check: async (context) => {
      const path = await newPath(context)
      textOfSuccess(await upload(context, { path, bytes: Buffer.from('cargo') }))
      const { headers } = await readFile(context, path)
      assert.match(headers['content-disposition'] ?? '', /^attachment\b/i)
    },
    sabotage: {
      'shows files in place': changeBytes('/file', (bytes, { headers }) => {
        headers['content-disposition'] = 'inline'
        return bytes
      }),
    },
  },

  text: {
    level: 'MUST',
    text: 'An upload answers a text that begins with "File Uploaded".',
    source: sources.server,
    basis: { states: 'POST /setup/upload answers the text File Uploaded and more.' },
    covers: ['OW-R15'],
    tier: 'sdk',
    check: async (context) => {
      const answer = await upload(context, { path: await newPath(context), bytes: Buffer.from('cargo') })
      assert.match(textOfSuccess(answer), /^File Uploaded/)
    },
    sabotage: {
      'answers an upload in its own words': changeBytes('/setup/upload', () => Buffer.from('stored')),
    },
  },

  empty: {
    level: 'SHOULD',
    text: 'An empty file is stored and read back.',
    source: sources.expected,
    basis: { because: 'The document does not cover empty files.' },
    covers: ['OW-R15', 'OW-R14'],
    tier: 'sdk',
    check: async (context) => assertStored(context, await newPath(context), Buffer.alloc(0)),
    sabotage: {
      'has no empty files': {
        changeResponse: (response, { path }) => {
          if (path === '/file' && response.body.length === 0) response.status = 404
        },
      },
    },
  },

  replaced: {
    level: 'SHOULD',
    text: 'A second upload to a path replaces the file.',
    source: sources.expected,
    basis: { because: 'Set-ups upload the same files for every task.' },
    covers: ['OW-R15'],
    tier: 'sdk',
    check: async (context) => {
      const path = await newPath(context)
      await assertStored(context, path, Buffer.from('a first and longer text'))
      await assertStored(context, path, Buffer.from('a second'))
    },
    sabotage: {
      'keeps the first upload': {
        changeRequest: (request) => {
          if (request.path !== '/setup/upload') return
          request.body = Buffer.from(request.body.toString('latin1').replace('a second', 'an earlier'), 'latin1')
        },
      },
    },
  },

  missing: {
    level: 'MUST',
    text: 'A file that does not exist answers 404.',
    source: sources.server,
    basis: { states: 'POST /file answers 404 when there is no such file.' },
    covers: ['OW-R14', 'OW-X2'],
    tier: 'sdk',
    check: async (context) => {
      const { status, text } = await readFile(context, await newPath(context))
      assert.equal(status, 404, text)
    },
    sabotage: {
      'refuses files that do not exist': replaceStatus('/file', 404, 400),
    },
  },

  unnamed: {
    level: 'MUST',
    text: 'POST /file without file_path answers 400.',
    source: sources.server,
    basis: { states: 'POST /file takes the form field file_path and answers 400 without it.' },
    covers: ['OW-R14', 'OW-X1'],
    tier: 'sdk',
    check: async (context) => {
      assertStatus(await sendForm(context, '/file', { path: '/etc' }), 400)
    },
    sabotage: {
      'finds no file without a path': replaceStatus('/file', 400, 404),
    },
  },

  incomplete: {
    level: 'MUST',
    text: 'An upload without file_path or file_data answers 400.',
    source: sources.server,
    basis: { states: 'POST /setup/upload takes file_path and file_data and answers 400 without them.' },
    covers: ['OW-R15', 'OW-X1'],
    tier: 'sdk',
    check: async (context) => {
      const path = await newPath(context)
      assertStatus(await upload(context, { path }), 400, 'without file_data')
      assertStatus(await upload(context, { bytes: Buffer.from('x') }), 400, 'without file_path')
    },
    sabotage: {
      'breaks at an incomplete upload': replaceStatus('/setup/upload', 400, 500),
    },
  },
})

/** Listing directories. */
export const directoryRules = defineRules('directory', ['file:round'], {
  tree: {
    level: 'MUST',
    text: 'A directory is listed with its files and directories, down to the last.',
    source: sources.server,
    basis: { states: 'directory_tree has type, name and children.' },
    covers: ['OW-R13'],
    tier: 'full',
    check: async (context) => {
      const name = `conformance-${context.random.word(10)}`
      const path = `${await directoryOf(context)}/${name}`
      for (const file of ['one.txt', 'inner/two.txt'])
        textOfSuccess(await upload(context, { path: `${path}/${file}`, bytes: Buffer.from(file) }))
      const simple = ({ type, name: called, children }: Entry): unknown =>
        type === 'file' ? called : { [called]: children?.map(simple).sort(bySpelling) }
      assert.deepEqual(simple(await listDirectory(context, path)), { [name]: ['one.txt', { inner: ['two.txt'] }] })
    },
    sabotage: {
      'lists empty directories': onSuccessOf('POST /list_directory', (json) => {
        for (const child of json.directory_tree.children) if (child.children) child.children = []
      }),
    },
  },

  missing: {
    level: 'MUST',
    text: 'A path that is not a directory answers 400.',
    source: sources.server,
    basis: { states: 'POST /list_directory answers 400 for other paths.' },
    covers: ['OW-R13', 'OW-X1'],
    tier: 'full',
    check: async (context) => {
      const file = await newPath(context)
      const answers = [await context.http.post('/list_directory', { path: file })]
      textOfSuccess(await upload(context, { path: file, bytes: Buffer.from('x') }))
      answers.push(await context.http.post('/list_directory', { path: file }))
      assert.deepEqual(
        answers.map(({ status }) => status),
        [400, 400],
        'for nothing, and for a file',
      )
    },
    sabotage: {
      'finds no directory': replaceStatus('/list_directory', 400, 404),
    },
  },

  unnamed: {
    level: 'MUST',
    text: 'POST /list_directory without a path answers 400.',
    source: sources.server,
    basis: { states: 'POST /list_directory takes path and answers 400 without it.' },
    covers: ['OW-R13', 'OW-X1'],
    tier: 'full',
    check: async ({ http }) => {
      assertStatus(await http.post('/list_directory', {}), 400)
    },
    sabotage: {
      'breaks without a directory': {
        changeResponse: (response, request) => {
          if (request.path === '/list_directory' && bodyOf(request)?.path === undefined) response.status = 500
        },
      },
    },
  },
})

/** The path of the desktop. */
export const desktopRules = defineRules('desktop', {
  path: {
    level: 'MUST',
    text: 'The desktop’s path is a directory that can be listed.',
    source: sources.server,
    basis: { states: 'POST /desktop_path answers desktop_path, or 404 when there is none.' },
    covers: ['OW-R11', 'OW-R13'],
    tier: 'full',
    check: async (context) => {
      const { desktop_path } = (await context.http.post('/desktop_path')).json(DesktopPath)
      const listed = (await context.http.post('/list_directory', { path: desktop_path })).json(DirectoryTree)
      assertAgree(
        { 'the listing': listed.directory_tree.name, '/desktop_path': desktop_path.split(/[/\\]/).at(-1) },
        'the name of the folder',
      )
    },
    sabotage: {
      'has its desktop nowhere': onSuccessOf('POST /desktop_path', (json) => {
        json.desktop_path = `${json.desktop_path}/nowhere`
      }),
    },
  },
})

/** The wallpaper. */
export const wallpaperRules = defineRules('wallpaper', ['file:round'], {
  round: {
    level: 'MUST',
    text: 'A picture that becomes the wallpaper is answered by POST /wallpaper.',
    source: sources.server,
    basis: { states: 'change_wallpaper takes the path of a picture, and /wallpaper answers its bytes.' },
    covers: ['OW-R18', 'OW-R12'],
    tier: 'full',
    check: async (context) => {
      const bytes = smallPicture(context)
      const path = await newPath(context, 'png')
      textOfSuccess(await upload(context, { path, bytes }))
      textOfSuccess(await changeWallpaper(context, path))
      const answer = await context.http.post('/wallpaper')
      assertStatus(answer, 200)
      assert.match(answer.headers['content-type'] ?? '', /^image\//)
      assert.ok(answer.bytes.equals(bytes), 'the wallpaper is another picture')
    },
    sabotage: {
      'shows another wallpaper': changeBytes('/wallpaper', (bytes) => bytes.subarray(0, 20)),
    },
  },

  missing: {
    level: 'MUST',
    text: 'A wallpaper that does not exist answers 404.',
    source: sources.server,
    basis: { states: 'POST /setup/change_wallpaper answers 404 when there is no such file.' },
    covers: ['OW-R18', 'OW-X2'],
    tier: 'full',
    check: async (context) => {
      assertStatus(await changeWallpaper(context, await newPath(context, 'png')), 404)
    },
    sabotage: {
      'refuses wallpapers that do not exist': replaceStatus('/setup/change_wallpaper', 404, 400),
    },
  },

  unnamed: {
    level: 'MUST',
    text: 'POST /setup/change_wallpaper without a path answers 400.',
    source: sources.server,
    basis: { states: 'POST /setup/change_wallpaper takes path and answers 400 without it.' },
    covers: ['OW-R18', 'OW-X1'],
    tier: 'full',
    check: async ({ http }) => {
      assertStatus(await http.post('/setup/change_wallpaper', {}), 400)
    },
    sabotage: {
      'breaks without a wallpaper': replaceStatus('/setup/change_wallpaper', 400, 500),
    },
  },
})

/** Downloading files to the machine. */
export const downloadRules = defineRules('download', {
  unnamed: {
    level: 'MUST',
    text: 'A download without url or path answers 400.',
    source: sources.server,
    basis: { states: 'POST /setup/download_file takes url and path and answers 400 without them.' },
    covers: ['OW-R19', 'OW-X1'],
    tier: 'sdk',
    check: async ({ http }) => {
      assertStatus(await http.post('/setup/download_file', { path: '/home/user/file' }), 400, 'without url')
      assertStatus(await http.post('/setup/download_file', { url: 'http://127.0.0.1/' }), 400, 'without path')
    },
    sabotage: {
      'breaks at an incomplete download': replaceStatus('/setup/download_file', 400, 500),
    },
  },

  file: {
    level: 'MUST',
    text: 'A download stores what the address answers.',
    source: sources.server,
    basis: { states: 'POST /setup/download_file stores the answer of url at path, or answers 500.' },
    covers: ['OW-R19'],
    tier: 'sdk',
    unchecked: 'the suite has no address that every desktop can reach, and a desktop may have no network',
  },
})
