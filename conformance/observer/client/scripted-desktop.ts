import type { AssessOptions } from '../../client/conversation.ts'
import type { ServerContext } from '../../client/flow.ts'
import type { ActingRule } from './acting.ts'
import * as screen from './screen.ts'
import { errorResponse, type ToolError, type ToolResponse, toolError } from './screen.ts'

export type Arguments = Readonly<Record<string, unknown>>

/** One requested action of the agent. */
interface AgentAction {
  /** Identifies the action, without its token. */
  readonly signature: string
  /** It presses the button that the goal names. */
  readonly isPress: boolean
}

/** The result of pressing the button, by attempt; undefined presses it. */
export type PressPlan = (attempt: number, token: string | undefined) => ToolError | undefined

/** The wait time of a rate limit in milliseconds, and the time that counts as too soon. */
export const RATE_MS = 1000
const TOO_SOON_MS = 600

/** A desktop that a flow scripts. REST and MCP call it by tool names; it judges the actions of the agent. */
export class ScriptedDesktop {
  readonly context: ServerContext
  private readonly prefix: string
  /** Fields added to every object of a response. */
  more: object = {}
  plan: PressPlan = () => undefined
  /** Milliseconds after which actions are answered. */
  delayMs = 0
  /** Pressing has an effect even when the plan refuses it. */
  pressesAnyway = false
  presses = 0
  attempts = 0
  acts = 0
  private generation = 1
  private hasObserved = false
  private hasLooked = true
  private isVerified = true
  private lastFailed: { readonly act: AgentAction; readonly code: string } | undefined
  private limitedAt: number | undefined
  private readonly pending = new Set<string>()
  private tokens = 0
  private refusedTokens = new Set<string>()
  lastCallAt = 0

  constructor(context: ServerContext, prefix: string) {
    this.context = context
    this.prefix = prefix
  }

  assess(rule: ActingRule, found: string | undefined, options?: AssessOptions): boolean {
    return this.context.flowContext.assess(`${this.prefix}:${rule}`, found, options)
  }

  get isBusy(): boolean {
    return this.pending.size > 0
  }

  /** Invalidates the ids that the agent knows. */
  renew(): void {
    this.generation++
  }

  private get elements(): readonly screen.ScreenElement[] {
    return screen.elementsOf(this.presses > 0, this.generation)
  }

  private get hash(): string {
    return `sha1:${this.presses}${this.generation}`
  }

  /** Calls a tool. Undefined when the desktop does not have it. */
  async call(tool: string, given: Arguments): Promise<ToolResponse | undefined> {
    this.lastCallAt = performance.now()
    const observation = OBSERVATIONS[tool]
    if (observation) {
      this.looked(observation.isObserving)
      return observation.answer(this, given)
    }
    const action = ACTS[tool]
    if (!action) return undefined
    const reply = await this.act(tool, given, action.observes === true)
    this.lastCallAt = performance.now()
    return reply
  }

  private looked(isObserving: boolean): void {
    if (!isObserving) return
    this.hasObserved = true
    this.hasLooked = true
    this.isVerified = true
  }

  private async act(tool: string, given: Arguments, observes: boolean): Promise<ToolResponse> {
    const { confirm_token: token, ...rest } = given
    const act: AgentAction = { signature: `${tool} ${JSON.stringify(rest)}`, isPress: this.isPress(tool, given) }
    this.judgeAct(act)
    if (given.dry_run === true) return { status: 200, body: this.receipt(tool, true) }
    this.acts++
    this.hasLooked = false
    const key = act.isPress ? 'press' : act.signature
    const isTwice = this.pending.has(key)
    this.assess('late:patient', isTwice ? `${tool} was called again before its answer had come` : undefined)
    this.pending.add(key)
    if (this.delayMs > 0) await this.context.flowContext.pause(this.delayMs)
    this.pending.delete(key)
    const stale = this.missing(given)
    const confirm = typeof token === 'string' ? token : undefined
    if (act.isPress) this.judgeToken(confirm)
    const refused = stale ?? (act.isPress ? this.plan(++this.attempts, confirm) : undefined)
    if (refused) return this.refuse(act, refused, confirm)
    this.lastFailed = undefined
    if (act.isPress) this.presses++
    this.isVerified = observes
    if (observes) this.looked(true)
    const observation = { observation: { format: 'full', tree: this.tree(), tree_token: this.hash, base_token: null } }
    return { status: 200, body: { ...this.receipt(tool, false), ...(observes && observation) } }
  }

  private refuse(act: AgentAction, error: ToolError, token: string | undefined): ToolResponse {
    this.lastFailed = { act, code: error.code }
    if (error.code === 'RateLimited') this.limitedAt = performance.now()
    if (error.code === 'ConfirmationInvalid' && token !== undefined) this.refusedTokens.add(token)
    if (this.pressesAnyway && act.isPress) this.presses++
    return errorResponse(error)
  }

