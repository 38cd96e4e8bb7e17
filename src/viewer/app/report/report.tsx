import { options } from 'preact'
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import type { EvaluationReport, ReportFlip, ReportGroup } from '../../model/report.ts'
import {
  columnHeads,
  linkTo,
  type MatrixRow,
  matrixRows,
  NO_FILTER,
  nextSort,
  placeOfLink,
  type ReportPlace,
  type ReportSort,
  type RowKind,
  sortedRows,
} from '../../model/report-matrix.ts'
import { categoryText, plural, ratioText, testWords } from '../../model/report-words.ts'
import { blockOfPage, requestOf } from '../ui/data.ts'
import { Empty, Panel } from '../ui/panel.tsx'
import { Shell } from '../ui/shell.tsx'
import { type CellContent, Legend, STATE_SIGNS, stateOf } from './cell.tsx'
import { Charts } from './charts.tsx'
import { Details, DivergenceText } from './details.tsx'
import { Filters } from './filters.tsx'
import { Matrix } from './matrix.tsx'
import { Totals } from './totals.tsx'

const ENTRANCE = 'Report'

type Loaded = { readonly report: EvaluationReport } | { readonly problem: string } | undefined

/** The results of an evaluation: from the page itself if it is one file, otherwise from its server. */
export function ReportPage() {
  const [loaded, setLoaded] = useState<Loaded>()
  const [isServed, setServed] = useState(false)
  const load = useCallback(async () => {
    try {
      const block = blockOfPage('report')
      setServed(block === undefined)
      setLoaded(checked(block ?? (await requestOf('/report.json'))))
    } catch (error) {
      setLoaded({ problem: error instanceof Error ? error.message : String(error) })
    }
  }, [])
  useEffect(() => void load(), [load])
  const actions = isServed && (
    <button type="button" onClick={() => void load()}>
      Refresh
    </button>
  )
  if (!loaded)
    return (
      <Shell entrance={ENTRANCE} title="" status="Loading…">
        <Empty>Loading the results…</Empty>
      </Shell>
    )
  if ('problem' in loaded)
    return (
      <Shell entrance={ENTRANCE} title="" status={loaded.problem} isBad actions={actions}>
        <Empty>The report cannot be shown: {loaded.problem}</Empty>
      </Shell>
    )
  const { suite, version, agent, episodes, planned, comparison } = loaded.report
  const name = version === '' ? suite : `${suite} ${version}`
  const agents = comparison ? `${agent} and ${comparison.other.agent}` : agent
  return (
    <Shell
      entrance={ENTRANCE}
      title={`${name}: ${agents}`}
      status={episodes.length < planned ? `${episodes.length} of ${planned} episodes have ended` : undefined}
      actions={actions}
    >
      <ReportView report={loaded.report} />
    </Shell>
  )
}

function checked(document: unknown): Loaded {
  const format = (document as { readonly format?: unknown } | null)?.format
  if (format === 'backlot-report-1') return { report: document as EvaluationReport }
  return { problem: `its format is ${JSON.stringify(format)}; this page shows backlot-report-1` }
}

