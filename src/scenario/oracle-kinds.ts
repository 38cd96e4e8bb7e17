import { MIN_SSIM, type PredicateResult } from './predicate.ts'
import type { Oracle } from './schema/oracles.ts'

/**
 * What is true of each kind of oracle, beside its schema, its evaluation and its checks: when it holds, when its result is known,
 * which of its texts the screen shows, and its result in words.
 */

/** The oracles of a kind. */
type OracleOf<Kind extends Oracle['kind'], Each = Oracle> = Each extends { readonly kind: infer Own }
  ? Kind extends Own
    ? Each
    : never
  : never

/** How a text of an oracle names something on the screen, so that variants in other languages have it translated. */
type TextUse = 'text' | 'pattern' | 'selector' | 'expression'

/** What a result has: the keys of the oracle, with values of any type, and what was observed. */
interface Result<Kind extends Oracle['kind']> {
  readonly passed: boolean
  readonly args: { readonly [Key in keyof OracleOf<Kind>]?: unknown }
  readonly observed: unknown
  /** The fields of what was observed. */
  readonly found: Readonly<Record<string, unknown>>
  /** What is nearest to what was not found, in brackets. */
  readonly near: (word?: string) => string
}

interface OracleKind<Kind extends Oracle['kind']> {
  /** When it holds, for editors and the reference. */
  readonly holds: string
  /** What only the end of a run has, if this needs it. */
  readonly late: (oracle: OracleOf<Kind>) => 'picture' | 'end' | undefined
  /** Its keys with texts of the screen. */
  readonly texts: { readonly [Key in keyof OracleOf<Kind>]?: TextUse }
  /** What was expected and found. Undefined for what was observed in words, and where a part explains it. */
  readonly words: (result: Result<Kind>) => string | undefined
}

type OracleKinds = { readonly [Kind in Oracle['kind']]: OracleKind<Kind> }

const anytime = () => undefined
const pictured = () => 'picture' as const
const atEnd = () => 'end' as const
const byPart = () => undefined

