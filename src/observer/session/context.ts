import type { Awaitable } from '../../base/async.ts'
import type { IdSource } from '../../base/ids.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import type { Budget } from '../gates/budget.ts'
import type { Replays } from '../trace/replay.ts'
import type { Tracer } from '../trace/trace.ts'
import type { Snapshots } from '../tree-cache.ts'
import type { Episode } from './episode.ts'
import type { ActionParts, PictureParts } from './parts.ts'
import type { ReadSent, ScenarioChoice } from './scenario-source.ts'

/** The parts of a session that tools use. Each tool names the few that it needs in the type of its `context` parameter. */
export interface ToolContext extends PictureParts, ActionParts {
  /** The id of the session. */
  readonly id: string
  readonly audience: 'all' | 'agent'
  /** The version that capabilities report. */
  readonly version: string
  /** For confirmation tokens, which must be unique and unpredictable. */
  readonly secretIds: IdSource
  readonly budget: Budget
  readonly episode: Episode
  readonly snapshots: Snapshots
  readonly tracing: Tracer
  readonly replays: Replays
  /** Throws `Busy` when the scenarios that callers have sent would exceed the limit. */
  readonly admitScenario: (scenario: Scenario) => void
  /** Reads a scenario that a caller has sent as text. */
  readonly readSent: ReadSent
  /** Makes the loaded scenario ready for a reset to a seed or variant. Resolves at once unless a caller has sent it. */
  readonly prepareReset: (choice: ScenarioChoice) => Awaitable<void>
  /** Invalidates tokens after the desktop was rewound to a step; 0 is the start. */
  readonly onRewind: (toStep: number) => void
  /** Opens a session that continues from now or from after a step. Throws `PlatformUnsupported` where only one session exists. */
  readonly fork: (atStep: number | undefined) => { readonly id: string }
}

/** Some parts of a session, by name. */
export type Parts<Names extends keyof ToolContext> = Pick<ToolContext, Names>
