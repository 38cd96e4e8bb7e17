import type { Desktop } from '../model/desktop.ts'
import type { Rect } from '../model/geometry.ts'
import { styleMetrics } from '../style/style.ts'
import { primaryMonitor, workArea } from './panel.ts'

/**
 * The bounds of the next notification of a size: where the style has them on the primary monitor's work area, above or
 * below those that are open. Without space there, in the first place.
 */
export function notificationBounds(desktop: Desktop, { width, height }: Pick<Rect, 'width' | 'height'>): Rect {
  const { margin, gap, place } = styleMetrics(desktop.style).notification
  const monitor = primaryMonitor(desktop)
  const area = monitor ? workArea(desktop, monitor) : { x: 0, y: 0, width, height }
  const open = desktop.windows.filter(({ notification }) => notification).map(({ bounds }) => bounds)
  const right = area.x + area.width - margin - width
  const x = Math.max(area.x, place === 'bottom' ? area.x + Math.floor((area.width - width) / 2) : right)
  return { x, y: Math.max(area.y, place === 'top right' ? below() : above()), width, height }

  function above(): number {
    const corner = area.y + area.height - margin - height
    const y = Math.min(...open.map((bounds) => bounds.y - gap - height))
    return y < area.y ? corner : Math.min(corner, y)
  }

  function below(): number {
    const corner = area.y + margin
    const y = Math.max(corner, ...open.map((bounds) => bounds.y + bounds.height + gap))
    return y + height > area.y + area.height ? corner : y
  }
}
