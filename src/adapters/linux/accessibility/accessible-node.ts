import type { Rect } from '../../../desktop/model/geometry.ts'
import type { Bus, BusMethod, ObjectRef } from '../dbus.ts'
import { ATSPI, GET, refsOf, type Toolkit } from './accessibility.ts'
import { hasState, ROLE } from './roles.ts'

/** An accessible object as its program describes it, not yet normalised across toolkits. */
export interface AccessibleNode extends NodeAttributes, NodeDetails {
  readonly ref: ObjectRef
  readonly children: readonly AccessibleNode[]
  /** The number of children, when only some of them were read. */
  readonly childCount?: number
  /** Its index among all children of its container, when only some of them were read. */
  readonly index?: number
  /** A stable key where the program replaces objects: the position of a cell in a LibreOffice sheet. */
  readonly key?: string
  /** The node that actions use instead, for a table row that has no object of its own. */
  readonly actionNode?: AccessibleNode
}

/** The number of objects that are read of one window. */
export const MAX_NODES = 25_000

/** The number of levels that are read. */
export const MAX_DEPTH = 200

/** Objects that have not been read after this time are omitted. */
export const MAX_TREE_MS = 10_000

/** Of larger containers, only the children in view are read. */
export const MAX_WHOLE_CHILDREN = 400

/** The number of objects that are requested at the same time. */
export const MAX_CONCURRENT_NODES = 128

/** Cached objects are requested ahead up to this number. Of windows with more, only the part in view is read. */
export const MAX_PREFETCHED_NODES = 3000

/** In such a window, containers out of view with more children are skipped. */
export const MAX_CHILDREN_OUT_OF_VIEW = 20

/** Longer names and descriptions are truncated. */
const MAX_NAME_CHARACTERS = 10_000

/** The properties of an accessible object that the program's cache contains, if it has one. */
export interface NodeAttributes {
  readonly role: number
  readonly name: string
  readonly description: string
  /** The AT-SPI state set: two 32-bit words. */
  readonly states: readonly number[]
  /** The AT-SPI interfaces that it implements, without their prefix: `Action`, `Text`, `EditableText`, `Value`, `Selection` … */
  readonly patterns: ReadonlySet<string>
}

/** The properties of an accessible object that are requested one by one. */
export interface NodeDetails {
  /** On the screen, or in the window for GTK 4. Undefined when it is not drawn. */
  readonly extents: Rect | undefined
  readonly text: string | undefined
  /** Whether `text` is only a part of the text. */
  readonly isTextTruncated?: boolean
  readonly value: ValueRange | undefined
  /** AT-SPI's `mnemonic;path;accelerator`. */
  readonly keyBinding: string | undefined
  /** The option that a combo box displays. */
  readonly selectedChild: ObjectRef | undefined
}

export interface ValueRange {
  readonly now: number
  readonly min: number
  readonly max: number
}

/** Facts from earlier readings of a window, which save most requests of the next reading. */
export interface ReadCache {
  /** The key bindings of objects, which do not change. */
  readonly keys: Map<string, string | undefined>
  /** The limits of sliders and the like. Not those of scroll bars, which change with the content. */
  readonly limits: Map<string, readonly [min: number, max: number]>
  /** Objects that were not drawn, and most likely still are not. */
  unplaced: ReadonlySet<string>
}

export const createReadCache = (): ReadCache => ({ keys: new Map(), limits: new Map(), unplaced: new Set() })

export const NO_DETAILS: NodeDetails = {
  extents: undefined,
  text: undefined,
  value: undefined,
  keyBinding: undefined,
  selectedChild: undefined,
}

/** Longer texts of an object are truncated. */
const MAX_TEXT_CHARACTERS = 100_000
/** The total for a tree. Further texts are left out. */
const MAX_TREE_TEXT_CHARACTERS = 2_000_000

export const EXTENTS: BusMethod = { interface: `${ATSPI}.Component`, member: 'GetExtents', signature: 'u' }
const TEXT: BusMethod = { interface: `${ATSPI}.Text`, member: 'GetText', signature: 'ii' }
const KEYS: BusMethod = { interface: `${ATSPI}.Action`, member: 'GetKeyBinding', signature: 'i' }
const SELECTED_CHILD: BusMethod = { interface: `${ATSPI}.Selection`, member: 'GetSelectedChild', signature: 'i' }

