import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { WindowInfo } from '../../adapters/computer.ts'
import { andThen } from '../../base/async.ts'
import { Fault } from '../../base/fault.ts'
import { compilePattern, createMatchBudget, type MatchBudget, type Pattern } from '../../base/pattern.ts'
import { countNodes, type Element, memoize, nodeById, type Path } from '../../desktop/model/element.ts'
import { EMPTY_RECT, intersect, type Rect } from '../../desktop/model/geometry.ts'
import { roleKind, rolesWith } from '../../desktop/model/role.ts'
import { chainTo } from '../../desktop/tree/element-ref.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import { withoutClosed } from '../../desktop/tree/modal.ts'
import { revealedIds } from '../../desktop/visible-bounds.ts'
import type { DesktopContext, TreeContext } from '../desktop-context.ts'
import { CachedResult, type ToolResult } from '../result.ts'
import { resolveReachable } from '../targets/elements.ts'
import { chooseWindow, requireTree, visibleRegionsOf, WindowChoice } from '../targets/window-lookup.ts'
import { defineTool } from '../tool.ts'
import type { ContextOf } from '../tool-context.ts'
import { countNamed } from '../tree-cache.ts'
import { Bounds, countWireElements, cutDepth, markWireTree, toWireElement, WireElement } from '../wire.ts'

export interface Filter {
  readonly roles: readonly string[] | undefined
  readonly excludeRoles: readonly string[] | undefined
  readonly name: Pattern | undefined
  readonly visible: ((element: WireElement) => boolean) | undefined
  readonly maxTextLength: number | undefined
  /** Also removes empty containers. */
  readonly pruneEmpty: boolean
}

const CONTAINERS = rolesWith('grouping')

/**
 * Removes elements that do not match, except ancestors of matching elements. Without conditions it returns the same tree.
 */
function filterTree(tree: WireElement, filter: Filter): WireElement {
  const { maxTextLength } = filter
  const chosen = hasConditions(filter)
    ? { ...tree, children: keepAll(tree.children, filter, createMatchBudget()) }
    : tree
  const shortened = maxTextLength === undefined ? chosen : shorten(chosen, maxTextLength)
  return shortened === tree ? tree : markWireTree(shortened)
}

const hasConditions = ({ roles, excludeRoles, name, visible, pruneEmpty }: Filter): boolean =>
  Boolean(roles?.length || excludeRoles?.length || name || visible || pruneEmpty)

const keepAll = (elements: readonly WireElement[], filter: Filter, work: MatchBudget): readonly WireElement[] =>
  elements.flatMap((element) => {
    const children = keepAll(element.children, filter, work)
    if (children.length > 0) return [{ ...element, children }]
    return matches(element, filter, work) ? [{ ...element, children }] : []
  })

function matches(element: WireElement, filter: Filter, work: MatchBudget): boolean {
  const { roles, excludeRoles, name, visible, pruneEmpty } = filter
  if (pruneEmpty && !element.name && !element.value && CONTAINERS.has(roleKind(element.role))) return false
  if (excludeRoles?.includes(element.role)) return false
  if (roles && roles.length > 0 && !roles.includes(element.role)) return false
  if (name && !name.search(element.name, work)) return false
  return visible === undefined || visible(element)
}

