import { useEffect, useRef, useState } from 'preact/hooks'
import { type LiveEpisode, type LiveScenario, timeWords } from '../../model/live.ts'
import { type KeptCall, type RecordedScenario, solutionOf, testOf } from '../../model/scenario-recorder.ts'
import { requestOf } from '../ui/data.ts'
import { CopyButton, downloadText, Empty, Properties } from '../ui/panel.tsx'

interface ScenarioProps {
  readonly scenario: LiveScenario
  readonly episode: LiveEpisode
  readonly onReset: (args: Readonly<Record<string, unknown>>) => Promise<boolean>
}

/** The scenario: its task, state, seed and variant, and how the run ended. */
export function ScenarioPanel({ scenario, episode, onReset }: ScenarioProps) {
  const { name, task, state, states, seed, step, variant, variant_warnings: warnings, faults, fired_faults } = scenario
  const axes = Object.entries(variant).map(([axis, choice]) => `${axis} ${choice}`)
  const end = [episode.ended, episode.finish && `${episode.finish.status}: ${episode.finish.text}`].filter(Boolean)
  return (
    <>
      {task !== null && <p class="task">{task}</p>}
      <Properties
        of={[
          ['scenario', name],
          [
            'state',
            <ul class="chips" key="states">
              {states.map((each) => (
                <li key={each} class={each === state ? 'chip now' : 'chip'} aria-current={each === state || undefined}>
                  {each}
                </li>
              ))}
            </ul>,
          ],
          ['seed', seed],
          ['step', step],
          ...listed('variant', axes),
          ...listed('warnings', warnings),
          ...listed('faults', faults),
          ...listed(
            'fired',
            fired_faults.map(({ fault, step: at }) => `${fault} after step ${at}`),
          ),
          ...listed('ended', end),
        ]}
      />
      <ResetForm seed={seed} name={name} onReset={onReset} />
    </>
  )
}

const listed = (name: string, lines: readonly unknown[]): readonly (readonly [string, string])[] =>
  lines.length === 0 ? [] : [[name, lines.join(', ')]]

interface ResetProps extends Pick<ScenarioProps, 'onReset'> {
  readonly name: string
  readonly seed: number
}

interface Listed {
  readonly scenario: string
  readonly name: string
  readonly task: string | null
}

/** Restarts the scenario or another one, with a seed. */
function ResetForm({ name, seed, onReset }: ResetProps) {
  const [asked, setAsked] = useState('')
  const [chosen, setChosen] = useState('')
  const [scenarios, setScenarios] = useState<readonly Listed[]>()
  const [isLoading, setLoading] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const load = async () => {
    if (scenarios || isLoading) return
    setLoading(true)
    try {
      setScenarios(((await requestOf('/scenarios')) as { readonly scenarios: readonly Listed[] }).scenarios)
      setProblem(undefined)
    } catch (thrown) {
      setProblem((thrown as Error).message)
    } finally {
      setLoading(false)
    }
  }
  const reset = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    const isDone = await onReset({
      ...(asked.trim() !== '' && { seed: Number(asked) }),
      ...(chosen !== '' && { scenario: chosen }),
    })
    setBusy(false)
    if (isDone) {
      setAsked('')
      setChosen('')
    }
  }
  return (
    <form class="reset" onSubmit={reset}>
      <label class="field">
        Scenario
        <select
          value={chosen}
          onFocus={load}
          onMouseEnter={load}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          <option value="">{name} (current)</option>
          {isLoading && <option disabled>loading…</option>}
          {scenarios?.map((each) => (
            <option key={each.scenario} value={each.scenario} title={each.task ?? ''}>
              {each.name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        Seed
        <input
          type="number"
          step="1"
          placeholder={chosen === '' ? String(seed) : 'of the scenario'}
          value={asked}
          onInput={(event) => setAsked(event.currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={isBusy}>
        Reset
      </button>
      {problem !== undefined && <p class="bad">{problem}</p>}
    </form>
  )
}

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
export function ScenarioRecorderPanel({ calls, isRecording, scenario, onStart, onStop }: RecorderProps) {
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

interface TimeProps {
  readonly scenario: LiveScenario
  readonly clock: 'virtual' | 'real'
  /** Advances the clock. False if that failed. */
  readonly onAdvance: (ms: number) => Promise<boolean>
  readonly onRewind: (step: number) => void
}

/** The longest time between two advances of a clock that runs in real time. */
const RUN_MS = 1000
/** The shortest. */
const MIN_RUN_MS = 50

/** The clock of the scenario: pause, steps, real time, and one step back. */
export function TimePanel({ scenario, clock, onAdvance, onRewind }: TimeProps) {
  const [isRunning, setRunning] = useState(false)
  const { elapsed_ms: elapsed, next_timer_ms: next, step } = scenario
  const nextTimer = useRef(next)
  nextTimer.current = next
  useEffect(() => {
    if (!isRunning) return
    let isEnded = false
    let timer: ReturnType<typeof setTimeout>
    let before = performance.now()
    const plan = () => {
      const due = Math.min(RUN_MS, nextTimer.current ?? RUN_MS)
      timer = setTimeout(advance, Math.max(MIN_RUN_MS, due))
    }
    const advance = async () => {
      const now = performance.now()
      const ms = Math.round(now - before)
      before = now
      const isDone = await onAdvance(ms)
      if (isEnded) return
      if (isDone) plan()
      else setRunning(false)
    }
    plan()
    return () => {
      isEnded = true
      clearTimeout(timer)
    }
  }, [isRunning])
  const isVirtual = clock === 'virtual'
  return (
    <div class="pad time">
      <p class="clock">
        <span class="mono">{timeWords(elapsed)}</span>{' '}
        <span class="muted">
          {next === null ? 'no timer is running' : `next timer in ${timeWords(next)}`}
          {!isVirtual && ' · this clock runs by itself'}
        </span>
      </p>
      <div class="row">
        {isVirtual && (
          <>
            <button type="button" aria-pressed={isRunning} onClick={() => setRunning(!isRunning)}>
              {isRunning ? '⏸ Pause' : '▶ Run'}
            </button>
            <button type="button" onClick={() => void onAdvance(100)}>
              +100 ms
            </button>
            <button type="button" onClick={() => void onAdvance(1000)}>
              +1 s
            </button>
            <button type="button" disabled={next === null} onClick={() => void onAdvance(Math.ceil(next ?? 0))}>
              To timer
            </button>
          </>
        )}
        <button type="button" disabled={step === 0} onClick={() => onRewind(step - 1)}>
          ↶ Step back
        </button>
      </div>
    </div>
  )
}
