import { RE2JS, RE2JSException } from 're2js'
import { Fault } from '../fault.ts'
import { LruCache } from '../lru-cache.ts'
import { patternSize } from './pattern-size.ts'

/** A pattern from outside. It runs in linear time and never reaches the host's RegExp. */
export interface Pattern {
  readonly source: string
  /** The number of capturing groups. */
  readonly groups: number
  /** Whether it matches anywhere in the text. Throws `BadRequest` when that exceeds the remaining work. */
  search(text: string, work?: MatchBudget): boolean
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
  replace: (text, by) => (source === '' ? text : text.replaceAll(source, () => by)),
  whole: (text) => (text === source ? [text] : undefined),
})

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
