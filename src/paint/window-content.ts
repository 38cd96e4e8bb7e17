import { captionPlace, type NamePlacement, namePlacements, problemPlace } from '../desktop/caption.ts'
import type { Window } from '../desktop/model/desktop.ts'
import { type Element, valueText } from '../desktop/model/element.ts'
import { encloses, type Rect, sameRect } from '../desktop/model/geometry.ts'
import type { VirtualGrid } from '../desktop/model/grid.ts'
import { type RoleKind, roleKind, rolesWith } from '../desktop/model/role.ts'
import { isLeftToRight } from '../desktop/projection.ts'
import { isDialog } from '../desktop/tree/modal.ts'
import { popupBounds, visibilityOf } from '../desktop/tree/visibility.ts'
import { frozenRows, gridView, scrolledView } from '../desktop/widgets/grid-cells.ts'
import { rowsViewOf, stays } from '../desktop/widgets/scrolling.ts'
import { headerBarOf, isDialogWindow, sidebarOf, titleHeightOf } from '../desktop/windows/frame.ts'
import { type DrawOp, solid } from './frame/draw-op.ts'
import { label, labels } from './frame/label.ts'
import { type Layer, layer } from './frame/layer.ts'
import { pointedBelow, samePointed } from './pointed.ts'
import { WIDGETS } from './widgets/catalogue.ts'
import { hiddenBy } from './widgets/containers.ts'
import { scrollThumb } from './widgets/ranges.ts'
import { dropOps } from './widgets/rows.ts'
import { columnsOf, isSheet, rowColumns } from './widgets/sheet.ts'
import { fontFor, inkOf, inset, type PaintContext, softInkOf, withColon } from './widgets/widget.ts'

/** The content of a window. Its root is not painted, except that of a notification. Popups are added to `popups`. */
export function contentLayer(window: Window, setting: PaintContext, popups: Layer[]): Layer {
  const side = setting.theme.sidebar && sidebarOf(window)
  const inside: PaintContext = { ...setting, parent: roleKind(window.tree.role), sidebar: side?.id }
  const title = window.frame === 'inside' && !headerBarOf(window) ? titleHeightOf(window, setting.theme.metrics) : 0
  const area = { ...window.bounds, y: window.bounds.y + title, height: window.bounds.height - title }
  const over = overflowThumbs(window.tree, setting)
  if (window.notification) return elementLayer(window.tree, setting, popups)
  const ops = isDialogWindow(window) ? setting.chrome.dialogFooter(window.tree, inside) : []
  return layer({ ops, children: childLayers(window.tree, inside, popups, area), over, clip: window.bounds })
}

interface Painted {
  readonly setting: PaintContext
  readonly layer: Layer
  readonly popups: readonly Layer[]
}

const painted = new WeakMap<Element, Painted>()

/** The layer of an element and its content, cached as long as its context is equal. */
function elementLayer(element: Element, setting: PaintContext, popups: Layer[]): Layer {
  const known = painted.get(element)
  if (known && sameSetting(known.setting, setting)) {
    popups.push(...known.popups)
    return known.layer
  }
  const own: Layer[] = []
  const made = paintElement(element, setting, own)
  painted.set(element, { setting, layer: made, popups: own })
  popups.push(...own)
  return made
}

/** A disabled element shows no focus, although it keeps it when it is disabled while it has it. */
const withoutIdleFocus = (element: Element): Element =>
  element.focused && !element.enabled ? { ...element, focused: false } : element

