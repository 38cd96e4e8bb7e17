import type { Window } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import { intersect, type Rect, unite } from '../../desktop/model/geometry.ts'
import { SEARCH_ID, SHOW_APPS_ID } from '../../desktop/shell/launcher.ts'
import { ALL_ID, APP_LIST_ID, BACK_ID, DOT_ID } from '../../desktop/shell/launcher-apps.ts'
import type { ShellMetrics } from '../../desktop/style/metrics.ts'
import { backdrop, box, type DrawOp, shadow, solid } from '../frame/draw-op.ts'
import { label } from '../frame/label.ts'
import { type Layer, layer } from '../frame/layer.ts'
import { type Font, widthOf } from '../text/fonts.ts'
import type { PaintContext, Theme } from '../theme/theme.ts'
import { scrollThumb } from '../widgets/ranges.ts'
import { iconIn, inset } from '../widgets/widget.ts'
import { DOTS_PX, drawTask, nineDots, type ShellContext } from './bars.ts'
import { filePicture } from './desk-pictures.ts'

type LauncherKind = ShellMetrics['launcher']

/** The radius of the corners of each kind of launcher. */
export const LAUNCHER_RADIUS: Readonly<Record<LauncherKind, number>> = {
  'start menu': 8,
  'search panel': 14,
  overview: 0,
}

/** Draws the launcher, above its glass and below its field. */
export function drawLauncher({ bounds, tree, screen }: Window, context: ShellContext): readonly DrawOp[] {
  const { children } = tree
  const of = (start: string) => children.filter(({ id }) => id.startsWith(start))
  const field = children.find(({ id }) => id === SEARCH_ID)
  const kind = context.shell.launcher
  return [
    ...(field ? fieldOps(field, bounds, context) : []),
    ...(field && kind === 'search panel' ? completionOps(field, children, context) : []),
    ...(kind === 'overview' ? workspaceOps(bounds, screen, context) : []),
    ...(kind === 'start menu' ? footerOps(bounds, context) : []),
    ...dashFace([...of('shell.dash.'), ...of(SHOW_APPS_ID)], context),
    ...children.flatMap((child) => partOps(child, context)),
  ]
}

/** The pill of the field with a magnifying glass, or the head of the panel. */
function fieldOps({ bounds }: Element, window: Rect, { shell, colours }: ShellContext): readonly DrawOp[] {
  if (shell.launcher === 'search panel')
    return [
      iconIn({ ...bounds, x: window.x + 12, width: 36 }, 'search', 24, colours.launcherMuted),
      solid({ ...window, y: window.y + 56, height: 1 }, colours.launcherLine),
    ]
  const height = shell.launcher === 'overview' ? 38 : 36
  const pill = {
    x: bounds.x - 36,
    y: bounds.y - (height - bounds.height) / 2,
    width: bounds.width + 52,
    height,
  }
  return [
    box(pill, { fill: colours.launcherField, border: colours.launcherFieldEdge, radius: height / 2 }),
    iconIn({ ...pill, width: 44 }, 'search', 16, colours.launcherText),
  ]
}

/** The size of the text in the field of a search panel, and the space before it. */
export const LARGE_FIELD_PX = 20
const FIELD_PADDING_PX = 9

/** The rest of the name of the first application, after the letters of it that were typed, and its picture. */
function completionOps(
  { value, bounds }: Element,
  parts: readonly Element[],
  { theme, colours }: ShellContext,
): readonly DrawOp[] {
  const typed = value ?? ''
  const first = parts.find(({ traits }) => traits?.presses === 'enter')
  if (typed === '' || !first?.name.toLowerCase().startsWith(typed.toLowerCase())) return []
  const font: Font = { family: theme.type.family, size: LARGE_FIELD_PX, weight: 400 }
  const from = FIELD_PADDING_PX + Math.ceil(widthOf(typed, font)) + 1
  const rest = { ...bounds, x: bounds.x + from, width: Math.max(0, bounds.width - from - FIELD_PADDING_PX) }
  const picture = { x: bounds.x + bounds.width + 14, y: bounds.y + ((bounds.height - 28) >> 1), width: 28, height: 28 }
  // The rest is a hint. It is no text that can be read or found.
  const words = label(rest, first.name.slice(typed.length), { font, colour: colours.launcherMuted })
  return [
    ...words.map(({ run: _, ...op }) => op),
    ...theme.chrome.appPicture(picture, { kind: first.traits?.appKind, name: first.name }),
  ]
}

const FOOTER_PX = 64

function footerOps({ x, y, width, height }: Rect, { colours }: ShellContext): readonly DrawOp[] {
  const top = y + height - FOOTER_PX
  return [
    box({ x, y: top, width, height: FOOTER_PX }, { fill: colours.launcherFooter, radius: [0, 0, 8, 8] }),
    solid({ x, y: top, width, height: 1 }, colours.launcherLine),
  ]
}

