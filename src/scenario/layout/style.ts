import { showsOwnName } from '../../desktop/caption.ts'
import {
  badgeWidth,
  itemHeight,
  subtitleLines,
  TITLED_CARD_PX,
  tabButtonsWidth,
} from '../../desktop/model/control-metrics.ts'
import { type Element, memoize } from '../../desktop/model/element.ts'
import type { RichText } from '../../desktop/model/rich-text.ts'
import { type RoleKind, roleKind } from '../../desktop/model/role.ts'
import { textWidth } from '../../desktop/model/text-width.ts'
import { unbreakableEnd } from '../../desktop/model/unicode.ts'
import type { Metrics } from '../../desktop/style/metrics.ts'

/** How an element is placed by its parent and places its children, in pixels. */
export interface LayoutStyle {
  readonly row: boolean
  readonly gap: number
  readonly padding: number
  /** Additional padding at the top, for a painted name. */
  readonly top: number
  readonly width?: number
  readonly height?: number
  readonly minWidth?: number
  /** The preferred width of an element without children. It shrinks if space is short. */
  readonly preferredWidth?: number
  readonly minHeight?: number
  readonly maxWidth?: number
  readonly grow: number
  /** Whether it fills the cross axis of its column or row. */
  readonly stretch: 'always' | 'in column' | 'never'
  /** Whether all of its kind in a row have equal widths. */
  readonly even: boolean
  /** Text that wraps. */
  readonly words?: string
  /** The styles of these words. */
  readonly rich?: RichText
}

const NOTHING: LayoutStyle = { row: false, gap: 0, padding: 0, top: 0, grow: 0, stretch: 'never', even: false }

interface KnownStyle {
  readonly inBar: boolean
  readonly metrics: Metrics
  readonly style: LayoutStyle
}

/** The styles of an element that were computed: most have one, since it stays where it is. */
const knownStyles = memoize((): KnownStyle[] => [])

/** `inBar`: the element is in a toolbar or status bar, where everything is smaller. */
export function layoutStyleOf(element: Element, inBar: boolean, metrics: Metrics): LayoutStyle {
  const known = knownStyles(element)
  for (const each of known) if (each.inBar === inBar && each.metrics === metrics) return each.style
  const style = computeStyle(element, inBar, metrics)
  known.push({ inBar, metrics, style })
  return style
}

function computeStyle(element: Element, inBar: boolean, metrics: Metrics): LayoutStyle {
  const { layout, place } = element
  const { maxWidth, ...own } = styles[roleKind(element.role)](element, metrics, inBar)
  const style: LayoutStyle = { ...NOTHING, ...own, ...(maxWidth !== undefined && !place?.grow && { maxWidth }) }
  const arrange = layout?.arrange
  return {
    ...style,
    ...(arrange && { row: arrange === 'row' }),
    ...(layout?.gap !== undefined && { gap: layout.gap }),
    ...(layout?.padding !== undefined && { padding: layout.padding, top: 0 }),
    ...(place?.grow !== undefined && { grow: place.grow }),
    ...(place?.width !== undefined && {
      width: place.width,
      minWidth: 0,
      maxWidth: place.width,
      even: false,
      grow: place.grow ?? 0,
    }),
    ...(place?.height !== undefined && { height: place.height, minHeight: 0, grow: place.grow ?? 0 }),
  }
}

type Styler = (element: Element, metrics: Metrics, inBar: boolean) => Partial<LayoutStyle>

const wide = ({ name }: Element, { text }: Metrics, around: number): number =>
  textWidth(name, text.body, text.family) + around

type Space = (metrics: Metrics['space']) => Partial<LayoutStyle>

const column =
  (space: Space): Styler =>
  (_, metrics) => ({ ...space(metrics.space), stretch: 'always' })

/** The part of the name of a group that is painted above it. */
const GROUP_NAME_PX = 9

/** Whether the name of a group would be cut at the upper edge of an element that clips it. */
function startsWithGroupName({ children, layout }: Element): boolean {
  const isNamed = ({ name, role, traits }: Element) =>
    name !== '' && traits?.look !== 'card' && roleKind(role) === 'group'
  return layout?.arrange === 'row' ? children.some(isNamed) : children.slice(0, 1).some(isNamed)
}

