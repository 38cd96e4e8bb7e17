import { EMPTY_RECT, intersect, isEmptyRect, type Rect, unite } from '../../../desktop/model/geometry.ts'
import type { Bus, Method, Ref } from '../dbus/bus.ts'
import { type App, ATSPI, CHILDREN, GET, refsOf, type Toolkit } from './accessibility.ts'
import {
  type Asker,
  type Attributes,
  type Details,
  type Lessons,
  NO_DETAILS,
  readDetails,
  spaceOf,
} from './node-details.ts'
import { hasState, ROLE } from './roles.ts'
import { cellsInView, childrenInView, type TablePart, type View } from './viewport.ts'

/** One accessible object as its program describes it, with its toolkit's peculiarities still in it. */
export interface Reading extends Attributes, Details {
  readonly ref: Ref
  readonly children: readonly Reading[]
  /** How many children there are, when only some of them were read. */
  readonly childCount?: number
  /** Its place among all children of its container, when only some of them were read. */
  readonly index?: number
  /** What it keeps when its program gives it another object: the place of a cell in LibreOffice's sheet. */
  readonly key?: string
  /** The object that takes part in actions instead of this one, which is no object of its own: the row of a table. */
  readonly actor?: Reading
}

interface Cached extends Attributes {
  readonly parent: string
  /** How many children it has; negative when the cache does not know. */
  readonly count: number
}

type Cache = ReadonlyMap<string, Cached>

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

const MAX_NODES = 25_000
const MAX_DEPTH = 200
/** What was not read by then is left out. */
const MAX_TREE_MS = 10_000
/** Containers with more children are read where they are in view. */
const MAX_WHOLE_CHILDREN = 400
/** So many objects are asked about at once. */
const MAX_OPEN_NODES = 128
/** What the cache knows is asked about ahead, up to this many objects; windows with more are read where they are in view. */
const MAX_AHEAD_NODES = 3000
/** In such a window, children out of view are read up to this many in a container. */
const MAX_CHILDREN_OUT_OF_VIEW = 20
const MAX_NAME_CHARACTERS = 10_000

const accessible = (member: string): Method => ({ interface: `${ATSPI}.Accessible`, member })
const ROLE_NUMBER = accessible('GetRole')
const STATES = accessible('GetState')
const INTERFACES = accessible('GetInterfaces')
/** A program with ten thousand objects takes a while to list them; a stopped one must still be given up in time. */
const CACHE_ITEMS: Method = { interface: `${ATSPI}.Cache`, member: 'GetItems', withinMs: 1500 }

/**
 * Reads all below a window of a program. Attributes come from the program's cache where it has one; structure and
 * places are asked for, because caches of both GTKs are wrong about them. Large containers are read where they are in
 * view, and reading ends after a time and a number of objects: `childCount` marks what is incomplete. Throws `Timeout`
 * when the program is silent.
 */
export async function readTree(
  bus: Bus,
  app: App,
  toolkit: Toolkit,
  window: Ref,
  lessons: Lessons,
  now: () => number = Date.now,
): Promise<Reading | undefined> {
  const cache: Cache = toolkit === 'gtk3' || toolkit === 'gtk4' ? await readCache(bus, app) : new Map()
  const unseen = new Set<string>()
  const ahead = pathsBelow(cache, window.path)
  const walk: Walk = {
    isLarge: ahead.length > MAX_AHEAD_NODES,
    asker: { bus, toolkit, lessons, read: { characters: 0 } },
    cache,
    asked: new Map(),
    seen: new Set(),
    unseen,
    gate: openGate(MAX_OPEN_NODES),
    isOver: (
      (deadline) => () =>
        now() > deadline
    )(now() + MAX_TREE_MS),
  }
  // What the cache knows to be in the window is asked about at once, not level by level.
  if (!walk.isLarge)
    for (const path of ahead)
      if (toolkit !== 'gtk4' || !lessons.unseen.has(path))
        walk.asked.set(path, askAbout(walk, { bus: app.bus, path }, false))

  const reading = await read(
    walk,
    { ref: window },
    { depth: 0, isSeen: true, inRootPane: false, view: undefined, like: undefined },
  )
  lessons.unseen = unseen
  return reading === 'cut' ? undefined : reading
}