function dashFace(tasks: readonly Element[], { colours }: ShellContext): readonly DrawOp[] {
  const [first, ...others] = tasks
  if (!first) return []
  const { x, y, width, height } = others.reduce((all, { bounds }) => unite(all, bounds), first.bounds)
  const area = { x: x - 14, y, width: width + 28, height }
  return [box(area, { fill: colours.dock, border: colours.dockEdge, radius: 28 })]
}

function partOps(element: Element, context: ShellContext): readonly DrawOp[] {
  const { id, name, bounds, role } = element
  const { colours, shell, theme } = context
  if (id === SEARCH_ID || id === APP_LIST_ID) return []
  if (id === ALL_ID || id === BACK_ID) return pageButtonOps(element, context)
  if (id.startsWith('shell.dash.')) return [...backOps(element, context), ...drawTask(element, context, 'dash')]
  if (id === SHOW_APPS_ID) return [...backOps(element, context), ...dotsOps(bounds, colours.launcherText)]
  if (id.startsWith(DOT_ID)) return pageDotOps(element, context)
  if (id.startsWith('shell.window.')) return miniWindow(element, context)
  if (id.startsWith('shell.document.')) return [...backOps(element, context), ...documentOps(element, context)]
  if (id === 'shell.user') return [...backOps(element, context), ...userOps(element, context)]
  if (id === 'shell.power') return [...backOps(element, context), iconIn(bounds, 'power', 18, colours.launcherText)]
  if (role === 'Text') {
    const isStrong = id.startsWith('shell.heading') && shell.launcher === 'start menu'
    const words: Font = { family: theme.type.family, size: isStrong ? 14 : 12, weight: isStrong ? 600 : 500 }
    return label(bounds, name, { font: words, colour: isStrong ? colours.launcherText : colours.launcherMuted })
  }
  return [...backOps(element, context), ...appOps(element, context)]
}

/** Nine dots at the height of the pictures of the dash. */
function dotsOps({ x, y, width }: Rect, colour: string): readonly DrawOp[] {
  const size = Math.min(DOTS_PX, width - 8)
  const area = { x: x + ((width - size) >> 1), y: y + 38 - (size >> 1), width: size, height: size }
  return size > 0 ? [nineDots(area, colour)] : []
}

/** The dot of a page. That of the page that is shown is larger. */
function pageDotOps(element: Element, context: ShellContext): readonly DrawOp[] {
  const { bounds, selected } = element
  const { launcherText, launcherMuted } = context.colours
  const size = Math.min(selected ? 8 : 6, bounds.width)
  const dot = {
    x: bounds.x + ((bounds.width - size) >> 1),
    y: bounds.y + ((bounds.height - size) >> 1),
    width: size,
    height: size,
  }
  return [...backOps(element, context), box(dot, { fill: selected ? launcherText : launcherMuted, radius: size / 2 })]
}

/** The list of all applications, with a scroll thumb. */
export function appListLayer(list: Element, context: ShellContext, setting: PaintContext): Layer {
  const font: Font = { family: context.theme.type.family, size: 12, weight: 400 }
  const shown = list.children.filter((row) => intersect(row.bounds, list.bounds))
  const ops = shown.flatMap((row) => {
    const { bounds, name, traits } = row
    const size = 26
    const face = { x: bounds.x + 10, y: bounds.y + ((bounds.height - size) >> 1), width: size, height: size }
    return [
      ...backOps(row, context),
      ...context.theme.chrome.appPicture(face, { kind: traits?.appKind, name }),
      ...label({ ...bounds, x: bounds.x + 46, width: bounds.width - 60 }, name, {
        font,
        colour: context.colours.launcherText,
      }),
    ]
  })
  return layer({ ops, over: scrollThumb(list, setting), clip: list.bounds })
}

/** The button to another page of applications: its word, and where it leads. */
function pageButtonOps({ id, bounds, name, focused }: Element, context: ShellContext): readonly DrawOp[] {
  const { colours, hovered, theme } = context
  const isBack = id === BACK_ID
  const sign = { ...bounds, x: isBack ? bounds.x + 4 : bounds.x + bounds.width - 24, width: 20 }
  const words = { ...bounds, x: bounds.x + (isBack ? 26 : 10), width: bounds.width - 36 }
  const border = focused ? { border: colours.ring, thickness: 2 } : { border: colours.launcherFieldEdge }
  return [
    box(bounds, { fill: colours.launcherField, radius: 4, ...border }),
    ...(id === hovered ? [box(bounds, { fill: colours.launcherHover, radius: 4 })] : []),
    iconIn(sign, isBack ? 'chevron-left' : 'chevron-right', 12, colours.launcherMuted),
    ...label(words, name, {
      font: { family: theme.type.family, size: 12, weight: 400 },
      colour: colours.launcherText,
    }),
  ]
}

