import { Direction } from 'yoga-layout'
import { captionsOf } from '../../desktop/caption.ts'
import { chartGeometry } from '../../desktop/model/chart.ts'
import { formCardsOf } from '../../desktop/model/control-metrics.ts'
import { changeWindow, type Desktop, type Window, windowByUid } from '../../desktop/model/desktop.ts'
import { type Element, type Path, walk } from '../../desktop/model/element.ts'
import { isEmptyRect, type Rect, sameRect, unite } from '../../desktop/model/geometry.ts'
import { linkBounds } from '../../desktop/model/rich-flow.ts'
import { type RoleKind, roleKind } from '../../desktop/model/role.ts'
import type { Metrics } from '../../desktop/style/metrics.ts'
import { styleMetrics } from '../../desktop/style/style.ts'
import { chainTo } from '../../desktop/tree/element-ref.ts'
import { isDialog } from '../../desktop/tree/modal.ts'
import { moved, placed, withPopupMoved } from '../../desktop/tree/tree-edits.ts'
import { isFloating, subtreePredicate, visibilityOf } from '../../desktop/tree/visibility.ts'
import { isBar, isEdgeBar, offsetOf, viewOf } from '../../desktop/widgets/scrolling.ts'
import { positionOfRow, realised } from '../../desktop/widgets/virtual-rows.ts'
import { headerBarOf, isDialogWindow, titleHeightOf } from '../../desktop/windows/frame.ts'
import { isFormIn, type LayoutNode, withFormLabel } from './form.ts'
import { withDividedBand, withFooters, withHeaderBar } from './header-footer.ts'
import { footOf, plainWidth, withMoreButtons, withOverflow } from './overflow.ts'
import { withScrollKept } from './scroll.ts'
import { layoutStyleOf, MAX_TOAST_PX, toastHeight, toastWidth, wrappedSize } from './style.ts'
import {
  collect,
  fixedBoundsIn,
  hangingNode,
  isUnsized,
  measureNode,
  partOf,
  type Setting,
  spansFixed,
} from './yoga-nodes.ts'

/**
 * Assigns bounds to every element without written bounds: whole pixels, the same on every machine. Elements with
 * written bounds keep them, and their content is laid out inside. Returns the same window if nothing moves.
 */
export function layOutWindow(window: Window, metrics: Metrics): Window {
  const laid = layOutContent(window, metrics)
  // What fits into a bar depends on its width, which depends on the window alone.
  const fitted = withMoreButtons(laid, metrics, widthInBar(metrics))
  const whole = fitted === laid ? laid : layOutContent({ ...window, tree: fitted }, metrics)
  const tree = withFloating(withDivision({ ...window, tree: whole }, metrics), metrics)
  const kept = withScrollKept(window.tree, tree)
  return kept === window.tree ? window : { ...window, tree: kept }
}

/** The tree of a window that is laid out, with its band divided above a sidebar. */
function withDivision(window: Window, metrics: Metrics): Element {
  const divide = (tree: Element) => withDividedBand({ ...window, tree }, metrics, widthInBar(metrics))
  const divided = divide(window.tree)
  // The tools move where the band is divided, and then cover the starts of other panes.
  return divided === window.tree ? divided : divide(layOutContent({ ...window, tree: divided }, metrics))
}

function layOutContent(window: Window, metrics: Metrics): Element {
  const marked = withFooters(withHeaderBar(window, metrics), metrics)
  const { tree } = marked
  const { frame, title } = window
  const top = frame === 'inside' && !headerBarOf(marked) ? titleHeightOf(marked, metrics) : 0
  return layOutInside(tree, { metrics, top, titled: frame !== 'none', title })
}

/** Measures an element of a tool bar or a row of tabs. */
const widthInBar = (metrics: Metrics) => (child: Element) => {
  const bar = roleKind(child.role) !== 'tab'
  if (child.children.length === 0 || !bar) return plainWidth(child, bar, metrics)
  const part = partOf(child, { metrics, bar })
  const width = measureNode(part)
  part.node.freeRecursive()
  return width
}

