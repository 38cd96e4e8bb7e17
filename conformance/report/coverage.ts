import type { Outcome } from '../run.ts'
import { type Mark, markOf, type Verdict } from '../verdict.ts'

/** One item of the document with all that was found about it. */
export interface Cell {
  readonly item: string
  readonly title: string
  /** The worst of its requirements; `empty` when none was tried. */
  readonly mark: Mark | 'empty'
  readonly verdicts: readonly Verdict[]
}

/** From worst to best. */
const SEVERITY: readonly Mark[] = ['failed', 'harness', 'warned', 'accepted', 'noted', 'passed', 'unchecked']

export const worst = (marks: readonly Mark[]): Mark | 'empty' =>
  SEVERITY.find((mark) => marks.includes(mark)) ?? 'empty'

/** The coverage matrix: every endpoint, message, event, code, limit and rule of the document. */
export function coverage(outcome: Outcome): readonly Cell[] {
  return Object.entries(outcome.set.items).map(([item, title]) => {
    const verdicts = outcome.verdicts.filter((verdict) => verdict.covers.includes(item))
    return { item, title, verdicts, mark: worst(verdicts.map(markOf)) }
  })
}

/** How many items have a requirement that was tried and passed, and how many there are. */
export function covered(cells: readonly Cell[]): { readonly tried: number; readonly all: number } {
  return { tried: cells.filter((cell) => cell.mark !== 'empty').length, all: cells.length }
}
