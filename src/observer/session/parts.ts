import type { Clock, OperatorClock } from '../../base/clock.ts'
import type { Perception } from '../../perception/perception.ts'
import type { Folder, OutputDirectory } from '../../stores/folder.ts'
import type { ConfirmationGate } from '../gates/confirmation.ts'
import type { RedactedComputer, Redaction } from '../gates/redaction/redaction.ts'
import type { WindowAllowlist } from '../gates/window-allowlist.ts'
import type { TreeCache } from '../trees/tree-cache.ts'
import type { Settings } from './settings.ts'

/** A moment in both times: the operator's, for stamps, and the desktop's, which is the same in every replay. */
export interface Instant {
  readonly operatorMs: number
  readonly desktopMs: number
}

/** The parts of a session that look at the desktop. */
export interface DesktopParts {
  readonly computer: RedactedComputer
  /** The time of the desktop: waits, timers, the duration of actions. */
  readonly clock: Clock
  /** The time of the operator, which passes also while that of the desktop stands still. */
  readonly operatorClock: OperatorClock
  /** The trees that the session has shown. */
  readonly trees: TreeCache
}

/** The parts that record calls. */
export interface RecordingParts extends DesktopParts {
  /** This moment in both times. */
  readonly now: () => Instant
  /** Called with unexpected internal errors; the caller learns nothing of them. */
  readonly report: (bug: unknown, tool: string) => void
}

/** The parts that read pictures and compare them. */
export interface PictureParts extends RecordingParts {
  readonly perception: Perception
  readonly redaction: Redaction
  readonly settings: Settings
  /** Where scenarios, reference pictures and traces may be read. */
  readonly folder: Folder
  /** Where traces and pictures that differ are written. */
  readonly traces: OutputDirectory
}

/** The parts that show trees to clients. */
export interface TreeParts extends DesktopParts {
  readonly settings: Settings
}

/** The parts that act on the desktop. */
export interface ActionParts extends DesktopParts {
  readonly confirmation: ConfirmationGate
  readonly windowAllowlist: WindowAllowlist
  /** Aborts once all input was ended. */
  readonly stopSignal: AbortSignal
}
