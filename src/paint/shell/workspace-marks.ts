import type { Element } from '../../desktop/model/element.ts'
import { intersect, type Rect } from '../../desktop/model/geometry.ts'
import type { ShellStyle } from '../../desktop/shell/shell-places.ts'
import { backdrop, box, type Mark, solid } from '../frame/mark.ts'
import { stylePartsOf } from '../styles/parts.ts'
import type { Theme } from '../theme.ts'
import type { ShellLook } from './bar-marks.ts'

/** The workspaces of a launcher that covers the work area. */
interface WorkspaceLook {
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

/** The dots of the pages of applications, above the dash. The first page is shown. */
interface PageLook {
  readonly count: number
  readonly size: number
  readonly step: number
  /** From the middle of the dots to the dash. */
  readonly above: number
}

const WORKSPACES: Partial<Record<ShellStyle, WorkspaceLook>> = {
  gnome: { minHeight: 700, top: 66, width: 340, height: 212, radius: 12, peek: 78, gap: 40, dim: '80' },
}
const PAGES: Partial<Record<ShellStyle, PageLook>> = {
  gnome: { count: 2, size: 8, step: 20, above: 16 },
}

/** The current workspace with its wallpaper, and the edges of its neighbours, which are dimmed. */
export function workspaceMarks(bounds: Rect, screen: Rect | undefined, look: ShellLook): readonly Mark[] {
  const own = WORKSPACES[look.style]
  if (!own || !screen || bounds.height < own.minHeight) return []
  const { width, height, peek, gap } = own
  const current = { x: bounds.x + Math.floor((bounds.width - width) / 2), y: bounds.y + own.top, width, height }
  const hasNeighbours = bounds.width >= width + 2 * (peek + gap)
  const sides = hasNeighbours ? [bounds.x + peek - width, bounds.x + bounds.width - peek] : []
  return [
    ...sides.flatMap((x) => neighbour({ ...current, x }, bounds, own, look)),
    ...wallpaper(current, current, look.theme),
    ...corners(current, own, look),
  ]
}

function neighbour(area: Rect, bounds: Rect, own: WorkspaceLook, look: ShellLook): readonly Mark[] {
  const shown = intersect(area, bounds)
  if (!shown) return []
  const tint = solid(shown, `${look.colours.launcher.slice(0, 7)}${own.dim}`)
  return [...wallpaper(area, shown, look.theme), tint, ...corners(area, own, look)]
}

/** The part of a wallpaper that is shown. */
function wallpaper(area: Rect, shown: Rect, theme: Theme): readonly Mark[] {
  const marks = stylePartsOf(theme.style).wallpaper({ index: 0, primary: true, bounds: area, scaleFactor: 1 }, theme)
  return marks.map((mark) => {
    if (mark.look.kind !== 'backdrop') return { ...mark, ink: shown }
    const { kind: _, span, soft: __, ...style } = mark.look
    return backdrop(span, style, shown)
  })
}

/** Round corners: a frame in the colour of the launcher around a picture. */
const corners = ({ x, y, width, height }: Rect, { radius }: WorkspaceLook, { colours }: ShellLook): readonly Mark[] => [
  box(
    { x: x - radius, y: y - radius, width: width + 2 * radius, height: height + 2 * radius },
    { border: colours.launcher, thickness: radius, radius: 2 * radius },
  ),
]

/** The dots of the pages above the dash, unless a text is searched for. */
export function pageMarks(
  dash: Element | undefined,
  query: string,
  { x, width }: Rect,
  { style, colours }: ShellLook,
): readonly Mark[] {
  const own = PAGES[style]
  if (!own || !dash || query !== '') return []
  const { count, size, step, above } = own
  const left = x + Math.floor((width - (count - 1) * step - size) / 2)
  // A ring where muted colours are those of text.
  const hasMuted = colours.launcherMuted !== colours.launcherText
  const other = hasMuted ? { fill: colours.launcherMuted } : { border: colours.launcherMuted }
  return Array.from({ length: count }, (_, index) =>
    box(
      { x: left + index * step, y: dash.bounds.y - above - size / 2, width: size, height: size },
      index === 0 ? { fill: colours.launcherText, radius: size / 2 } : { ...other, radius: size / 2 },
    ),
  )
}