/** One reading of a tree. */
interface Walk {
  readonly asker: Asker
  readonly cache: Cache
  readonly asked: Map<string, Answers>
  readonly seen: Set<string>
  readonly unseen: Set<string>
  readonly gate: Gate
  /** Whether the window is known to have so many objects that only those in view are worth reading. */
  readonly isLarge: boolean
  isOver(): boolean
}

/** Where in the tree an object is. */
interface Around {
  readonly depth: number
  /** Whether what it lies in has a place in the picture. */
  readonly isSeen: boolean
  readonly inRootPane: boolean
  /** What is seen of what it lies in. */
  readonly view: Rect | undefined
  /** The cell above it in a table, which has the same role and interfaces and no children. */
  readonly like: Attributes | undefined
}

interface Child {
  readonly ref: Ref
  readonly index?: number
}

interface Answers {
  readonly attributes: Promise<Attributes | undefined>
  readonly count: Promise<number>
  /** Absent when it is not known yet whether they may be asked for. */
  readonly children?: Promise<readonly Ref[]>
  readonly details: Promise<Details>
}

async function read(walk: Walk, { ref, index }: Child, around: Around): Promise<Reading | 'cut' | undefined> {
  const { seen, unseen, asker, gate } = walk
  if (seen.has(ref.path)) return undefined
  if (seen.size >= MAX_NODES || around.depth > MAX_DEPTH || walk.isOver()) return 'cut'
  seen.add(ref.path)
  const [known, details, count] = await gate(async () => {
    if (walk.isOver()) return [undefined, NO_DETAILS, 0] as const
    const answers = walk.asked.get(ref.path) ?? askAbout(walk, ref, !around.isSeen, around.like)
    return Promise.all([answers.attributes, answers.details, answers.count])
  })
  if (!known) return walk.isOver() ? 'cut' : undefined
  // LibreOffice offers its menus twice: these have no places.
  if (around.inRootPane && known.role === ROLE.menuBar && asker.toolkit === 'gtk3') return undefined
  const { extents } = details
  if (!extents) unseen.add(ref.path)
  const below = {
    depth: around.depth + 1,
    isSeen: asker.toolkit !== 'gtk4' || extents !== undefined,
    inRootPane: around.inRootPane || known.role === ROLE.rootPane,
    view: extents && around.view ? (intersect(extents, around.view) ?? EMPTY_RECT) : (extents ?? around.view),
    like: undefined,
  }
  const node = { ref, ...known, ...details, ...(index === undefined ? {} : { index }) }
  return { ...node, ...(await readChildren(walk, node, count, below)) }
}

type Children = Pick<Reading, 'children' | 'childCount'>

async function readChildren(
  walk: Walk,
  node: Omit<Reading, keyof Children>,
  count: number,
  below: Around,
): Promise<Children> {
  const { bus, toolkit } = walk.asker
  if (count === 0) return { children: [] }
  const view: View = {
    bus,
    space: spaceOf(toolkit),
    rect: isEmptyRect(below.view ?? EMPTY_RECT) ? undefined : below.view,
  }
  const isOutOfView = node.extents ? !view.rect : node.role !== ROLE.menu
  if (walk.isLarge && isOutOfView && count > MAX_CHILDREN_OUT_OF_VIEW) return { children: [], childCount: count }
  if (node.patterns.has('Table') && (toolkit === 'gtk3' || toolkit === 'qt')) {
    const cells = await cellsInView(view, node.ref)
    if (cells) return readTable(walk, node, cells, below)
  }
  if (count > MAX_WHOLE_CHILDREN) {
    const some = await childrenInView(view, node.ref, count)
    return readAll(walk, some, some.length < count ? count : undefined, below)
  }
  const known = walk.asked.get(node.ref.path)?.children
  const refs = await (known ?? walk.gate(() => askChildren(bus, node.ref)))
  return readAll(
    walk,
    refs.map((ref) => ({ ref })),
    undefined,
    below,
  )
}

