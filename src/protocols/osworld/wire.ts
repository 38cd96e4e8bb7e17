import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import { Fault, type FaultCode } from '../../base/fault.ts'
import { HTTP_STATUS } from '../http/status.ts'

const MAX_WORDS = 1000
const MAX_LINE_CHARACTERS = 500_000

const CommandWords = z
  .union([z.string().max(MAX_LINE_CHARACTERS), z.array(z.string()).max(MAX_WORDS)])
  .describe('["python", "-c", CODE], or a line as a shell reads it')

/** The body of `POST /execute`. */
export const Execute = z.looseObject({
  command: CommandWords,
  shell: z.boolean().default(false).describe('Whether errors are those of a shell'),
})

/** The body of `POST /execute_with_verification`. */
export const ExecuteAndVerify = Execute.extend({
  verification: z
    .looseObject({
      window_exists: z.string().optional().describe('A part of the title of a window'),
      command_success: CommandWords.optional().describe('A command whose exit status must be 0'),
    })
    .default({}),
  max_wait_time: z.number().min(0).max(3600).default(10).describe('In seconds, in the time of the desktop'),
  check_interval: z.number().min(0).max(3600).default(1).describe('In seconds, in the time of the desktop'),
})
export type ExecuteAndVerify = z.infer<typeof ExecuteAndVerify>

export const RunPython = z.looseObject({ code: z.string() })

export const RunBashScript = z.looseObject({
  script: z.string().max(MAX_LINE_CHARACTERS),
  timeout: z.number().default(100),
  working_dir: z.string().nullish(),
})

export const PathBody = z.looseObject({ path: z.string().min(1) })

export const DownloadBody = z.looseObject({ url: z.string().min(1), path: z.string().min(1) })

export const Launch = Execute

export const WindowBody = z.looseObject({
  window_name: z.string().min(1),
  strict: z.boolean().default(false).describe('Whether the whole name must match'),
  by_class: z.boolean().default(false).describe('Whether the name is that of the program'),
})

export const Executed = z.object({
  status: z.literal('success'),
  output: z.string(),
  error: z.string(),
  returncode: z.int(),
})

export const Verified = Executed.extend({
  verification: z.literal('passed').optional(),
  wait_time: z.number().optional(),
})

export const RanPython = z.object({
  status: z.enum(['success', 'error']),
  message: z.string(),
  need_more: z.literal(false),
  output: z.string(),
  error: z.string(),
  return_code: z.int(),
})

export const RanScript = z.object({
  status: z.enum(['success', 'error']),
  output: z.string(),
  error: z.string(),
  returncode: z.int(),
})

export const ScreenSize = z.object({ width: z.int(), height: z.int() })

/** A folder with its files, at any depth. */
export interface DirectoryTree {
  readonly type: 'directory' | 'file'
  readonly name: string
  readonly children?: DirectoryTree[]
}

/** The HTTP status of each code. What a desktop cannot do is a failure of the server in this protocol. */
export const status: Readonly<Record<FaultCode, number>> = {
  ...HTTP_STATUS,
  PlatformUnsupported: 500,
  PatternUnsupported: 500,
  Timeout: 500,
  // A recording that runs already, or does not run.
  Conflict: 400,
}

/** A request for something that does not exist: status 404. */
export class MissingFault extends Fault {
  constructor(message: string) {
    super('BadRequest', message)
  }
}

export const statusOf = (fault: Fault): number => (fault instanceof MissingFault ? 404 : status[fault.code])

/** Messages name what a client sent, which may be long. */
const MAX_MESSAGE_CHARACTERS = 1000

/** The body of every error. */
export const errorBody = ({ message }: { readonly message: string }) => ({
  status: 'error',
  message: message.length > MAX_MESSAGE_CHARACTERS ? `${message.slice(0, MAX_MESSAGE_CHARACTERS)}…` : message,
})

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
