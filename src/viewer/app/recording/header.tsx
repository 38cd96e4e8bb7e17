import { useEffect, useRef, useState } from 'preact/hooks'
import { RECORDING_SOURCES, type Recording } from '../../model/recording.ts'
import { dateText, durationText } from '../../model/time-line.ts'
import { requestOf } from '../ui/data.ts'

const SOURCES = { backlot: 'Backlot', osworld: 'OSWorld trajectory', atif: 'ATIF trajectory' }

interface SummaryProps {
  readonly recording: Recording
  /** Warnings of the page itself. */
  readonly warnings: readonly string[]
}

/** What was run, how it ended, and what the recording lacks. */
export function Summary({ recording, warnings }: SummaryProps) {
  const { scenario, verdict, source, recordedBy, startedAt, steps, moments } = recording
  const [isOpen, setIsOpen] = useState(false)
  const all = [...recording.warnings, ...warnings]
  const variant = Object.entries(scenario?.variant ?? {}).map(([axis, choice]) => `${axis} ${choice}`)
  const facts: readonly (readonly [name: string, text: string | undefined])[] = [
    ['Scenario', scenario?.name],
    ['Seed', scenario && String(scenario.seed)],
    ['Variant', variant.length > 0 ? variant.join(', ') : undefined],
    ['Faults', scenario && scenario.faults.length > 0 ? scenario.faults.join(', ') : undefined],
    ['Steps', String(steps.length)],
    ['Virtual time', durationText(moments.at(-1)?.atMs ?? 0)],
    ['Started', startedAt && dateText(startedAt)],
    ['Recorded by', [SOURCES[source] ?? String(source), recordedBy].filter(Boolean).join(' ')],
  ]
  return (
    <section class="summary" aria-label="Run">
      {verdict && (
        <p class={`verdict ${verdict.success ? 'good' : 'bad'}`}>
          <strong>{verdict.success ? '✓ Success' : '✗ No success'}</strong>
          <span>score {Number(verdict.score.toFixed(3))}</span>
          <span title="How it ended">{verdict.end}</span>
          {verdict.message !== '' && <span class="message">{verdict.message}</span>}
        </p>
      )}
      {scenario?.task && <p class="task">{scenario.task}</p>}
      <dl class="facts">
        {facts.map(
          ([name, text]) =>
            text !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd title={text}>{text}</dd>
              </div>
            ),
        )}
      </dl>
      {all.length > 0 && (
        <div class="warnings">
          <button type="button" class="quiet warn" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            ⚠ {all.length === 1 ? '1 warning' : `${all.length} warnings`}
          </button>
          {isOpen && (
            <ul>
              {all.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          )}
        </div>
      )}
    </section>
  )
}

/** The keys of the page, as its help lists them. */
const KEYS: readonly (readonly [keys: string, text: string])[] = [
  ['← →', 'previous and next step'],
  ['Home End', 'start, and last step'],
  ['Space', 'play and pause'],
  ['1 2 3 4', 'picture before, at and after the step, and its pixel changes'],
  ['[ ]', 'start and end the range at this step'],
  ['Esc', 'clear the range'],
  ['/', 'filter the steps'],
  ['N', 'next error'],
  ['L', 'step after which success was impossible'],
  ['C', 'compare with the other recording'],
  ['D', 'first divergence from the other recording'],
  ['S', 'time line and details of the left or the right run, while they are compared'],
  ['?', 'this help'],
]

/** The dialog that lists the keys. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog class="help" ref={dialog} aria-labelledby="help-title" onClose={onClose}>
      <h2 id="help-title">Keys</h2>
      <dl>
        {KEYS.map(([keys, text]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p class="muted">
        Drag over the film strip to select a range of time. Hover the picture or the tree to find an element.
      </p>
      <button type="button" class="primary" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  )
}

/** Opens a live session at a step: replays the run up to it on the server. */
export function OpenHere({ number }: { readonly number: number }) {
  const [note, setNote] = useState<{ readonly text: string; readonly url?: string; readonly isBad?: boolean }>()
  const open = async () => {
    // A window that is opened after the answer would be blocked.
    const opened = window.open('about:blank', '_blank')
    setNote({ text: 'Opening…' })
    try {
      const answer = await requestOf(`${RECORDING_SOURCES.paths.open}?step=${number}`, {})
      const url = urlOf(answer)
      if (opened) opened.location.href = url
      setNote({ text: `Step ${number} is open`, url })
    } catch (error) {
      opened?.close()
      setNote({ text: `Not opened: ${error instanceof Error ? error.message : String(error)}`, isBad: true })
    }
  }
  return (
    <>
      <span class={note?.isBad ? 'bad' : 'muted'} role="status">
        {note?.url === undefined ? (
          note?.text
        ) : (
          <a href={note.url} target="_blank" rel="noreferrer">
            {note.text}
          </a>
        )}
      </span>
      <button type="button" class="primary" onClick={open}>
        Open here
      </button>
    </>
  )
}

/** The address of the session. Others than HTTP are not followed. */
function urlOf(answer: unknown): string {
  const given = (answer as { readonly url?: unknown } | undefined)?.url
  const url = typeof given === 'string' ? new URL(given, location.href) : null
  if (!url || !/^https?:$/.test(url.protocol)) throw new RangeError('the server returned no address')
  return url.href
}
