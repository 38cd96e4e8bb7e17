import type { Desktop, Monitor, Window } from '../desktop/desktop.ts'
import type { Element } from '../desktop/element.ts'
import { foldOf, popupBounds } from '../desktop/fold.ts'
import { frameOf, outerBounds } from '../desktop/frame.ts'
import { intersect, type Rect, sameRect } from '../desktop/geometry.ts'
import { panelOf } from '../desktop/panel.ts'
import { type Kind, kindOf } from '../desktop/role.ts'
import { type Font, printable } from './fonts.ts'
import { type Layer, layer } from './layer.ts'
import { box, flat, type Mark, shadow, wash } from './mark.ts'
import { elide, label } from './text.ts'
import type { Theme } from './theme.ts'
import { WIDGETS } from './widgets/catalogue.ts'
import { card as raisedCard } from './widgets/containers.ts'
import { fontFor, inset, type Setting } from './widgets/widget.ts'

/** The layers of a whole desktop, the lowest first: wallpaper, windows, panel. */
export function layersOf(desktop: Desktop, theme: Theme): readonly Layer[] {
  const windows = desktop.windows.filter((window) => window.state !== 'minimized').toReversed()
  const bar = panelLayer(desktop, theme)
  return [
    wallpaper(desktop.monitors, theme),
    ...windows.map((window) => windowLayer(window, theme, window.uid === desktop.active)),
    ...(bar ? [bar] : []),
  ]
}

/** The background of all monitors. */
export function wallpaper(monitors: readonly Monitor[], theme: Theme): Layer {
  return remembered(`wallpaper ${theme.name}`, monitors, () =>
    layer({
      marks: monitors.map(({ bounds }) => wash(bounds, theme.wallpaper.top, theme.wallpaper.bottom)),
      ...(monitors.length === 1 ? { covers: monitors[0]!.bounds } : {}),
    }),
  )
}

const RADIUS = 9

/** A window: shadow, title bar, content cut to round corners, edge, and its open popups. */
export const windowLayer = (window: Window, theme: Theme, active: boolean): Layer =>
  remembered(`window ${theme.name} ${active}`, window, () => paintWindow(window, theme, active))

function paintWindow(window: Window, theme: Theme, active: boolean): Layer {
  const outer = outerBounds(window)
  const isRound = window.state === 'normal' && (window.frame !== 'none' || isSmall(window.bounds))
  const setting: Setting = {
    theme,
    parent: 'other',
    tone: 'plain',
    odd: false,
    labelled: true,
    current: undefined,
    card: undefined,
  }
  const dark =
    isRound && theme.shadow > 0 ? [shadow(outer, { reach: active ? 26 : 18, drop: 8, opacity: theme.shadow })] : []
  const popups: Layer[] = []
  const content = contentLayer(window, setting, popups)
  const edge = isRound ? [box(outer, { border: theme.window.edge, radius: RADIUS })] : []
  const face = layer({
    marks: [flat(outer, theme.window.surface), ...titleBar(window, theme, active)],
    children: [content],
    clip: outer,
    covers: outer,
    ...(isRound ? { rounded: { rect: outer, radius: RADIUS } } : {}),
  })
  const veil = window.busy ? [flat(outer, `${theme.window.surface}80`)] : []
  return layer({ marks: dark, children: [face, layer({ marks: [...veil, ...edge] }), ...popups] })
}

/** A window without a frame that is no larger is a message or a menu, and looks like one. */
const isSmall = ({ width, height }: Rect): boolean => width <= 480 && height <= 320

/** What is in a window; its root has no look of its own. */
function contentLayer(window: Window, setting: Setting, popups: Layer[]): Layer {
  return layer({
    children: childLayers(window.tree, { ...setting, parent: kindOf(window.tree.role) }, popups),
    clip: window.bounds,
  })
}

function titleBar(window: Window, theme: Theme, active: boolean): readonly Mark[] {
  const frame = frameOf(window)
  if (!frame) return []
  const { title } = frame
  const colours = theme.window
  const dot = (area: Rect, colour: string) =>
    box(inset(area, 1), { fill: active ? colour : colours.idle, radius: area.width / 2 - 1 })
  return [
    flat(title, active ? colours.title : colours.titleInactive),
    flat({ ...title, y: title.y + title.height - 1, height: 1 }, theme.line),
    ...titleWords(title, window.title, active ? colours.titleText : colours.titleTextInactive),
    dot(frame.minimize, colours.minimize),
    dot(frame.maximize, colours.maximize),
    dot(frame.close, colours.close),
  ]
}