/** A new kind is one row. */
export const ORACLE_KINDS: OracleKinds = {
  element_exists: {
    holds: 'Holds when an element matches the selector',
    late: anytime,
    texts: { selector: 'selector' },
    words: elementsInWords,
  },
  element_absent: {
    holds: 'Holds when no element matches the selector',
    late: anytime,
    texts: { selector: 'selector' },
    words: elementsInWords,
  },
  value_equals: {
    holds: 'Holds when the first element that matches the selector has this value',
    late: anytime,
    texts: { selector: 'selector', expected: 'text' },
    words: (result) => valueInWords(result, json(result.args.expected ?? null)),
  },
  value_matches: {
    holds: 'Holds when the pattern matches in the value of the first element that matches the selector',
    late: anytime,
    texts: { selector: 'selector', regex: 'pattern' },
    words: (result) => valueInWords(result, `a match of ${plain(result.args.regex)}`),
  },
  text_visible: {
    holds: 'Holds when the pattern matches in a text of the window',
    late: ({ mode }) => (mode === 'ocr' ? 'picture' : undefined),
    texts: { regex: 'pattern' },
    words: ({ passed, args, observed, found }) => {
      if (found.ocr_error !== undefined) return `${String(found.ocr_error)}; ${String(found.hint)}`
      if (passed)
        return `a visible text matches ${plain(args.regex)}${found.element_id ? ` in ${String(found.element_id)}` : ''}`
      return observed === 'no match' ? `no visible text matches ${plain(args.regex)}` : undefined
    },
  },
  window_focused: {
    holds: 'Holds when the pattern matches in the title of the focused window',
    late: anytime,
    texts: { title_regex: 'pattern' },
    words: ({ passed, args, found, near }) =>
      passed
        ? `the focused window is ${JSON.stringify(found.title)}`
        : `the focused window does not match ${plain(args.title_regex)}${near('its title')}`,
  },
  window_exists: {
    holds: 'Holds when there is a window with this uid, and a title in which the pattern matches',
    late: anytime,
    texts: { title_regex: 'pattern' },
    words: ({ passed, args, found, near }) => {
      if (passed) return `the window ${JSON.stringify(found.title)} is open`
      return `no window has ${args.window_uid === undefined ? `a title that matches ${plain(args.title_regex)}` : `the uid ${plain(args.window_uid)}`}${near('open')}`
    },
  },
  tree_hash_equals: {
    holds: 'Holds when the tree of the window has this hash',
    late: anytime,
    texts: {},
    words: ({ passed, args, found: { actual } }) =>
      actual === undefined
        ? undefined
        : `the hash is ${String(actual)}${passed ? '' : `; expected ${plain(args.expected_hash)}`}`,
  },
  screenshot_similar: {
    holds: 'Holds when the picture of the window is similar to a stored one',
    late: pictured,
    texts: {},
    words: ({ args: { reference_path, min_ssim = MIN_SSIM, min_patch_ssim }, found }) => {
      if (typeof found.ssim !== 'number') return undefined
      const patch = min_patch_ssim === undefined ? '' : `, and ${String(min_patch_ssim)} in each patch`
      return `the similarity to ${String(reference_path)} is ${String(found.ssim)}, and ${String(found.min_patch_ssim)} in the worst patch; expected at least ${String(min_ssim)}${patch}`
    },
  },
  file_exists: { holds: 'Holds when the file or folder exists', late: anytime, texts: {}, words: fileInWords },
  file_absent: { holds: 'Holds when the file or folder does not exist', late: anytime, texts: {}, words: fileInWords },
  file_equals: {
    holds: 'Holds when the file has exactly this text',
    late: anytime,
    texts: {},
    words: ({ passed, args, found }) => {
      if (!('actual' in found)) return undefined
      return found.actual === null
        ? `there is no file ${plain(args.path)}`
        : `the text of ${plain(args.path)} is ${json(found.actual)}${wanted(passed, args.expected)}`
    },
  },
  clipboard_equals: {
    holds: 'Holds when the clipboard has exactly this text',
    late: anytime,
    texts: {},
    words: ({ passed, args, found }) =>
      'actual' in found ? `the clipboard has ${json(found.actual)}${wanted(passed, args.expected)}` : undefined,
  },
  all: {
    holds: 'Holds when all of the entries under of hold, any of them, or with not none of them',
    late: anytime,
    texts: {},
    words: byPart,
  },
  any: { holds: 'Holds when any of the entries under of holds', late: anytime, texts: {}, words: byPart },
  not: { holds: 'Holds when none of the entries under of holds', late: anytime, texts: {}, words: byPart },
  answer: {
    holds: 'Holds when the text of finish equals a text, matches a pattern, or fits an expression with answer',
    late: atEnd,
    texts: { expression: 'expression' },
    words: ({ passed, args, observed, found }) => {
      const expected = passed ? '' : `; expected ${expectedAnswer(args)}`
      return 'actual' in found ? `the answer is ${json(found.actual)}${expected}` : `${String(observed)}${expected}`
    },
  },
  seen: {
    holds: 'Holds when an observation that the agent was given had the element, in words or in a picture',
    late: atEnd,
    texts: { selector: 'selector' },
    words: ({ passed, args }) =>
      `${passed ? 'an' : 'no'} observation of the agent had ${args.region === undefined ? '' : 'the part of '}${plain(args.selector)}`,
  },
  probe: {
    holds: 'Holds when the oracles under of hold on a copy of the end after the effects under set',
    late: atEnd,
    texts: {},
    words: byPart,
  },
  expression: {
    holds: 'Holds when an expression over variables, initial and the screen is true',
    late: anytime,
    texts: { expression: 'expression' },
    words: ({ args, found }) => ('value' in found ? `${plain(args.expression)} is ${json(found.value)}` : undefined),
  },
  changes: {
    holds: 'Holds when the variables and files differ from the start exactly as listed, except those to ignore',
    late: anytime,
    texts: {},
    words: ({ passed }) => (passed ? 'nothing else differs from the start' : undefined),
  },
  event: {
    holds: 'Holds when the event has happened, from min to max times, counting those that fit where',
    late: anytime,
    texts: { where: 'expression' },
    words: ({ args, found }) =>
      typeof found.count === 'number'
        ? `the event ${plain(args.name)} happened ${times(found.count)}; expected ${expectedTimes(args)}`
        : undefined,
  },
  at_most: {
    holds: 'Holds when the event has happened at most count times',
    late: atEnd,
    texts: { where: 'expression' },
    words: ({ args, found }) =>
      typeof found.count === 'number'
        ? `the event ${plain(args.event)} happened ${times(found.count)}; at most ${times(Number(args.count))} expected`
        : undefined,
  },
  before: {
    holds: 'Holds when the event then has not happened before the event first',
    late: atEnd,
    texts: {},
    words: ({ args, found }) =>
      found.broken
        ? `${String(found.why)}, ${sinceStart(found)}`
        : `${eventOf(args.then)} did not happen before ${eventOf(args.first)}`,
  },
  never: {
    holds: 'Holds when the oracle under of has held at no moment: the start, after each action and each timer',
    late: atEnd,
    texts: {},
    words: ({ found }) => (found.broken ? `it held ${sinceStart(found)}: ${String(found.why)}` : 'it never held'),
  },
}

