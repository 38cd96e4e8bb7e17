import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Fault } from '../../base/fault.ts'

/** The largest overhead of a form around its file, in bytes. */
export const MAX_FORM_OVERHEAD_BYTES = 64 * 1024

export interface UploadLimit {
  /** The largest file, in bytes. */
  readonly bytes: number
  /** Creates the fault for a larger file. */
  readonly tooLarge: () => Fault
}

/**
 * Streams the file in the field `file` of a form to `receive`. Throws `BadRequest` if the field is missing, or if the form
 * is malformed or incomplete. Errors of `receive` itself pass through.
 */
export async function receiveFile<Stored>(
  request: FastifyRequest,
  { bytes, tooLarge }: UploadLimit,
  receive: (file: MultipartFile) => Promise<Stored>,
): Promise<Stored> {
  if (!request.isMultipart()) throw new Fault('BadRequest', 'a form with the field "file" is needed')
  if (Number(request.headers['content-length'] ?? 0) > bytes + MAX_FORM_OVERHEAD_BYTES) throw tooLarge()
  let isReceiving = false
  let isAborted = false
  try {
    for await (const part of request.files()) {
      part.file.once('error', () => {
        isAborted = true
      })
      isReceiving = part.fieldname === 'file'
      if (isReceiving) return await receive(part)
      part.file.resume()
    }
  } catch (thrown) {
    // A failure in `receive` also ends the part. After that, only system errors certainly come from `receive`.
    const isFromReceiver = isReceiving && (!isAborted || 'syscall' in (thrown as object))
    if (isFromReceiver || thrown instanceof Fault || 'statusCode' in (thrown as object)) throw thrown
    throw new Fault('BadRequest', 'the form is incomplete or malformed')
  } finally {
    // The next request of the connection follows the rest of this one.
    request.raw.unpipe()
    request.raw.resume()
  }
  throw new Fault('BadRequest', 'the form has no field "file"')
}
