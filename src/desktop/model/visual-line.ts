import { type Direction, type DirectionRun, directionOf, directionRuns } from './bidi.ts'

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
