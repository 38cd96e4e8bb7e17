import type { Element } from '../../desktop/model/element.ts'
import { NOWHERE, type Point, type Rect, translate, unite } from '../../desktop/model/geometry.ts'
import type { Toolkit } from './accessibility.ts'
import type { Ref } from './bus.ts'
import type { Reading } from './reading.ts'
import { hasState, ROLE, roleOf } from './roles.ts'
import type { XWindow } from './windows.ts'

/** A window's tree as clients see it, and the accessible object behind each id. */
export interface Dressed {
  readonly tree: Element
  readonly refs: ReadonlyMap<string, Place>
}

/** Where an element comes from. */
export interface Place {
  readonly ref: Ref
  readonly patterns: ReadonlySet<string>
  readonly role: number
  readonly states: readonly number[]
}

/** Gives an accessible object the same id each time its window is read. */
export type Naming = (ref: Ref) => string

/** What the place of a window on the screen adds to what its program says. */
export interface Setting {
  readonly toolkit: Toolkit
  readonly window: Pick<XWindow, 'bounds' | 'inner' | 'shadow' | 'focused' | 'title'>
  /** Where the window's menus, lists and tooltips are. */
  readonly popups: readonly Rect[]
}

/** Makes the tree of a window from what its program says, with the toolkits' peculiarities evened out. */
export function dress(reading: Reading, setting: Setting, naming: Naming): Dressed {
  const refs = new Map<string, Place>()
  // Programs report a focused object per window, and some one per container; the last in order is the innermost.
  const focused = setting.window.focused ? innermostFocused(reading) : undefined

  const popups = [...setting.popups]
  const element = (node: Reading, id: string, inShown: boolean, around: Point): Element => {
    refs.set(id, { ref: node.ref, patterns: node.patterns, role: node.role, states: node.states })
    const isRoot = node === reading
    const shown = isRoot || (inShown && isShown(node, setting.toolkit))
    const offset = setting.toolkit === 'gtk4' && !isRoot ? (ownOffset(node, popups) ?? around) : around
    const children = node.children.map((child) =>
      element(child, naming(child.ref), shown || setting.toolkit !== 'qt', offset),
    )
    const seen = children.filter((child) => !child.traits?.hidden)
    // What Qt does not show has a place that means nothing.
    const extents = shown || setting.toolkit !== 'qt' ? node.extents : undefined
    const role = isRoot && !TOPS.has(node.role) ? 'Window' : nameOfRole(node)
    return {
      id,
      role,
      name: nameOf(node, setting.toolkit) || (isRoot ? setting.window.title : ''),
      value: textOf(node, setting.toolkit),
      bounds: isRoot ? setting.window.bounds : placeOf(extents, offset, seen),
      enabled: isRoot || hasState(node.states, 'sensitive') || hasState(node.states, 'enabled'),
      focused: node === focused,
      keyboardShortcut: node.keys ? acceleratorOf(node.keys) : null,
      description: node.description || null,
      children,
      ...statesOf(node),
      ...(POPS_UP.has(role) && children.length > 0 ? { expanded: seen.some((child) => !PARTS.has(child.role)) } : {}),
      ...(node.value ? { valueNow: node.value.now, valueMin: node.value.min, valueMax: node.value.max } : {}),
      identifier: roleOf(node.role).raw,
      // A page that is nowhere, as a notebook's without tabs, is still there when something of it is seen.
      ...traitsOf(node, shown || seen.length > 0),
    }
  }
  return { tree: element(reading, 'root', true, offsetOf(reading, setting)), refs }
}

/** GTK 4 knows places in the window only: it starts where the X window does, plus the border that GTK draws itself. */
function offsetOf(reading: Reading, { toolkit, window }: Setting): Point {
  if (toolkit !== 'gtk4') return { x: 0, y: 0 }
  const { inner, shadow } = window
  if (shadow.left + shadow.right + shadow.top + shadow.bottom > 0)
    return { x: inner.x + shadow.left, y: inner.y + shadow.top }
  const frame = reading.extents ?? inner
  return {
    x: inner.x + Math.max(0, Math.round((inner.width - frame.width) / 2)),
    y: inner.y + Math.max(0, Math.round((inner.height - frame.height) / 2)),
  }
}

/** What a window can be; Qt calls its windows fillers. */
const TOPS: ReadonlySet<number> = new Set([
  ROLE.frame,
  ROLE.dialog,
  ROLE.alert,
  ROLE.fileChooser,
  ROLE.toolTip,
  ROLE.menu,
])

/** What has an X window of its own, in GTK 4. */
const SURFACES: ReadonlySet<number> = new Set([
  ROLE.menu,
  ROLE.popupMenu,
  ROLE.dialog,
  ROLE.window,
  ROLE.toolTip,
  ROLE.panel,
])

/** A popover of GTK 4 says where it would be in the window; its X window of the same size is where it is. */
function ownOffset({ role, extents }: Reading, popups: Rect[]): Point | undefined {
  if (!extents || !SURFACES.has(role)) return undefined
  const at = popups.findIndex(({ width, height }) => width === extents.width && height === extents.height)
  const [popup] = at < 0 ? [] : popups.splice(at, 1)
  return popup && { x: popup.x - extents.x, y: popup.y - extents.y }
}

/** They are unfolded when something of what they pop up is seen; toolkits do not say so. */
const POPS_UP: ReadonlySet<string> = new Set(['ComboBox', 'Menu', 'MenuItem'])
/** Parts of a combo box that are always seen. */
const PARTS: ReadonlySet<string> = new Set(['Edit', 'Button', 'Text', 'Image'])

