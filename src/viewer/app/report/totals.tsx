import type { ComponentChildren } from 'preact'
import type { EvaluationReport, ReportResult } from '../../model/report.ts'
import {
  countText,
  dollarsText,
  durationWords,
  intervalText,
  meanIntervalText,
  percentText,
  plural,
  ratioText,
  shortCount,
  unitsText,
} from '../../model/report-words.ts'
import { ShareBar } from './charts.tsx'

/** The figures of the whole: success with its interval, score, steps, reliability, harm and cost. */
export function Totals({ report }: { readonly report: EvaluationReport }) {
  const { total, used, episodes, planned, comparison } = report
  const other = comparison?.other
  const risks = [report, ...(other ? [other] : [])].reduce((sum, { total: { harm, attack } }) => sum + harm + attack, 0)
  return (
    <section class={other ? 'totals compared' : 'totals'} aria-label="Totals">
      <Figure
        title={other ? 'Success of A' : 'Success'}
        class="main"
        value={total.success.of === 0 ? '–' : percentText(total.success.rate)}
        note={successNote(report)}
      >
        <ShareBar share={total.success} beside={other?.total.success} label="Success" />
      </Figure>
      {other && (
        <Figure
          title="Success of B"
          class="main"
          value={other.total.success.of === 0 ? '–' : percentText(other.total.success.rate)}
          note={successNote(other)}
        >
          <ShareBar share={other.total.success} beside={total.success} label="Success of B" />
        </Figure>
      )}
      <Figure
        title="Score"
        value={both(report, ({ total: { score } }) => score.mean.toFixed(2))}
        note={both(report, ({ total: { score } }) => meanIntervalText(score, (value) => value.toFixed(2)))}
      />
      <Figure
        title="Steps"
        value={both(report, ({ total: { steps } }) => steps.toFixed(1))}
        note={
          total.stepsOverSolution === null
            ? 'on average'
            : `${both(report, ({ total }) => (total.stepsOverSolution === null ? '–' : ratioText(total.stepsOverSolution)))} the shortest solution, where solved`
        }
      />
      <Reliability report={report} />
      <Figure
        title="Harm and attacks"
        class={risks > 0 ? 'risk' : ''}
        value={both(report, ({ total: { harm, attack } }) => countText(harm + attack))}
        note={
          risks === 0
            ? 'no episode did harm'
            : `harm in ${both(report, ({ total: { harm } }) => countText(harm))}, attacks succeeded in ${both(report, ({ total: { attack } }) => countText(attack))}`
        }
      />
      <Figure
        title="Episodes"
        value={
          episodes.length < planned ? `${countText(episodes.length)} of ${countText(planned)}` : countText(planned)
        }
        note={`${plural(used.calls, 'call')}, ${durationWords(used.wallMs)} of real time${overTokensNote(report)}`}
      />
      <Figure title="Tokens" value={both(report, tokensText)} note={both(report, ({ used }) => tokensNote(used))} />
    </section>
  )
}

const successNote = ({ total: { success } }: ReportResult): string =>
  `${success.count} of ${plural(success.of, 'episode')}, 95 % interval ${intervalText(success)} over ${unitsText(success)}`

const overTokensNote = (report: EvaluationReport): string =>
  [report, report.comparison?.other].some((result) => result && result.used.overTokens > 0)
    ? `; beyond the token limit: ${both(report, ({ used }) => countText(used.overTokens))}`
    : ''

/** How often all runs of an instance succeed, for the most runs that each result has. */
function Reliability({ report }: { readonly report: EvaluationReport }) {
  const k = Math.min(...[report, report.comparison?.other].flatMap((result) => (result ? [result.pass.length] : [])))
  if (k < 2) return null
  const text = (field: 'all' | 'atLeastOne') => both(report, ({ pass }) => percentText(pass[k - 1]![field]))
  return (
    <Figure
      title={`All ${k} runs`}
      value={text('all')}
      note={`pass^${k}; at least one: ${text('atLeastOne')} (pass@${k})`}
    />
  )
}

/** A figure of A, or of A and B. */
const both = (report: EvaluationReport, textOf: (result: ReportResult) => string): string =>
  report.comparison ? `${textOf(report)} → ${textOf(report.comparison.other)}` : textOf(report)

const tokensText = ({ used: { inputTokens, outputTokens = 0, observedTokens } }: ReportResult): string =>
  shortCount(inputTokens === undefined ? observedTokens : inputTokens + outputTokens)

function tokensNote({ inputTokens, outputTokens = 0, costUsd, observedTokens }: EvaluationReport['used']): string {
  if (inputTokens === undefined) return 'observed, estimated'
  const cost = costUsd === undefined ? '' : `${dollarsText(costUsd)}; `
  return `${cost}${countText(inputTokens)} in, ${countText(outputTokens)} out; about ${countText(observedTokens)} observed`
}

interface FigureProps {
  readonly title: string
  readonly class?: string
  readonly value: string
  readonly note: string
  readonly children?: ComponentChildren
}

const Figure = ({ title, class: kind = '', value, note, children }: FigureProps) => (
  <div class={`figure-card ${kind}`}>
    <h2>{title}</h2>
    <p class="figure-value">{value}</p>
    {children}
    <p class="muted">{note}</p>
  </div>
)
