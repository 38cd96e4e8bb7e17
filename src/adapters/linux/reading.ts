import { Fault } from '../../base/fault.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { type App, ATSPI, CHILDREN, GET, refsOf, type Toolkit } from './accessibility.ts'
import type { Bus, Method, Ref } from './bus.ts'
import { hasState, ROLE } from './roles.ts'

/** One accessible object as its program describes it, with its toolkit's peculiarities still in it. */
export interface Reading {
  readonly ref: Ref
  readonly role: number
  readonly name: string
  readonly description: string
  /** AT-SPI's two words of states. */
  readonly states: readonly number[]
  /** The patterns it offers, without their prefix: `Action`, `Text`, `EditableText`, `Value`, `Selection` … */
  readonly patterns: ReadonlySet<string>
  /** On the screen, or in the window for GTK 4; undefined when it takes no part in the picture. */
  readonly extents: Rect | undefined
  readonly text: string | undefined
  readonly value: Range | undefined
  /** AT-SPI's `mnemonic;path;accelerator`. */
  readonly keys: string | undefined
  /** The option that a combo box shows. */
  readonly chosen: Ref | undefined
  readonly children: readonly Reading[]
}

export interface Range {
  readonly now: number
  readonly min: number
  readonly max: number
}

/** What the program's own cache, where it has one, tells of an object. */
type Attributes = Pick<Reading, 'role' | 'name' | 'description' | 'states' | 'patterns'>

interface Cached extends Attributes {
  readonly parent: string
  /** Whether it surely has no children. */
  readonly leaf: boolean
}

type Cache = ReadonlyMap<string, Cached>

type Details = Pick<Reading, 'extents' | 'text' | 'value' | 'keys' | 'chosen'>

const NO_DETAILS: Details = {
  extents: undefined,
  text: undefined,
  value: undefined,
  keys: undefined,
  chosen: undefined,
}

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

const NODES_MOST = 25_000
const DEPTH_MOST = 200
const TREE_MOST_MS = 15_000
const TEXT_MOST = 200_000

const accessible = (member: string): Method => ({ interface: `${ATSPI}.Accessible`, member })
const ROLE_NUMBER = accessible('GetRole')
const STATES = accessible('GetState')
const INTERFACES = accessible('GetInterfaces')
export const EXTENTS: Method = { interface: `${ATSPI}.Component`, member: 'GetExtents', takes: 'u' }
const TEXT: Method = { interface: `${ATSPI}.Text`, member: 'GetText', takes: 'ii' }
const KEYS: Method = { interface: `${ATSPI}.Action`, member: 'GetKeyBinding', takes: 'i' }
const SELECTED_CHILD: Method = { interface: `${ATSPI}.Selection`, member: 'GetSelectedChild', takes: 'i' }
/** A program with ten thousand objects takes a while to list them; a stopped one must still be given up in time. */
const CACHE_ITEMS: Method = { interface: `${ATSPI}.Cache`, member: 'GetItems', withinMs: 1500 }

const ON_SCREEN = 0
const IN_WINDOW = 1

/** Their bindings are worth a question; other controls' are mnemonics of their labels. */
const BOUND: ReadonlySet<number> = new Set([ROLE.menuItem, ROLE.checkMenuItem, ROLE.radioMenuItem, ROLE.menu])

/** What earlier readings of a window have taught: it spares most questions of the next one. */
export interface Lessons {
  /** The key bindings of objects, which do not change. */
  readonly keys: Map<string, string | undefined>
  /** The limits of sliders and the like; those of scroll bars change with what is scrolled. */
  readonly limits: Map<string, readonly [min: number, max: number]>
  /** Objects that had no place in the picture, and most likely still have none. */
  unseen: ReadonlySet<string>
}

export const noLessons = (): Lessons => ({ keys: new Map(), limits: new Map(), unseen: new Set() })

/**
 * Reads all below a window of a program. Attributes come from the program's cache where it has one; structure and
 * places are asked for, because caches of both GTKs are wrong about them. Throws `Timeout`.
 */
export async function readTree(
  bus: Bus,
  app: App,
  toolkit: Toolkit,
  window: Ref,
  lessons: Lessons,
): Promise<Reading | undefined> {
  const cache: Cache = toolkit === 'gtk3' || toolkit === 'gtk4' ? await readCache(bus, app) : new Map()
  const deadline = Date.now() + TREE_MOST_MS
  const seen = new Set<string>()
  const unseen = new Set<string>()
  const asker: Asker = { bus, toolkit, lessons }
  const asked = new Map<string, Answers>()
  // What the cache knows to be in the window is asked about at once, not level by level.
  for (const path of pathsBelow(cache, window.path))
    if (toolkit !== 'gtk4' || !lessons.unseen.has(path))
      asked.set(path, askAbout(asker, { bus: app.bus, path }, cache.get(path)))

  const read = async (ref: Ref, depth: number, parentSeen: boolean): Promise<Reading | undefined> => {
    if (seen.has(ref.path) || seen.size >= NODES_MOST || depth > DEPTH_MOST) return undefined
    if (Date.now() > deadline)
      throw new Fault('Timeout', `the tree was not complete within ${TREE_MOST_MS} ms; ${seen.size} elements were read`)
    seen.add(ref.path)
    const answers = asked.get(ref.path) ?? askAbout(asker, ref, cache.get(ref.path), !parentSeen)
    const children = await answers.children
    const isSeen = children.length === 0 || toolkit !== 'gtk4' || (await answers.details).extents !== undefined
    const below = children.map((child) => read(child, depth + 1, isSeen))
    const [known, details, nodes] = await Promise.all([answers.attributes, answers.details, Promise.all(below)])
    if (!known) return undefined
    if (!details.extents) unseen.add(ref.path)
    return { ref, ...known, ...details, children: nodes.filter((node) => node !== undefined) }
  }
  const reading = await read(window, 0, true)
  lessons.unseen = unseen
  return reading
}

