import { LruCache } from '../../base/lru-cache.ts'
import type { Window } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { isShellText } from '../../desktop/model/shell-texts.ts'
import { DIVIDER_PX } from '../../desktop/shell/bars.ts'
import { MENUS_ID } from '../../desktop/shell/menus.ts'
import { barKindOf } from '../../desktop/shell/shell-elements.ts'
import { BATTERY_ID, INPUT_ID, inputLayout, NETWORK_ID, SOUND_ID } from '../../desktop/shell/tray.ts'
import { backdrop, box, type DrawOp, path, roundedGradient, solid } from '../frame/draw-op.ts'
import { label } from '../frame/label.ts'
import { type Layer, layer } from '../frame/layer.ts'
import type { DrawnIcon } from '../icons.ts'
import type { Font } from '../text/fonts.ts'
import type { ShellTheme, Theme } from '../theme/theme.ts'
import type { ShellColours } from '../theme/tokens.ts'
import { iconIn, inset, squareIn } from '../widgets/widget.ts'
import { binPicture } from './desk-pictures.ts'

/** The theme and colours of a shell, and the element of it that the pointer is on. */
export interface ShellContext {
  readonly theme: Theme
  readonly shell: ShellTheme
  readonly colours: ShellColours
  readonly hovered: string | undefined
  readonly pressed: string | undefined
}

/** The kind of the bar that is painted. Undefined for another window. */
type BarKind = ReturnType<typeof barKindOf>

const font = (size: number, weight = 400): Font => ({ family: 'ui', size, weight })

/** The words of a style on its bars. */
const wordsOf = ({ theme }: ShellContext, size: number, weight = 400): Font => ({
  family: theme.type.family,
  size,
  weight,
})

const DOCK_RADIUS_PX = 19

/** A bar of any kind. Its edge is the side where the windows are. */
export function barLayer({ uid, bounds, tree, screen }: Window, context: ShellContext): Layer {
  const { colours, shell, theme } = context
  const bar = barKindOf(uid)
  const isDock = bar === 'dock'
  const isAtBottom = shell.bars.some(({ kind, edge: side }) => kind === bar && side === 'bottom')
  const edge = { ...bounds, y: isAtBottom ? bounds.y : bounds.y + bounds.height - 1, height: 1 }
  const back = layer({
    ops: glass(bounds, isDock ? colours.dock : colours.bar, screen, theme),
    ...(isDock && { rounded: { rect: bounds, radius: DOCK_RADIUS_PX } }),
  })
  const rim = isDock
    ? [box(bounds, { border: colours.dockEdge, radius: DOCK_RADIUS_PX })]
    : colours.edge
      ? [solid(edge, colours.edge)]
      : []
  const parts = tree.children.flatMap((child) => partOps(child, context, bar))
  return layer({
    children: [back],
    over: [...rim, ...systemLogo(bar, bounds, context), ...parts],
    clip: bounds,
    ...(!isDock && { covers: bounds }),
  })
}

/** The bin, and a line before it. */
function binOps({ x, y, width, height }: Rect, { text }: ShellColours): readonly DrawOp[] {
  const line = { x: x + 2, y: y + 4, width: 1, height: height - 10 }
  const bin = faceIn({ x: x + DIVIDER_PX, y, width: width - DIVIDER_PX, height })
  return [solid(line, `${text.slice(0, 7)}40`), ...binPicture(bin)]
}

/** A ring at the start of the menu bar. */
function systemLogo(bar: BarKind, { x, y }: Rect, { colours }: ShellContext): readonly DrawOp[] {
  if (bar !== 'menu bar') return []
  const ring = { x: x + 20, y: y + 6, width: 13, height: 13 }
  const dot = inset(ring, 4)
  return [box(ring, { border: colours.text, thickness: 2, radius: 6.5 }), box(dot, { fill: colours.text, radius: 2.5 })]
}

/** The icon of a button of the tray. */
function trayIcon({ id, value }: Element): DrawnIcon | undefined {
  switch (id) {
    case NETWORK_ID:
      return isShellText(value ?? '', 'Not connected') ? 'network-off' : 'network'
    case SOUND_ID:
      return value === '0%' ? 'sound-off' : 'sound'
    case BATTERY_ID:
      return 'battery'
    case 'shell.tray':
      return 'chevron-up'
    case 'shell.bell':
      return 'bell-line'
    case 'shell.control-centre':
      return 'control-centre'
    default:
      return undefined
  }
}

