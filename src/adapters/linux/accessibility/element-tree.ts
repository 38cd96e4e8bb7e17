import { Fault } from '../../../base/fault.ts'
import type { Target } from '../../../desktop/model/desktop.ts'
import { type Element, nodeAt, type Path, pathOf } from '../../../desktop/model/element.ts'
import { EMPTY_RECT, type Point, type Rect, sameRect, translate, unite } from '../../../desktop/model/geometry.ts'
import type { ElementTraits } from '../../../desktop/model/traits.ts'
import { describeElement } from '../../element-target.ts'
import type { ObjectRef } from '../dbus.ts'
import type { DesktopWindow } from '../desktop-backend.ts'
import type { Toolkit } from './accessibility.ts'
import type { AccessibleNode } from './accessible-node.ts'
import { accessibleName, displayedValue, elementRole } from './name-role-value.ts'
import { movedTree, originOf, withPopupsBelow } from './origin.ts'
import { hasState, ROLE, roleOf } from './roles.ts'

/** The element tree of a window, and the accessible object behind each element id. */
export interface ElementTree {
  readonly tree: Element
  readonly sources: ReadonlyMap<string, ElementSource>
}

/** The accessible object behind an element. */
export interface ElementSource {
  readonly ref: ObjectRef
  readonly patterns: ReadonlySet<string>
  readonly role: number
  readonly states: readonly number[]
  /** Its index among all children of its container, when only some of them are in the tree. */
  readonly index?: number
}

/** Returns the element id of an accessible object, the same in each reading of its window. */
export type AssignId = (ref: ObjectRef) => string

/** The X window of a tree, with which the reported positions are converted to screen pixels. */
export interface WindowContext {
  readonly toolkit: Toolkit
  readonly window: Pick<DesktopWindow, 'bounds' | 'inner' | 'shadow' | 'focused' | 'title' | 'isWayland'>
  /** The bounds of the window's menus, lists and tooltips. */
  readonly popups: readonly Rect[]
}

/** Converts accessible nodes to elements, normalised across toolkits. */
export function toElementTree(raw: AccessibleNode, context: WindowContext, assignId: AssignId): ElementTree {
  const { toolkit } = context
  const sources = new Map<string, ElementSource>()
  const { isWayland } = context.window
  const node = isWayland
    ? movedTree(withPopupsBelow(raw, toolkit), originOf(raw, toolkit, context.window))
    : toScreenPixels(raw, toolkit, context.window)
  // Programs report a focused object for each window, and some for each container. The last one is the innermost.
  const focused = context.window.focused ? innermostFocused(node, toolkit) : undefined

  const popups = [...context.popups]
  const element = (
    given: AccessibleNode,
    id: string,
    parent: AccessibleNode | undefined,
    inShown: boolean,
    inView: boolean,
    around: Point,
  ): Element => {
    const node = toolkit === 'gtk4' ? withoutWrapper(given) : given
    sources.set(id, sourceOf(node))
    const shown = !parent || (inShown && isShown(node, toolkit))
    const offset = toolkit === 'gtk4' && parent ? (ownOffset(node, popups) ?? around) : around
    const isClosed = isClosedCombo(node)
    // Elements that are scrolled out of a view are not showing, but not hidden either.
    const isView = (inView || (shown && SCROLLABLE.has(node.role))) && !NOT_SCROLLED.has(node.role)
    const isScrolledOut = !shown && inView && inShown && toolkit !== 'qt' && hasState(node.states, 'visible')
    const children = node.children.map((child) => {
      const isIn = isClosed ? FIELD_PARTS.has(child.role) : shown || (toolkit !== 'qt' && inShown)
      return element(
        child,
        assignId(child.key ? { ...child.ref, path: child.key } : child.ref),
        node,
        isIn,
        isView,
        offset,
      )
    })
    const seen = children.filter((child) => !child.traits?.hidden)
    // Positions of elements that Qt does not show, or that are in a closed list, are meaningless.
    const extents = shown || (toolkit !== 'qt' && inShown) ? node.extents : undefined
    const role = parent || TOP_LEVEL.has(node.role) ? elementRole(node, parent) : 'Window'
    return {
      id,
      role,
      name: accessibleName(node, toolkit) || (parent ? '' : context.window.title),
      value: displayedValue(node, toolkit),
      bounds: parent ? boundsOf(extents, offset, seen) : context.window.bounds,
      enabled: !parent || hasState(node.states, 'sensitive') || hasState(node.states, 'enabled'),
      focused: node.ref.path === focused?.ref.path,
      keyboardShortcut: node.keyBinding ? acceleratorOf(node.keyBinding) : null,
      description: node.description || null,
      children,
      ...(POPUP_OWNERS.has(role) && children.length > 0
        ? { expanded: seen.some((child) => !PARTS.has(child.role)) }
        : {}),
      ...statesOf(node),
      ...(node.value ? { valueNow: node.value.now, valueMin: node.value.min, valueMax: node.value.max } : {}),
      identifier: roleOf(node.role).raw,
      // A page without bounds, as of a notebook without tabs, is visible when one of its children is.
      ...traitsOf(node, role, shown || isScrolledOut || seen.length > 0),
    }
  }
  return { tree: element(node, 'root', undefined, true, false, offsetOf(node, context)), sources }
}

