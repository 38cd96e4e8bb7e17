import { isEastAsian, isEmoji, isHangul, isKana } from '../../desktop/model/unicode.ts'
import { fontFile } from '../frame/skia.ts'
import { charactersIn } from './cmap.ts'
import { EAST_ASIAN, EMOJI, FACES, type Face, type Family, type FontPackage } from './faces.ts'

/** Selectors, joiners and marks of direction, which need no glyph of their own. */
const WITHOUT_GLYPH: ReadonlySet<number> = new Set([0x200c, 0x200d, 0x200e, 0x200f, 0xfe0e])
const EMOJI_PARTS: ReadonlySet<number> = new Set([...WITHOUT_GLYPH, 0xfe0f])

const IS_IDEOGRAPH = /\p{Script=Han}/u

/** The face for each character of a line: the first of its family that has all its glyphs. Undefined if there is none. */
export function facesFor(line: string, family: Family): (character: string) => Face | undefined {
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