/** Whether an element that changed in place requires a new layout of its window; `parent` is its parent. */
export function needsLayout(before: Element, after: Element, parent: Element | undefined, metrics: Metrics): boolean {
  if (isRenamed(before, after)) {
    if (parent && hasOtherCaptions(parent, before, after)) return true
    // A container that names a field makes its caption needless.
    if (after.children.length > 0 && before.children === after.children && haveOtherCaptions(before, after)) return true
  }
  if (parent?.traits?.chart && before.valueNow !== after.valueNow) return true
  if (before.traits?.chart !== after.traits?.chart) return true
  if (!before.place) return before.children !== after.children
  if (before.children !== after.children || before.place !== after.place || before.expanded !== after.expanded)
    return true
  if (before.traits?.hidden !== after.traits?.hidden) return true
  if (isFloating(after)) return wordsOf(before) !== wordsOf(after)
  const inBar = parent !== undefined && isBar(roleKind(parent.role))
  const { words: textBefore = '', preferredWidth: widthBefore, ...was } = layoutStyleOf(before, inBar, metrics)
  const { words: textAfter = '', preferredWidth: widthAfter, ...is } = layoutStyleOf(after, inBar, metrics)
  if (JSON.stringify(was) !== JSON.stringify(is)) return true
  if (widthBefore !== widthAfter && !isNarrowItem(parent, before, [widthBefore, widthAfter], metrics)) return true
  if (textBefore === textAfter) return false
  const inColumn =
    parent !== undefined && !layoutStyleOf(parent, false, metrics).row && parent.layout?.arrange !== 'grid'
  const room = inColumn ? before.bounds.width : Number.POSITIVE_INFINITY
  const [old, now] = [wrappedSize(textBefore, room, metrics), wrappedSize(textAfter, room, metrics)]
  return old.height !== now.height || (!inColumn && old.width !== now.width)
}

/** Whether an item decides nothing of its list with either width, because another is wider. A change of that one is found there. */
function isNarrowItem(
  list: Element | undefined,
  item: Element,
  [before = 0, after = 0]: readonly (number | undefined)[],
  metrics: Metrics,
): boolean {
  if (
    !list ||
    roleKind(list.role) !== 'list' ||
    layoutStyleOf(list, false, metrics).row ||
    list.layout?.arrange === 'grid'
  )
    return false
  if (item.children.length > 0) return false
  return list.children.some((other) => {
    const { preferredWidth = 0, maxWidth } = layoutStyleOf(other, false, metrics)
    const isLeaf = other.children.length === 0 && other.place !== undefined && !other.traits?.hidden
    return isLeaf && maxWidth === undefined && preferredWidth > before && preferredWidth >= after
  })
}

/** Containers with a width that does not depend on their content, where they are stretched in a column. */
const COLUMNS: ReadonlySet<RoleKind> = new Set<RoleKind>(['window', 'scrollarea', 'list', 'document', 'pane', 'group'])
/** Elements in such a column whose content concerns nobody else while they keep their height. */
const BLOCKS: ReadonlySet<RoleKind> = new Set<RoleKind>(['pane', 'group', 'listitem'])

/**
 * Lays out one element with other content, in a column whose width does not depend on it. Undefined if the layout of the window
 * may be another: the element is higher or lower than it was, or it is elsewhere.
 */
export function layOutBlock(window: Window, path: Path, metrics: Metrics): Element | undefined {
  const [block, ...around] = chainTo(window.tree, path)
  const [parent] = around
  if (
    !block ||
    !parent ||
    isEmptyRect(block.bounds) ||
    !BLOCKS.has(roleKind(block.role)) ||
    !isBlock(block) ||
    !isPlain(block)
  )
    return undefined
  if (!around.every((element) => isColumn(element, element === window.tree, metrics))) return undefined
  const { width, height } = block.bounds
  const part = partOf(block, { metrics, bar: false })
  part.node.setWidth(width)
  part.node.calculateLayout(width, undefined, Direction.LTR)
  const needed = part.node.getComputedHeight()
  part.node.freeRecursive()
  if (needed !== height) return undefined
  return layOutInside(block, { metrics }, { owner: roleKind(parent.role), bounds: parent.bounds, inForm: false })
}

/** Whether an element is as high as its content, and as wide as its parent. */
const isBlock = ({ place }: Element): boolean =>
  place !== undefined &&
  place.at === undefined &&
  place.width === undefined &&
  place.height === undefined &&
  place.grow === undefined

