import * as z from 'zod'
import type { Toolbox, ToolDescription } from '../../agent/toolbox.ts'
import { describeIssues } from '../../base/external-values.ts'
import { decodeUtf8 } from '../../base/strings.ts'
import { imageType } from '../../paint/png/read-png.ts'
import type { SessionFiles } from './files.ts'

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
