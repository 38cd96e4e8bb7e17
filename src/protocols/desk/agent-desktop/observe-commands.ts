import {
  chooseWindow,
  type DeskCall,
  type DeskCommand,
  type ListedWindow,
  nameOfApp,
  numberArg,
  requireTree,
  resolveRef,
  textArg,
  windowId,
} from './desk-call.ts'
import { CommandError } from './envelope.ts'
import { addSnapshot, entryOf, type Snapshot } from './snapshots.ts'
import { canHaveRef, type DeskNode, STATES, walkNodes } from './tree.ts'

const DEFAULT_DEPTH = 10
const SKELETON_DEPTH = 3
const MAX_NODES = 5000

interface PrintOptions {
  readonly maxDepth: number
  readonly includesBounds: boolean
  readonly isInteractiveOnly: boolean
  readonly isCompact: boolean
  readonly isSkeleton: boolean
}

/** A node as it is printed. */
type Printed = Readonly<Record<string, unknown>>

/** Numbers refs depth first, before nodes are left out, so that `-i` and `--compact` do not change them. */
function printTree(
  root: DeskNode,
  snapshot: Snapshot,
  { process }: ListedWindow,
  options: PrintOptions,
  drill?: string,
): { readonly tree: Printed; readonly observed: number; readonly isComplete: boolean } {
  let observed = 0
  let isComplete = true
  const print = (node: DeskNode, depth: number): Printed => {
    observed++
    const isCut = node.children.length > 0 && (depth >= options.maxDepth || observed >= MAX_NODES)
    if (isCut && !options.isSkeleton) isComplete = false
    const isAnchor = isCut && options.isSkeleton && (node.name !== '' || node.description !== '') && drill === undefined
    const ref = canHaveRef(node) || isAnchor ? ++snapshot.last : undefined
    if (ref !== undefined) snapshot.entries.set(ref, entryOf(node, process, drill))
    const children = isCut ? [] : node.children.map((child) => print(child, depth + 1))
    return {
      ...(ref !== undefined && { ref_id: `@${snapshot.id}:e${ref}` }),
      role: node.role,
      ...(node.name !== '' && { name: node.name }),
      ...(node.value !== '' && { value: node.value }),
      ...(node.description !== '' && { description: node.description }),
      ...(node.nativeId !== undefined && { native_id: { kind: 'identifier', value: node.nativeId } }),
      ...(node.states.length > 0 && { states: node.states }),
      ...(node.actions.length > 0 && !isAnchor && { available_actions: node.actions }),
      ...(options.includesBounds && { bounds: node.bounds }),
      ...(isCut && (options.isSkeleton ? { children_count: node.children.length } : { subtree_truncated: true })),
      ...(children.length > 0 && { children }),
    }
  }
  const whole = print(root, 0)
  const compact = options.isCompact ? compacted(whole) : whole
  return {
    tree: options.isInteractiveOnly ? (interactive(compact) ?? { role: root.role }) : compact,
    observed,
    isComplete,
  }
}

const childrenOf = (node: Printed): readonly Printed[] => (node.children as readonly Printed[] | undefined) ?? []

/** Replaces wrappers, which say nothing and have one child, by that child. */
function compacted(node: Printed): Printed {
  const children = childrenOf(node).map(compacted).map(unwrapped)
  return children.length === 0 ? node : { ...node, children }
}

function unwrapped(node: Printed): Printed {
  const { role, children, bounds, ...more } = node
  const says = Object.values(more).some((value) => typeof value !== 'string' || value.trim() !== '')
  const [only, ...others] = childrenOf(node)
  return role === 'group' && !says && only && others.length === 0 ? only : node
}

/** Leaves out leaves without a ref. Undefined for a node of which nothing is left. */
function interactive(node: Printed): Printed | undefined {
  const { children, ...own } = node
  const kept = childrenOf(node).flatMap((child) => interactive(child) ?? [])
  if (kept.length > 0) return { ...own, children: kept }
  return own.ref_id === undefined && own.children_count === undefined ? undefined : own
}

const seedOf = ({ desk }: DeskCall): unknown => desk.session.computer.simulation?.seed ?? ''

const options = (call: DeskCall, hasRoot: boolean): PrintOptions => {
  const isSkeleton = call.args.skeleton === true && !hasRoot
  const depth = numberArg(call, 'max_depth') ?? DEFAULT_DEPTH
  return {
    maxDepth: isSkeleton ? Math.min(depth, SKELETON_DEPTH) : depth,
    includesBounds: call.args.include_bounds === true,
    isInteractiveOnly: call.args.interactive_only === true,
    isCompact: call.args.compact === true,
    isSkeleton,
  }
}

