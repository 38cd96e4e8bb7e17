import * as z from 'zod'
import { andThen } from '../../base/async.ts'
import { Fault } from '../../base/fault.ts'
import { decodeUtf8 } from '../../base/strings.ts'
import { MAX_TEXT_CHARACTERS } from '../../desktop/model/element.ts'
import { resolvePath } from '../../desktop/model/files.ts'
import { GateArguments, InputResult, performInput } from '../actions/input.ts'
import type { ActingContext } from '../desktop-context.ts'
import { defineTool } from '../tool.ts'
import type { ContextOf } from '../tool-context.ts'

/** The files of a synthetic desktop, and the clipboard, which real desktops may offer too. */

/** The most entries of one listing. */
const MAX_ENTRIES = 5000
/** UTF-8 needs at most three bytes for a UTF-16 code unit, and base64 four characters for three bytes. */
const MAX_CONTENT_CHARACTERS = 4 * MAX_TEXT_CHARACTERS

type StorageContext = ContextOf<'computer' | 'redaction'>

const STORAGE = { clipboard: 'the clipboard', files: 'the disk' } as const

/** Files and clipboard without hidden text. Throws `PlatformUnsupported` on a real desktop. */
function storageFor({ computer, redaction }: StorageContext, kind: keyof typeof STORAGE) {
  requireStorage({ computer }, kind)
  requireVisible(redaction, STORAGE[kind])
  return redaction.storage
}

/** Throws `PlatformUnsupported` with the reason why the computer does not offer its clipboard or files. */
function requireStorage({ computer }: ContextOf<'computer'>, kind: keyof typeof STORAGE): void {
  const reason = computer.info.supports[kind]
  if (reason !== true) throw new Fault('PlatformUnsupported', reason)
}

/** Throws `PermissionDenied` while the operator hides elements: `what` may contain hidden text. */
export function requireVisible(redaction: StorageContext['redaction'], what: string): void {
  if (redaction.hidesElements)
    throw new Fault(
      'PermissionDenied',
      `${what} is not readable while the operator hides elements, since it may contain hidden text`,
    )
}

const getClipboard = defineTool({
  name: 'get_clipboard',
  kind: 'look',
  summary: 'Get the text of the clipboard.',
  input: z.object({}),
  output: z.object({ text: z.string() }),
  faults: ['PlatformUnsupported', 'PermissionDenied', 'Timeout', 'TooLarge'],
  traits: { untrusted: true, idempotent: true },
  run: (_, context: StorageContext) => {
    const { computer, redaction } = context
    if (!computer.readClipboard) return { text: storageFor(context, 'clipboard').clipboard!()! }
    requireVisible(redaction, 'the clipboard')
    return andThen(computer.readClipboard(), (text) => ({ text }))
  },
})

const setClipboard = defineTool({
  name: 'set_clipboard',
  kind: 'act',
  summary: 'Replace the text of the clipboard.',
  input: GateArguments.extend({
    text: z.string().max(MAX_TEXT_CHARACTERS).describe('The new text; empty clears the clipboard'),
  }),
  output: InputResult,
  faults: ['BadRequest', 'PlatformUnsupported', 'Timeout'],
  traits: { idempotent: true },
  run: (call, context: ActingContext) => {
    requireStorage(context, 'clipboard')
    const { text } = call.input
    return performInput(call, context, {
      name: 'set_clipboard',
      action: { type: 'set_clipboard', text },
      echo: { action: 'set_clipboard', length: text.length },
    })
  },
})

const Path = z.string().min(1).describe('The absolute path, such as /home/user/notes.txt')
const Encoding = z.enum(['text', 'base64']).default('text').describe('How content is written')

function absolutePath(path: string): string {
  if (path.startsWith('/')) return resolvePath('/', path)
  throw new Fault('BadRequest', `path: ${JSON.stringify(path)} is not absolute; it must begin with /`, {
    field: 'path',
  })
}

