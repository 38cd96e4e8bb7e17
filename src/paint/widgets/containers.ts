import { showsOwnName } from '../../desktop/caption.ts'
import type { Banner } from '../../desktop/model/banner.ts'
import {
  badgeWidth,
  formCardsOf,
  isInTab,
  TITLED_CARD_PX,
  tabButtonsWidth,
} from '../../desktop/model/control-metrics.ts'
import type { Element } from '../../desktop/model/element.ts'
import { type Rect, translate, unite } from '../../desktop/model/geometry.ts'
import type { AppKind } from '../../desktop/model/pictures.ts'
import { roleKind } from '../../desktop/model/role.ts'
import { box, type DrawOp, shadow, solid } from '../frame/draw-op.ts'
import { label, labels, linesOf } from '../frame/label.ts'
import { knownIcon } from '../icons.ts'
import { widthOf } from '../text/fonts.ts'
import { elide } from '../text/text.ts'
import type { Theme } from '../theme/theme.ts'
import { badgeAfter, drawAvatar } from './item-content.ts'
import { menuItem } from './menus.ts'
import {
  focusRing,
  fontFor,
  iconIn,
  inkOf,
  inset,
  isBare,
  type PaintContext,
  pointedBack,
  softInkOf,
  squareIn,
  trimEnd,
  trimStart,
  type WidgetPainter,
} from './widget.ts'

/** An area that is not painted, unless it is a card or a band of a web page. An empty one with a name shows a frame. */
export const pane: WidgetPainter = (element, setting) => {
  const { look } = element.traits ?? {}
  return look === 'header' || look === 'footer' ? pageBand(element, setting) : plainPane(element, setting)
}

/** A band of a web page, with a line towards its content. The header is as the page, the footer as a bar. */
const pageBand: WidgetPainter = ({ bounds, traits }, { theme }) => {
  const isHeader = traits?.look === 'header'
  const y = isHeader ? bounds.y + bounds.height - 1 : bounds.y
  const face = solid(bounds, isHeader ? theme.field : theme.bar)
  return { ops: [face, solid({ ...bounds, y, height: 1 }, theme.line)], tone: 'band' }
}

const plainPane: WidgetPainter = (element, setting) => ({
  ops:
    element.traits?.look === 'card'
      ? [cardFace(element.bounds, setting.theme)]
      : element.layout?.arrange === 'form'
        ? formCards(element, setting.theme)
        : isBare(element) && element.name !== ''
          ? outlined(element, setting)
          : [],
})

/** The face of a card. */
export const cardFace = (bounds: Rect, theme: Theme): DrawOp => {
  const { card, cardLine } = theme.controls
  return box(bounds, { fill: card, border: cardLine, radius: theme.metrics.radius.card })
}

/** The cards of a form, with a line between their rows, in styles that have such cards. */
const formCards = (form: Element, theme: Theme): readonly DrawOp[] => {
  const { card, cardLine } = theme.controls
  return formCardsOf(form, theme.metrics).flatMap(({ bounds, lines }) => [
    box(bounds, { fill: card, border: cardLine, radius: theme.metrics.radius.card }),
    ...lines.map((y) => solid({ ...bounds, y, height: 1 }, theme.line)),
  ])
}

/** An unknown role: its text, in a thin frame if there is space. */
export const unknown: WidgetPainter = pane

function outlined(element: Element, setting: PaintContext): readonly DrawOp[] {
  const { bounds } = element
  const content = element.value ? `${element.name}: ${element.value}` : element.name
  const style = { font: fontFor(setting.theme, bounds.height), colour: softInkOf(element, setting) }
  if (bounds.height < 24) return label(bounds, content, style)
  return [
    box(bounds, { border: setting.theme.line, radius: 6 }),
    ...label(inset(bounds, 8, 0), content, { ...style, align: 'center' }),
  ]
}

/** A frame with its name in the upper edge. */
export const group: WidgetPainter = (element, setting) => {
  const { theme } = setting
  const { bounds, name } = element
  if (element.traits?.look === 'card') {
    const title = { ...inset(bounds, theme.metrics.space.group, 0), y: bounds.y + 8, height: TITLED_CARD_PX }
    const style = { font: fontFor(theme, 40, 'strong'), colour: inkOf(element, setting) }
    return { ops: [cardFace(bounds, theme), ...label(title, name, style)] }
  }
  if (theme.group) return { ops: groupCard(element, setting, theme.group) }
  const frame = box(bounds, { border: theme.line, radius: 6 })
  if (name === '') return { ops: [frame] }
  const font = fontFor(theme, 20, 'group')
  const words = elide(name, bounds.width - 28, font)
  const gap: Rect = { x: bounds.x + 10, y: bounds.y, width: Math.ceil(widthOf(words, font)) + 8, height: 1 }
  const line = { x: bounds.x + 14, y: bounds.y - 8, width: bounds.width - 28, height: 17 }
  return {
    ops: [frame, solid(gap, theme.window.surface), ...label(line, name, { font, colour: softInkOf(element, setting) })],
  }
}

