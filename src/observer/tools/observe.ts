import * as z from 'zod'
import type { WindowInfo } from '../../adapters/computer.ts'
import { type Awaitable, andThen } from '../../base/async.ts'
import { countNodes, type Element } from '../../desktop/model/element.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import { withoutClosed } from '../../desktop/tree/modal.ts'
import type { TreeContext } from '../desktop-context.ts'
import type { ToolResult } from '../result.ts'
import { chooseWindow, requireTree, WindowChoice } from '../targets/window-lookup.ts'
import { defineTool } from '../tool.ts'
import { cutDepth, type DiffFormat, toWireElement, WireElement, wireChanges } from '../wire.ts'
import { Depth, depthUsed, INCOMPLETE, isIncomplete, Perf } from './trees.ts'

export const Observation = z.object({
  window: z.string(),
  window_uid: z.string(),
  format: z.enum(['full', 'custom', 'json-patch']).optional(),
  tree: WireElement.optional(),
  changes: z
    .array(z.unknown())
    .optional()
    .describe('Changes that turn the base tree into this one when applied in order'),
  unchanged: z.boolean().optional(),
  changed_only: z.boolean().optional(),
  tree_hash: z.string(),
  tree_token: z.string(),
  base_token: z.string().nullable().optional(),
  depth_used: z.int().optional(),
  depth_truncated: z.boolean().optional(),
  incomplete: INCOMPLETE,
  perf: Perf,
  warning: z.string().optional(),
})

export const Since = z.string().optional().describe('A tree_token: return the changes since that tree, at any depth')

export interface ObserveOptions {
  readonly since?: string | undefined
  readonly format?: DiffFormat
  readonly depth?: number | undefined
  readonly changedOnly?: boolean
}

/** Returns the tree of a window, or its changes since an earlier tree. */
export function observe(context: TreeContext, window: WindowInfo, options: ObserveOptions): Awaitable<ToolResult> {
  const startedMs = context.clock.now()
  return andThen(requireTree(context, window), (tree) => describe(context, window, tree, startedMs, options))
}

function describe(
  context: TreeContext,
  window: WindowInfo,
  tree: Element,
  startedMs: number,
  options: ObserveOptions,
): ToolResult {
  const cache = options.changedOnly ? 'bypass' : context.trees.isKnown(window.uid, tree) ? 'hit' : 'miss'
  const depth = depthUsed(context, options.depth)
  // Computed before the tree is remembered, since it may be compared with the previous tree.
  const operatorMs = context.operatorClock.now()
  const shown = treeOrChanges(context, window.uid, tree, options, { depth, operatorMs })
  const about = {
    window: window.title,
    window_uid: window.uid,
    tree_hash: treeHash(tree),
    tree_token: context.trees.remember(window.uid, tree, operatorMs),
    perf: { capture_ms: context.clock.now() - startedMs, node_count: countNodes(tree), cache, depth_used: depth },
  }
  return Object.assign(about, shown, isIncomplete(tree) && { incomplete: true })
}

/** The whole tree, or the changes since the tree of `since` or the last one. */
function treeOrChanges(
  context: TreeContext,
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
  const whole = toWireElement(withoutClosed(tree))
  const cut = cutDepth(whole, depth)
  return { format: 'full', base_token: null, depth_used: depth, depth_truncated: cut !== whole, tree: cut }
}

const observeWindow = defineTool({
  name: 'observe_window',
  kind: 'look',
  summary:
    'Observe a window: the whole tree with a tree_token, or with since only the changes. Observe before deciding and after every action.',
  input: WindowChoice.extend({
    since: Since,
    format: z.enum(['custom', 'json-patch']).default('custom').describe('The format of changes'),
    depth: Depth,
    changed_only: z.boolean().default(false).describe('Without since: compare with the last returned tree'),
  }),
  output: Observation,
  faults: ['WindowGone'],
  traits: { untrusted: true, idempotent: true },
  run: async ({ input }, context: TreeContext) => {
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
