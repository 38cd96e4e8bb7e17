import { useMemo } from 'preact/hooks'
import type { EvaluationReport, ReportAxis, ReportGroup } from '../../model/report.ts'
import { pointsText } from '../../model/report-words.ts'
import { stepsDistribution } from '../../model/steps-distribution.ts'
import { FailureCounts } from './failure-counts.tsx'
import { ShareChart } from './share-chart.tsx'
import { StepsChart } from './steps-chart.tsx'

interface ChartsProps {
  readonly report: EvaluationReport
  /** The category of failures that the matrix keeps; empty for all. */
  readonly category: string
  readonly onCategory: (category: string) => void
}

/** Failures by category, success by tag, difficulty and variant, and the distribution of steps. */
export function Charts({ report, category, onCategory }: ChartsProps) {
  const { comparison, tags, difficulties, axes } = report
  return (
    <div class="charts">
      <FailureCounts report={report} chosen={category} onChoose={onCategory} />
      <Groups title="Success by difficulty" groups={difficulties} others={comparison?.other.difficulties} />
      <Groups title="Success by tag" groups={tags} others={comparison?.other.tags} />
      <Variants title={comparison ? 'Success of A in variants' : 'Success in variants'} axes={axes} />
      {comparison && <Variants title="Success of B in variants" axes={comparison.other.axes} />}
      <Distribution report={report} />
    </div>
  )
}

/** Success with one value of a variant axis, beside other variants of the same instances. */
const Variants = ({ title, axes }: { readonly title: string; readonly axes: readonly ReportAxis[] }) =>
  axes.length === 0 ? null : (
    <ShareChart
      title={title}
      besideLabel="with another value"
      lines={axes.map(({ axis, value, success, without, change, low, high }) => ({
        name: `${axis}=${value}`,
        share: success,
        beside: without,
        note: `${pointsText(change)} (${pointsText(low)} to ${pointsText(high)})`,
      }))}
    />
  )

interface GroupsProps {
  readonly title: string
  readonly groups: readonly ReportGroup[]
  readonly others: readonly ReportGroup[] | undefined
}

function Groups({ title, groups, others }: GroupsProps) {
  if (groups.length === 0) return null
  return (
    <ShareChart
      title={title}
      {...(others && { besideLabel: 'B' })}
      lines={groups.map(({ name, success }) => ({
        name,
        share: success,
        beside: others?.find((other) => other.name === name)?.success,
      }))}
    />
  )
}

function Distribution({ report: { episodes, comparison } }: { readonly report: EvaluationReport }) {
  const a = useMemo(() => stepsDistribution(episodes), [episodes])
  const b = useMemo(() => comparison && stepsDistribution(comparison.other.episodes), [comparison])
  return a.length === 0 && (b?.length ?? 0) === 0 ? null : <StepsChart a={a} b={b} />
}
