import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ImageContent as ArtifactImage } from '../../agent/history/history.ts'
import { Fault } from '../../base/fault.ts'
import type { IdSource } from '../../base/ids.ts'
import { fromImage } from '../../paint/canvas/skia.ts'
import type { Picture } from '../../paint/picture.ts'
import { imageType } from '../../paint/png/read-png.ts'
import type { Store } from '../../stores/store.ts'
import type { ImageInput } from './requests.ts'

/** A file that was uploaded or generated, and its owner. */
export interface Artifact {
  /** Also the name of the file. */
  readonly id: string
  readonly contentType: string
  readonly sizeBytes: number
  /** Lower-case hexadecimal. */
  readonly sha256: string
  readonly owner: string
}

/** An incoming file. */
export interface Upload {
  readonly mimetype: string
  /** `truncated` is set if the file exceeds the limit. */
  readonly file: Readable & { readonly truncated?: boolean }
}

const KIND = 'windieos.artifact'
const FOLDER = 'artifacts'

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
  'image/gif': '.gif',
  'application/pdf': '.pdf',
  'application/json': '.json',
  'text/plain': '.txt',
  'text/markdown': '.md',
  'text/csv': '.csv',
}

/** Options of the artifact store. */
export interface ArtifactOptions {
  /** Files are stored in a folder below it. */
  readonly root: string
  readonly store: Store
  readonly ids: IdSource
}

/** The artifacts of a server. Only files with a record are opened, so that no id can leave the folder. */
export function openArtifacts({ root, store, ids }: ArtifactOptions) {
  const folder = join(root, FOLDER)
  const pathOf = (id: string) => join(folder, id)

  async function receive({ mimetype, file }: Upload, owner: string): Promise<Artifact> {
    if (mimetype === 'image/jpg') {
      file.resume()
      throw new Fault('BadRequest', 'image/jpg is not a content type; use image/jpeg')
    }
    const contentType = /^[\w.+-]+\/[\w.+-]+$/.test(mimetype) ? mimetype : 'application/octet-stream'
    const id = ids.uuid() + (EXTENSIONS[contentType] ?? '.bin')
    await mkdir(folder, { recursive: true })
    const measure = new MeasuringStream()
    try {
      await pipeline(file, measure, createWriteStream(pathOf(id), { flags: 'wx' }))
      if (file.truncated) throw new Fault('TooLarge', 'the file is larger than this server accepts')
      const artifact = { id, contentType, sizeBytes: measure.bytes, sha256: measure.sha256(), owner }
      store.put(KIND, id, artifact, owner)
      return artifact
    } catch (thrown) {
      await rm(pathOf(id), { force: true })
      throw thrown
    }
  }

  return {
    /** Removes files without a record, which are unfinished uploads of an earlier server. */
    async clearUnfinished(): Promise<void> {
      const names = await readdir(folder).catch(() => [])
      const orphans = names.filter((name) => store.get(KIND, name) === undefined)
      await Promise.all(orphans.map((name) => rm(pathOf(name), { force: true })))
    },

    /** Streams an upload to disk. Nothing remains of an incomplete or too large upload. */
    receive,
    /** Stores a generated file. */
    save: (bytes: Uint8Array, contentType: string, owner: string): Promise<Artifact> =>
      receive({ mimetype: contentType, file: Readable.from([bytes]) }, owner),

    /** Throws `SessionNotFound` if it does not exist or has another owner. Without `reader`, every caller may read it. */
    find(id: string, reader: string | undefined): Artifact {
      const artifact = store.get(KIND, id) as Artifact | undefined
      if (!artifact || (reader !== undefined && artifact.owner !== reader)) throw missing(id)
      return artifact
    },
    /** Throws `SessionNotFound` if the file was deleted. */
    read: ({ id }: Artifact): Promise<Buffer> => readFile(pathOf(id)).catch((thrown) => readError(id, thrown)),
    /** Throws like `read`, before any data is sent. */
    stream: async ({ id }: Artifact): Promise<Readable> => {
      const file = await open(pathOf(id)).catch((thrown) => readError(id, thrown))
      return file.createReadStream()
    },
  }
}

const missing = (id: string) => new Fault('SessionNotFound', `there is no artifact ${JSON.stringify(id)}`)

function readError(id: string, thrown: NodeJS.ErrnoException): never {
  throw thrown.code === 'ENOENT' ? missing(id) : thrown
}

export type Artifacts = ReturnType<typeof openArtifacts>

/** Counts and hashes the bytes that pass through. */
class MeasuringStream extends Transform {
  bytes = 0
  readonly #hash = createHash('sha256')

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: null, chunk: Buffer) => void): void {
    this.bytes += chunk.length
    this.#hash.update(chunk)
    done(null, chunk)
  }

  sha256(): string {
    return this.#hash.digest('hex')
  }
}

/** The picture of a request. */
export interface RequestImage {
  readonly picture: Picture
  /** The hash of the file. */
  readonly sha256: string
  readonly metadata: {
    readonly source_id: string
    readonly artifact_id: string | null
    readonly content_type: string
    readonly width: number
    readonly height: number
  }
}

/** Opens the picture of a request: an artifact of the reader, or inline bytes. */
export async function openImage(
  artifacts: Artifacts,
  input: ImageInput,
  reader: string | undefined,
): Promise<RequestImage> {
  const artifact = input.artifact_id == null ? undefined : artifacts.find(input.artifact_id, reader)
  const file = artifact ? await artifacts.read(artifact) : bytesOf(input.image_base64!)
  const picture = await fromImage(file)
  const sha256 = createHash('sha256').update(file).digest('hex')
  return {
    picture,
    sha256,
    metadata: {
      source_id: artifact?.id ?? `inline-${sha256.slice(0, 12)}`,
      artifact_id: artifact?.id ?? null,
      content_type: imageType(file)!,
      width: picture.width,
      height: picture.height,
    },
  }
}

/** An artifact as model input. Throws `SessionNotFound` if the reader has no such artifact, and `BadRequest` if it is not a picture. */
export async function artifactImage(
  artifacts: Artifacts,
  ref: string,
  reader: string | undefined,
): Promise<ArtifactImage> {
  const artifact = artifacts.find(ref, reader)
  const file = await artifacts.read(artifact)
  const mimeType = imageType(file) ?? artifact.contentType
  if (!mimeType.startsWith('image/'))
    throw new Fault('BadRequest', `the artifact ${JSON.stringify(ref)} is not a picture`)
  return { mimeType, base64: file.toString('base64') }
}

/** An inline picture as model input. Throws `BadRequest` for anything else. */
export function inlineImage(written: string): ArtifactImage {
  const file = bytesOf(written)
  const mimeType = imageType(file)
  if (mimeType === undefined) throw new Fault('BadRequest', 'screenshot must be a picture in base64')
  return { mimeType, base64: file.toString('base64') }
}

function bytesOf(written: string): Buffer {
  const base64 = written.replace(/^data:[^,]*;base64,/, '').replace(/\s+/g, '')
  if (base64 === '' || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64))
    throw new Fault('BadRequest', 'image_base64 must be base64, or a data URL with base64')
  return Buffer.from(base64, 'base64')
}
