import type { Awaitable } from '../base/async.ts'
import type { IdSource } from '../base/ids.ts'
import type { AgentFinish } from '../scenario/predicate.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { SeenOracle } from '../scenario/schema/oracles.ts'
import type { ActingContext, PictureContext } from './desktop-context.ts'
import type { Budget } from './policies/budget.ts'
import type { ScenarioChoice, ScenarioReaders } from './scenario-source.ts'
import type { SharedFrame } from './screen/shared-frame.ts'
import type { Replays } from './trace/replay.ts'
import type { Tracer } from './trace/trace.ts'
import type { Snapshots } from './tree-cache.ts'

/** The parts of a session that tools use. Each tool names the few that it needs in the type of its `context` parameter. */
export interface ToolContext extends PictureContext, ActingContext {
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
  /** Raw pictures for a harness on the same machine; absent where the operator does not share them. */
  readonly sharedFrame: SharedFrame | undefined
  /** Throws `Busy` when the scenarios that callers have sent would exceed the limit. */
  readonly admitScenario: (scenario: Scenario) => void
  /** How the scenarios that a caller names or sends are read. */
  readonly scenarioReaders: ScenarioReaders
  /** Makes the loaded scenario ready for a reset to a seed or variant. Resolves at once unless a caller has sent it. */
  readonly prepareReset: (choice: ScenarioChoice) => Awaitable<void>
  /** Invalidates tokens after the desktop was rewound to a step; 0 is the start. */
  readonly onRewind: (toStep: number) => void
  /** Opens a session that continues from now or from after a step. Throws `PlatformUnsupported` where only one session exists. */
  readonly fork: (atStep: number | undefined) => { readonly id: string }
}

/** Some parts of a session, by name. */
export type ContextOf<Names extends keyof ToolContext> = Pick<ToolContext, Names>

/** How an episode of a training loop ended. */
export type EpisodeEnd = 'terminated' | 'truncated'

/** The state of an episode of a training loop, or of an agent's run, since the start of the scenario. */
export class Episode {
  #actions: number
  #finish: AgentFinish | undefined
  #ended: EpisodeEnd | undefined
  #maxActions: number
  /** The oracles whose element the agent has observed, with the step of the desktop after which it first had. */
  readonly #seen = new Map<SeenOracle, number>()

  constructor(actions = 0, maxActions = Number.POSITIVE_INFINITY) {
    this.#actions = actions
    this.#maxActions = maxActions
  }

  /** The number of actions, refused ones included. */
  get actions(): number {
    return this.#actions
  }

  /** How the agent ended its run; undefined while it continues. */
  get finish(): AgentFinish | undefined {
    return this.#finish
  }

  /** After this many actions an episode is truncated; unlimited unless `limit` was called. */
  get maxActions(): number {
    return this.#maxActions
  }

  /** How the episode ended, with `finish` or otherwise; undefined while it continues. */
  get ended(): EpisodeEnd | undefined {
    return this.#ended ?? (this.#finish && 'terminated')
  }

  /** Truncates this episode and later ones after `maxActions` actions. */
  limit(maxActions: number): void {
    this.#maxActions = maxActions
  }

  close(how: EpisodeEnd): void {
    this.#ended = how
  }

  /** Counts an action, performed or refused, after `before` others, and returns the total. */
  count(before: number): number {
    this.#actions = before + 1
    return this.#actions
  }

  /** Ends the agent's run; only the first end counts. */
  end(finish: AgentFinish): AgentFinish {
    this.#finish ??= finish
    return this.#finish
  }

  /** Whether an observation that the agent was given had the element of an oracle. */
  hasSeen(oracle: SeenOracle): boolean {
    return this.#seen.has(oracle)
  }

  /** Notes that the agent has observed the element of an oracle after a step of the desktop. */
  noteSeen(oracle: SeenOracle, step: number): void {
    if (!this.#seen.has(oracle)) this.#seen.set(oracle, step)
  }

  /** Continues from a step: at most `toStep` actions count, and neither the episode nor the run has ended. */
  rewind(toStep: number): void {
    this.#actions = Math.min(this.#actions, toStep)
    this.#finish = undefined
    this.#ended = undefined
    // At the start, nothing has been observed.
    for (const [oracle, step] of this.#seen) if (step > toStep || toStep === 0) this.#seen.delete(oracle)
  }

  /** The episode of a fork that continues from now or from after a step. */
  fork(atStep?: number): Episode {
    const fork = new Episode(Math.min(this.#actions, atStep ?? this.#actions), this.#maxActions)
    for (const [oracle, step] of this.#seen) if (step <= (atStep ?? step) && atStep !== 0) fork.noteSeen(oracle, step)
    if (atStep !== undefined) return fork
    fork.#finish = this.#finish
    fork.#ended = this.#ended
    return fork
  }
}
