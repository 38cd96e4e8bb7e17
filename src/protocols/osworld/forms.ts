import type { FastifyRequest } from 'fastify'
import { Fault } from '../../base/fault.ts'

const MAX_FIELDS = 20

/** An uploaded form. */
export interface UploadedForm {
  readonly fields: Readonly<Record<string, string | undefined>>
  /** The bytes of its files, by the name of the field. */
  readonly files: Readonly<Record<string, Buffer | undefined>>
}

/** The fields of a form, encoded in either way. Throws `BadRequest` for another body. */
export async function formFields(request: FastifyRequest): Promise<Readonly<Record<string, string | undefined>>> {
  if (request.isMultipart()) return (await readForm(request)).fields
  const { body } = request
  const type = request.headers['content-type'] ?? ''
  if (typeof body !== 'string' || !type.startsWith('application/x-www-form-urlencoded'))
    throw new Fault('BadRequest', 'send a form (application/x-www-form-urlencoded)')
  return named([...new URLSearchParams(body)].slice(0, MAX_FIELDS))
}

/** The fields and files of a multipart form. Throws `BadRequest` for another body, `TooLarge` for a large file. */
export async function readForm(request: FastifyRequest): Promise<UploadedForm> {
  if (!request.isMultipart()) throw new Fault('BadRequest', 'send a form with files (multipart/form-data)')
  const fields: [string, string][] = []
  const files: [string, Buffer][] = []
  try {
    for await (const part of request.parts())
      if (part.type === 'file') files.push([part.fieldname, await part.toBuffer()])
      else fields.push([part.fieldname, String(part.value)])
  } catch (thrown) {
    if ((thrown as { readonly statusCode?: unknown }).statusCode === 413)
      throw new Fault('TooLarge', (thrown as Error).message)
    throw new Fault('BadRequest', 'the form is incomplete or malformed')
  }
  return { fields: named(fields), files: named(files) }
}

/** Without a prototype, so that fields may have any name. */
const named = <T>(entries: readonly (readonly [string, T])[]): Record<string, T> =>
  Object.assign(Object.create(null), Object.fromEntries(entries))