/** Whether an element arranges its children in a column of a fixed width. */
function isColumn(element: Element, isRoot: boolean, metrics: Metrics): boolean {
  const { layout, place, role, traits } = element
  if (!COLUMNS.has(roleKind(role)) || traits?.chart || traits?.rich || traits?.hidden || place?.at) return false
  if (layout?.arrange !== undefined && layout.arrange !== 'column') return false
  if (layout?.align !== undefined) return false
  const style = layoutStyleOf(element, false, metrics)
  return (
    !style.row &&
    style.maxWidth === undefined &&
    (isRoot || (place !== undefined && place.width === undefined && style.stretch !== 'never'))
  )
}

/** Whether nothing in a tree is placed by its window. */
const isPlain = (element: Element): boolean => !holdsPlacedByWindow(element)

const holdsPlacedByWindow = subtreePredicate(
  'special',
  (element) => isFloating(element) || isDialog(element) || isBar(roleKind(element.role)),
)

const wordsOf = ({ name, value, description }: Element): string => JSON.stringify([name, value, description])

const isRenamed = (before: Element, after: Element): boolean =>
  before.name !== after.name || before.traits?.placeholder !== after.traits?.placeholder

/** Whether a child with other text changes which of its siblings, or itself, need a caption. */
function hasOtherCaptions(parent: Element, before: Element, after: Element): boolean {
  return haveOtherCaptions(parent, {
    ...parent,
    children: parent.children.map((child) => (child === before ? after : child)),
  })
}

/** Whether the children of an element need other captions after a change that keeps their number. */
function haveOtherCaptions(before: Element, after: Element): boolean {
  const [old, now] = [captionsOf(before), captionsOf(after)]
  return before.children.some((child, index) => old(child) !== now(after.children[index]!))
}

/** The parent of a laid out element. */
interface Around {
  readonly owner: RoleKind
  readonly bounds: Rect
  readonly inForm: boolean
}

/** Places all descendants of an element inside its bounds. */
function layOutInside(element: Element, setting: Omit<Setting, 'bar'>, around?: Around): Element {
  if (!holdsPlaced(element)) return withRowsBelow(withOverflow(element, setting.metrics, setting.top), setting.metrics)
  const { x, y, width, height } = element.bounds
  const part = partOf(element, { ...setting, bar: isBar(roleKind(element.role)) })
  part.node.setWidth(width)
  part.node.setHeight(height)
  part.node.calculateLayout(width, height, Direction.LTR)
  const bounds = new Map<Element, Rect>()
  collect(part, x, y, bounds)
  part.node.freeRecursive()
  keepBarsInView(element, part, bounds)
  return settle(element, element.bounds, bounds, setting, around)
}

const isPage = ({ owner }: Around): boolean => owner === 'tabs' || owner === 'tab'

const holdsPlace = subtreePredicate('special', ({ place }) => place !== undefined)

/** Whether any element of a tree is placed by its parent. */
const holdsPlaced = (element: Element): boolean => element.children.some(holdsPlace)

/**
 * Applies new bounds to a tree. Elements outside this layout have layouts of their own: fixed elements, popups and
 * pages.
 */
function settle(
  element: Element,
  own: Rect,
  bounds: ReadonlyMap<Element, Rect>,
  { metrics, top }: Pick<Setting, 'metrics' | 'top'>,
  around?: Around,
): Element {
  const [dx, dy] = [own.x - element.bounds.x, own.y - element.bounds.y]
  const here = sameRect(own, element.bounds) ? element : { ...withPopupMoved(element, dx, dy), bounds: own }
  const apart = element.children.filter((child) => child.place && !child.traits?.hidden && !bounds.has(child))
  const areas = areasOf(here, apart, bounds, metrics, around)
  const isForm = isFormIn(metrics, element, around?.inForm)
  const inside = { owner: roleKind(element.role), bounds: own, inForm: isForm }
  let changed = here !== element
  const children = element.children.map((child) => {
    const next = inPlace(child)
    changed ||= next !== child
    return next
  })
  return withRows(withOverflow(changed ? { ...here, children } : element, metrics, top), metrics)

  function inPlace(child: Element): Element {
    if (isFloating(child)) return child
    const laid = bounds.get(child)
    const fixed = laid && isUnsized(child) ? fixedBoundsIn(child) : undefined
    const found = laid && fixed ? unite(laid, fixed) : laid
    if (found)
      return settle(
        isForm ? withFormLabel(child, found, element, own, metrics) : child,
        found,
        bounds,
        { metrics },
        inside,
      )
    if (isOpenPopup(element, child)) return moved(child, dx, dy)
    return layOutInside(inArea(child, areas.get(child)), { metrics, page: isPage(inside) }, inside)
  }
}

