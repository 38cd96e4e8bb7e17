import { useEffect, useRef, useState } from 'preact/hooks'
import { type LiveScenario, timeWords } from '../../model/live.ts'

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
