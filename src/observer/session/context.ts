import type { IdSource } from '../../base/ids.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import type { Budget } from '../gates/budget.ts'
import type { Replays } from '../trace/replay.ts'
import type { Tracer } from '../trace/trace.ts'
import type { Snapshots } from '../trees/snapshots.ts'
import type { Episode } from './episode.ts'
import type { ActionParts, PictureParts } from './parts.ts'

/** The parts of a session that tools use. Each tool names the few that it needs in the type of its `context` parameter. */
export interface ToolContext extends PictureParts, ActionParts {
  /** The id of the session. */
  readonly id: string
  readonly audience: 'all' | 'agent'
  /** The version that capabilities report. */
  readonly version: string
  /** For confirmation tokens, which must be neither guessed nor met twice. */
  readonly secretIds: IdSource
  readonly budget: Budget
  readonly episode: Episode
  readonly snapshots: Snapshots
  readonly tracing: Tracer
  readonly replays: Replays
  /** Throws `Busy` when there is no room for a scenario that a caller has sent. */
  readonly admitScenario: (scenario: Scenario) => void
  /** Call after the desktop has gone back to a step, 0 being a start: trees and promises from before are void. */
  readonly onRewind: (toStep: number) => void
  /** Opens a session that continues from here, or from after a step. Throws `PlatformUnsupported` where there is but one. */
  readonly fork: (atStep: number | undefined) => { readonly id: string }
}

/** Some parts of a session, by name. */
export type Parts<Names extends keyof ToolContext> = Pick<ToolContext, Names>
