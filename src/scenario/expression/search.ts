import { Fault } from '../../base/fault.ts'
import { type EvaluationBudget, spendSteps } from './budget.ts'
import { fromCel } from './cel-value.ts'
import { textOfValue } from './data-type.ts'
import { parseDate } from './formats.ts'

/** A word or phrase that must occur, or a limit of the date. */
type SearchTerm =
  | {
      readonly kind: 'text'
      readonly text: string
      /** The only field in which it may occur; any by default. */
      readonly field?: string
      /** Whether a word must end where it ends. */
      readonly isWhole: boolean
    }
  | { readonly kind: 'before' | 'after'; readonly atMs: number }

/** The fields that a search looks at, and the one with the date of a record. */
interface SearchFields {
  readonly fields: readonly string[]
  readonly date?: string | undefined
}

const MAX_TERMS = 50

/** Letters that NFKD does not take apart. */
const LETTERS: Readonly<Record<string, string>> = { æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th' }

/** A text without case, diacritics and repeated blanks. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/[æœøłđðþ]/g, (letter) => LETTERS[letter]!)
    .replace(/\s+/g, ' ')
    .trim()

/** A prefix such as `from:` or none, and a phrase in quotes or a word. */
const TERM = /([\p{L}\p{N}_]+):(?=\s|$)|(?:([\p{L}\p{N}_]+):)?(?:"([^"]*)("|$)|([^\s"]+))/gu

/** Reads what a user typed. Words that are no prefixes of fields or dates stand for themselves. */
export function parseSearch(query: string, { fields, date }: SearchFields): readonly SearchTerm[] {
  const terms: SearchTerm[] = []
  for (const [whole, empty, prefix = '', phrase, end, word = ''] of query.matchAll(TERM)) {
    const field = fields.find((each) => each.toLowerCase() === (empty ?? prefix).toLowerCase())
    // A prefix that the user has only begun to use asks for nothing yet.
    if (empty !== undefined && field !== undefined) continue
    const kind = prefix.toLowerCase()
    const atMs = date !== undefined && (kind === 'before' || kind === 'after') ? timeOf(phrase ?? word) : undefined
    if ((kind === 'before' || kind === 'after') && atMs !== undefined) terms.push({ kind, atMs })
    else {
      const text = foldText(field === undefined && phrase === undefined ? whole : (phrase ?? word))
      const isWhole = phrase !== undefined && end === '"'
      if (text !== '') terms.push({ kind: 'text', text, isWhole, ...(field !== undefined && { field }) })
    }
    if (terms.length > MAX_TERMS) throw new Fault('BadRequest', `a search has at most ${MAX_TERMS} words`)
  }
  return terms
}

function timeOf(text: string): number | undefined {
  try {
    return parseDate(text).getTime()
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

/** Scripts without blanks between words. */
const INSIDE_WORD = /(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}]/u

const isInsideWord = (character: string | undefined): boolean => character !== undefined && INSIDE_WORD.test(character)

/** Whether a folded text has a term at the start of a word. */
function occursIn(text: string, term: string, isWhole: boolean): boolean {
  const [startsWord, endsWord] = [isInsideWord(term[0]), isWhole && isInsideWord(term.at(-1))]
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    if (startsWord && isInsideWord(text[at - 1])) continue
    if (!endsWord || !isInsideWord(text[at + term.length])) return true
  }
  return false
}

/** The folded texts of records by field, computed once for each record. */
const foldedTexts = new WeakMap<object, Map<string, string>>()

function foldedField(record: object, field: string): string {
  const known = foldedTexts.get(record) ?? new Map<string, string>()
  foldedTexts.set(record, known)
  const text = known.get(field) ?? foldText(textOfField(record, field))
  known.set(field, text)
  return text
}

function textOfField(record: object, field: string): string {
  const value = record instanceof Map ? record.get(field) : (record as Readonly<Record<string, unknown>>)[field]
  if (Array.isArray(value)) return value.map((each) => textOfValue(fromCel(each))).join('\n')
  return value === undefined || value === null ? '' : textOfValue(fromCel(value))
}

function hasTerm(record: object, term: SearchTerm, { fields, date }: SearchFields): boolean {
  if (term.kind === 'text')
    return (term.field === undefined ? fields : [term.field]).some((field) =>
      occursIn(foldedField(record, field), term.text, term.isWhole),
    )
  const atMs = timeOf(textOfField(record, date!))
  return atMs !== undefined && (term.kind === 'before' ? atMs < term.atMs : atMs >= term.atMs)
}

/** Results for what lists were searched for last, newest first. */
const results = new WeakMap<object, { readonly key: string; readonly found: readonly unknown[] }[]>()
const MAX_RESULTS = 8

/**
 * The records in which all words of a query occur, in their order. Spends a step for each record and word, whether or not the
 * result is known.
 */
export function searchRecords(
  budget: EvaluationBudget,
  records: readonly unknown[],
  query: string,
  where: SearchFields,
): readonly unknown[] {
  const terms = parseSearch(query, where)
  if (terms.length === 0) return records
  spendSteps(budget, records.length * terms.length)
  const key = JSON.stringify([terms, where])
  const known = results.get(records) ?? []
  const index = known.findIndex((each) => each.key === key)
  const result =
    index < 0
      ? {
          key,
          found: records.filter(
            (record) =>
              typeof record === 'object' && record !== null && terms.every((term) => hasTerm(record, term, where)),
          ),
        }
      : known.splice(index, 1)[0]!
  known.unshift(result)
  known.splice(MAX_RESULTS)
  results.set(records, known)
  return result.found
}

/** Whether all words of a query occur in a text. */
export function hasWords(text: string, query: string): boolean {
  const folded = foldText(text)
  return parseSearch(query, { fields: [] }).every(
    (term) => term.kind === 'text' && occursIn(folded, term.text, term.isWhole),
  )
}
