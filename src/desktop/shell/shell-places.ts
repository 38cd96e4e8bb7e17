import type { Rect } from '../model/geometry.ts'
import type { DesktopStyle } from '../style/style.ts'

/** A style with a shell. */
export type ShellStyle = Exclude<DesktopStyle, 'backlot'>

/** Where the parts of the shell are on a monitor, per style, in pixels. */
interface ShellPlaces {
  /** The heights of the areas that maximised windows leave free. */
  readonly top: number
  readonly bottom: number
  /** The height of the bar with the clock. */
  readonly bar: number
}

/** The pixels between the dock and the windows above it, and below it. */
export const DOCK_GAP_PX = 5
export const DOCK_HEIGHT_PX = 66

const PLACES: Readonly<Record<ShellStyle, ShellPlaces>> = {
  windows: { top: 0, bottom: 48, bar: 48 },
  macos: { top: 24, bottom: DOCK_HEIGHT_PX + 2 * DOCK_GAP_PX, bar: 24 },
  gnome: { top: 32, bottom: 0, bar: 32 },
}

/** The area of a monitor that the shell leaves to windows. */
export function areaInsideShell({ x, y, width, height }: Rect, style: ShellStyle): Rect {
  const { top, bottom } = PLACES[style]
  return { x, y: y + top, width, height: Math.max(0, height - top - bottom) }
}

/** The bar with the clock: at the bottom in the style `windows`, otherwise at the top. */
export function clockBarOf({ x, y, width, height }: Rect, style: ShellStyle): Rect {
  const { bar } = PLACES[style]
  return { x, y: style === 'windows' ? y + height - bar : y, width, height: bar }
}
