import type { CertificationResult } from '../run/outcome.ts'
import { type Mark, markOf, type RequirementResult } from '../run/results.ts'

/** One item of the document with all that was found about it. */
export interface CoverageCell {
  readonly item: string
  readonly title: string
  /** The worst of its requirements; `empty` when none was tried. */
  readonly mark: Mark | 'empty'
  readonly results: readonly RequirementResult[]
}

/** All marks, from worst to best. */
export const SEVERITY: readonly Mark[] = [
  'failed',
  'unsteady',
  'harness',
  'warned',
  'accepted',
  'noted',
  'unjudged',
  'passed',
  'unchecked',
]

export const findWorstMark = (marks: readonly Mark[]): Mark | 'empty' =>
  SEVERITY.find((mark) => marks.includes(mark)) ?? 'empty'

/** The coverage matrix: every endpoint, message, event, code, limit and rule of the document. */
export function createCoverageMatrix(outcome: CertificationResult): readonly CoverageCell[] {
  return Object.entries(outcome.set.items).map(([item, title]) => {
    const results = outcome.results.filter((result) => result.covers.includes(item))
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
  `${tried} of ${all} items tried${uncheckable > 0 ? `, ${uncheckable} ${isClient ? 'not reached by the client' : 'cannot be checked from outside'}` : ''}`
