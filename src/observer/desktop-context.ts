import { yieldingWork } from '../base/async.ts'
import type { Clock, OperatorClock } from '../base/clock.ts'
import type { Perception } from '../perception/perception.ts'
import type { SeenOracle } from '../scenario/schema/oracles.ts'
import type { Folder, OutputDirectory } from '../stores/folder.ts'
import type { ConfirmationGate } from './policies/confirmation.ts'
import type { RedactedComputer, Redaction } from './policies/redaction/redaction.ts'
import type { WindowAllowlist } from './policies/window-allowlist.ts'
import type { Settings } from './settings.ts'
import type { TreeCache } from './tree-cache.ts'

/** A moment on both clocks: the operator's, for time stamps, and the desktop's, which is the same in every replay. */
export interface Instant {
  readonly operatorMs: number
  /** For durations. It does not jump when a scenario is loaded. */
  readonly desktopMs: number
  /** The same moment on the clock of the scenario, which starts at `start_time`. */
  readonly scenarioMs: number
}

/** The parts of a session that read the desktop. */
export interface DesktopContext {
  readonly computer: RedactedComputer
  /** The clock of the desktop: waits, timers, durations of actions. */
  readonly clock: Clock
  /** The clock of the operator, which runs also while the desktop clock stands still. */
  readonly operatorClock: OperatorClock
  /** The trees that the session has returned. */
  readonly trees: TreeCache
}

/** What an episode knows of the oracles of the kind `seen`. */
export interface SeenRecord {
  hasSeen(oracle: SeenOracle): boolean
  noteSeen(oracle: SeenOracle, step: number): void
}

/** The parts that record calls. */
export interface RecordingContext extends DesktopContext {
  readonly episode: SeenRecord
  /** The current time of both clocks. */
  readonly now: () => Instant
  /** Called with unexpected internal errors, which callers do not see. */
  readonly report: (bug: unknown, tool: string) => void
}

/** The parts that read pictures and compare them. */
export interface PictureContext extends RecordingContext {
  readonly perception: Perception
  readonly redaction: Redaction
  readonly settings: Settings
  /** Where scenarios, reference pictures and traces may be read. */
  readonly folder: Folder
  /** Where traces and pictures that differ are written. */
  readonly traces: OutputDirectory
}

/** The parts that show trees to clients. */
export interface TreeContext extends DesktopContext {
  readonly settings: Settings
}

/** The parts that act on the desktop. */
export interface ActingContext extends DesktopContext {
  readonly confirmation: ConfirmationGate
  readonly windowAllowlist: WindowAllowlist
  /** Aborts when the operator stops all input. */
  readonly stopSignal: AbortSignal
}

/** A day of a timer that fires every half second. */
const MAX_TIMER_FIRINGS = 200_000

/**
 * Advances the desktop clock. A virtual clock advances from timer to timer, so that other clients are served meanwhile.
 * Returns false when `maxFirings` timers have fired and the rest of the time did not pass.
 */
export async function advanceTime(
  context: DesktopContext,
  ms: number,
  maxFirings = MAX_TIMER_FIRINGS,
): Promise<boolean> {
  const { clock, computer } = context
  const { simulation } = computer
  if (!clock.virtual || !simulation) {
    await clock.sleep(ms)
    return true
  }
  const { pause } = yieldingWork()
  let leftMs = ms
  for (let firings = 0; leftMs > 0; firings++) {
    const { nextTimerInMs = leftMs } = simulation
    if (firings === maxFirings) return false
    // At least 1 ms, since a timer with a delay of 0 would never let time pass.
    const passesMs = Math.min(leftMs, Math.max(1, nextTimerInMs))
    const untilMs = simulation.elapsedMs + passesMs
    await clock.sleep(passesMs)
    leftMs -= passesMs
    if (simulation.elapsedMs < untilMs) return false
    await pause()
  }
  return true
}