/** Whether a child without written bounds is a popup, placed when it opened. */
const isOpenPopup = (owner: Element, child: Element): boolean =>
  child.place !== undefined && !isEmptyRect(child.bounds) && visibilityOf(owner, child) === 'popup'

const inArea = (element: Element, area: Rect | undefined): Element =>
  !area || sameRect(area, element.bounds) ? element : { ...element, bounds: area }

/** Bars at the bottom of a window stay there if the content above them is too high. */
function keepBarsInView(element: Element, { parts }: LayoutNode, bounds: Map<Element, Rect>): void {
  const last = parts.at(-1)
  const lowest = last?.element && bounds.get(last.element)
  const over = lowest ? lowest.y + lowest.height - (element.bounds.y + element.bounds.height) : 0
  if (over <= 0) return
  for (const part of parts.toReversed()) {
    if (!part.element || !isEdgeBar(element, part.element) || part === parts[0]) return
    lift(part)
  }

  function lift({ element: each, parts: inside }: LayoutNode): void {
    const place = each && bounds.get(each)
    if (place) bounds.set(each, { ...place, y: place.y - over })
    inside.forEach(lift)
  }
}

const holdsFloating = subtreePredicate('special', isFloating)
const BETWEEN_TOASTS = 8
const ROUND_TOAST = 16

/** Places floating toasts in the bottom right corner of their window, the latest lowest. */
function withFloating(root: Element, metrics: Metrics): Element {
  if (!holdsFloating(root)) return root
  const { x, y, width, height } = root.bounds
  const bars = root.children.filter((child) => isEdgeBar(root, child))
  let bottom = y + height - footOf(bars, root) - ROUND_TOAST
  return visit(root)

  function visit(element: Element): Element {
    if (!holdsFloating(element)) return element
    if (isFloating(element)) return stand(element)
    let changed = false
    const children = element.children
      .toReversed()
      .map((child) => {
        const next = child.traits?.hidden ? child : visit(child)
        changed ||= next !== child
        return next
      })
      .toReversed()
    return changed ? { ...element, children } : element
  }

  function stand(toast: Element): Element {
    const size = toastSize(toast, Math.max(0, width - 2 * ROUND_TOAST), metrics)
    const area = { x: x + width - ROUND_TOAST - size.width, y: bottom - size.height, ...size }
    bottom -= size.height + BETWEEN_TOASTS
    return layOutInside(inArea(toast, area), { metrics })
  }
}

/** A toast is as wide as its text up to a limit, and as high as its lines and other content. */
export function toastSize(
  toast: Element,
  most: number,
  metrics: Metrics,
): { readonly width: number; readonly height: number } {
  const part = partOf(toast, { metrics, bar: false })
  const { width: own, minWidth = 0, minHeight = 0 } = layoutStyleOf(toast, false, metrics)
  const wide = own ?? Math.max(minWidth, Math.min(toastWidth(toast, metrics), MAX_TOAST_PX))
  part.node.setMinWidth(0)
  part.node.setWidth(Math.min(wide, most))
  part.node.calculateLayout(Math.min(wide, most), undefined, Direction.LTR)
  const inside = Math.ceil(part.node.getComputedHeight())
  part.node.freeRecursive()
  const width = Math.min(wide, most)
  return { width, height: toast.place?.height ?? Math.max(minHeight, inside, toastHeight(toast, width, metrics)) }
}

/** The bounds of children that are placed, but not by their parent's layout. */
function areasOf(
  owner: Element,
  apart: readonly Element[],
  bounds: ReadonlyMap<Element, Rect>,
  metrics: Metrics,
  around: Around | undefined,
): ReadonlyMap<Element, Rect> {
  if (apart.length === 0) return NO_AREAS
  const { x, y, height } = owner.bounds
  const all = (area: Rect) => new Map(apart.map((child) => [child, child.traits?.inMore ? NOWHERE : area]))
  const { rich, chart } = owner.traits ?? {}
  if (chart) {
    const { points } = chartGeometry(owner)
    return new Map(apart.map((child) => [child, points[owner.children.indexOf(child)]?.bounds ?? NOWHERE]))
  }
  if (rich)
    return new Map(apart.map((child) => [child, linkBounds(rich, child.id, owner.bounds, metrics.text) ?? NOWHERE]))
  switch (roleKind(owner.role)) {
    case 'tabs': {
      const strip = owner.children.flatMap((child) => bounds.get(child) ?? [])
      return all(below(owner.bounds, Math.max(y, ...strip.map((tab) => tab.y + tab.height))))
    }
    case 'tab':
      return all(below(around?.bounds ?? owner.bounds, y + height))
    case 'treeitem':
    case 'expander':
      return folded(owner, apart, metrics)
    default:
      return new Map(
        apart.map((child) => [
          child,
          child.traits?.inMore
            ? NOWHERE
            : isDialog(child)
              ? inMiddle(owner, child, metrics)
              : (areaAround(owner, child, bounds) ?? { x, y: y + height, ...sizeOf(child, metrics) }),
        ]),
      )
  }
}