/** Adds menus that opened in separate windows to the node of their owner, unless it contains them already. */
export function withMenus(node: AccessibleNode, windows: readonly AccessibleNode[]): AccessibleNode {
  const menus = windows.flatMap((window) => newMenusIn(window, node))
  return menus.length === 0 ? node : { ...node, children: [...node.children, ...menus] }
}

/** The menus in a window that a tree does not contain already. */
export function newMenusIn(window: AccessibleNode, tree: AccessibleNode): readonly AccessibleNode[] {
  const menus = menusIn(window)
  return menus.length === 0 ? menus : menus.filter(({ ref }) => !hasNode(tree, ref.path))
}

const hasNode = (node: AccessibleNode, path: string): boolean =>
  node.ref.path === path || node.children.some((child) => hasNode(child, path))

const menusIn = (node: AccessibleNode): readonly AccessibleNode[] =>
  MENUS.has(node.role) ? [node] : node.children.flatMap(menusIn)

const MENUS: ReadonlySet<number> = new Set([ROLE.menu, ROLE.popupMenu])

/** The source of a table row is its first cell. */
const sourceOf = ({ actionNode, ...node }: AccessibleNode): ElementSource => {
  const { ref, patterns, role, states } = actionNode ?? node
  return { ref, patterns, role, states, ...(node.index === undefined ? {} : { index: node.index }) }
}

/** A GTK 4 menu button is a button in a button. Returns the inner one with the bounds and the description of the outer one. */
function withoutWrapper(node: AccessibleNode): AccessibleNode {
  if (node.role !== ROLE.pushButton) return node
  const inner = node.children.filter(({ role }) => role === ROLE.pushButton || role === ROLE.toggleButton)
  const [button] = inner
  if (!button || inner.length > 1) return node
  const others = node.children.filter((child) => child !== button)
  return {
    ...button,
    extents: node.extents ?? button.extents,
    description: button.description || node.description,
    children: [...button.children, ...others],
  }
}

/** Roles whose content can be scrolled. */
const SCROLLABLE: ReadonlySet<number> = new Set([
  ROLE.documentFrame,
  ROLE.documentText,
  ROLE.documentWeb,
  ROLE.layeredPane,
  ROLE.list,
  ROLE.scrollPane,
  ROLE.table,
  ROLE.tree,
  ROLE.treeTable,
  ROLE.viewport,
])

/** Roles whose content is hidden for other reasons than scrolling. */
const NOT_SCROLLED: ReadonlySet<number> = new Set([
  ROLE.comboBox,
  ROLE.menu,
  ROLE.menuBar,
  ROLE.menuItem,
  ROLE.pageTab,
  ROLE.popupMenu,
])

/** Whether a combo box is collapsed. Its options may still report that they are showing. */
const isClosedCombo = ({ role, states }: AccessibleNode): boolean =>
  role === ROLE.comboBox && hasState(states, 'expandable') && !hasState(states, 'expanded')