/** From the top of a group to its card, for the name above it. */
const ABOVE_CARD_PX = 11

/** The card of a group, with its name above it. */
function groupCard(
  { bounds, name }: Element,
  { theme }: PaintContext,
  { fill, edge }: { readonly fill: string; readonly edge: string },
): readonly DrawOp[] {
  const above = name === '' ? 0 : Math.min(ABOVE_CARD_PX, bounds.height)
  const card = { ...bounds, y: bounds.y + above, height: bounds.height - above }
  const words = { ...bounds, y: bounds.y - 9, height: 18 }
  return [
    box(card, { fill, border: edge, radius: theme.metrics.radius.card }),
    ...label(words, name, { font: fontFor(theme, 24, 'group'), colour: theme.text }),
  ]
}

/** A strip of buttons. One that shares a band with the title of its window lies on the title bar. */
export const toolbar: WidgetPainter = ({ bounds, traits }, { theme }) => ({
  ops:
    traits?.titleAt === undefined
      ? [solid(bounds, theme.bar), solid({ ...bounds, y: bounds.y + bounds.height - 1, height: 1 }, theme.line)]
      : [],
  tone: 'bar',
})

/** The strip at the bottom of a window. */
export const statusbar: WidgetPainter = (element, setting) => {
  const { bounds } = element
  const { theme } = setting
  const style = { font: fontFor(theme, bounds.height, 'small'), colour: theme.muted }
  const own = isBare(element) ? label(inset(bounds, 10, 0), element.value ?? element.name, style) : []
  return { ops: [solid(bounds, theme.bar), solid({ ...bounds, height: 1 }, theme.line), ...own], tone: 'bar' }
}

/** A title bar in the tree. */
export const titlebar: WidgetPainter = (element, setting) => ({
  ops: [
    solid(element.bounds, setting.theme.window.title),
    ...label(inset(element.bounds, 12, 0), element.name, {
      font: fontFor(setting.theme, 20, 'title'),
      colour: setting.theme.window.titleText,
    }),
  ],
})

/** A card above its window, with its name at the top if there is space. */
export const dialog: WidgetPainter = (element, setting) => {
  const { bounds } = element
  const first = Math.min(...element.children.map((child) => child.bounds.y))
  const heading: Rect = { x: bounds.x + 20, y: bounds.y + 8, width: bounds.width - 40, height: 28 }
  const words =
    first - bounds.y >= 36
      ? label(heading, element.name, {
          font: fontFor(setting.theme, 24, 'dialogTitle'),
          colour: inkOf(element, setting),
        })
      : []
  return {
    ops: [
      ...setting.chrome.card(bounds, setting.theme, 'dialog'),
      ...setting.chrome.dialogFooter(element, setting),
      ...words,
    ],
    covers: hiddenBy(bounds, setting.theme),
    tone: 'plain',
  }
}

/** The area that a card covers completely: all but the strips with its round corners. */
export const hiddenBy = (bounds: Rect, { metrics: { radius } }: Theme): Rect =>
  inset(bounds, 0, Math.max(radius.card, radius.dialog, radius.tooltip))

/** A dark label that explains the element below the pointer. */
export const tooltip: WidgetPainter = (element, { theme, chrome }) => ({
  ops: [
    ...chrome.card(element.bounds, theme, 'tooltip'),
    ...label(inset(element.bounds, 9, 0), element.name || (element.value ?? ''), {
      font: fontFor(theme, element.bounds.height, 'tooltip'),
      colour: theme.tooltipText,
    }),
  ],
  covers: hiddenBy(element.bounds, theme),
  tone: 'dark',
})

const LINE = 20