/** Behind a button that has the focus or the pointer. */
function backOps(
  { focused, bounds, id, traits }: Element,
  { colours, hovered, shell }: ShellContext,
): readonly DrawOp[] {
  const kind = shell.launcher
  const radius = kind === 'overview' ? 16 : kind === 'search panel' ? 6 : 4
  if (focused) return [box(bounds, { fill: colours.launcherHover, border: colours.ring, thickness: 2, radius })]
  const isFirst = kind === 'search panel' && traits?.presses === 'enter'
  return id === hovered && !isFirst ? [box(bounds, { fill: colours.launcherHover, radius })] : []
}

/** A window of the workspace: its title bar, lines as content, and its application. */
function miniWindow(
  { bounds, name, traits, id }: Element,
  { theme, hovered, colours }: ShellContext,
): readonly DrawOp[] {
  const { surface, title } = theme.window
  const bar = { ...bounds, height: Math.min(12, bounds.height) }
  const lines = Math.max(0, Math.min(6, Math.floor((bounds.height - 48) / 14)))
  const size = Math.min(32, bounds.height >> 1)
  const face = {
    x: bounds.x + ((bounds.width - size) >> 1),
    y: bounds.y + bounds.height - (size >> 1) - 8,
    width: size,
    height: size,
  }
  const side = Math.floor(bounds.width / 4)
  return [
    shadow(bounds, { reach: 8, drop: 3, opacity: 0.35, radius: 6 }),
    box(bounds, { fill: surface, radius: 6, ...(id === hovered && { border: colours.accent, thickness: 2 }) }),
    box(bar, { fill: title, radius: [6, 6, 0, 0] }),
    box(
      { ...bounds, y: bounds.y + 12, width: side, height: Math.max(1, bounds.height - 12) },
      { fill: theme.bar, radius: [0, 0, 0, 6] },
    ),
    ...miniLines({ ...bounds, width: side - 4 }, lines, theme.border),
    ...miniLines({ ...bounds, x: bounds.x + side, width: bounds.width - side - 4 }, lines, theme.disabled),
    ...theme.chrome.appPicture(face, { kind: traits?.appKind, name }),
  ]
}

/** Lines that stand for the text of a pane, each shorter than the one before. */
const miniLines = ({ x, y, width }: Rect, count: number, fill: string): readonly DrawOp[] =>
  Array.from({ length: count }, (_, index) => {
    const length = Math.max(4, Math.floor(((width - 20) * (10 - index)) / 11))
    return box({ x: x + 10, y: y + 22 + index * 14, width: length, height: 4 }, { fill, radius: 2 })
  })

/** A file: its picture, its name and its folder. */
function documentOps({ bounds, name, value }: Element, { shell, colours, theme }: ShellContext): readonly DrawOp[] {
  const { family } = theme.type
  const { launcherText: colour, launcherMuted } = colours
  if (shell.launcher === 'search panel') {
    const words = { ...bounds, x: bounds.x + 48, width: bounds.width - 60 }
    return [
      ...filePicture({ x: bounds.x + 11, y: bounds.y + 7, width: 24, height: 24 }, name),
      ...label(words, name, { font: { family, size: 13, weight: 400 }, colour }),
    ]
  }
  const words = { ...bounds, x: bounds.x + 46, width: bounds.width - 54, height: 18 }
  return [
    ...filePicture(
      { x: bounds.x + 8, y: bounds.y + Math.floor((bounds.height - 30) / 2), width: 30, height: 30 },
      name,
    ),
    ...label({ ...words, y: bounds.y + 9 }, name, { font: { family, size: 12, weight: 400 }, colour }),
    ...label({ ...words, y: bounds.y + 27 }, value ?? '', {
      font: { family, size: 12, weight: 400 },
      colour: launcherMuted,
    }),
  ]
}

/** A picture of the user and the name. */
function userOps({ bounds, name }: Element, { colours, theme }: ShellContext): readonly DrawOp[] {
  const circle = { x: bounds.x + 8, y: bounds.y + 5, width: 30, height: 30 }
  const words = { ...bounds, x: bounds.x + 50, width: bounds.width - 58 }
  return [
    box(circle, { fill: '#7a8ba3', radius: 15 }),
    iconIn(circle, 'user', 16, '#ffffff'),
    ...label(words, name, { font: { family: theme.type.family, size: 12, weight: 400 }, colour: colours.launcherText }),
  ]
}