/** Where it says that it is, else around what is seen of it. */
function placeOf(extents: Rect | undefined, { x, y }: Point, seen: readonly Element[]): Rect {
  if (extents) return translate(extents, x, y)
  return seen.map(({ bounds }) => bounds).reduce(unite, NOWHERE)
}

function innermostFocused(reading: Reading): Reading | undefined {
  let found: Reading | undefined
  const look = (node: Reading) => {
    if (hasState(node.states, 'focused')) found = node
    node.children.forEach(look)
  }
  look(reading)
  return found
}

/** A text of several lines is a document, a text that cannot be changed is a text. */
function nameOfRole(node: Reading): string {
  const { name } = roleOf(node.role)
  if (node.role !== ROLE.text && node.role !== ROLE.entry) return name
  if (hasState(node.states, 'multiLine')) return 'Document'
  const fixed = node.patterns.has('Text') && !node.patterns.has('EditableText') && !hasState(node.states, 'editable')
  return fixed && !hasState(node.states, 'focusable') ? 'Text' : 'Edit'
}

/** GTK 4 calls nameless widgets by their class, and labelled ones by their label twice. */
function nameOf(node: Reading, toolkit: Toolkit): string {
  if (toolkit !== 'gtk4') return node.name
  const label = LABELLED.has(node.role) ? labelIn(node) : undefined
  if (/^(Gtk|Adw)[A-Z]\w*$/.test(node.name) || node.name === '') return label ?? ''
  return label !== undefined && node.name === `${label} ${label}` ? label : node.name
}

const LABELLED: ReadonlySet<number> = new Set([
  ROLE.pushButton,
  ROLE.toggleButton,
  ROLE.checkBox,
  ROLE.radioButton,
  ROLE.menuItem,
  ROLE.pageTab,
])

/** The text of the only label within, or undefined when there are none or several. */
function labelIn(node: Reading): string | undefined {
  const labels: string[] = []
  const look = (child: Reading) => {
    if (child.role === ROLE.label && child.name) labels.push(child.name)
    child.children.forEach(look)
  }
  node.children.forEach(look)
  return labels.length === 1 ? labels[0] : undefined
}

/** Embedded objects stand in a text as U+FFFC; they are children of their own. */
function textOf(node: Reading, toolkit: Toolkit): string | null {
  if (node.text !== undefined) return node.text.replaceAll('\ufffc', '')
  // Qt names a combo box after what it shows; the option marked in its closed list may be another.
  if (node.role === ROLE.comboBox) return (toolkit === 'qt' ? undefined : chosenOf(node)) ?? (node.name || null)
  return node.value ? String(Number(node.value.now.toFixed(6))) : null
}

/** What a combo box shows: the option that its program names, else the one that is marked. */
function chosenOf(node: Reading): string | undefined {
  let named: string | undefined
  let marked: string | undefined
  const look = (child: Reading) => {
    if (child.ref.path === node.chosen?.path) named = child.name
    if (hasState(child.states, 'selected')) marked ??= child.name
    child.children.forEach(look)
  }
  node.children.forEach(look)
  return named || marked || undefined
}

function statesOf({ role, states }: Reading): Pick<Element, 'selected' | 'expanded'> {
  const checks =
    role === ROLE.checkBox ||
    role === ROLE.checkMenuItem ||
    role === ROLE.radioButton ||
    role === ROLE.radioMenuItem ||
    role === ROLE.toggleButton ||
    hasState(states, 'checkable')
  const selects = hasState(states, 'selectable') && role !== ROLE.menuItem && role !== ROLE.menu
  const expands = hasState(states, 'expandable')
  return {
    ...(checks ? { selected: hasState(states, 'checked') || hasState(states, 'pressed') } : {}),
    ...(!checks && selects ? { selected: hasState(states, 'selected') } : {}),
    ...(expands ? { expanded: hasState(states, 'expanded') } : {}),
  }
}

/**
 * GTK 4 says of no widget that it is showing; those that are not have no area. Qt says it of all that lies in
 * something that is not.
 */
const isShown = (node: Reading, toolkit: Toolkit): boolean =>
  node.extents !== undefined && (toolkit === 'gtk4' || hasState(node.states, 'showing'))

function traitsOf(node: Reading, shown: boolean): Pick<Element, 'traits'> {
  const secret = node.role === ROLE.passwordText
  const multiline = hasState(node.states, 'multiLine') && node.role !== ROLE.label
  const readOnly = hasState(node.states, 'readOnly')
  if (shown && !secret && !multiline && !readOnly) return {}
  return {
    traits: {
      ...(secret ? { secret } : {}),
      ...(shown ? {} : { hidden: true }),
      ...(multiline ? { multiline } : {}),
      ...(readOnly ? { readOnly } : {}),
    },
  }
}

/** `n;<Alt>f:n;<Primary><Shift>n` is `Ctrl+Shift+N`: the last of the three parts is the accelerator. */
export function acceleratorOf(keys: string): string | null {
  const accelerator = keys.split(';')[2] ?? ''
  const modifiers = [...accelerator.matchAll(/<(\w+)>/g)].map(([, name]) => MODIFIERS[name!.toLowerCase()] ?? name!)
  const key = accelerator.replaceAll(/<\w+>/g, '')
  if (!key) return null
  return [...modifiers, key.length === 1 ? key.toUpperCase() : key].join('+')
}

const MODIFIERS: Readonly<Record<string, string>> = {
  primary: 'Ctrl',
  control: 'Ctrl',
  shift: 'Shift',
  alt: 'Alt',
  super: 'Meta',
  meta: 'Meta',
}