const FIELD_PARTS: ReadonlySet<number> = new Set([
  ROLE.text,
  ROLE.entry,
  ROLE.label,
  ROLE.pushButton,
  ROLE.toggleButton,
  ROLE.image,
  ROLE.icon,
])

/** GTK 4 reports positions in the window. Its origin is that of the X window plus the border that GTK draws. */
function offsetOf(node: AccessibleNode, { toolkit, window }: WindowContext): Point {
  if (toolkit !== 'gtk4' || window.isWayland) return { x: 0, y: 0 }
  const { inner, shadow } = window
  if (shadow.left + shadow.right + shadow.top + shadow.bottom > 0)
    return { x: inner.x + shadow.left, y: inner.y + shadow.top }
  const frame = node.extents ?? inner
  return {
    x: inner.x + Math.max(0, Math.round((inner.width - frame.width) / 2)),
    y: inner.y + Math.max(0, Math.round((inner.height - frame.height) / 2)),
  }
}

/** Roles of top-level windows. Qt reports its windows as fillers. */
const TOP_LEVEL: ReadonlySet<number> = new Set([
  ROLE.frame,
  ROLE.dialog,
  ROLE.alert,
  ROLE.fileChooser,
  ROLE.toolTip,
  ROLE.menu,
])

/** Roles with a separate X window in GTK 4. */
const SURFACES: ReadonlySet<number> = new Set([
  ROLE.menu,
  ROLE.popupMenu,
  ROLE.dialog,
  ROLE.window,
  ROLE.toolTip,
  ROLE.panel,
])

/** A GTK 4 popover reports a position in its owner. The X window of the same size has the real position. */
function ownOffset({ role, extents }: AccessibleNode, popups: Rect[]): Point | undefined {
  if (!extents || !SURFACES.has(role)) return undefined
  const at = popups.findIndex(({ width, height }) => width === extents.width && height === extents.height)
  const [popup] = at < 0 ? [] : popups.splice(at, 1)
  return popup && { x: popup.x - extents.x, y: popup.y - extents.y }
}

/** Roles that are expanded when part of their popup is visible. Toolkits do not report it. */
const POPUP_OWNERS: ReadonlySet<string> = new Set(['ComboBox', 'Menu', 'MenuItem'])
/** Parts of a combo box that are always visible. */
const PARTS: ReadonlySet<string> = new Set(['Edit', 'Button', 'Text', 'Image'])

/** The reported bounds, else the bounds of the visible children. */
function boundsOf(extents: Rect | undefined, { x, y }: Point, seen: readonly Element[]): Rect {
  if (extents) return translate(extents, x, y)
  return seen.map(({ bounds }) => bounds).reduce(unite, EMPTY_RECT)
}

/** The last focused object. Of Qt the last one that is shown, since Qt 6.11 also reports the current options of closed lists. */
function innermostFocused(node: AccessibleNode, toolkit: Toolkit): AccessibleNode | undefined {
  let found: AccessibleNode | undefined
  let shownOne: AccessibleNode | undefined
  const visit = (node: AccessibleNode, inShown: boolean) => {
    const shown = inShown && isShown(node, toolkit)
    if (hasState(node.states, 'focused')) found = node
    if (hasState(node.states, 'focused') && shown) shownOne = node
    const isClosed = isClosedCombo(node)
    for (const child of node.children) visit(child, shown && (!isClosed || FIELD_PARTS.has(child.role)))
  }
  visit(node, true)
  return toolkit === 'qt' ? (shownOne ?? found) : found
}

function statesOf({ role, states }: AccessibleNode): Pick<Element, 'selected' | 'expanded'> {
  const checks =
    role === ROLE.checkBox ||
    role === ROLE.checkMenuItem ||
    role === ROLE.radioButton ||
    role === ROLE.radioMenuItem ||
    role === ROLE.toggleButton ||
    hasState(states, 'checkable') ||
    // Qt reports a menu item as checked, but not as checkable.
    (role === ROLE.menuItem && hasState(states, 'checked'))
  const selects = hasState(states, 'selectable') && role !== ROLE.menuItem && role !== ROLE.menu
  const expands = hasState(states, 'expandable')
  return {
    ...(checks ? { selected: hasState(states, 'checked') || hasState(states, 'pressed') } : {}),
    ...(!checks && selects ? { selected: hasState(states, 'selected') } : {}),
    ...(expands ? { expanded: hasState(states, 'expanded') } : {}),
  }
}

