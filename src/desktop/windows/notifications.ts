import type { Desktop } from '../model/desktop.ts'
import type { Rect } from '../model/geometry.ts'
import { primaryMonitor, workArea } from './panel.ts'

const MARGIN_PX = 16
const GAP_PX = 8

/**
 * The bounds of the next notification of a size: in the bottom right corner of the primary monitor's work area, above
 * those that are open. Without space above them, in the corner.
 */
export function notificationBounds(desktop: Desktop, { width, height }: Pick<Rect, 'width' | 'height'>): Rect {
  const monitor = primaryMonitor(desktop)
  const area = monitor ? workArea(desktop, monitor) : { x: 0, y: 0, width, height }
  const open = desktop.windows.filter(({ notification }) => notification)
  const corner = area.y + area.height - MARGIN_PX - height
  const above = Math.min(...open.map(({ bounds }) => bounds.y - GAP_PX - height))
  const y = above < area.y ? corner : Math.min(corner, above)
  return { x: Math.max(area.x, area.x + area.width - MARGIN_PX - width), y: Math.max(area.y, y), width, height }
}
