import { useEffect, useState } from 'preact/hooks'
import { type ElementPlace, propertiesOf, type ViewerElement } from '../../model/element.ts'
import type { LiveMatch, LiveSelection, LiveWindow } from '../../model/live.ts'
import { CopyButton, Empty, Properties } from '../ui/panel.tsx'
import type { LiveClient } from './client.ts'

interface ElementPanelProps {
  readonly client: LiveClient
  readonly place: ElementPlace | undefined
  readonly element: ViewerElement | undefined
  /** Of the windows: the selector is found again when it changes. */
  readonly version: string
  readonly isActing: boolean
  readonly onUse: (tool: string, more?: Readonly<Record<string, unknown>>) => void
  readonly onTry: (selector: string) => void
}

/** The properties of an element, its best selector, and what can be done with it. */
export function ElementPanel({ client, place, element, version, isActing, onUse, onTry }: ElementPanelProps) {
  const [selector, setSelector] = useState<string>()
  useEffect(() => {
    setSelector(undefined)
    if (!place) return
    let isOld = false
    client.select({ element_id: place.element, window_uid: place.window }).then(
      (found) => !isOld && setSelector(found.selector ?? undefined),
      // The element has gone meanwhile.
      () => undefined,
    )
    return () => {
      isOld = true
    }
  }, [place?.window, place?.element, version])
  if (!element) return <Empty>Select an element in the tree or on the screen.</Empty>
  return (
    <>
      {selector !== undefined && (
        <div class="best-selector">
          <code>{selector}</code>
          <CopyButton text={selector} what="selector" />
          <button type="button" class="small" onClick={() => onTry(selector)}>
            Try
          </button>
        </div>
      )}
      {isActing && (
        <div class="row pad-small">
          <button type="button" class="small" onClick={() => onUse('click_element')}>
            Click
          </button>
          <button type="button" class="small" onClick={() => onUse('double_click_element')}>
            Double-click
          </button>
          <button type="button" class="small" onClick={() => onUse('right_click_element')}>
            Right-click
          </button>
          <button type="button" class="small" onClick={() => onUse('focus_element')}>
            Focus
          </button>
        </div>
      )}
      <Properties of={propertiesOf(element)} />
    </>
  )
}

interface SelectorProps {
  readonly client: LiveClient
  readonly windows: readonly LiveWindow[]
  /** Of the windows: the matches are found again when it changes. */
  readonly version: string
  /** What the field holds, so that it outlives the panel. */
  readonly text: string
  readonly onText: (text: string) => void
  readonly windowUid: string | undefined
  readonly onWindow: (uid: string | undefined) => void
  /** Shows matches on the screen. */
  readonly onMatches: (window: string, matches: readonly LiveMatch[]) => void
  readonly onSelect: (window: string, element: string) => void
}

/** Requests follow typing after this time. */
const TYPING_MS = 200