async function readAll(
  walk: Walk,
  children: readonly Child[],
  counted: number | undefined,
  below: Around,
): Promise<Children> {
  const readings = await Promise.all(children.map((child) => read(walk, child, below)))
  const childCount = counted ?? (readings.includes('cut') ? readings.length : undefined)
  return {
    children: readings.filter((reading) => reading !== 'cut' && reading !== undefined),
    ...(childCount === undefined ? {} : { childCount }),
  }
}

/** The cells of a table in rows, which GTK 3 and Qt do not have; those of a list are its items. */
async function readTable(
  walk: Walk,
  table: Omit<Reading, keyof Children>,
  part: TablePart,
  below: Around,
): Promise<Children> {
  const headers = await readAll(
    walk,
    part.headers.map((ref) => ({ ref })),
    undefined,
    below,
  )
  const like = new Map<number, Attributes>()
  const readCells = async ({ cells }: TablePart['cells'][number]): Promise<readonly Reading[]> => {
    const readings = await Promise.all(
      cells.map(async ({ ref, index, column }) => {
        const reading = await read(walk, { ref, index }, { ...below, depth: below.depth + 1, like: like.get(column) })
        if (typeof reading === 'object' && reading.children.length === 0) like.set(column, reading)
        return reading
      }),
    )
    const isSheet = !like.get(cells[0]?.column ?? 0)?.patterns.has('TableCell') && walk.asker.toolkit === 'gtk3'
    return readings
      .filter((reading) => typeof reading === 'object')
      .map((reading) => (isSheet ? { ...reading, key: `${table.ref.path}#cell${reading.index}` } : reading))
  }
  const [first, ...others] = part.cells
  // The cells of a column are alike, so those below the first one are asked for less.
  const firstRow = first ? [await readCells(first)] : []
  const rows = [...firstRow, ...(await Promise.all(others.map(readCells)))]
  const isList = table.role === ROLE.list || (table.role === ROLE.tree && part.columns === 1)
  const cells = rows.flat()
  if (isList) {
    const count = part.rows * part.columns
    return { children: [...headers.children, ...cells], ...(cells.length < count ? { childCount: count } : {}) }
  }
  const made = rows.flatMap((row, at) => rowOf(table.ref, part, part.cells[at]!.row, row) ?? [])
  const isWhole = made.length >= part.rows
  return { children: [...headers.children, ...made], ...(isWhole ? {} : { childCount: part.rows }) }
}

function rowOf(
  { bus, path }: Ref,
  { columns }: TablePart,
  row: number,
  cells: readonly Reading[],
): Reading | undefined {
  const [first] = cells
  if (!first) return undefined
  const places = cells.flatMap(({ extents }) => extents ?? [])
  return {
    ref: { bus, path: `${path}#${row}` },
    role: ROLE.tableRow,
    name: '',
    description: '',
    states: first.states,
    patterns: NO_PATTERNS,
    ...NO_DETAILS,
    extents: places.length > 0 ? places.reduce(unite) : undefined,
    children: cells,
    ...(cells.length < columns ? { childCount: columns } : {}),
    index: row,
    actor: first,
  }
}

const NO_PATTERNS: ReadonlySet<string> = new Set()

/** `unplaced`: it lies in something that GTK 4 does not show, and so has no place of its own either. */
function askAbout(walk: Walk, ref: Ref, unplaced: boolean, like?: Attributes): Answers {
  const { asker, cache } = walk
  const { bus } = asker
  const cached = cache.get(ref.path)
  const attributes = cached ? Promise.resolve(cached) : like ? readCell(bus, ref, like) : readAttributes(bus, ref)
  const detail = (known: Attributes | undefined) => (known && !unplaced ? readDetails(asker, ref, known) : NO_DETAILS)
  const details = cached ? Promise.resolve(detail(cached)) : attributes.then(detail)
  const count = like ? Promise.resolve(0) : isCounted(cached) ? Promise.resolve(cached.count) : countChildren(bus, ref)
  const children = isCounted(cached) && isSmall(cached) ? askChildren(bus, ref) : undefined
  // One failure is reported once, by whoever awaits it first; the others are of the same cause.
  for (const answer of [children, attributes, details, count]) answer?.catch(() => {})
  return { attributes, details, count, ...(children ? { children } : {}) }
}