function paintElement(element: Element, setting: PaintContext, popups: Layer[]): Layer {
  const kind = roleKind(element.role)
  const drawing = WIDGETS[kind](withoutIdleFocus(element), setting)
  const caption = captionOf(element, setting)
  const inside: PaintContext = {
    ...setting,
    parent: kind,
    tone: drawing.tone ?? setting.tone,
    columns:
      kind === 'table' ? columnsOf(element) : kind === 'row' && setting.sheet ? rowColumns(element) : setting.columns,
    sheet: kind === 'table' ? isSheet(element) : setting.sheet,
    flush: undefined,
    rowsFocused: HOLDS_ROWS.has(kind) ? holdsFocus(element) : setting.rowsFocused,
  }
  const plain = drawing.over ?? []
  const own = element.traits?.invalid ? [...plain, ...problemOps(element, setting)] : plain
  const scrolled = element.traits?.overflow ? [...own, ...overflowThumbs(element, setting)] : own
  const { grid } = element.traits ?? {}
  const lines = grid?.frozen ? frozenLines(element, grid, setting) : []
  // Lists mark drops themselves.
  const isMarked = element.traits?.accept !== undefined && WIDGETS[kind] !== WIDGETS.list
  const over = [...scrolled, ...lines, ...(isMarked ? dropOps(element, setting) : [])]
  const children = childLayers(element, inside, popups)
  const upright = isLeftToRight(element) ? element.bounds : undefined
  return layer({ ops: [...caption, ...drawing.ops], children, over, covers: drawing.covers, upright })
}

/** The lines after the rows and columns of a table that do not scroll. */
function frozenLines(table: Element, grid: VirtualGrid, { theme }: PaintContext): readonly DrawOp[] {
  const [view, pane] = [gridView(table, grid), scrolledView(table, grid)]
  const ops: DrawOp[] = []
  if (frozenRows(grid) > 0 && view.height > 0) ops.push(solid({ ...view, y: view.y - 1, height: 1 }, theme.border))
  const top = table.bounds.y
  if (pane.x > view.x && pane.width > 0)
    ops.push(solid({ x: pane.x - 1, y: top, width: 1, height: pane.y + pane.height - top }, theme.border))
  return ops
}

const HOLDS_ROWS = rolesWith('clipsRows')

/** Whether an element or one of its cells has the focus. */
const holdsFocus = (element: Element): boolean =>
  element.focused || element.children.some((row) => row.focused || row.children.some((cell) => cell.focused))

/** The layers of an element's children. Popups are added to `popups`. */
function childLayers(
  parent: Element,
  setting: PaintContext,
  popups: Layer[],
  area: Rect = parent.bounds,
): readonly Layer[] {
  const loose: Layer[] = []
  const clipped: Layer[] = []
  const raised: Layer[] = []
  const clip = clipOf(parent, setting.parent)
  const view = rowsViewOf(parent)
  const namer = namePlacements(parent, area)
  const current = currentIn(parent, setting)
  const card = cardOf(parent, setting)
  const above: Layer[] = []
  const settings: PaintContext[] = []
  const { columns } = setting
  const edge = setting.parent === 'window' ? parent.bounds.x : undefined
  let flush: PaintContext | undefined
  const plain = columns === undefined ? setting : { ...setting, columns: undefined }
  /** The header of a table gets all columns, its children their own, other elements none. */
  const columned = (child: Element, place: number): PaintContext => {
    if (columns === undefined) return setting
    if (setting.parent === 'header') return { ...setting, columns: columns[place] }
    const kind = roleKind(child.role)
    return kind === 'header' || kind === 'headeritem' ? setting : plain
  }
  parent.children.forEach((child, place) => {
    const fold = visibilityOf(parent, child)
    if (fold === 'folded' || child.traits?.hidden === true) return
    // A long list has thousands of rows, of which few are visible.
    const cut = view && isCut(parent, child, view) ? view : undefined
    if (fold === 'inline' && child.expanded !== true && !reaches(child.bounds, cut ?? clip)) return
    // Only elements that it can concern get the id of the current item.
    const currentId = child.id === current || child.children.length > 0 ? current : undefined
    const isFlush = child.bounds.x === edge
    if (isFlush) flush ??= { ...setting, flush: true }
    const around = isFlush ? flush! : columned(child, place)
    const shared = settingOf(
      settings,
      around,
      isOdd(parent, child, place),
      namer(child),
      currentId,
      isWide(parent, child),
    )
    const pointed = pointedBelow(setting.pointed, place)
    const at = pointed ? { ...shared, pointed } : shared
    if (fold === 'popup') raised.push(elementLayer(child, { ...at, tone: 'plain', card }, above))
    else if (fold === 'loose') loose.push(elementLayer(child, at, popups))
    else if (cut) clipped.push(layer({ children: [elementLayer(child, at, popups)], clip: cut }))
    else {
      const { scrim } = setting.theme
      if (scrim && isDialog(child)) clipped.push(layer({ ops: [solid(parent.bounds, scrim)] }))
      clipped.push(elementLayer(child, at, popups))
    }
  })
  if (raised.length > 0) popups.push(popupLayer(setting, parent, raised, card))
  popups.push(...above)
  return clipped.length > 0 ? [layer({ children: clipped, clip }), ...loose] : loose
}