/** What only the end of a run has, if an oracle needs it. */
export const latenessOf = (oracle: Oracle): 'picture' | 'end' | undefined =>
  (ORACLE_KINDS[oracle.kind] as OracleKind<never>).late(oracle as never)

/** How a key of a mapping with a `kind` names something on the screen. Undefined if it does not; false if that is no kind. */
export function screenTextIn(kind: unknown, key: string): TextUse | undefined | false {
  if (typeof kind !== 'string' || !Object.hasOwn(ORACLE_KINDS, kind)) return false
  const texts: Readonly<Record<string, TextUse>> = ORACLE_KINDS[kind as Oracle['kind']].texts
  return Object.hasOwn(texts, key) ? texts[key] : undefined
}

/** What was expected and found. Undefined for what was observed in words. */
export function resultInWords({
  kind,
  passed,
  observed,
  args = {},
  nearest = [],
  error_code,
}: PredicateResult): string | undefined {
  const found = (typeof observed === 'object' && observed !== null ? observed : {}) as Readonly<Record<string, unknown>>
  if (error_code !== undefined) return `it cannot be evaluated here: ${String(found.reason ?? observed)}`
  if (kind === 'infeasible')
    return 'reason' in found
      ? `the agent gave the reason ${json(found.reason)}${wanted(passed, args.expected)}`
      : undefined
  // A predicate of an unknown kind has no words.
  if (!Object.hasOwn(ORACLE_KINDS, kind)) return undefined
  const near = (word = 'nearest') => (nearest.length > 0 ? ` (${word}: ${nearest.join(', ')})` : '')
  return (ORACLE_KINDS[kind as Oracle['kind']] as OracleKind<'all'>).words({ passed, observed, args, found, near })
}

function elementsInWords({
  args,
  found: { count },
  near,
}: Result<'element_exists' | 'element_absent'>): string | undefined {
  if (typeof count !== 'number') return undefined
  return count === 0
    ? `no element matches ${plain(args.selector)}${near()}`
    : `${count === 1 ? '1 element matches' : `${count} elements match`} ${plain(args.selector)}`
}

/** What a secret field shows instead of its value. */
const FILLED = '<filled>'

function valueInWords(
  { passed, args, observed, found, near }: Result<'value_equals'> | Result<'value_matches'>,
  expected: string,
): string | undefined {
  if (observed === 'no matches') return `no element matches ${plain(args.selector)}${near()}`
  if (!('actual' in found)) return undefined
  // The expected value of a secret field is as secret as its own.
  if (found.actual === FILLED) return `${plain(args.selector)} is filled, and its value is secret`
  return `the value of ${plain(args.selector)} is ${json(found.actual)}${passed ? '' : `; expected ${expected}`}`
}

function fileInWords({ args, found }: Result<'file_exists' | 'file_absent'>): string | undefined {
  return typeof found.exists === 'boolean'
    ? `the file ${plain(args.path)} ${found.exists ? 'exists' : 'does not exist'}`
    : undefined
}

/** The longest text in words. */
export const MAX_SHOWN_CHARACTERS = 500

/** A text, cut if it is long. */
export const cutText = (text: string): string =>
  text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text

const plain = (value: unknown): string => cutText(String(value))
const json = (value: unknown): string => cutText(JSON.stringify(value))

const wanted = (passed: boolean, expected: unknown): string =>
  passed || expected === undefined ? '' : `; expected ${json(expected)}`

/** The texts that an answer may be. An expression may also look at the data of the run. */
const expectedAnswer = ({ equals, matches, expression }: Result<'answer'>['args']): string =>
  [
    ...(equals === undefined ? [] : [JSON.stringify(equals)]),
    ...(matches === undefined ? [] : [`a match of ${String(matches)}`]),
    ...(expression === undefined ? [] : [`one for which ${String(expression)}`]),
  ]
    .map(cutText)
    .join(' and ')

const sinceStart = ({ at_ms }: Readonly<Record<string, unknown>>): string => `${String(at_ms)} ms after the start`

const eventOf = (choice: unknown): string =>
  typeof choice === 'string' ? choice : String((choice as { readonly event?: unknown } | undefined)?.event)

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

const expectedTimes = ({ min = 1, max }: Result<'event'>['args']): string => {
  if (max === undefined) return `at least ${times(Number(min))}`
  return min === max ? `exactly ${times(Number(min))}` : `${String(min)} to ${String(max)} times`
}
