import { constants, createWriteStream } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Fault } from '../../base/fault.ts'
import { systemIds } from '../../base/ids.ts'
import { trimEndWhere } from '../../base/text/trim.ts'
import type { StoredFile } from './wire.ts'

const FOLDER = 'session_files'
/** Uploads arrive here and are moved when they are complete; no session has this id. */
const INCOMING = '.incoming'
const BLOCKED = new Set(['.exe', '.dll', '.so', '.sh', '.bat', '.cmd', '.ps1', '.vbs', '.bin', '.elf'])
/** In bytes, as file systems count, with room for a number behind it. */
const MAX_NAME_CHARACTERS = 200

/** An upload as it arrives. */
export interface Upload {
  /** Forms may leave it out. */
  readonly filename: string | undefined
  readonly mimetype: string
  /** `truncated` is set when the upload is larger than allowed. */
  readonly file: Readable & { readonly truncated?: boolean }
}

/** A part of a stored file. */
export interface FilePart {
  readonly name: string
  /** Of the whole file, in bytes. */
  readonly size: number
  readonly bytes: Buffer
}

/** The refusal of a file of more bytes than that. */
export const tooLarge = (limit: number): Fault =>
  new Fault('TooLarge', `the file is larger than ${Math.floor(limit / 1_048_576)} MB`)

/** The files of all sessions, each session's in a folder of its own below `root`; `limit` is the largest, in bytes. */
export function openSessionFiles(root: string, limit: number) {
  const folderOf = (id: string) => join(root, FOLDER, id)
  const incoming = join(root, FOLDER, INCOMING)

  /** Makes an empty file with that name, or with a number behind it when the name is taken. */
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
    /** Streams an upload to disk. Nothing is left of one that is blocked, broken off or too large. */
    async store(id: string, upload: Upload): Promise<StoredFile> {
      const blocked = blockedType(upload.filename)
      if (blocked !== undefined) {
        upload.file.resume()
        throw new Fault('BadRequest', `files of the type ${blocked} are not taken`, { blocked })
      }
      await mkdir(incoming, { recursive: true })
      const arriving = join(incoming, systemIds.uuid())
      const written = createWriteStream(arriving, { flags: 'wx' })
      const folder = folderOf(id)
      let name: string
      try {
        await pipeline(upload.file, written)
        if (upload.file.truncated) throw tooLarge(limit)
        await mkdir(folder, { recursive: true })
        name = await claim(folder, shortName(safeName(upload.filename)))
        await rename(arriving, join(folder, name))
      } catch (thrown) {
        await rm(arriving, { force: true })
        throw thrown
      }
      return { name, size: written.bytesWritten, path: `${FOLDER}/${id}/${name}`, content_type: upload.mimetype }
    },

    /** Of the paths that a message names, those that are files of its session. */
    async known(id: string, paths: readonly string[]): Promise<readonly string[]> {
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

    /** Some bytes of a session's file, and how many it has; undefined when there is none of that name or path. */
    async read(id: string, path: string, offset: number, length: number): Promise<FilePart | undefined> {
      const prefix = `${FOLDER}/${id}/`
      const name = path.startsWith(prefix) ? path.slice(prefix.length) : path
      if (name !== safeName(name)) return undefined
      const file = await open(join(folderOf(id), name), constants.O_RDONLY | constants.O_NOFOLLOW).catch(
        () => undefined,
      )
      if (!file) return undefined
      try {
        const about = await file.stat()
        if (!about.isFile()) return undefined
        const bytes = Buffer.alloc(Math.max(0, Math.min(length, about.size - offset)))
        const { bytesRead } = await file.read(bytes, 0, bytes.length, offset)
        return { name, size: about.size, bytes: bytes.subarray(0, bytesRead) }
      } finally {
        await file.close()
      }
    },

    /** Removes what uploads have left that ended with an earlier server. */
    clearUnfinished: (): Promise<void> => rm(incoming, { recursive: true, force: true }),

    clear: (id: string): Promise<void> => rm(folderOf(id), { recursive: true, force: true }),
  }
}

export type SessionFiles = ReturnType<typeof openSessionFiles>

/** Characters that are not seen: controls, formats such as zero-width spaces and direction overrides, half characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** The last part of a name, without what could lead out of a folder or hide its type. */
function safeName(given = ''): string {
  const base = given.split(/[/\\]/).at(-1)!
  const seen = base.replace(UNSEEN, '').replace(/[:*?"<>|]/g, '')
  return trimEndWhere(seen, (character) => /[.\s]/.test(character)) || 'file'
}

/**
 * The blocked type of a name, however it is written: alone, in full-width letters, before a stream (`a.sh::$DATA`), or
 * before dots, blanks and characters that are not seen. Undefined for a type that is taken.
 */
function blockedType(given = ''): string | undefined {
  const base = given.normalize('NFKC').split(/[/\\]/).at(-1)!
  return [base, ...base.split(':')].map(typeOf).find((type) => BLOCKED.has(type))
}

const typeOf = (name: string): string =>
  `.${safeName(name).split('.').slice(1).at(-1) ?? ''}`.replace(/\s/g, '').toLowerCase()

/** A name that a file system takes, its extension kept. */
function shortName(name: string): string {
  const extension = beginning(extname(name), MAX_NAME_CHARACTERS / 2)
  const stem = name.slice(0, name.length - extname(name).length)
  return beginning(stem, MAX_NAME_CHARACTERS - Buffer.byteLength(extension)) + extension
}

/** As many whole characters as fit into so many bytes. */
function beginning(text: string, bytes: number): string {
  let length = 0
  let left = bytes
  for (const character of text) {
    left -= Buffer.byteLength(character)
    if (left < 0) break
    length += character.length
  }
  return text.slice(0, length)
}
