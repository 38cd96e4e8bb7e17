import { decodeUtf8 } from '../../base/strings.ts'
import type { ImageContent } from './history.ts'

/** A file attached to a message. */
export interface Attachment {
  readonly mimeType: string
  /** With or without a `data:` prefix. */
  readonly base64: string
  readonly name?: string | undefined
}

/** Attachments as stored in a message: images of any type, and a note with the text or description of each other file. */
export interface Attached {
  readonly images: readonly ImageContent[]
  readonly notes: readonly string[]
}

/** The image types that models accept. */
const PICTURE = /^image\/(?:png|jpe?g|gif|webp)$/
const TEXT =
  /^(?:text\/|application\/(?:json|xml|yaml|x-yaml|toml|csv|javascript|x-ndjson|sql)$|[^/]+\/[^/]+\+(?:json|xml|yaml)$)/
/** Generic types. The type is derived from the name instead. */
const UNTYPED = /^(?:|application\/octet-stream|binary\/octet-stream|\*\/\*)$/
const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  log: 'text/plain',
  html: 'text/html',
  json: 'application/json',
  xml: 'text/xml',
  svg: 'image/svg+xml',
  yaml: 'text/yaml',
  yml: 'text/yaml',
}

const MAX_TEXT_BYTES = 50 * 1024
const MAX_TEXTS_CHARACTERS = 1024 * 1024
const MAX_NAME_LENGTH = 200

const DATA_PREFIX = /^data:[^,]{0,200},/

/** Returns whether a text is base64 of at least a byte, with or without a `data:` prefix and line ends. */
export const isBase64 = (text: string): boolean =>
  /^[A-Za-z0-9+/_\-\s]*[A-Za-z0-9+/_-]{2}[=\s]*$/.test(text.replace(DATA_PREFIX, ''))

/** Returns whether models accept images of this type. */
export const isPicture = (mimeType: string): boolean => PICTURE.test(mimeType)

/** Sorts attachments by type: keeps images, reads text files, and describes other files. */
export function readAttachments(attachments: readonly Attachment[]): Attached {
  const images: ImageContent[] = []
  const notes: string[] = []
  let remaining = MAX_TEXTS_CHARACTERS
  for (const attachment of attachments) {
    const base64 = attachment.base64.replace(DATA_PREFIX, '')
    const mimeType = typeOf(attachment)
    if (mimeType.startsWith('image/')) {
      images.push({ mimeType, base64 })
      continue
    }
    const note = noteOfFile({ ...attachment, base64, mimeType }, remaining)
    remaining -= note.length
    notes.push(note)
  }
  return { images, notes }
}

/** Returns the model's text of a message with attachments, if it is more than the user wrote. */
export const withNotes = (text: string, notes: readonly string[]): string | undefined =>
  notes.length === 0 ? undefined : [text, ...notes].filter((part) => part !== '').join('\n\n')

function typeOf({ mimeType, name = '' }: Attachment): string {
  const type = mimeType.split(';')[0]!.trim().toLowerCase()
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  if (type === 'image/jpg') return 'image/jpeg'
  if (!UNTYPED.test(type)) return type
  return (Object.hasOwn(TYPES, extension) && TYPES[extension]) || 'application/octet-stream'
}

/** Returns the name, type and size of a file, and its text if it is a text of at most `maxCharacters`. */
export function noteOfFile(
  { mimeType, base64, name = 'without a name' }: Attachment,
  maxCharacters: number = MAX_TEXTS_CHARACTERS,
): string {
  const bytes = Buffer.byteLength(base64, 'base64')
  const label = name.replace(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, MAX_NAME_LENGTH)
  const about = `${label} (${mimeType.slice(0, MAX_NAME_LENGTH)}, ${bytes} bytes)`
  if (!TEXT.test(mimeType)) return `[Attached file ${about}: its contents cannot be shown]`
  const text = decodeUtf8(
    Buffer.from(base64.slice(0, Math.ceil(MAX_TEXT_BYTES / 3) * 4), 'base64'),
    bytes > MAX_TEXT_BYTES,
  )
  if (text === undefined) return `[Attached file ${about}: it is not UTF-8, so its contents cannot be shown]`
  if (text.length > maxCharacters) return `[Attached file ${about}: not shown, since the others are long already]`
  return `[Attached file ${about}]\n${text}${bytes > MAX_TEXT_BYTES ? '\n[The rest is not shown]' : ''}`
}
