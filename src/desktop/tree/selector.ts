import { Fault } from '../../base/fault.ts'
import { compilePattern, MAX_PATTERN_INSTRUCTIONS, patternSize } from '../../base/pattern.ts'

/** A parsed selector: steps from the root of a tree to the matching elements. */
export interface Selector {
  /** At least one. The first has the reach `anywhere` or `descendant`, the others `child` or `descendant`. */
  readonly steps: readonly SelectorStep[]
}

export interface SelectorStep {
  /**
   * `anywhere`: the root or, if the root does not match, any element below it. A first `descendant`: any element but
   * the root.
   */
  readonly reach: 'anywhere' | 'child' | 'descendant'
  /** Absent: any role. An underscore matches itself or a blank, so `push_button` matches "push button". */
  readonly role?: string
  readonly tests: readonly AttributeTest[]
}

/** A condition on one attribute; `~=` is a pattern for the whole text, `*=` a part of it. */
export type AttributeTest =
  | { readonly key: TextKey; readonly op: '=' | '*=' | '~='; readonly value: string }
  | { readonly key: FlagKey; readonly op: '='; readonly value: boolean }
  | { readonly key: NumberKey; readonly op: '='; readonly value: number }

export type TextKey = 'name' | 'value' | 'role' | 'id' | 'identifier' | 'description' | 'keyboard_shortcut'
export type FlagKey = 'enabled' | 'focused' | 'selected' | 'expanded'
/** `index` counts from 0 among the siblings of the same role. */
export type NumberKey = 'index' | 'value_now' | 'value_min' | 'value_max'

const TEXT_KEYS = ['name', 'value', 'role', 'id', 'identifier', 'description', 'keyboard_shortcut'] as const
const FLAG_KEYS = ['enabled', 'focused', 'selected', 'expanded'] as const
const NUMBER_KEYS = ['index', 'value_now', 'value_min', 'value_max'] as const
const NAMES_OF_THE_NAME = ['text', 'text()', 'label', 'aria-label']
const KEY_LIST = [...TEXT_KEYS, ...FLAG_KEYS, ...NUMBER_KEYS, ...NAMES_OF_THE_NAME].join(', ')
const PSEUDO_LIST = ':has-text("…"), :text("…"), :nth-of-type(N)'
const OPERATOR_LIST = '= (equal), *= (contains) or ~= (pattern for the whole text)'
const OPERATOR_ADVICE: Readonly<Record<string, string>> = {
  '^=': '~="Save.*" for "begins with"; there is no ^=',
  '$=': '~=".*Save" for "ends with"; there is no $=',
  '|=': '~="en(-.*)?" for "begins with a word"; there is no |=',
  '!=': '= , *= or ~= ; there is no !=',
}

const MAX_SELECTOR_CHARACTERS = 10_000
const MAX_STEPS = 500

/** The parser state; `at` only moves forward. */
interface Reader {
  readonly text: string
  /** The size of the patterns parsed so far, in instructions. */
  readonly patterns: { size: number }
  at: number
}

/**
 * Reads a selector in either spelling or a mixture (observer document, "Selector grammar"): `Window/Pane/Button[name="OK"]` and
 * `Window > Pane Button[name~="Save.*"]`.
 * @param text The selector.
 * @throws A `Fault` `BadRequest` with the column and what was expected there.
 * @example
 * const selector = parseSelector('Window > Button "Save"')
 */
