import { useMemo } from 'preact/hooks'
import { type ElementPlace, elementOfPlace, type ViewerWindow, viewerElementAt } from '../../model/element.ts'
import type { Recording, ViewerStep } from '../../model/recording.ts'
import { Empty, Panel } from '../ui/panel.tsx'
import { type Outline, ScreenView } from '../ui/screen.tsx'
import type { Pictures } from './pictures.ts'
import { PixelChanges } from './pixel-changes.tsx'

/** The pictures of a step. */
export const PICTURE_MODES = ['before', 'at', 'after', 'changes'] as const
export type PictureMode = (typeof PICTURE_MODES)[number]

const LABELS: Readonly<Record<PictureMode, string>> = { before: 'Before', at: 'At', after: 'After', changes: 'Changes' }

interface ScreenPanelProps {
  readonly recording: Recording
  readonly pictures: Pictures
  readonly number: number
  readonly mode: PictureMode
  readonly onMode: (mode: PictureMode) => void
  /** The windows before and after the step. */
  readonly before: readonly ViewerWindow[]
  readonly after: readonly ViewerWindow[]
  readonly hovered: ElementPlace | undefined
  readonly selected: ElementPlace | undefined
  readonly onHover: (place: ElementPlace | undefined) => void
  readonly onSelect: (place: ElementPlace | undefined) => void
}

/** The screen before, at or after a step, with the input that it made. */
export function ScreenPanel(props: ScreenPanelProps) {
  const { recording, pictures, number, onMode, before, after, hovered, selected, onHover, onSelect } = props
  const step = recording.steps[number - 1]
  const mode = step ? props.mode : 'after'
  const isAfter = mode === 'after'
  const windows = isAfter ? after : before
  const moment = recording.moments[isAfter ? number : number - 1]!
  const picture = pictures.picture(moment.frame)
  const outlines = useMemo(
    () => [
      ...(mode === 'at' && step ? inputOutlines(step, windows) : []),
      ...outlineOf(windows, selected, 'selected'),
      ...outlineOf(windows, hovered, 'hover'),
    ],
    [mode, step, windows, selected, hovered],
  )
  const words = `The screen ${isAfter ? 'after' : 'before'} ${step ? `step ${number}, ${step.tool}` : 'the first step'}`
  return (
    <Panel
      class="screen-panel"
      title={step ? `Step ${number}` : 'Start'}
      note={step?.tool}
      actions={
        step && (
          <fieldset class="segments">
            <legend class="sr-only">Picture</legend>
            {PICTURE_MODES.map((name, index) => (
              <button
                key={name}
                type="button"
                aria-pressed={name === mode}
                title={`Key ${index + 1}`}
                onClick={() => onMode(name)}
              >
                {LABELS[name]}
              </button>
            ))}
          </fieldset>
        )
      }
    >
      {mode === 'changes' && step ? (
        <PixelChanges
          key={number}
          pictures={pictures}
          before={recording.moments[number - 1]!.frame}
          after={recording.moments[number]!.frame}
        />
      ) : picture ? (
        <ScreenView
          picture={picture}
          label={words}
          outlines={outlines}
          mark={mode === 'at' ? step?.point : undefined}
          onHover={(at) => onHover(at && viewerElementAt(windows, at))}
          onPress={(at) => onSelect(viewerElementAt(windows, at))}
        >
          {mode === 'at' && step?.path && step.path.length > 1 && (
            <svg class="drag-path" viewBox={`0 0 ${picture.width} ${picture.height}`} aria-hidden="true">
              <polyline points={step.path.map(({ x, y }) => `${x},${y}`).join(' ')} />
              <circle cx={step.path.at(-1)!.x} cy={step.path.at(-1)!.y} r="7" />
            </svg>
          )}
        </ScreenView>
      ) : (
        <Empty>The recording has no picture of this moment.</Empty>
      )}
      {mode === 'at' && step && <Legend step={step} windows={windows} />}
    </Panel>
  )
}

const isSamePlace = (a: ElementPlace | undefined, b: ElementPlace | undefined): boolean =>
  a !== undefined && b !== undefined && a.window === b.window && a.element === b.element

function inputOutlines({ hit, meant }: ViewerStep, windows: readonly ViewerWindow[]): readonly Outline[] {
  const isSame = isSamePlace(hit, meant)
  return [
    ...(isSame ? [] : outlineOf(windows, meant, 'meant', 'meant')),
    ...outlineOf(windows, hit, 'hit', isSame ? 'hit, as meant' : 'hit'),
  ]
}

function outlineOf(
  windows: readonly ViewerWindow[],
  place: ElementPlace | undefined,
  kind: Outline['kind'],
  label?: string,
): readonly Outline[] {
  const element = place && elementOfPlace(windows, place)
  return element ? [{ box: element.bounds, kind, ...(label !== undefined && { label }) }] : []
}

interface LegendProps {
  readonly step: ViewerStep
  readonly windows: readonly ViewerWindow[]
}

/** Names what the marks on the picture are. */
function Legend({ step, windows }: LegendProps) {
  const { point, path, hit, meant, held = [] } = step
  const name = (place: ElementPlace) => {
    const element = elementOfPlace(windows, place)
    return element ? `${element.role} ${element.name || element.id}` : place.element
  }
  if (!point && !path && !hit && !meant && held.length === 0) return null
  return (
    <ul class="legend">
      {point && (
        <li>
          <i class="point" /> click at {point.x}, {point.y}
        </li>
      )}
      {path && path.length > 1 && (
        <li>
          <i class="path" /> drag to {path.at(-1)!.x}, {path.at(-1)!.y}
        </li>
      )}
      {hit && (
        <li>
          <i class="hit" /> {isSamePlace(hit, meant) ? 'hit, as meant' : 'hit'}: {name(hit)}
        </li>
      )}
      {meant && !isSamePlace(hit, meant) && (
        <li>
          <i class="meant" /> meant: {name(meant)}
        </li>
      )}
      {held.length > 0 && (
        <li>
          held:{' '}
          {held.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </li>
      )}
    </ul>
  )
}
