import Yoga, {
  Align,
  Direction,
  Edge,
  FlexDirection,
  Gutter,
  Justify,
  MeasureMode,
  type Node,
  PositionType,
} from 'yoga-layout'
import {
  CAPTION_GAP,
  CAPTION_HEIGHT,
  type Caption,
  captionsOf,
  captionWidth,
  PROBLEM_HEIGHT,
} from '../../desktop/caption.ts'
import { isInTab, TAB_BUTTON } from '../../desktop/model/control-metrics.ts'
import { type Element, memoize } from '../../desktop/model/element.ts'
import { isEmptyRect, type Rect, unite } from '../../desktop/model/geometry.ts'
import { richTextSize } from '../../desktop/model/rich-flow.ts'
import { roleKind, rolesWith } from '../../desktop/model/role.ts'
import type { DropScale } from '../../desktop/model/traits.ts'
import type { DialogMetrics, Metrics } from '../../desktop/style/metrics.ts'
import { isDialog } from '../../desktop/tree/modal.ts'
import { visibilityOf } from '../../desktop/tree/visibility.ts'
import { isBar, stays } from '../../desktop/widgets/scrolling.ts'
import { formNode, type LayoutNode } from './form.ts'
import { fillsBand, fitInBand, titleNode } from './header-footer.ts'
import { hasPages } from './overflow.ts'
import { type LayoutStyle, layoutStyleOf, wrappedSize } from './style.ts'

/**
 * The engine's rounding errors add up from node to node, so it is disabled. `collect` rounds the edges on the screen.
 */
const EXACT = Yoga.Config.create()
EXACT.setPointScaleFactor(0)

/** The context of an element: in a bar, as the page of a tab, as the content of a window with a title bar. */
export interface Setting {
  readonly metrics: Metrics
  readonly bar: boolean
  readonly page?: boolean
  readonly titled?: boolean
  /** The height at its top that is not available. */
  readonly top?: number
  /** The title of its window. */
  readonly title?: string
}

/** The space after a field in a box with an arrow. */
const ARROW = 28

export function partOf(
  element: Element,
  { metrics, bar, page = false, titled = false, top = 0, title }: Setting,
): LayoutNode {
  const kind = roleKind(element.role)
  const own = layoutStyleOf(element, bar, metrics)
  const style = page && element.layout?.padding === undefined ? { ...own, padding: metrics.space.page } : own
  const all = element.children.filter((child) => flows(element, child))
  const flowing = all.filter(({ place }) => !place?.at)
  const free = all.filter(({ place }) => place?.at)
  const inside = { metrics, bar: isBar(kind) || (bar && kind !== 'pane'), ...(title !== undefined && { title }) }
  if (kind === 'tabs') return tabsPart(element, style, all, metrics)
  if (kind === 'treeitem' || kind === 'expander') return branchPart(element, style, all, metrics)
  const placed = free.map((child) => placedPart(child, element, partOf(child, inside)))
  if (flowing.length === 0)
    return free.length > 0 ? hold(nodeOf(style), placed, element) : leafPart(element, style, metrics)
  if (element.layout?.arrange === 'form' && metrics.form && free.length === 0)
    return formNode(element, flowing, {
      form: metrics.form,
      text: metrics.text,
      config: EXACT,
      top: page ? metrics.form.top : style.padding,
      partOf: (child) => partOf(child, inside),
      childrenOf: (child) => child.children.filter((each) => flows(child, each)),
    })
  const parts =
    element.layout?.arrange === 'grid'
      ? gridRows(element, style, flowing, metrics)
      : flowing.map((child) => partOf(child, inside))
  const node = nodeOf(style)
  const above = tabTopIn(element, flowing, metrics) ?? style.padding
  const more = (titled ? 0 : style.top) + top
  if (more > 0 || above !== style.padding) node.setPadding(Edge.Top, above + more)
  if (kind === 'combo' || kind === 'date') node.setPadding(Edge.Right, ARROW)
  node.setAlignItems(style.row ? Align.Center : Align.FlexStart)
  if (element.layout?.align) node.setJustifyContent(JUSTIFY[element.layout.align])
  flowing.forEach((child, index) => {
    const part = element.layout?.arrange === 'grid' ? undefined : parts[index]
    if (part) stretchIn(part.node, layoutStyleOf(child, inside.bar, metrics), style.row)
  })
  // A web page scrolls as a whole: its content fills the rest of the view, and is never lower than it needs.
  if (element.traits?.look === 'page') for (const { node: child } of parts) child.setFlexShrink(0)
  if (kind === 'window' || kind === 'dialog') reachSides(flowing, parts, style)
  if (kind === 'statusbar' && roleKind(flowing.at(-1)!.role) === 'progress')
    parts.at(-1)?.node.setMargin(Edge.Right, metrics.bar.statusEnd)
  if (!bar && element.layout?.arrange !== 'grid') leaveRoomForCaptions(element, flowing, parts, style.row, metrics)
  if (element.traits?.footer && metrics.dialog) arrangeFooter(node, parts, element, metrics.dialog)
  return hold(node, [...withTitle(element, { node, flowing, parts }, title ?? '', metrics), ...placed], element)
}