/**
 * The bounds of an element without any around children that have some: those of its parent, and of these children.
 * Beside elements that are laid out only the latter, so that it covers none of them.
 */
function areaAround(owner: Element, child: Element, bounds: ReadonlyMap<Element, Rect>): Rect | undefined {
  const fixed = spansFixed(child) ? fixedBoundsIn(child) : undefined
  if (!fixed) return undefined
  const isAlone = !owner.children.some((each) => each !== child && bounds.has(each))
  return isAlone ? unite(owner.bounds, fixed) : fixed
}

const NOWHERE: Rect = { x: 0, y: 0, width: 0, height: 0 }
const NO_AREAS: ReadonlyMap<Element, Rect> = new Map()

const below = ({ x, y, width, height }: Rect, top: number): Rect => ({
  x,
  y: top,
  width,
  height: Math.max(0, y + height - top),
})

/** The margin of a window beside its widest dialog. */
const ROUND_DIALOG = 20

/** Centres a dialog in its parent, as large as its content requires but no wider than the parent. */
function inMiddle({ bounds }: Element, dialog: Element, metrics: Metrics): Rect {
  const part = partOf(dialog, { metrics, bar: false })
  if (dialog.place?.width === undefined) part.node.setMaxWidth(Math.max(0, bounds.width - 2 * ROUND_DIALOG))
  const width = measureNode(part)
  const height = Math.min(
    Math.ceil(part.node.getComputedHeight()),
    dialog.place?.height ?? Math.max(0, bounds.height - 2 * ROUND_DIALOG),
  )
  part.node.freeRecursive()
  const middle = (from: number, room: number, size: number) => from + Math.floor((room - size) / 2)
  return { x: middle(bounds.x, bounds.width, width), y: middle(bounds.y, bounds.height, height), width, height }
}

/** The bounds that the children of a closed branch have once it opens. */
function folded(owner: Element, children: readonly Element[], metrics: Metrics): ReadonlyMap<Element, Rect> {
  const { x, y, width, height } = owner.bounds
  const part = hangingNode(owner, children, metrics)
  part.node.calculateLayout(Math.max(0, width - metrics.treeIndent), undefined, Direction.LTR)
  const bounds = new Map<Element, Rect>()
  collect(part, x + metrics.treeIndent, y + height, bounds)
  part.node.freeRecursive()
  return bounds
}

/** Popups are placed when they open; only a tooltip has a size before. */
function sizeOf(child: Element, metrics: Metrics): { readonly width: number; readonly height: number } {
  const { width = 0, height = 0 } = roleKind(child.role) === 'tooltip' ? layoutStyleOf(child, false, metrics) : {}
  return { width, height }
}

const isVirtual = ({ traits }: Element): boolean => traits?.rows !== undefined || traits?.grid !== undefined
const holdsVirtual = subtreePredicate('special', isVirtual)

/** Creates the rows in view of a virtual list or table. Those that a scenario makes get their places. */
function withRows(element: Element, metrics: Metrics): Element {
  if (!isVirtual(element)) return element
  if (!element.traits?.rows?.items) return realised(element, viewOf(element))
  const children = element.children.map((child) => {
    const position = positionOfRow(element, child) ?? -1
    return position < 0 ? child : layOutItem(child, element, position, metrics)
  })
  return children.every((child, at) => child === element.children[at]) ? element : { ...element, children }
}

/** Where an item of a virtual list is. */
export function boundsOfItem(list: Element, position: number, metrics: Metrics): Rect {
  const { x, y, width } = viewOf(list)
  const { gap, padding } = layoutStyleOf(list, false, metrics)
  const { height } = list.traits!.rows!
  return {
    x: x + padding,
    y: y + position * height - offsetOf(list).y + gap,
    width: Math.max(0, width - 2 * padding),
    height: Math.max(0, height - gap),
  }
}