export function parseSelector(text: string): Selector {
  if (text.length > MAX_SELECTOR_CHARACTERS)
    throw new Fault(
      'BadRequest',
      `the selector has ${text.length} characters; at most ${MAX_SELECTOR_CHARACTERS} are allowed`,
    )
  const unescaped = isEscapedOnceMore(text) ? text.replace(/\\(["'\\])/g, '$1') : text
  return readSelector({ text: unescaped, patterns: { size: 0 }, at: 0 })
}

/**
 * The canonical text of a selector: `/` before a child, `//` before a descendant, every value in double quotes.
 * @param selector A selector that was parsed.
 */
export const formatSelector = (selector: Selector): string => selector.steps.map(formatStep).join('')

/** Whether `parseSelector` accepts the canonical text of a selector of this length. */
export const isReadable = (steps: number, canonical: string): boolean =>
  steps <= MAX_STEPS && canonical.length <= MAX_SELECTOR_CHARACTERS

/** Whether a text can be the role of a step. */
export const isRole = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text) || /^[\p{L}_][\p{L}\p{N}_]*$/u.test(text)

const LEADS = { anywhere: '', child: '/', descendant: '//' } as const satisfies Record<SelectorStep['reach'], string>

/** The canonical text of one step. */
export const formatStep = ({ reach, role = '*', tests }: SelectorStep): string =>
  LEADS[reach] + role + tests.map(formatTest).join('')

const formatTest = ({ key, op, value }: AttributeTest): string =>
  `[${key}${op}${typeof value === 'string' ? quote(value) : String(value)}]`

/** Most names need no backslash, and searching for one is faster than replacing none. */
const quote = (value: string): string => (/["\\]/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`)

/** Whether quotes outside strings are escaped, as in a selector that was JSON-encoded twice. */
const isEscapedOnceMore = (text: string): boolean => /^[^"']*\\["']/.test(text)

function readSelector(reader: Reader): Selector {
  const steps: SelectorStep[] = []
  let reach: SelectorStep['reach'] = readCombinator(reader).includes('//') ? 'descendant' : 'anywhere'
  while (reader.at < reader.text.length) {
    if (steps.length === MAX_STEPS) throw wrong(reader, `at most ${MAX_STEPS} steps`)
    steps.push(readStep(reader, reach))
    const combinator = readCombinator(reader)
    if (!combinator && reader.at < reader.text.length) throw wrong(reader, '[, a quoted name, a blank, / // or >')
    // Blanks alone are `//`, so `Window Button` and `Window//Button` are the same.
    reach = /^\s*$|\/\//.test(combinator) ? 'descendant' : 'child'
  }
  if (steps.length === 0) throw wrong(reader, 'a role or a test, such as Button[name="OK"]')
  return { steps }
}

/** A run of blanks, `/`, `//` and `>`. Ignored before the first and after the last step, except `//`. */
const readCombinator = (reader: Reader): string => read(reader, /[\s/>]*/y)

function readStep(reader: Reader, reach: SelectorStep['reach']): SelectorStep {
  const start = reader.at
  read(reader, /\./y)
  const role = read(reader, /\*|[\p{L}_][\p{L}\p{N}_]*/uy)
  const tests: AttributeTest[] = []
  for (let test = readTest(reader); test; test = readTest(reader)) tests.push(test)
  if (!role && tests.length === 0) {
    reader.at = start
    throw wrong(reader, 'a role, *, [key="value"], a quoted name, or one of / // >')
  }
  return role && role !== '*' ? { reach, role, tests } : { reach, tests }
}

/** The next test of a step, after optional blanks before a bracket or a quoted name. */
function readTest(reader: Reader): AttributeTest | undefined {
  if (peek(reader, /:/y)) return readPseudo(reader)
  if (peek(reader, /\s*\[/y)) return readBracket(reader)
  if (!peek(reader, /\s*["']/y)) return undefined
  skipBlanks(reader)
  return { key: 'name', op: '=', value: readString(reader) }
}

function readPseudo(reader: Reader): AttributeTest {
  const start = reader.at
  const word = read(reader, /:[\p{L}\p{N}_-]*/uy)
  if (word === ':has-text' || word === ':text') {
    const value = inParentheses(reader, word, () => readString(reader))
    return { key: 'name', op: '*=', value }
  }
  if (word === ':nth-of-type') {
    const nth = inParentheses(reader, word, () => Number(expect(reader, /[1-9]\d{0,8}/y, 'a number from 1')))
    return { key: 'index', op: '=', value: nth - 1 }
  }
  reader.at = start
  throw wrong(reader, `one of ${PSEUDO_LIST}`)
}

function inParentheses<T>(reader: Reader, word: string, readInside: () => T): T {
  expect(reader, /\(\s*/y, `( after ${word}`)
  const inside = readInside()
  expect(reader, /\s*\)/y, `) to end ${word}(`)
  return inside
}

function readBracket(reader: Reader): AttributeTest {
  expect(reader, /\s*\[\s*/y, '[')
  const keyAt = reader.at
  const word = read(reader, /@?[\p{L}\p{N}_-]+(\(\))?/uy).replace('@', '')
  const key = NAMES_OF_THE_NAME.includes(word) ? 'name' : word
  skipBlanks(reader)
  if (isText(key)) return readTextTest(reader, key)
  if (isFlag(key)) return endBracket(reader, { key, op: readEquals(reader, key), value: readFlag(reader, key) })
  if (isNumber(key)) return endBracket(reader, { key, op: readEquals(reader, key), value: readNumber(reader, key) })
  reader.at = keyAt
  if (/^\d+$/.test(word)) throw wrong(reader, 'a key; for a position write [index=N] (from 0) or :nth-of-type(N)')
  throw wrong(reader, `a key: one of ${KEY_LIST}`)
}

const isText = (key: string): key is TextKey => (TEXT_KEYS as readonly string[]).includes(key)
const isFlag = (key: string): key is FlagKey => (FLAG_KEYS as readonly string[]).includes(key)
const isNumber = (key: string): key is NumberKey => (NUMBER_KEYS as readonly string[]).includes(key)

function endBracket(reader: Reader, test: AttributeTest): AttributeTest {
  expect(reader, /\s*\]/y, ']')
  return test
}

function readTextTest(reader: Reader, key: TextKey): AttributeTest {
  const op = readOperator(reader)
  const valueAt = reader.at
  const value = peek(reader, /["']/y) ? readString(reader) : readLiteral(reader, 'a value in quotes')
  if (op === '~=') checkPattern({ ...reader, at: valueAt }, value)
  return endBracket(reader, { key, op, value })
}

function readOperator(reader: Reader): '=' | '*=' | '~=' {
  const start = reader.at
  const op = read(reader, /[~*^$|!]?=\s*/y).trim()
  if (op === '=' || op === '*=' || op === '~=') return op
  reader.at = start
  throw wrong(reader, OPERATOR_ADVICE[op] ?? OPERATOR_LIST)
}

function readEquals(reader: Reader, key: string): '=' {
  const start = reader.at
  const op = readOperator(reader)
  if (op === '=') return op
  reader.at = start
  throw wrong(reader, `= ; ${key} is not a text`)
}

/** A literal without quotes: true, false or a number. */
const readLiteral = (reader: Reader, expected: string): string =>
  expect(reader, /(true|false|-?\d+(\.\d+)?)(?![\w.])/iy, expected)

function readFlag(reader: Reader, key: string): boolean {
  const start = reader.at
  const word = (peek(reader, /["']/y) ? readString(reader) : readLiteral(reader, 'true or false')).toLowerCase()
  if (word === 'true' || word === 'false') return word === 'true'
  reader.at = start
  throw wrong(reader, `true or false; ${key} knows no other value`)
}

function readNumber(reader: Reader, key: NumberKey): number {
  const start = reader.at
  const word = peek(reader, /["']/y) ? readString(reader).trim() : readLiteral(reader, 'a number')
  const number = word ? Number(word) + 0 : Number.NaN
  if (key === 'index' ? Number.isSafeInteger(number) && number >= 0 : Number.isFinite(number)) return number
  reader.at = start
  throw wrong(reader, key === 'index' ? 'a whole number from 0' : 'a number')
}

function checkPattern(reader: Reader, source: string): void {
  const { patterns } = reader
  const others = patterns.size
  patterns.size += patternSize(source)
  if (others > 0 && patterns.size > MAX_PATTERN_INSTRUCTIONS)
    throw wrong(reader, `patterns that compile to at most ${MAX_PATTERN_INSTRUCTIONS} instructions together`)
  try {
    compilePattern(source)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw wrong(reader, `a pattern that can be used; ${error.message}`)
  }
}

/** Inside quotes, a backslash makes the next quote literal; in double quotes also the next backslash. */
function readString(reader: Reader): string {
  const start = reader.at
  const mark = expect(reader, /["']/y, 'a text in quotes')
  const quoted = read(reader, mark === '"' ? /(?:[^"\\]|\\.)*"/sy : /(?:[^'\\]|\\.)*'/sy)
  if (quoted) return quoted.slice(0, -1).replace(mark === '"' ? /\\(["'\\])/g : /\\(["'])/g, '$1')
  reader.at = start
  throw wrong(reader, `a closing ${mark} ; a ${mark} inside is written \\${mark}`)
}

const skipBlanks = (reader: Reader): string => read(reader, /\s*/y)

/** Consumes the match of a sticky pattern at the current position. Returns '' if it does not match. */
function read(reader: Reader, pattern: RegExp): string {
  const found = peek(reader, pattern)
  reader.at += found.length
  return found
}

function peek(reader: Reader, pattern: RegExp): string {
  pattern.lastIndex = reader.at
  return pattern.exec(reader.text)?.[0] ?? ''
}

function expect(reader: Reader, pattern: RegExp, expected: string): string {
  const found = read(reader, pattern)
  if (!found) throw wrong(reader, expected)
  return found
}

function wrong({ text, at }: Reader, expected: string): Fault {
  const rest = text.slice(at, at + 20)
  const found = rest ? JSON.stringify(text.length > at + 20 ? `${rest}…` : rest) : 'the end'
  return new Fault('BadRequest', `selector, column ${at + 1}: expected ${expected}; found ${found}`, {
    selector: text,
    column: at + 1,
  })
}
