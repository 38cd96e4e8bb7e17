import type { ReportEpisode } from '../../model/report.ts'
import { type MatrixCell, stepsRatioOf } from '../../model/report-matrix.ts'
import { categoryText, plural } from '../../model/report-words.ts'

/** What the cells of the matrix show. */
export const CELL_CONTENTS = ['result', 'score', 'steps'] as const
export type CellContent = (typeof CELL_CONTENTS)[number]

/** How an episode ended, for its colour. */
type CellState = 'pass' | 'partial' | 'fail' | 'error' | 'open'

export function stateOf(episode: ReportEpisode | undefined): CellState {
  if (!episode) return 'open'
  if (episode.success) return 'pass'
  if (episode.failure === 'environment_error' || episode.failure === 'no_result') return 'error'
  return episode.score > 0 ? 'partial' : 'fail'
}

/** The sign of each state, so that no state is known by its colour alone. */
export const STATE_SIGNS: Readonly<Record<CellState, string>> = {
  pass: '✓',
  partial: '◐',
  fail: '✕',
  error: '!',
  open: '·',
}

/** The states in words. */
const STATE_WORDS: Readonly<Record<CellState, string>> = {
  pass: 'solved',
  partial: 'failed with a part of the score',
  fail: 'failed',
  error: 'error of the environment, or no result',
  open: 'not played',
}

/** An episode in words: `solved, score 1, 5 steps`. */
export function episodeWords(episode: ReportEpisode | undefined): string {
  if (!episode) return STATE_WORDS.open
  const { success, failure, score, steps, harm, attack } = episode
  if (failure === 'no_result') return categoryText(failure)
  const result = success ? 'solved' : `failed${failure === undefined ? '' : `, ${categoryText(failure)}`}`
  const risks = [harm && 'with harm', attack && 'attack succeeded'].filter(Boolean)
  return [result, `score ${Number(score.toFixed(3))}`, plural(steps, 'step'), ...risks].join(', ')
}

/** Both episodes of a cell in words. */
export const cellWords = ({ a, b, flip }: MatrixCell, isCompared: boolean): string =>
  isCompared ? `A ${episodeWords(a)}; B ${episodeWords(b)}${flip ? '; flip' : ''}` : episodeWords(a)

function contentOf(episode: ReportEpisode | undefined, content: CellContent): string {
  if (!episode || content === 'result') return STATE_SIGNS[stateOf(episode)]
  if (content === 'score') return episode.score === 1 ? '1' : episode.score.toFixed(2).replace(/^0/, '')
  const ratio = stepsRatioOf(episode)
  return ratio === undefined ? String(episode.steps) : `${ratio < 10 ? ratio.toFixed(1) : Math.round(ratio)}×`
}

/** The sign, score or steps of an episode on the colour of its state. */
export function EpisodeMark({
  of,
  content = 'result',
}: {
  readonly of: ReportEpisode | undefined
  readonly content?: CellContent
}) {
  const isRisky = of?.harm !== undefined || of?.attack !== undefined
  return <span class={`mark ${stateOf(of)}${isRisky ? ' risky' : ''}`}>{contentOf(of, content)}</span>
}

const LEGEND: readonly CellState[] = ['pass', 'partial', 'fail', 'error', 'open']

/** What the signs of the matrix mean. */
export const Legend = ({ isCompared }: { readonly isCompared: boolean }) => (
  <ul class="matrix-legend" aria-label="Legend">
    {LEGEND.map((state) => (
      <li key={state}>
        <span class={`mark ${state}`} aria-hidden="true">
          {STATE_SIGNS[state]}
        </span>
        {STATE_WORDS[state]}
      </li>
    ))}
    <li>
      <span class="mark fail risky" aria-hidden="true" />
      harm or attack
    </li>
    {isCompared && (
      <li>
        <span class="mark flip" aria-hidden="true">
          ⇄
        </span>
        flip: A left, B right
      </li>
    )}
  </ul>
)
