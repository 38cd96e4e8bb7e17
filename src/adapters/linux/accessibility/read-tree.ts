import { EMPTY_RECT, intersect, isEmptyRect, type Rect } from '../../../desktop/model/geometry.ts'
import type { Bus, BusMethod, ObjectRef } from '../dbus.ts'
import { type AccessibleApp, ATSPI, askedOnce, CHILDREN, GET, refsOf, type Toolkit } from './accessibility.ts'
import {
  type AccessibleNode,
  coordinateSpaceOf,
  MAX_CHILDREN_OUT_OF_VIEW,
  MAX_CONCURRENT_NODES,
  MAX_DEPTH,
  MAX_NODES,
  MAX_PREFETCHED_NODES,
  MAX_TREE_MS,
  MAX_WHOLE_CHILDREN,
  NO_DETAILS,
  type NodeAttributes,
  type NodeDetails,
  patternsOf,
  type ReadCache,
  type ReadContext,
  readAttributes,
  readCell,
  readDetails,
  truncate,
} from './accessible-node.ts'
import { hasState, ROLE } from './roles.ts'
import { cellsInView, childrenInView, toTableRow, type Viewport, type VisibleCells } from './viewport.ts'

interface ReadOptions {
  readonly now?: (() => number) | undefined
  /** Whether it is a program of Wayland. */
  readonly isWayland?: boolean | undefined
}

/**
 * Reads the tree of a window. Attributes come from the program's cache if it has one. Structure and positions are always
 * requested, because the caches of GTK 3 and GTK 4 are wrong about them. Of large containers, only the part in view is
 * read. Reading stops at a time limit and a number of objects; `childCount` marks incomplete nodes. Throws `Timeout` when
 * the program does not answer.
 */
export async function readTree(
  bus: Bus,
  app: AccessibleApp,
  toolkit: Toolkit,
  window: ObjectRef,
  readCache: ReadCache,
  { now = Date.now, isWayland = false }: ReadOptions = {},
): Promise<AccessibleNode | undefined> {
  const cache: AtspiCache = toolkit === 'gtk3' || toolkit === 'gtk4' ? await readAtspiCache(bus, app) : new Map()
  const unplaced = new Set<string>()
  const ahead = pathsBelow(cache, window.path)
  const state: ReadState = {
    isLarge: ahead.length > MAX_PREFETCHED_NODES,
    reader: {
      bus,
      toolkit,
      coordinateSpace: coordinateSpaceOf(toolkit, isWayland),
      readCache,
      read: { characters: 0 },
    },
    cache,
    requested: new Map(),
    seen: new Set(),
    unplaced,
    limit: createLimiter(MAX_CONCURRENT_NODES),
    isOver: (
      (deadline) => () =>
        now() > deadline
    )(now() + MAX_TREE_MS),
  }
  // Cached objects of the window are requested at once, not level by level.
  if (!state.isLarge)
    for (const path of ahead)
      if (toolkit !== 'gtk4' || !readCache.unplaced.has(path))
        state.requested.set(path, requestNode(state, { bus: app.bus, path }, false))

  const reading = await read(
    state,
    { ref: window },
    { depth: 0, isSeen: true, inRootPane: false, view: undefined, like: undefined },
  )
  readCache.unplaced = unplaced
  return reading === 'cut' ? undefined : reading
}

/** The state of one reading of a tree. */
interface ReadState {
  readonly reader: ReadContext
  readonly cache: AtspiCache
  readonly requested: Map<string, PendingNode>
  readonly seen: Set<string>
  readonly unplaced: Set<string>
  readonly limit: Limiter
  /** Whether the window has too many objects to read those out of view. */
  readonly isLarge: boolean
  isOver(): boolean
}

/** The position of an object in the tree. */
interface NodePosition {
  readonly depth: number
  /** Whether its container has bounds. */
  readonly isSeen: boolean
  readonly inRootPane: boolean
  /** The visible part of its container. */
  readonly view: Rect | undefined
  /** The cell above it in a table, whose role and interfaces it shares. */
  readonly like: NodeAttributes | undefined
}

interface ChildRef {
  readonly ref: ObjectRef
  readonly index?: number
}

interface PendingNode {
  readonly attributes: Promise<NodeAttributes | undefined>
  readonly count: Promise<number>
  /** Absent until it is known whether they may be requested. */
  readonly children?: Promise<readonly ObjectRef[]>
  readonly details: Promise<NodeDetails>
}

