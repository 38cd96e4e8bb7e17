import { type Awaitable, orElse } from '../../base/async.ts'
import { Fault } from '../../base/fault.ts'
import type { Settings } from '../settings.ts'

/** Expired times are removed in batches, since removing one at a time moves all others. */
const MAX_EXPIRED_TIMES = 1000

export type BudgetLimits = Settings['budget']

/**
 * Limits actions, screenshots and time (observer document, "Budgets"). The budget of a session is part of the budget of the
 * server: usage counts in both, and either refuses.
 */
export class Budget {
  #limits: BudgetLimits
  readonly #startedMs: number
  readonly #parent: Budget | undefined
  /** The times of the latest actions. Those before `#firstRecent` are older than a minute. */
  #recent: number[] = []
  #firstRecent = 0
  #actions = 0
  /** Running actions, of which several sessions may have some at once. They count as done until they fail. */
  #acting = 0
  #screenshots = 0
  #vlmTokens = 0

  /** `parent`: the budget that this one is part of. */
  constructor(limits: BudgetLimits, nowMs: number, parent?: Budget) {
    this.#limits = limits
    this.#startedMs = nowMs
    this.#parent = parent
  }

  /** A budget with the same parent, limits and usage. */
  fork(): Budget {
    const other = new Budget(this.#limits, this.#startedMs, this.#parent)
    if (this.configured) other.#recent = this.#recent.slice(this.#firstRecent)
    other.#actions = this.#actions
    other.#screenshots = this.#screenshots
    other.#vlmTokens = this.#vlmTokens
    return other
  }

  /** Lowers limits for a client. Higher limits are ignored. */
  tighten(limits: BudgetLimits): void {
    const lowered = Object.entries(limits).filter(([name, limit]) => {
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
    return this.#parent?.configured || Object.values(this.#limits).some((limit) => limit !== undefined)
  }

  /** Throws `BudgetExceeded` after the session's time. */
  admit(nowMs: number): void {
    const limit = this.#limits.max_session_seconds
    const elapsed = this.#elapsed(nowMs)
    if (limit !== undefined && elapsed >= limit)
      throw new Fault('BudgetExceeded', 'max_session_seconds reached', { elapsed, limit })
    this.#parent?.admit(nowMs)
  }

  /** Throws `BudgetExceeded` or `RateLimited` when no action is left. */
  admitAction(nowMs: number): void {
    const { max_actions, actions_per_minute } = this.#limits
    const used = this.#actions + this.#acting
    if (max_actions !== undefined && used >= max_actions)
      throw new Fault('BudgetExceeded', 'max_actions reached', { used, limit: max_actions })
    const inWindow = this.#inWindow(nowMs) + this.#acting
    if (actions_per_minute !== undefined && inWindow >= actions_per_minute)
      throw new Fault('RateLimited', 'actions_per_minute exceeded', { window: inWindow, limit: actions_per_minute })
    this.#parent?.admitAction(nowMs)
  }

  /** Begins an action, which counts as done until it has ended. Throws when none is left. */
  beginAction(nowMs: number): void {
    this.admitAction(nowMs)
    this.#begin()
  }

  #begin(): void {
    this.#acting++
    if (this.#parent) this.#parent.#begin()
  }

  /** Ends an action. `doneMs` is when it was done; undefined if it does not count. */
  endAction(doneMs?: number): void {
    this.#acting--
    if (doneMs !== undefined) {
      this.#actions++
      this.#recent.push(doneMs)
    }
    this.#parent?.endAction(doneMs)
  }

  /** Takes a screenshot and counts it if it succeeds. Throws when none is left. */
  spendScreenshot<T>(take: () => Awaitable<T>): Awaitable<T> {
    this.takeScreenshot()
    return orElse(take, (thrown) => {
      this.returnScreenshot()
      throw thrown
    })
  }

  /** Counts a screenshot. Throws when none is left. */
  takeScreenshot(): void {
    const limit = this.#limits.max_screenshots
    if (limit !== undefined && this.#screenshots >= limit)
      throw new Fault('BudgetExceeded', 'max_screenshots reached', { used: this.#screenshots, limit })
    this.#parent?.takeScreenshot()
    this.#screenshots++
  }

  /** Gives a screenshot back that failed. */
  returnScreenshot(): void {
    this.#screenshots--
    this.#parent?.returnScreenshot()
  }

  admitVlm(): void {
    const limit = this.#limits.max_vlm_tokens
    if (limit !== undefined && this.#vlmTokens >= limit)
      throw new Fault('BudgetExceeded', 'max_vlm_tokens reached', { used: this.#vlmTokens, limit })
    this.#parent?.admitVlm()
  }

  spendVlmTokens(tokens: number): void {
    this.#vlmTokens += tokens
    this.#parent?.spendVlmTokens(tokens)
  }

  /** The usage of each limit, of the session or of the server, whichever leaves less. */
  status(nowMs: number): Readonly<Record<string, unknown>> {
    return this.configured ? { configured: true, ...this.#gauges(nowMs) } : { configured: false }
  }

  #gauges(nowMs: number): Gauges {
    const own = this.#ownGauges(nowMs)
    if (!this.#parent) return own
    const parent = this.#parent.#gauges(nowMs)
    return Object.fromEntries(Object.entries(own).map(([name, gauge]) => [name, tighter(gauge, parent[name]!)]))
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
    if (this.#firstRecent > MAX_EXPIRED_TIMES) {
      this.#recent = this.#recent.slice(this.#firstRecent)
      this.#firstRecent = 0
    }
    return this.#recent.length - this.#firstRecent
  }
}

/** The fields of `get_budget_status`. */
type Gauges = Readonly<Record<string, Gauge>>
type Gauge = { readonly remaining: number | null } & Readonly<Record<string, number | null>>

/** The gauge that leaves less. */
const tighter = (own: Gauge, parent: Gauge): Gauge =>
  (parent.remaining ?? Number.POSITIVE_INFINITY) < (own.remaining ?? Number.POSITIVE_INFINITY) ? parent : own

const rest = (limit: number | undefined, used: number) => ({
  limit: limit ?? null,
  remaining: limit === undefined ? null : Math.max(0, limit - used),
})