/** The thumbs of overflowing elements. Elements that always scroll paint their own. */
const overflowThumbs = (element: Element, setting: PaintContext): readonly DrawOp[] =>
  element.traits?.overflow ? scrollThumb(element, setting) : []

/**
 * Whether a child extends beyond the viewport of its parent, with its focus ring or caption if the parent is not a
 * table.
 */
function isCut(parent: Element, child: Element, view: Rect): boolean {
  if (stays(parent, child)) return false
  if (parent.traits?.grid || parent.traits?.frozenWidth !== undefined) return !encloses(view, child.bounds)
  if (!parent.traits?.overflow) return child.bounds.y < view.y
  return !encloses(view, inset(child.bounds, -MAX_OVERHANG_PX))
}

/** Whether the index of a child is odd. In a virtual table, the index of its record on the page. */
function isOdd(parent: Element, child: Element, place: number): boolean {
  const { grid, scrolled } = parent.traits ?? {}
  if (!grid) return place % 2 === 1
  const isPinned = child.traits?.pinned === true
  const top = child.bounds.y - rowsViewOf(parent)!.y + (isPinned ? 0 : (scrolled?.y ?? 0))
  return Math.floor(top / grid.rowHeight) % 2 === 0
}

/** The context of a child. Most contexts are shared, so existing ones are searched first. */
function settingOf(
  made: PaintContext[],
  around: PaintContext,
  odd: boolean,
  naming: NamePlacement,
  current: string | undefined,
  isWide: boolean,
): PaintContext {
  for (const each of made)
    if (
      each.odd === odd &&
      each.naming === naming &&
      each.current === current &&
      each.columns === around.columns &&
      each.flush === around.flush &&
      each.isWide === isWide
    )
      return each
  const setting = { ...around, odd, naming, current, isWide, pointed: undefined }
  made.push(setting)
  return setting
}

/** Whether a list, tree or table reaches from side to side of its parent. */
const isWide = (parent: Element, { role, bounds }: Element): boolean =>
  HOLDS_ROWS.has(roleKind(role)) && bounds.x === parent.bounds.x && bounds.width === parent.bounds.width

/** The current item in an element that has the focus or is open. */
function currentIn(parent: Element, setting: PaintContext): string | undefined {
  const own = parent.traits?.current
  if (own === undefined) return setting.current
  return parent.focused || parent.expanded === true ? own : undefined
}

/** The card below the popups of an element. Undefined for menus, which have their own, and tooltips. */
const cardOf = (parent: Element, setting: PaintContext): Rect | undefined =>
  !parent.traits?.popup && setting.card && setting.parent === 'menu' ? setting.card : popupCard(parent)

/** The card that the open popups of an element bring. Undefined for menus and tooltips, which are cards themselves. */
export function popupCard(parent: Element): Rect | undefined {
  if (parent.traits?.popup) return parent.traits.popup
  const rises = (child: Element) => visibilityOf(parent, child) === 'popup' && !child.traits?.hidden
  if (!parent.children.some((child) => rises(child) && !BRINGS_CARD.has(roleKind(child.role)))) return undefined
  const bounds = popupBounds(parent)
  return bounds && inset(bounds, -CARD_PADDING)
}

const BRINGS_CARD = rolesWith('card')
const CARD_PADDING = 4