  private judgeAct(act: AgentAction): void {
    this.assess('observe:first', this.hasObserved ? undefined : 'an action came before any look at the screen')
    this.assess('observe:after', this.isVerified ? undefined : 'an action followed another one without a look')
    const { lastFailed } = this
    if (this.limitedAt !== undefined) {
      const passed = Math.round(performance.now() - this.limitedAt)
      const isSoon = passed < TOO_SOON_MS
      this.assess('rate:waits', isSoon ? `an action came ${passed} ms after a limit of ${RATE_MS} ms` : undefined)
      this.limitedAt = undefined
    }
    if (lastFailed?.code === 'BudgetExceeded')
      this.assess('budget:stops', `${act.signature} was called after BudgetExceeded`)
    const isSame = act.isPress ? lastFailed?.act.isPress : lastFailed?.act.signature === act.signature
    if (!lastFailed || !isSame) return
    if (lastFailed.code === 'PermissionDenied' || lastFailed.code === 'Internal')
      this.assess('error:resent', `${act.signature} was called again after ${lastFailed.code}`)
    if (SCREEN_CODES.includes(lastFailed.code))
      this.assess(
        'observe:repeats',
        this.hasLooked ? undefined : `${act.signature} was repeated after ${lastFailed.code} without a look`,
      )
  }

  /** The token of the latest proposal. */
  get knownToken(): string | undefined {
    return this.tokens > 0 ? `token-${this.tokens}` : undefined
  }

  private judgeToken(token: string | undefined): void {
    const { lastFailed } = this
    if (lastFailed?.code !== 'ConfirmationRequired' && lastFailed?.code !== 'ConfirmationInvalid') return
    if (token !== undefined && this.refusedTokens.has(token))
      return void this.assess('confirm:reused', `the refused token ${token} was sent again`)
    if (lastFailed.code === 'ConfirmationInvalid') this.assess('confirm:reused', undefined)
    const known = this.knownToken
    const found =
      token === undefined
        ? 'the action was sent again without a confirm_token'
        : token === known
          ? undefined
          : `confirm_token is "${token}", and propose_action ${known === undefined ? 'was not called' : `answered "${known}"`}`
    this.assess('confirm:token', found)
  }

  propose(): ToolResponse {
    this.tokens++
    this.looked(true)
    const save = this.elements.find(screen.isSave)!
    const target = { window_uid: screen.WINDOW_UID, selector: 'Button[name="Save"]', bounds: save.bounds }
    const proposal = {
      confirm_token: `token-${this.tokens}`,
      expires_at: '2030-01-01T00:00:00Z',
      would_target: { ...target, screenshot_b64: screen.PIXEL },
    }
    return this.success(proposal)
  }

  success(fields: object): ToolResponse {
    return { status: 200, body: { ok: true, ...fields, ...this.more } }
  }

  private isPress(tool: string, given: Arguments): boolean {
    if (!ACTS[tool]!.presses) return false
    const target = this.target(given)
    return target !== undefined && screen.isSave(target)
  }

  /** The element that an action names, by its id, a selector or a point. */
  private target(given: Arguments): screen.ScreenElement | undefined {
    const { element_id: id, selector, x, y } = given
    if (typeof id === 'string') return this.elements.find((one) => one.id.split('.')[1] === id.split('.')[1])
    if (typeof selector === 'string') return screen.findBySelector(this.elements, selector)
    if (typeof x !== 'number' || typeof y !== 'number') return undefined
    const hit = this.elements.find(({ bounds }) => screen.containsPoint(bounds, { x, y }))
    this.assess('coordinates:bounds', hit ? undefined : `${x}, ${y} is in no element`)
    return hit
  }

  private missing(given: Arguments): ToolError | undefined {
    const { element_id: id, selector } = given
    const isStale = typeof id === 'string' && !this.elements.some((one) => one.id === id)
    const isUnknown =
      typeof selector === 'string' && id === undefined && !screen.findBySelector(this.elements, selector)
    return isStale || isUnknown ? notFound(String(id ?? selector)) : undefined
  }

  private tree(): object {
    return screen.toTree(this.elements, this.more)
  }

  structure(): ToolResponse {
    const count = this.elements.length + 1
    return this.success({
      window: screen.TITLE,
      window_uid: screen.WINDOW_UID,
      element_count: count,
      node_count: count,
      tree: this.tree(),
      tree_hash: this.hash,
      tree_token: this.hash,
      truncated: false,
      next_cursor: null,
    })
  }

  observation(): ToolResponse {
    const tokens = { tree_token: this.hash, base_token: null, tree_hash: this.hash }
    return this.success({ format: 'full', tree: this.tree(), window_uid: screen.WINDOW_UID, ...tokens })
  }

  sketch(): ToolResponse {
    const sketch = screen.toDescription(this.elements)
    return this.success({ window: screen.TITLE, grid_width: 72, grid_height: 24, sketch })
  }

  description(): ToolResponse {
    const accessibility = screen.toDescription(this.elements)
    return this.success({ mode: 'combined', effective_mode: 'combined', accessibility })
  }

