import { RE2JS, RE2JSException } from 're2js'
import { Fault } from './fault.ts'
import { Latest } from './latest.ts'

/** A pattern somebody else wrote. It runs in linear time, whatever it says; the host's RegExp never sees it. */
export interface Pattern {
  readonly source: string
  /** How many groups it captures. */
  readonly groups: number
  /** Whether it matches somewhere in the text. */
  search(text: string): boolean
  /** The text with something else, taken to the letter, in place of every match. */
  replace(text: string, by: string): string
  /** The groups of a match of the whole text (0 is the text itself), or undefined. */
  whole(text: string): readonly (string | undefined)[] | undefined
}

const compiled = new Latest<string, Pattern>(500)
const SOURCE_MOST = 2000

/** Compiles RE2 syntax, which understands Python's `(?i)`. Throws `BadRequest` naming what is wrong with it. */
export function compilePattern(source: string): Pattern {
  const known = compiled.get(source)
  if (known) return known
  if (source.length > SOURCE_MOST)
    throw new Fault('BadRequest', `the pattern has ${source.length} characters; at most ${SOURCE_MOST} are allowed`)
  const program = compile(source)
  const pattern: Pattern = {
    source,
    groups: program.groupCount(),
    search: (text) => program.matcher(text).find(),
    replace: (text, by) => program.matcher(text).replaceAll(() => by),
    whole: (text) => {
      const matcher = program.matcher(text)
      if (!matcher.matches()) return undefined
      return Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group) ?? undefined)
    },
  }
  return compiled.keep(source, pattern)
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