/** The popups of an element, on a card unless they are on one already. */
function popupLayer(setting: PaintContext, owner: Element, children: readonly Layer[], card: Rect | undefined): Layer {
  if (!card) return layer({ children })
  const rows = layer({ children, over: scrollThumb(owner, setting), clip: inset(card, 1) })
  if (card === setting.card) return rows
  const { theme } = setting
  return layer({ ops: setting.chrome.card(card, theme, 'menu'), children: [rows], covers: hiddenBy(card, theme) })
}

const RING = 3
/** How far the focus ring or caption of a control, or the title of a group, extends beyond it. */
const MAX_OVERHANG_PX = 20

/** Whether a part of a child may be visible in a rectangle. */
const reaches = ({ x, y, width, height }: Rect, clip: Rect): boolean =>
  x - MAX_OVERHANG_PX < clip.x + clip.width &&
  x + width + MAX_OVERHANG_PX > clip.x &&
  y - MAX_OVERHANG_PX < clip.y + clip.height &&
  y + height + MAX_OVERHANG_PX > clip.y

const SCROLLS = rolesWith('clipsRows')

/** Scrolled children are clipped inside the border of their parent. The focus ring of others may extend beyond it. */
function clipOf({ bounds }: Element, kind: RoleKind): Rect {
  if (kind === 'scrollarea') return inset(bounds, -RING, 0)
  return inset(bounds, SCROLLS.has(kind) ? 1 : -RING)
}

const sameCard = (a: Rect | undefined, b: Rect | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && sameRect(a, b))

const sameSetting = (a: PaintContext, b: PaintContext): boolean =>
  a.theme === b.theme &&
  a.parent === b.parent &&
  a.tone === b.tone &&
  a.odd === b.odd &&
  a.naming === b.naming &&
  a.current === b.current &&
  a.columns === b.columns &&
  a.flush === b.flush &&
  a.isWide === b.isWide &&
  a.sidebar === b.sidebar &&
  a.sheet === b.sheet &&
  a.rowsFocused === b.rowsFocused &&
  samePointed(a.pointed, b.pointed) &&
  sameCard(a.card, b.card)

/** The caption of a control, above or beside it, with the value of a slider. */
function captionOf(element: Element, setting: PaintContext): readonly DrawOp[] {
  const { naming } = setting
  if (naming === 'shown' || naming === 'inside') return []
  const place = captionPlace(element, naming)
  if (naming === 'form') return formLabel(element, setting, place)
  const name = {
    content: element.name,
    font: fontFor(setting.theme, 18, 'caption'),
    colour: softInkOf(element, setting),
  }
  if (roleKind(element.role) !== 'slider') return label(place, name.content, name)
  const number = { content: valueText(element) ?? '', font: name.font, colour: inkOf(element, setting) }
  if (naming === 'value') return label(place, number.content, number)
  return labels(place, name, number)
}

/** The name of a control in a form, and the number of a slider: after the name, or after a slider whose name ends with a colon. */
function formLabel(element: Element, setting: PaintContext, place: Rect): readonly DrawOp[] {
  const isEnd = element.traits?.formLabel?.isEnd === true
  const font = fontFor(setting.theme, place.height)
  const content = isEnd ? withColon(element.name) : element.name
  const name = { content, font, colour: inkOf(element, setting) }
  const number =
    roleKind(element.role) === 'slider'
      ? {
          content: valueText(element) ?? '',
          font: fontFor(setting.theme, 18, 'caption'),
          colour: softInkOf(element, setting),
        }
      : undefined
  if (!isEnd) return number ? labels(place, name, number) : label(place, content, name)
  return [
    ...label(place, content, { ...name, align: 'right' }),
    ...(number ? label(captionPlace(element, 'value'), number.content, number) : []),
  ]
}

/** The message below a field with invalid content. */
function problemOps(element: Element, { theme }: PaintContext): readonly DrawOp[] {
  const { invalid } = element.traits ?? {}
  return invalid
    ? label(problemPlace(element), invalid.message, { font: fontFor(theme, 18, 'caption'), colour: theme.danger })
    : []
}