const ON_SCREEN = 0
const IN_WINDOW = 1

/**
 * The AT-SPI coordinate type of a program. GTK 4 reports positions in the window only. On Wayland all programs do, but of GTK 3
 * those on the screen, which it counts from its window too, are also right in menus.
 */
export const coordinateSpaceOf = (toolkit: Toolkit, isWayland = false): number =>
  toolkit === 'gtk4' || (isWayland && toolkit !== 'gtk3') ? IN_WINDOW : ON_SCREEN

/** Roles whose key bindings are read. Those of other controls are mnemonics of their labels. */
const BOUND: ReadonlySet<number> = new Set([ROLE.menuItem, ROLE.checkMenuItem, ROLE.radioMenuItem, ROLE.menu])

/** Controls that display a number. LibreOffice also gives one to every button and separator. */
const RANGES: ReadonlySet<number> = new Set([
  ROLE.dial,
  ROLE.levelBar,
  ROLE.progressBar,
  ROLE.rating,
  ROLE.scrollBar,
  ROLE.slider,
  ROLE.spinButton,
])

/** Fields, whose text is their value. */
const FIELDS: ReadonlySet<number> = new Set([ROLE.text, ROLE.entry, ROLE.passwordText, ROLE.terminal, ROLE.spinButton])

/** The connection of a reading and its limits. */
export interface ReadContext {
  readonly bus: Bus
  readonly toolkit: Toolkit
  readonly coordinateSpace: number
  readonly readCache: ReadCache
  /** The number of characters read so far. */
  readonly read: { characters: number }
}

/** Reads the details that the interfaces and the role of an object call for. */
export async function readDetails(context: ReadContext, ref: ObjectRef, known: NodeAttributes): Promise<NodeDetails> {
  const { bus, toolkit, readCache, coordinateSpace } = context
  const { role, states, patterns } = known
  const inMenu = BOUND.has(role)
  // The items of closed menus are many and have no bounds.
  const folded = inMenu && toolkit === 'gtk3' && !hasState(states, 'showing')
  // Requesting the extents of a GTK object that is not a component logs a critical error in its program.
  const placed = patterns.has('Component') && !folded
  const [extents, text, value, keys, chosen] = await Promise.all([
    placed ? bus.tryCall<readonly number[]>(ref, EXTENTS, coordinateSpace) : undefined,
    holdsText(known, toolkit) ? readText(context, ref, role) : undefined,
    patterns.has('Value') && RANGES.has(role) ? readRange(bus, ref, role, readCache) : undefined,
    inMenu && patterns.has('Action') ? readKeys(bus, ref, readCache) : undefined,
    role === ROLE.comboBox && patterns.has('Selection')
      ? bus.tryCall<readonly [string, string]>(ref, SELECTED_CHILD, 0)
      : undefined,
  ])
  return {
    extents: extents && parseExtents(extents),
    text: text?.text,
    ...(text?.cut ? { isTextTruncated: true } : {}),
    value,
    keyBinding: keys,
    selectedChild: chosen && refsOf([chosen])[0],
  }
}

async function readKeys(bus: Bus, ref: ObjectRef, { keys }: ReadCache): Promise<string | undefined> {
  if (keys.has(ref.path)) return keys.get(ref.path)
  const binding = await bus.tryCall<string>(ref, KEYS, 0)
  keys.set(ref.path, binding)
  return binding
}

/**
 * Whether the text of an object adds to its name, as for fields and nameless objects. Chromium is an exception: it offers
 * text on every object and repeats it in child objects.
 */
function holdsText({ role, name, states, patterns }: NodeAttributes, toolkit: Toolkit): boolean {
  if (!patterns.has('Text')) return false
  if (FIELDS.has(role)) return true
  if (hasState(states, 'editable')) return toolkit !== 'chromium' || hasState(states, 'focusable')
  // A cell of LibreOffice is named after its position.
  if (role === ROLE.tableCell && !patterns.has('TableCell')) return toolkit === 'gtk3'
  return name === '' && toolkit !== 'chromium'
}

/** Firefox and Thunderbird add U+FEFF after each character above U+FFFF, so that their offsets count in UTF-16. */
export const withoutPadding = (text: string): string => text.replaceAll(/(?<=[\u{10000}-\u{10ffff}])\ufeff/gu, '')

