import type { Alignment, StepPair } from '../../model/alignment.ts'
import type { Recording } from '../../model/recording.ts'
import { callText } from '../../model/step-list.ts'
import { Empty, Panel } from '../ui/panel.tsx'
import { ScreenView } from '../ui/screen.tsx'
import type { LoadedRecording } from './source.ts'
import { RowList } from './step-panel.tsx'

/** One of two recordings. */
export type RecordingSide = 'left' | 'right'

export const SIDE_LABELS: Readonly<Record<RecordingSide, string>> = { left: 'Left run', right: 'Right run' }

interface SideBySideProps {
  readonly main: LoadedRecording
  readonly other: LoadedRecording
  readonly alignment: Alignment
  /** The index of the pair that is shown; -1 for the start. */
  readonly at: number
  readonly onGo: (pair: number) => void
  /** The recording of which time line and details are shown. */
  readonly side: RecordingSide
  readonly onSide: (side: RecordingSide) => void
}

/** The number of the moment that a side shows at a pair: after its step, or after the last one before. */
export function momentAtPair(pairs: readonly StepPair[], at: number, side: RecordingSide): number {
  for (let index = at; index >= 0; index--) {
    const number = pairs[index]?.[side]
    if (number !== undefined) return number
  }
  return 0
}

/** The screens of two recordings after steps that belong together. */
export function SideBySide({ main, other, alignment, at, onGo, side: shownSide, onSide }: SideBySideProps) {
  const { pairs, divergence } = alignment
  const side = (name: RecordingSide, { recording, pictures }: LoadedRecording) => {
    const number = momentAtPair(pairs, at, name)
    const step = recording.steps[number - 1]
    const picture = pictures.picture(recording.moments[number]!.frame)
    const verdict = recording.verdict
    return (
      <figure class={name === shownSide ? 'shown' : ''}>
        <figcaption>
          <span class="muted">{SIDE_LABELS[name]}</span>
          <strong class="clip">{recording.title}</strong>
          {verdict && (
            <span class={`badge ${verdict.success ? 'good' : 'bad'}`}>
              {verdict.success ? 'success' : 'no success'}
            </span>
          )}
          <span class="clip muted mono">{step ? `${number}: ${callText(step, recording)}` : 'Start'}</span>
        </figcaption>
        {picture ? (
          <ScreenView
            picture={picture}
            label={`The screen of the ${name} recording after ${step ? `step ${number}` : 'its start'}`}
            mark={step?.point}
          />
        ) : (
          <Empty>No picture of this moment.</Empty>
        )}
      </figure>
    )
  }
  return (
    <Panel
      class="screen-panel"
      title="Side by side"
      note={at < 0 ? 'start' : `pair ${at + 1} of ${pairs.length}`}
      actions={
        <fieldset class="segments">
          <legend class="sr-only">Time line and details of</legend>
          {(['left', 'right'] as const).map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === shownSide}
              title="Time line and details of this run (key S)"
              onClick={() => onSide(name)}
            >
              {SIDE_LABELS[name]}
            </button>
          ))}
        </fieldset>
      }
    >
      <div class="divergence" role="status">
        {divergence ? (
          <>
            <p>
              <span class={`badge ${divergence.who === 'agent' ? 'warn' : 'bad'}`}>
                {divergence.who === 'agent' ? 'The agent diverged first' : 'The environment diverged first'}
              </span>{' '}
              {divergence.pair < 0 ? 'At the start' : `At pair ${divergence.pair + 1}`}: {divergence.reason}
            </p>
            <button type="button" onClick={() => onGo(divergence.pair)} disabled={divergence.pair === at}>
              First divergence
            </button>
          </>
        ) : (
          <p class="good">✓ The recordings do not diverge.</p>
        )}
        {!alignment.comparesPictures && <p class="muted">The pictures differ from the start, and are not compared.</p>}
      </div>
      <div class="sides">
        {side('left', main)}
        {side('right', other)}
      </div>
    </Panel>
  )
}

/** The steps of both recordings in pairs. */
export function PairPanel({ main, other, alignment, at, onGo }: SideBySideProps) {
  const { pairs } = alignment
  const rows = [-1, ...pairs.keys()]
  const differing = pairs.filter(({ isSame }) => !isSame).length
  return (
    <Panel
      class="step-panel"
      title="Pairs"
      note={differing === 0 ? 'all equal' : `${differing} of ${pairs.length} differ`}
    >
      <RowList
        label="Pairs of steps"
        rows={rows}
        chosen={at + 1}
        height={46}
        keyOf={String}
        classOf={(index) => (index < 0 || pairs[index]!.isSame ? '' : 'differs')}
        onChoose={onGo}
        empty="Neither recording has steps."
      >
        {(index) => <Pair pair={pairs[index]} left={main.recording} right={other.recording} />}
      </RowList>
    </Panel>
  )
}

function Pair({
  pair,
  left,
  right,
}: {
  readonly pair: StepPair | undefined
  readonly left: Recording
  readonly right: Recording
}) {
  if (!pair)
    return (
      <>
        <span class="number">0</span>
        <span class="what">
          <b>Start</b>
          <span class="muted">the desktops before the first steps</span>
        </span>
      </>
    )
  const half = (recording: Recording, number: number | undefined) => {
    const step = number === undefined ? undefined : recording.steps[number - 1]
    return (
      <span class="what">
        <b class="clip">{step ? `${step.number} ${step.tool}` : '–'}</b>
        <span class="muted clip mono">{step && callText(step, recording).slice(step.tool.length)}</span>
      </span>
    )
  }
  return (
    <>
      <span class="number" title={pair.isSame ? 'equal' : 'differ'}>
        {pair.isSame ? '=' : '≠'}
      </span>
      {half(left, pair.left)}
      {half(right, pair.right)}
    </>
  )
}
