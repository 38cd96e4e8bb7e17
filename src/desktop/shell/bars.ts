import type { Desktop, Window } from '../model/desktop.ts'
import type { Element } from '../model/element.ts'
import type { Rect } from '../model/geometry.ts'
import { part } from '../model/part.ts'
import { textWidth } from '../model/width.ts'
import { activeOwner } from '../windows/panel.ts'
import { clockText } from './clock.ts'
import {
  DOCK_UID,
  MENU_BAR_UID,
  STATE_COUNT,
  shellButton,
  shellWindow,
  stateButtons,
  TASKBAR_UID,
  TOP_BAR_UID,
} from './parts.ts'
import { clockBarOf, DOCK_GAP_PX, DOCK_HEIGHT_PX, type ShellStyle } from './shell-places.ts'
import { appName, type Task, tasksOf } from './tasks.ts'

/** The bars of a style on a monitor, front to back. */
export function barsOf(desktop: Desktop, style: ShellStyle, screen: Rect): readonly Window[] {
  if (style === 'windows') return [taskbar(desktop, screen)]
  if (style === 'gnome') return [topBar(desktop, screen)]
  return [menuBar(desktop, screen), dock(desktop, screen)]
}

const LAUNCHER = { does: 'launcher' } as const

/** The button of a task. Its value is the state of its window, empty without one. */
export function taskButton(task: Task, id: string, bounds: Rect): Element {
  const { name, icon, app, window, isActive } = task
  const command = window
    ? ({ does: 'task', window: window.uid } as const)
    : ({ does: 'app', app: app?.id ?? '' } as const)
  const state = window === undefined ? '' : window.state === 'minimized' ? 'Minimized' : 'Open'
  return shellButton(id, name, bounds, icon, command, { value: state, selected: isActive })
}

const CELL_PX = 44
const SEARCH_WIDTH_PX = 200
const TRAY_CELL_PX = 28
const CLOCK_WIDTH_PX = 96
const GAP_PX = 8

/** The launcher button, the search and the tasks in the middle; the states and the clock at the right. */
function taskbar(desktop: Desktop, screen: Rect): Window {
  const bounds = clockBarOf(screen, 'windows')
  const { x, y, width, height } = bounds
  const clock = { x: x + width - CLOCK_WIDTH_PX - GAP_PX, y, width: CLOCK_WIDTH_PX, height }
  const states = { x: clock.x - STATE_COUNT * TRAY_CELL_PX - GAP_PX, y: y + 4, width: 0, height: height - 8 }
  const tasks = tasksOf(desktop)
  const hasSearch = width >= 1000
  const fixed = CELL_PX + (hasSearch ? SEARCH_WIDTH_PX + GAP_PX : 0)
  const room = Math.max(0, states.x - GAP_PX - (x + GAP_PX) - fixed)
  const cell = Math.min(CELL_PX, Math.floor(room / Math.max(1, tasks.length)))
  const wanted = x + Math.floor((width - fixed - cell * tasks.length) / 2)
  const left = Math.max(x + GAP_PX, Math.min(wanted, states.x - GAP_PX - fixed - cell * tasks.length))
  const inBar = (at: number, wide: number): Rect => ({ x: at, y: y + 4, width: wide, height: height - 8 })
  const search = shellButton(
    'shell.search',
    'Search',
    inBar(left + CELL_PX + GAP_PX / 2, SEARCH_WIDTH_PX),
    'search',
    LAUNCHER,
  )
  return shellWindow({
    uid: TASKBAR_UID,
    title: 'Taskbar',
    bounds,
    shell: 'bar',
    children: [
      shellButton('shell.start', 'Start', inBar(left + 2, CELL_PX - 4), undefined, LAUNCHER),
      ...(hasSearch ? [search] : []),
      ...tasks.map((task, index) =>
        taskButton(task, `shell.task.${task.id}`, inBar(left + fixed + index * cell + 2, Math.max(1, cell - 4))),
      ),
      ...stateButtons(states, TRAY_CELL_PX),
      part('shell.clock', 'Text', clockText(desktop), clock),
    ],
  })
}

