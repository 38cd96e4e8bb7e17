import type { HTMLAttributes } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { ColumnHead, MatrixRow, ReportSort } from '../../model/report-matrix.ts'
import { ratioText } from '../../model/report-words.ts'
import { itemsInView, useScrollView } from '../ui/lists.ts'
import { type CellContent, cellWords, EpisodeMark } from './cell.tsx'

interface MatrixProps {
  readonly rows: readonly MatrixRow[]
  readonly heads: readonly ColumnHead[]
  readonly isCompared: boolean
  readonly content: CellContent
  readonly sort: ReportSort
  /** The chosen row, and the id of the chosen episode in it. */
  readonly chosen: { readonly task: string; readonly episode?: string } | undefined
  readonly onSort: (clicked: ReportSort) => void
  readonly onChoose: (row: MatrixRow, episode?: string) => void
}

/** The heights of a row and of the headings, and the widths of cells, in pixels as in the style sheet. */
const ROW = 32
const HEAD = 40
const CELL = { one: 36, two: 60 } as const
const LEAD = { wide: 400, narrow: 214 } as const
/** Rows and cells that are drawn outside of the view. */
const MARGIN = 6

/** The sort of each column before those of the episodes. */
const HEAD_SORTS: readonly ReportSort[] = [
  { by: 'name', isDown: false },
  { by: 'success', isDown: false },
  { by: 'steps', isDown: true },
]

/**
 * Tasks × runs as a grid. The arrow keys, Home, End and Page keys move; Enter chooses an episode, or sorts by a heading.
 * Draws only what is in view, so that 1,000 rows cost as little as 30.
 */
export function Matrix({ rows, heads, isCompared, content, sort, chosen, onSort, onChoose }: MatrixProps) {
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const view = useScrollView(box)
  const [at, setAt] = useState({ row: 0, column: HEAD_COLUMNS })
  const cell = isCompared ? CELL.two : CELL.one
  const lead = view.width < 640 ? LEAD.narrow : LEAD.wide
  const columns = HEAD_COLUMNS + heads.length
  const row = Math.max(-1, Math.min(rows.length - 1, at.row))
  const column = Math.max(0, Math.min(columns - 1, at.column))

  const reveal = (toRow: number, toColumn: number) => {
    const element = box.current
    if (!element) return
    if (toRow >= 0) {
      const top = toRow * ROW
      if (top < element.scrollTop) element.scrollTop = top
      const space = element.clientHeight - HEAD
      if (top + ROW > element.scrollTop + space) element.scrollTop = top + ROW - space
    }
    if (toColumn < HEAD_COLUMNS) return
    const left = (toColumn - HEAD_COLUMNS) * cell
    const width = element.clientWidth - lead
    if (left < element.scrollLeft) element.scrollLeft = left
    if (left + cell > element.scrollLeft + width) element.scrollLeft = left + cell - width
  }
  const go = (toRow: number, toColumn: number) => {
    const next = {
      row: Math.max(-1, Math.min(rows.length - 1, toRow)),
      column: Math.max(0, Math.min(columns - 1, toColumn)),
    }
    setAt(next)
    reveal(next.row, next.column)
  }
  const chosenKey = `${chosen?.task} ${chosen?.episode}`
  useEffect(() => {
    if (!chosen) return
    const { task: name, episode } = chosen
    // A cell that was chosen here is where the keyboard is already.
    const now = rows[row]
    if (now?.task.name === name && now.cells[column - HEAD_COLUMNS]?.a?.id === episode) return
    const toRow = rows.findIndex(({ task, cells }) =>
      episode === undefined ? task.name === name : cells.some(({ id: own }) => own === episode),
    )
    const toCell = rows[toRow]?.cells.findIndex(({ id: own }) => own === episode)
    if (toCell !== undefined) go(toRow, episode === undefined ? 0 : HEAD_COLUMNS + toCell)
  }, [chosenKey])

  const sortBy = (toColumn: number) =>
    onSort(HEAD_SORTS[toColumn] ?? { by: 'column', column: toColumn - HEAD_COLUMNS, isDown: false })
  const choose = (toRow: number, toColumn: number) => {
    setAt({ row: toRow, column: toColumn })
    const target = rows[toRow]
    if (target) onChoose(target, target.cells[toColumn - HEAD_COLUMNS]?.a?.id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor((view.height - HEAD) / ROW) - 1)
    const activate = () => (row < 0 ? sortBy(column) : choose(row, column))
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(row + 1, column),
      ArrowUp: () => go(row - 1, column),
      ArrowRight: () => go(row, column + 1),
      ArrowLeft: () => go(row, column - 1),
      Home: () => go(event.ctrlKey ? 0 : row, 0),
      End: () => go(event.ctrlKey ? rows.length - 1 : row, columns - 1),
      PageDown: () => go(row + page, column),
      PageUp: () => go(Math.max(0, row - page), column),
      Enter: activate,
      ' ': activate,
    }
    const act = keys[event.key]
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  const vertical = itemsInView(view.top, view.height, ROW, rows.length, MARGIN)
  const horizontal = itemsInView(view.left, Math.max(0, view.width - lead), cell, heads.length, MARGIN)
  const drawn = rows.slice(vertical.first, vertical.end).map((each, index) => ({ each, index: vertical.first + index }))
  // The row that has the keyboard is always drawn, so that it can be named.
  if (row >= 0 && (row < vertical.first || row >= vertical.end)) drawn.push({ each: rows[row]!, index: row })
  const shared = { id, cell, horizontal, current: column, isCompared }
  return (
    // biome-ignore lint/a11y/useSemanticElements: only the rows in view are there, which a table does not do.
    <div
      class={`run-matrix${lead === LEAD.narrow ? ' narrow' : ''}${isCompared ? ' compared' : ''}`}
      role="grid"
      aria-label="Tasks and runs"
      aria-rowcount={rows.length + 1}
      aria-colcount={columns}
      aria-activedescendant={`${id}-${row}-${column}`}
      tabIndex={0}
      ref={box}
      onKeyDown={onKeyDown}
    >
      <div
        class="matrix-inner"
        role="presentation"
        style={{ width: `${lead + heads.length * cell}px`, height: `${HEAD + rows.length * ROW}px` }}
      >
        <MatrixHead {...shared} heads={heads} sort={sort} isCurrent={row < 0} onSort={sortBy} />
        {drawn.map(({ each, index }) => (
          <MatrixLine
            key={each.key}
            {...shared}
            row={each}
            index={index}
            top={HEAD + index * ROW}
            content={content}
            isCurrent={index === row}
            chosen={chosen?.task === each.task.name ? (chosen.episode ?? '') : undefined}
            onChoose={(toColumn) => choose(index, toColumn)}
          />
        ))}
      </div>
    </div>
  )
}

/** Columns before those of the episodes: task, success, steps. */
const HEAD_COLUMNS = 3

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
function MatrixHead({ id, cell, horizontal, current, heads, sort, isCurrent, onSort }: HeadProps) {
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
function MatrixLine({ id, cell, horizontal, current, isCompared, ...props }: LineProps) {
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
            <EpisodeMark of={each.a} content={content} />
            {isCompared && <EpisodeMark of={each.b} content={content} />}
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
