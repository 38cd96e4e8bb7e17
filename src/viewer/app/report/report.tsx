import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import type { EvaluationReport, ReportGroup } from '../../model/report.ts'
import {
  columnHeads,
  linkTo,
  matrixRows,
  NO_FILTER,
  nextSort,
  placeOfLink,
  type ReportPlace,
  type ReportSort,
  type RowKind,
  sortedRows,
} from '../../model/report-matrix.ts'
import { plural } from '../../model/report-words.ts'
import { blockOfPage, requestOf } from '../ui/data.ts'
import { Empty, Panel } from '../ui/panel.tsx'
import { Shell } from '../ui/shell.tsx'
import { type CellContent, Legend } from './cell.tsx'
import { Charts } from './charts.tsx'
import { Comparison } from './comparison.tsx'
import { Details } from './details.tsx'
import { Filters } from './filters.tsx'
import { Matrix } from './matrix.tsx'
import { PrintedMatrix, usePrinting } from './printing.tsx'
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
