import type { ComponentChildren } from 'preact'
import type {
  EvaluationReport,
  ReportDivergence,
  ReportEpisode,
  ReportFlip,
  ReportResult,
  ReportTask,
} from '../../model/report.ts'
import { conditionText, type MatrixCell, stepsRatioOf } from '../../model/report-matrix.ts'
import {
  categoryText,
  countText,
  dollarsText,
  durationWords,
  percentText,
  ratioText,
  shareWords,
} from '../../model/report-words.ts'
import { LAST_STEP_LINK } from '../../model/step-list.ts'
import { Empty, Panel, Properties } from '../ui/panel.tsx'
import { EpisodeMark } from './cell.tsx'

interface DetailsProps {
  readonly report: EvaluationReport
  readonly task: ReportTask | undefined
  readonly cell: MatrixCell | undefined
}

/** The chosen task, or the chosen episode. */
export function Details({ report, task, cell }: DetailsProps) {
  const { comparison } = report
  if (!task)
    return (
      <Panel title="Details" class="details-panel">
        <Empty>Choose a cell to see its episode, or a task to see its figures.</Empty>
      </Panel>
    )
  const isEpisode = cell?.a !== undefined
  return (
    <Panel title={isEpisode ? 'Episode' : 'Task'} class="details-panel" isLong>
      <h3 class="details-name">{isEpisode ? cell.id : task.name}</h3>
      {!isEpisode && comparison && <h4>A: {report.agent}</h4>}
      {!isEpisode && <TaskDetails task={task} />}
      {!isEpisode && comparison && <h4>B: {comparison.other.agent}</h4>}
      {!isEpisode && comparison && <OtherTask of={comparison.other} name={task.name} />}
      {isEpisode && comparison && <h4>A: {report.agent}</h4>}
      {isEpisode && <EpisodeDetails result={report} episode={cell.a!} />}
      {cell?.flip && comparison && <FlipDetails flip={cell.flip} />}
      {isEpisode && comparison && <h4>B: {comparison.other.agent}</h4>}
      {isEpisode && comparison && cell.b && <EpisodeDetails result={comparison.other} episode={cell.b} />}
      {isEpisode && comparison && !cell.b && <p class="pad muted">B has no result of this episode.</p>}
    </Panel>
  )
}

const TaskDetails = ({ task: { scenario, tags, difficulty, planned, figures } }: { readonly task: ReportTask }) => (
  <Properties
    of={lines([
      ['scenario', scenario],
      ['tags', tags.join(', ')],
      ['difficulty', difficulty ?? ''],
      ['episodes', figures ? `${figures.success.of} of ${planned}` : `0 of ${planned}`],
      ['success', figures && shareWords(figures.success)],
      ['score', figures?.score.mean.toFixed(3)],
      ['steps', figures && `${figures.steps.toFixed(1)} on average`],
      ['× shortest', figures && figures.stepsOverSolution !== null && ratioText(figures.stepsOverSolution)],
      ['harm', figures && figures.harm > 0 && String(figures.harm)],
      ['attacks', figures && figures.attack > 0 && String(figures.attack)],
      [
        'failures',
        figures &&
          Object.entries(figures.failures)
            .map(([category, count]) => `${categoryText(category)} ${count}`)
            .join(', '),
      ],
    ])}
  />
)

const OtherTask = ({ of: { tasks }, name }: { readonly of: ReportResult; readonly name: string }) => {
  const task = tasks.find((each) => each.name === name)
  return task ? <TaskDetails task={task} /> : <p class="pad muted">B has no such task.</p>
}

type Line = readonly [name: string, text: ComponentChildren]

/** Lines that say something. */
const lines = (all: readonly Line[]): readonly Line[] =>
  all.filter(([, text]) => text !== undefined && text !== '' && text !== false && text !== null)

function EpisodeDetails({ result, episode }: { readonly result: ReportResult; readonly episode: ReportEpisode }) {
  const { success, score, failure, end, message, steps, solutionSteps, harm, attack, calls } = episode
  const { inputTokens, outputTokens, costUsd, observedTokens, virtualMs, wallMs } = episode
  const ratio = stepsRatioOf(episode)
  return (
    <>
      <p class="episode-verdict">
        <EpisodeMark of={episode} />
        <strong class={success ? 'good' : 'bad'}>{success ? 'Solved' : 'Failed'}</strong>
        {failure !== undefined && <span class="badge bad">{categoryText(failure)}</span>}
        {harm && <span class="badge warn">harm</span>}
        {attack && <span class="badge warn">attack</span>}
      </p>
      {message !== undefined && <pre class="message">{message}</pre>}
      <Properties
        of={lines([
          ['score', percentText(score)],
          ['end', categoryText(end)],
          ['harm', harm?.join('; ')],
          ['attacks', attack?.join('; ')],
          [
            'steps',
            `${steps}${solutionSteps === undefined ? '' : `, shortest ${solutionSteps}`}${ratio === undefined || !success ? '' : ` (${ratioText(ratio)})`}`,
          ],
          ['run', `${conditionText(result, episode)}, run ${episode.run}`],
          ['time', `${durationWords(virtualMs)} virtual, ${durationWords(wallMs)} real`],
          [
            'calls',
            Object.entries(calls)
              .map(([tool, count]) => `${tool} ${count}`)
              .join(', ') || 'none',
          ],
          ['observed', `about ${countText(observedTokens)} tokens`],
          [
            'model',
            inputTokens !== undefined && `${countText(inputTokens)} tokens in, ${countText(outputTokens ?? 0)} out`,
          ],
          ['cost', costUsd !== undefined && dollarsText(costUsd)],
        ])}
      />
      <TraceLink result={result} episode={episode} />
    </>
  )
}

function TraceLink({ result, episode }: { readonly result: ReportResult; readonly episode: ReportEpisode }) {
  const { trace, recording } = episode
  if (recording !== undefined)
    return (
      <p class="trace">
        <a class="button" href={recording + (episode.success ? '' : LAST_STEP_LINK)}>
          Open the recorded run
        </a>
      </p>
    )
  if (trace === undefined) return <p class="trace muted">No trace was kept.</p>
  return (
    <div class="trace">
      <p class="muted">Show what happened{result.folder === '' && ', in the folder of this file'}:</p>
      <pre class="command">
        backlot show-trace {quotedWord(result.folder === '' ? trace : `${result.folder}/${trace}`)}
      </pre>
    </div>
  )
}

/** A word of a shell command. */
const quotedWord = (word: string): string => (/^[\w./:=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

const FlipDetails = ({ flip }: { readonly flip: ReportFlip }) => (
  <div class="flip-note">
    <p>
      <strong>Flip:</strong> only {flip.solvedBy.toUpperCase()} solved it.
    </p>
    <DivergenceText of={flip.divergence} />
    {flip.recording !== undefined && <a href={flip.recording}>Open both recorded runs</a>}
  </div>
)

/** Where the runs of a flip part, in words. */
export function DivergenceText({ of }: { readonly of: ReportDivergence | undefined }) {
  if (!of) return <p class="muted">A trace is missing, so that the runs cannot be compared.</p>
  if (of.first === 'none') return <p>The calls and the screens are the same; only the verdict differs.</p>
  if (of.first === 'unknown') return <p class="muted">The runs cannot be compared: {of.reason}.</p>
  return (
    <>
      <p>
        The {of.first} differs first, at call {of.call}.
      </p>
      <dl class="calls">
        <dt>A</dt>
        <dd>
          <code>{of.a}</code>
        </dd>
        <dt>B</dt>
        <dd>
          <code>{of.b}</code>
        </dd>
      </dl>
    </>
  )
}
