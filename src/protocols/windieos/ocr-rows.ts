import { createHash } from 'node:crypto'
import { Fault } from '../../base/fault.ts'
import { editsBetween } from '../../base/strings.ts'
import { type Rect, unite } from '../../desktop/model/geometry.ts'
import type { Word } from '../../perception/perception.ts'

/** Rows of recognised text, and the search in them. */

/** A row of text with its bounding box (WindieOS document, "ocr/run"). */
export interface OcrRow {
  readonly id: string
  readonly text: string
  /** 0 to 1. */
  readonly confidence: number
  readonly bbox: Rect
  readonly center: { readonly x: number; readonly y: number }
  /** Derived from text and position, so that it always identifies the same row of the same picture. */
  readonly candidate_id: string
  /** The similarity to the query, 0 to 1. Null without a query. */
  readonly score: number | null
}

/** A wider gap between words, relative to their height, starts a new row. */
const MAX_GAP_RATIO = 1

/** Groups words into rows, in reading order. */
export function toOcrRows(words: readonly Word[]): readonly OcrRow[] {
  const runs: Word[] = []
  const lines = new Map<string, Word[]>()
  for (const word of words) {
    const key = `${word.block}/${word.line}`
    lines.set(key, [...(lines.get(key) ?? []), word])
  }
  for (const line of lines.values())
    runs.push(...joinWords(line.toSorted((one, other) => one.bounds.x - other.bounds.x)))
  return runs
    .toSorted((one, other) => one.bounds.y - other.bounds.y || one.bounds.x - other.bounds.x)
    .map(({ text, bounds, confidence }, index) => ({
      id: String(index),
      text,
      confidence: confidence / 100,
      bbox: bounds,
      center: { x: Math.round(bounds.x + bounds.width / 2), y: Math.round(bounds.y + bounds.height / 2) },
      candidate_id: candidateId(text, bounds),
      score: null,
    }))
}

function joinWords(line: readonly Word[]): readonly Word[] {
  const runs: Word[] = []
  for (const word of line) {
    const last = runs.at(-1)
    const gap = last ? word.bounds.x - last.bounds.x - last.bounds.width : Number.POSITIVE_INFINITY
    if (!last || gap > MAX_GAP_RATIO * Math.max(last.bounds.height, word.bounds.height)) runs.push(word)
    else
      runs[runs.length - 1] = {
        ...last,
        text: `${last.text} ${word.text}`,
        bounds: unite(last.bounds, word.bounds),
        confidence: Math.min(last.confidence, word.confidence),
      }
  }
  return runs
}

const candidateId = (text: string, { x, y, width, height }: Rect): string =>
  `ocr_${createHash('sha256').update(`${text}\n${x},${y},${width},${height}`).digest('hex').slice(0, 12)}`

/** Normalises case and whitespace for comparison. */
const normalise = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim()

const MAX_COMPARED_LENGTH = 300

/** The similarity of two texts: 1 minus the share of characters to change. */
export function textSimilarity(one: string, other: string): number {
  const [a, b] = [normalise(one).slice(0, MAX_COMPARED_LENGTH), normalise(other).slice(0, MAX_COMPARED_LENGTH)]
  const longest = Math.max(a.length, b.length)
  return longest === 0 ? 1 : 1 - editsBetween(a, b, longest) / longest
}

/** All rows with their similarity to a query, best first. Equal scores keep the reading order. */
export const rankBySimilarity = (
  rows: readonly OcrRow[],
  query: string,
): readonly (OcrRow & { readonly score: number })[] =>
  rows
    .map((row) => ({ ...row, score: Math.round(textSimilarity(row.text, query) * 1000) / 1000 }))
    .toSorted((one, other) => other.score - one.score)

/** The best match of a query. Throws if no row reaches the threshold, or if several have the best score. */
export function resolveText(rows: readonly OcrRow[], query: string, threshold: number): OcrRow {
  const matches = rankBySimilarity(rows, query).filter(({ score }) => score >= threshold)
  const [best, second] = matches
  if (!best) {
    const candidates = rankBySimilarity(rows, query).slice(0, 5)
    throw missing(`the picture has no text similar to ${JSON.stringify(query)}`, candidates)
  }
  if (best.score !== second?.score) return best
  const equal = matches.filter(({ score }) => score === best.score)
  const message = `${equal.length} texts are equally similar to ${JSON.stringify(query)}; choose one by its candidate_id`
  throw new Fault('Conflict', message, { detail: { message, resolver_payload: { candidates: equal } } })
}

/** The row with an id. Throws if the picture has none. */
export function findCandidate(rows: readonly OcrRow[], id: string): OcrRow {
  const row = rows.find(({ candidate_id }) => candidate_id === id)
  if (row) return row
  throw missing(`the picture has no text with the candidate_id ${JSON.stringify(id)}`, [])
}

function missing(message: string, candidates: readonly OcrRow[]): Fault {
  return new Fault('ElementNotFound', message, {
    detail: candidates.length === 0 ? message : { message, resolver_payload: { candidates } },
  })
}
