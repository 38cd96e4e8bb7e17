import { RE2JS, RE2JSException } from 're2js'
import { Fault } from '../fault.ts'
import { LruCache } from '../lru-cache.ts'
import { patternSize } from './pattern-size.ts'

/** A pattern somebody else wrote. It runs in linear time, whatever it says; the host's RegExp never sees it. */
export interface Pattern {
  readonly source: string
  /** How many groups it captures. */
  readonly groups: number
  /** Whether it matches somewhere in the text. Throws `BadRequest` when that takes more work than is left. */
  search(text: string, work?: MatchBudget): boolean
  /** The text with something else, taken to the letter, in place of every match. */
  replace(text: string, by: string): string
  /** The groups of a match of the whole text (0 is the text itself), or undefined. Throws as `search` does. */
  whole(text: string, work?: MatchBudget): readonly (string | undefined)[] | undefined
}

/** How much matching is left for one request: characters times instructions. */
export interface MatchBudget {
  left: number
}

/** A third of a second at worst: a pattern of 60 instructions for the names of 10,000 elements. */
const MAX_MATCH_STEPS = 12_000_000

/** The work that one request may cause. Pass it to all matching of that request. */
export const createMatchBudget = (): MatchBudget => ({ left: MAX_MATCH_STEPS })

/** For patterns of the operator, which are looked for in any text. */
export const UNLIMITED_MATCHING: MatchBudget = { left: Number.POSITIVE_INFINITY }

const MAX_SOURCE_CHARACTERS = 2000
/** Compiling so many instructions takes some 60 ms. */
export const MAX_PATTERN_INSTRUCTIONS = 10_000
const MAX_GROUPS = 100
/** Of all patterns that are kept compiled; some 700 bytes each. */
const MAX_CACHED_INSTRUCTIONS = 60_000
/** What the smallest pattern takes beside its instructions, in instructions. */
const OVERHEAD = 20

const compiled = new LruCache<string, Compiled>(MAX_CACHED_INSTRUCTIONS, ({ size }) => size + OVERHEAD)

interface Compiled extends Pattern {
  readonly size: number
}

/**
 * Compiles RE2 syntax, which understands Python's `(?i)`. Throws `BadRequest` naming what is wrong with it, or that it is
 * too large; that is found out before it is compiled.
 */
export function compilePattern(source: string): Pattern {
  const known = compiled.get(source)
  if (known) {
    // Used last, forgotten last.
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

/** What means something in a pattern. */
const SPECIAL = /[\\.+*?()|[\]{}^$\ud800-\udfff]/

/** A text without signs that mean something, which needs no program. */
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
  /** What it keeps from one match to the next is worth keeping for small programs only. */
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
