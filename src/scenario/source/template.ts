import { LruCache } from '../../base/lru-cache.ts'
import type { FilePlace, Report } from './source-node.ts'

/** A part of a text: literal, or an expression in `{{ … }}` with its offset in the text. */
export type Segment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'expression'; readonly text: string; readonly start: number }

/** Why a text is not a template, and where. */
export interface TemplateProblem {
  readonly message: string
  readonly start: number
}

const OPEN = '{{'
const CLOSE = '}}'

const MAX_SPLIT_CHARACTERS = 500_000
const splitTexts = new LruCache<
  string,
  { readonly parts: readonly Segment[] | TemplateProblem; readonly weight: number }
>(MAX_SPLIT_CHARACTERS, ({ weight }) => weight)

/** Splits a text at its `{{ … }}`. A brace or a quote inside an expression does not end it. Texts split last are kept. */
export function splitTemplate(text: string): readonly Segment[] | TemplateProblem {
  const known = splitTexts.get(text) ?? splitTexts.keep(text, { parts: split(text), weight: text.length + 50 })
  return known.parts
}

function split(text: string): readonly Segment[] | TemplateProblem {
  const segments: Segment[] = []
  let done = 0
  for (let open = text.indexOf(OPEN); open >= 0; open = text.indexOf(OPEN, done)) {
    const close = endOfExpression(text, open + OPEN.length)
    if (close === undefined) return { message: '{{ is not closed with }}', start: open }
    const expression = text.slice(open + OPEN.length, close)
    if (expression.trim() === '') return { message: 'expected an expression between {{ and }}', start: open }
    if (open > done) segments.push({ kind: 'literal', text: text.slice(done, open) })
    segments.push({ kind: 'expression', text: expression, start: open + OPEN.length })
    done = close + CLOSE.length
  }
  if (done < text.length || segments.length === 0) segments.push({ kind: 'literal', text: text.slice(done) })
  return segments
}

function endOfExpression(text: string, from: number): number | undefined {
  let depth = 0
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const character = text[at]!
    if (quote !== '') {
      if (character === '\\') at++
      else if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '{') depth++
    else if (character === '}' && depth > 0) depth--
    else if (text.startsWith(CLOSE, at)) return at
  }
  return undefined
}

/** The expression that a valid template stands for: its own one, or one that joins its parts. */
export function templateExpression(text: string): string {
  const segments = splitTemplate(text)
  if ('message' in segments) return JSON.stringify(text)
  const [only] = segments
  if (segments.length === 1 && only?.kind === 'expression') return only.text.trim()
  return segments
    .map((segment) => (segment.kind === 'literal' ? JSON.stringify(segment.text) : `text(${segment.text.trim()})`))
    .join(' + ')
}

/** The longest text that templates make, and all of them together. */
export const MAX_FILLED_CHARACTERS = 200_000
const MAX_ALL_CHARACTERS = 8_000_000
const MAX_VALUES = 500_000

/** What a scenario may still grow by while it is composed. */
export interface ExpansionBudget {
  values: number
  characters: number
  readonly maxValues: number
  /** Whether a limit was exceeded and reported. Nothing is expanded from then on. */
  isSpent: boolean
}

/** The budget of one scenario. */
export const startExpansion = (maxValues = MAX_VALUES): ExpansionBudget => ({
  values: 0,
  characters: 0,
  maxValues,
  isSpent: false,
})

/** Counts values and characters before they are made. Reports the first that exceed a limit, and returns false from then on. */
export function spend(
  budget: ExpansionBudget,
  { values = 0, characters = 0 }: { readonly values?: number; readonly characters?: number },
  place: FilePlace,
  report: Report,
): boolean {
  if (budget.isSpent) return false
  budget.values += values
  budget.characters += characters
  const excess = excessOf(budget, characters)
  if (excess === undefined) return true
  budget.isSpent = true
  report(place, excess)
  return false
}

function excessOf(budget: ExpansionBudget, length: number): string | undefined {
  if (length > MAX_FILLED_CHARACTERS)
    return `the template makes a text of ${length} characters; at most ${MAX_FILLED_CHARACTERS} are allowed`
  if (budget.characters > MAX_ALL_CHARACTERS)
    return `the texts that templates make grow beyond ${MAX_ALL_CHARACTERS} characters`
  return budget.values > budget.maxValues ? `the scenario grows beyond ${budget.maxValues} values` : undefined
}