/** The launcher button at the left, the clock in the middle, the states at the right. */
function topBar(desktop: Desktop, screen: Rect): Window {
  const bounds = clockBarOf(screen, 'gnome')
  const { x, y, width, height } = bounds
  const text = clockText(desktop)
  const wide = Math.ceil(textWidth(text, 13.5) * 1.1) + 24
  return shellWindow({
    uid: TOP_BAR_UID,
    title: 'Top Bar',
    bounds,
    shell: 'bar',
    children: [
      shellButton('shell.activities', 'Activities', { x: x + 4, y, width: 84, height }, undefined, LAUNCHER),
      part('shell.clock', 'Text', text, { x: x + Math.floor((width - wide) / 2), y, width: wide, height }),
      ...stateButtons({ x: x + width - STATE_COUNT * TRAY_CELL_PX - GAP_PX, y, width: 0, height }, TRAY_CELL_PX),
    ],
  })
}

/** The name of the active application at the left; the states, the search and the clock at the right. */
function menuBar(desktop: Desktop, screen: Rect): Window {
  const bounds = clockBarOf(screen, 'macos')
  const { x, y, width, height } = bounds
  const text = clockText(desktop)
  const wide = Math.ceil(textWidth(text, 13) * 1.06) + 16
  const clock = { x: x + width - wide - 6, y, width: wide, height }
  const search = { x: clock.x - TRAY_CELL_PX, y, width: TRAY_CELL_PX, height }
  const name = activeName(desktop)
  const nameWidth = Math.ceil(textWidth(name, 13) * 1.12) + 20
  return shellWindow({
    uid: MENU_BAR_UID,
    title: 'Menu Bar',
    bounds,
    shell: 'bar',
    children: [
      part('shell.app-name', 'Text', name, { x: x + 44, y, width: nameWidth, height }),
      ...stateButtons({ x: search.x - STATE_COUNT * TRAY_CELL_PX, y, width: 0, height }, TRAY_CELL_PX),
      shellButton('shell.search', 'Search', search, 'search', LAUNCHER),
      part('shell.clock', 'Text', text, clock),
    ],
  })
}

/** The name of the application with the active window; of the desktop's own without one. */
function activeName(desktop: Desktop): string {
  const active = activeOwner(desktop)
  const front = desktop.windows.find(({ state, notification }) => state !== 'minimized' && !notification)
  const window = active?.shell === 'launcher' ? front : active
  if (!window || window.shell) return 'Desktop'
  return desktop.apps?.find(({ windows }) => windows.includes(window.uid))?.name ?? appName(window.process)
}

const DOCK_STEP_PX = 64
const DOCK_ICON_PX = 52
const DOCK_PADDING_PX = 8

/** The launcher and the tasks in the middle of the lower edge. */
function dock(desktop: Desktop, screen: Rect): Window {
  const tasks = tasksOf(desktop)
  const count = tasks.length + 1
  const room = Math.max(0, screen.width - 4 * DOCK_GAP_PX - 2 * DOCK_PADDING_PX)
  const step = Math.min(DOCK_STEP_PX, Math.floor(room / count))
  const width = step * count + 2 * DOCK_PADDING_PX
  const bounds = {
    x: screen.x + Math.floor((screen.width - width) / 2),
    y: screen.y + screen.height - DOCK_GAP_PX - DOCK_HEIGHT_PX,
    width,
    height: DOCK_HEIGHT_PX,
  }
  const size = Math.max(1, Math.min(DOCK_ICON_PX, step - 4))
  const cell = (index: number): Rect => ({
    x: bounds.x + DOCK_PADDING_PX + index * step + Math.floor((step - size) / 2),
    y: bounds.y + 5,
    width: size,
    height: DOCK_ICON_PX + 8,
  })
  return shellWindow({
    uid: DOCK_UID,
    title: 'Dock',
    bounds,
    shell: 'bar',
    children: [
      shellButton('shell.start', 'Launcher', cell(0), undefined, LAUNCHER),
      ...tasks.map((task, index) => taskButton(task, `shell.task.${task.id}`, cell(index + 1))),
    ],
  })
}
