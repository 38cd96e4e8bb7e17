import Yoga, { type Config, Edge, type Node } from 'yoga-layout'
import { isSearchBox } from '../../desktop/model/control-metrics.ts'
import type { Window } from '../../desktop/model/desktop.ts'
import { changeAt, type Element, withFields } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { roleKind } from '../../desktop/model/role.ts'
import { boldTextWidth } from '../../desktop/model/text-width.ts'
import type { DialogMetrics, HeaderMetrics, Metrics, TextMetrics } from '../../desktop/style/metrics.ts'
import { withTraits } from '../../desktop/tree/element-ref.ts'
import { isDialog } from '../../desktop/tree/modal.ts'
import { visibilityOf } from '../../desktop/tree/visibility.ts'
import { bandStart, headerBarOf, panesBeside, sidebarOf } from '../../desktop/windows/frame.ts'

/** A title is painted a little wider than it is measured. */
const SLACK_PX = 6
const MAX_TITLE_PX = 240

/**
 * Puts the first tool bar of a window into one band with its title, where the style has such a band: marks it, and the
 * buttons in it that show their icon alone. Returns the same window if nothing changes.
 */
export function withHeaderBar(window: Window, { title: { header } }: Metrics): Window {
  if (!header) return window
  const { tree } = window
  const first = firstInColumn(window)
  let next = tree
  tree.children.forEach((child, index) => {
    if (roleKind(child.role) !== 'toolbar') return
    const change = child === first ? (bar: Element) => inBand(bar, header) : outOfBand
    next = changeAt(next, [index], change)
  })
  return next === tree ? window : { ...window, tree: next }
}

/** The child at the top of the content of a window with a title bar in its bounds. */
function firstInColumn({ tree, frame }: Window): Element | undefined {
  const { arrange = 'column' } = tree.layout ?? {}
  if (frame !== 'inside' || arrange !== 'column') return undefined
  const first = tree.children.find((child) => !child.traits?.hidden && visibilityOf(tree, child) === 'inline')
  if (!first?.place || first.layout?.arrange !== undefined) return undefined
  return first.place.width === undefined && first.place.height === undefined ? first : undefined
}

function inBand(bar: Element, { title }: HeaderMetrics): Element {
  const children = bar.children.map((child) => compacted(child, true))
  const ends = children.findIndex(({ place }) => place?.grow)
  const titleAt = title === 'start' ? 0 : ends < 0 ? children.length : ends
  const same = children.every((child, index) => child === bar.children[index])
  const marked = bar.traits?.titleAt === titleAt ? bar : withTraits(bar, { titleAt })
  return same ? marked : { ...marked, children }
}

function outOfBand(bar: Element): Element {
  if (bar.traits?.titleAt === undefined) return bar
  return {
    ...withTraits(bar, { titleAt: undefined, panes: undefined }),
    children: bar.children.map((child) => compacted(child, false)),
  }
}

/** A button with an icon, a separator, or a group of them, as it is shown in a band. */
function compacted(element: Element, isIn: boolean): Element {
  if (roleKind(element.role) === 'pane') {
    const children = element.children.map((child) => compacted(child, isIn))
    return children.every((child, index) => child === element.children[index]) ? element : { ...element, children }
  }
  const { traits, role } = element
  const hasIcon = (traits?.icon ?? '') !== '' && traits?.look !== 'card' && traits?.look !== 'breadcrumb'
  const kind = roleKind(role)
  const compact = (isIn && ((kind === 'button' && hasIcon) || kind === 'separator')) || undefined
  return traits?.compact === compact ? element : withTraits(element, { compact })
}

/**
 * Divides the band of a window that is laid out where its sidebar ends, if the tools and the title have room in both parts.
 * A pane further on whose start no tool covers has a part of its own too. `widthOf` measures a tool. Returns the same tree if
 * nothing changes.
 */
export function withDividedBand(
  window: Window,
  { title: { header }, text, bar: { toolGap }, control: { minFieldInBar } }: Metrics,
  widthOf: (tool: Element) => number,
): Element {
  const { tree } = window
  const bar = headerBarOf(window)
  if (!bar || !header) return tree
  const side = sidebarOf(window)?.bounds
  const isFree = (x: number) =>
    bar.children.every(
      ({ role, bounds }) => roleKind(role) === 'separator' || x <= bounds.x || x >= bounds.x + bounds.width,
    )
  const beside = panesBeside(window).filter((from) => isFree(bar.bounds.x + from))
  const panes = side && fits(side) ? [side.width, ...beside.filter((from) => from > side.width)] : undefined
  if (String(bar.traits?.panes) === String(panes)) return tree
  return changeAt(tree, [tree.children.indexOf(bar)], (here) => withTraits(here, { panes }))

  function fits(side: Rect): boolean {
    const { start, end, afterSide, title } = header!
    const { y, width, height } = bar!.bounds
    const tools = bar!.children.filter(({ place, traits }) => place && !traits?.hidden)
    if (side.y !== y + height || tools.some((tool) => tool.traits?.inMore || fillsBand(tool))) return false
    const before = title === 'start' ? [] : toolsOfSide(tools)
    const least = (tool: Element) => (isSearchBox(tool) ? minFieldInBar : widthOf(tool))
    const widthOfAll = (all: readonly Element[]) => all.reduce((sum, tool) => sum + least(tool) + toolGap, 0)
    const after = tools.slice(before.length > 0 ? before.length + 1 : 0)
    const isRoomInSide = start + widthOfAll(before) <= side.width + afterSide - toolGap
    const words = titleWidth(window.title, header!, text)
    return isRoomInSide && side.width + afterSide + widthOfAll(after) + words + end <= width
  }
}

