import type { HTMLAttributes } from 'preact'
import type { ColumnHead, MatrixRow } from '../../model/report-matrix.ts'
import type { ReportSort } from '../../model/report-sort.ts'
import { ratioText } from '../../model/report-words.ts'
import { type CellContent, cellWords, Mark } from './cell.tsx'

/** Columns before those of the episodes: task, success, steps. */
export const HEAD_COLUMNS = 3

interface SharedProps {
  /** Ids of the grid begin with it. */
  readonly id: string
  /** The width of a cell in pixels. */
  readonly cell: number
  /** The columns of episodes that are drawn. */
  readonly horizontal: { readonly first: number; readonly end: number }
  /** The column that has the keyboard. */
  readonly current: number
  readonly isCompared: boolean
}

const numbersFrom = ({ first, end }: SharedProps['horizontal'], current: number, count: number): readonly number[] => {
  const numbers = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index)
  const at = current - HEAD_COLUMNS
  return at >= 0 && at < count && !numbers.includes(at) ? [...numbers, at] : numbers
}

interface HeadProps extends SharedProps {
  readonly heads: readonly ColumnHead[]
  readonly sort: ReportSort
  readonly isCurrent: boolean
  readonly onSort: (column: number) => void
}

/** A part of the grid. The grid has the focus and names its active cell, so that its parts take none. */
const partOf = (
  role: 'row' | 'rowheader' | 'gridcell' | 'columnheader',
  labels: Pick<HTMLAttributes<HTMLDivElement>, 'aria-label' | 'aria-selected' | 'aria-rowindex'> = {},
) => ({ role, ...labels })

const LEADING = [
  { by: 'name', label: 'Task', class: 'task' },
  { by: 'success', label: 'Success', class: 'figure' },
  { by: 'steps', label: 'Steps', class: 'figure steps' },
] as const

/** The headings of the matrix. They sort. */
export function MatrixHead({ id, cell, horizontal, current, heads, sort, isCurrent, onSort }: HeadProps) {
  const orderOf = (isSorted: boolean) => (isSorted ? (sort.isDown ? 'descending' : 'ascending') : 'none')
  const headOf = (column: number, kind: string, title: string, isSorted: boolean) => ({
    id: `${id}--1-${column}`,
    class: `head ${kind}${isCurrent && column === current ? ' current' : ''}`,
    ...partOf('columnheader'),
    title,
    'aria-colindex': column + 1,
    'aria-sort': orderOf(isSorted) as 'none' | 'ascending' | 'descending',
    onClick: () => onSort(column),
  })
  const arrow = (isSorted: boolean) =>
    isSorted && (
      <span class="arrow" aria-hidden="true">
        {sort.isDown ? '▾' : '▴'}
      </span>
    )
  return (
    <div class="matrix-line matrix-head" {...partOf('row', { 'aria-rowindex': 1 })}>
      <div class="lead" role="presentation">
        {LEADING.map(({ by, label, class: kind }, column) => (
          <div key={by} {...headOf(column, kind, `Sort by ${label.toLowerCase()}`, sort.by === by)}>
            {label}
            {arrow(sort.by === by)}
          </div>
        ))}
      </div>
      {numbersFrom(horizontal, isCurrent ? current : -1, heads.length).map((number) => {
        const { top, label, title } = heads[number]!
        const isSorted = sort.by === 'column' && sort.column === number
        return (
          <div
            key={number}
            {...headOf(number + HEAD_COLUMNS, 'run', `${title}. Sort by it.`, isSorted)}
            style={{ insetInlineStart: `calc(var(--lead) + ${number * cell}px)` }}
          >
            <span class="top-label">{top}</span>
            <span>
              {label}
              {arrow(isSorted)}
            </span>
          </div>
        )
      })}
    </div>
  )
}

interface LineProps extends SharedProps {
  readonly row: MatrixRow
  readonly index: number
  readonly top: number
  readonly content: CellContent
  readonly isCurrent: boolean
  /** The id of the chosen episode; empty if the row is chosen. */
  readonly chosen: string | undefined
  readonly onChoose: (column: number) => void
}

/** A row of the matrix: task, figures, episodes. */
export function MatrixLine({ id, cell, horizontal, current, isCompared, ...props }: LineProps) {
  const { row, index, top, content, isCurrent, chosen, onChoose } = props
  const { task, note, cells, succeeded, done, otherSucceeded, otherDone, stepsRatio, otherStepsRatio, flips } = row
  const cellOf = (column: number, kind: string) => ({
    id: `${id}-${index}-${column}`,
    class: `${kind}${isCurrent && column === current ? ' current' : ''}`,
    'aria-colindex': column + 1,
    onClick: () => onChoose(column),
  })
  const name = note === '' ? task.name : `${task.name}, ${note}`
  return (
    <div
      class={`matrix-line${chosen === '' ? ' chosen' : ''}`}
      {...partOf('row', { 'aria-rowindex': index + 2 })}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div class="lead" role="presentation">
        <div {...cellOf(0, 'task')} {...partOf('rowheader')} title={name}>
          <span class="clip">{task.name}</span>
          {note !== '' && <span class="note clip">{note}</span>}
          {flips > 0 && (
            <span class="badge" title="Flips">
              ⇄ {flips}
            </span>
          )}
        </div>
        <div {...cellOf(1, 'figure')} {...partOf('gridcell')}>
          <Figures of={[[succeeded, done], ...(isCompared ? [[otherSucceeded, otherDone] as const] : [])]} />
        </div>
        <div {...cellOf(2, 'figure steps')} {...partOf('gridcell')}>
          <Ratio of={stepsRatio} />
          {isCompared && <Ratio of={otherStepsRatio} />}
        </div>
      </div>
      {numbersFrom(horizontal, isCurrent ? current : -1, cells.length).map((number) => {
        const each = cells[number]
        if (!each) return null
        const words = `${each.a || each.b ? each.id : task.name}: ${cellWords(each, isCompared)}`
        const kinds = ['cell', !each.isKept && 'faint', each.flip && `flip-${each.flip.solvedBy}`]
        return (
          <div
            key={number}
            {...cellOf(number + HEAD_COLUMNS, kinds.filter(Boolean).join(' '))}
            {...partOf('gridcell', {
              'aria-label': words,
              'aria-selected': each.a !== undefined && each.a.id === chosen,
            })}
            title={words}
            style={{ insetInlineStart: `calc(var(--lead) + ${number * cell}px)` }}
          >
            <Mark of={each.a} content={content} />
            {isCompared && <Mark of={each.b} content={content} />}
          </div>
        )
      })}
    </div>
  )
}

/** Steps over those of the shortest solution. */
const Ratio = ({ of }: { readonly of: number | undefined }) => (
  <span class={of === undefined ? 'ratio muted' : 'ratio'}>{of === undefined ? '–' : ratioText(of)}</span>
)

/** Shares of episodes, as numbers above a bar. */
const Figures = ({ of }: { readonly of: readonly (readonly [count: number, of: number])[] }) => (
  <>
    {of.map(([count, all], index) => (
      <span class="share" key={index === 0 ? 'a' : 'b'}>
        <span>{all === 0 ? '–' : `${count}/${all}`}</span>
        <svg class="mini" width="100%" height="3" aria-hidden="true">
          <rect width="100%" height="3" class="bar-track" />
          <rect width={`${all === 0 ? 0 : (100 * count) / all}%`} height="3" class={index === 0 ? 'a' : 'b'} />
        </svg>
      </span>
    ))}
  </>
)
