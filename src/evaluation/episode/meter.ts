import { estimateTokens } from '../../agent/history/history.ts'
import { findTool } from '../../observer/registry.ts'
import type { ToolResult } from '../../observer/result.ts'
import type { CallRecord } from '../../observer/session/call-log.ts'
import { observeTools } from '../../observer/tools/observe.ts'
import { treeTools } from '../../observer/tools/trees.ts'
import type { EpisodeResult } from './result.ts'

type ObservedKind = keyof EpisodeResult['observed']
type Observed = { -readonly [Field in keyof EpisodeResult['observed']['text']]: number }

const TREE_TOOLS: ReadonlySet<string> = new Set([...treeTools, ...observeTools].map(({ name }) => name))

/** Pixels of a picture for each token, as model vendors estimate it. */
const PIXELS_PER_TOKEN = 750

/** The element that an action was performed on. */
export interface ActionTarget {
  readonly window: string
  readonly element: string
}

/** Counts what an agent calls and reads. */
export class CallMeter {
  #steps = 0
  readonly #targets: ActionTarget[] = []
  #isStepLimitReached = false
  readonly #calls = new Map<string, number>()
  readonly #observed: Record<ObservedKind, Observed> = {
    picture: { calls: 0, bytes: 0, tokens: 0 },
    tree: { calls: 0, bytes: 0, tokens: 0 },
    text: { calls: 0, bytes: 0, tokens: 0 },
  }

  /** Calls that act, refused ones included. */
  get steps(): number {
    return this.#steps
  }

  /** Whether an action was refused because the budget is spent. */
  get isStepLimitReached(): boolean {
    return this.#isStepLimitReached
  }

  /** The elements of actions, in their order. Keys and points of the screen have none. */
  get targets(): readonly ActionTarget[] {
    return this.#targets
  }

  get calls(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#calls].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  get observed(): EpisodeResult['observed'] {
    return this.#observed
  }

  count({ tool, outcome }: CallRecord): void {
    this.#calls.set(tool, (this.#calls.get(tool) ?? 0) + 1)
    if (findTool(tool)?.kind === 'act') {
      this.#steps++
      const { target } = outcome.body as { readonly target?: { window_uid?: unknown; element_id?: unknown } | null }
      if (typeof target?.window_uid === 'string' && typeof target.element_id === 'string')
        this.#targets.push({ window: target.window_uid, element: target.element_id })
    }
    if (outcome.fault?.code === 'BudgetExceeded' && outcome.fault.message.includes('max_actions'))
      this.#isStepLimitReached = true
    this.#read(tool, outcome.body)
  }

  #read(tool: string, body: ToolResult): void {
    const { data, width, height, ...rest } = body
    const text = JSON.stringify(rest)
    if (typeof data === 'string' && typeof width === 'number' && typeof height === 'number') {
      const bytes = Math.floor((data.length * 3) / 4)
      this.#add('picture', bytes, Math.ceil((width * height) / PIXELS_PER_TOKEN))
      return
    }
    this.#add(TREE_TOOLS.has(tool) ? 'tree' : 'text', Buffer.byteLength(text), estimateTokens(text))
  }

  #add(kind: ObservedKind, bytes: number, tokens: number): void {
    const sum = this.#observed[kind]
    sum.calls++
    sum.bytes += bytes
    sum.tokens += tokens
  }
}