/** The surfaces of other platforms, and those that no window has. */
const OTHER_SURFACES: readonly string[] = [
  'desktop',
  'taskbar',
  'system-tray',
  'quick-settings',
  'notification-center',
  'dock',
  'spotlight',
  'menu-bar-extras',
  'system-tray-overflow',
  'start-menu',
  'action-center',
]
/** The roles of surfaces inside of a window. */
const SURFACE_ROLES: Readonly<Record<string, readonly string[]>> = {
  menu: ['menu'],
  menubar: ['menu'],
  sheet: ['dialog'],
  alert: ['dialog', 'alert'],
  popover: ['popover'],
  toolbar: ['toolbar'],
}
export const SURFACES: readonly string[] = ['window', 'focused', ...Object.keys(SURFACE_ROLES)]

/** The part of a tree that `--surface` names. */
export function surfaceOf(tree: DeskNode, surface: string | undefined): DeskNode {
  if (surface === undefined || surface === 'window' || surface === 'focused') return tree
  if (OTHER_SURFACES.includes(surface))
    throw new CommandError('PLATFORM_NOT_SUPPORTED', `The surface '${surface}' is not available here`)
  if (!SURFACES.includes(surface))
    throw new CommandError('INVALID_ARGS', `Unknown surface '${surface}'; use ${SURFACES.join(', ')}`)
  const roles = SURFACE_ROLES[surface]!
  const found = [...walkNodes(tree)].find(({ role }) => roles.includes(role))
  if (found) return found
  throw new CommandError('ELEMENT_NOT_FOUND', `No ${surface} is open`, { delivery: 'not_delivered' })
}

/** Takes a snapshot of a window and prints it. */
export const snapshot: DeskCommand = async (call) => {
  const root = textArg(call, 'root')
  if (root !== undefined) return drill(call, root)
  const window = await chooseWindow(call)
  const tree = surfaceOf(await requireTree(call, window.window_uid), textArg(call, 'surface'))
  const taken = addSnapshot(call.state, call.session, window.window_uid, seedOf(call))
  const printed = printTree(tree, taken, window, options(call, false))
  return snapshotData(window, taken, printed)
}

const snapshotData = (
  window: ListedWindow,
  taken: Snapshot,
  { tree, observed, isComplete }: ReturnType<typeof printTree>,
) => ({
  app: nameOfApp(window),
  window: { id: windowId(window.window_uid), title: window.title },
  ref_count: taken.entries.size,
  snapshot_id: taken.id,
  complete: isComplete,
  ...(!isComplete && { truncated: true, nodes_observed: observed }),
  tree,
})

/** Prints what is below a ref, into the same snapshot. It replaces the refs of an earlier drill of that ref. */
async function drill(call: DeskCall, ref: string) {
  const { snapshot: into, ref: name, node, entry } = await resolveRef(call, ref)
  for (const [number, { drill }] of into.entries) if (drill === name) into.entries.delete(number)
  const window = await chooseWindowOf(call, entry.windowUid)
  return snapshotData(window, into, printTree(node, into, window, options(call, true), name))
}

async function chooseWindowOf(call: DeskCall, uid: string): Promise<ListedWindow> {
  const found = await chooseWindow({ ...call, args: { window_id: windowId(uid) } })
  return found
}

const ALIASES: Readonly<Record<string, string>> = {
  textarea: 'textfield',
  textbox: 'textfield',
  searchbox: 'textfield',
  searchfield: 'textfield',
  radio: 'radiobutton',
  img: 'image',
  gridcell: 'cell',
  spinbutton: 'incrementor',
  tree: 'outline',
  togglebutton: 'switch',
}

export const roleName = (role: string): string => ALIASES[role.toLowerCase()] ?? role.toLowerCase()

const DEFAULT_LIMIT = 50

/** Finds elements of a window by what they are. */
export const find: DeskCommand = async (call) => {
  const root = textArg(call, 'root')
  const resolved = root === undefined ? undefined : await resolveRef(call, root)
  const window = resolved ? await chooseWindowOf(call, resolved.entry.windowUid) : await chooseWindow(call)
  const tree = resolved?.node ?? surfaceOf(await requireTree(call, window.window_uid), textArg(call, 'surface'))
  const taken = addSnapshot(call.state, call.session, window.window_uid, seedOf(call))
  const fits = filterOf(call)
  const nodes = [...walkNodes(tree)]
  const refs = new Map<DeskNode, number>()
  for (const node of nodes)
    if (canHaveRef(node)) {
      taken.entries.set(++taken.last, entryOf(node, window.process, undefined))
      refs.set(node, taken.last)
    }
  const found = nodes.filter(fits)
  if (call.args.count === true) return { count: found.length }
  const roles = found.length === 0 ? { roles_present: [...new Set(nodes.map(({ role }) => role))].sort() } : {}
  const print = (node: DeskNode) => {
    const ref = refs.get(node)
    return {
      ...(ref === undefined ? { bounds: node.bounds } : { ref_id: `@${taken.id}:e${ref}` }),
      role: node.role,
      ...(node.name !== '' && { name: node.name }),
      ...(node.value !== '' && { value: node.value }),
      ...(node.states.length > 0 && { states: node.states }),
    }
  }
  const one = oneOf(call, found)
  if (one !== undefined) return { match: one === null ? null : print(one), snapshot_id: taken.id, ...roles }
  const limit = numberArg(call, 'limit') ?? DEFAULT_LIMIT
  const shown = limit === 0 ? found : found.slice(0, limit)
  return {
    matches: shown.map(print),
    total_matches: found.length,
    truncated: shown.length < found.length,
    snapshot_id: taken.id,
    ...roles,
  }
}

