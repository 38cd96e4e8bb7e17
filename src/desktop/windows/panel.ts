import { type Desktop, isHiddenWindow, type Monitor, type Window, windowByUid } from '../model/desktop.ts'
import { contains, type Point, type Rect } from '../model/geometry.ts'
import { textWidth } from '../model/text-width.ts'
import type { PanelMetrics, ShellBar, ShellMetrics } from '../style/metrics.ts'
import { styleMetrics } from '../style/style.ts'
import { ownersOf } from './stacking.ts'

/** The taskbar at the bottom of the primary monitor, with a button per window, for hit tests and paint. */
export interface Panel {
  readonly bounds: Rect
  readonly buttons: readonly PanelButton[]
  /** The bounds of the clock. */
  readonly clock: Rect
}

export interface PanelButton {
  /** The uid of its window. */
  readonly window: string
  readonly bounds: Rect
  /** Whether that window, or a dialog of it, is active. */
  readonly isActive: boolean
}

const FONT = 13
/** Titles are written in a medium weight, which is a little wider than the measured one. */
const WEIGHT = 1.06

/** The panel of a desktop. Undefined if it has none. */
export function panelOf(desktop: Desktop): Panel | undefined {
  const bounds = barOf(desktop)
  if (!bounds) return undefined
  const { panel: metrics } = styleMetrics(desktop.style)
  const { gap } = metrics
  const { x, width } = bounds
  const clock = { x: x + width - metrics.clock, y: bounds.y, width: metrics.clock, height: bounds.height }
  const windows = taskWindows(desktop)
  const active = activeOwner(desktop)
  const room = Math.max(0, width - metrics.clock - gap)
  const desired = windows.map((window) => desiredWidthOf(window, metrics))
  const wide = desired.map((width) => Math.max(width, metrics.minButton + gap))
  const widths = distribute(sum(wide) <= room ? wide : desired, room)
  let left = x + gap
  const buttons = windows.map((window, place) => {
    const button = {
      window: window.uid,
      bounds: { x: left, y: bounds.y + gap / 2, width: Math.max(1, widths[place]! - gap), height: bounds.height - gap },
      isActive: window === active && window.state !== 'minimized',
    }
    left += widths[place]!
    return button
  })
  return { bounds, buttons, clock }
}

/** The width of a window's title, plus the gap after it. */
function desiredWidthOf({ title }: Window, { height, maxButton, padding, gap }: PanelMetrics): number {
  const words = Math.ceil(textWidth(title, FONT) * WEIGHT) + 2 * padding
  return Math.max(height, Math.min(words, maxButton)) + gap
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** The desired widths. If space is short, the widest shrink until all fit. */
function distribute(desired: readonly number[], room: number): readonly number[] {
  let left = room
  let share = Number.POSITIVE_INFINITY
  const rising = [...desired].sort((a, b) => a - b)
  for (const [place, width] of rising.entries()) {
    share = Math.floor(left / (rising.length - place))
    if (width > share) break
    left -= width
    share = Number.POSITIVE_INFINITY
  }
  return desired.map((width) => Math.min(width, share))
}

/** The bar along the bottom of the primary monitor. */
function barOf(desktop: Desktop): Rect | undefined {
  const monitor = desktop.panel && !shellOf(desktop) ? primaryMonitor(desktop) : undefined
  if (!monitor) return undefined
  const { x, y, width, height } = monitor.bounds
  const bar = styleMetrics(desktop.style).panel.height
  return { x, y: y + height - bar, width, height: bar }
}

/** The part of the panel at a point: a button, `panel` for the bar itself, undefined outside it. */
export function panelAt(desktop: Desktop, point: Point): PanelButton | 'panel' | undefined {
  const bar = barOf(desktop)
  if (!bar || !contains(bar, point)) return undefined
  return panelOf(desktop)!.buttons.find(({ bounds }) => contains(bounds, point)) ?? 'panel'
}

/** The fields of a desktop that determine where its bars are. */
export type Screens = Pick<Desktop, 'monitors' | 'panel' | 'style'>

/** What the shell of a desktop consists of, which it has instead of the panel. Undefined without one. */
export const shellOf = ({ panel, style }: Pick<Desktop, 'panel' | 'style'>): ShellMetrics | undefined =>
  panel === true ? styleMetrics(style).shell : undefined

/** The area of a monitor that a maximised window fills: all of it except the panel. */
export function workArea(desktop: Screens, monitor: Monitor): Rect {
  if (!desktop.panel || monitor !== primaryMonitor(desktop)) return monitor.bounds
  const shell = shellOf(desktop)
  if (shell) return areaInsideShell(monitor.bounds, shell)
  return { ...monitor.bounds, height: monitor.bounds.height - styleMetrics(desktop.style).panel.height }
}

/** The area of a monitor that the bars of a shell leave to windows. */
export function areaInsideShell({ x, y, width, height }: Rect, { bars }: ShellMetrics): Rect {
  const at = (side: ShellBar['edge']) => sum(bars.filter(({ edge }) => edge === side).map((bar) => bar.height))
  const top = at('top')
  return { x, y: y + top, width, height: Math.max(0, height - top - at('bottom')) }
}

/** The primary monitor, otherwise the first. */
export function primaryMonitor(desktop: Pick<Desktop, 'monitors'>): Monitor | undefined {
  return desktop.monitors.find((monitor) => monitor.primary) ?? desktop.monitors[0]
}

/** The windows with a button, all but dialogs and notifications, ordered by handle so that buttons do not move. */
export function taskWindows(desktop: Desktop): readonly Window[] {
  return desktop.windows
    .filter((window) => window.modalTo === undefined && !window.notification && !isHiddenWindow(window))
    .sort((a, b) => a.handle.length - b.handle.length || (a.handle < b.handle ? -1 : 1))
}

/** The active window, or the owner of the active dialog. */
export function activeOwner(desktop: Desktop): Window | undefined {
  const active = desktop.active === undefined ? undefined : windowByUid(desktop, desktop.active)
  const owner = active && ownersOf(desktop, active)[0]
  return owner === undefined ? active : windowByUid(desktop, owner)
}