interface ReadText {
  readonly text: string
  readonly cut: boolean
}

/** Reads up to the number of characters. LibreOffice and Firefox return no text for a longer range, GTK 4 none for -1. */
async function readText({ bus, read }: ReadContext, ref: ObjectRef, role: number): Promise<ReadText | undefined> {
  const count = await bus.tryCall<number>(ref, GET, `${ATSPI}.Text`, 'CharacterCount')
  if (count === undefined) return undefined
  if (count <= 0) return { text: '', cut: false }
  const most = Math.max(0, Math.min(MAX_TEXT_CHARACTERS, MAX_TREE_TEXT_CHARACTERS - read.characters))
  const length = Math.min(count, most)
  read.characters += length
  // Of a terminal, the last lines matter.
  const from = role === ROLE.terminal ? count - length : 0
  const text = length === 0 ? '' : await bus.tryCall<string>(ref, TEXT, from, from + length)
  return text === undefined ? undefined : { text: withoutPadding(text), cut: length < count }
}

async function readRange(
  bus: Bus,
  ref: ObjectRef,
  role: number,
  { limits }: ReadCache,
): Promise<ValueRange | undefined> {
  const read = (name: string) => bus.tryCall<number>(ref, GET, `${ATSPI}.Value`, name)
  const known = limits.get(ref.path)
  const [now, min = 0, max = 0] = await Promise.all([
    read('CurrentValue'),
    known ? known[0] : read('MinimumValue'),
    known ? known[1] : read('MaximumValue'),
  ])
  if (role !== ROLE.scrollBar) limits.set(ref.path, [min, max])
  return now === undefined ? undefined : { now, min, max }
}

export function parseExtents([x = 0, y = 0, width = 0, height = 0]: readonly number[]): Rect | undefined {
  // GTK 3 places hidden widgets at the smallest integer.
  if (width <= 0 || height <= 0 || x <= -0x8000_0000 || y <= -0x8000_0000) return undefined
  return { x, y, width, height }
}

const accessible = (member: string): BusMethod => ({ interface: `${ATSPI}.Accessible`, member })

const ROLE_NUMBER = accessible('GetRole')

const STATES = accessible('GetState')

const INTERFACES = accessible('GetInterfaces')

/** Requests the attributes of an object. Returns undefined when it does not answer. */
export async function readAttributes(bus: Bus, ref: ObjectRef): Promise<NodeAttributes | undefined> {
  const [name, description, role, states, interfaces] = await Promise.all([
    bus.tryCall<string>(ref, GET, `${ATSPI}.Accessible`, 'Name'),
    bus.tryCall<string>(ref, GET, `${ATSPI}.Accessible`, 'Description'),
    bus.tryCall<number>(ref, ROLE_NUMBER),
    bus.tryCall<readonly number[]>(ref, STATES),
    bus.tryCall<readonly string[]>(ref, INTERFACES),
  ])
  if (role === undefined || !states) return undefined
  const patterns = patternsOf(interfaces ?? [])
  return { role, name: truncate(name ?? ''), description: truncate(description ?? ''), states, patterns }
}

/** Requests the attributes of a cell that shares role and interfaces with the cell above it. */
export async function readCell(
  bus: Bus,
  ref: ObjectRef,
  { role, patterns }: NodeAttributes,
): Promise<NodeAttributes | undefined> {
  const [name, states] = await Promise.all([
    bus.tryCall<string>(ref, GET, `${ATSPI}.Accessible`, 'Name'),
    bus.tryCall<readonly number[]>(ref, STATES),
  ])
  return states && { role, name: truncate(name ?? ''), description: '', states, patterns }
}

/** Limits names and descriptions to `MAX_NAME_CHARACTERS`. */
export const truncate = (name: string): string =>
  name.length > MAX_NAME_CHARACTERS ? name.slice(0, MAX_NAME_CHARACTERS) : name

const patternSets = new Map<string, ReadonlySet<string>>()

/** Shares equal sets, because thousands of objects have only a handful of combinations. */
export function patternsOf(interfaces: readonly string[]): ReadonlySet<string> {
  const key = interfaces.join()
  const known = patternSets.get(key)
  if (known) return known
  const patterns = new Set(interfaces.map((name) => name.slice(ATSPI.length + 1)))
  if (patternSets.size < 1000) patternSets.set(key, patterns)
  return patterns
}