const scrolled = (minHeight: number): Partial<LayoutStyle> => ({
  grow: 1,
  stretch: 'always',
  minHeight,
  minWidth: 120,
})

const field: Styler = (element, { control }, inBar) =>
  element.traits?.multiline
    ? { minHeight: 96, preferredWidth: control.field, stretch: 'always' }
    : {
        preferredWidth: control.field,
        maxWidth: control.maxField,
        height: control.height,
        stretch: 'in column',
        ...(inBar && { minWidth: control.minFieldInBar }),
      }

const bar = (height: number, padding: number, gap: number): Partial<LayoutStyle> => ({
  row: true,
  height,
  padding,
  gap,
  stretch: 'always',
})

const strip: Styler = (element, metrics) => ({
  row: true,
  gap: 12,
  ...(element.children.length > 0
    ? { padding: 4, minHeight: itemHeight(element, metrics) }
    : { height: itemHeight(element, metrics) }),
  preferredWidth: wide(element, metrics, element.traits?.icon ? 52 : 28),
  stretch: 'always',
})

const words: Styler = (element, { text }, inBar) => {
  const content = element.name !== '' ? element.name : (element.value ?? '')
  if (inBar) return { width: textWidth(content, text.small, text.family) + 20, height: text.line }
  if (element.role.toLowerCase() === 'heading')
    return { width: Math.ceil(textWidth(content, text.heading, text.family) * 1.08), height: text.headingLine }
  const rich = element.traits?.rich
  return { words: content, stretch: 'in column', minHeight: text.line, ...(rich?.text === content && { rich }) }
}

const ICON_PX = 48
const AVATAR_PX = 40
/** The longest side of a picture without `width` and `height`. */
const MAX_PICTURE_PX = 640

const CHART: Partial<LayoutStyle> = { grow: 1, stretch: 'always', minHeight: 160, minWidth: 200 }

/** An avatar is a square; one side in the scenario determines the other. */
const avatarSize = (place: Element['place']): Partial<LayoutStyle> => {
  const side = place?.width ?? place?.height ?? AVATAR_PX
  return { width: side, height: side }
}

/** A picture keeps its proportions: one side in the scenario determines the other. */
const pictureSize: Styler = ({ traits, place }) => {
  if (traits?.chart) return CHART
  const { width = ICON_PX, height = ICON_PX } = traits?.picture ?? {}
  const fitting = Math.min(1, MAX_PICTURE_PX / Math.max(width, height))
  const ratio = (place?.width && place.width / width) || (place?.height && place.height / height) || fitting
  if (traits?.avatar !== undefined) return avatarSize(place)
  if (!traits?.picture) return { width, height }
  return { width: Math.max(1, Math.round(width * ratio)), height: Math.max(1, Math.round(height * ratio)) }
}

/** Whether a cell contains controls. */
const holdsControls = (cell: Element): boolean => cell.children.length > 0

const signed: Styler = (element, metrics) => ({
  width: wide(element, metrics, metrics.control.sign),
  height: metrics.control.line,
})

/** A button that shows its icon alone is not narrower. */
const MIN_ICON_BUTTON_PX = 28
/** Beside the name of a step of a path: its padding, and the arrow after it. */
const CRUMB_PX = 30
/** Beside the texts of a button that is a card. */
const CARD_BUTTON_PX = 28

const cardButton: Styler = (element, metrics) => {
  const { small, family } = metrics.text
  const { icon: name, avatar, picture } = element.traits ?? {}
  const icon = name || avatar || picture ? metrics.control.icon + 8 : 0
  const lines = subtitleLines(element).map((line) => Math.ceil(textWidth(line, small, family) * BOLD))
  const own = Math.max(wide(element, metrics, 0) * BOLD, ...lines)
  return { width: Math.ceil(own) + icon + CARD_BUTTON_PX, height: itemHeight(element, metrics) + 4 }
}

const menuName: Styler = (element, metrics) => ({
  width: wide(element, metrics, metrics.bar.menuPadding),
  height: metrics.bar.menu,
})

