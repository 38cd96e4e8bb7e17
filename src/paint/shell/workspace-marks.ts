import { intersect, type Rect } from '../../desktop/model/geometry.ts'
import type { ShellStyle } from '../../desktop/shell/shell-elements.ts'
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

const WORKSPACES: Partial<Record<ShellStyle, WorkspaceLook>> = {
  gnome: { minHeight: 700, top: 66, width: 340, height: 212, radius: 12, peek: 78, gap: 40, dim: '80' },
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
