import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { alignRecordings } from '../../model/alignment.ts'
import type { ElementPlace } from '../../model/element.ts'
import { createTreeReader } from '../../model/read-recording.ts'
import { SHOW_ALL, type StepRange, stepLink, stepOfLink } from '../../model/step-list.ts'
import { type TimeAxis, timeScale } from '../../model/time-line.ts'
import { compareTrees } from '../../model/tree-changes.ts'
import { Shell } from '../ui/shell.tsx'
import { Details, type DetailTab } from './details.tsx'
import { HelpDialog, OpenHere, Summary } from './header.tsx'
import { type PictureMode, ScreenPanel } from './screen-panel.tsx'
import { momentAtPair, PairPanel, type RecordingSide, SIDE_LABELS, SideBySide } from './side-by-side.tsx'
import type { LoadedPage } from './source.ts'
import { StepPanel } from './step-panel.tsx'
import { TimeLine } from './time-line.tsx'

interface ViewProps {
  readonly page: LoadedPage
  /** How many tiles of pictures cannot be shown. */
  readonly missing: number
}

/** How long a step is shown while the recording plays, in milliseconds. */
const PLAY_MS = 400

/** A loaded recording: time line, steps, screen and details. */
export function RecordingView({ page: { main, other, isServed }, missing }: ViewProps) {
  const { recording, pictures } = main
  const last = recording.steps.length
  const { number, latest, go: setNumber } = useStepNumber(last)
  const [mode, setMode] = useState<PictureMode>('at')
  const [tab, setTab] = useState<DetailTab>('call')
  const [filter, setFilter] = useState(SHOW_ALL)
  const [axis, setAxis] = useState<TimeAxis>('time')
  const [hovered, setHovered] = useState<ElementPlace>()
  const [selected, setSelected] = useState<ElementPlace>()
  const [event, setEvent] = useState<number>()
  const [hasHelp, setHasHelp] = useState(false)
  const [isPlaying, setIsPlaying] = useState(false)
  const [isComparing, setIsComparing] = useState(false)
  const [pair, showPair] = useState(-1)
  const [chosenSide, setSide] = useState<RecordingSide>('left')
  const latestPair = useRef(pair)
  const searchBox = useRef<HTMLDivElement>(null)

  const alignment = useMemo(
    () => (isComparing && other ? alignRecordings(recording, other.recording) : undefined),
    [isComparing, recording, other],
  )
  // Time line and details are those of one side.
  const sideName: RecordingSide = alignment ? chosenSide : 'left'
  const shown = sideName === 'right' && other ? other : main
  const { moments, steps, lostAt } = shown.recording
  const shownNumber = alignment ? momentAtPair(alignment.pairs, pair, sideName) : number
  const scale = useMemo(() => timeScale(moments, axis), [moments, axis])
  const treesAt = useMemo(() => createTreeReader(shown.recording.tables), [shown])
  const after = treesAt(moments[shownNumber]!.desk)
  const previous = moments[shownNumber - 1]?.desk
  const before = previous === undefined ? after : treesAt(previous)
  const trees = useMemo(() => compareTrees(before, after), [before, after])

  const setPair = (to: number) => {
    latestPair.current = to
    showPair(to)
  }
  const goPair = (to: number) => {
    if (!alignment) return
    const next = Math.max(-1, Math.min(alignment.pairs.length - 1, to))
    setPair(next)
    setNumber(momentAtPair(alignment.pairs, next, 'left'))
  }
  /** Shows a step of the side that the time line shows. */
  const show = (to: number) => {
    if (!alignment) return setNumber(to)
    goPair(to <= 0 ? -1 : alignment.pairs.findIndex((each) => each[sideName] === Math.min(steps.length, to)))
  }
  const go = (to: number) => {
    setIsPlaying(false)
    show(to)
  }
  // Another way to a step, such as the address, also chooses its pair.
  useEffect(() => {
    if (alignment && momentAtPair(alignment.pairs, pair, 'left') !== number)
      setPair(alignment.pairs.findIndex(({ left }) => left === number))
  }, [alignment, number])
  useEffect(() => {
    if (!isPlaying) return
    if (shownNumber >= steps.length) return setIsPlaying(false)
    const timer = setTimeout(() => show(shownNumber + 1), PLAY_MS)
    return () => clearTimeout(timer)
  }, [isPlaying, shownNumber, sideName])
  const play = () => {
    if (!isPlaying && shownNumber >= steps.length) show(0)
    setIsPlaying(!isPlaying && steps.length > 0)
  }
  const setRange = (range: StepRange | undefined) => setFilter((known) => ({ ...known, range }))
  /** Moves an end of the range to the step that is shown. */
  const endRange = (end: 'from' | 'to') => {
    const here = Math.max(1, latest())
    if (last === 0) return
    setFilter((known) => {
      const { from, to } = known.range ?? { from: 1, to: last }
      const range = end === 'from' ? { from: here, to: Math.max(here, to) } : { from: Math.min(from, here), to: here }
      return { ...known, range }
    })
  }
  const { range } = filter
  const goLost = () => lostAt !== undefined && go(lostAt)
  const goError = () => {
    const here = alignment ? shownNumber : latest()
    const next = steps.find((step) => !step.ok && step.number > here) ?? steps.find((step) => !step.ok)
    if (next) go(next.number)
  }
  const compare = () => other && setIsComparing(!isComparing)
  const diverge = () => {
    if (!other) return
    setIsComparing(true)
    const found = alignment ?? alignRecordings(recording, other.recording)
    if (!found.divergence) return
    setPair(found.divergence.pair)
    setNumber(momentAtPair(found.pairs, found.divergence.pair, 'left'))
  }
  useKeys({
    ArrowLeft: () => (alignment ? goPair(latestPair.current - 1) : go(latest() - 1)),
    ArrowRight: () => (alignment ? goPair(latestPair.current + 1) : go(latest() + 1)),
    Home: () => (alignment ? goPair(-1) : go(0)),
    End: () => (alignment ? goPair(alignment.pairs.length) : go(last)),
    ' ': play,
    1: () => setMode('before'),
    2: () => setMode('at'),
    3: () => setMode('after'),
    4: () => setMode('changes'),
    '[': () => endRange('from'),
    ']': () => endRange('to'),
    Escape: () => setRange(undefined),
    '/': () => searchBox.current?.querySelector<HTMLElement>('input[type="search"]')?.focus(),
    n: goError,
    l: goLost,
    c: compare,
    d: diverge,
    s: () => alignment && setSide(sideName === 'left' ? 'right' : 'left'),
    '?': () => setHasHelp(true),
  })

  const isEmpty = last === 0
  const warnings =
    missing === 0
      ? []
      : [missing === 1 ? '1 tile of the pictures is missing.' : `${missing} tiles of the pictures are missing.`]
  const side = alignment && other && { main, other, alignment, at: pair, onGo: goPair, side: sideName, onSide: setSide }
  return (
    <Shell
      entrance="Recording"
      title={recording.title}
      status={isEmpty ? 'No steps' : undefined}
      actions={
        <>
          {isServed && recording.source === 'backlot' && recording.scenario && <OpenHere number={number} />}
          {other && (
            <button type="button" aria-pressed={isComparing} onClick={compare}>
              Compare
            </button>
          )}
          <button type="button" class="quiet icon" aria-label="Keys" title="Keys (?)" onClick={() => setHasHelp(true)}>
            ?
          </button>
        </>
      }
    >
      <div class="recording">
        <Summary recording={recording} warnings={warnings} />
        <TimeLine
          {...{ recording: shown.recording, pictures: shown.pictures, scale, number: shownNumber, isPlaying }}
          title={side && `Time line: ${SIDE_LABELS[sideName]}`}
          onAxis={setAxis}
          onGo={go}
          range={side ? undefined : range}
          onRange={side ? undefined : setRange}
          onPlay={play}
        />
        <div class={side ? 'recording-parts comparing' : 'recording-parts'} ref={searchBox}>
          {side ? (
            <PairPanel {...side} />
          ) : (
            <StepPanel
              {...{ recording, number, filter }}
              onGo={go}
              onFilter={setFilter}
              onEvent={(index) => {
                go(Math.min(last, recording.events[index]!.after))
                setEvent(index)
                setTab('events')
              }}
            />
          )}
          {side ? (
            <SideBySide {...side} />
          ) : (
            <ScreenPanel
              {...{ recording, pictures, number, mode, before, after, hovered, selected }}
              onMode={setMode}
              onHover={setHovered}
              onSelect={(place) => {
                setSelected(place)
                if (place) setTab('tree')
              }}
            />
          )}
          <Details
            {...{ recording: shown.recording, number: shownNumber, tab, trees, hovered, selected }}
            event={side ? undefined : event}
            label={side ? `Details: ${SIDE_LABELS[sideName]}` : 'Details'}
            onTab={setTab}
            onGo={go}
            onHover={setHovered}
            onSelect={setSelected}
          />
        </div>
      </div>
      {hasHelp && <HelpDialog onClose={() => setHasHelp(false)} />}
    </Shell>
  )
}