const styles: Readonly<Record<RoleKind, Styler>> = {
  window: column(({ gap, window }) => ({ gap, padding: window })),
  dialog: column(({ gap, window, dialogTop }) => ({ gap, padding: window, top: dialogTop })),
  pane: ({ traits }, { space: { gap, group } }) => ({
    gap,
    stretch: 'always',
    ...(traits?.look === 'card' && { padding: group }),
  }),
  group: ({ name, traits }, { space: { group, groupGap } }) => ({
    gap: groupGap,
    padding: group,
    top: traits?.look === 'card' ? (name === '' ? 0 : TITLED_CARD_PX) : 6,
    stretch: 'always',
  }),
  other: (element, metrics) =>
    element.children.length > 0 ? { gap: metrics.space.gap, stretch: 'always' } : words(element, metrics, false),
  button: (element, metrics, inBar) => {
    const { height, inBar: low, minButton, padding, paddingInBar, icon: iconWidth } = metrics.control
    const { look, iconOnly, compact, icon: name } = element.traits ?? {}
    const size = inBar ? low : height
    if (iconOnly || compact) return { width: Math.max(size, MIN_ICON_BUTTON_PX), height: size }
    if (look === 'card') return cardButton(element, metrics, inBar)
    const icon = (name ? iconWidth : 0) + badgeWidth(element, metrics)
    if (look === 'breadcrumb') return { width: wide(element, metrics, icon + CRUMB_PX), height: size }
    if (inBar) return { width: element.name === '' ? height : wide(element, metrics, paddingInBar + icon), height: low }
    return { width: Math.max(minButton, wide(element, metrics, padding + icon)), height }
  },
  splitbutton: (element, metrics) => ({
    width: wide(element, metrics, metrics.control.padding + 28),
    height: metrics.control.height,
  }),
  toggle: (element, metrics) => ({
    width: wide(element, metrics, metrics.control.toggle),
    height: metrics.control.line,
  }),
  edit: field,
  document: () => ({ ...scrolled(80), padding: 12 }),
  text: words,
  checkbox: signed,
  radio: signed,
  combo: (element, metrics) => {
    const { minCombo, comboPadding, height } = metrics.control
    const options = element.children.map((option) => wide(option, metrics, comboPadding))
    return { width: Math.max(minCombo, ...options), height }
  },
  list: (_, { row }) => scrolled(3 * row.list),
  listitem: strip,
  slider: (_, { control }, inBar) => ({
    minWidth: inBar ? control.field / 2 : control.field,
    maxWidth: control.maxField,
    height: control.line,
    stretch: 'in column',
  }),
  spinner: (_, { control }) => ({ width: 120, height: control.height }),
  progress: () => ({ minWidth: 160, height: 12, stretch: 'in column' }),
  scrollbar: () => ({ width: 14, stretch: 'always' }),
  scrollarea: (element, { space }) => ({
    gap: space.gap,
    top: startsWithGroupName(element) ? GROUP_NAME_PX : 0,
    stretch: 'always',
    grow: 1,
    minHeight: 80,
  }),
  menubar: (_, metrics) => bar(metrics.bar.menu, 0, 0),
  menu: menuName,
  menuitem: menuName,
  toolbar: ({ traits }, { bar: { tool, toolPadding, toolGap }, title: { header } }) =>
    traits?.titleAt !== undefined && header
      ? bar(header.height, toolPadding, toolGap)
      : bar(tool, toolPadding, toolGap),
  statusbar: (_, metrics) => bar(metrics.bar.status, 3, 8),
  tabs: () => scrolled(120),
  tab: (element, metrics) => {
    const { bar, dialog, text } = metrics
    const badge = badgeWidth(element, metrics) + tabButtonsWidth(element)
    const inBand = element.traits?.raised ? dialog?.iconTabs : undefined
    if (!inBand) return { width: Math.max(bar.minTab, wide(element, metrics, bar.tabPadding)) + badge, height: bar.tab }
    const name = textWidth(element.name, text.small, text.family) + inBand.padding
    return { width: Math.max(inBand.minWidth, name) + badge, height: inBand.height }
  },
  tree: (_, { row }) => scrolled(3 * row.tree),
  treeitem: (_, { row }) => ({ height: row.tree, minWidth: 120, stretch: 'always' }),
  table: (_, { row }) => scrolled(3 * row.table),
  header: (_, metrics) => ({ row: true, height: metrics.row.header, stretch: 'always' }),
  headeritem: () => ({ grow: 1, minWidth: 24, stretch: 'always', even: true }),
  row: ({ children }, metrics) => ({
    row: true,
    ...(children.some(holdsControls) ? { minHeight: metrics.row.table } : { height: metrics.row.table }),
    stretch: 'always',
  }),
  cell: (element) => ({
    grow: 1,
    minWidth: 24,
    ...(holdsControls(element) && { row: true, gap: 6, padding: 4 }),
    stretch: 'always',
    even: true,
  }),
  link: (element, metrics) => ({
    width: Math.ceil(wide(element, metrics, 0) * (element.traits?.look === 'primary' ? BOLD : 1)) + 2,
    height: metrics.text.line + 4,
  }),
  image: pictureSize,
  separator: () => ({ minWidth: 9, minHeight: 9, stretch: 'always' }),
  splitter: () => ({ minWidth: 6, minHeight: 6, stretch: 'always' }),
  tooltip: ({ name }, { text, popup }) => ({
    width: textWidth(name, popup.tooltipSize, text.family) + popup.tooltipPadding,
    height: popup.tooltip,
  }),
  toast: (element, metrics) => ({
    minWidth: 320,
    minHeight: 56,
    padding: 12,
    gap: 8,
    top: element.children.length > 0 && !showsOwnName(element) ? toastWords(element, MAX_TOAST_PX, metrics) : 0,
  }),
  date: (_, { control }) => ({ width: 160, height: control.height }),
  calendar: () => ({ width: 252, height: 220 }),
  day: () => ({ width: 32, height: 28 }),
  titlebar: (_, { title }) => bar(title.height, 0, 8),
  expander: (_, { control }) => ({ height: control.height, minWidth: 160, stretch: 'always' }),
}

