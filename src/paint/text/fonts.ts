import { brotliDecompressSync } from 'node:zlib'
import { type Direction, directionOf, directionRuns } from '../../desktop/model/bidi.ts'
import { graphemes, isEastAsian, isEmoji, isHangul, isKana } from '../../desktop/model/unicode.ts'
import { EAST_ASIAN, EMOJI, FACES, type Face, type Family, type FontPackage } from '../canvas/faces.ts'
import { type CanvasContext, fontFile, measuringContext, selectFace } from '../canvas/skia.ts'

/** A bundled font: family, size in pixels and weight (400, 500, 600 or 700). */
export interface Font {
  readonly family: Family
  readonly size: number
  readonly weight: number
  /** Its letters lean to the right. They are as wide as upright ones. */
  readonly isItalic?: true
}

/** A part of a line in one face and direction, or a single character without a glyph. */
export interface TextPiece {
  readonly text: string
  readonly face: Face | 'missing'
  readonly direction: Direction
}

/** The height of a capital letter, as a share of the font size. */
export const CAP_HEIGHT = 0.7275

/** The width of the box for a character without a glyph, as a share of the font size. */
const MISSING_WIDTH = 0.8

const widths = new Map<string, number>()
const MAX_CACHED_WIDTHS = 20_000

/** The width of a line of text in fractional pixels. */
export function widthOf(text: string, font: Font): number {
  if (text === '') return 0
  const key = `${font.family}${font.weight}/${font.size}/${text}`
  const known = widths.get(key)
  if (known !== undefined) return known
  const width = piecesOf(text, font.family).reduce((sum, piece) => sum + pieceWidth(piece, font), 0)
  if (widths.size >= MAX_CACHED_WIDTHS) widths.clear()
  widths.set(key, width)
  return width
}

export function pieceWidth(piece: TextPiece, font: Font): number {
  if (piece.face === 'missing') return Math.round(font.size * MISSING_WIDTH)
  const context = measuringContext()
  selectPiece(context, piece.face, piece.direction, font)
  const lead = leadOf(piece)
  return context.measureText(lead + piece.text).width - (lead === '' ? 0 : context.measureText(lead).width)
}

const LEAD = '😀'

/**
 * What a piece is drawn after, out of sight. The shaper splits pictures that begin with a character that is text by default,
 * such as the rainbow flag, at the start of a run, and nowhere else.
 */
export const leadOf = ({ face, text }: TextPiece): string =>
  face === EMOJI && text.includes('\u200d') && !/^\p{Emoji_Presentation}/u.test(text) ? LEAD : ''

/** Selects the face and the direction of a piece for measuring or drawing. */
export function selectPiece(context: CanvasContext, face: Face, direction: Direction, font: Font): void {
  selectFace(context, face, font.weight, font.size)
  context.direction = direction
}

/**
 * Splits a line into pieces by direction and by the face that has their glyphs, from left to right. Most lines are one
 * piece.
 */
export function piecesOf(text: string, family: Family, direction: Direction = directionOf(text)): readonly TextPiece[] {
  if (isPlain(text) && direction === 'ltr') return [{ text, face: FACES[family][0]!, direction }]
  const faceOf = facesFor(text, family)
  return directionRuns(text, direction).flatMap((run) => {
    const pieces = facesIn(text.slice(run.from, run.to), faceOf, run.direction)
    return run.direction === 'ltr' ? pieces : pieces.toReversed()
  })
}

/** The pieces of a run in the order of its text. */
function facesIn(
  text: string,
  faceOf: (character: string) => Face | undefined,
  direction: Direction,
): readonly TextPiece[] {
  const pieces: TextPiece[] = []
  for (const { segment } of graphemes().segment(text)) {
    const face = faceOf(segment) ?? 'missing'
    const last = pieces.at(-1)
    if (last && last.face === face && face !== 'missing')
      pieces[pieces.length - 1] = { text: last.text + segment, face, direction }
    else pieces.push({ text: segment, face, direction })
  }
  return pieces
}

/** The characters of a text that no installed font has, each once. */
export const charactersWithoutGlyph = (text: string, family: Family = 'ui'): readonly string[] => [
  ...new Set(
    piecesOf(replaceUnprintable(text), family).flatMap(({ face, text: each }) => (face === 'missing' ? [each] : [])),
  ),
]

