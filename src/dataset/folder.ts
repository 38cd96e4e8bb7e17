import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { DatasetError } from './plan.ts'

/** What a shard has written. */
export interface ShardRecord {
  readonly images: number
  readonly annotations: number
  readonly texts: number
  readonly grounding: number
  readonly pictures: readonly PictureHash[]
}

/** The SHA-256 of the file of a picture. */
export interface PictureHash {
  readonly number: number
  readonly sha256: string
}

export const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')

export const joinLines = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

/** A file of a complete dataset that is not as it was written. */
export interface DamagedFile {
  readonly path: string
  readonly problem: 'is missing' | 'has changed'
}

/** The operations on files that a dataset needs. */
export interface FileAccess {
  write(path: string, content: string | Uint8Array): void
  /** Waits until the disk has these files. */
  sync(paths: readonly string[]): Promise<void>
}

/** Files of the disk. */
export const DISK: FileAccess = {
  write: (path, content) => writeFileSync(path, content),
  // At the same time, because each waits for the disk.
  sync: async (paths) => {
    await Promise.all(
      paths.map(async (path) => {
        const file = await open(path, 'r+')
        try {
          await file.sync()
        } finally {
          await file.close()
        }
      }),
    )
  },
}

/** What has been written is kept below this folder until the dataset is complete. */
const PARTS = '.parts'
const MANIFEST = 'manifest.json'
const GROUNDING = 'grounding.jsonl'
/** The hashes of all other files, as `sha256sum --check` reads them. */
const CHECKSUMS = 'SHA256SUMS'

const FOLDERS = ['images', 'annotations', 'metadata', 'os_atlas', 'uground']

/** The folder of a dataset. All paths are relative to it. */
export class DatasetFolder {
  readonly #folder: string
  readonly #files: FileAccess
  /** Files that the disk may not have yet. */
  #written: string[] = []

  constructor(folder: string, files: FileAccess = DISK) {
    this.#folder = folder
    this.#files = files
  }

  /**
   * Prepares the folder for a dataset with this identity: a text that is the same for the same files. Returns whether the
   * dataset is complete already. Throws a `DatasetError` for a folder with another dataset or with other files.
   */
  open(identity: string): 'new' | 'partial' | 'complete' {
    const state = this.#stateFor(identity)
    if (state !== 'new') return state
    this.#make(PARTS)
    for (const folder of FOLDERS) this.#make(folder)
    this.write(`${PARTS}/identity.json`, identity)
    return 'new'
  }