/** A transient message: an icon, its name and, below it, its value or description, in as many lines as fit. */
export const toast: WidgetPainter = (element, setting) => {
  const { theme } = setting
  const banner = element.traits?.banner
  if (banner) {
    const tone = isPill(setting) ? 'dark' : 'plain'
    const ops = bannerOps(element, banner, { ...setting, tone })
    return { ops, tone, covers: hiddenBy(element.bounds, theme) }
  }
  const { bounds } = element
  const head =
    isBare(element) || showsOwnName(element)
      ? bounds
      : { ...bounds, height: Math.max(0, firstBelow(element) - bounds.y) }
  return {
    ops: [
      ...setting.chrome.card(bounds, theme, 'toast'),
      iconIn({ ...head, x: bounds.x + 12, width: 20 }, knownIcon(element.traits?.icon) ?? 'info', 18, theme.accent),
      ...(showsOwnName(element) ? [] : toastLines(element, setting, head)),
    ],
    covers: hiddenBy(bounds, setting.theme),
  }
}

const firstBelow = ({ children }: Element): number => Math.min(...children.map((child) => child.bounds.y))

function toastLines(element: Element, setting: PaintContext, head: Rect): readonly DrawOp[] {
  const words = trimStart(inset(head, 14, 6), 28)
  const more = element.value ?? element.description ?? ''
  const room = Math.max(isBare(element) ? 1 : 0, Math.floor((head.height - 8) / LINE))
  const name = { font: fontFor(setting.theme, 21, 'strong'), colour: inkOf(element, setting) }
  const rest = { font: fontFor(setting.theme, 20, 'second'), colour: softInkOf(element, setting) }
  const first = linesOf(element.name, words.width, name, more === '' ? room : Math.max(1, room - 1))
  const second = more === '' ? [] : linesOf(more, words.width, rest, room - first.length)
  const lines = [...first, ...second].slice(0, room)
  const top = head.y + Math.floor(head.height / 2) - lines.length * (LINE / 2)
  return lines.flatMap(({ content, style }, place) =>
    label({ ...words, y: top + place * LINE, height: LINE }, content, style),
  )
}

/** The strip below the tabs. The selected tab has a focus ring while the strip has the focus. */
export const tabs: WidgetPainter = (element, { theme, chrome }) => {
  const { bounds } = element
  const strip = element.children.filter((child) => roleKind(child.role) === 'tab' && !child.traits?.inMore)
  const bottom = Math.max(bounds.y, ...strip.map((child) => child.bounds.y + child.bounds.height))
  const line = strip.length > 0 && !strip[0]!.traits?.raised ? chrome.tabStrip(bounds, bottom, theme, rowOf(strip)) : []
  const on = element.focused ? strip.find(({ selected }) => selected === true) : undefined
  const ring = on ? [box(inset(stripOf(on), 3), { border: theme.ring, thickness: 2, radius: 5 })] : []
  return { ops: line, over: ring }
}

/** The bounds of a row of tabs, without the content of the tabs. */
const rowOf = (tabs: readonly Element[]): Rect => tabs.map((each) => stripOf(each)).reduce(unite)

/** The name of a page; the selected one is marked. */
export const tab: WidgetPainter = (element, setting) => {
  if (element.traits?.inMore) return menuItem(element, setting)
  const strip = stripOf(element)
  const words = trimEnd(strip, badgeWidth(element, setting.theme.metrics) + tabButtonsWidth(element))
  const ops = setting.chrome.tab(element, setting, strip, words)
  return { ops: [...ops, ...badgeAfter(element, setting, ops, strip)] }
}

/** The part of a tab or expander above its content. */
function stripOf({ bounds, children }: Element, highest = bounds.height): Rect {
  const page = children.filter((child) => !isInTab(child))
  const height = Math.min(bounds.height, highest, ...page.map((child) => Math.max(20, child.bounds.y - bounds.y)))
  return { ...bounds, height }
}

/** A thin line. */
export const separator: WidgetPainter = ({ bounds, traits }, { theme }) => {
  if (traits?.compact) return { ops: [] }
  const upright = bounds.height > bounds.width
  const line = upright
    ? { ...bounds, x: bounds.x + Math.floor(bounds.width / 2), width: 1 }
    : { ...bounds, y: bounds.y + Math.floor(bounds.height / 2), height: 1 }
  return { ops: [solid(line, theme.line)] }
}

/** The line between two panes, with a grip, which is marked while it has the focus. */
export const splitter: WidgetPainter = ({ bounds, focused }, { theme }) => {
  const upright = bounds.height > bounds.width
  const size = upright ? { width: 4, height: 28 } : { width: 28, height: 4 }
  const grip = {
    ...size,
    x: bounds.x + Math.floor((bounds.width - size.width) / 2),
    y: bounds.y + Math.floor((bounds.height - size.height) / 2),
  }
  return { ops: [solid(bounds, theme.bar), box(grip, { fill: focused ? theme.ring : theme.thumb, radius: 2 })] }
}

