import type { EvaluationReport, ReportComparison, ReportFlip } from '../../viewer/model/report.ts'
import { compareResults, type EvaluationComparison, type Flip } from '../compare/compare.ts'
import { type RecordingAddress, type ReportSource, reportOf, reportResult } from './report-result.ts'

/** Calls of a trace may be long; the page shows their beginning. */
const MAX_SHOWN_CALL = 300

/** The document of the report page on one evaluation beside a second one. The traces of flips are not replayed. */
export async function comparedReport(
  source: ReportSource,
  recordingOf: RecordingAddress,
  other: { readonly source: ReportSource; readonly recordingOf: RecordingAddress },
  recordingOfBoth: (episode: string) => string | undefined = () => undefined,
): Promise<EvaluationReport> {
  const isReplayed = false
  const compared = await compareResults(source, other.source, () => {}, isReplayed)
  const comparison = comparisonOf(compared)
  const flips = comparison.flips.map((flip): ReportFlip => {
    // Without a divergence, one of the traces is missing.
    const recording = flip.divergence && recordingOfBoth(flip.episode)
    return { ...flip, ...(recording !== undefined && { recording }) }
  })
  return {
    ...reportOf(source, recordingOf),
    comparison: { other: reportResult(other.source, other.recordingOf), ...comparison, flips },
  }
}

const comparisonOf = ({
  omitted,
  episodes,
  units,
  tasks,
  success,
  score,
  steps,
  flips,
}: EvaluationComparison): Omit<ReportComparison, 'other'> => ({
  omitted,
  episodes,
  units,
  tasks,
  success,
  score,
  steps,
  flips: flips.map(flipOf),
})

const beginning = (text: string): string => (text.length > MAX_SHOWN_CALL ? `${text.slice(0, MAX_SHOWN_CALL)}…` : text)

function flipOf({ episode, solvedBy, failure, divergence }: Flip): ReportFlip {
  const flip = { episode, solvedBy, failure }
  if (!divergence) return flip
  if (divergence.first === 'none' || divergence.first === 'unknown') return { ...flip, divergence }
  return { ...flip, divergence: { ...divergence, a: beginning(divergence.a), b: beginning(divergence.b) } }
}