interface Asker {
  readonly bus: Bus
  readonly toolkit: Toolkit
  readonly lessons: Lessons
}

interface Answers {
  readonly attributes: Promise<Attributes | undefined>
  readonly children: Promise<readonly Ref[]>
  readonly details: Promise<Details>
}

/** `unplaced`: it lies in something that GTK 4 does not show, and so has no place of its own either. */
function askAbout(asker: Asker, ref: Ref, cached: Cached | undefined, unplaced = false): Answers {
  const { bus } = asker
  const children = cached?.leaf
    ? Promise.resolve([])
    : bus.try<readonly [string, string][]>(ref, CHILDREN).then((pairs) => refsOf(pairs ?? []))
  const attributes = cached ? Promise.resolve(cached) : readAttributes(bus, ref)
  const detail = (known: Attributes | undefined) => (known && !unplaced ? readDetails(asker, ref, known) : NO_DETAILS)
  const details = cached ? Promise.resolve(detail(cached)) : attributes.then(detail)
  // One failure is reported once, by whoever awaits it first; the others are of the same cause.
  for (const answer of [children, attributes, details]) answer.catch(() => {})
  return { attributes, children, details }
}

/** The cached objects whose chain of parents ends at `top`, which is one of them. */
function pathsBelow(cache: Cache, top: string): readonly string[] {
  const inside = new Map<string, boolean>([[top, true]])
  const isInside = (path: string, depth: number): boolean => {
    const known = inside.get(path)
    if (known !== undefined) return known
    const parent = cache.get(path)?.parent
    const found = parent !== undefined && depth < DEPTH_MOST && isInside(parent, depth + 1)
    inside.set(path, found)
    return found
  }
  return [...cache.keys()].filter((path) => isInside(path, 0))
}

async function readCache(bus: Bus, app: App): Promise<Cache> {
  const items = await bus.try<readonly CacheItem[]>({ bus: app.bus, path: '/org/a11y/atspi/cache' }, CACHE_ITEMS)
  return new Map(
    (items ?? []).map(([[, path], , [, parent], , children, interfaces, name, role, description, states]) => {
      const leaf = children === 0 && !hasState(states, 'managesDescendants')
      return [path, { role, name, description, states, patterns: patternsOf(interfaces), parent, leaf }]
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
  return { role, name: name ?? '', description: description ?? '', states, patterns: patternsOf(interfaces ?? []) }
}

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

async function readDetails(
  { bus, toolkit, lessons }: Asker,
  ref: Ref,
  { role, states, patterns }: Attributes,
): Promise<Details> {
  const inMenu = BOUND.has(role)
  // The items of closed menus are many, and nowhere.
  const folded = inMenu && toolkit === 'gtk3' && !hasState(states, 'showing')
  // Asking a GTK object that is no component for its extents is a critical error in its program's log.
  const placed = patterns.has('Component') && !folded
  const space = toolkit === 'gtk4' ? IN_WINDOW : ON_SCREEN
  const [extents, text, value, keys, chosen] = await Promise.all([
    placed ? bus.try<readonly number[]>(ref, EXTENTS, space) : undefined,
    patterns.has('Text') && holdsText(role, states) ? bus.try<string>(ref, TEXT, 0, TEXT_MOST) : undefined,
    patterns.has('Value') ? readRange(bus, ref, role, lessons) : undefined,
    inMenu && patterns.has('Action') ? readKeys(bus, ref, lessons) : undefined,
    role === ROLE.comboBox && patterns.has('Selection')
      ? bus.try<readonly [string, string]>(ref, SELECTED_CHILD, 0)
      : undefined,
  ])
  return { extents: extents && rectOf(extents), text, value, keys, chosen: chosen && refsOf([chosen])[0] }
}

async function readKeys(bus: Bus, ref: Ref, { keys }: Lessons): Promise<string | undefined> {
  if (keys.has(ref.path)) return keys.get(ref.path)
  const binding = await bus.try<string>(ref, KEYS, 0)
  keys.set(ref.path, binding)
  return binding
}

/** A label's text is its name; a field's text is its value. */
const holdsText = (role: number, states: readonly number[]): boolean =>
  role === ROLE.text || role === ROLE.entry || role === ROLE.passwordText || hasState(states, 'editable')

async function readRange(bus: Bus, ref: Ref, role: number, { limits }: Lessons): Promise<Range | undefined> {
  const read = (name: string) => bus.try<number>(ref, GET, `${ATSPI}.Value`, name)
  const known = limits.get(ref.path)
  const [now, min = 0, max = 0] = await Promise.all([
    read('CurrentValue'),
    known ? known[0] : read('MinimumValue'),
    known ? known[1] : read('MaximumValue'),
  ])
  if (role !== ROLE.scrollBar) limits.set(ref.path, [min, max])
  return now === undefined ? undefined : { now, min, max }
}

export function rectOf([x = 0, y = 0, width = 0, height = 0]: readonly number[]): Rect | undefined {
  // GTK 3 places what is not to be seen at the smallest number that there is.
  if (width <= 0 || height <= 0 || x <= -0x8000_0000 || y <= -0x8000_0000) return undefined
  return { x, y, width, height }
}
