import { useId, useMemo, useState } from 'preact/hooks'
import type { EvaluationReport, ReportAxis, ReportGroup, ReportShare } from '../../model/report.ts'
import { type StepsBin, stepsDistribution } from '../../model/report-matrix.ts'
import { categoryText, countText, intervalText, percentText, pointsText } from '../../model/report-words.ts'
import { Panel } from '../ui/panel.tsx'

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

interface FailureCountsProps {
  readonly report: EvaluationReport
  /** The category that the matrix keeps; empty for all. */
  readonly chosen: string
  readonly onChoose: (category: string) => void
}

/** The number of failures in each category. A click keeps its episodes in the matrix. */
function FailureCounts({ report: { total, comparison }, chosen, onChoose }: FailureCountsProps) {
  const others = comparison?.other.total.failures ?? {}
  const names = [...new Set([...Object.keys(total.failures), ...Object.keys(others)])]
  const countOf = (name: string) => total.failures[name] ?? 0
  names.sort((a, b) => countOf(b) - countOf(a) || (a < b ? -1 : 1))
  const most = Math.max(1, ...names.map((name) => Math.max(countOf(name), others[name] ?? 0)))
  const bar = (count: number, kind: string) => (
    <svg class="share-bar" width="100%" height={comparison ? 8 : 12} aria-hidden="true">
      <rect class={kind} width={`${(100 * count) / most}%`} height="100%" rx="2" />
    </svg>
  )
  return (
    <Panel title="Failures" class="chart" note={comparison && 'A above B'}>
      {names.length === 0 ? (
        <p class="empty">No episode failed.</p>
      ) : (
        <ul class="bars failures">
          {names.map((name) => (
            <li key={name}>
              <button
                type="button"
                aria-pressed={chosen === name}
                title="Keep these episodes in the matrix"
                onClick={() => onChoose(name)}
              >
                {categoryText(name)}
              </button>
              <span>
                {bar(countOf(name), comparison ? 'a' : 'bad-bar')}
                {comparison && bar(others[name] ?? 0, 'b')}
              </span>
              <span class="value">
                {countText(countOf(name))}
                {comparison && ` / ${countText(others[name] ?? 0)}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** A share with its name, and another share that it is seen beside. */
export interface ShareLine {
  readonly name: string
  readonly share: ReportShare
  /** Drawn as a mark, such as the share without the variant, or that of the second result. */
  readonly beside?: ReportShare | undefined
  /** After the share, such as the change. */
  readonly note?: string
}

interface ShareChartProps {
  readonly title: string
  /** What the mark of `beside` means. */
  readonly besideLabel?: string
  readonly lines: readonly ShareLine[]
}

const HEIGHT = 18
/** Lines that are drawn before the user asks for all. */
const LISTED = 16
/** A dash without episodes. */
const shareText = ({ of, rate }: Pick<ReportShare, 'of' | 'rate'>): string => (of === 0 ? '–' : percentText(rate))

const percent = (rate: number): string => `${(rate * 100).toFixed(2)}%`

/** Shares as bars with their intervals of 95 %, one per line, and as a table. */
function ShareChart({ title, besideLabel, lines }: ShareChartProps) {
  const [isWhole, setWhole] = useState(lines.length <= LISTED)
  const drawn = isWhole ? lines : lines.slice(0, LISTED)
  return (
    <Panel title={title} class="chart" note={besideLabel && <BesideKey label={besideLabel} />}>
      <ul class="bars">
        {drawn.map(({ name, share, beside, note }) => (
          <li key={name}>
            <span class="clip" title={name}>
              {name}
            </span>
            <ShareBar share={share} beside={beside} label={`${name}: ${shareText(share)}`} />
            <span class="value">
              {shareText(share)}
              {note !== undefined && <span class="muted note">{note}</span>}
            </span>
          </li>
        ))}
      </ul>
      {!isWhole && (
        <p class="more">
          <button type="button" onClick={() => setWhole(true)}>
            Show all {lines.length}
          </button>
        </p>
      )}
      <details class="as-table">
        <summary>Table</summary>
        <table>
          <caption class="sr-only">{title}</caption>
          <thead>
            <tr>
              <th scope="col">name</th>
              <th scope="col">solved</th>
              <th scope="col">success</th>
              <th scope="col">95 % interval</th>
              {besideLabel !== undefined && <th scope="col">{besideLabel}</th>}
            </tr>
          </thead>
          <tbody>
            {lines.map(({ name, share, beside }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{`${share.count} of ${share.of}`}</td>
                <td>{shareText(share)}</td>
                <td>{intervalText(share)}</td>
                {besideLabel !== undefined && <td>{beside ? percentText(beside.rate) : '–'}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Panel>
  )
}

const BesideKey = ({ label }: { readonly label: string }) => (
  <span class="beside-key">
    <svg width="8" height="12" aria-hidden="true">
      <rect class="beside" x="3" width="3" height="12" />
    </svg>
    {label}
  </span>
)

interface ShareBarProps {
  readonly share: ReportShare
  readonly beside?: ReportShare | undefined
  readonly label: string
}

/** A share as a bar from 0 to 100 %, with its interval as a whisker. */
export const ShareBar = ({ share, beside, label }: ShareBarProps) => (
  <svg
    class="share-bar"
    width="100%"
    height={HEIGHT}
    role="img"
    aria-label={`${label}, interval ${intervalText(share)}`}
  >
    <rect class="bar-track" y="4" width="100%" height="10" rx="3" />
    <rect class="bar" y="4" width={percent(share.rate)} height="10" rx="3" />
    <line class="whisker" x1={percent(share.low)} x2={percent(share.high)} y1="9" y2="9" />
    <line class="whisker" x1={percent(share.low)} x2={percent(share.low)} y1="5" y2="13" />
    <line class="whisker" x1={percent(share.high)} x2={percent(share.high)} y1="5" y2="13" />
    {beside && beside.of > 0 && <rect class="beside" x={percent(beside.rate)} y="1" width="3" height="16" />}
  </svg>
)

/** How often successful episodes needed how many times the steps of the shortest solution. */
function StepsChart({ a, b }: { readonly a: readonly StepsBin[]; readonly b?: readonly StepsBin[] | undefined }) {
  const id = useId()
  const labels = a.length >= (b?.length ?? 0) ? a.map(({ label }) => label) : b!.map(({ label }) => label)
  const countOf = (bins: readonly StepsBin[] | undefined, label: string) =>
    bins?.find((bin) => bin.label === label)?.count ?? 0
  const most = Math.max(1, ...labels.flatMap((label) => [countOf(a, label), countOf(b, label)]))
  const series = [{ name: 'a', bins: a }, ...(b ? [{ name: 'b', bins: b }] : [])]
  return (
    <Panel title="Steps over the shortest solution" class="chart" note="solved episodes">
      <figure class="columns" aria-labelledby={id}>
        <figcaption class="sr-only" id={id}>
          Solved episodes by their steps over those of the shortest solution
        </figcaption>
        {labels.map((label) => (
          <div class="column" key={label}>
            <div class="stems">
              {series.map(({ name, bins }) => (
                <div class="stem" key={name}>
                  <span class="count">{countOf(bins, label) || ''}</span>
                  <svg width="100%" height={`${(100 * countOf(bins, label)) / most}%`} aria-hidden="true">
                    <rect class={name} width="100%" height="100%" rx="2" />
                  </svg>
                </div>
              ))}
            </div>
            <span class="column-label">{label}</span>
          </div>
        ))}
      </figure>
      <details class="as-table">
        <summary>Table</summary>
        <table>
          <caption class="sr-only">Steps over the shortest solution</caption>
          <thead>
            <tr>
              <th scope="col">times the shortest</th>
              <th scope="col">{b ? 'episodes of A' : 'episodes'}</th>
              {b && <th scope="col">episodes of B</th>}
            </tr>
          </thead>
          <tbody>
            {labels.map((label) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{countOf(a, label)}</td>
                {b && <td>{countOf(b, label)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Panel>
  )
}
