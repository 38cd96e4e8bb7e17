import { constants, createWriteStream } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'
import type { Toolbox, ToolDescription } from '../../agent/toolbox.ts'
import { describeIssues } from '../../base/external-values.ts'
import { Fault } from '../../base/fault.ts'
import { systemIds } from '../../base/ids.ts'
import { decodeUtf8, trimEndWhere } from '../../base/strings.ts'
import { imageType } from '../../paint/png/read-png.ts'
import type { StoredFile } from './wire.ts'

const FOLDER = 'session_files'
/** Incoming uploads are stored here and moved when complete. No session has this id. */
const INCOMING = '.incoming'
const BLOCKED = new Set(['.exe', '.dll', '.so', '.sh', '.bat', '.cmd', '.ps1', '.vbs', '.bin', '.elf'])
/** The longest file name in bytes, without an appended number. */
const MAX_NAME_BYTES = 200

/** An incoming upload. */
export interface Upload {
  /** Optional in forms. */
  readonly filename: string | undefined
  readonly mimetype: string
  /** `truncated` is set if the upload exceeds the limit. */
  readonly file: Readable & { readonly truncated?: boolean }
}

/** A part of a stored file. */
export interface FilePart {
  readonly name: string
  /** The size of the whole file in bytes. */
  readonly size: number
  readonly bytes: Buffer
}

/** The fault for a file that is larger than `limit` bytes. */
export const tooLarge = (limit: number): Fault =>
  new Fault('TooLarge', `the file is larger than ${Math.floor(limit / 1_048_576)} MB`)

/** The files of all sessions, with one folder per session below `root`. `limit` is the largest file in bytes. */
export function openSessionFiles(root: string, limit: number) {
  const folderOf = (id: string) => join(root, FOLDER, id)
  const incoming = join(root, FOLDER, INCOMING)

  /** Creates an empty file with a name. If the name exists, a number is appended. */
  async function claim(folder: string, name: string): Promise<string> {
    const extension = extname(name)
    const stem = name.slice(0, name.length - extension.length)
    for (let number = 0; ; number++) {
      const candidate = number === 0 ? name : `${stem}_${number}${extension}`
      try {
        await (await open(join(folder, candidate), 'wx')).close()
        return candidate
      } catch (thrown) {
        if ((thrown as { readonly code?: unknown }).code !== 'EEXIST') throw thrown
      }
    }
  }

  return {
    /** Streams an upload to disk. Nothing remains of a blocked, incomplete or too large upload. */
    async store(id: string, upload: Upload): Promise<StoredFile> {
      const blocked = blockedType(upload.filename)
      if (blocked !== undefined) {
        upload.file.resume()
        throw new Fault('BadRequest', `files of the type ${blocked} are not accepted`, { blocked })
      }
      await mkdir(incoming, { recursive: true })
      const incomingPath = join(incoming, systemIds.uuid())
      const written = createWriteStream(incomingPath, { flags: 'wx' })
      const folder = folderOf(id)
      let name: string
      try {
        await pipeline(upload.file, written)
        if (upload.file.truncated) throw tooLarge(limit)
        await mkdir(folder, { recursive: true })
        name = await claim(folder, shortName(safeName(upload.filename)))
        await rename(incomingPath, join(folder, name))
      } catch (thrown) {
        await rm(incomingPath, { force: true })
        throw thrown
      }
      return { name, size: written.bytesWritten, path: `${FOLDER}/${id}/${name}`, content_type: upload.mimetype }
    },

    /** The paths that name existing files of the session. */
    async existing(id: string, paths: readonly string[]): Promise<readonly string[]> {
      const prefix = `${FOLDER}/${id}/`
      const checked = paths.map(async (path) => {
        const name = path.slice(prefix.length)
        if (!path.startsWith(prefix) || name !== safeName(name)) return undefined
        return access(join(folderOf(id), name)).then(
          () => path,
          () => undefined,
        )
      })
      return (await Promise.all(checked)).filter((path) => path !== undefined)
    },

    /** The names of a session's files. */
    list: (id: string): Promise<readonly string[]> => readdir(folderOf(id)).catch(() => []),

    /** Reads part of a session's file by name or path. Undefined if it does not exist. */
    async read(id: string, path: string, offset: number, length: number): Promise<FilePart | undefined> {
      const prefix = `${FOLDER}/${id}/`
      const name = path.startsWith(prefix) ? path.slice(prefix.length) : path
      if (name !== safeName(name)) return undefined
      const file = await open(join(folderOf(id), name), constants.O_RDONLY | constants.O_NOFOLLOW).catch(
        () => undefined,
      )
      if (!file) return undefined
      try {
        const info = await file.stat()
        if (!info.isFile()) return undefined
        const bytes = Buffer.alloc(Math.max(0, Math.min(length, info.size - offset)))
        const { bytesRead } = await file.read(bytes, 0, bytes.length, offset)
        return { name, size: info.size, bytes: bytes.subarray(0, bytesRead) }
      } finally {
        await file.close()
      }
    },

    /** Removes unfinished uploads of an earlier server. */
    clearUnfinished: (): Promise<void> => rm(incoming, { recursive: true, force: true }),

    /** Deletes the files of a session. */
    clear: (id: string): Promise<void> => rm(folderOf(id), { recursive: true, force: true }),
  }
}