/** How long a step must be shown until it becomes an entry of the browser's history, in milliseconds. */
const HISTORY_MS = 250

/** The step that the page shows. */
export interface StepNumber {
  readonly number: number
  /** The step that was chosen last, also before the page shows it: keys may come faster than pictures. */
  latest(): number
  go(number: number): void
}

/**
 * The step that the page shows. It follows the address, and the address follows it when it rests, so that back and
 * forward go to the steps that the user looked at.
 * @param last The number of the last step.
 */
function useStepNumber(last: number): StepNumber {
  const [number, setNumber] = useState(() => stepOfLink(location.hash, last) ?? Math.min(1, last))
  const latest = useRef(number)
  const go = (to: number) => {
    latest.current = Math.max(0, Math.min(last, to))
    setNumber(latest.current)
  }
  useEffect(() => {
    const follow = () => {
      const linked = stepOfLink(location.hash, last)
      if (linked !== undefined) go(linked)
    }
    addEventListener('hashchange', follow)
    addEventListener('popstate', follow)
    return () => {
      removeEventListener('hashchange', follow)
      removeEventListener('popstate', follow)
    }
  }, [last])
  useEffect(() => {
    const linked = stepOfLink(location.hash, last)
    if (linked === number) return
    const write = () => {
      if (linked === undefined) history.replaceState(null, '', stepLink(number))
      else history.pushState(null, '', stepLink(number))
    }
    const timer = setTimeout(write, HISTORY_MS)
    return () => clearTimeout(timer)
  }, [number, last])
  return { number, latest: () => latest.current, go }
}

/** Calls the action of a key, unless the user writes or chooses in a control. */
function useKeys(actions: Readonly<Record<string, () => void>>): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const target = event.target
      if (!(target instanceof HTMLElement) || target.closest('dialog')) return
      const isWriting = target.matches('select, textarea, input:not([type="checkbox"], [type="radio"])')
      if (isWriting && !(event.key === 'Escape' || (target.matches('.track input') && !MOVES.has(event.key)))) return
      // A button is pressed by the space bar.
      if (event.key === ' ' && target.matches('button, summary, a, [role="tree"], [role="listbox"], input')) return
      const act = latest.current[event.key.length === 1 ? event.key.toLowerCase() : event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** The keys that a slider uses itself. */
const MOVES: ReadonlySet<string> = new Set(['ArrowLeft', 'ArrowRight', 'Home', 'End'])
