import { useState } from 'preact/hooks'
import { type KeptCall, type RecordedScenario, solutionOf, testOf } from '../../model/recorder.ts'
import { CopyButton, downloadText, Empty } from '../ui/panel.tsx'

interface RecorderProps {
  /** Undefined before the first recording. */
  readonly calls: readonly KeptCall[] | undefined
  readonly isRecording: boolean
  readonly scenario: RecordedScenario
  readonly onStart: () => void
  readonly onStop: () => void
}

const FORMATS = {
  solution: { label: 'solution: in YAML', file: 'solution.yaml' },
  test: { label: 'vitest test', file: 'recorded.test.ts' },
} as const

/** Records the calls of the session as a solution or a test. */
export function RecorderPanel({ calls, isRecording, scenario, onStart, onStop }: RecorderProps) {
  const [format, setFormat] = useState<keyof typeof FORMATS>('solution')
  const text = calls && (format === 'solution' ? solutionOf(calls, scenario) : testOf(calls, scenario))
  const { file } = FORMATS[format]
  return (
    <div class="pad recorder">
      <div class="row">
        {isRecording ? (
          <button type="button" class="primary" onClick={onStop}>
            ■ Stop
          </button>
        ) : (
          <button type="button" onClick={onStart}>
            <span class="bad" aria-hidden="true">
              ●
            </span>{' '}
            {calls ? 'Record anew' : 'Record'}
          </button>
        )}
        <span role="status" class="muted">
          {calls && `${calls.length} ${calls.length === 1 ? 'step' : 'steps'}${isRecording ? ' so far' : ''}`}
        </span>
        <span class="grow" />
        <label class="row">
          as
          <select
            value={format}
            onChange={(event) => setFormat(event.currentTarget.value === 'test' ? 'test' : 'solution')}
          >
            {Object.entries(FORMATS).map(([name, { label }]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {text !== undefined && (
          <>
            <CopyButton text={text} what="recording" />
            <button type="button" class="small" onClick={() => downloadText(file, text)}>
              Download
            </button>
          </>
        )}
      </div>
      {text === undefined ? (
        <Empty>Record, then act on the desktop: every action, yours or an agent's, becomes a step.</Empty>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be reached by keyboard.
        <pre class="code" tabIndex={0}>
          {text}
        </pre>
      )}
    </div>
  )
}
