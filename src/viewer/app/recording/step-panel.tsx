import type { ComponentChildren } from 'preact'
import { useEffect, useId, useMemo, useRef } from 'preact/hooks'
import type { Recording } from '../../model/recording.ts'
import { callText, createStepList, type ListRow, type StepFilter, toolsOf } from '../../model/step-list.ts'
import { durationText } from '../../model/time-line.ts'
import { useScrollView } from '../ui/lists.ts'
import { Empty, Panel } from '../ui/panel.tsx'

interface StepPanelProps {
  readonly recording: Recording
  readonly number: number
  readonly onGo: (number: number) => void
  /** Called with the index of an event. */
  readonly onEvent: (index: number) => void
  readonly filter: StepFilter
  readonly onFilter: (filter: StepFilter) => void
}

/** The steps and events that pass the filter. */
export function StepPanel({ recording, number, onGo, onEvent, filter, onFilter }: StepPanelProps) {
  const list = useMemo(() => createStepList(recording), [recording])
  const rows = useMemo(() => list(filter), [list, filter])
  const tools = useMemo(() => toolsOf(recording), [recording])
  const shown = rows.filter(({ kind }) => kind === 'step').length
  const total = recording.steps.length
  const at = rows.findIndex((row) => row.kind !== 'event' && row.number === number)
  const change = (part: Partial<StepFilter>) => onFilter({ ...filter, ...part })
  return (
    <Panel class="step-panel" title="Steps" note={shown === total ? total : `${shown} of ${total}`}>
      <div class="step-filter">
        <input
          type="search"
          placeholder="Filter steps"
          aria-label="Filter steps by text"
          value={filter.text}
          onInput={(event) => change({ text: event.currentTarget.value })}
        />
        <select aria-label="Tool" value={filter.tool} onChange={(event) => change({ tool: event.currentTarget.value })}>
          <option value="">All tools</option>
          {tools.map((tool) => (
            <option key={tool} value={tool}>
              {tool}
            </option>
          ))}
        </select>
        <label class="check">
          <input
            type="checkbox"
            checked={filter.errors}
            onChange={(event) => change({ errors: event.currentTarget.checked })}
          />
          Errors
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={filter.acting}
            onChange={(event) => change({ acting: event.currentTarget.checked })}
          />
          Acting only
        </label>
      </div>
      <RowList
        label="Steps"
        rows={rows}
        chosen={at}
        height={46}
        keyOf={(row) => (row.kind === 'event' ? `event-${row.index}` : `step-${row.number}`)}
        onChoose={(row) => (row.kind === 'event' ? onEvent(row.index) : onGo(row.number))}
        empty={total === 0 ? 'The recording has no steps.' : 'No step passes the filter.'}
      >
        {(row) => <Row row={row} recording={recording} />}
      </RowList>
    </Panel>
  )
}

function Row({ row, recording }: { readonly row: ListRow; readonly recording: Recording }) {
  if (row.kind === 'start')
    return (
      <>
        <span class="number">0</span>
        <span class="what">
          <b>Start</b>
          <span class="muted">the desktop before the first step</span>
        </span>
      </>
    )
  if (row.kind === 'event')
    return (
      <>
        <span class="number" title={row.event.direction === 'in' ? 'to the agent' : 'from the agent'}>
          {row.event.direction === 'in' ? '→' : '←'}
        </span>
        <span class="what">
          <b class="event-name">{row.event.name}</b>
          <span class="muted">{row.event.protocol}</span>
        </span>
      </>
    )
  const { step } = row
  const args = callText(step, recording).slice(step.tool.length).trim()
  return (
    <>
      <span class={step.acts ? 'number acts' : 'number'}>{step.number}</span>
      <span class="what">
        <span class="first">
          <b class="clip">{step.tool}</b>
          {!step.ok && <span class="badge bad">{step.error?.code ?? 'error'}</span>}
          {step.ok && step.acts && step.changed === false && <span class="badge warn">no change</span>}
          {recording.lostAt === step.number && <span class="badge bad">lost</span>}
          <span class="grow" />
          <span class="muted time">{durationText(step.endMs)}</span>
        </span>
        <span class="muted clip mono">{args}</span>
      </span>
    </>
  )
}

interface RowListProps<Row> {
  readonly label: string
  readonly rows: readonly Row[]
  /** The index of the chosen row; -1 for none. */
  readonly chosen: number
  /** The height of a row in pixels. */
  readonly height: number
  readonly keyOf: (row: Row) => string
  readonly classOf?: (row: Row) => string
  readonly onChoose: (row: Row) => void
  /** What it says without rows. */
  readonly empty: string
  readonly children: (row: Row) => ComponentChildren
}

/** Rows that are drawn above and below those in view. */
const MARGIN = 6

/** A list of which one row is chosen. Draws only the rows in view. */
export function RowList<Row>(props: RowListProps<Row>) {
  const { label, rows, chosen, height, keyOf, classOf, onChoose, empty, children } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const view = useScrollView(box)
  useEffect(() => {
    const element = box.current
    if (!element || chosen < 0) return
    const top = chosen * height
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + height > element.scrollTop + element.clientHeight)
      element.scrollTop = top + height - element.clientHeight
  }, [chosen, rows])
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(view.height / height) - 1)
    const moves: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }
    const move = moves[event.key]
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    const row = rows[Math.max(0, Math.min(rows.length - 1, chosen + move))]
    if (row !== undefined) onChoose(row)
  }
  const first = Math.max(0, Math.floor(view.top / height) - MARGIN)
  const end = Math.min(rows.length, Math.ceil((view.top + view.height) / height) + MARGIN)
  const drawn = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index)
  // The row that has the keyboard is always drawn, so that it can be named.
  if (chosen >= 0 && (chosen < first || chosen >= end)) drawn.push(chosen)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it is a list unless it is empty.
    <div
      class="row-list"
      ref={box}
      {...(rows.length > 0 && { role: 'listbox', 'aria-label': label, tabIndex: 0 })}
      {...(chosen >= 0 && { 'aria-activedescendant': `${id}-${chosen}` })}
      onKeyDown={onKeyDown}
    >
      {rows.length === 0 && <Empty>{empty}</Empty>}
      <div class="rows" role="presentation" style={{ height: `${rows.length * height}px` }}>
        {drawn.map((at) => {
          const row = rows[at]!
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys.
            // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and names its active row.
            <div
              key={keyOf(row)}
              id={`${id}-${at}`}
              role="option"
              aria-selected={at === chosen}
              aria-setsize={rows.length}
              aria-posinset={at + 1}
              class={`list-row ${classOf?.(row) ?? ''}`}
              style={{ transform: `translateY(${at * height}px)`, height: `${height}px` }}
              onClick={() => onChoose(row)}
            >
              {children(row)}
            </div>
          )
        })}
      </div>
    </div>
  )
}
