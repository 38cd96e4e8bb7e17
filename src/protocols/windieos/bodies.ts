import { z } from 'zod'
import { Fault } from '../../base/fault.ts'
import { readJson } from '../app.ts'

/** The bodies of the routes, in the spelling of the document (WindieOS document, "HTTP API"). Keys are closed sets. */

export const Register = z.strictObject({ operating_system: z.string().max(256).nullish() })

/** The body as its schema has it. Throws `BadRequest` with one entry for each thing that is wrong. */
export function readBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  return read(schema, readJson(body), 'body')
}

/** The query of an address as its schema has it. */
export const readQuery = <Schema extends z.ZodType>(schema: Schema, query: unknown): z.output<Schema> =>
  read(schema, query, 'query')

function read<Schema extends z.ZodType>(schema: Schema, value: unknown, where: string): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new Fault('BadRequest', 'the request does not fit', {
    detail: result.error.issues.map(({ path, message, code }) => ({
      loc: [where, ...path.map((key) => (typeof key === 'number' ? key : String(key)))],
      msg: message,
      type: code,
    })),
  })
}