/** The room that the buttons of a title bar need. */
const BUTTONS = 84
const TITLE_FONT: Font = { family: 'ui', size: 13, weight: 600 }

/** A title in the middle of its bar; a longer one begins at the left and ends before the buttons. */
function titleWords(title: Rect, content: string, colour: string): readonly Mark[] {
  const free = inset(title, BUTTONS, 0)
  if (elide(content, free.width, TITLE_FONT) === printable(content))
    return label(free, content, { font: TITLE_FONT, colour, align: 'center' })
  return label({ ...title, x: title.x + 12, width: Math.max(0, title.width - BUTTONS - 12) }, content, {
    font: TITLE_FONT,
    colour,
  })
}

interface Painted {
  readonly setting: Setting
  readonly layer: Layer
  readonly popups: readonly Layer[]
}

const painted = new WeakMap<Element, Painted>()

/** An element and what is in it, remembered as long as it stands in the same setting. */
function elementLayer(element: Element, setting: Setting, popups: Layer[]): Layer {
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

function paintElement(element: Element, setting: Setting, popups: Layer[]): Layer {
  const kind = kindOf(element.role)
  const drawing = WIDGETS[kind](element, setting)
  const inside: Setting = { ...setting, parent: kind, tone: drawing.tone ?? setting.tone }
  const over = drawing.over ?? []
  const children = childLayers(element, inside, popups)
  return layer({ marks: drawing.marks, children, over })
}

/** The layers of an element's children; those that come up go to `popups`. */
function childLayers(parent: Element, setting: Setting, popups: Layer[]): readonly Layer[] {
  const loose: Layer[] = []
  const clipped: Layer[] = []
  const raised: Layer[] = []
  const clip = clipOf(parent, setting.parent)
  const labels = labelsIn(parent)
  const current = currentIn(parent, setting)
  const card = cardOf(parent, setting)
  const above: Layer[] = []
  parent.children.forEach((child, place) => {
    const fold = foldOf(parent, child)
    if (fold === 'folded' || child.traits?.hidden === true) return
    // A long list has thousands of rows of which a few are to be seen.
    if (fold === 'inline' && child.expanded !== true && !intersect(inset(child.bounds, -REACH), clip)) return
    const at: Setting = {
      ...setting,
      odd: place % 2 === 1,
      labelled: labels.has(child.name.toLowerCase()),
      // Only what it could concern is told where the keyboard is.
      current: child.id === current || child.children.length > 0 ? current : undefined,
    }
    if (fold === 'popup') raised.push(elementLayer(child, { ...at, tone: 'plain', card }, above))
    else if (fold === 'loose') loose.push(elementLayer(child, at, popups))
    else clipped.push(elementLayer(child, at, popups))
  })
  if (raised.length > 0) popups.push(popupLayer(setting, raised, card))
  popups.push(...above)
  return clipped.length > 0 ? [layer({ children: clipped, clip }), ...loose] : loose
}

/** The item that the keyboard marks among what is in an element: while the element has the keyboard, or is open. */
function currentIn(parent: Element, setting: Setting): string | undefined {
  const own = parent.traits?.current
  if (own === undefined) return setting.current
  return parent.focused || parent.expanded === true ? own : undefined
}

/** What the popups of an element lie on: nothing of its own when they are menus, which bring theirs, or labels. */
function cardOf(parent: Element, setting: Setting): Rect | undefined {
  if (parent.traits?.popup) return parent.traits.popup
  if (setting.card && setting.parent === 'menu') return setting.card
  const rises = (child: Element) => foldOf(parent, child) === 'popup' && !child.traits?.hidden
  if (!parent.children.some((child) => rises(child) && !BRINGS_CARD.has(kindOf(child.role)))) return undefined
  const bounds = popupBounds(parent)
  return bounds && inset(bounds, -CARD_PADDING)
}

const BRINGS_CARD: ReadonlySet<Kind> = new Set<Kind>(['menu', 'tooltip'])
const CARD_PADDING = 4

/** What has come up out of an element, on a card unless it came up on one already. */
function popupLayer({ theme, card: around }: Setting, children: readonly Layer[], card: Rect | undefined): Layer {
  if (!card) return layer({ children })
  const rows = layer({ children, clip: inset(card, 1) })
  if (card === around) return rows
  return layer({ marks: raisedCard(card, theme, theme.raised), children: [rows], covers: card })
}

/** How far the ring of a focused control, or the title of a group, stands out of it. */
const REACH = 10
const SCROLLS: ReadonlySet<Kind> = new Set<Kind>(['list', 'tree', 'table', 'scrollarea', 'document', 'calendar'])

/** Children that scroll stay inside the border of what they scroll in; others may have a ring that stands out. */
const clipOf = (parent: Element, kind: Kind): Rect => inset(parent.bounds, SCROLLS.has(kind) ? 1 : -3)

const NO_LABELS: ReadonlySet<string> = new Set()
const NAMED_BESIDE: ReadonlySet<Kind> = new Set<Kind>(['edit', 'combo', 'date'])

/** What the texts among an element's children say, in lower case, when there are fields they could stand for. */
function labelsIn({ children }: Element): ReadonlySet<string> {
  if (!children.some((child) => NAMED_BESIDE.has(kindOf(child.role)))) return NO_LABELS
  const texts = children.filter((child) => kindOf(child.role) === 'text')
  return new Set(texts.map((child) => child.name.toLowerCase().replace(/[:*]?\s*$/, '')))
}

const sameCard = (a: Rect | undefined, b: Rect | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && sameRect(a, b))

const sameSetting = (a: Setting, b: Setting): boolean =>
  a.theme === b.theme &&
  a.parent === b.parent &&
  a.tone === b.tone &&
  a.odd === b.odd &&
  a.labelled === b.labelled &&
  a.current === b.current &&
  sameCard(a.card, b.card)

function panelLayer(desktop: Desktop, theme: Theme): Layer | undefined {
  const panel = panelOf(desktop)
  if (!panel) return undefined
  const { bounds } = panel
  const buttons = panel.buttons.flatMap(({ window: uid, bounds: area }) => {
    const window = desktop.windows.find((other) => other.uid === uid)
    const isActive = uid === desktop.active && window?.state !== 'minimized'
    const isOpen = window?.state !== 'minimized'
    const line = { x: area.x + 10, y: area.y + area.height - 3, width: Math.max(0, area.width - 20), height: 3 }
    return [
      box(area, {
        fill: isActive ? theme.panel.active : theme.panel.button,
        ...(theme.name === 'high-contrast' ? { border: theme.panel.edge } : {}),
        radius: 5,
      }),
      ...label(inset(area, 10, 0), window?.title ?? '', {
        font: fontFor(20, 500, 13),
        colour: isOpen ? theme.panel.text : theme.panel.muted,
      }),
      ...(isActive && line.width > 4 ? [box(line, { fill: theme.accent, radius: 1 })] : []),
    ]
  })
  const time = inset(panel.clock, 4, 0)
  return layer({
    marks: [
      flat(bounds, theme.panel.bar),
      flat({ ...bounds, height: 1 }, theme.panel.edge),
      ...buttons,
      ...label(time, clockText(desktop.nowMs), {
        font: fontFor(20, 500, 13),
        colour: theme.panel.text,
        align: 'right',
      }),
    ],
    clip: bounds,
    covers: bounds,
  })
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `14:05  12 Mar 2024`, in UTC, so that it reads the same everywhere. */
function clockText(nowMs: number | undefined): string {
  if (nowMs === undefined) return ''
  const time = new Date(nowMs)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}  ${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]} ${time.getUTCFullYear()}`
}

const memories = new Map<string, WeakMap<object, Layer>>()

/** What was made of a value before in the same way, or is made now. */
function remembered(way: string, value: object, make: () => Layer): Layer {
  const memory = memories.get(way) ?? new WeakMap<object, Layer>()
  memories.set(way, memory)
  const made = memory.get(value) ?? make()
  memory.set(value, made)
  return made
}
