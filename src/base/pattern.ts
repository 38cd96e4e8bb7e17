import { RE2JS, RE2JSException } from 're2js'
import * as z from 'zod'
import { Fault } from './fault.ts'
import { LruCache } from './lru-cache.ts'

/** A pattern from outside. It runs in linear time and never reaches the host's RegExp. */
export interface Pattern {
  readonly source: string
  /** The number of capturing groups. */
  readonly groups: number
  /** Whether it matches anywhere in the text. Throws `BadRequest` when that exceeds the remaining work. */
  search(text: string, work?: MatchBudget): boolean
  /**
   * Where it matches within the lines of a text, without empty matches: pairs of UTF-16 offsets, at most `most`. Throws as
   * `search` does.
   */
  places(text: string, most: number, work?: MatchBudget): readonly (readonly [from: number, to: number])[]
  /** Replaces every match with a literal text. */
  replace(text: string, by: string): string
  /** The groups of a match of the whole text (0 is the text), or undefined. Throws as `search` does. */
  whole(text: string, work?: MatchBudget): readonly (string | undefined)[] | undefined
}

/** The remaining matching work of one request, in characters times instructions. */
export interface MatchBudget {
  left: number
}

/** A third of a second at most: a pattern of 60 instructions on the names of 10,000 elements. */
const MAX_MATCH_STEPS = 12_000_000

/** Creates the work limit of one request. Pass it to every match of that request. */
export const createMatchBudget = (): MatchBudget => ({ left: MAX_MATCH_STEPS })

/** Unlimited, for patterns of the operator, which are searched for in any text. */
export const UNLIMITED_MATCHING: MatchBudget = { left: Number.POSITIVE_INFINITY }

const MAX_SOURCE_CHARACTERS = 2000
/** Compiling this many instructions takes about 60 ms. */
export const MAX_PATTERN_INSTRUCTIONS = 10_000
const MAX_GROUPS = 100
/** The sum over all cached patterns, about 700 bytes per instruction. */
const MAX_CACHED_INSTRUCTIONS = 60_000
/** The cost of the smallest cached pattern beyond its instructions, in instructions. */
const ENTRY_OVERHEAD_INSTRUCTIONS = 20

const compiled = new LruCache<string, Compiled>(
  MAX_CACHED_INSTRUCTIONS,
  ({ size }) => size + ENTRY_OVERHEAD_INSTRUCTIONS,
)

interface Compiled extends Pattern {
  readonly size: number
}

/**
 * Compiles RE2 syntax, including Python's `(?i)`. Throws `BadRequest` for an invalid or too large pattern; the size is
 * checked before compiling.
 */
export function compilePattern(source: string): Pattern {
  const known = compiled.get(source)
  if (known) {
    // Reinserted, so that the least recently used pattern is evicted first.
    compiled.delete(source)
    return compiled.keep(source, known)
  }
  if (source.length > MAX_SOURCE_CHARACTERS)
    throw new Fault(
      'BadRequest',
      `the pattern has ${source.length} characters; at most ${MAX_SOURCE_CHARACTERS} are allowed`,
    )
  const size = Math.ceil(patternSize(source))
  if (size > MAX_PATTERN_INSTRUCTIONS)
    throw new Fault(
      'BadRequest',
      `the pattern compiles to about ${size} instructions, repetitions multiplied out; at most ${MAX_PATTERN_INSTRUCTIONS} are allowed`,
    )
  return compiled.keep(source, SPECIAL.test(source) ? patternOf(source, size) : literal(source, size))
}

/** The characters with a special meaning in a pattern. */
const SPECIAL = /[\\.+*?()|[\]{}^$\ud800-\udfff]/

/** Matches a text without special characters. It needs no program. */
const literal = (source: string, size: number): Compiled => ({
  source,
  groups: 0,
  size,
  search: (text) => text.includes(source),
  places: (text, most) => literalPlaces(source, text, most),
  replace: (text, by) => (source === '' ? text : text.replaceAll(source, () => by)),
  whole: (text) => (text === source ? [text] : undefined),
})

function literalPlaces(source: string, text: string, most: number): readonly (readonly [number, number])[] {
  const found: (readonly [number, number])[] = []
  let at = source === '' ? -1 : text.indexOf(source)
  while (at >= 0 && found.length < most) {
    found.push([at, at + source.length])
    at = text.indexOf(source, at + source.length)
  }
  return found
}

function patternOf(source: string, size: number): Compiled {
  const program = compile(source)
  const groups = program.groupCount()
  if (groups > MAX_GROUPS)
    throw new Fault('BadRequest', `the pattern has ${groups} groups; at most ${MAX_GROUPS} are allowed, or (?:…)`)
  const instructions = program.programSize()
  /** The state between matches is only worth keeping for small programs. */
  const done = <T>(result: T): T => {
    if (instructions > 1000) program.reset()
    return result
  }
  return {
    source,
    groups,
    size,
    search: (text, work = createMatchBudget()) => {
      spend(work, text, instructions)
      return done(program.matcher(text).find())
    },
    places: (text, most, work = createMatchBudget()) => {
      const found: (readonly [number, number])[] = []
      let start = 0
      for (const line of text.split('\n')) {
        const matcher = program.matcher(line)
        spend(work, line, instructions)
        while (found.length < most && matcher.find()) {
          if (matcher.end() > matcher.start()) found.push([start + matcher.start(), start + matcher.end()])
          spend(work, line, instructions)
        }
        start += line.length + 1
        if (found.length >= most) break
      }
      return done(found)
    },
    replace: (text, by) => done(program.matcher(text).replaceAll(() => by)),
    whole: (text, work = createMatchBudget()) => {
      spend(work, text, instructions)
      const matcher = program.matcher(text)
      if (!matcher.matches()) return done(undefined)
      if (groups === 0) return done([text])
      spend(work, text, instructions * (1 + groups / 10))
      return done(Array.from({ length: groups + 1 }, (_, group) => matcher.group(group) ?? undefined))
    },
  }
}

function spend(work: MatchBudget, text: string, instructions: number): void {
  work.left -= (text.length + 1) * instructions
  if (work.left >= 0) return
  throw new Fault(
    'BadRequest',
    `a pattern of ${Math.ceil(instructions)} instructions is too much work for so much text; use a shorter pattern or less text`,
  )
}

function compile(source: string): RE2JS {
  try {
    return RE2JS.compile(source)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    throw new Fault('BadRequest', `the pattern ${JSON.stringify(source)} is not valid RE2: ${error.message}`, {
      pattern: source,
    })
  }
}

/** The pattern that matches a text as it is. */
export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

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

/** The text of a valid RE2 pattern. */
export const PatternText = z.string().superRefine((pattern, { addIssue }) => {
  try {
    compilePattern(pattern)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    addIssue(error.message)
  }
})