export type SessionFiles = ReturnType<typeof openSessionFiles>

/** Invisible characters: controls, formats such as zero-width spaces and direction overrides, lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** The last segment of a name, without characters that could leave the folder or hide the type. */
function safeName(given = ''): string {
  const base = given.split(/[/\\]/).at(-1)!
  const visible = base.replace(INVISIBLE, '').replace(/[:*?"<>|]/g, '')
  return trimEndWhere(visible, (character) => /[.\s]/.test(character)) || 'file'
}

/**
 * The blocked type of a name in any spelling: alone, in full-width letters, before a stream (`a.sh::$DATA`), or before dots,
 * blanks and invisible characters. Undefined for an accepted type.
 */
function blockedType(given = ''): string | undefined {
  const base = given.normalize('NFKC').split(/[/\\]/).at(-1)!
  return [base, ...base.split(':')].map(typeOf).find((type) => BLOCKED.has(type))
}

const typeOf = (name: string): string =>
  `.${safeName(name).split('.').slice(1).at(-1) ?? ''}`.replace(/\s/g, '').toLowerCase()

/** Shortens a name for the file system and keeps its extension. */
function shortName(name: string): string {
  const extension = prefixOf(extname(name), MAX_NAME_BYTES / 2)
  const stem = name.slice(0, name.length - extname(name).length)
  return prefixOf(stem, MAX_NAME_BYTES - Buffer.byteLength(extension)) + extension
}

/** The longest prefix of whole characters that fits into a number of bytes. */
function prefixOf(text: string, bytes: number): string {
  let length = 0
  let left = bytes
  for (const character of text) {
    left -= Buffer.byteLength(character)
    if (left < 0) break
    length += character.length
  }
  return text.slice(0, length)
}

const MAX_TEXT_BYTES = 64 * 1024
const MAX_PICTURE_BYTES = 8 * 1024 * 1024
const MAX_LISTED_FILES = 20

const Input = z.object({
  path: z.string().min(1).describe('The path of an attached file, as the message gives it'),
  offset: z.int().min(0).default(0).describe('The byte to begin at, for the next part of a long file'),
})

/** The description of the tool `read_file`. */
export const READ_FILE: ToolDescription = {
  name: 'read_file',
  description: 'Read a file that was attached to this conversation: text in parts of 64 KiB, or a picture.',
  input: z.toJSONSchema(Input, { io: 'input' }),
}

/** Tools that read the uploads of a session, and no other files. */
export function fileTools(files: SessionFiles, sessionId: string): Toolbox {
  return {
    list: () => [READ_FILE],
    call: async (_name, args) => {
      const input = Input.safeParse(args)
      if (!input.success) return { ok: false, result: `read_file: ${describeIssues(input.error)}` }
      const { path, offset } = input.data
      const part = await files.read(sessionId, path, offset, MAX_TEXT_BYTES)
      if (!part) return { ok: false, result: await missing(files, sessionId, path) }
      const { name, size, bytes } = part
      const type = offset === 0 ? imageType(bytes) : undefined
      if (type !== undefined) return picture(files, sessionId, path, type)
      const text = decodeUtf8(bytes, offset + bytes.length < size)
      if (text === undefined) return { ok: false, result: `${name} has ${size} bytes and is not text in UTF-8` }
      const end = offset + Buffer.byteLength(text)
      return { ok: true, result: { name, size, content: text, ...(end < size && { next_offset: end }) } }
    },
  }
}

async function picture(files: SessionFiles, sessionId: string, path: string, mimeType: string) {
  const whole = await files.read(sessionId, path, 0, MAX_PICTURE_BYTES)
  if (!whole || whole.size > MAX_PICTURE_BYTES)
    return { ok: false, result: `the picture is larger than ${MAX_PICTURE_BYTES} bytes, so it cannot be shown` }
  const result = { name: whole.name, size: whole.size, type: mimeType }
  return { ok: true, result, images: [{ mimeType, base64: whole.bytes.toString('base64') }] }
}

async function missing(files: SessionFiles, sessionId: string, path: string): Promise<string> {
  const names = (await files.list(sessionId)).slice(0, MAX_LISTED_FILES)
  const there = names.length === 0 ? 'no files were attached' : `there are ${names.join(', ')}`
  return `no file ${JSON.stringify(path.slice(0, 200))} was attached to this conversation; ${there}`
}