/** The maximum width of a toast. */
export const MAX_TOAST_PX = 400
/** The space beside the text of a toast: its icon and padding. */
const TOAST_MARGIN = 56
/** Names are painted bold, which is a little wider than the measured one. */
const BOLD = 1.08

/** The width of a toast whose texts take one line each. */
export const toastWidth = ({ name, value, description }: Element, { text }: Metrics): number =>
  TOAST_MARGIN +
  Math.ceil(
    Math.max(
      textWidth(name, text.body, text.family) * BOLD,
      textWidth(value ?? description ?? '', text.body, text.family),
    ),
  )

/** The height of a toast of a width, from its text alone. */
export const toastHeight = (element: Element, width: number, metrics: Metrics): number =>
  16 + toastWords(element, width, metrics)

function toastWords({ name, value, description }: Element, width: number, metrics: Metrics): number {
  const room = width - TOAST_MARGIN
  const more = value ?? description ?? ''
  const words = name === '' ? 0 : wrappedSize(name, Math.floor(room / BOLD), metrics).height
  return words + (more === '' ? 0 : wrappedSize(more, room, metrics).height)
}

/** The size of a wrapped text in whole pixels. Paint wraps a little later at most, never earlier. */
export function wrappedSize(
  content: string,
  width: number,
  { text }: Metrics,
): { readonly width: number; readonly height: number } {
  let lines = 0
  let widest = 0
  for (const paragraph of content.split('\n')) {
    let used = 0
    lines++
    for (const word of wordsOf(paragraph)) {
      const advance = textWidth(word, text.body, text.family)
      if (used > 0 && used + textWidth(word.trimEnd(), text.body, text.family) > width) {
        lines++
        used = 0
      }
      lines += Math.max(0, Math.ceil(advance / Math.max(1, width)) - 1)
      used = Math.min(width, used + advance)
      widest = Math.max(widest, used)
    }
  }
  return { width: widest, height: lines * text.line }
}

/** The parts of a line that may be in different lines, each with the blank after it. */
function* wordsOf(line: string): Iterable<string> {
  for (let from = 0; from < line.length; ) {
    const end = unbreakableEnd(line, from, line.length)
    const to = line[end] === ' ' ? end + 1 : end
    yield line.slice(from, to)
    from = to
  }
}