async function read(
  state: ReadState,
  { ref, index }: ChildRef,
  position: NodePosition,
): Promise<AccessibleNode | 'cut' | undefined> {
  const { seen, unplaced, reader, limit } = state
  if (seen.has(ref.path)) return undefined
  if (seen.size >= MAX_NODES || position.depth > MAX_DEPTH || state.isOver()) return 'cut'
  seen.add(ref.path)
  const [known, details, count] = await limit(async () => {
    if (state.isOver()) return [undefined, NO_DETAILS, 0] as const
    const answers = state.requested.get(ref.path) ?? requestNode(state, ref, !position.isSeen, position.like)
    return Promise.all([answers.attributes, answers.details, answers.count])
  })
  if (!known) return state.isOver() ? 'cut' : undefined
  // LibreOffice offers its menus twice. These have no positions.
  if (position.inRootPane && known.role === ROLE.menuBar && reader.toolkit === 'gtk3') return undefined
  const { extents } = details
  if (!extents) unplaced.add(ref.path)
  // A page of Chromium may count in smaller pixels than what it is in.
  const isPage = reader.toolkit === 'chromium' && known.role === ROLE.documentWeb
  const below = {
    depth: position.depth + 1,
    isSeen: reader.toolkit !== 'gtk4' || extents !== undefined,
    inRootPane: position.inRootPane || known.role === ROLE.rootPane,
    view: isPage
      ? extents
      : extents && position.view
        ? (intersect(extents, position.view) ?? EMPTY_RECT)
        : (extents ?? position.view),
    like: undefined,
  }
  const node = { ref, ...known, ...details, ...(index === undefined ? {} : { index }) }
  return { ...node, ...(await readChildren(state, node, count, below)) }
}

type Children = Pick<AccessibleNode, 'children' | 'childCount'>

async function readChildren(
  state: ReadState,
  node: Omit<AccessibleNode, keyof Children>,
  count: number,
  below: NodePosition,
): Promise<Children> {
  const { bus, toolkit, coordinateSpace } = state.reader
  if (count === 0) return { children: [] }
  const view: Viewport = {
    bus,
    coordinateSpace,
    rect: isEmptyRect(below.view ?? EMPTY_RECT) ? undefined : below.view,
  }
  const isOutOfView = node.extents ? !view.rect : node.role !== ROLE.menu
  if (state.isLarge && isOutOfView && count > MAX_CHILDREN_OUT_OF_VIEW) return { children: [], childCount: count }
  if (node.patterns.has('Table') && (toolkit === 'gtk3' || toolkit === 'qt')) {
    const cells = await cellsInView(view, node.ref)
    if (cells) return readTable(state, node, cells, below)
  }
  if (count > MAX_WHOLE_CHILDREN) {
    const some = await childrenInView(view, node.ref, count)
    return readAll(state, some, some.length < count ? count : undefined, below)
  }
  const known = state.requested.get(node.ref.path)?.children
  const refs = await (known ?? state.limit(() => requestChildren(bus, node.ref)))
  return readAll(
    state,
    refs.map((ref) => ({ ref })),
    undefined,
    below,
  )
}

async function readAll(
  state: ReadState,
  children: readonly ChildRef[],
  counted: number | undefined,
  below: NodePosition,
): Promise<Children> {
  const readings = await Promise.all(children.map((child) => read(state, child, below)))
  const childCount = counted ?? (readings.includes('cut') ? readings.length : undefined)
  return {
    children: readings.filter((reading) => reading !== 'cut' && reading !== undefined),
    ...(childCount === undefined ? {} : { childCount }),
  }
}

/** Reads the cells of a table and groups them into rows, which GTK 3 and Qt lack. Cells of a list become its items. */
async function readTable(
  state: ReadState,
  table: Omit<AccessibleNode, keyof Children>,
  part: VisibleCells,
  below: NodePosition,
): Promise<Children> {
  const headers = await readAll(
    state,
    part.headers.map((ref) => ({ ref })),
    undefined,
    below,
  )
  const like = new Map<number, NodeAttributes>()
  const readCells = async ({ cells }: VisibleCells['cells'][number]): Promise<readonly AccessibleNode[]> => {
    const readings = await Promise.all(
      cells.map(async ({ ref, index, column }) => {
        const reading = await read(state, { ref, index }, { ...below, depth: below.depth + 1, like: like.get(column) })
        if (typeof reading === 'object' && reading.children.length === 0) like.set(column, reading)
        return reading
      }),
    )
    const isSheet = !like.get(cells[0]?.column ?? 0)?.patterns.has('TableCell') && state.reader.toolkit === 'gtk3'
    return readings
      .filter((reading) => typeof reading === 'object')
      .map((reading) => (isSheet ? { ...reading, key: `${table.ref.path}#cell${reading.index}` } : reading))
  }
  const [first, ...others] = part.cells
  // Cells of a column share role and interfaces, so the first row provides them for the others.
  const firstRow = first ? [await readCells(first)] : []
  const rows = [...firstRow, ...(await Promise.all(others.map(readCells)))]
  const isList = table.role === ROLE.list || (table.role === ROLE.tree && part.columns === 1)
  const cells = rows.flat()
  if (isList) {
    const count = part.rows * part.columns
    return { children: [...headers.children, ...cells], ...(cells.length < count ? { childCount: count } : {}) }
  }
  const made = rows.flatMap((row, at) => toTableRow(table.ref, part, part.cells[at]!.row, row) ?? [])
  const isWhole = made.length >= part.rows
  return { children: [...headers.children, ...made], ...(isWhole ? {} : { childCount: part.rows }) }
}

