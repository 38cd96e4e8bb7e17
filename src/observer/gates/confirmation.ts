import { Fault } from '../../base/fault.ts'
import type { Ids } from '../../base/ids.ts'
import { compilePattern, type Pattern, UNLIMITED } from '../../base/pattern.ts'
import type { Target } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import type { Settings } from '../settings.ts'

/** The element an action will hit, as the confirmation rules see it: unredacted. */
export interface Hit {
  readonly target: Target
  readonly element: Element
  /** Its name and the texts of its parts, as far as they label it. */
  readonly labels: readonly string[]
  /** For the answer only. */
  readonly selector: string
}

/** What is done, wherever that is. */
export interface Operation {
  /** Its name in receipts. */
  readonly action: string
  /** All of it but the place, as text to compare. */
  readonly does: string
}

interface Promised {
  readonly deed: Operation
  /** What it was proposed to hit, with the names and boxes they had then. */
  readonly hits: readonly { readonly target: Target; readonly labels: readonly string[]; readonly bounds: Rect }[]
  readonly expiresMs: number
}

const MAX_TOKENS = 1000

/** Actions on some elements need a token that was proposed for them before (observer document, "Confirmation tokens"). */
export class Confirmation {
  readonly #rules: readonly { name: Pattern | undefined; role: string | undefined }[]
  readonly #ttlMs: number
  readonly #tolerance: number
  readonly #promised = new Map<string, Promised>()

  constructor(rules: Settings['confirmation_required'], settings: Settings['confirmation']) {
    this.#rules = rules.map((rule) => ({
      name: rule.name_regex === undefined ? undefined : compilePattern(rule.name_regex),
      role: rule.role,
    }))
    this.#ttlMs = settings.ttl_seconds * 1000
    this.#tolerance = settings.bbox_tolerance_px
  }

  get configured(): boolean {
    return this.#rules.length > 0
  }

  /** Promises that this may be done to these elements later, once; the token is shown once. */
  propose(deed: Operation, hits: readonly Hit[], ids: Ids, nowMs: number): { token: string; expiresMs: number } {
    this.#forget(nowMs)
    const token = `ct:${ids.hex(16)}`
    const expiresMs = nowMs + this.#ttlMs
    const asThen = hits.map(({ target, labels, element: { bounds } }) => ({ target, labels, bounds }))
    this.#promised.set(token, { deed, hits: asThen, expiresMs })
    return { token, expiresMs }
  }

  /** Throws when a rule asks for a token that is missing or does not fit. A token that fits is used up; others are kept. */
  admit(deed: Operation, hits: readonly Hit[], token: string | undefined, nowMs: number): void {
    const { action } = deed
    const asking = hits.filter((hit) => this.#asks(hit))
    const [first] = asking
    if (!first) return
    const { target, element, selector } = first
    if (token === undefined)
      throw new Fault('ConfirmationRequired', `${action} on ${element.role} needs a token from propose_action`, {
        action,
        target: { window_uid: target.window, element_id: target.element, selector, bounds: element.bounds },
      })
    this.#forget(nowMs)
    const promised = this.#promised.get(token)
    const wrong = promised ? this.#mismatch(promised, deed, asking) : 'the token is unknown, used or expired'
    if (wrong !== undefined) throw new Fault('ConfirmationInvalid', wrong, { action, selector })
    this.#promised.delete(token)
  }

  /** Takes all promises back. */
  clear(): void {
    this.#promised.clear()
  }

  /** The first element that a rule asks a token for. */
  asking(hits: readonly Hit[]): Hit | undefined {
    return hits.find((hit) => this.#asks(hit))
  }

  #asks(hit: Hit): boolean {
    return this.#rules.some((rule) => matches(rule, hit))
  }

  #mismatch(promised: Promised, { action, does }: Operation, asking: readonly Hit[]): string | undefined {
    const { deed } = promised
    if (deed.action !== action) return `the token was proposed for ${deed.action}, not for ${action}`
    if (deed.does !== does) return `the token was proposed for ${action} with other arguments`
    for (const { target, element, labels } of asking) {
      const hit = promised.hits.find((each) => isSame(each.target, target))
      if (!hit) return 'the token was proposed for another element'
      if (hit.labels.join('\n') !== labels.join('\n'))
        return 'the element has another name than when the token was proposed'
      const keys = ['x', 'y', 'width', 'height'] as const
      if (keys.some((key) => Math.abs(hit.bounds[key] - element.bounds[key]) > this.#tolerance))
        return `the element has moved by more than ${this.#tolerance} px since the token was proposed`
    }
    return undefined
  }

  #forget(nowMs: number): void {
    for (const [token, { expiresMs }] of this.#promised) {
      if (expiresMs > nowMs && this.#promised.size <= MAX_TOKENS) break
      this.#promised.delete(token)
    }
  }
}

const isSame = (a: Target, b: Target): boolean => a.window === b.window && a.element === b.element

function matches(rule: { name: Pattern | undefined; role: string | undefined }, { element, labels }: Hit): boolean {
  if (rule.name === undefined && rule.role === undefined) return false
  if (rule.role !== undefined && rule.role !== element.role) return false
  return rule.name === undefined || labels.some((label) => rule.name!.search(label, UNLIMITED))
}
