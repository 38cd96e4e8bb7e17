import { useState } from 'preact/hooks'
import type { EvaluationReport, ReportFlip } from '../../model/report.ts'
import { categoryText, plural, testWords } from '../../model/report-words.ts'
import { Panel } from '../ui/panel.tsx'
import { DivergenceText } from './details.tsx'

/** Flips that are listed at first, and further ones for each request. */
const LISTED = 6
const MORE = 50

interface ComparisonProps {
  readonly report: EvaluationReport
  readonly onChoose: (episode: string) => void
}

/** Two results: the paired tests in words, tasks that are left out, and the flips with where their runs part. */
export function Comparison({ report, onChoose }: ComparisonProps) {
  const [count, setCount] = useState(LISTED)
  const { comparison } = report
  if (!comparison) return null
  const { other, omitted, flips } = comparison
  return (
    <div class="comparison">
      <Panel title="Comparison" note={plural(comparison.episodes, 'common episode')}>
        <dl class="result-sides">
          <dt class="side-a">A</dt>
          <dd>
            <strong>{report.agent}</strong> <span class="muted">{report.folder}</span>
          </dd>
          <dt class="side-b">B</dt>
          <dd>
            <strong>{other.agent}</strong> <span class="muted">{other.folder}</span>
          </dd>
        </dl>
        <ul class="sentences">
          {testWords(comparison).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          {omitted.map(({ task, reason }) => (
            <li key={task} class="muted">
              {task} is left out: {reason}.
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title="Flips" class="flips-panel" note={flips.length}>
        {flips.length === 0 ? (
          <p class="empty">A and B solve the same episodes.</p>
        ) : (
          <>
            <FlipList flips={flips.slice(0, count)} onChoose={onChoose} />
            {flips.length > count && (
              <p class="more">
                <button type="button" onClick={() => setCount(count + MORE)}>
                  Show more of {plural(flips.length - count, 'further flip')}
                </button>
              </p>
            )}
          </>
        )}
      </Panel>
    </div>
  )
}

const FlipList = ({ flips, onChoose }: { readonly flips: readonly ReportFlip[]; onChoose: (id: string) => void }) => (
  <ul class="flips">
    {flips.map(({ episode, solvedBy, failure, divergence }) => (
      <li key={episode}>
        <span class={`badge side-${solvedBy}`}>only {solvedBy.toUpperCase()}</span>
        <button type="button" class="link" onClick={() => onChoose(episode)}>
          {episode}
        </button>
        {failure !== null && <span class="muted">{categoryText(failure)}</span>}
        <DivergenceText of={divergence} />
      </li>
    ))}
  </ul>
)
