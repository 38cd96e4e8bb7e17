import { createHash } from 'node:crypto'
import { Fault } from '../../../base/fault.ts'
import { editsBetween } from '../../../base/text/suggest.ts'
import { type Rect, unite } from '../../../desktop/model/geometry.ts'
import type { Word } from '../../../perception/perception.ts'

/** Text that was read off a picture, row by row, and the search in it. */

/** One stretch of text with its box (WindieOS document, "ocr/run"). */
export interface OcrRow {
  readonly id: string
  readonly text: string
  /** 0 to 1. */
  readonly confidence: number
  readonly bbox: Rect
  readonly center: { readonly x: number; readonly y: number }
  /** Follows from the text and its place, so that it names the same row in the same picture for ever. */
  readonly candidate_id: string
  /** How like a query it is, 0 to 1; null when nothing was searched for. */
  readonly score: number | null
}

/** A gap between words wider than this share of their height begins another row. */
const MAX_GAP = 1

/** Words put together to rows, in reading order. */
export function toOcrRows(words: readonly Word[]): readonly OcrRow[] {
  const runs: Word[] = []
  const lines = new Map<string, Word[]>()
  for (const word of words) {
    const key = `${word.block}/${word.line}`
    lines.set(key, [...(lines.get(key) ?? []), word])
  }
  for (const line of lines.values()) runs.push(...joined(line.toSorted((one, other) => one.bounds.x - other.bounds.x)))
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

function joined(line: readonly Word[]): readonly Word[] {
  const runs: Word[] = []
  for (const word of line) {
    const last = runs.at(-1)
    const gap = last ? word.bounds.x - last.bounds.x - last.bounds.width : Number.POSITIVE_INFINITY
    if (!last || gap > MAX_GAP * Math.max(last.bounds.height, word.bounds.height)) runs.push(word)
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

/** Text as it is compared: the case of letters and the number of blanks do not matter. */
const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim()

const MAX_COMPARED = 300

/** How alike two texts are: 1 when they are the same, less by the share of characters that would have to change. */
export function textSimilarity(one: string, other: string): number {
  const [a, b] = [plain(one).slice(0, MAX_COMPARED), plain(other).slice(0, MAX_COMPARED)]
  const longest = Math.max(a.length, b.length)
  return longest === 0 ? 1 : 1 - editsBetween(a, b, longest) / longest
}

/** All rows with their likeness to a query, the best first; of equal ones the first in reading order. */
export const rankBySimilarity = (
  rows: readonly OcrRow[],
  query: string,
): readonly (OcrRow & { readonly score: number })[] =>
  rows
    .map((row) => ({ ...row, score: Math.round(textSimilarity(row.text, query) * 1000) / 1000 }))
    .toSorted((one, other) => other.score - one.score)

/** The row a query means. Throws when none is like it enough, or when several are equally like it. */
export function resolveText(rows: readonly OcrRow[], query: string, threshold: number): OcrRow {
  const matches = rankBySimilarity(rows, query).filter(({ score }) => score >= threshold)
  const [best, second] = matches
  if (!best) {
    const candidates = rankBySimilarity(rows, query).slice(0, 5)
    throw missing(`no text like ${JSON.stringify(query)} is in the picture`, candidates)
  }
  if (best.score !== second?.score) return best
  const equal = matches.filter(({ score }) => score === best.score)
  const message = `${equal.length} texts are equally like ${JSON.stringify(query)}; choose one by its candidate_id`
  throw new Fault('Conflict', message, { detail: { message, resolver_payload: { candidates: equal } } })
}

/** The row with an id. Throws when it is not in the picture. */
export function findCandidate(rows: readonly OcrRow[], id: string): OcrRow {
  const row = rows.find(({ candidate_id }) => candidate_id === id)
  if (row) return row
  throw missing(`no text with the candidate_id ${JSON.stringify(id)} is in the picture`, [])
}

function missing(message: string, candidates: readonly OcrRow[]): Fault {
  return new Fault('ElementNotFound', message, {
    detail: candidates.length === 0 ? message : { message, resolver_payload: { candidates } },
  })
}