/** A part in the place that its values have in its parent. It takes no room of the others. */
function placedPart({ place }: Element, { traits }: Element, part: LayoutNode): LayoutNode {
  const { x, y, width, height } = place?.at ?? {}
  const { node } = part
  node.setPositionType(PositionType.Absolute)
  node.setMaxWidth(undefined)
  if (x === undefined || width !== undefined) node.setMinWidth(0)
  if (y === undefined || height !== undefined) node.setMinHeight(0)
  const across = partOfScale(traits?.accept?.x, x, width)
  const down = partOfScale(traits?.accept?.y, y, height)
  if (across.from === undefined) node.setPosition(Edge.Left, x ?? 0)
  else node.setPositionPercent(Edge.Left, across.from)
  if (across.size !== undefined) node.setWidthPercent(across.size)
  else if (width !== undefined) node.setWidth(width)
  if (down.from === undefined) node.setPosition(Edge.Top, y ?? 0)
  else node.setPositionPercent(Edge.Top, down.from)
  if (down.size !== undefined) node.setHeightPercent(down.size)
  else if (height !== undefined) node.setHeight(height)
  return part
}

/** The part of a scale between two values, in per cent, without what is beyond its ends. */
function partOfScale(
  scale: DropScale | undefined,
  start: number | undefined,
  size: number | undefined,
): { readonly from?: number; readonly size?: number } {
  if (start === undefined && size === undefined) return { from: 0, size: 100 }
  if (!scale) return {}
  const { from, to } = scale
  const percent = (value: number) => ((Math.max(from, Math.min(to, value)) - from) / (to - from)) * 100
  const begin = start ?? from
  const first = percent(begin)
  return { from: first, ...(size !== undefined && { size: percent(begin + size) - first }) }
}

/** The space above the tabs that a dialog with a row of buttons begins with, if the style has one of its own. */
function tabTopIn({ role, children }: Element, flowing: readonly Element[], metrics: Metrics): number | undefined {
  const { dialog } = metrics
  const hasFooter = roleKind(role) === 'window' && children.some(({ traits }) => traits?.footer)
  if (!hasFooter || !flowing[0] || roleKind(flowing[0].role) !== 'tabs') return undefined
  return areInBand(flowing[0], metrics) ? 0 : dialog?.tabTop
}

/** Buttons at the end of a dialog fill their row in equal widths, or are in reverse order. */
function arrangeFooter(node: Node, parts: readonly LayoutNode[], { layout }: Element, dialog: DialogMetrics): void {
  if (dialog.isReversed) {
    node.setFlexDirection(FlexDirection.RowReverse)
    node.setJustifyContent(REVERSED[layout?.align ?? 'start'])
  }
  if (!dialog.fills) return
  for (const part of parts) {
    part.node.setFlexGrow(1)
    part.node.setFlexBasis(0)
  }
}

