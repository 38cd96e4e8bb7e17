import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Moment, Recording } from '../../model/recording.ts'
import type { StepRange } from '../../model/step-list.ts'
import {
  durationText,
  roundTicks,
  stripMoments,
  type TimeAxis,
  type TimeScale,
  timeOfDay,
} from '../../model/time-line.ts'
import { useScrollView } from '../ui/lists.ts'
import { Panel } from '../ui/panel.tsx'
import type { Pictures } from './pictures.ts'

interface TimeLineProps {
  readonly title?: string | undefined
  readonly recording: Recording
  readonly pictures: Pictures
  readonly scale: TimeScale
  readonly onAxis: (axis: TimeAxis) => void
  /** The moment that the page shows. */
  readonly number: number
  readonly onGo: (number: number) => void
  readonly range: StepRange | undefined
  /** Absent where no range can be selected. */
  readonly onRange: ((range: StepRange | undefined) => void) | undefined
  readonly isPlaying: boolean
  readonly onPlay: () => void
}

/** A press that moves less than this many pixels is a click. */
const DRAG = 5

/** The run over time: film strip, marks of steps and events, and the scrubber. */
export function TimeLine(props: TimeLineProps) {
  const { recording, pictures, scale, onAxis, number, onGo, range, onRange, isPlaying, onPlay } = props
  const { moments, steps } = recording
  const last = steps.length
  const box = useRef<HTMLDivElement>(null)
  const { width } = useScrollView(box)
  const press = useRef<{ readonly place: number; readonly selects: boolean; isDrag: boolean } | undefined>(undefined)
  const strip = useMemo(
    () => <FilmStrip moments={moments} scale={scale} pictures={pictures} width={width} />,
    [moments, scale, pictures, width],
  )
  const marks = useMemo(() => <Marks recording={recording} scale={scale} />, [recording, scale])
  const axis = useMemo(() => <Axis recording={recording} scale={scale} width={width} />, [recording, scale, width])

  const placeOf = ({ clientX }: PointerEvent): number => {
    const { left, width: whole } = box.current!.getBoundingClientRect()
    return Math.max(0, Math.min(1, (clientX - left) / whole))
  }
  const onPointerDown = (selects: boolean) => (event: PointerEvent) => {
    if (event.button !== 0) return
    const place = placeOf(event)
    press.current = { place, selects: selects || event.shiftKey, isDrag: false }
    box.current!.setPointerCapture(event.pointerId)
    if (!press.current.selects) onGo(scale.nearest(place))
  }
  const onPointerMove = (event: PointerEvent) => {
    const started = press.current
    if (!started) return
    const place = placeOf(event)
    if (!started.selects) return onGo(scale.nearest(place))
    if (Math.abs(place - started.place) * width >= DRAG) started.isDrag = true
    if (!started.isDrag || !onRange) return
    const [from, to] = [scale.nearest(Math.min(place, started.place)), scale.nearest(Math.max(place, started.place))]
    onRange({ from: Math.max(1, from), to: Math.max(1, to) })
  }
  const onPointerUp = (event: PointerEvent) => {
    const started = press.current
    press.current = undefined
    if (started?.selects && !started.isDrag) onGo(scale.shownAt(placeOf(event)))
  }

  const percent = (moment: number) => `${scale.placeOf(moment) * 100}%`
  const moment = moments[number]!
  const step = steps[number - 1]
  const wall = step?.wallTime ?? (number === 0 ? recording.startedAt : undefined)
  const where = `${number === 0 ? 'start' : `step ${number} of ${last}`} · ${durationText(moment.atMs)}`
  return (
    <Panel
      class="time-panel"
      title={props.title ?? 'Time line'}
      note={
        <>
          {where}
          {wall !== undefined && <span title="Wall time"> · {timeOfDay(wall)}</span>}
        </>
      }
      actions={
        <div class="row">
          {range ? (
            <>
              <span class="badge">
                steps {range.from}–{range.to}
              </span>
              <button type="button" onClick={() => onRange?.(undefined)}>
                Clear range
              </button>
            </>
          ) : (
            <>
              <ul class="time-legend">
                <li>acts</li>
                <li class="reads">observes</li>
                <li class="errors">error</li>
                {recording.events.length > 0 && <li class="events">event</li>}
              </ul>
              {onRange && <span class="muted hint">· Drag over the pictures to select a range</span>}
            </>
          )}
          <label class="axis-choice">
            <span class="sr-only">Axis</span>
            <select value={scale.axis} onChange={(event) => onAxis(event.currentTarget.value as TimeAxis)}>
              <option value="time">Virtual time</option>
              <option value="steps">Steps</option>
            </select>
          </label>
          <button
            type="button"
            class="icon"
            aria-label="Previous step"
            disabled={number === 0}
            onClick={() => onGo(number - 1)}
          >
            ‹
          </button>
          <button
            type="button"
            class="icon"
            aria-label={isPlaying ? 'Pause' : 'Play'}
            disabled={last === 0}
            onClick={onPlay}
          >
            {isPlaying ? '❚❚' : '▶'}
          </button>
          <button
            type="button"
            class="icon"
            aria-label="Next step"
            disabled={number === last}
            onClick={() => onGo(number + 1)}
          >
            ›
          </button>
        </div>
      }
    >
      <div
        class="time-line"
        ref={box}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
      >
        <div class="strip-box" onPointerDown={onPointerDown(true)}>
          {strip}
        </div>
        <div class="track" onPointerDown={onPointerDown(false)}>
          {marks}
          <input
            type="range"
            aria-label="Step"
            aria-valuetext={step ? `${where}: ${step.tool}` : where}
            min={0}
            max={last}
            value={number}
            onInput={(event) => onGo(Number(event.currentTarget.value))}
          />
          <span class="thumb" style={{ left: percent(number) }} />
        </div>
        {range && (
          <div
            class="range"
            style={{
              left: percent(range.from),
              width: `${(scale.placeOf(range.to) - scale.placeOf(range.from)) * 100}%`,
            }}
          />
        )}
        {recording.lostAt !== undefined && recording.lostAt <= last && (
          <div
            class="lost-line"
            title={`Success was impossible after step ${recording.lostAt}`}
            style={{ left: percent(recording.lostAt) }}
          />
        )}
        <div class="now-line" style={{ left: percent(number) }} />
        {axis}
      </div>
    </Panel>
  )
}