  observed(): ToolResponse {
    return this.success({
      window: screen.TITLE,
      sketch: screen.toDescription(this.elements),
      description: screen.toDescription(this.elements),
    })
  }

  windows(): ToolResponse {
    return this.success(screen.toWindowList(this.more))
  }

  find({ selector }: Arguments): ToolResponse {
    const found = screen.findBySelector(this.elements, String(selector))
    if (!found) return errorResponse(notFound(String(selector)))
    const { id, bounds, name, role } = found
    return this.success({
      window_uid: screen.WINDOW_UID,
      element_id: id,
      selector,
      bounds,
      ambiguous_matches: 1,
      all_matches: [{ element_id: id, bounds, name, role, ...this.more }],
    })
  }

  private receipt(tool: string, isDry: boolean): object {
    const save = this.elements.find(screen.isSave)!
    const side = { tree_hash: this.hash, focused_selector: '' }
    return {
      ok: true,
      success: true,
      step_id: this.acts + 1,
      caused_by_step_id: null,
      action: tool,
      dry_run: isDry,
      target: {
        window_uid: screen.WINDOW_UID,
        element_id: save.id,
        selector: 'Button[name="Save"]',
        bounds: save.bounds,
      },
      before: { ...side, tree_hash: 'sha1:0' },
      after: side,
      changed: !isDry,
      new_dialogs: [],
      duration_ms: 1,
      ...this.more,
    }
  }

  /** Judges the requirements that depend on all actions of the agent. */
  ended(): void {
    if (this.acts > 0) this.assess('observe:after', this.isVerified ? undefined : 'no look followed the last action')
  }
}

export const notFound = (what: string): ToolError =>
  toolError('ElementNotFound', `no element matches ${what}`, {
    recoverable: true,
    suggested_next_tool: 'find_element',
    context: { selector: what },
  })

/** Error codes that depend on the screen. */
const SCREEN_CODES: readonly string[] = ['ElementNotFound', 'ElementDisabled', 'ElementOccluded', 'Timeout']

interface Observation {
  /** It shows the contents of a window. */
  readonly isObserving: boolean
  readonly answer: (desktop: ScriptedDesktop, given: Arguments) => ToolResponse
}

const observing = (answer: Observation['answer']): Observation => ({ isObserving: true, answer })
const status = (fields: object): Observation => ({ isObserving: false, answer: (desktop) => desktop.success(fields) })

/** Tools that do not act, by name. */
const OBSERVATIONS: Readonly<Record<string, Observation>> = {
  list_windows: { isObserving: false, answer: (desktop) => desktop.windows() },
  get_element_tree: observing((desktop) => desktop.structure()),
  get_window_structure: observing((desktop) => desktop.structure()),
  get_screen_description: observing((desktop) => desktop.description()),
  get_screen_sketch: observing((desktop) => desktop.sketch()),
  get_screenshot: observing((desktop) =>
    desktop.success({ window: screen.TITLE, format: 'png', encoding: 'base64', data: screen.PIXEL }),
  ),
  observe_window: observing((desktop) => desktop.observed()),
  observe: observing((desktop) => desktop.observation()),
  find_element: observing((desktop, given) => desktop.find(given)),
  wait_for: observing((desktop) => desktop.success({ matched_index: 0, matched_detail: {}, elapsed_ms: 1, polls: 1 })),
  wait_idle: status({ elapsed_ms: 1, polls: 1 }),
  propose_action: observing((desktop) => desktop.propose()),
  get_capabilities: status({
    platform: 'mock',
    adapter: 'mock',
    version: '2.0',
    protocol_version: '2',
    supports: { accessibility_tree: true },
    config: { tree_max_depth: 32, ascii_grid: {} },
  }),
  get_monitors: status({ monitors: [] }),
  get_budget_status: status({ configured: {}, actions: 0, screenshots: 0, vlm_tokens: 0, session_seconds: 0 }),
  get_redaction_status: status({ enabled: false, active: false, patterns_count: 0, applied_count: 0 }),
}

interface ActTool {
  /** It presses the button when it is aimed at it. */
  readonly presses?: boolean
  /** Its answer shows the screen afterwards. */
  readonly observes?: boolean
}

/** Tools that act, by name. */
const ACTS: Readonly<Record<string, ActTool>> = {
  click_at: { presses: true },
  click_element: { presses: true },
  invoke_element: { presses: true },
  double_click_element: { presses: true },
  click_element_and_observe: { presses: true, observes: true },
  focus_element: {},
  select_option: {},
  set_value: {},
  clear_text: {},
  key_into_element: { presses: true },
  right_click_element: {},
  hover_at: {},
  drag: {},
  type_text: {},
  press_key: {},
  scroll: {},
  type_and_observe: { observes: true },
  press_key_and_observe: { observes: true },
}

/** Names of all tools of the scripted desktop. */
export const TOOL_NAMES: readonly string[] = [...Object.keys(OBSERVATIONS), ...Object.keys(ACTS)]