/** The match that `--first`, `--last` or `--nth` names; null if there is none, undefined without these. */
function oneOf(call: DeskCall, found: readonly DeskNode[]): DeskNode | null | undefined {
  const nth = numberArg(call, 'nth')
  if (call.args.first === true) return found[0] ?? null
  if (call.args.last === true) return found.at(-1) ?? null
  return nth === undefined ? undefined : (found[nth] ?? null)
}

function filterOf(call: DeskCall): (node: DeskNode) => boolean {
  const isExact = call.args.exact === true
  const holds = (text: string, wanted: string | undefined): boolean =>
    wanted === undefined || (isExact ? text === wanted : text.toLowerCase().includes(wanted.toLowerCase()))
  const [role, name, value] = [textArg(call, 'role'), textArg(call, 'name'), textArg(call, 'value')]
  const [text, description, id] = [textArg(call, 'text'), textArg(call, 'description'), textArg(call, 'native_id')]
  const states = ((call.args.state as readonly string[] | undefined) ?? []).map(stateOf)
  if ([role, name, value, text, description, id].every((each) => each === undefined) && states.length === 0)
    throw new CommandError('INVALID_ARGS', 'find needs at least one filter, such as --role or --name')
  return (node) =>
    (role === undefined || node.role === roleName(role)) &&
    holds(node.name, name) &&
    holds(node.value, value) &&
    holds(node.description, description) &&
    (id === undefined || node.nativeId === id) &&
    (text === undefined || [node.name, node.value, node.description].some((each) => holds(each, text))) &&
    states.every(({ state, is }) => node.states.includes(state) === is)
}

/** `checked`, or `checked=false` for those that are not. */
function stateOf(text: string) {
  const [state = '', is = 'true'] = text.split('=')
  if (!(STATES as readonly string[]).includes(state))
    throw new CommandError('INVALID_ARGS', `Unknown state '${state.slice(0, 100)}'; use ${STATES.join(', ')}`)
  if (is !== 'true' && is !== 'false')
    throw new CommandError('INVALID_ARGS', `Expected ${state}=true or ${state}=false, not '${is.slice(0, 100)}'`)
  return { state, is: is === 'true' }
}

const PROPERTIES: Readonly<Record<string, (node: DeskNode) => unknown>> = {
  text: ({ name, value }) => (value === '' ? name : value),
  value: ({ value }) => value,
  title: ({ name }) => name,
  bounds: ({ bounds }) => bounds,
  role: ({ role }) => role,
  states: ({ states }) => states,
}

export const get: DeskCommand = async (call) => {
  const property = textArg(call, 'property') ?? 'text'
  const read = Object.hasOwn(PROPERTIES, property) ? PROPERTIES[property]! : undefined
  if (!read)
    throw new CommandError('INVALID_ARGS', `Unknown property '${property}'; use ${Object.keys(PROPERTIES).join(', ')}`)
  const { ref, node } = await resolveRef(call, String(call.args.ref_id))
  return { property, ref, value: read(node), live: true }
}

const isCheckable = ({ actions }: DeskNode) => actions.includes('Check')
const QUESTIONS: Readonly<
  Record<string, { readonly holds: (node: DeskNode) => boolean; readonly applies?: (node: DeskNode) => boolean }>
> = {
  visible: { holds: ({ states }) => !states.includes('offscreen') && !states.includes('hidden') },
  enabled: { holds: ({ states }) => !states.includes('disabled') },
  checked: { holds: ({ states }) => states.includes('checked'), applies: isCheckable },
  focused: { holds: ({ states }) => states.includes('focused') },
  expanded: {
    holds: ({ states }) => states.includes('expanded'),
    applies: ({ actions }) => actions.includes('Expand'),
  },
  selected: {
    holds: ({ states }) => states.includes('selected'),
    applies: ({ actions }) => actions.includes('Select'),
  },
}

export const is: DeskCommand = async (call) => {
  const property = textArg(call, 'property') ?? 'visible'
  const question = Object.hasOwn(QUESTIONS, property) ? QUESTIONS[property]! : undefined
  if (!question)
    throw new CommandError('INVALID_ARGS', `Unknown property '${property}'; use ${Object.keys(QUESTIONS).join(', ')}`)
  const { ref, node } = await resolveRef(call, String(call.args.ref_id))
  return { property, ref, result: question.holds(node), applicable: question.applies?.(node) ?? true }
}