/** An item of a virtual list in the place of its index. The space between items is above each. */
export function layOutItem(item: Element, list: Element, position: number, metrics: Metrics, isNew = false): Element {
  const bounds = boundsOfItem(list, position, metrics)
  if (!isNew && item.bounds.width === bounds.width && item.bounds.height === bounds.height)
    return moved(item, bounds.x - item.bounds.x, bounds.y - item.bounds.y)
  return layOutInside(
    inArea(item, bounds),
    { metrics },
    { owner: roleKind(list.role), bounds: list.bounds, inForm: false },
  )
}

/** Creates the rows in view of all virtual lists and tables of a tree without placed elements. */
function withRowsBelow(element: Element, metrics: Metrics): Element {
  if (!holdsVirtual(element)) return element
  const children = element.children.map((child) => withRowsBelow(child, metrics))
  const isSame = children.every((child, at) => child === element.children[at])
  return withRows(isSame ? element : { ...element, children }, metrics)
}

/** While a form scrolls, its rows do not get higher with it. The last times make up for what is rounded. */
const MAX_TIMES = 5

/**
 * A dialog that is laid out, made higher for the rows of its form as far as an area reaches, where the style does so. A form
 * that does not grow with its window is left as it is.
 */
export function withRoomForForm(window: Window, area: Rect, metrics: Metrics): Window {
  if (!metrics.form?.growsDialog || window.state !== 'normal' || !isDialogWindow(window)) return window
  const before = missingIn(window, metrics)
  let grown = window
  let missing = before
  for (let time = 0; time < MAX_TIMES && missing > 0; time++) {
    const { bounds, tree } = grown
    const by = Math.min(missing, area.y + area.height - (bounds.y + bounds.height))
    if (by <= 0) break
    const higher = { ...bounds, height: bounds.height + by }
    grown = layOutWindow({ ...grown, bounds: higher, tree: placed(tree, higher) }, metrics)
    missing = missingIn(grown, metrics)
  }
  return missing < before ? grown : window
}

/** How much lower the form of a window is than its rows would be, in pixels. With several, that of which most is missing. */
const missingIn = ({ tree }: Window, metrics: Metrics): number =>
  Math.max(0, ...[...walk(tree)].filter((each) => isFormIn(metrics, each)).map((form) => shortOf(form, metrics)))

function shortOf(form: Element, metrics: Metrics): number {
  const { row, minRow, choice, minChoice } = metrics.form!
  return formCardsOf(form, metrics).reduce((sum, { bounds, lines, holdsChoices }) => {
    const [wanted, least] = holdsChoices ? [choice, minChoice] : [row, minRow]
    const rows = lines.length + 1
    // In a form that scrolls, rows may be lower than the least.
    return sum + Math.max(0, Math.min(rows * wanted - bounds.height, rows * (wanted - least)))
  }, 0)
}

/** Lays out windows again that changed their size or opened an expander, as far as a layout placed their content. */
export function laidOutAgain(before: Desktop, after: Desktop): Desktop {
  if (after.windows === before.windows) return after
  const metrics = styleMetrics(after.style, after.language)
  let desktop = after
  for (const window of after.windows) {
    const was = windowByUid(before, window.uid)
    if (was && was !== window && needsNewLayout(was, window))
      desktop = changeWindow(desktop, window.uid, (each) => layOutWindow(each, metrics))
  }
  return desktop
}

const needsNewLayout = (was: Window, now: Window): boolean =>
  was.bounds.width !== now.bounds.width ||
  was.bounds.height !== now.bounds.height ||
  (was.title !== now.title && headerBarOf(now) !== undefined) ||
  (holdsExpander(now.tree) && hasUnfolded(was.tree, now.tree))

const holdsExpander = subtreePredicate(
  'special',
  (node) => node.children.length > 0 && roleKind(node.role) === 'expander',
)

function hasUnfolded(was: Element, now: Element): boolean {
  if (was === now) return false
  if (was.expanded !== now.expanded && roleKind(now.role) === 'expander') return true
  const shared = Math.min(was.children.length, now.children.length)
  for (let at = 0; at < shared; at++) if (hasUnfolded(was.children[at]!, now.children[at]!)) return true
  return false
}