/** The parts of a band with the title of its window, and the room of the title among them. */
function withTitle(
  bar: Element,
  {
    node,
    flowing,
    parts,
  }: { readonly node: Node; readonly flowing: readonly Element[]; readonly parts: readonly LayoutNode[] },
  title: string,
  metrics: Metrics,
): readonly LayoutNode[] {
  const { header } = metrics.title
  const { titleAt } = bar.traits ?? {}
  if (titleAt === undefined || !header) return parts
  fitInBand(
    node,
    bar,
    flowing,
    parts.map((part) => part.node),
    metrics,
  )
  if (flowing.some(fillsBand)) return parts
  const at = flowing.filter((child) => bar.children.indexOf(child) < titleAt).length
  return parts.toSpliced(at, 0, { node: titleNode(title, header, metrics.text, EXACT), parts: [] })
}

/**
 * Reserves space above or beside each part for its caption. In a row, parts without captions are lowered, so that all
 * are aligned. Below a field with rules there is space for a message.
 */
function leaveRoomForCaptions(
  parent: Element,
  children: readonly Element[],
  parts: readonly LayoutNode[],
  row: boolean,
  metrics: Metrics,
): void {
  const captionOf = captionsOf(parent)
  const captions = children.map(captionOf)
  const goDown = row && captions.includes('above')
  const goUp = row && children.some(showsProblems)
  children.forEach((child, index) => {
    const [caption, node] = [captions[index], parts[index]?.node]
    if (!node) return
    const beside = BESIDE[caption ?? 'above']
    if (caption && beside !== undefined) node.setMargin(beside, captionWidth(child, caption) + CAPTION_GAP)
    else if (caption || (goDown && !HOLDS_MORE.has(roleKind(child.role)))) node.setMargin(Edge.Top, CAPTION_HEIGHT)
    if (showsProblems(child) || (goUp && !HOLDS_MORE.has(roleKind(child.role))))
      node.setMargin(Edge.Bottom, PROBLEM_HEIGHT)
    if (caption === 'above' && child.place?.width === undefined) widen(node, child, metrics)
  })
}

/** Whether a field has space for a message below it. */
const showsProblems = ({ traits }: Element): boolean => traits?.validation !== undefined

const BESIDE: Readonly<Partial<Record<Caption, Edge>>> = { left: Edge.Left, value: Edge.Right }

const HOLDS_MORE = rolesWith('holdsCaptions')

const MAX_CAPTION_PX = 240

/** A control is as wide as its caption. */
function widen(node: Node, element: Element, metrics: Metrics): void {
  const { width, minWidth = 0 } = layoutStyleOf(element, false, metrics)
  const caption = Math.min(MAX_CAPTION_PX, captionWidth(element, 'above'))
  if (width !== undefined && width < caption) node.setWidth(caption)
  else if (width === undefined && minWidth < caption) node.setMinWidth(caption)
}

const JUSTIFY = {
  start: Justify.FlexStart,
  center: Justify.Center,
  end: Justify.FlexEnd,
} as const

/** In a row whose first part is at its end. */
const REVERSED = {
  start: Justify.FlexEnd,
  center: Justify.Center,
  end: Justify.FlexStart,
} as const

/** Whether a child is placed by its parent's layout, not as a popup or page. */
function flows(parent: Element, child: Element): boolean {
  if (!child.place || child.traits?.hidden || child.traits?.inText || parent.traits?.chart || isDialog(child))
    return false
  const fold = visibilityOf(parent, child)
  if (fold === 'popup') return false
  const owner = roleKind(parent.role)
  if (owner === 'treeitem' || owner === 'expander') return fold === 'loose'
  if (owner === 'tab') return isInTab(child)
  return fold !== 'folded' && !spansFixed(child)
}

/** The bounds of what has written bounds inside of an element, also in elements without any. Undefined if nothing has. */
export const fixedBoundsIn = (element: Element): Rect | undefined => fixedIn(element).bounds

const fixedIn: (element: Element) => { readonly bounds: Rect | undefined } = memoize((element) => {
  const { rows, grid, chart, folder } = element.traits ?? {}
  // Their rows are made where the layout puts them.
  if (rows || grid || chart || folder) return { bounds: undefined }
  const bounds = element.children
    .filter((child) => !child.traits?.hidden && !child.traits?.inText && !isDialog(child))
    .filter((child) => ['inline', 'loose'].includes(visibilityOf(element, child)))
    .map((child) => (child.place ? fixedBoundsIn(child) : child.bounds))
    .filter((each) => each !== undefined && !isEmptyRect(each))
    .reduce<Rect | undefined>((all, each) => (all && each ? unite(all, each) : each), undefined)
  return { bounds }
})

