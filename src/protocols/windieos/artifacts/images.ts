import { createHash } from 'node:crypto'
import type { ImageContent as Shown } from '../../../agent/history/history.ts'
import { Fault } from '../../../base/fault.ts'
import { fromImage } from '../../../paint/frame/skia.ts'
import type { Picture } from '../../../paint/picture.ts'
import { imageType } from '../../../paint/png/read-png.ts'
import type { ImageInput } from '../requests.ts'
import type { Artifacts } from './artifacts.ts'

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
export async function artifactImage(artifacts: Artifacts, ref: string, reader: string | undefined): Promise<Shown> {
  const artifact = artifacts.find(ref, reader)
  const file = await artifacts.read(artifact)
  const mimeType = imageType(file) ?? artifact.contentType
  if (!mimeType.startsWith('image/'))
    throw new Fault('BadRequest', `the artifact ${JSON.stringify(ref)} is not a picture`)
  return { mimeType, base64: file.toString('base64') }
}

/** An inline picture as model input. Throws `BadRequest` for anything else. */
export function inlineImage(written: string): Shown {
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