function partOps(element: Element, context: ShellContext, bar: BarKind): readonly DrawOp[] {
  const { id, bounds, name } = element
  const { colours } = context
  const state = trayIcon(element)
  const back = hoverOps(element, context, bar)
  if (state) return [...back, iconIn(bounds, state, 16, colours.text)]
  switch (id) {
    case 'shell.clock':
      return [...back, ...clockOps(element, context, bar)]
    case INPUT_ID:
      return [...back, ...inputOps(element, context, bar)]
    case MENUS_ID:
      return element.children.flatMap((menu) => menuOps(menu, context))
    case 'shell.app-name':
      return label(inset(bounds, 10, 0), name, { font: font(13, 700), colour: colours.text })
    case 'shell.activities':
      return [...back, ...activitiesOps(bounds, colours.text)]
    case 'shell.start':
      return bar === 'dock' ? launcherFace(faceIn(bounds)) : [...back, ...startLogo(bounds, colours)]
    case 'shell.bin':
      return binOps(bounds, colours)
    case 'shell.search':
      return bar === 'menu bar' ? [...back, iconIn(bounds, 'search', 15, colours.text)] : searchOps(element, context)
    default:
      return drawTask(element, context, bar)
  }
}

/** The name of a menu, on a tint while it is open. */
function menuOps(menu: Element, context: ShellContext): readonly DrawOp[] {
  const { bounds, name, expanded } = menu
  const { text: colour, active, hover } = context.colours
  const fill = expanded ? active : menu.id === context.hovered ? hover : undefined
  return [
    ...(fill ? [box(inset(bounds, 0, 2), { fill, radius: 4 })] : []),
    ...label(inset(bounds, 4, 0), name, { font: font(13, 500), colour, align: 'center' }),
  ]
}

/** Behind a button that the pointer is on. */
function hoverOps(
  { id, bounds }: Element,
  { colours, hovered, pressed }: ShellContext,
  bar: BarKind,
): readonly DrawOp[] {
  if (id !== hovered || bar === 'dock') return []
  const fill = id === pressed ? colours.pressed : colours.hover
  if (bar === 'taskbar') return [box(bounds, { fill, radius: 4 })]
  return [box(inset(bounds, 0, 2), { fill, radius: bar === 'top bar' ? (bounds.height - 4) / 2 : 4 })]
}

/** In a taskbar the time is above the date. */
function clockOps({ bounds, name }: Element, context: ShellContext, bar: BarKind): readonly DrawOp[] {
  const { text: colour } = context.colours
  if (bar !== 'taskbar') {
    const words = bar === 'top bar' ? font(13.5, 700) : font(13, 500)
    return label(bounds, name, { font: words, colour, align: 'center' })
  }
  const [time = '', date = ''] = name.split('  ')
  const inner = { ...bounds, width: bounds.width - 6 }
  const middle = bounds.y + Math.floor(bounds.height / 2)
  const line = (content: string, y: number) =>
    label({ ...inner, y, height: 16 }, content, { font: wordsOf(context, 12), colour, align: 'right' })
  return [...line(time, middle - 16), ...line(date, middle)]
}

/** In a top bar it is the language, in small letters. */
function inputOps({ bounds, name }: Element, context: ShellContext, bar: BarKind): readonly DrawOp[] {
  const isInTopBar = bar === 'top bar'
  const layout = inputLayout(name)
  return label(bounds, (isInTopBar ? layout?.language : layout?.sign) ?? name, {
    font: isInTopBar ? font(13.5, 700) : wordsOf(context, 12),
    colour: context.colours.text,
    align: 'center',
  })
}

/** A long mark and two dots: the workspaces. */
function activitiesOps({ x, y, height }: Rect, colour: string): readonly DrawOp[] {
  const top = y + Math.floor(height / 2) - 3
  const dot = (at: number) => box({ x: x + at, y: top, width: 6, height: 6 }, { fill: `${colour}80`, radius: 3 })
  return [box({ x: x + 10, y: top, width: 32, height: 6 }, { fill: colour, radius: 3 }), dot(49), dot(61)]
}

/** Nine dots. */
function startLogo(bounds: Rect, { accent, startTop }: ShellColours): readonly DrawOp[] {
  const x = bounds.x + Math.floor((bounds.width - 20) / 2)
  const y = bounds.y + Math.floor((bounds.height - 20) / 2)
  return [0, 1, 2].flatMap((row) =>
    [0, 1, 2].map((column) =>
      roundedGradient(
        { x: x + column * 7, y: y + row * 7, width: 6, height: 6 },
        { top: startTop, bottom: accent, radius: 2 },
      ),
    ),
  )
}

/** The square of the picture of a button in the dock, above the dot of an open window. */
export const faceIn = ({ x, y, width, height }: Rect): Rect => {
  const size = Math.max(4, Math.min(46, width - 2))
  return {
    x: x + Math.floor((width - size) / 2),
    y: y + Math.max(0, Math.floor((height - 12 - size) / 2)) + 1,
    width: size,
    height: size,
  }
}

/** The size of the sign for all applications. */
export const DOTS_PX = 24

