import type { CertificationResult } from '../run/outcome.ts'
import { markOf, RESULT_MARKS, type RequirementResult, type ResultMark, troublesOf } from '../suite/results.ts'
import { callsOf } from './causes.ts'

/** One item of the document with all that was found about it. */
export interface CoverageCell {
  readonly item: string
  readonly title: string
  /** The worst of its requirements, and of the failures that name it; `empty` when there is none. */
  readonly mark: ResultMark | 'empty'
  readonly results: readonly RequirementResult[]
}

/** An item with a requirement that passed was tried, even if another of its requirements is not judged. */
const CELL_ORDER: readonly ResultMark[] = [
  ...RESULT_MARKS.filter((mark) => mark !== 'unjudged' && mark !== 'unchecked'),
  'unjudged',
  'unchecked',
]

const findWorstMark = (marks: readonly ResultMark[]): ResultMark | 'empty' =>
  CELL_ORDER.find((mark) => marks.includes(mark)) ?? 'empty'

/** The coverage matrix: every endpoint, message, event, code, limit and rule of the document. */
export function createCoverageMatrix(outcome: CertificationResult): readonly CoverageCell[] {
  const troubles = troublesOf(outcome.results)
  return Object.entries(outcome.set.items).map(([item, title]) => {
    const own = outcome.results.filter((result) => result.covers.includes(item))
    const others = troubles.filter(
      (result) =>
        !own.includes(result) && callsOf(result).some((call) => title === call || title.startsWith(`${call} `)),
    )
    const results = [...own, ...others]
    return { item, title, results, mark: findWorstMark(results.map(markOf)) }
  })
}

/** How the items of a document were covered, in counts. */
export interface CoverageCounts {
  /** Items with a requirement that was tried. */
  readonly tried: number
  /** Items whose requirements no check can prove from outside. */
  readonly uncheckable: number
  readonly all: number
}

export function countCoverage(cells: readonly CoverageCell[]): CoverageCounts {
  const uncheckable = cells.filter((cell) => cell.mark === 'unchecked').length
  const empty = cells.filter((cell) => cell.mark === 'empty' || cell.mark === 'unjudged').length
  return { tried: cells.length - uncheckable - empty, uncheckable, all: cells.length }
}

/** The same in words. */
export const describeCoverage = ({ tried, uncheckable, all }: CoverageCounts, isClient = false): string =>
  `${tried} of ${all} items of the document tried${uncheckable > 0 ? `, ${uncheckable} ${isClient ? 'not reached by the client' : 'not checked'}` : ''}`