/** The tools before the first separator, which belong to the sidebar. */
const toolsOfSide = (tools: readonly Element[]): readonly Element[] =>
  tools.slice(
    0,
    Math.max(
      0,
      tools.findIndex(({ role }) => roleKind(role) === 'separator'),
    ),
  )

const titleWidth = (title: string, { titleSize }: HeaderMetrics, text: TextMetrics): number =>
  Math.min(boldTextWidth(title, titleSize, text) + SLACK_PX, MAX_TITLE_PX)

/** A node of the layout engine for the room of the title in a band. */
export function titleNode(title: string, header: HeaderMetrics, text: TextMetrics, config: Config): Node {
  const node = Yoga.Node.create(config)
  node.setFlexGrow(1)
  node.setFlexShrink(1)
  node.setFlexBasis(titleWidth(title, header, text))
  return node
}

/** Leaves the ends of a band to the window buttons. A search field has the width of the style. */
export function fitInBand(
  band: Node,
  bar: Element,
  tools: readonly Element[],
  nodes: readonly Node[],
  { title: { header }, bar: { toolGap }, control: { minFieldInBar: minField } }: Metrics,
): void {
  if (!header) return
  const inSide = header.title === 'start' || !bar.traits?.panes ? [] : toolsOfSide(tools)
  const first = bandStart(bar, header)
  band.setPadding(Edge.Left, inSide.length > 0 ? header.start : first)
  if (inSide.length > 0) {
    const used = inSide.reduce((sum, _, index) => sum + widthOfNode(nodes[index]!) + toolGap, header.start)
    const gap = nodes[inSide.length]!
    gap.setMinWidth(0)
    gap.setWidth(first - toolGap - used)
  }
  band.setPadding(Edge.Right, header.end)
  tools.forEach((tool, index) => {
    if (!isSearchBox(tool) || !tool.place?.grow || !nodes[index]) return
    nodes[index].setFlexGrow(0)
    nodes[index].setFlexShrink(1)
    nodes[index].setFlexBasis(header.search)
    nodes[index].setMinWidth(minField)
  })
}

function widthOfNode(node: Node): number {
  node.calculateLayout(undefined, undefined)
  return Math.ceil(node.getComputedWidth())
}

/** Whether a tool takes the room of the title, as the address field of a browser does. */
export const fillsBand = (tool: Element): boolean => (tool.place?.grow ?? 0) > 0 && !isSearchBox(tool)

/** A wider window with buttons at its end is not a dialog. */
const MAX_DIALOG_PX = 640

/**
 * Marks the row of buttons at the end of a dialog, and the tabs above the content of a window that is one, where the
 * style has dialogs of its own. Returns the same window if nothing changes.
 */
export function withFooters(window: Window, { dialog }: Metrics): Window {
  if (!dialog) return window
  const { tree, frame, bounds } = window
  const last = frame !== 'inside' || bounds.width > MAX_DIALOG_PX ? undefined : footerOf(tree)
  const footer = last && accepts(last) && cancels(last) ? last : undefined
  const children = tree.children.map((child) => {
    if (isDialog(child)) return withFooterIn(child)
    if (roleKind(child.role) === 'tabs')
      return withRaisedTabs(child, footer !== undefined && raises(dialog, tree, child))
    return marked(child, child === footer)
  })
  const isSame = children.every((child, index) => child === tree.children[index])
  return isSame ? window : { ...window, tree: withFields(tree, { children }) }
}

function withFooterIn(dialog: Element): Element {
  const footer = footerOf(dialog)
  const children = dialog.children.map((child) => marked(child, child === footer))
  return children.every((child, index) => child === dialog.children[index]) ? dialog : withFields(dialog, { children })
}

/** The row of buttons that a tree ends with. */
function footerOf(parent: Element): Element | undefined {
  const last = parent.children.findLast(
    (child) => !child.traits?.hidden && child.place !== undefined && visibilityOf(parent, child) === 'inline',
  )
  const isRow = last !== undefined && roleKind(last.role) === 'pane' && last.layout?.arrange === 'row'
  if (!isRow) return undefined
  const shown = shownIn(last)
  return shown.length > 0 && shown.every(isButton) ? last : undefined
}

const shownIn = ({ children }: Element): readonly Element[] => children.filter(({ traits }) => !traits?.hidden)

const isButton = ({ role, place }: Element): boolean => roleKind(role) === 'button' && place !== undefined

const accepts = (row: Element): boolean => shownIn(row).some(({ traits }) => traits?.presses === 'enter')

const cancels = (row: Element): boolean =>
  shownIn(row).some(({ traits }) => traits?.presses === 'escape' || traits?.closes === true)

function marked(element: Element, isFooter: boolean): Element {
  const footer = isFooter || undefined
  return element.traits?.footer === footer ? element : withTraits(element, { footer })
}

/** Whether a style raises the tabs of a dialog: all, or those with icons directly below its title. */
const raises = ({ raisesTabs, iconTabs }: DialogMetrics, tree: Element, tabs: Element): boolean =>
  raisesTabs || (iconTabs !== undefined && tabs === tree.children.find(isPlaced) && haveIcons(tabs))

const isPlaced = ({ traits, place }: Element): boolean => !traits?.hidden && place !== undefined

function haveIcons({ children }: Element): boolean {
  const tabs = children.filter(({ role }) => roleKind(role) === 'tab')
  return tabs.length > 0 && tabs.every(({ traits }) => traits?.icon !== undefined)
}

function withRaisedTabs(tabs: Element, isRaised: boolean): Element {
  const raised = isRaised || undefined
  const children = tabs.children.map((tab) =>
    roleKind(tab.role) !== 'tab' || tab.traits?.raised === raised ? tab : withTraits(tab, { raised }),
  )
  return children.every((tab, index) => tab === tabs.children[index]) ? tabs : withFields(tabs, { children })
}
