import { Fault } from '../../base/fault.ts'
import type { IdSource } from '../../base/ids.ts'
import { compilePattern, type Pattern, UNLIMITED_MATCHING } from '../../base/pattern.ts'
import type { Action } from '../../desktop/input/action.ts'
import type { Target } from '../../desktop/model/desktop.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import type { Settings } from '../settings.ts'
import { type ComputerViews, findHits } from './hits.ts'

/** An element that an action will hit. Only the gate knows its unredacted texts. */
export interface Hit {
  readonly target: Target
  readonly role: string
  readonly bounds: Rect
  readonly selector: string
}

/** The unredacted texts of an element that an action will hit. */
interface HitTexts {
  readonly name: string
  readonly roles: readonly string[]
  readonly labels: readonly string[]
}

/** An action without its position. */
export interface ActionSignature {
  /** Its name in receipts. */
  readonly action: string
  /** The JSON of the actions without positions, to compare. */
  readonly parameters: string
}

interface Proposal {
  readonly signature: ActionSignature
  /** The elements that it would hit, with their names and boxes at the time of the proposal. */
  readonly hits: readonly { readonly target: Target; readonly labels: readonly string[]; readonly bounds: Rect }[]
  readonly expiresMs: number
}

const MAX_TOKENS = 1000

/**
 * Requires a token for actions on some elements (observer document, "Confirmation tokens"). It has access to unredacted data,
 * since its rules match the elements that will be hit.
 */
export class ConfirmationGate {
  readonly #rules: readonly { name: Pattern | undefined; role: string | undefined }[]
  readonly #ttlMs: number
  readonly #tolerance: number
  readonly #proposals = new Map<string, Proposal>()
  readonly #views: ComputerViews
  readonly #texts = new WeakMap<Hit, HitTexts>()

  constructor(views: ComputerViews, rules: Settings['confirmation_required'], settings: Settings['confirmation']) {
    this.#views = views
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

  /** The elements that actions will hit. `target` is the element that the caller named. Does nothing. */
  async hitsOf(actions: readonly Action[], target: Target | undefined): Promise<readonly Hit[]> {
    return (await findHits(this.#views, actions, target)).map(({ target, element, roles, labels, selector }) => {
      const hit: Hit = { target, role: element.role, bounds: element.bounds, selector }
      this.#texts.set(hit, { name: element.name, roles, labels })
      return hit
    })
  }

  /** Role and unredacted name of a hit, for permission rules. */
  describe(hit: Hit): string {
    return `${hit.role} ${JSON.stringify(this.#textsOf(hit).name)}`
  }

  /** Creates a token that allows the action on these elements once. */
  propose(
    signature: ActionSignature,
    hits: readonly Hit[],
    ids: IdSource,
    nowMs: number,
  ): { token: string; expiresMs: number } {
    this.#forget(nowMs)
    const token = `ct:${ids.hex(16)}`
    const expiresMs = nowMs + this.#ttlMs
    const asThen = hits.map((hit) => ({ target: hit.target, labels: this.#textsOf(hit).labels, bounds: hit.bounds }))
    this.#proposals.set(token, { signature, hits: asThen, expiresMs })
    return { token, expiresMs }
  }

  /** Throws when a rule requires a token that is missing or invalid. Uses up a valid token only. */
  admit(signature: ActionSignature, hits: readonly Hit[], token: string | undefined, nowMs: number): void {
    const { action } = signature
    const asking = hits.filter((hit) => this.#asks(hit))
    const [first] = asking
    if (!first) return
    const { target, role, bounds, selector } = first
    if (token === undefined)
      throw new Fault('ConfirmationRequired', `${action} on ${role} needs a token from propose_action`, {
        action,
        target: { window_uid: target.window, element_id: target.element, selector, bounds },
      })
    this.#forget(nowMs)
    const proposals = this.#proposals.get(token)
    const wrong = proposals ? this.#mismatch(proposals, signature, asking) : 'the token is unknown, used or expired'
    if (wrong !== undefined) throw new Fault('ConfirmationInvalid', wrong, { action, selector })
    this.#proposals.delete(token)
  }

  /** Invalidates all tokens. */
  clear(): void {
    this.#proposals.clear()
  }

  /** The first element for which a rule requires a token. */
  asking(hits: readonly Hit[]): Hit | undefined {
    return hits.find((hit) => this.#asks(hit))
  }

  #asks(hit: Hit): boolean {
    const { roles, labels } = this.#textsOf(hit)
    return this.#rules.some((rule) => matches(rule, roles, labels))
  }

  /** Every hit comes from `hitsOf`. */
  #textsOf(hit: Hit): HitTexts {
    return this.#texts.get(hit)!
  }

  #mismatch(proposals: Proposal, { action, parameters }: ActionSignature, asking: readonly Hit[]): string | undefined {
    const { signature } = proposals
    if (signature.action !== action) return `the token was proposed for ${signature.action}, not for ${action}`
    if (signature.parameters !== parameters) return `the token was proposed for ${action} with other arguments`
    for (const hit of asking) {
      const { target, bounds } = hit
      const { labels } = this.#textsOf(hit)
      const proposed = proposals.hits.find((each) => isSame(each.target, target))
      if (!proposed) return 'the token was proposed for another element'
      if (proposed.labels.join('\n') !== labels.join('\n'))
        return 'the element has another name than when the token was proposed'
      const keys = ['x', 'y', 'width', 'height'] as const
      if (keys.some((key) => Math.abs(proposed.bounds[key] - bounds[key]) > this.#tolerance))
        return `the element has moved by more than ${this.#tolerance} px since the token was proposed`
    }
    return undefined
  }

  #forget(nowMs: number): void {
    for (const [token, { expiresMs }] of this.#proposals) {
      if (expiresMs > nowMs && this.#proposals.size <= MAX_TOKENS) break
      this.#proposals.delete(token)
    }
  }
}

const isSame = (a: Target, b: Target): boolean => a.window === b.window && a.element === b.element

function matches(
  rule: { name: Pattern | undefined; role: string | undefined },
  roles: readonly string[],
  labels: readonly string[],
): boolean {
  if (rule.name === undefined && rule.role === undefined) return false
  if (rule.role !== undefined && !roles.includes(rule.role)) return false
  return rule.name === undefined || labels.some((label) => rule.name!.search(label, UNLIMITED_MATCHING))
}