/** Whether the cache can be trusted about the number of children: GTK 3 leaves out those of lists and tables. */
const isCounted = (cached: Cached | undefined): cached is Cached =>
  cached !== undefined && cached.count >= 0 && !hasState(cached.states, 'managesDescendants')

/** Whether all children may be asked for at once. */
const isSmall = ({ count, patterns }: Cached): boolean =>
  count > 0 && count <= MAX_WHOLE_CHILDREN && !patterns.has('Table')

/** An object that does not say is taken to have few children, as menus of GTK 3 do. */
const countChildren = async (bus: Bus, ref: Ref): Promise<number> =>
  (await bus.try<number>(ref, GET, `${ATSPI}.Accessible`, 'ChildCount')) ?? 1

const askChildren = async (bus: Bus, ref: Ref): Promise<readonly Ref[]> =>
  refsOf((await bus.try<readonly [string, string][]>(ref, CHILDREN)) ?? [])

/**
 * The cached objects whose chain of parents ends at `top`, which is one of them; what lies in a large container, or in
 * LibreOffice's second menu bar, is left out.
 */
function pathsBelow(cache: Cache, top: string): readonly string[] {
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

async function readCache(bus: Bus, app: App): Promise<Cache> {
  const items = await bus.try<readonly CacheItem[]>({ bus: app.bus, path: '/org/a11y/atspi/cache' }, CACHE_ITEMS)
  return new Map(
    (items ?? []).map(([[, path], , [, parent], , count, interfaces, name, role, description, states]) => {
      const patterns = patternsOf(interfaces)
      return [path, { role, name: cut(name), description: cut(description), states, patterns, parent, count }]
    }),
  )
}

async function readAttributes(bus: Bus, ref: Ref): Promise<Attributes | undefined> {
  const [name, description, role, states, interfaces] = await Promise.all([
    bus.try<string>(ref, GET, `${ATSPI}.Accessible`, 'Name'),
    bus.try<string>(ref, GET, `${ATSPI}.Accessible`, 'Description'),
    bus.try<number>(ref, ROLE_NUMBER),
    bus.try<readonly number[]>(ref, STATES),
    bus.try<readonly string[]>(ref, INTERFACES),
  ])
  if (role === undefined || !states) return undefined
  const patterns = patternsOf(interfaces ?? [])
  return { role, name: cut(name ?? ''), description: cut(description ?? ''), states, patterns }
}

async function readCell(bus: Bus, ref: Ref, { role, patterns }: Attributes): Promise<Attributes | undefined> {
  const [name, states] = await Promise.all([
    bus.try<string>(ref, GET, `${ATSPI}.Accessible`, 'Name'),
    bus.try<readonly number[]>(ref, STATES),
  ])
  return states && { role, name: cut(name ?? ''), description: '', states, patterns }
}

const cut = (name: string): string => (name.length > MAX_NAME_CHARACTERS ? name.slice(0, MAX_NAME_CHARACTERS) : name)

const remembered = new Map<string, ReadonlySet<string>>()

/** Few combinations exist, so that thousands of objects share a handful of sets. */
function patternsOf(interfaces: readonly string[]): ReadonlySet<string> {
  const key = interfaces.join()
  const known = remembered.get(key)
  if (known) return known
  const patterns = new Set(interfaces.map((name) => name.slice(ATSPI.length + 1)))
  if (remembered.size < 1000) remembered.set(key, patterns)
  return patterns
}

type Gate = <T>(work: () => Promise<T>) => Promise<T>

/** Lets so many run at once; the others wait in order. */
function openGate(most: number): Gate {
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
