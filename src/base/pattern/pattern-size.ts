/** Estimates the cost of compiling and storing a pattern from its text, without compiling it. */

/** A cursor over an RE2 pattern. `folds` is true when its flags may ignore case. */
interface Reader {
  readonly text: string
  readonly folds: boolean
  at: number
  /** The cost of parsing character classes, which repetitions do not multiply. */
  classes: number
}

/** A Unicode class such as `\pL` has hundreds of ranges. */
const UNICODE_CLASS = 40
/** The number of characters of a range that are case-folded in the time of one instruction. */
const FOLDED_CHARACTERS = 150
/** The characters that have another case. */
const FOLDING = { from: 0x41, to: 0x1e943 }

/**
 * Estimates the instructions of a compiled pattern, with repetitions multiplied out; never too low. An invalid pattern gets
 * an arbitrary number, because compiling it reports the error.
 */
export function patternSize(source: string): number {
  const reader: Reader = { text: source, folds: /\(\?[a-zA-Z]*i/.test(source), at: 0, classes: 0 }
  let size = 0
  while (reader.at < source.length) {
    size += readAlternatives(reader)
    // The rest begins with an unmatched closing parenthesis.
    reader.at++
  }
  return size + reader.classes
}

/** A group that is being parsed. */
interface Group {
  /** The size parsed so far except `last`, which a repetition may follow. */
  size: number
  last: number
}

/** Parses to the closing parenthesis of the group, or to the end. Nested groups are kept in a list, not on the stack. */
function readAlternatives(reader: Reader): number {
  const open: Group[] = []
  let group: Group = { size: 0, last: 0 }
  const add = (size: number) => {
    group.size += group.last
    group.last = size
  }
  while (reader.at < reader.text.length) {
    const repeated = readRepetition(reader)
    if (repeated) {
      group.last = repeated(Math.max(1, group.last))
      continue
    }
    const sign = reader.text[reader.at]!
    if (sign === '(') {
      reader.at += opening(reader)
      open.push(group)
      group = { size: 0, last: 0 }
    } else if (sign === ')') {
      const outer = open.pop()
      if (!outer) break
      const inner = Math.max(1, group.size + group.last) + 2
      reader.at++
      group = outer
      add(inner)
    } else if (sign === '[') {
      readClass(reader)
      add(1)
    } else if (sign === '\\') add(readEscape(reader))
    else {
      reader.at += sign.length
      add(1)
    }
  }
  // Unclosed groups count too.
  return [...open, group].reduce((sum, { size, last }) => sum + size + last, 0)
}

/** The length of the opening of a group with its flags or name. */
const opening = ({ text, at }: Reader): number =>
  (/\((\?(P?<[^>]*>|[a-zA-Z-]*:?))?/y.exec(text.slice(at))?.[0] ?? '(').length

const REPETITION = /[*+?]\??|\{(\d+)(?:(,)(\d*))?\}\??/y

/** The size of a repeated part after the repetition here. Undefined without a repetition. */
function readRepetition(reader: Reader): ((size: number) => number) | undefined {
  REPETITION.lastIndex = reader.at
  const found = REPETITION.exec(reader.text)
  if (!found) return undefined
  reader.at += found[0].length
  const [, least, comma, most] = found
  if (least === undefined) return (size) => size + 2
  const times = Number(most || least)
  const options = comma && most ? times - Number(least) : 0
  return (size) => Math.max(1, times) * size + Math.max(0, options) + 2
}

/** Skips a bracketed class and counts the cost of its ranges. */
function readClass(reader: Reader): void {
  reader.at++
  if (reader.text[reader.at] === '^') reader.at++
  let isFirst = true
  let before: number | undefined
  while (reader.at < reader.text.length) {
    const { text, at } = reader
    if (text[at] === ']' && !isFirst) {
      reader.at++
      return
    }
    isFirst = false
    const named = /^\[:\^?\w+:\]/.exec(text.slice(at, at + 20))
    if (named) {
      reader.at += named[0].length
      reader.classes += 2
      before = undefined
      continue
    }
    const isRange = text[at] === '-' && before !== undefined && text[at + 1] !== ']'
    if (isRange) reader.at++
    const code = readCharacter(reader)
    if (isRange && code !== undefined && reader.folds) reader.classes += foldedBetween(before!, code)
    reader.classes += 1
    before = isRange ? undefined : code
  }
}

const foldedBetween = (first: number, last: number): number =>
  Math.max(0, Math.min(last, FOLDING.to) - Math.max(first, FOLDING.from)) / FOLDED_CHARACTERS

/** The next character of a class. Undefined for a nested class. */
function readCharacter(reader: Reader): number | undefined {
  if (reader.text[reader.at] === '\\') {
    const start = reader.at
    readEscape(reader)
    return codeOf(reader.text.slice(start + 1, reader.at))
  }
  const code = reader.text.codePointAt(reader.at)
  reader.at += code !== undefined && code > 0xffff ? 2 : 1
  return code
}

function codeOf(escaped: string): number | undefined {
  const [, braced, two, octal] = /^x\{([0-9a-fA-F]+)\}$|^x([0-9a-fA-F]{2})$|^([0-7]{1,3})$/.exec(escaped) ?? []
  if (octal !== undefined) return Number.parseInt(octal, 8)
  const hex = braced ?? two
  if (hex !== undefined) return Number.parseInt(hex, 16)
  return /^[pPdDwWsS]/.test(escaped) ? undefined : escaped.codePointAt(0)
}

const ESCAPE = /\\(?:Q([\s\S]*?)(?:\\E|$)|[pP](?:\{[^}]*\}|[\s\S])?|x(?:\{[^}]*\}|[\s\S]{0,2})|[0-7]{1,3}|[\s\S]?)/y

/** Skips an escape sequence. Returns the number of characters that it matches. */
function readEscape(reader: Reader): number {
  ESCAPE.lastIndex = reader.at
  const [whole, quoted] = ESCAPE.exec(reader.text)!
  reader.at += whole.length
  if (/^\\[pP]/.test(whole)) reader.classes += UNICODE_CLASS * (reader.folds ? 2 : 1)
  return quoted === undefined ? 1 : quoted.length
}