/** An arrow and a name above the content. */
export const expander: WidgetPainter = (element, setting) => {
  const strip = stripOf(element, 36)
  const colour = inkOf(element, setting)
  return {
    ops: [
      ...pointedBack(strip, setting),
      iconIn({ ...strip, width: 24 }, element.expanded ? 'chevron-down' : 'chevron-right', 16, colour),
      ...label(trimStart(strip, 26), element.name, { font: fontFor(setting.theme, strip.height, 'strong'), colour }),
      ...focusRing(element, setting, inset(strip, 3), 3),
    ],
  }
}

const APP_ICON = 16
const ROW_GAP = 10
const MORE_ICON = 16
const MAX_PILL_RADIUS = 23

/** A notification with the row of its application, a picture, its name in bold and its text. */
function bannerOps(element: Element, banner: Banner, setting: PaintContext): readonly DrawOp[] {
  const { x, y } = element.bounds
  const { theme } = setting
  const at = (rect: Rect) => translate(rect, x, y)
  const { app, row, picture, words, more } = banner
  const small = { font: fontFor(theme, 20, 'small'), colour: inkOf(element, setting) }
  return [
    ...(isPill(setting) ? pill(element.bounds, setting) : setting.chrome.card(element.bounds, theme, 'toast')),
    ...(row && app ? appOps(squareIn(at(row), APP_ICON), app, setting) : []),
    ...(row && app ? label(trimStart(at(row), APP_ICON + ROW_GAP), app.name, small) : []),
    ...(picture ? pictureOps(element, at(picture), app, setting) : []),
    ...(more ? [iconIn(at(more), 'more', MORE_ICON, softInkOf(element, setting))] : []),
    ...wordOps(element, at(words), banner, setting),
  ]
}

/** Whether notifications are dark pills. */
const isPill = ({ theme }: PaintContext): boolean => theme.metrics.notification.banner?.look === 'pill'

const pill = (bounds: Rect, { theme }: PaintContext): readonly DrawOp[] => {
  const radius = Math.min(MAX_PILL_RADIUS, bounds.height >> 1)
  return [
    ...theme.shadows.card.map((each) => shadow(bounds, { ...each, radius })),
    box(bounds, { fill: theme.tooltip, border: theme.cardEdge, radius }),
  ]
}

type App = NonNullable<Banner['app']>

const appOps = (
  area: Rect,
  { name, kind }: { readonly name: string; readonly kind?: AppKind },
  { chrome }: PaintContext,
) => chrome.appPicture(area, { name, kind })

/** The initials of a person, the picture of the application or, without one, the icon. */
function pictureOps(element: Element, area: Rect, app: App | undefined, setting: PaintContext): readonly DrawOp[] {
  const { traits } = element
  if (traits?.avatar !== undefined) return drawAvatar(element, setting, area)
  if (app?.kind) return appOps(area, app, setting)
  return [iconIn(area, knownIcon(traits?.icon) ?? 'info', Math.min(24, area.width), inkOf(element, setting))]
}

function wordOps(element: Element, area: Rect, { time }: Banner, setting: PaintContext): readonly DrawOp[] {
  const { line = 20 } = setting.theme.metrics.notification.banner ?? {}
  const name = { font: fontFor(setting.theme, line + 4, 'strong'), colour: inkOf(element, setting) }
  const rest = { font: fontFor(setting.theme, line + 4, 'second'), colour: softInkOf(element, setting) }
  const room = Math.max(1, Math.floor(area.height / line))
  const titled = element.value === null ? [] : linesOf(element.name, area.width, name, 1)
  const clock = { content: time ?? '', font: fontFor(setting.theme, 18, 'small'), colour: softInkOf(element, setting) }
  const lines = [
    ...titled,
    ...linesOf(element.value ?? element.name, area.width, element.value === null ? name : rest, room - titled.length),
  ]
  // A text can need fewer lines than were measured.
  const top = isPill(setting) ? area.y + Math.floor((area.height - lines.length * line) / 2) : area.y
  return lines.flatMap(({ content, style }, place) => {
    const row = { ...area, y: top + place * line, height: line }
    return place < titled.length ? labels(row, { content, ...style }, clock) : label(row, content, style)
  })
}
