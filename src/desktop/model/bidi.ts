import bidiFactory, { type Bidi } from 'bidi-js'

export type Direction = 'ltr' | 'rtl'

/** A part of a line whose letters go in one direction, as a range of UTF-16 offsets. */
export interface DirectionRun {
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
