import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Fault } from '../../base/fault.ts'

/** Room for what surrounds a file in a form, in bytes. */
export const MAX_FORM_OVERHEAD_BYTES = 64 * 1024

export interface UploadLimit {
  /** Largest file. */
  readonly bytes: number
  /** What to say when it is larger. */
  readonly tooLarge: () => Fault
}

/**
 * Hands the file in the field `file` of a form over as it arrives. Throws `BadRequest` when there is none, and when the
 * form is broken off or not written as forms are; what `take` throws of its own goes through.
 */
export async function receiveFile<Kept>(
  request: FastifyRequest,
  { bytes, tooLarge }: UploadLimit,
  take: (file: MultipartFile) => Promise<Kept>,
): Promise<Kept> {
  if (!request.isMultipart()) throw new Fault('BadRequest', 'a form with the field "file" is needed')
  if (Number(request.headers['content-length'] ?? 0) > bytes + MAX_FORM_OVERHEAD_BYTES) throw tooLarge()
  let taking = false
  let brokenOff = false
  try {
    for await (const part of request.files()) {
      part.file.once('error', () => {
        brokenOff = true
      })
      taking = part.fieldname === 'file'
      if (taking) return await take(part)
      part.file.resume()
    }
  } catch (thrown) {
    // What fails in `take` ends the part as well; only what it asks of the system is known to be its own then.
    const isOurs = taking && (!brokenOff || 'syscall' in (thrown as object))
    if (isOurs || thrown instanceof Fault || 'statusCode' in (thrown as object)) throw thrown
    throw new Fault('BadRequest', 'the form is broken off or not written as forms are')
  } finally {
    // The next request of the connection stands behind the rest of this one.
    request.raw.unpipe()
    request.raw.resume()
  }
  throw new Fault('BadRequest', 'the form has no field "file"')
}