/** Replaces control characters by blanks. */
export const replaceUnprintable = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2060-\u2069\ufeff]/g, ' ')

/** The grapheme clusters of a text. */
export function charactersOf(text: string): readonly string[] {
  if (isPlain(text)) return text.split('')
  return Array.from(graphemes().segment(text), ({ segment }) => segment)
}

const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

/** The table of characters of a font file, TrueType or WOFF2. */
export const cmapOf = (file: Uint8Array): Uint8Array =>
  isWoff2(file) ? tableOfWoff2(file, 'cmap') : tableOf(file, 'cmap')

/** The code points of a font file, TrueType or WOFF2, from its `cmap` table (OpenType specification, formats 4 and 12). */
function charactersIn(file: Uint8Array): ReadonlySet<number> {
  const table = cmapOf(file)
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength)
  const codes = new Set<number>()
  const count = view.getUint16(2)
  for (let index = 0; index < count; index++) {
    const at = view.getUint32(4 + index * 8 + 4)
    const format = view.getUint16(at)
    if (format === 4) readFormat4(view, at, codes)
    if (format === 12) readFormat12(view, at, codes)
  }
  return codes
}

const tagAt = (file: Uint8Array, at: number): string => String.fromCharCode(...file.subarray(at, at + 4))

function tableOf(file: Uint8Array, tag: string): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const count = view.getUint16(4)
  for (let table = 0; table < count; table++) {
    const entry = 12 + table * 16
    if (tagAt(file, entry) !== tag) continue
    const start = view.getUint32(entry + 8)
    return file.subarray(start, start + view.getUint32(entry + 12))
  }
  throw new Error(`the font has no table ${tag}`)
}

const isWoff2 = (file: Uint8Array): boolean => tagAt(file, 0) === 'wOF2'

/** The tags that a directory of WOFF2 names by number, as far as they are needed here. */
const KNOWN_TAGS: Readonly<Record<number, string>> = { 0: 'cmap', 10: 'glyf', 11: 'loca' }
const OTHER_TAG = 63
const HEADER_BYTES = 48

/** A table of a WOFF2 file that is stored as in a TrueType file: one of all but `glyf` and `loca`. */
function tableOfWoff2(file: Uint8Array, wanted: string): Uint8Array {
  const header = new DataView(file.buffer, file.byteOffset)
  const [count, compressed] = [header.getUint16(12), header.getUint32(20)]
  let at = HEADER_BYTES
  /** A number in base 128, the most significant digit first. */
  const number = (): number => {
    let value = 0
    for (;;) {
      const byte = file[at++]!
      value = value * 128 + (byte & 127)
      if (byte < 128) return value
    }
  }
  let start = 0
  let found: { readonly start: number; readonly length: number } | undefined
  for (let table = 0; table < count; table++) {
    const flags = file[at++]!
    const known = flags & 63
    const tag = known === OTHER_TAG ? tagAt(file, at) : KNOWN_TAGS[known]
    if (known === OTHER_TAG) at += 4
    const original = number()
    const version = flags >> 6
    const isOutline = tag === 'glyf' || tag === 'loca'
    const isTransformed = isOutline ? version !== 3 : version !== 0
    const length = isTransformed ? number() : original
    if (tag === wanted) found = { start, length }
    start += length
  }
  if (!found) throw new Error(`the font has no table ${wanted}`)
  return brotliDecompressSync(file.subarray(at, at + compressed)).subarray(found.start, found.start + found.length)
}

function readFormat4(view: DataView, at: number, codes: Set<number>): void {
  const segments = view.getUint16(at + 6) / 2
  const ends = at + 14
  const starts = ends + segments * 2 + 2
  const deltas = starts + segments * 2
  const offsets = deltas + segments * 2
  for (let segment = 0; segment < segments; segment++) {
    const first = view.getUint16(starts + segment * 2)
    const last = view.getUint16(ends + segment * 2)
    const delta = view.getUint16(deltas + segment * 2)
    const offset = view.getUint16(offsets + segment * 2)
    for (let code = first; code <= last && code < 0xffff; code++) {
      const place = offsets + segment * 2 + offset + (code - first) * 2
      const glyph = offset === 0 ? (code + delta) & 0xffff : view.getUint16(place)
      if (glyph !== 0) codes.add(code)
    }
  }
}

