/** How an agent says that it has ended its run. */
export interface Finish {
  readonly status: 'done' | 'infeasible'
  readonly text: string
}

/** What has happened in an episode of a training loop, or in the run of an agent, since the scenario began. */
export class Episode {
  #actions: number
  #finish: Finish | undefined

  constructor(actions = 0, finish?: Finish) {
    this.#actions = actions
    this.#finish = finish
  }

  /** The number of actions, refused ones included. */
  get actions(): number {
    return this.#actions
  }

  /** How the agent ended its run; undefined while it goes on. */
  get finish(): Finish | undefined {
    return this.#finish
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
  }

  /** The episode of a fork: at its present end, or after a step. */
  fork(atStep?: number): Episode {
    return atStep === undefined
      ? new Episode(this.#actions, this.#finish)
      : new Episode(Math.min(this.#actions, atStep))
  }
}