/** Requests the facts of an object. `unplaced`: GTK 4 does not show its container, so it has no bounds either. */
function requestNode(state: ReadState, ref: ObjectRef, unplaced: boolean, like?: NodeAttributes): PendingNode {
  const { reader, cache } = state
  const { bus } = reader
  const cached = cache.get(ref.path)
  const attributes = cached ? Promise.resolve(cached) : like ? readCell(bus, ref, like) : readAttributes(bus, ref)
  const detail = (known: NodeAttributes | undefined) =>
    known && !unplaced ? readDetails(reader, ref, known) : NO_DETAILS
  const details = cached ? Promise.resolve(detail(cached)) : attributes.then(detail)
  const count = like ? Promise.resolve(0) : isCounted(cached) ? Promise.resolve(cached.count) : countChildren(bus, ref)
  const children = isCounted(cached) && isSmall(cached) ? requestChildren(bus, ref) : undefined
  // The first awaited failure is reported. The others have the same cause.
  for (const answer of [children, attributes, details, count]) answer?.catch(() => {})
  return { attributes, details, count, ...(children ? { children } : {}) }
}

/** Whether all children may be requested at once. */
const isSmall = ({ count, patterns }: CachedNode): boolean =>
  count > 0 && count <= MAX_WHOLE_CHILDREN && !patterns.has('Table')

/** Objects without a child count, such as GTK 3 menus, are assumed to have few children. */
const countChildren = async (bus: Bus, ref: ObjectRef): Promise<number> =>
  (await bus.tryCall<number>(ref, GET, `${ATSPI}.Accessible`, 'ChildCount')) ?? 1

const requestChildren = async (bus: Bus, ref: ObjectRef): Promise<readonly ObjectRef[]> =>
  refsOf((await bus.tryCall<readonly [string, string][]>(ref, CHILDREN)) ?? [])

type Limiter = <T>(work: () => Promise<T>) => Promise<T>

/** Runs at most `most` tasks at once. The others wait in order. */
function createLimiter(most: number): Limiter {
  let free = most
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    else free--
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

/** An object in the cache of its program. */
interface CachedNode extends NodeAttributes {
  readonly parent: string
  /** The number of children. Negative when the cache does not know it. */
  readonly count: number
}

/** The cached objects of a program by path. */
type AtspiCache = ReadonlyMap<string, CachedNode>

type CacheItem = readonly [
  object: readonly [string, string],
  app: readonly [string, string],
  parent: readonly [string, string],
  index: number,
  children: number,
  interfaces: readonly string[],
  name: string,
  role: number,
  description: string,
  states: readonly number[],
]

/** Listing ten thousand objects takes time, but a stopped program must still time out. */
const CACHE_ITEMS: BusMethod = { interface: `${ATSPI}.Cache`, member: 'GetItems', timeoutMs: 1500 }

/** Whether the cached number of children is reliable. GTK 3 omits those of lists and tables. */
const isCounted = (cached: CachedNode | undefined): cached is CachedNode =>
  cached !== undefined && cached.count >= 0 && !hasState(cached.states, 'managesDescendants')

/**
 * The cached objects below `top`, and `top` itself. Leaves out objects in large containers and in the second menu bar of
 * LibreOffice.
 */
function pathsBelow(cache: AtspiCache, top: string): readonly string[] {
  const kinds = new Map<string, 'outside' | 'inside' | 'pane'>([[top, 'inside']])
  const kindOf = (path: string, depth: number): 'outside' | 'inside' | 'pane' => {
    const known = kinds.get(path)
    if (known) return known
    const own = cache.get(path)
    const parent = own && cache.get(own.parent)
    const above = parent && depth < MAX_DEPTH ? kindOf(own.parent, depth + 1) : 'outside'
    const isLeftOut = !own || above === 'outside' || (parent && parent.count > MAX_WHOLE_CHILDREN)
    const isTwin = above === 'pane' && own?.role === ROLE.menuBar
    const kind = isLeftOut || isTwin ? 'outside' : own.role === ROLE.rootPane ? 'pane' : above
    kinds.set(path, kind)
    return kind
  }
  return [...cache.keys()].filter((path) => kindOf(path, 0) !== 'outside')
}

/** Requests the cache of a program. Empty when the program has none. */
const readAtspiCache = (bus: Bus, app: AccessibleApp): Promise<AtspiCache> =>
  askedOnce(bus, `${app.bus} cache`, () => requestAtspiCache(bus, app))

async function requestAtspiCache(bus: Bus, app: AccessibleApp): Promise<AtspiCache> {
  const items = await bus.tryCall<readonly CacheItem[]>({ bus: app.bus, path: '/org/a11y/atspi/cache' }, CACHE_ITEMS)
  return new Map(
    (items ?? []).map(([[, path], , [, parent], , count, interfaces, name, role, description, states]) => {
      const patterns = patternsOf(interfaces)
      return [path, { role, name: truncate(name), description: truncate(description), states, patterns, parent, count }]
    }),
  )
}