interface MarksProps {
  readonly recording: Recording
  readonly scale: TimeScale
}

/** Steps and events as strokes, one path for each kind. */
function Marks({ recording: { steps, events }, scale }: MarksProps) {
  const path = (numbers: readonly number[], top: number, bottom: number) =>
    [...new Set(numbers)].map((number) => `M${(scale.placeOf(number) * 1000).toFixed(2)} ${top}V${bottom}`).join('')
  const numbers = (isWanted: (step: (typeof steps)[number]) => boolean) =>
    steps.filter(isWanted).map(({ number }) => number)
  return (
    <svg class="marks" viewBox="0 0 1000 24" preserveAspectRatio="none" aria-hidden="true">
      <path
        class="reads"
        d={path(
          numbers(({ acts, ok }) => !acts && ok),
          11,
          20,
        )}
      />
      <path
        class="acts"
        d={path(
          numbers(({ acts, ok }) => acts && ok),
          6,
          20,
        )}
      />
      <path
        class="errors"
        d={path(
          numbers(({ ok }) => !ok),
          4,
          20,
        )}
      />
      <path
        class="events"
        d={path(
          events.map(({ after }) => Math.min(after, steps.length)),
          1,
          4,
        )}
      />
    </svg>
  )
}

interface AxisProps extends MarksProps {
  readonly width: number
}

/** Virtual time, or numbers of steps, and below them the wall time. */
function Axis({ recording: { steps, startedAt }, scale, width }: AxisProps) {
  const isTime = scale.axis === 'time'
  const whole = isTime ? scale.durationMs : steps.length
  const marks = roundTicks(whole, Math.max(1, Math.floor(width / 110))).filter(
    (mark) => isTime || Number.isInteger(mark),
  )
  const wallAt = (place: number) => {
    const step = steps[scale.shownAt(place + 1e-9) - 1]
    return step ? step.wallTime : startedAt
  }
  return (
    <div class="time-axis" aria-hidden="true">
      {marks.map((mark) => {
        const place = whole === 0 ? 0 : mark / whole
        const wall = wallAt(place)
        const side = place < 0.04 ? 'first' : place > 0.94 ? 'last' : ''
        return (
          <span key={mark} class={side} style={{ left: `${place * 100}%` }}>
            {isTime ? durationText(mark) : mark}
            {wall !== undefined && <small>{timeOfDay(wall).replace(/\.\d+$/, '')}</small>}
          </span>
        )
      })}
    </div>
  )
}

interface FilmStripProps {
  readonly moments: readonly Moment[]
  readonly scale: TimeScale
  readonly pictures: Pictures
  /** In pixels. */
  readonly width: number
}

/** The width of one picture in pixels, without the gap after it. */
const [SLOT, GAP] = [104, 2]

/** Small pictures of what the screen showed, at equal distances on the time line. */
function FilmStrip({ moments, scale, pictures, width }: FilmStripProps) {
  const slots = Math.max(1, Math.floor((width + GAP) / (SLOT + GAP)))
  return (
    <div class="film-strip" aria-hidden="true">
      {width > 0 &&
        stripMoments(scale, slots).map((moment, slot) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a slot is its place.
          <Slot key={slot} frame={moments[moment]!.frame} pictures={pictures} />
        ))}
    </div>
  )
}

function Slot({ frame, pictures }: { readonly frame: number | undefined; readonly pictures: Pictures }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    const picture = pictures.picture(frame)
    if (!element || !picture || frame === undefined) return
    element.width = SLOT * 2
    element.height = Math.max(1, Math.round((SLOT * 2 * picture.height) / picture.width))
    void pictures.drawSmall(frame, element.getContext('2d')!)
  }, [frame, pictures])
  return <span class="slot">{frame !== undefined && <canvas ref={canvas} />}</span>
}