/** Tries a selector: shows what it matches, on the screen too, or what is wrong with it and where. */
export function SelectorPanel(props: SelectorProps) {
  const { client, windows, version, text, onText, windowUid, onWindow, onMatches, onSelect } = props
  const [found, setFound] = useState<LiveSelection>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    setProblem(undefined)
    if (text.trim() === '') {
      setFound(undefined)
      onMatches('', [])
      return
    }
    let isOld = false
    const timer = setTimeout(async () => {
      try {
        const selection = await client.select({ selector: text, window_uid: windowUid })
        if (isOld) return
        setFound(selection)
        onMatches(selection.window_uid, selection.matches)
      } catch (thrown) {
        if (isOld) return
        setFound(undefined)
        setProblem((thrown as Error).message)
        onMatches('', [])
      }
    }, TYPING_MS)
    return () => {
      isOld = true
      clearTimeout(timer)
    }
  }, [text, windowUid, version])
  useEffect(() => () => onMatches('', []), [])
  return (
    <div class="pad selector">
      <div class="row">
        <label class="field grow">
          Selector
          <input
            class="mono"
            spellcheck={false}
            autocomplete="off"
            placeholder={'Button "Save"'}
            value={text}
            aria-invalid={found?.error ? true : undefined}
            onInput={(event) => onText(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          in window
          <select value={windowUid ?? ''} onChange={(event) => onWindow(event.currentTarget.value || undefined)}>
            <option value="">in the foreground</option>
            {windows.map((window) => (
              <option key={window.uid} value={window.uid}>
                {titleWords(window)}
              </option>
            ))}
          </select>
        </label>
        <CopyButton text={text} what="selector" />
      </div>
      <div role="status">
        {problem !== undefined && <p class="bad">{problem}</p>}
        {found?.error && <SelectorError text={text} error={found.error} />}
        {found && !found.error && (
          <p class={found.count === 1 ? 'good' : 'muted'}>
            {found.count === 0
              ? 'Nothing matches.'
              : found.count === 1
                ? 'One element matches.'
                : `${found.count} elements match. An action uses the first.`}
          </p>
        )}
      </div>
      {!found && problem === undefined && (
        <Empty>Write a selector, or select an element and use its selector from the properties.</Empty>
      )}
      <ol class="matches">
        {found?.matches.map(({ element_id: id, role, name }) => (
          <li key={id}>
            <button type="button" class="quiet" onClick={() => onSelect(found.window_uid, id)}>
              <span class="muted">{role}</span> {name}
            </button>
          </li>
        ))}
      </ol>
    </div>
  )
}

function SelectorError({
  text,
  error,
}: {
  readonly text: string
  readonly error: NonNullable<LiveSelection['error']>
}) {
  const { message, column } = error
  return (
    <>
      <p class="bad">{column === null ? message : `Column ${column}: ${message}`}</p>
      {column !== null && (
        <pre class="pointed" aria-hidden="true">
          {text}
          {'\n'}
          {' '.repeat(Math.max(0, column - 1))}
          <span class="bad">^</span>
        </pre>
      )}
    </>
  )
}

interface WindowListProps {
  readonly windows: readonly LiveWindow[]
  /** The uid of the window whose elements are shown alone. */
  readonly chosen: string | undefined
  readonly onChoose: (uid: string | undefined) => void
  readonly onHover: (uid: string | undefined) => void
  /** Brings a window to the foreground. Absent unless the page acts. */
  readonly onRaise?: ((uid: string) => void) | undefined
}

/** The title of a window in words. */
const titleWords = ({ title }: Pick<LiveWindow, 'title'>): string => title.trim() || '(no title)'

/** The windows from front to back. Popups follow the window that they belong to. */
export function WindowList({ windows, chosen, onChoose, onHover, onRaise }: WindowListProps) {
  if (windows.length === 0) return <Empty>No window is open.</Empty>
  const isPopup = ({ popupOf }: LiveWindow) => popupOf !== undefined && windows.some(({ uid }) => uid === popupOf)
  const ordered = windows
    .filter((window) => !isPopup(window))
    .flatMap((window) => [window, ...windows.filter(({ popupOf }) => popupOf === window.uid)])
  return (
    <ul class="windows">
      {ordered.map((window) => (
        <li key={window.uid} class={isPopup(window) ? 'popup' : ''}>
          <button
            type="button"
            class="window-choice"
            title={`${titleWords(window)} · ${window.process} · ${window.bounds.width} × ${window.bounds.height}`}
            aria-pressed={window.uid === chosen}
            onClick={() => onChoose(window.uid === chosen ? undefined : window.uid)}
            onMouseEnter={() => onHover(window.uid)}
            onMouseLeave={() => onHover(undefined)}
          >
            <span class="title clip">{titleWords(window)}</span>
            {window.focused && <span class="badge">front</span>}
            {window.unavailable && <span class="badge warn">no answer</span>}
            <span class="grow" />
            <small class="clip">{isPopup(window) ? 'popup' : window.process}</small>
          </button>
          {onRaise && !window.focused && !isPopup(window) && (
            <button type="button" class="small" onClick={() => onRaise(window.uid)} title="Bring it to the foreground">
              Raise
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