/**
 * GTK 4 reports no widget as showing; hidden ones have no area. Qt reports widgets inside a hidden widget as showing.
 */
const isShown = (node: AccessibleNode, toolkit: Toolkit): boolean =>
  node.extents !== undefined && (toolkit === 'gtk4' || hasState(node.states, 'showing'))

const FIELDS: ReadonlySet<string> = new Set(['Edit', 'Document', 'PasswordEdit', 'Spinner', 'ComboBox', 'Cell'])

function traitsOf(node: AccessibleNode, role: string, shown: boolean): Pick<Element, 'traits'> {
  const isField = FIELDS.has(role)
  const childCount = node.childCount ?? (node.isTextTruncated ? node.children.length : undefined)
  const traits: ElementTraits = {
    ...(node.role === ROLE.passwordText ? { secret: true } : {}),
    ...(shown ? {} : { hidden: true }),
    ...(role === 'Document' && hasState(node.states, 'multiLine') ? { multiline: true } : {}),
    ...(isField && hasState(node.states, 'readOnly') ? { readOnly: true } : {}),
    ...(childCount === undefined ? {} : { childCount }),
  }
  return Object.keys(traits).length > 0 ? { traits } : {}
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

/** An element of a window, with its path and its source. */
export interface FoundElement<S extends ElementTree = ElementTree> {
  readonly windowTree: S
  readonly path: Path
  readonly element: Element
  readonly source: ElementSource
}

/** Finds the target of an action. Throws `ElementNotFound` or `ElementDisabled`. */
export function findTarget<S extends ElementTree>(windowTree: S, target: Target): FoundElement<S> {
  const path = pathOf(windowTree.tree, target.element)
  const element = path && nodeAt(windowTree.tree, path)
  const source = windowTree.sources.get(target.element)
  if (!path || !element || !source)
    throw new Fault('ElementNotFound', `the window no longer has an element ${target.element}`, { ...target })
  if (!element.enabled) throw new Fault('ElementDisabled', `${describeElement(element)} is disabled`, { ...target })
  return { windowTree, path, element, source }
}

/** The geometry of the X window that shows a tree. */
export type WindowGeometry = Pick<DesktopWindow, 'bounds' | 'inner' | 'shadow'>

/** Rectangles that differ by at most this much count as equal, because of borders and shadows. */
const TOLERANCE_PX = 12
/** The relative tolerance between the horizontal and the vertical scale. */
const SCALE_TOLERANCE = 0.03
const MAX_SCALE = 4

/** The number of screen pixels per program pixel, and the origin of the window in both units. */
interface Scale {
  readonly by: number
  readonly from: { readonly x: number; readonly y: number }
  readonly to: { readonly x: number; readonly y: number }
}

/** Converts extents to screen pixels (window pixels for GTK 4), for programs that measure in larger pixels. */
function toScreenPixels(node: AccessibleNode, toolkit: Toolkit, drawn: WindowGeometry): AccessibleNode {
  const scale = scaleOf(node, toolkit, drawn)
  const scaled = scale ? scaleTree(node, scale, toolkit) : node
  return toolkit === 'gtk3' ? alignRootPane(scaled) : scaled
}

/** Compares the size that a program reports for its window with that of the X window. Undefined when they are equal. */
function scaleOf(
  { extents }: AccessibleNode,
  toolkit: Toolkit,
  { bounds, inner, shadow }: WindowGeometry,
): Scale | undefined {
  if (!extents) return undefined
  const { left, right, top, bottom } = shadow
  const content = {
    x: inner.x + left,
    y: inner.y + top,
    width: inner.width - left - right,
    height: inner.height - top - bottom,
  }
  const drawn = [inner, bounds, content]
  if (drawn.some((rect) => near(rect.width, extents.width) && near(rect.height, extents.height))) return undefined
  const found = drawn.map((rect) => ({ rect, x: rect.width / extents.width, y: rect.height / extents.height }))
  for (const { rect, x, y } of found) {
    const by = commonScale(x, y, toolkit)
    if (by === undefined) continue
    // GTK 4 measures from the window, GTK 3 from the corner of the screen.
    if (toolkit === 'gtk4' || toolkit === 'gtk3') return { by, from: { x: 0, y: 0 }, to: { x: 0, y: 0 } }
    return { by, from: extents, to: rect }
  }
  return undefined
}

/** GTK supports whole scales only. The border that it draws makes the ratios uneven. */
function commonScale(x: number, y: number, toolkit: Toolkit): number | undefined {
  const isGtk = toolkit === 'gtk3' || toolkit === 'gtk4'
  const by = isGtk ? Math.round((x + y) / 2) : (x + y) / 2
  const tolerance = isGtk ? 0.15 : SCALE_TOLERANCE
  if (by <= 1 + SCALE_TOLERANCE || by > MAX_SCALE + SCALE_TOLERANCE) return undefined
  return Math.abs(x - by) <= tolerance * by && Math.abs(y - by) <= tolerance * by ? by : undefined
}

const near = (a: number, b: number): boolean => Math.abs(a - b) <= TOLERANCE_PX

function scaleRect(rect: Rect, { by, from, to }: Scale): Rect {
  const x = Math.round((rect.x - from.x) * by + to.x)
  const y = Math.round((rect.y - from.y) * by + to.y)
  return {
    x,
    y,
    width: Math.round((rect.x + rect.width - from.x) * by + to.x) - x,
    height: Math.round((rect.y + rect.height - from.y) * by + to.y) - y,
  }
}

/** Chromium scales its own controls, but counts in pixels within a page. */
function scaleTree(node: AccessibleNode, scale: Scale, toolkit: Toolkit, parent?: AccessibleNode): AccessibleNode {
  const isPage = toolkit === 'chromium' && node.role === ROLE.documentWeb && isLarger(node.extents, parent?.extents)
  const { by, from, to } = scale
  const inside = isPage ? { by: 1, from: { x: from.x * by, y: from.y * by }, to } : scale
  return {
    ...node,
    extents: node.extents && scaleRect(node.extents, inside),
    ...(node.actionNode ? { actionNode: scaleTree(node.actionNode, inside, toolkit) } : {}),
    children: node.children.map((child) => scaleTree(child, inside, toolkit, node)),
  }
}

/** A page fills what it is in, unless it counts in smaller pixels. */
const isLarger = (page: Rect | undefined, around: Rect | undefined): boolean =>
  page !== undefined && around !== undefined && page.width > around.width * (1 + SCALE_TOLERANCE)

/**
 * Until its window moves, LibreOffice reports its own widgets too high, by the height of the menu bar: its root pane does
 * not match the widget that it fills. Embedded GTK widgets report correct positions.
 */
function alignRootPane(node: AccessibleNode, parent?: AccessibleNode): AccessibleNode {
  if (node.role === ROLE.rootPane && parent?.extents && node.extents) {
    const { width, height, x, y } = node.extents
    const shift = { x: parent.extents.x - x, y: parent.extents.y - y }
    const fills = width === parent.extents.width && height === parent.extents.height
    if (fills && (shift.x !== 0 || shift.y !== 0)) return move(node, shift)
    return node
  }
  const children = node.children.map((child) => alignRootPane(child, node))
  return children.every((child, at) => child === node.children[at]) ? node : { ...node, children }
}

function move(node: AccessibleNode, shift: { readonly x: number; readonly y: number }): AccessibleNode {
  const extents = node.extents && translate(node.extents, shift.x, shift.y)
  const isGtk = ({ extents: own }: AccessibleNode) =>
    own !== undefined && extents !== undefined && sameRect(own, extents)
  return {
    ...node,
    extents,
    ...(node.actionNode ? { actionNode: move(node.actionNode, shift) } : {}),
    children: node.children.map((child) => (isGtk(child) ? child : move(child, shift))),
  }
}