function shorten(element: WireElement, maxLength: number): WireElement {
  return {
    ...element,
    name: cut(element.name, maxLength),
    value: element.value === null ? null : cut(element.value, maxLength),
    children: element.children.map((child) => shorten(child, maxLength)),
  }
}

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  // A character has one or two UTF-16 units.
  const characters = [...text.slice(0, 2 * maxLength + 1)]
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join('')}…` : text
}

export interface Page {
  readonly tree: WireElement | null
  readonly nextCursor: string | null
}

/**
 * Returns a page of at most `maxNodes` elements in document order, as a list below a root of its own. A tree that fits into
 * one page keeps its shape. Throws `SnapshotExpired` when the cursor belongs to another tree or selection of elements.
 */
function pageOf(
  tree: WireElement,
  hash: string,
  { maxNodes, cursor }: { maxNodes: number | undefined; cursor: string | undefined },
): Page {
  if (maxNodes === undefined && cursor === undefined) return { tree, nextCursor: null }
  const nodes = [...flatten(tree)]
  const mark = digestOf(nodes, hash)
  const from = cursor === undefined ? 0 : positionOf(cursor, mark)
  const until = Math.min(nodes.length, from + (maxNodes ?? nodes.length))
  if (from === 0 && until === nodes.length) return { tree, nextCursor: null }
  return {
    tree: markWireTree({
      id: 'page-root',
      name: '[paged]',
      role: 'Group',
      value: null,
      bounds: EMPTY_RECT,
      enabled: true,
      focused: false,
      keyboard_shortcut: null,
      description: null,
      children: nodes
        .slice(from, until)
        .map((node) => ({ ...node, children: [], child_count: node.child_count ?? node.children.length })),
    }),
    nextCursor: until < nodes.length ? `pc:${mark}:${until}` : null,
  }
}

/** Identifies the tree and the selection of its elements, since visibility changes without the tree. */
function digestOf(nodes: readonly WireElement[], hash: string): string {
  const mark = createHash('sha1').update(hash)
  for (const { id } of nodes) mark.update(`\0${id}`)
  return mark.digest('hex').slice(0, 12)
}

function positionOf(cursor: string, mark: string): number {
  const [kind, named, digits = '', ...rest] = cursor.split(':')
  const position = Number(digits)
  if (kind !== 'pc' || rest.length > 0 || digits === '' || !Number.isInteger(position) || position < 0)
    throw new Fault('BadRequest', 'page_cursor: use the next_cursor of an earlier result', { field: 'page_cursor' })
  if (named !== mark)
    throw new Fault(
      'SnapshotExpired',
      'the elements have changed since the first page; start again without page_cursor',
    )
  return position
}

function* flatten(tree: WireElement): Generator<WireElement> {
  yield tree
  for (const child of tree.children) yield* flatten(child)
}

const MAX_MATCHES = 10

export const Depth = z
  .int()
  .min(0)
  .optional()
  .describe('Levels below the root. Deeper nodes are cut, and their parents are marked')

/** The depth of a result, at most the operator's limit. */
export const depthUsed = (context: ContextOf<'settings'>, depth: number | undefined): number =>
  Math.min(depth ?? context.settings.tree.default_depth, context.settings.tree.max_depth)

/** Set when a program has more elements than were read. */
export const INCOMPLETE = z.boolean().optional().describe('Elements marked truncated have more children than were read')

export const Perf = z.object({
  capture_ms: z.number(),
  node_count: z.int(),
  cache: z.enum(['hit', 'miss', 'bypass']),
  depth_used: z.int(),
})

const StructureInput = WindowChoice.extend({
  depth: Depth,
  scope: z.string().optional().describe('An element id: return only this subtree'),
  roles: z.array(z.string()).optional().describe('Keep only these roles'),
  exclude_roles: z.array(z.string()).optional().describe('Drop these roles'),
  name_regex: z.string().optional().describe('Keep elements whose name contains a match'),
  visible_only: z
    .boolean()
    .optional()
    .describe(
      'true: keep only visible elements that no other window covers. false: also show closed dialogs and windows, which have hidden: true',
    ),
  max_text_len: z.int().min(1).optional().describe('Cut names and values to this many characters'),
  prune_empty: z.boolean().default(false).describe('Also drop empty containers'),
  max_nodes: z.int().min(1).optional().describe('Return pages of at most this many elements'),
  page_cursor: z.string().optional().describe('next_cursor of the previous page'),
})

const getWindowStructure = defineTool({
  name: 'get_window_structure',
  kind: 'look',
  summary:
    'Get the accessibility tree of a window: id, role, name, value, bounds in absolute screen pixels and states of each element. Filters drop elements that do not match and have no matching descendants.',
  input: StructureInput,
  output: z.object({
    window: z.string(),
    window_uid: z.string(),
    element_count: z.int().describe('Number of elements in the whole tree'),
    node_count: z.int().describe('Number of elements in this result'),
    tree: WireElement.nullable(),
    tree_hash: z.string(),
    tree_token: z.string().nullable(),
    truncated: z.boolean(),
    next_cursor: z.string().nullable(),
    depth_used: z.int(),
    depth_truncated: z.boolean(),
    incomplete: INCOMPLETE,
    scope: z.string().optional(),
    perf: Perf,
    degraded: z
      .object({
        reason: z.string(),
        named_node_count: z.int(),
        threshold: z.int(),
        suggested_fallbacks: z.array(z.string()),
      })
      .optional(),
    warning: z.string().optional(),
  }),
  faults: ['WindowGone', 'ElementNotFound', 'SnapshotExpired'],
  traits: { untrusted: true, idempotent: true },
  run: ({ input }, context: TreeContext) => {
    const startedMs = context.clock.now()
    return andThen(
      chooseWindow(context, input, { lenientIndex: true, withHidden: input.visible_only === false }),
      ({ window, warning }) =>
        andThen(requireTree(context, window), (full) =>
          andThen(input.visible_only ? visibleRegionsOf(context, window) : undefined, (regions) =>
            structureOf(context, input, { window, warning, full, regions, tookMs: context.clock.now() - startedMs }),
          ),
        ),
    )
  },
})

/** A captured window and how it was chosen. */
interface Captured {
  readonly window: WindowInfo
  readonly warning: string | undefined
  readonly full: Element
  /** Its visible regions, if only elements in them are requested. */
  readonly regions: readonly Rect[] | undefined
  readonly tookMs: number
}

function structureOf(context: TreeContext, input: z.infer<typeof StructureInput>, captured: Captured): CachedResult {
  const { window, warning, full, regions, tookMs } = captured
  const cache = context.trees.isKnown(window.uid, full) ? 'hit' : 'miss'
  const dependencies = [full, input, cache, window, warning, regions, tookMs]
  const result = context.trees.cachedResult(window.uid, dependencies, () => describe(context, input, captured, cache))
  const token = input.scope === undefined ? context.trees.remember(window.uid, full, context.operatorClock.now()) : null
  return new CachedResult(result, { tree_token: token })
}

function describe(
  context: TreeContext,
  input: z.infer<typeof StructureInput>,
  captured: Captured,
  cache: 'hit' | 'miss',
): ToolResult {
  const { window, warning, full, regions, tookMs } = captured
  const tree = input.scope === undefined ? full : scoped(full, input.scope, window.uid)
  const depth = depthUsed(context, input.depth)
  const whole = toWireElement(input.visible_only === false ? tree : withoutClosed(tree))
  const cut = cutDepth(whole, depth)
  const filtered = filterTree(cut, {
    roles: input.roles?.filter((role) => role !== ''),
    excludeRoles: input.exclude_roles?.filter((role) => role !== ''),
    name: input.name_regex === undefined ? undefined : compilePattern(input.name_regex),
    visible: regions && isVisibleIn(regions, full),
    maxTextLength: input.max_text_len,
    pruneEmpty: input.prune_empty,
  })
  const hash = treeHash(tree)
  const page = pageOf(filtered, hash, { maxNodes: input.max_nodes, cursor: input.page_cursor })
  const degraded = input.scope === undefined ? degradation(context, full) : undefined
  const perf = { capture_ms: tookMs, node_count: countNodes(tree), cache, depth_used: depth }
  const result = {
    window: window.title,
    window_uid: window.uid,
    element_count: countNodes(tree),
    node_count: countWireElements(page.tree),
    tree_hash: hash,
    truncated: page.nextCursor !== null,
    next_cursor: page.nextCursor,
    depth_used: depth,
    depth_truncated: cut !== whole,
    perf,
  }
  if (input.scope !== undefined) Object.assign(result, { scope: input.scope })
  if (degraded) Object.assign(result, { degraded })
  if (isIncomplete(tree)) Object.assign(result, { incomplete: true })
  if (warning !== undefined) Object.assign(result, { warning })
  return Object.assign(result, { tree: page.tree })
}

/** Matches elements in a region that are neither hidden nor collapsed. */
function isVisibleIn(regions: readonly Rect[], tree: Element): (element: WireElement) => boolean {
  const revealed = revealedIds(tree)
  return ({ id, bounds }) => revealed.has(id) && regions.some((region) => intersect(region, bounds) !== undefined)
}

/** Whether an element has children, or a part of its text, that were not read. */
export const isIncomplete = memoize(
  (element): boolean => element.traits?.childCount !== undefined || element.children.some(isIncomplete),
)

function scoped(tree: Element, id: string, windowUid: string): Element {
  const node = nodeById(tree, id)
  if (!node)
    throw new Fault('ElementNotFound', `scope: no element has the id ${JSON.stringify(id)}`, {
      element_id: id,
      window_uid: windowUid,
    })
  return node
}

/** A hint to use pixels when the tree has few named elements. */
function degradation(context: ContextOf<'settings'>, tree: Element) {
  const threshold = context.settings.tree.sparse_threshold
  const named = countNamed(tree, threshold)
  if (named >= threshold) return undefined
  return {
    reason: 'sparse_accessibility_tree',
    named_node_count: named,
    threshold,
    suggested_fallbacks: ['get_ocr', 'get_screen_description'],
  }
}

/** Whether an element, or something that it is in, is hidden by its author or program. */
const Hidden = z.literal(true).optional().describe('It is not on the screen: it, or what it is in, is hidden')

const hiddenMark = (tree: Element, path: Path): { readonly hidden?: true } =>
  chainTo(tree, path).some(({ traits }) => traits?.hidden) ? { hidden: true } : {}

const findElementTool = defineTool({
  name: 'find_element',
  kind: 'look',
  summary:
    'Find elements by selector, XPath-like (Window/Pane/Button[name="OK"]) or CSS-like (Window > Pane Button[name~="Save.*"]).',
  input: WindowChoice.extend({ selector: z.string().describe('Selector of the element') }),
  output: z.object({
    window_uid: z.string(),
    element_id: z.string(),
    selector: z.string(),
    bounds: Bounds,
    hidden: Hidden,
    ambiguous_matches: z.int().describe('The number of matching elements'),
    all_matches: z
      .array(z.object({ element_id: z.string(), bounds: Bounds, name: z.string(), role: z.string(), hidden: Hidden }))
      .describe('The first ten matches'),
    out_of_view: z
      .literal(true)
      .optional()
      .describe('The element is a row that must be scrolled into view; actions do that. Bounds are as after that.'),
    warning: z.string().optional(),
  }),
  faults: ['WindowGone', 'ElementNotFound'],
  traits: { untrusted: true, idempotent: true },
  run: async ({ input }, context: DesktopContext) => {
    const { window, warning } = await chooseWindow(context, input)
    const tree = await requireTree(context, window)
    context.trees.setKnown(window.uid, tree)
    const choice = { selector: input.selector, element_id: undefined }
    const { found, reveals } = resolveReachable(context, tree, choice, window.uid)
    const { element, selector, matches } = found
    return {
      window_uid: window.uid,
      element_id: element.id,
      selector,
      bounds: element.bounds,
      ...hiddenMark(tree, found.path),
      ambiguous_matches: matches.length,
      all_matches: matches.slice(0, MAX_MATCHES).map((match) => ({
        element_id: match.element.id,
        bounds: match.element.bounds,
        name: match.element.name,
        role: match.element.role,
        ...hiddenMark(tree, match.path),
      })),
      ...(reveals && { out_of_view: true as const }),
      ...(warning !== undefined && { warning }),
    }
  },
})

export const treeTools = [getWindowStructure, findElementTool]
