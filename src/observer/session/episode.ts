/** How an agent says that it has ended its run. */
export interface Finish {
  readonly status: 'done' | 'infeasible'
  readonly text: string
}

/** How an episode of a training loop ended. */
export type EpisodeEnd = 'terminated' | 'truncated'

/** What has happened in an episode of a training loop, or in the run of an agent, since the scenario began. */
export class Episode {
  #actions: number
  #finish: Finish | undefined
  #ended: EpisodeEnd | undefined
  #maxActions: number

  constructor(actions = 0, maxActions = Number.POSITIVE_INFINITY) {
    this.#actions = actions
    this.#maxActions = maxActions
  }

  /** The number of actions, refused ones included. */
  get actions(): number {
    return this.#actions
  }

  /** How the agent ended its run; undefined while it goes on. */
  get finish(): Finish | undefined {
    return this.#finish
  }

  /** After this many actions an episode is truncated; unlimited unless `limit` was called. */
  get maxActions(): number {
    return this.#maxActions
  }

  /** How the episode ended; undefined while it goes on. */
  get ended(): EpisodeEnd | undefined {
    return this.#ended
  }

  /** Truncates this episode and the later ones after so many actions. */
  limit(maxActions: number): void {
    this.#maxActions = maxActions
  }

  close(how: EpisodeEnd): void {
    this.#ended = how
  }

  /** Counts an action, be it done or refused, and returns how many there were. */
  count(): number {
    return ++this.#actions
  }

  /** Ends the agent's run; only the first end counts. */
  end(finish: Finish): Finish {
    this.#finish ??= finish
    return this.#finish
  }

  /** At most as many actions as steps precede a step, and the run goes on from there. */
  rewind(toStep: number): void {
    this.#actions = Math.min(this.#actions, toStep)
    this.#finish = undefined
    this.#ended = undefined
  }

  /** The episode of a fork: at its present end, or after a step. */
  fork(atStep?: number): Episode {
    const fork = new Episode(Math.min(this.#actions, atStep ?? this.#actions), this.#maxActions)
    if (atStep !== undefined) return fork
    fork.#finish = this.#finish
    fork.#ended = this.#ended
    return fork
  }
}