/** Whether an element without a size only holds what has written bounds. It is around that, and takes no place of its own. */
export const spansFixed: (element: Element) => boolean = memoize(
  (element) =>
    isUnsized(element) &&
    fixedBoundsIn(element) !== undefined &&
    !element.children.some((child) => flows(element, child)),
)

/** Whether the layout alone decides the size of an element. */
export const isUnsized = ({ place }: Element): boolean =>
  place !== undefined && place.width === undefined && place.height === undefined

function hold(node: Node, parts: readonly LayoutNode[], element?: Element): LayoutNode {
  parts.forEach((part, index) => {
    node.insertChild(part.node, index)
  })
  return element ? { node, parts, element } : { node, parts }
}

function leafPart(element: Element, style: LayoutStyle, metrics: Metrics): LayoutNode {
  const node = nodeOf(style)
  const { words, rich, preferredWidth } = style
  if (words !== undefined)
    node.setMeasureFunc((width, mode) => {
      const room = mode === MeasureMode.Undefined ? Number.POSITIVE_INFINITY : width
      const size = rich ? richTextSize(rich, room, metrics.text) : wrappedSize(words, room, metrics)
      return { width: Math.ceil(size.width), height: Math.max(metrics.text.line, size.height) }
    })
  else if (preferredWidth !== undefined)
    node.setMeasureFunc((width, mode) => ({
      width: mode === MeasureMode.Undefined ? preferredWidth : Math.min(preferredWidth, width),
      height: 0,
    }))
  return { node, parts: [], element }
}

/** A strip of tabs above the page, which fills the rest. Pages have layouts of their own. */
function tabsPart(element: Element, style: LayoutStyle, flowing: readonly Element[], metrics: Metrics): LayoutNode {
  const tabs = flowing.filter((child) => roleKind(child.role) === 'tab' || child.traits?.opensMore)
  const inBand = areInBand(element, metrics) ? metrics.dialog?.iconTabs : undefined
  const strip = hold(
    nodeOf({ ...style, row: true, minHeight: 0, grow: 0, gap: inBand?.gap ?? 4, stretch: 'always' }),
    tabs.map((tab) => tabPart(tab, metrics)),
  )
  if (inBand) strip.node.setJustifyContent(Justify.Center)
  else if (metrics.bar.maxTab !== undefined) shareWidth(strip, metrics.bar.maxTab)
  strip.node.setAlignSelf(Align.Stretch)
  const part = hold(nodeOf({ ...style, row: false, padding: 0 }), [strip], element)
  const { tabMargin, tab } = metrics.bar
  if (tabMargin > 0 && !inBand && !hasPages(element)) {
    part.node.setPadding(Edge.All, tabMargin)
    part.node.setMinHeight(tab + 2 * tabMargin)
  }
  return part
}

/** A tab, with the buttons in it at its end. */
function tabPart(tab: Element, metrics: Metrics): LayoutNode {
  const style = layoutStyleOf(tab, false, metrics)
  const buttons = tab.children.filter((child) => flows(tab, child))
  if (buttons.length === 0) return leafPart(tab, style, metrics)
  const node = nodeOf({ ...style, row: true })
  node.setJustifyContent(Justify.FlexEnd)
  node.setAlignItems(Align.Center)
  const { size, end } = TAB_BUTTON
  node.setPadding(Edge.Right, end)
  const square = (button: Element) => ({
    ...layoutStyleOf(button, true, metrics),
    minWidth: 0,
    width: size,
    height: size,
  })
  return hold(
    node,
    buttons.map((button) => leafPart(button, square(button), metrics)),
    tab,
  )
}

/** Whether tabs are in the band of the title, with icons. */
const areInBand = ({ children }: Element, { dialog }: Metrics): boolean =>
  dialog?.iconTabs !== undefined && children.some(({ traits }) => traits?.raised)