function launcherFace(area: Rect): readonly DrawOp[] {
  const margin = Math.max(1, Math.round((area.width * (46 - DOTS_PX)) / 92))
  return [
    roundedGradient(area, { top: '#f6f7fa', bottom: '#c9ced9', radius: Math.round(area.width * 0.235) }),
    nineDots(inset(area, margin), '#4a5160'),
  ]
}

/** Nine dots: the sign for all applications. */
export const nineDots = (area: Rect, colour: string): DrawOp =>
  path(area, { path: DOTS, size: { width: 24, height: 24 }, colour, isFixed: true })

const DOTS = [3, 12, 21]
  .flatMap((y) => [3, 12, 21].map((x) => `M${x} ${y - 3} A3 3 0 1 1 ${x} ${y + 3} A3 3 0 1 1 ${x} ${y - 3} Z`))
  .join(' ')

function searchOps({ id, bounds, name }: Element, context: ShellContext): readonly DrawOp[] {
  const { field, fieldEdge, text: colour, muted, hover } = context.colours
  const pill = squareInHeight(bounds, 32)
  return [
    box(pill, { fill: field, radius: 16, border: fieldEdge }),
    ...(id === context.hovered ? [box(pill, { fill: hover, radius: 16 })] : []),
    iconIn({ ...pill, width: 40 }, 'search', 16, colour),
    ...label({ ...pill, x: pill.x + 36, width: pill.width - 46 }, name, { font: wordsOf(context, 14), colour: muted }),
  ]
}

const squareInHeight = (area: Rect, height: number): Rect => ({
  ...area,
  y: area.y + Math.floor((area.height - height) / 2),
  height,
})

/** The button of a window or application on a bar or in the dash, with a mark below it while a window is open. */
export function drawTask(element: Element, context: ShellContext, place: BarKind | 'dash'): readonly DrawOp[] {
  const { colours, hovered } = context
  const { appPicture } = context.theme.chrome
  const { id, bounds, name, selected, value, traits } = element
  const isRunning = value !== null && value !== ''
  const middle = bounds.x + Math.floor(bounds.width / 2)
  const app = { kind: traits?.appKind, name }
  if (place === 'taskbar') {
    const size = Math.min(24, Math.max(4, bounds.width - 4))
    const long = selected ? 16 : 6
    const pill = { x: middle - long / 2, y: bounds.y + bounds.height - 1, width: long, height: 3 }
    const lit = id === hovered ? colours.hover : undefined
    const back = selected
      ? [box(bounds, { fill: colours.active, border: colours.activeEdge, radius: 5 })]
      : lit
        ? [box(bounds, { fill: lit, radius: 5 })]
        : []
    return [
      ...back,
      ...appPicture(squareIn(bounds, size, Math.floor((bounds.width - size) / 2)), app),
      ...(isRunning
        ? [box({ ...pill, y: pill.y - 3 }, { fill: selected ? colours.accent : colours.running, radius: 1.5 })]
        : []),
    ]
  }
  if (place === 'dock') {
    const square = faceIn(bounds)
    const dot = { x: middle - 2, y: bounds.y + bounds.height - 6, width: 4, height: 4 }
    return [...appPicture(square, app), ...(isRunning ? [box(dot, { fill: colours.running, radius: 2 })] : [])]
  }
  const size = Math.min(48, bounds.width - 8)
  const square = { x: middle - Math.floor(size / 2), y: bounds.y + 14, width: size, height: size }
  const dot = { x: middle - 2, y: square.y + size + 8, width: 4, height: 4 }
  return [...appPicture(square, app), ...(isRunning ? [box(dot, { fill: colours.running, radius: 2 })] : [])]
}

/** The pixels over which the edges of the wallpaper fade below glass. */
const SOFT_PX = 64

/**
 * Glass over the wallpaper of a monitor: the wallpaper with soft edges, and a tint. Windows do not show through it. An opaque
 * tint is painted alone.
 */
export function glass(area: Rect, tint: string, screen: Rect | undefined, theme: Theme): readonly DrawOp[] {
  const isOpaque = tint.length === 7
  if (isOpaque || !screen) return [solid(area, tint)]
  return [...softWallpaper(screen, theme).map((op) => ({ ...op, bounds: area })), solid(area, tint)]
}

/** The wallpapers below glass, of which each part has the same tables. */
const soft = new LruCache<string, readonly DrawOp[]>(16)

function softWallpaper(bounds: Rect, theme: Theme): readonly DrawOp[] {
  const key = JSON.stringify([theme.style, theme.name, bounds])
  const known = soft.get(key)
  if (known) return known
  const ops = theme.chrome.wallpaper({ index: 0, primary: true, bounds, scaleFactor: 1 }, theme)
  return soft.keep(key, ops.map(softened))
}

function softened(op: DrawOp): DrawOp {
  if (op.style.kind !== 'backdrop') return op
  const { kind: _, span, soft: __, ...style } = op.style
  return backdrop(span, style, span, SOFT_PX)
}
