import { type Awaitable, orElse } from '../../base/awaitable.ts'
import { Fault } from '../../base/fault.ts'
import type { Settings } from '../settings.ts'

/** Those that have passed are thrown away together, since taking off one at a time moves all others. */
const RECENT_PASSED_MOST = 1000

export type Limits = Settings['budget']

/** What a session may still do (observer document, "Budgets"). Every input tool and every screenshot is counted and refused. */
export class Budget {
  #limits: Limits
  readonly #startedMs: number
  /** When the latest actions were done, from the first that may still be within the minute. */
  #recent: number[] = []
  #firstRecent = 0
  #actions = 0
  #screenshots = 0
  #vlmTokens = 0

  constructor(limits: Limits, nowMs: number) {
    this.#limits = limits
    this.#startedMs = nowMs
  }

  /** Another budget of which as much is used already. */
  fork(): Budget {
    const other = new Budget(this.#limits, this.#startedMs)
    if (this.configured) other.#recent = this.#recent.slice(this.#firstRecent)
    other.#actions = this.#actions
    other.#screenshots = this.#screenshots
    other.#vlmTokens = this.#vlmTokens
    return other
  }

  /** Lowers limits, as a client may; none is ever raised. */
  tighten(asked: Limits): void {
    const lowered = Object.entries(asked).filter(([name, limit]) => {
      const current = this.#limits[name as keyof Limits]
      return limit !== undefined && (current === undefined || limit < current)
    })
    this.#limits = { ...this.#limits, ...Object.fromEntries(lowered) }
  }

  get actions(): number {
    return this.#actions
  }

  get screenshots(): number {
    return this.#screenshots
  }

  get configured(): boolean {
    return Object.values(this.#limits).some((limit) => limit !== undefined)
  }

  /** Throws when the session's time is over. */
  admit(nowMs: number): void {
    const limit = this.#limits.max_session_seconds
    const elapsed = this.#elapsed(nowMs)
    if (limit !== undefined && elapsed >= limit)
      throw new Fault('BudgetExceeded', 'max_session_seconds reached', { elapsed, limit })
  }

  /** Throws when no action is left. Counted when done, by `acted`. */
  admitAction(nowMs: number): void {
    const { max_actions, actions_per_minute } = this.#limits
    if (max_actions !== undefined && this.#actions >= max_actions)
      throw new Fault('BudgetExceeded', 'max_actions reached', { used: this.#actions, limit: max_actions })
    const inWindow = this.#inWindow(nowMs)
    if (actions_per_minute !== undefined && inWindow >= actions_per_minute)
      throw new Fault('RateLimited', 'actions_per_minute exceeded', { window: inWindow, limit: actions_per_minute })
  }

  acted(nowMs: number): void {
    this.#actions++
    this.#recent.push(nowMs)
  }

  /** Counts a screenshot and takes it; one that fails is not counted. Throws when none is left. */
  spendScreenshot<T>(take: () => Awaitable<T>): Awaitable<T> {
    const limit = this.#limits.max_screenshots
    if (limit !== undefined && this.#screenshots >= limit)
      throw new Fault('BudgetExceeded', 'max_screenshots reached', { used: this.#screenshots, limit })
    this.#screenshots++
    return orElse(take, (thrown) => {
      this.#screenshots--
      throw thrown
    })
  }

  admitVlm(): void {
    const limit = this.#limits.max_vlm_tokens
    if (limit !== undefined && this.#vlmTokens >= limit)
      throw new Fault('BudgetExceeded', 'max_vlm_tokens reached', { used: this.#vlmTokens, limit })
  }

  spendVlmTokens(tokens: number): void {
    this.#vlmTokens += tokens
  }

  status(nowMs: number): Readonly<Record<string, unknown>> {
    if (!this.configured) return { configured: false }
    const limits = this.#limits
    const elapsed = this.#elapsed(nowMs)
    const inWindow = this.#inWindow(nowMs)
    return {
      configured: true,
      actions: { used: this.#actions, ...rest(limits.max_actions, this.#actions) },
      screenshots: { used: this.#screenshots, ...rest(limits.max_screenshots, this.#screenshots) },
      vlm_tokens: { used: this.#vlmTokens, ...rest(limits.max_vlm_tokens, this.#vlmTokens) },
      session_seconds: { elapsed, ...rest(limits.max_session_seconds, elapsed) },
      actions_per_minute: { in_window: inWindow, ...rest(limits.actions_per_minute, inWindow) },
    }
  }

  #elapsed(nowMs: number): number {
    return Math.floor((nowMs - this.#startedMs) / 1000)
  }

  #inWindow(nowMs: number): number {
    while (this.#firstRecent < this.#recent.length && this.#recent[this.#firstRecent]! <= nowMs - 60_000)
      this.#firstRecent++
    if (this.#firstRecent > RECENT_PASSED_MOST) {
      this.#recent = this.#recent.slice(this.#firstRecent)
      this.#firstRecent = 0
    }
    return this.#recent.length - this.#firstRecent
  }
}

const rest = (limit: number | undefined, used: number) => ({
  limit: limit ?? null,
  remaining: limit === undefined ? null : Math.max(0, limit - used),
})
