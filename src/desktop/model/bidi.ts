import type { Bidi } from 'bidi-js'
import bidiFactory from 'bidi-js'

export type Direction = 'ltr' | 'rtl'

/** A part of a line whose letters go in one direction, as a range of UTF-16 offsets. */
interface DirectionRun {
  readonly from: number
  readonly to: number
  readonly direction: Direction
}

/** Letters of right-to-left scripts, and the mark of that direction. Most texts have none. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10cff}\u{10e60}-\u{10fff}\u{1e800}-\u{1efff}]/u
const FIRST_STRONG = /[\p{L}\u200e\u200f]/u
/** A file name without blanks, which is written from left to right in every script. */
const FILE_NAME = /^\S+\.[A-Za-z0-9]{1,5}$/

/** Whether a text contains letters of a right-to-left script. */
export const hasRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text)

/** The direction of a line: that of its first letter. Lines without letters and file names go from left to right. */
export function directionOf(text: string): Direction {
  if (!hasRightToLeft(text) || FILE_NAME.test(text)) return 'ltr'
  const first = FIRST_STRONG.exec(text)?.[0]
  return first !== undefined && hasRightToLeft(first) ? 'rtl' : 'ltr'
}

// The package exports the function itself; its types describe a default export.
const createEngine = bidiFactory as unknown as () => Bidi
let engine: Bidi | undefined

/** The parts of a line from left to right, by the Unicode bidirectional algorithm (UAX #9). */
export function directionRuns(text: string, direction: Direction = directionOf(text)): readonly DirectionRun[] {
  if (text === '') return []
  if (direction === 'ltr' && !hasRightToLeft(text)) return [{ from: 0, to: text.length, direction: 'ltr' }]
  engine ??= createEngine()
  const { levels } = engine.getEmbeddingLevels(text, direction)
  // Blanks at the end of a line are in its direction (rule L1).
  levels.fill(direction === 'rtl' ? 1 : 0, text.trimEnd().length)
  const runs: { from: number; to: number; level: number }[] = []
  for (let at = 0; at < text.length; at++) {
    const last = runs.at(-1)
    if (last && last.level === levels[at]) last.to = at + 1
    else runs.push({ from: at, to: at + 1, level: levels[at]! })
  }
  return inVisualOrder(runs).map(({ from, to, level }) => ({ from, to, direction: level % 2 === 1 ? 'rtl' : 'ltr' }))
}

/** Reverses the runs of each level and above, from the highest level to the lowest odd one (rule L2). */
function inVisualOrder<T extends { readonly level: number }>(runs: readonly T[]): readonly T[] {
  const ordered = [...runs]
  for (let level = Math.max(...runs.map((run) => run.level)); level > 0; level--)
    for (let start = 0; start < ordered.length; start++) {
      if (ordered[start]!.level < level) continue
      let end = start
      while (end < ordered.length && ordered[end]!.level >= level) end++
      const reversed = ordered.slice(start, end).reverse()
      ordered.splice(start, reversed.length, ...reversed)
      start = end
    }
  return ordered
}

/** Distances from the left end of a line, in pixels. */
export interface LineSpan {
  readonly left: number
  readonly right: number
}

/**
 * A line of text with its letters in visual order, for carets, selections and hits. `measure` is the width of a part of
 * the line in pixels; the model and paint differ only in it.
 */
export interface VisualLine {
  readonly width: number
  /** The left edge of the caret before the character at an offset. */
  readonly caretAt: (offset: number) => number
  /** The parts of the line that a range of offsets covers, from left to right. */
  readonly spansOf: (from: number, to: number) => readonly LineSpan[]
  /** The offset nearest to a distance from the left end. It may be inside a character of several units. */
  readonly offsetAt: (across: number) => number
}

/** The smallest span around a range of offsets of a line. */
export function spanAround(line: VisualLine, from: number, to: number): LineSpan {
  const spans = line.spansOf(from, to)
  return { left: Math.min(...spans.map(({ left }) => left)), right: Math.max(...spans.map(({ right }) => right)) }
}

interface PlacedRun extends DirectionRun, LineSpan {}

/** Places the characters of a line. `direction` is that of its paragraph. */
export function visualLine(
  text: string,
  measure: (part: string) => number,
  direction: Direction = directionOf(text),
): VisualLine {
  let width = 0
  const runs = directionRuns(text, direction).map((run): PlacedRun => {
    const left = width
    width += measure(text.slice(run.from, run.to))
    return { ...run, left, right: width }
  })
  const placeIn = (run: PlacedRun, offset: number): number => {
    const before = measure(text.slice(run.from, offset))
    return run.direction === 'ltr' ? run.left + before : run.right - before
  }
  return {
    width,
    caretAt: (offset) => {
      if (runs.length === 0) return 0
      const run = runs.find(({ from, to }) => offset >= from && offset < to)
      if (run) return placeIn(run, offset)
      return placeIn(
        runs.reduce((last, each) => (each.to > last.to ? each : last)),
        text.length,
      )
    },
    spansOf: (from, to) =>
      runs.flatMap((run) => {
        const [start, end] = [Math.max(from, run.from), Math.min(to, run.to)]
        if (start >= end) return []
        const [one, other] = [placeIn(run, start), placeIn(run, end)]
        return [{ left: Math.min(one, other), right: Math.max(one, other) }]
      }),
    offsetAt: (across) => {
      const run = runs.find(({ right }) => across < right) ?? runs.at(-1)
      return run ? nearestIn(text, run, across, measure) : 0
    },
  }
}

function nearestIn(text: string, run: PlacedRun, across: number, measure: (part: string) => number): number {
  const distance = run.direction === 'ltr' ? across - run.left : run.right - across
  let [low, high] = [run.from, run.to]
  while (low < high) {
    const middle = (low + high) >> 1
    // A point before the middle of a letter is its start, otherwise its end.
    const edges = measure(text.slice(run.from, middle)) + measure(text.slice(run.from, middle + 1))
    if (edges / 2 < distance) low = middle + 1
    else high = middle
  }
  return low
}
