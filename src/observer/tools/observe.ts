import * as z from 'zod'
import type { WindowInfo } from '../../adapters/computer.ts'
import { type Awaitable, andThen } from '../../base/awaitable.ts'
import { countNodes, type Element } from '../../desktop/model/element.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import type { ToolResult } from '../result.ts'
import type { TreeParts } from '../session/parts.ts'
import { chooseWindow, requireTree, WindowChoice } from '../targets/windows.ts'
import { defineTool } from '../tool.ts'
import { type DiffFormat, wireChanges } from '../trees/changes.ts'
import { cutDepth, toWireElement, WireElement } from '../wire/element.ts'
import { Depth, depthUsed, Perf } from './trees.ts'

export const Observation = z.object({
  window: z.string(),
  window_uid: z.string(),
  format: z.enum(['full', 'custom', 'json-patch']).optional(),
  tree: WireElement.optional(),
  changes: z.array(z.unknown()).optional().describe('Steps that turn the base tree into this one, in order'),
  unchanged: z.boolean().optional(),
  changed_only: z.boolean().optional(),
  tree_hash: z.string(),
  tree_token: z.string(),
  base_token: z.string().nullable().optional(),
  depth_used: z.int().optional(),
  depth_truncated: z.boolean().optional(),
  perf: Perf,
  warning: z.string().optional(),
})

export const Since = z
  .string()
  .optional()
  .describe('A tree_token: answer with the changes since that tree, at any depth')

export interface ObserveOptions {
  readonly since?: string | undefined
  readonly format?: DiffFormat
  readonly depth?: number | undefined
  readonly changedOnly?: boolean
}

/** What a window shows now: whole, or what changed since a tree that was shown before. */
export function observe(context: TreeParts, window: WindowInfo, wanted: ObserveOptions): Awaitable<ToolResult> {
  const startedMs = context.clock.now()
  return andThen(requireTree(context, window), (tree) => describe(context, window, tree, startedMs, wanted))
}

function describe(
  context: TreeParts,
  window: WindowInfo,
  tree: Element,
  startedMs: number,
  wanted: ObserveOptions,
): ToolResult {
  const cache = wanted.changedOnly ? 'bypass' : context.trees.isKnown(window.uid, tree) ? 'hit' : 'miss'
  const depth = depthUsed(context, wanted.depth)
  // Before the tree is remembered, since it may be compared with the one that was shown before it.
  const operatorMs = context.operatorClock.now()
  const shown = shownOf(context, window.uid, tree, wanted, { depth, operatorMs })
  const about = {
    window: window.title,
    window_uid: window.uid,
    tree_hash: treeHash(tree),
    tree_token: context.trees.remember(window.uid, tree, operatorMs),
    perf: { capture_ms: context.clock.now() - startedMs, node_count: countNodes(tree), cache, depth_used: depth },
  }
  return Object.assign(about, shown)
}

/** The whole tree, or what changed since the one that is named or that was shown last. */
function shownOf(
  context: TreeParts,
  uid: string,
  tree: Element,
  { since: given, format = 'custom', changedOnly }: ObserveOptions,
  { depth, operatorMs }: { readonly depth: number; readonly operatorMs: number },
): ToolResult {
  const since = given === '' ? undefined : given
  const base = since === undefined ? undefined : context.trees.recall(uid, since, operatorMs)
  if (base) {
    const changes = wireChanges(base, tree, format)
    return { format, changes, unchanged: changes.length === 0, base_token: since }
  }
  const previous = context.trees.lastShown(uid)
  if (changedOnly && since === undefined && previous) {
    const changes = wireChanges(previous, tree, format)
    if (changes.length === 0) return { changed_only: true, unchanged: true }
    return { changed_only: true, format, changes, unchanged: false }
  }
  const whole = toWireElement(tree)
  const cut = cutDepth(whole, depth)
  return { format: 'full', base_token: null, depth_used: depth, depth_truncated: cut !== whole, tree: cut }
}

const observeWindow = defineTool({
  name: 'observe_window',
  kind: 'look',
  summary:
    'What a window shows now: the whole tree with a tree_token, or with since only what changed. Observe before deciding and after every action.',
  input: WindowChoice.extend({
    since: Since,
    format: z.enum(['custom', 'json-patch']).default('custom').describe('How changes are written'),
    depth: Depth,
    changed_only: z.boolean().default(false).describe('Without since: compare with what was shown last'),
  }),
  output: Observation,
  faults: ['WindowGone'],
  traits: { untrusted: true, idempotent: true },
  run: async ({ input }, context: TreeParts) => {
    const { window, warning } = await chooseWindow(context, input)
    const observation = await observe(context, window, {
      since: input.since,
      format: input.format,
      depth: input.depth,
      changedOnly: input.changed_only,
    })
    return warning === undefined ? observation : { ...observation, warning }
  },
})

export const observeTools = [observeWindow]