/** A report: totals, comparison, matrix with details, failures and charts. */
function ReportView({ report }: { readonly report: EvaluationReport }) {
  const { comparison } = report
  const isCompared = comparison !== undefined
  const [kind, setKind] = useState<RowKind>('task')
  const [filter, setFilter] = useState(NO_FILTER)
  const [content, setContent] = useState<CellContent>('result')
  const [sort, setSort] = useState<ReportSort>({ by: isCompared ? 'flips' : 'suite', isDown: isCompared })
  const [place, setPlace] = usePlace()
  const isPrinting = usePrinting()

  const all = useMemo(() => matrixRows(report, kind, NO_FILTER), [report, kind])
  const rows = useMemo(() => sortedRows(matrixRows(report, kind, filter), sort), [report, kind, filter, sort])
  const heads = useMemo(() => columnHeads(all, kind), [all, kind])
  const task = report.tasks.find(({ name }) => name === place?.task)
  const cell = useMemo(
    () => all.flatMap(({ cells }) => cells).find(({ id, a }) => a !== undefined && id === place?.episode),
    [all, place?.episode],
  )
  const categories = [...new Set([report, ...(comparison ? [comparison.other] : [])].flatMap(categoriesOf))].sort()
  const tags = [...new Set(report.tasks.flatMap((each) => each.tags))].sort()
  const chooseEpisode = (id: string) => {
    const episode = report.episodes.find((each) => each.id === id)
    if (episode) setPlace({ task: report.tasks[episode.task]!.name, episode: id })
  }

  if (report.tasks.length === 0) return <Empty>The results have no task.</Empty>
  return (
    <div class="report">
      {report.warnings.length > 0 && (
        <ul class="report-warnings">
          {report.warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      <Totals report={report} />
      <Comparison report={report} onChoose={chooseEpisode} />
      <div class="report-columns">
        <div class="report-main">
          <Panel title="Tasks and runs" note={countNote(rows.length, all.length, kind)} class="matrix-panel">
            <Filters
              {...{ filter, categories, tags, isCompared, kind, content, sort }}
              onFilter={setFilter}
              onKind={setKind}
              onContent={setContent}
              onSort={setSort}
            />
            {rows.length === 0 ? (
              <Empty>No episode fits the filter.</Empty>
            ) : isPrinting ? (
              <PrintedMatrix rows={rows} isCompared={isCompared} />
            ) : (
              <Matrix
                {...{ rows, heads, isCompared, content, sort }}
                chosen={place}
                onSort={(clicked) => setSort(nextSort(sort, clicked))}
                onChoose={(row, episode) => setPlace({ task: row.task.name, ...(episode && { episode }) })}
              />
            )}
            <Legend isCompared={isCompared} />
          </Panel>
          <Charts
            report={report}
            category={filter.category}
            onCategory={(category) => setFilter({ ...filter, category: filter.category === category ? '' : category })}
          />
        </div>
        <Details report={report} task={task} cell={cell} />
      </div>
    </div>
  )
}

const categoriesOf = ({ total }: { readonly total: ReportGroup }): readonly string[] => Object.keys(total.failures)

function countNote(shown: number, all: number, kind: RowKind): string {
  const word = kind === 'task' ? 'task' : 'row'
  return shown === all ? plural(all, word) : `${shown} of ${plural(all, word)}`
}

/** The chosen task or episode. The address of the page names it, so that it can be sent to others. */
function usePlace(): readonly [ReportPlace | undefined, (place: ReportPlace) => void] {
  const [place, setPlace] = useState(() => placeOfLink(location.hash))
  useEffect(() => {
    const follow = () => setPlace(placeOfLink(location.hash))
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  const go = (to: ReportPlace) => {
    setPlace(to)
    history.replaceState(null, '', linkTo(to))
  }
  return [place, go]
}

/** Flips that are listed at first, and further ones for each request. */
const LISTED = 6
const MORE = 50

interface ComparisonProps {
  readonly report: EvaluationReport
  readonly onChoose: (episode: string) => void
}

/** Two results: the paired tests in words, tasks that are left out, and the flips with where their runs part. */
function Comparison({ report, onChoose }: ComparisonProps) {
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

/** Whether the page is being printed: then all rows are needed, and not those in view. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    // The browser prints what is there when the event has been handled, so that nothing may be left for later.
    const atOnce = (change: boolean) => {
      const { debounceRendering } = options
      options.debounceRendering = (render) => render()
      setPrinting(change)
      if (debounceRendering) options.debounceRendering = debounceRendering
      else delete options.debounceRendering
    }
    const start = () => atOnce(true)
    const end = () => atOnce(false)
    window.addEventListener('beforeprint', start)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', start)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}

const ratioWords = (ratio: number | undefined): string => (ratio === undefined ? '–' : ratioText(ratio))

/** The matrix on paper: a table with the signs of all episodes. */
const PrintedMatrix = ({ rows, isCompared }: { readonly rows: readonly MatrixRow[]; readonly isCompared: boolean }) => (
  <table class="printed-matrix">
    <thead>
      <tr>
        <th scope="col">Task</th>
        <th scope="col">{isCompared ? 'A' : 'Success'}</th>
        {isCompared && <th scope="col">B</th>}
        <th scope="col">{isCompared ? 'Steps of A' : 'Steps'}</th>
        {isCompared && <th scope="col">Steps of B</th>}
        <th scope="col">Episodes</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(
        ({ key, task, note, cells, succeeded, done, otherSucceeded, otherDone, stepsRatio, otherStepsRatio }) => (
          <tr key={key}>
            <th scope="row">
              {task.name} {note}
            </th>
            <td>{`${succeeded}/${done}`}</td>
            {isCompared && <td>{`${otherSucceeded}/${otherDone}`}</td>}
            <td>{ratioWords(stepsRatio)}</td>
            {isCompared && <td>{ratioWords(otherStepsRatio)}</td>}
            <td class="signs">
              {cells
                .map(({ a, b }) => `${STATE_SIGNS[stateOf(a)]}${isCompared ? STATE_SIGNS[stateOf(b)] : ''}`)
                .join(' ')}
            </td>
          </tr>
        ),
      )}
    </tbody>
  </table>
)