/** The size of the picture of an application, and its distance from the top of its cell. */
const CELLS: Readonly<
  Record<LauncherKind, { readonly size: number; readonly top: number; readonly text: number; readonly weight: number }>
> = {
  'start menu': { size: 34, top: 10, text: 12, weight: 400 },
  overview: { size: 76, top: 14, text: 14.67, weight: 700 },
  'search panel': { size: 26, top: 6, text: 13, weight: 400 },
}

function appOps({ bounds, name, value, traits }: Element, { shell, colours, theme }: ShellContext): readonly DrawOp[] {
  const { appPicture } = theme.chrome
  const { size, top, text, weight } = CELLS[shell.launcher]
  const font: Font = { family: theme.type.family, size: text, weight }
  const { launcherText: colour } = colours
  const app = { kind: traits?.appKind, name }
  if (shell.launcher === 'search panel') {
    const isFirst = traits?.presses === 'enter'
    const face = { x: bounds.x + 10, y: bounds.y + top, width: size, height: size }
    const words = { ...bounds, x: bounds.x + 48, width: bounds.width - 100 }
    const ink = isFirst ? colours.onAccent : colour
    return [
      ...(isFirst ? [box(bounds, { fill: colours.accent, radius: 6 })] : []),
      ...appPicture(face, app),
      ...label(words, name, { font, colour: ink }),
      ...label(inset(bounds, 12, 0), value ?? '', {
        font,
        colour: isFirst ? ink : colours.launcherMuted,
        align: 'right',
      }),
    ]
  }
  const face: Rect = {
    x: bounds.x + Math.floor((bounds.width - size) / 2),
    y: bounds.y + top,
    width: size,
    height: size,
  }
  const below = face.y + size
  const words = { ...inset(bounds, 4, 0), y: below + 4, height: Math.max(0, bounds.y + bounds.height - below - 8) }
  return [...appPicture(face, app), ...label(words, name, { font, colour, align: 'center' })]
}

/** The workspaces of an overview. */
interface WorkspaceMetrics {
  /** The least height of the launcher that has them, and where they are in it. */
  readonly minHeight: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly radius: number
  /** How much of the neighbours of the current one shows at the sides, and the least space between. */
  readonly peek: number
  readonly gap: number
  /** The opacity of the tint on the neighbours, as two digits of a colour. */
  readonly dim: string
}

const WORKSPACE: WorkspaceMetrics = {
  minHeight: 700,
  top: 66,
  width: 340,
  height: 212,
  radius: 12,
  peek: 78,
  gap: 40,
  dim: '80',
}

/** The current workspace with its wallpaper, and the edges of its neighbours, which are dimmed. */
function workspaceOps(bounds: Rect, screen: Rect | undefined, context: ShellContext): readonly DrawOp[] {
  const { minHeight, top, width, height, peek, gap } = WORKSPACE
  if (!screen || bounds.height < minHeight) return []
  const current = { x: bounds.x + Math.floor((bounds.width - width) / 2), y: bounds.y + top, width, height }
  const hasNeighbours = bounds.width >= width + 2 * (peek + gap)
  const sides = hasNeighbours ? [bounds.x + peek - width, bounds.x + bounds.width - peek] : []
  return [
    ...sides.flatMap((x) => neighbour({ ...current, x }, bounds, context)),
    ...wallpaper(current, current, context.theme),
    ...corners(current, context),
  ]
}

function neighbour(area: Rect, bounds: Rect, context: ShellContext): readonly DrawOp[] {
  const shown = intersect(area, bounds)
  if (!shown) return []
  const tint = solid(shown, `${context.colours.launcher.slice(0, 7)}${WORKSPACE.dim}`)
  return [...wallpaper(area, shown, context.theme), tint, ...corners(area, context)]
}

/** The part of a wallpaper that is shown. */
function wallpaper(area: Rect, shown: Rect, theme: Theme): readonly DrawOp[] {
  const ops = theme.chrome.wallpaper({ index: 0, primary: true, bounds: area, scaleFactor: 1 }, theme)
  return ops.map((op) => {
    if (op.style.kind !== 'backdrop') return { ...op, bounds: shown }
    const { kind: _, span, soft: __, ...style } = op.style
    return backdrop(span, style, shown)
  })
}

/** Round corners: a frame in the colour of the launcher around a picture. */
function corners({ x, y, width, height }: Rect, { colours }: ShellContext): readonly DrawOp[] {
  const { radius } = WORKSPACE
  const frame = { x: x - radius, y: y - radius, width: width + 2 * radius, height: height + 2 * radius }
  return [box(frame, { border: colours.launcher, thickness: radius, radius: 2 * radius })]
}
