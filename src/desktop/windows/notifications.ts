import type { Desktop } from '../model/desktop.ts'
import type { Rect } from '../model/geometry.ts'
import { styleMetrics } from '../style/style.ts'
import { primaryMonitor, workArea } from './panel.ts'

/**
 * The bounds of the next notification of a size: in the bottom right corner of the primary monitor's work area, above
 * those that are open. Without space above them, in the corner.
 */
export function notificationBounds(desktop: Desktop, { width, height }: Pick<Rect, 'width' | 'height'>): Rect {
  const { margin, gap } = styleMetrics(desktop.style).notification
  const monitor = primaryMonitor(desktop)
  const area = monitor ? workArea(desktop, monitor) : { x: 0, y: 0, width, height }
  const open = desktop.windows.filter(({ notification }) => notification)
  const corner = area.y + area.height - margin - height
  const above = Math.min(...open.map(({ bounds }) => bounds.y - gap - height))
  const y = above < area.y ? corner : Math.min(corner, above)
  return { x: Math.max(area.x, area.x + area.width - margin - width), y: Math.max(area.y, y), width, height }
}