const listFiles = defineTool({
  name: 'list_disk_files',
  kind: 'look',
  audience: 'harness',
  summary: 'List the files and folders in a folder of a synthetic desktop, at any depth, sorted by path.',
  input: z.object({ path: Path.default('/') }),
  output: z.object({
    path: z.string(),
    entries: z.array(z.object({ path: z.string(), folder: z.boolean(), size: z.int().describe('In bytes') })),
    truncated: z.boolean().optional().describe(`Present when only the first ${MAX_ENTRIES} entries are listed`),
  }),
  faults: ['BadRequest', 'PlatformUnsupported', 'PermissionDenied'],
  traits: { untrusted: true, idempotent: true },
  run: ({ input }, context: StorageContext) => {
    const { file, filesBelow } = storageFor(context, 'files')
    const path = absolutePath(input.path)
    if (file!(path) !== null) throw new Fault('BadRequest', `path: there is no folder ${path}`, { field: 'path' })
    const found = filesBelow!(path)
    const entries = found.slice(0, MAX_ENTRIES).map((each) => ({
      path: each.path,
      folder: each.isFolder,
      size: each.bytes,
    }))
    return { path, entries, ...(found.length > MAX_ENTRIES && { truncated: true }) }
  },
})

/**
 * The text of a file of a synthetic desktop, redacted, with its path resolved.
 * @throws `BadRequest` for what is not a file, `PlatformUnsupported` on a real desktop, `PermissionDenied` while elements are hidden.
 */
export function readDiskText(
  context: StorageContext,
  written: string,
): { readonly path: string; readonly text: string } {
  const { file } = storageFor(context, 'files')
  const path = absolutePath(written)
  const text = file!(path)
  if (typeof text === 'string') return { path, text }
  throw new Fault('BadRequest', `path: ${text === null ? `${path} is a folder` : `there is no file ${path}`}`, {
    field: 'path',
  })
}

const readFile = defineTool({
  name: 'read_disk_file',
  kind: 'look',
  audience: 'harness',
  summary: 'Read a file of a synthetic desktop.',
  input: z.object({ path: Path, encoding: Encoding }),
  output: z.object({
    path: z.string(),
    encoding: z.enum(['text', 'base64']),
    content: z.string(),
    size: z.int().describe('In bytes'),
  }),
  faults: ['BadRequest', 'PlatformUnsupported', 'PermissionDenied'],
  traits: { untrusted: true, idempotent: true },
  run: ({ input }, context: StorageContext) => {
    const { path, text } = readDiskText(context, input.path)
    const bytes = Buffer.from(text)
    const content = input.encoding === 'text' ? text : bytes.toString('base64')
    return { path, encoding: input.encoding, content, size: bytes.length }
  },
})

const writeFile = defineTool({
  name: 'write_disk_file',
  kind: 'act',
  audience: 'harness',
  summary: 'Write a text file of a synthetic desktop, with the folders that it needs. It replaces an existing file.',
  input: GateArguments.extend({
    path: Path,
    content: z.string().max(MAX_CONTENT_CHARACTERS).describe('The new content'),
    encoding: Encoding,
  }),
  output: InputResult,
  faults: ['BadRequest', 'TooLarge', 'PlatformUnsupported'],
  traits: { destructive: true, idempotent: true },
  run: (call, context: ActingContext) => {
    requireStorage(context, 'files')
    const path = absolutePath(call.input.path)
    const text = textOf(call.input)
    return performInput(call, context, {
      name: 'write_disk_file',
      action: { type: 'write_file', path, text },
      echo: { action: 'write_disk_file', path, size: Buffer.byteLength(text) },
    })
  },
})

/** Throws `BadRequest` for content that is not text. */
function textOf({ content, encoding }: { readonly content: string; readonly encoding: 'text' | 'base64' }): string {
  if (encoding === 'text') return content
  const bytes = Buffer.from(content, 'base64')
  if (Math.ceil(content.replace(/[\s=]/g, '').length * 0.75 - 0.75) > bytes.length)
    throw new Fault('BadRequest', 'content: it is not base64', { field: 'content' })
  const text = decodeUtf8(bytes, false)
  if (text !== undefined) return text
  throw new Fault('BadRequest', 'content: files of a synthetic desktop hold text in UTF-8, and these bytes are none', {
    field: 'content',
  })
}

export const storageTools = [getClipboard, setClipboard, listFiles, readFile, writeFile]
