import { type Desktop, type Monitor, type Window, windowByUid } from './desktop.ts'
import { contains, type Point, type Rect } from './geometry.ts'
import { ownersOf } from './stacking.ts'

/** The bar at the bottom of the primary monitor, with one button for each window; hit tests and paint share it. */
export interface Panel {
  readonly bounds: Rect
  readonly buttons: readonly PanelButton[]
  /** Where the time is painted. */
  readonly clock: Rect
}

export interface PanelButton {
  /** The uid of the window it stands for. */
  readonly window: string
  readonly bounds: Rect
  /** Whether that window, or a dialog of it, has the keyboard. */
  readonly isActive: boolean
}

const PANEL_HEIGHT = 40
const BUTTON_WIDTH = 132
const GAP = 8
const CLOCK_WIDTH = 152

/** The panel of a desktop, or undefined when it has none. */
export function panelOf(desktop: Desktop): Panel | undefined {
  const bounds = barOf(desktop)
  if (!bounds) return undefined
  const { x, width } = bounds
  const clock = { x: x + width - CLOCK_WIDTH, y: bounds.y, width: CLOCK_WIDTH, height: PANEL_HEIGHT }
  const windows = panelWindows(desktop)
  const active = activeOwner(desktop)
  const room = Math.max(0, width - CLOCK_WIDTH - GAP)
  const step = Math.min(BUTTON_WIDTH + GAP, Math.floor(room / Math.max(1, windows.length)))
  const buttons = windows.map((window, place) => ({
    window: window.uid,
    bounds: {
      x: x + GAP + place * step,
      y: bounds.y + 4,
      width: Math.max(1, step - GAP),
      height: PANEL_HEIGHT - GAP,
    },
    isActive: window === active && window.state !== 'minimized',
  }))
  return { bounds, buttons, clock }
}

/** The bar along the bottom of the primary monitor. */
function barOf(desktop: Desktop): Rect | undefined {
  const monitor = desktop.panel ? primaryMonitor(desktop) : undefined
  if (!monitor) return undefined
  const { x, y, width, height } = monitor.bounds
  return { x, y: y + height - PANEL_HEIGHT, width, height: PANEL_HEIGHT }
}

/** What the panel shows at a point: the button of a window, `panel` for the bar itself, undefined beside it. */
export function panelAt(desktop: Desktop, point: Point): PanelButton | 'panel' | undefined {
  const bar = barOf(desktop)
  if (!bar || !contains(bar, point)) return undefined
  return panelOf(desktop)!.buttons.find(({ bounds }) => contains(bounds, point)) ?? 'panel'
}

/** The part of a monitor that a maximised window fills: all of it but the panel. */
export function workArea(desktop: Pick<Desktop, 'monitors' | 'panel'>, monitor: Monitor): Rect {
  if (!desktop.panel || monitor !== primaryMonitor(desktop)) return monitor.bounds
  return { ...monitor.bounds, height: monitor.bounds.height - PANEL_HEIGHT }
}

/** The monitor marked as primary, else the first. */
export function primaryMonitor(desktop: Pick<Desktop, 'monitors'>): Monitor | undefined {
  return desktop.monitors.find((monitor) => monitor.primary) ?? desktop.monitors[0]
}

/** Dialogs have no button of their own; the order is that of the handles, so that it stays while windows change places. */
function panelWindows(desktop: Desktop): readonly Window[] {
  return desktop.windows
    .filter((window) => window.modalTo === undefined)
    .sort((a, b) => a.handle.length - b.handle.length || (a.handle < b.handle ? -1 : 1))
}

/** The active window, or the one that its dialog belongs to. */
function activeOwner(desktop: Desktop): Window | undefined {
  const active = desktop.active === undefined ? undefined : windowByUid(desktop, desktop.active)
  const owner = active && ownersOf(desktop, active)[0]
  return owner === undefined ? active : windowByUid(desktop, owner)
}
