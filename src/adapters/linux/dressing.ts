import type { Element } from '../../desktop/element.ts'
import { intersect, NOWHERE, type Rect, translate } from '../../desktop/geometry.ts'
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
}

/** Makes the tree of a window from what its program says, with the toolkits' peculiarities evened out. */
export function dress(reading: Reading, setting: Setting, naming: Naming): Dressed {
  const refs = new Map<string, Place>()
  const offset = offsetOf(reading, setting)
  // Programs report a focused object per window, and some one per container; the last in order is the innermost.
  const focused = setting.window.focused ? innermostFocused(reading) : undefined

  const element = (node: Reading, id: string): Element => {
    refs.set(id, { ref: node.ref, patterns: node.patterns, role: node.role, states: node.states })
    const isRoot = node === reading
    const bounds = isRoot ? setting.window.bounds : placed(node.extents, offset)
    const secret = node.role === ROLE.passwordText
    const children = node.children.map((child) => element(child, naming(child.ref)))
    return {
      id,
      role: nameOfRole(node),
      name: isRoot ? nameOf(node, setting.toolkit) || setting.window.title : nameOf(node, setting.toolkit),
      value: textOf(node),
      bounds,
      enabled: isRoot || hasState(node.states, 'sensitive') || hasState(node.states, 'enabled'),
      focused: node === focused,
      keyboardShortcut: node.keys ? acceleratorOf(node.keys) : null,
      description: node.description || null,
      children,
      ...statesOf(node),
      ...(node.value ? { valueNow: node.value.now, valueMin: node.value.min, valueMax: node.value.max } : {}),
      identifier: roleOf(node.role).raw,
      ...traitsOf(node, secret, isRoot || isShown(node, setting.toolkit)),
    }
  }
  return { tree: element(reading, 'root'), refs }
}

/** GTK 4 knows places in the window only: it starts where the X window does, plus the border that GTK draws itself. */
function offsetOf(reading: Reading, { toolkit, window }: Setting): { readonly x: number; readonly y: number } {
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

const placed = (extents: Rect | undefined, { x, y }: { readonly x: number; readonly y: number }): Rect =>
  extents ? translate(extents, x, y) : NOWHERE

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
  if (/^(Gtk|Adw)[A-Z]\w*$/.test(node.name)) return ''
  const half = (node.name.length - 1) / 2
  const doubled = Number.isInteger(half) && node.name === `${node.name.slice(0, half)} ${node.name.slice(0, half)}`
  const label = node.name.slice(0, half)
  return doubled && node.children.some((child) => child.name === label) ? label : node.name
}

/** Embedded objects stand in a text as U+FFFC; they are children of their own. */
function textOf(node: Reading): string | null {
  if (node.text !== undefined) return node.text.replaceAll('\ufffc', '')
  if (node.role === ROLE.comboBox) return node.name || chosenOf(node)
  return node.value ? String(Number(node.value.now.toFixed(6))) : null
}

function chosenOf(node: Reading): string | null {
  for (const child of node.children) {
    if (hasState(child.states, 'selected') && child.name) return child.name
    const below = chosenOf(child)
    if (below) return below
  }
  return null
}

function statesOf({ role, states }: Reading): Pick<Element, 'selected' | 'expanded'> {
  const checks =
    role === ROLE.checkBox ||
    role === ROLE.checkMenuItem ||
    role === ROLE.radioButton ||
    role === ROLE.radioMenuItem ||
    role === ROLE.toggleButton ||
    hasState(states, 'checkable')
  const selects = hasState(states, 'selectable')
  const expands = hasState(states, 'expandable')
  return {
    ...(checks ? { selected: hasState(states, 'checked') || hasState(states, 'pressed') } : {}),
    ...(!checks && selects ? { selected: hasState(states, 'selected') } : {}),
    ...(expands ? { expanded: hasState(states, 'expanded') } : {}),
  }
}

/** GTK 4 says of no widget that it is showing; those that are not have no area. */
const isShown = (node: Reading, toolkit: Toolkit): boolean =>
  node.extents !== undefined && (toolkit === 'gtk4' || hasState(node.states, 'showing'))

function traitsOf(node: Reading, secret: boolean, shown: boolean): Pick<Element, 'traits'> {
  const multiline = hasState(node.states, 'multiLine')
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

/** What can be seen of an element in its own window: its bounds, cut off by everything that it lies in. */
export function unclippedBounds(chain: readonly Element[]): Rect | undefined {
  const target = chain.at(-1)
  if (!target) return undefined
  return chain.slice(0, -1).reduce<Rect | undefined>((rest, ancestor) => {
    // Groups without a place of their own cut nothing off.
    if (!rest || ancestor.bounds.width <= 0) return rest
    return intersect(rest, ancestor.bounds)
  }, target.bounds)
}
