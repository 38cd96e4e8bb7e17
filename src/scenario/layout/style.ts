import type { Element } from '../../desktop/model/element.ts'
import { unbreakableEnd } from '../../desktop/model/line-break.ts'
import { type Kind, kindOf } from '../../desktop/model/role.ts'
import { textWidth } from '../../desktop/model/width.ts'
import { showsOwnName } from '../../desktop/tree/caption.ts'
import { DEFAULT_ROW_HEIGHT as ROW } from '../../desktop/widgets/items/virtual-rows.ts'

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
}

const FONT = 14
const SMALL = 12
export const LINE_HEIGHT_PX = 20
const CONTROL = 32
const FIELD = 240
const MAX_FIELD_PX = 480
/** The minimum width of a field in a bar. */
const MIN_FIELD_IN_BAR_PX = 96

const NOTHING: LayoutStyle = { row: false, gap: 0, padding: 0, top: 0, grow: 0, stretch: 'never', even: false }

/** `inBar`: the element is in a toolbar or status bar, where everything is smaller. */
export function layoutStyleOf(element: Element, inBar: boolean): LayoutStyle {
  const { layout, place } = element
  const { maxWidth, ...own } = styles[kindOf(element.role)](element, inBar)
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

type Styler = (element: Element, inBar: boolean) => Partial<LayoutStyle>

const wide = (element: Element, around: number): number => textWidth(element.name, FONT) + around

const column =
  (gap: number, padding = 0, top = 0): Styler =>
  () => ({ gap, padding, top, stretch: 'always' })

const scrolled =
  (minHeight: number): Styler =>
  () => ({ grow: 1, stretch: 'always', minHeight, minWidth: 120 })

const field: Styler = (element, inBar) =>
  element.traits?.multiline
    ? { minHeight: 96, preferredWidth: FIELD, stretch: 'always' }
    : {
        preferredWidth: FIELD,
        maxWidth: MAX_FIELD_PX,
        height: CONTROL,
        stretch: 'in column',
        ...(inBar && { minWidth: MIN_FIELD_IN_BAR_PX }),
      }

const bar =
  (height: number, padding: number, gap: number): Styler =>
  () => ({
    row: true,
    height,
    padding,
    gap,
    stretch: 'always',
  })

const strip: Styler = (element) => ({
  row: true,
  gap: 12,
  ...(element.children.length > 0 ? { padding: 4, minHeight: ROW } : { height: ROW }),
  preferredWidth: wide(element, element.traits?.icon ? 52 : 28),
  stretch: 'always',
})

const words: Styler = (element, inBar) => {
  const content = element.name !== '' ? element.name : (element.value ?? '')
  if (inBar) return { width: textWidth(content, SMALL) + 20, height: LINE_HEIGHT_PX }
  if (element.role.toLowerCase() === 'heading') return { width: Math.ceil(textWidth(content, 26) * 1.08), height: 36 }
  return { words: content, stretch: 'in column', minHeight: LINE_HEIGHT_PX }
}

/** Whether a cell contains controls. */
const holdsControls = (cell: Element): boolean => cell.children.length > 0

const styles: Readonly<Record<Kind, Styler>> = {
  window: column(12, 20),
  dialog: column(12, 20, 34),
  pane: column(12),
  group: column(10, 16, 6),
  other: (element) => (element.children.length > 0 ? column(12)(element, false) : { ...words(element, false) }),
  button: (element, inBar) => {
    const icon = element.traits?.icon ? 22 : 0
    if (inBar) return { width: element.name === '' ? CONTROL : wide(element, 24 + icon), height: CONTROL - 4 }
    return { width: Math.max(88, wide(element, 40 + icon)), height: CONTROL }
  },
  splitbutton: (element) => ({ width: wide(element, 68), height: CONTROL }),
  toggle: (element) => ({ width: wide(element, 60), height: ROW }),
  edit: field,
  document: (element, inBar) => ({ ...scrolled(80)(element, inBar), padding: 12 }),
  text: words,
  checkbox: (element) => ({ width: wide(element, 36), height: ROW }),
  radio: (element) => ({ width: wide(element, 36), height: ROW }),
  combo: (element) => {
    const options = element.children.map((option) => wide(option, 56))
    return { width: Math.max(200, ...options), height: CONTROL }
  },
  list: scrolled(3 * ROW),
  listitem: strip,
  slider: (_, inBar) => ({
    minWidth: inBar ? FIELD / 2 : FIELD,
    maxWidth: MAX_FIELD_PX,
    height: ROW,
    stretch: 'in column',
  }),
  spinner: () => ({ width: 120, height: CONTROL }),
  progress: () => ({ minWidth: 160, height: 12, stretch: 'in column' }),
  scrollbar: () => ({ width: 14, stretch: 'always' }),
  scrollarea: (element, inBar) => ({ ...column(12)(element, inBar), grow: 1, minHeight: 80 }),
  menubar: bar(ROW, 0, 0),
  menu: (element) => ({ width: textWidth(element.name, FONT) + 24, height: ROW }),
  menuitem: (element) => ({ width: textWidth(element.name, FONT) + 24, height: ROW }),
  toolbar: bar(40, 6, 6),
  statusbar: bar(26, 3, 8),
  tabs: scrolled(120),
  tab: (element) => ({ width: Math.max(72, wide(element, 36)), height: 36 }),
  tree: scrolled(3 * ROW),
  treeitem: () => ({ height: ROW, minWidth: 120, stretch: 'always' }),
  table: scrolled(3 * ROW),
  header: () => ({ row: true, height: 30, stretch: 'always' }),
  headeritem: () => ({ grow: 1, minWidth: 24, stretch: 'always', even: true }),
  row: ({ children }) => ({
    row: true,
    ...(children.some(holdsControls) ? { minHeight: ROW } : { height: ROW }),
    stretch: 'always',
  }),
  cell: (element) => ({
    grow: 1,
    minWidth: 24,
    ...(holdsControls(element) && { row: true, gap: 6, padding: 4 }),
    stretch: 'always',
    even: true,
  }),
  link: (element) => ({ width: wide(element, 2), height: 24 }),
  image: () => ({ width: 48, height: 48 }),
  separator: () => ({ minWidth: 9, minHeight: 9, stretch: 'always' }),
  splitter: () => ({ minWidth: 6, minHeight: 6, stretch: 'always' }),
  tooltip: (element) => ({ width: textWidth(element.name, SMALL) + 22, height: 26 }),
  toast: (element) => ({
    minWidth: 320,
    minHeight: 56,
    padding: 12,
    gap: 8,
    top: element.children.length > 0 && !showsOwnName(element) ? toastWords(element, MAX_TOAST_PX) : 0,
  }),
  date: () => ({ width: 160, height: CONTROL }),
  calendar: () => ({ width: 252, height: 220 }),
  day: () => ({ width: 32, height: ROW }),
  titlebar: bar(32, 0, 8),
  expander: () => ({ height: CONTROL, minWidth: 160, stretch: 'always' }),
}

/** The maximum width of a toast. */
export const MAX_TOAST_PX = 400
/** The space beside the text of a toast: its icon and padding. */
const TOAST_MARGIN = 56
/** Names are painted bold, which is a little wider than the measured one. */
const BOLD = 1.08

/** The width of a toast whose texts take one line each. */
export const toastWidth = ({ name, value, description }: Element): number =>
  TOAST_MARGIN + Math.ceil(Math.max(textWidth(name, FONT) * BOLD, textWidth(value ?? description ?? '', FONT)))

/** The height of a toast of a width, from its text alone. */
export const toastHeight = (element: Element, width: number): number => 16 + toastWords(element, width)

function toastWords({ name, value, description }: Element, width: number): number {
  const room = width - TOAST_MARGIN
  const more = value ?? description ?? ''
  const words = name === '' ? 0 : wrappedSize(name, Math.floor(room / BOLD)).height
  return words + (more === '' ? 0 : wrappedSize(more, room).height)
}

/** The size of a wrapped text in whole pixels. Paint wraps a little later at most, never earlier. */
export function wrappedSize(content: string, width: number): { readonly width: number; readonly height: number } {
  let lines = 0
  let widest = 0
  for (const paragraph of content.split('\n')) {
    let used = 0
    lines++
    for (const word of wordsOf(paragraph)) {
      const advance = textWidth(word, FONT)
      if (used > 0 && used + textWidth(word.trimEnd(), FONT) > width) {
        lines++
        used = 0
      }
      lines += Math.max(0, Math.ceil(advance / Math.max(1, width)) - 1)
      used = Math.min(width, used + advance)
      widest = Math.max(widest, used)
    }
  }
  return { width: widest, height: lines * LINE_HEIGHT_PX }
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
