import { type Awaitable, andThen, orElse } from '../../base/awaitable.ts'
import { Fault } from '../../base/fault.ts'
import type { Settings } from '../session/settings.ts'

/** Those that have passed are thrown away together, since taking off one at a time moves all others. */
const MAX_RECENT_PASSED = 1000

export type BudgetLimits = Settings['budget']

/**
 * What may still be done (observer document, "Budgets"). Every input tool and every screenshot is counted and refused. The
 * budget of a session lies below that of the server: what is spent counts in both, and either refuses.
 */
export class Budget {
  #limits: BudgetLimits
  readonly #startedMs: number
  readonly #above: Budget | undefined
  /** When the latest actions were done, from the first that may still be within the minute. */
  #recent: number[] = []
  #firstRecent = 0
  #actions = 0
  /** Actions under way, which several sessions may have at once; they count as done until they turn out not to be. */
  #acting = 0
  #screenshots = 0
  #vlmTokens = 0

  /** `above`: the budget that this one is a part of. */
  constructor(limits: BudgetLimits, nowMs: number, above?: Budget) {
    this.#limits = limits
    this.#startedMs = nowMs
    this.#above = above
  }

  /** Another budget below the same one, of which as much is used already. */
  fork(): Budget {
    const other = new Budget(this.#limits, this.#startedMs, this.#above)
    if (this.configured) other.#recent = this.#recent.slice(this.#firstRecent)
    other.#actions = this.#actions
    other.#screenshots = this.#screenshots
    other.#vlmTokens = this.#vlmTokens
    return other
  }

  /** Lowers limits, as a client may; none is ever raised. */
  tighten(asked: BudgetLimits): void {
    const lowered = Object.entries(asked).filter(([name, limit]) => {
      const current = this.#limits[name as keyof BudgetLimits]
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
    return this.#above?.configured || Object.values(this.#limits).some((limit) => limit !== undefined)
  }

  /** Throws when the session's time is over. */
  admit(nowMs: number): void {
    const limit = this.#limits.max_session_seconds
    const elapsed = this.#elapsed(nowMs)
    if (limit !== undefined && elapsed >= limit)
      throw new Fault('BudgetExceeded', 'max_session_seconds reached', { elapsed, limit })
    this.#above?.admit(nowMs)
  }

  /** Throws when no action is left. */
  admitAction(nowMs: number): void {
    const { max_actions, actions_per_minute } = this.#limits
    const used = this.#actions + this.#acting
    if (max_actions !== undefined && used >= max_actions)
      throw new Fault('BudgetExceeded', 'max_actions reached', { used, limit: max_actions })
    const inWindow = this.#inWindow(nowMs) + this.#acting
    if (actions_per_minute !== undefined && inWindow >= actions_per_minute)
      throw new Fault('RateLimited', 'actions_per_minute exceeded', { window: inWindow, limit: actions_per_minute })
    this.#above?.admitAction(nowMs)
  }

  /** Does an action, and counts it if its result `counts`; one that fails does not. Throws when none is left. */
  spendAction<T>(now: () => number, act: () => Awaitable<T>, counts: (result: T) => boolean): Awaitable<T> {
    this.admitAction(now())
    this.#begin()
    const done = orElse(act, (thrown) => {
      this.#end()
      throw thrown
    })
    return andThen(done, (result) => {
      this.#end(counts(result) ? now() : undefined)
      return result
    })
  }

  #begin(): void {
    this.#acting++
    if (this.#above) this.#above.#begin()
  }

  /** Ends an action that was done at a time, or was not done after all. */
  #end(doneMs?: number): void {
    this.#acting--
    if (doneMs !== undefined) {
      this.#actions++
      this.#recent.push(doneMs)
    }
    if (this.#above) this.#above.#end(doneMs)
  }

  /** Counts a screenshot and takes it; one that fails is not counted. Throws when none is left. */
  spendScreenshot<T>(take: () => Awaitable<T>): Awaitable<T> {
    const limit = this.#limits.max_screenshots
    if (limit !== undefined && this.#screenshots >= limit)
      throw new Fault('BudgetExceeded', 'max_screenshots reached', { used: this.#screenshots, limit })
    const taken = () => (this.#above ? this.#above.spendScreenshot(take) : take())
    this.#screenshots++
    return orElse(taken, (thrown) => {
      this.#screenshots--
      throw thrown
    })
  }

  admitVlm(): void {
    const limit = this.#limits.max_vlm_tokens
    if (limit !== undefined && this.#vlmTokens >= limit)
      throw new Fault('BudgetExceeded', 'max_vlm_tokens reached', { used: this.#vlmTokens, limit })
    this.#above?.admitVlm()
  }

  spendVlmTokens(tokens: number): void {
    this.#vlmTokens += tokens
    this.#above?.spendVlmTokens(tokens)
  }

  /** How much of each limit is used, and how much is left: of the session's or the server's, whichever leaves less. */
  status(nowMs: number): Readonly<Record<string, unknown>> {
    return this.configured ? { configured: true, ...this.#gauges(nowMs) } : { configured: false }
  }

  #gauges(nowMs: number): Gauges {
    const own = this.#ownGauges(nowMs)
    if (!this.#above) return own
    const above = this.#above.#gauges(nowMs)
    return Object.fromEntries(Object.entries(own).map(([name, gauge]) => [name, tighter(gauge, above[name]!)]))
  }

  #ownGauges(nowMs: number): Gauges {
    const limits = this.#limits
    const elapsed = this.#elapsed(nowMs)
    const inWindow = this.#inWindow(nowMs)
    return {
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
    if (this.#firstRecent > MAX_RECENT_PASSED) {
      this.#recent = this.#recent.slice(this.#firstRecent)
      this.#firstRecent = 0
    }
    return this.#recent.length - this.#firstRecent
  }
}

/** Rows of `get_budget_status`, by the name of what they measure. */
type Gauges = Readonly<Record<string, Gauge>>
type Gauge = { readonly remaining: number | null } & Readonly<Record<string, number | null>>

/** The one of two that leaves less. */
const tighter = (own: Gauge, above: Gauge): Gauge =>
  (above.remaining ?? Number.POSITIVE_INFINITY) < (own.remaining ?? Number.POSITIVE_INFINITY) ? above : own

const rest = (limit: number | undefined, used: number) => ({
  limit: limit ?? null,
  remaining: limit === undefined ? null : Math.max(0, limit - used),
})