function readFormat12(view: DataView, at: number, codes: Set<number>): void {
  const groups = view.getUint32(at + 12)
  for (let group = 0; group < groups; group++) {
    const entry = at + 16 + group * 12
    const last = view.getUint32(entry + 4)
    for (let code = view.getUint32(entry); code <= last; code++) codes.add(code)
  }
}

/** Selectors, joiners and marks of direction, which need no glyph of their own. */
const WITHOUT_GLYPH: ReadonlySet<number> = new Set([0x200c, 0x200d, 0x200e, 0x200f, 0xfe0e])
const EMOJI_PARTS: ReadonlySet<number> = new Set([...WITHOUT_GLYPH, 0xfe0f])

const IS_IDEOGRAPH = /\p{Script=Han}/u

/** The face for each character of a line: the first of its family that has all its glyphs. Undefined if there is none. */
function facesFor(line: string, family: Family): (character: string) => Face | undefined {
  let packages: readonly FontPackage[] | undefined
  return (character) => {
    const isPicture = isEmoji(character)
    if (isPicture && covers(EMOJI, character, EMOJI_PARTS)) return EMOJI
    const own = FACES[family].find((face) => covers(face, character, WITHOUT_GLYPH))
    if (own || isPicture) return own
    if (isEastAsian(character)) {
      packages ??= packagesFor(line)
      for (const each of packages) {
        const face = faceIn(each, character)
        if (face) return face
      }
    }
    return covers(EMOJI, character, EMOJI_PARTS) ? EMOJI : undefined
  }
}

function covers(face: Face, character: string, without: ReadonlySet<number>): boolean {
  const known = coverageOf(face)
  let hasGlyph = false
  for (const sign of character) {
    const code = sign.codePointAt(0)!
    if (known.has(code)) hasGlyph = true
    else if (!without.has(code)) return false
  }
  return hasGlyph
}

const coverages = new Map<string, ReadonlySet<number>>()
const NOTHING: ReadonlySet<number> = new Set()

function coverageOf({ name, files: [file = ''] }: Face): ReadonlySet<number> {
  const known = coverages.get(name)
  if (known) return known
  const content = fontFile(file)
  const coverage = content ? charactersIn(content) : NOTHING
  coverages.set(name, coverage)
  return coverage
}

/**
 * The packages in the order for a line, since languages draw the same ideographs differently: that of its syllables,
 * otherwise the first that has all its ideographs.
 */
function packagesFor(line: string): readonly FontPackage[] {
  const first = isKana(line) ? 'japanese' : isHangul(line) ? 'korean' : undefined
  const characters = [...new Set(line)].filter((sign) => IS_IDEOGRAPH.test(sign))
  const best =
    first === undefined
      ? EAST_ASIAN.find((each) => characters.every((sign) => faceIn(each, sign)))
      : EAST_ASIAN.find(({ feature }) => feature === first)
  return best ? [best, ...EAST_ASIAN.filter((each) => each !== best)] : EAST_ASIAN
}

interface Chunk {
  readonly face: Face
  /** Pairs of the first and last code point. */
  readonly ranges: readonly (readonly [number, number])[]
}

const chunks = new Map<FontPackage, readonly Chunk[]>()

/** The face of a package that has a character. */
function faceIn(from: FontPackage, character: string): Face | undefined {
  const code = character.codePointAt(0)!
  return chunksOf(from).find(
    ({ face, ranges }) =>
      ranges.some(([first, last]) => code >= first && code <= last) && covers(face, character, WITHOUT_GLYPH),
  )?.face
}

function chunksOf(from: FontPackage): readonly Chunk[] {
  const known = chunks.get(from)
  if (known) return known
  const content = fontFile(from.ranges)
  const table: Readonly<Record<string, string>> = content ? JSON.parse(Buffer.from(content).toString('utf8')) : {}
  const made = Object.entries(table).flatMap(([key, ranges]): readonly Chunk[] => {
    const number = /^\[(\d+)\]$/.exec(key)?.[1]
    if (number === undefined) return []
    return [{ face: { name: `${from.name} ${number}`, files: [from.file(number)] }, ranges: rangesIn(ranges) }]
  })
  chunks.set(from, made)
  return made
}

/** Reads `U+3041-3096,U+30FB`. */
const rangesIn = (text: string): readonly (readonly [number, number])[] =>
  text.split(',').map((range) => {
    const [first = '0', last = first] = range.slice(2).split('-')
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)]
  })
