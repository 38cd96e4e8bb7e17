/** What a training loop has done since the scenario began. */
export class Episode {
  #actions: number

  constructor(actions = 0) {
    this.#actions = actions
  }

  /** Counts an action, be it done or refused, and gives how many there were. */
  count(): number {
    return ++this.#actions
  }

  /** No more actions than steps lie before a step. */
  rewind(toStep: number): void {
    this.#actions = Math.min(this.#actions, toStep)
  }

  fork(atStep = this.#actions): Episode {
    return new Episode(Math.min(this.#actions, atStep))
  }
}