/** Tabs share the width of their strip, each up to a limit, in its middle. */
function shareWidth({ node, parts }: LayoutNode, most: number): void {
  node.setJustifyContent(Justify.Center)
  for (const tab of parts) {
    const own = tab.node.getWidth().value
    tab.node.setWidthAuto()
    tab.node.setMinWidth(own)
    tab.node.setMaxWidth(Math.max(own, most))
    tab.node.setFlexGrow(1)
    tab.node.setFlexBasis(own)
  }
}

/** A row and, while it is expanded, the rows below it. */
function branchPart(element: Element, style: LayoutStyle, flowing: readonly Element[], metrics: Metrics): LayoutNode {
  const head = nodeOf(style)
  head.setAlignSelf(Align.Stretch)
  const hanging = hangingNode(element, flowing, metrics)
  hanging.node.setPadding(Edge.Left, metrics.treeIndent)
  hanging.node.setAlignSelf(Align.Stretch)
  const { height: _, ...open } = style
  return hold(nodeOf({ ...open, gap: 0, padding: 0 }), [{ node: head, parts: [], element }, hanging])
}

export function hangingNode(owner: Element, children: readonly Element[], metrics: Metrics): LayoutNode {
  const parts = children.map((child) => {
    const part = partOf(child, { metrics, bar: false })
    stretchIn(part.node, layoutStyleOf(child, false, metrics), false)
    return part
  })
  leaveRoomForCaptions(owner, children, parts, false, metrics)
  const node = Yoga.Node.create(EXACT)
  if (roleKind(owner.role) === 'expander') node.setGap(Gutter.All, 8)
  return hold(node, parts)
}

/** The minimum width of a grid column, and whether it grows. */
interface Column {
  readonly width: number
  readonly grows: boolean
}

/** A cell with a card: as wide as the others of its row, and the card as high as it. */
function fillCell(cell: Node, card: Node | undefined): void {
  cell.setFlexBasis(0)
  cell.setFlexGrow(1)
  card?.setFlexGrow(1)
}

/** Rows of as many cells as the grid has columns; each column is as wide as its widest cell, or all are equal if all are cards. */
function gridRows(
  element: Element,
  { gap }: LayoutStyle,
  flowing: readonly Element[],
  metrics: Metrics,
): readonly LayoutNode[] {
  const count = element.layout?.columns ?? 2
  const cells = flowing.map((child) => ({
    part: partOf(child, { metrics, bar: false }),
    style: layoutStyleOf(child, false, metrics),
  }))
  for (let first = 0; first < cells.length; first += count) {
    const parts = cells.slice(first, first + count).map(({ part }) => part)
    leaveRoomForCaptions(element, flowing.slice(first, first + count), parts, true, metrics)
  }
  const areCards = flowing.every(({ traits }) => traits?.look === 'card')
  const columns = Array.from({ length: count }, (_, column): Column => {
    const own = cells.filter((_, index) => index % count === column)
    const grows = own.some(({ style }) => style.grow > 0 || (style.stretch !== 'never' && style.words === undefined))
    if (areCards) return { width: 0, grows }
    const measured = own.filter(({ style }) => !grows || style.words === undefined).map(({ part }) => measureNode(part))
    return { width: Math.max(0, ...measured), grows }
  })
  const rows: LayoutNode[] = []
  for (let first = 0; first < cells.length; first += count) {
    const inRow = cells.slice(first, first + count)
    const row = columns.map((column, index) => cellPart(column, inRow[index]))
    const node = Yoga.Node.create(EXACT)
    node.setFlexDirection(FlexDirection.Row)
    node.setGap(Gutter.All, gap)
    node.setAlignItems(areCards ? Align.Stretch : Align.Center)
    if (areCards)
      for (const {
        node: cell,
        parts: [card],
      } of row)
        fillCell(cell, card?.node)
    node.setAlignSelf(Align.Stretch)
    node.setFlexGrow(Math.max(...inRow.map(({ style }) => style.grow)))
    rows.push(hold(node, row))
  }
  return rows
}

