import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { assertStatus } from '../../probe/failure.ts'
import type { HttpResponse } from '../../probe/http.ts'
import { type AnyJson, changeStatus, onClientMessage, refuseLargeBodies } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { JsonMessage } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { SessionContext, Upload } from '../contract.ts'
import { sources } from '../document.ts'
import { connect, createSession, getMessages, onSuccessOf } from '../driver.ts'

/** Uploads bytes under a name, as one multipart field. */
function upload({ http }: TestContext, id: string, name: string, bytes: Buffer, field = 'file'): Promise<HttpResponse> {
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
  assertStatus(answer, 201)
  return answer.json(Upload)
}

const BLOCKED = ['exe', 'dll', 'so', 'sh', 'bat', 'cmd', 'ps1', 'vbs', 'bin', 'elf']

const TWO_HUNDRED_MB = 200 * 1024 * 1024

const withoutByte = (bytes: Buffer, at: number) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])

/** Uploaded files. */
export const fileRules = defineRules('file', ['session:create'], {
  upload: {
    level: 'MUST',
    text: 'An upload answers 201 with its name, size, type and a path below session_files.',
    source: sources.files,
    basis: {
      states: 'An upload answers 201 with name, size, path below session_files/{session_id} and content_type.',
    },
    covers: ['N-E10', 'N-B3'],
    check: async (context) => {
      const id = await createSession(context)
      const bytes = Buffer.from(context.random.word(100))
      const file = stored(await upload(context, id, 'report.txt', bytes))
      assert.deepEqual({ name: file.name, size: file.size }, { name: 'report.txt', size: bytes.length })
      assert.match(file.content_type, /^text\/plain/)
      assert.ok(file.path.endsWith(`session_files/${id}/report.txt`), file.path)
    },
    sabotage: {
      'says a file is larger': onSuccessOf('POST /sessions/{session_id}/files', (json) => {
        json.size++
      }),
      'says a file is elsewhere': onSuccessOf('POST /sessions/{session_id}/files', (json) => {
        json.path = `/elsewhere/${json.name}`
      }),
    },
  },

  empty: {
    level: 'SHOULD',
    text: 'An empty file is stored.',
    source: sources.open,
    basis: { because: 'The document does not cover empty files.' },
    covers: ['N-E10'],
    check: async (context) => {
      const id = await createSession(context)
      assert.equal(stored(await upload(context, id, 'empty.txt', Buffer.alloc(0))).size, 0, 'size')
    },
    sabotage: {
      'stores no empty files': {
        changeResponse: (response, { body, path }) => {
          if (path.endsWith('/files') && body.includes('"empty.txt"')) response.status = 400
        },
      },
    },
  },

  collision: {
    level: 'MUST',
    text: 'A name that is taken gets a number: file_1.txt, file_2.txt.',
    source: sources.files,
    basis: { states: 'A name that is taken becomes file_1.txt, file_2.txt and so on.' },
    covers: ['N-B3'],
    check: async (context) => {
      const id = await createSession(context)
      const names = []
      for (let count = 0; count < 3; count++)
        names.push(stored(await upload(context, id, 'file.txt', Buffer.from('x'))).name)
      assert.deepEqual(names, ['file.txt', 'file_1.txt', 'file_2.txt'], 'the names of the files')
    },
    sabotage: {
      'overwrites files': onSuccessOf('POST /sessions/{session_id}/files', (json) => {
        json.name = json.name.replace(/_\d+/, '')
      }),
    },
  },

  blocked: {
    level: 'MUST',
    text: 'Each of the ten blocked types is refused with 400, and a name that only starts like one is accepted.',
    source: sources.files,
    basis: { states: 'Ten extensions are blocked, with 400.' },
    covers: ['N-X1', 'N-B3', 'N-A11'],
    check: async (context) => {
      const id = await createSession(context)
      for (const type of BLOCKED)
        assertStatus(await upload(context, id, `tool.${type}`, Buffer.from('x')), 400, `.${type} is not refused`)
      stored(await upload(context, id, 'exe.txt', Buffer.from('x')))
    },
    sabotage: {
      'takes programs': {
        changeRequest: (request) => {
          if (request.path.endsWith('/files'))
            request.body = Buffer.from(
              request.body.toString('latin1').replace(/filename="tool\.\w+"/, 'filename="tool.txt"'),
              'latin1',
            )
        },
      },
    },
  },

  'blocked-case': {
    level: 'SHOULD',
    text: 'Blocked types are refused in any case of letters.',
    source: sources.open,
    basis: { because: 'The document lists the extensions in lower case.' },
    covers: ['N-X1', 'N-A11'],
    check: async (context) => {
      const id = await createSession(context)
      for (const type of ['EXE', 'Sh'])
        assertStatus(await upload(context, id, `tool.${type}`, Buffer.from('x')), 400, `.${type} is not refused`)
    },
    sabotage: {
      'takes programs in capitals': {
        changeRequest: (request) => {
          if (request.path.endsWith('/files'))
            request.body = Buffer.from(request.body.toString('latin1').replace('"tool.EXE"', '"tool.txt"'), 'latin1')
        },
      },
    },
  },

  'too-large': {
    level: 'MUST',
    text: 'A file over 200 MB is refused with 413.',
    source: sources.files,
    basis: { states: 'A file over 200 MB answers 413.' },
    covers: ['N-X3', 'N-B3', 'N-A10'],
    tier: 'full',
    pool: 'dangerous',
    timeoutMs: 90_000,
    check: async (context) => {
      const limit = context.profile.has('upload-limit')
        ? context.profile.known('upload-limit', z.int())
        : 200 * 1024 * 1024
      const id = await createSession(context)
      const answer = await upload(context, id, 'large.txt', Buffer.alloc(limit + 1, 65)).catch(() => undefined)
      // A server may close the connection before the client has sent everything.
      if (answer) assertStatus(answer, 413)
      stored(await upload(context, id, 'small.txt', Buffer.from('x')))
    },
    sabotage: {
      'answers 400 to large files': refuseLargeBodies(TWO_HUNDRED_MB, 400),
      'takes a file that is one byte too large': {
        changeRequest: (request) => {
          if (request.body.length > TWO_HUNDRED_MB) request.body = withoutByte(request.body, TWO_HUNDRED_MB / 2)
        },
      },
    },
  },

  escape: {
    level: 'SHOULD',
    text: 'A name with folders in it cannot leave the session’s folder.',
    source: sources.open,
    basis: { because: 'The document puts files into the folder of the session; a name should not lead out of it.' },
    covers: ['N-B3'],
    pool: 'dangerous',
    check: async (context) => {
      const id = await createSession(context)
      for (const name of ['../outside.txt', '..\\outside.txt', '/etc/outside.txt', 'a/b/outside.txt']) {
        const answer = await upload(context, id, name.replaceAll('\\', '\\\\'), Buffer.from('x'))
        if (answer.status >= 400 && answer.status < 500) continue
        const { path } = stored(answer)
        assert.match(path, new RegExp(`session_files/${id}/[^/\\\\]+$`), `${name} is stored at ${path}`)
      }
    },
    sabotage: {
      'stores files outside': onSuccessOf('POST /sessions/{session_id}/files', (json) => {
        if (json.name.includes('outside')) json.path = json.path.replace(/[^/]+$/, '../outside.txt')
      }),
    },
  },

  session: {
    level: 'MUST',
    text: 'An upload to an unknown session answers 404.',
    source: sources.files,
    basis: { states: 'An upload to a session that is not found answers 404.' },
    covers: ['N-X2', 'N-C9'],
    check: async (context) => {
      assertStatus(await upload(context, context.random.word(16), 'a.txt', Buffer.from('x')), 404)
    },
    sabotage: {
      'takes files for unknown sessions': changeStatus(404, 400, ({ path }) => path.endsWith('/files')),
    },
  },

  'no-field': {
    level: 'SHOULD',
    text: 'An upload without the field file answers 422.',
    source: sources.open,
    basis: { because: 'The field is file; the document names no status for an upload without it.' },
    covers: ['N-X6'],
    check: async (context) => {
      const id = await createSession(context)
      assertStatus(await upload(context, id, 'a.txt', Buffer.from('x'), 'other'), 422)
    },
    sabotage: {
      'needs no field of that name': changeStatus(422, 400, ({ path }) => path.endsWith('/files')),
    },
  },

  mentioned: {
    level: 'MUST',
    text: 'The paths of attached files are in the context.',
    source: sources.socket,
    basis: { states: 'The server appends the paths of files to the content, so that the agent can find them.' },
    covers: ['N-M4', 'N-B5'],
    needs: ['session:create', 'flow:simple'],
    check: async (context) => {
      const { id, run } = await connect(context)
      const { name, size, path } = stored(await upload(context, id, 'notes.txt', Buffer.from('x')))
      const hello = context.profile.phrase('hello')
      await run(hello, { files: [{ name, size, path }] })
      const { context: items } = (await context.http.get(`/sessions/${id}/context`)).json(SessionContext)
      assert.ok(
        items.some((item) => item.role === 'user' && item.content?.includes(path)),
        'the context does not contain the path',
      )
    },
    sabotage: {
      'tells the agent no paths': onSuccessOf('GET /sessions/{session_id}/context', (json) => {
        for (const one of json.context) if (one.content) one.content = one.content.replace(/session_files\S*/g, '')
      }),
    },
  },

  hidden: {
    level: 'SHOULD',
    text: 'The paths of attached files are not in the displayed message.',
    source: sources.open,
    basis: { because: 'The document appends them for the agent; the display shows what the user wrote.' },
    covers: ['N-A9'],
    needs: ['session:create', 'flow:simple'],
    check: async (context) => {
      const { id, run } = await connect(context)
      const { name, size, path } = stored(await upload(context, id, 'notes.txt', Buffer.from('x')))
      const hello = context.profile.phrase('hello')
      await run(hello, { files: [{ name, size, path }] })
      assert.equal((await getMessages(context, id)).find((item) => item.role === 'user')?.content, hello, 'content')
    },
    sabotage: {
      'shows paths to the user': onSuccessOf('GET /sessions/{session_id}', (json) => {
        for (const one of json.messages) if (one.role === 'user') one.content += ' session_files'
      }),
    },
  },

  'unknown-path': {
    level: 'SHOULD',
    text: 'A file that was never uploaded does not keep a message from being answered.',
    source: sources.open,
    basis: { because: 'The document does not cover files that are not there.' },
    covers: ['N-C2', 'N-M4'],
    check: async (context) => {
      const { id, run } = await connect(context)
      const path = `session_files/${id}/never-uploaded.txt`
      const events = await run(context.profile.phrase('hello'), {
        files: [{ name: 'never-uploaded.txt', size: 1, path }],
      })
      assert.equal(events.at(-1)!.type, 'stream_end', 'the last event')
    },
    sabotage: {
      'needs every file': onClientMessage((message, { sendToClient }) => refusesFiles(message, sendToClient)),
    },
  },

  idle: {
    level: 'MUST',
    text: 'Files go after 24 hours without activity, and with their session.',
    source: sources.files,
    basis: { states: 'Files are deleted after 24 hours without activity, or with their session.' },
    covers: ['N-B2', 'N-A13'],
    unchecked: 'the files lie on the server’s disk',
  },
})

/** Answers a message with a file that was never uploaded with an error. */
function refusesFiles(message: AnyJson, say: (message: JsonMessage) => void): unknown {
  if (!message.files?.some(({ name }: AnyJson) => name === 'never-uploaded.txt')) return
  say({ type: 'error', message: 'there is no such file' })
  return false
}
