import { useState } from 'preact/hooks'
import { callRows, callWords, type LiveCall, type LiveElement, timeWords } from '../../model/live.ts'
import type { FiredEntry } from '../../model/recording.ts'
import { keyed } from '../ui/lists.ts'
import { Empty, Properties } from '../ui/panel.tsx'
import { elementWords } from './stage.tsx'

interface LogProps {
  readonly calls: readonly LiveCall[]
  /** What happened since the latest call. */
  readonly fired: readonly FiredEntry[]
  readonly onShow: (element: LiveElement | undefined) => void
  readonly onExplain: (sequence: number) => void
  /** Absent on a desktop without a rewind. */
  readonly onRewind?: ((step: number) => void) | undefined
}

/** The lines that are drawn at first. */
const PAGE = 100

/** The calls of the session, newest first. Each opens to its arguments, result and what it made happen. */
export function LogPanel({ calls, fired, onShow, onExplain, onRewind }: LogProps) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [count, setCount] = useState(PAGE)
  const [isActing, setActing] = useState(false)
  const rows = callRows(isActing ? calls.filter(({ kind }) => kind !== 'look') : calls)
  const toggle = (sequence: number) => {
    const next = new Set(open)
    if (!next.delete(sequence)) next.add(sequence)
    setOpen(next)
  }
  return (
    <div class="log">
      <label class="check pad-small">
        <input type="checkbox" checked={isActing} onChange={(event) => setActing(event.currentTarget.checked)} />
        without observations
      </label>
      {fired.length > 0 && (
        <div class="call since">
          <span class="muted">since the latest call</span>
          <Fired fired={fired} />
        </div>
      )}
      {rows.length === 0 && <Empty>No call yet. The calls of agents, and your own, appear here.</Empty>}
      <ol>
        {rows.slice(0, count).map(({ call, count: times, startMs }) => (
          <li key={call.sequence} class="call">
            <button
              type="button"
              class="call-head"
              aria-expanded={open.has(call.sequence)}
              onClick={() => toggle(call.sequence)}
              onMouseEnter={() => onShow(call.hit ?? undefined)}
              onMouseLeave={() => onShow(undefined)}
            >
              <span class="number">{call.sequence}</span>
              <span class={call.ok ? 'tool' : 'tool bad'}>{call.tool}</span>
              {times > 1 && <span class="badge">× {times}</span>}
              <span class="clip muted">
                {times > 1 ? timeWords(call.end_ms - startMs) : (hitWords(call.hit) ?? callWords(call))}
              </span>
              <span class="grow" />
              <Outcome call={call} />
              <span class={call.caller === 'person' ? 'badge person' : 'badge'}>{call.caller}</span>
              <span class="number">{timeWords(call.end_ms)}</span>
            </button>
            {open.has(call.sequence) && <CallDetails call={call} onExplain={onExplain} onRewind={onRewind} />}
          </li>
        ))}
      </ol>
      {rows.length > count && (
        <p class="pad-small">
          <button type="button" onClick={() => setCount(count + PAGE)}>
            Show {Math.min(PAGE, rows.length - count)} more
          </button>
        </p>
      )}
    </div>
  )
}

const hitWords = (hit: LiveElement | null): string | undefined => (hit ? elementWords(hit) : undefined)

function Outcome({ call: { ok, error, changed, fired } }: { readonly call: LiveCall }) {
  if (!ok) return <span class="badge bad">{error?.code ?? 'failed'}</span>
  return (
    <>
      {fired.length > 0 && <span class="badge warn">{fired.length} fired</span>}
      {changed !== null && <span class={changed ? 'badge good' : 'badge'}>{changed ? 'changed' : 'no change'}</span>}
    </>
  )
}

type DetailsProps = Pick<LogProps, 'onExplain' | 'onRewind'> & { readonly call: LiveCall }

function CallDetails({ call, onExplain, onRewind }: DetailsProps) {
  const { args, summary, error, hit, fired, step, sequence } = call
  const time = `${timeWords(call.start_ms)} – ${timeWords(call.end_ms)}, ${timeWords(call.wall_ms)} real`
  return (
    <div class="call-details">
      <Properties
        of={[
          ['arguments', <pre key="args">{jsonText(args)}</pre>],
          ...(error ? [['error', `${error.code}: ${error.message}`] as const] : []),
          ...(hit ? [['received by', `${hit.selector} in ${hit.window || hit.window_uid}`] as const] : []),
          ['result', <pre key="result">{jsonText(summary)}</pre>],
          ['fired', fired.length === 0 ? 'nothing' : <Fired key="fired" fired={fired} />],
          ['time', `${time}, ${call.wall_time}`],
        ]}
      />
      <div class="row pad-small">
        {call.explainable && (
          <button type="button" onClick={() => onExplain(sequence)}>
            Why these reactions?
          </button>
        )}
        {onRewind && step !== null && (
          <button type="button" onClick={() => onRewind(step)}>
            Rewind to after it
          </button>
        )}
      </div>
    </div>
  )
}

/** What happened in the scenario. */
export const Fired = ({ fired }: { readonly fired: readonly FiredEntry[] }) => (
  <ul class="fired">
    {keyed(fired).map(({ key, item: { kind, text } }) => (
      <li key={key}>
        <span class="badge">{kind}</span> {text}
      </li>
    ))}
  </ul>
)

/** A value as JSON, on one line if it is short. */
export function jsonText(value: unknown): string {
  const line = JSON.stringify(value) ?? 'undefined'
  return line.length <= 80 ? line : JSON.stringify(value, undefined, 2)
}