/** The last row may have fewer cells than columns. */
function cellPart(
  { width, grows }: Column,
  cell: { readonly part: LayoutNode; readonly style: LayoutStyle } | undefined,
): LayoutNode {
  const node = Yoga.Node.create(EXACT)
  node.setJustifyContent(Justify.Center)
  node.setAlignItems(Align.FlexStart)
  node.setWidth(width)
  if (grows) node.setFlexGrow(1)
  if (!cell) return { node, parts: [] }
  stretchIn(cell.part.node, cell.style, false)
  if (cell.style.grow > 0) node.setAlignSelf(Align.Stretch)
  return hold(node, [cell.part])
}

export function measureNode({ node }: LayoutNode): number {
  node.calculateLayout(undefined, undefined, Direction.LTR)
  return Math.ceil(node.getComputedWidth())
}

/** Each call into the engine costs as much as a layout of its own, so zeros are skipped. */
function nodeOf(style: LayoutStyle): Node {
  const node = Yoga.Node.create(EXACT)
  if (style.row) node.setFlexDirection(FlexDirection.Row)
  if (style.gap > 0) node.setGap(Gutter.All, style.gap)
  if (style.padding > 0) node.setPadding(Edge.All, style.padding)
  if (style.grow > 0) {
    node.setFlexGrow(style.grow)
    node.setFlexShrink(1)
  }
  if (style.even) node.setFlexBasis(0)
  if (style.width !== undefined) {
    node.setWidth(style.width)
    node.setMaxWidthPercent(100)
  }
  if (style.height !== undefined) node.setHeight(style.height)
  if (style.maxWidth !== undefined) node.setMaxWidth(style.maxWidth)
  if (style.minWidth !== undefined) node.setMinWidth(style.minWidth)
  if (style.minHeight !== undefined) node.setMinHeight(style.minHeight)
  return node
}

function stretchIn(node: Node, { stretch, width, height, preferredWidth, words }: LayoutStyle, row: boolean): void {
  // Shrinks beside others; below others it keeps its height.
  if (row && (preferredWidth !== undefined || words !== undefined)) node.setFlexShrink(1)
  if (stretch === 'never' || (stretch === 'in column' && row)) return
  if ((row ? height : width) === undefined) node.setAlignSelf(Align.Stretch)
}

/** Bars of a window span it from side to side, and reach its top and bottom edges. */
function reachSides(flowing: readonly Element[], parts: readonly LayoutNode[], { padding, gap }: LayoutStyle): void {
  flowing.forEach((child, index) => {
    if (!isBar(roleKind(child.role)) || !parts[index]) return
    const { node } = parts[index]
    const follows = index > 0 && isBar(roleKind(flowing[index - 1]!.role))
    node.setMargin(Edge.Horizontal, -padding)
    if (index === 0) node.setMargin(Edge.Top, -padding)
    else if (follows) node.setMargin(Edge.Top, -gap)
    if (index === flowing.length - 1 && index > 0) node.setMargin(Edge.Bottom, -padding)
  })
}

export function collect({ element, node, parts }: LayoutNode, x: number, y: number, bounds: Map<Element, Rect>): void {
  if (element) bounds.set(element, onPixels(x, y, node.getComputedWidth(), node.getComputedHeight()))
  const scrolled = element?.traits?.scrolled
  // Centred or end-aligned content that is too large would start before its parent, where nothing scrolls to.
  const before = { x: 0, y: 0 }
  for (const part of parts) {
    if (part.element?.place?.at) continue
    before.x = Math.min(before.x, part.node.getComputedLeft())
    before.y = Math.min(before.y, part.node.getComputedTop())
  }
  for (const part of parts) {
    const moved = !scrolled || (element && part.element && stays(element, part.element)) ? { x: 0, y: 0 } : scrolled
    const { left, top } = part.node.getComputedLayout()
    collect(part, x + left - before.x - moved.x, y + top - before.y - moved.y, bounds)
  }
}

/** Edge by edge, so that what is inside stays inside. */
function onPixels(x: number, y: number, width: number, height: number): Rect {
  const [left, top] = [Math.round(x), Math.round(y)]
  return { x: left, y: top, width: Math.round(x + width) - left, height: Math.round(y + height) - top }
}