  #stateFor(identity: string): 'new' | 'partial' | 'complete' {
    if (!existsSync(this.#folder)) return 'new'
    const manifest = this.read(MANIFEST)
    const known = manifest === undefined ? this.read(`${PARTS}/identity.json`) : identityIn(manifest)
    if (known !== undefined && known !== '') {
      const difference = differenceOf(known, identity)
      if (difference === undefined) return manifest === undefined ? 'partial' : 'complete'
      throw new DatasetError(`${this.#folder} holds another dataset: ${difference}; choose another --out, or delete it`)
    }
    if (manifest !== undefined)
      throw new DatasetError(
        `${join(this.#folder, MANIFEST)} cannot be read; choose another --out, or delete the folder`,
      )
    let entries: readonly string[]
    try {
      entries = readdirSync(this.#folder)
    } catch (error) {
      throw this.#failure('use', '', error)
    }
    if (entries.every((name) => [PARTS, ...FOLDERS].includes(name))) return 'new'
    throw new DatasetError(`${this.#folder} is not empty and holds no dataset; choose another --out`)
  }

  /** The text of a file, or undefined if there is none. */
  read(path: string): string | undefined {
    try {
      return readFileSync(join(this.#folder, path), 'utf8')
    } catch {
      return undefined
    }
  }

  has(path: string): boolean {
    return existsSync(join(this.#folder, path))
  }

  #hashOf(path: string): string | undefined {
    try {
      return sha256(readFileSync(join(this.#folder, path)))
    } catch {
      return undefined
    }
  }

  #make(path: string): void {
    try {
      mkdirSync(join(this.#folder, path), { recursive: true })
    } catch (error) {
      throw this.#failure('create', path, error)
    }
  }

  /** Writes a file. Throws a `DatasetError` that says how to go on, such as when the disk is full. */
  write(path: string, content: string | Uint8Array): void {
    try {
      this.#files.write(join(this.#folder, path), content)
      this.#written.push(path)
    } catch (error) {
      throw this.#failure('write', path, error)
    }
  }

  /** Waits until the disk has all files that were written. */
  async #sync(): Promise<void> {
    const paths = this.#written
    this.#written = []
    try {
      await this.#files.sync(paths.map((path) => join(this.#folder, path)))
    } catch (error) {
      throw this.#failure('write', paths[0] ?? '', error)
    }
  }

  #failure(doing: string, path: string, error: unknown): DatasetError {
    const { code } = error as NodeJS.ErrnoException
    const where = join(this.#folder, path)
    if (code === 'ENOSPC' || code === 'EDQUOT')
      return new DatasetError(
        `the disk is full: cannot write ${where}; free some space, and the same command continues`,
      )
    return new DatasetError(`cannot ${doing} ${where} (${code ?? (error as Error).message}); choose another --out`)
  }

  /** The record of a shard that was written completely. */
  shard(shard: number): ShardRecord | undefined {
    const record = this.read(partFile(shard, 'json'))
    return record === undefined || record === '' ? undefined : parsedRecord(record)
  }

  /** Records that a shard is complete, once the disk has its files. */
  async finishShard(shard: number, grounding: string, record: ShardRecord): Promise<void> {
    this.write(partFile(shard, 'jsonl'), grounding)
    await this.#sync()
    this.write(partFile(shard, 'json'), JSON.stringify(record))
    await this.#sync()
  }

  /** The lines of instructions of shards that were written completely, in order. */
  groundingOf(shards: readonly number[]): readonly string[] {
    return shards.flatMap((shard) => splitLines(this.read(partFile(shard, 'jsonl')) ?? ''))
  }

  /** Removes the file of a picture. */
  remove(path: string): void {
    rmSync(join(this.#folder, path), { force: true })
  }

  /** Writes the instructions and the files that follow from them, the hashes of all files, and the manifest, which makes it complete. */
  async finish(content: FinishedDataset): Promise<void> {
    this.write(GROUNDING, joinLines(content.grounding))
    for (const { path, content: text } of content.exported) this.write(path, text)
    const paths = [...content.annotationFiles, GROUNDING, ...content.exported.map(({ path }) => path)]
    const hashes = [
      ...content.pictures,
      ...paths.map((path) => ({ path, sha256: this.#hashOf(path) })),
      { path: MANIFEST, sha256: sha256(content.manifest) },
    ]
    const known = hashes.filter((each) => each.sha256 !== undefined)
    this.write(CHECKSUMS, joinLines(known.map((each) => `${each.sha256}  ${each.path}`)))
    this.write(`${PARTS}/${MANIFEST}`, content.manifest)
    await this.#sync()
    renameSync(join(this.#folder, PARTS, MANIFEST), join(this.#folder, MANIFEST))
    this.clean()
  }

  /** The files of a complete dataset that are missing or have changed. Throws a `DatasetError` for a folder without a dataset. */
  damaged(): readonly DamagedFile[] {
    if (this.read(MANIFEST) === undefined)
      throw new DatasetError(`${this.#folder} holds no complete dataset; the command that writes it continues it`)
    const sums = this.#checksums()
    if (sums.length === 0) return [{ path: CHECKSUMS, problem: 'is missing' }]
    return sums.flatMap(({ path, sha256: wanted }): readonly DamagedFile[] => {
      const found = this.#hashOf(path)
      if (found === wanted) return []
      return [{ path, problem: found === undefined ? 'is missing' : 'has changed' }]
    })
  }

  #checksums(): readonly { readonly sha256: string; readonly path: string }[] {
    return splitLines(this.read(CHECKSUMS) ?? '').flatMap((line) => {
      const [, hash, path] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? []
      return hash && path ? [{ sha256: hash, path }] : []
    })
  }

  /**
   * Makes a complete dataset an incomplete one that has only the given shards, with what is written about each. Their instructions are
   * those of `grounding.jsonl`.
   */
  async reopen(identity: string, shards: readonly KeptShard[]): Promise<void> {
    // Where no shard is kept, the instructions may be what is damaged.
    const kept = shards.length === 0 ? '' : this.read(GROUNDING)!
    const lines = splitLines(kept).map((text) => ({
      text,
      number: (JSON.parse(text) as { image_id: number }).image_id,
    }))
    const hashes = new Map(this.#checksums().map((each) => [each.path, each.sha256]))
    for (const folder of [PARTS, ...FOLDERS]) this.#make(folder)
    this.write(`${PARTS}/identity.json`, identity)
    for (const { shard, record, numbers, fileOf } of shards) {
      const own = new Set(numbers)
      const grounding = lines.filter((line) => own.has(line.number)).map(({ text }) => text)
      const pictures = numbers.map((number) => ({ number, sha256: hashes.get(fileOf(number))! }))
      await this.finishShard(shard, joinLines(grounding), { ...record, pictures })
    }
    this.remove(MANIFEST)
  }

  /** Removes what only an incomplete dataset needs. */
  clean(): void {
    rmSync(join(this.#folder, PARTS), { recursive: true, force: true })
  }
}

/** A shard of a complete dataset that is as it was written. */
export interface KeptShard {
  readonly shard: number
  readonly record: Omit<ShardRecord, 'pictures'>
  readonly numbers: readonly number[]
  readonly fileOf: (number: number) => string
}

/** What is written when all shards are. */
export interface FinishedDataset {
  readonly pictures: readonly { readonly path: string; readonly sha256: string }[]
  readonly annotationFiles: readonly string[]
  readonly grounding: readonly string[]
  readonly exported: readonly { readonly path: string; readonly content: string }[]
  readonly manifest: string
}

const splitLines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '')

const partFile = (shard: number, extension: string): string => `${PARTS}/${String(shard).padStart(6, '0')}.${extension}`

/** A record that the end of the machine has cut counts as missing. */
function parsedRecord(text: string): ShardRecord | undefined {
  try {
    return JSON.parse(text) as ShardRecord
  } catch {
    return undefined
  }
}

function identityIn(manifest: string): string | undefined {
  try {
    const { identity } = JSON.parse(manifest) as { readonly identity?: object }
    return identity && JSON.stringify(identity)
  } catch {
    return undefined
  }
}

/** The first key in which two identities differ, in words. */
function differenceOf(known: string, wanted: string): string | undefined {
  if (known === wanted) return undefined
  try {
    const [one, other] = [JSON.parse(known), JSON.parse(wanted)] as Record<string, unknown>[]
    for (const key of Object.keys({ ...one, ...other })) {
      const [before, now] = [JSON.stringify(one![key]), JSON.stringify(other![key])]
      if (before !== now) return `its ${key} is ${before ?? 'absent'}, not ${now ?? 'absent'}`
    }
  } catch {
    // A file that was cut while it was written.
  }
  return 'it cannot be read'
}
