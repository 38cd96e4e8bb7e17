import { type Desktop, type DesktopApp, isWindowOf, type Window } from '../model/desktop.ts'
import { controlPart, type Element, nodeById } from '../model/element.ts'
import type { Rect } from '../model/geometry.ts'
import { type AppKind, appKindOf } from '../model/pictures.ts'
import { shellText } from '../model/shell-texts.ts'
import { textWidth } from '../model/text-width.ts'
import type { ShellBar, ShellMetrics } from '../style/metrics.ts'
import { activeOwner, taskWindows } from '../windows/panel.ts'
import { MENUS_ID, menuStrip, menuWindow } from './menus.ts'
import {
  DOCK_UID,
  isOpenPart,
  MENU_BAR_UID,
  shellButton,
  shellWindow,
  TASKBAR_UID,
  TOP_BAR_UID,
} from './shell-elements.ts'
import {
  clockButton,
  inputButton,
  inputWidth,
  machineStatesOf,
  shellClockText,
  stateButtons,
  statesWidth,
} from './tray.ts'

/** The bars of a shell on a monitor, front to back. */
export const barsOf = (desktop: Desktop, { bars }: ShellMetrics, screen: Rect): readonly Window[] =>
  bars.map((bar) => BARS[bar.kind](desktop, screen, boundsOf(bar, screen)))

const BARS: Readonly<Record<ShellBar['kind'], (desktop: Desktop, screen: Rect, bounds: Rect) => Window>> = {
  taskbar,
  'top bar': topBar,
  'menu bar': menuBar,
  dock,
}

/** The space of a bar along its edge of a monitor. */
const boundsOf = ({ edge, height }: ShellBar, { x, y, width, ...screen }: Rect): Rect => ({
  x,
  y: edge === 'bottom' ? y + screen.height - height : y,
  width,
  height,
})

const LAUNCHER = { does: 'launcher' } as const

/** The button of a task. Its value is the state of its window, empty without one. */
export function taskButton(desktop: Desktop, task: Task, id: string, bounds: Rect): Element {
  const { name, icon, kind: appKind, app, window, isActive } = task
  const command = window
    ? ({ does: 'task', window: window.uid } as const)
    : ({ does: 'app', app: app?.id ?? '' } as const)
  const state = window && shellText(desktop, window.state === 'minimized' ? 'Minimized' : 'Open')
  return shellButton(id, name, bounds, { icon, appKind, command }, { value: state ?? '', selected: isActive })
}

const CELL_PX = 44
const SEARCH_WIDTH_PX = 200
const TRAY_CELL_PX = 24
const BELL_PX = 28
const GAP_PX = 8

/** The launcher button, the search and the tasks in the middle; the tray with the clock at the right. */
function taskbar(desktop: Desktop, screen: Rect, bounds: Rect): Window {
  const { x, y, width, height } = bounds
  const states = machineStatesOf(desktop)
  const inBar = (at: number, wide: number): Rect => ({ x: at, y: y + 4, width: wide, height: height - 8 })
  const text = shellClockText(desktop, 'numbers')
  const widest = Math.max(...text.split('  ').map((line) => textWidth(line, 12, 'humanist')))
  const clockWidth = text === '' ? 0 : Math.ceil(widest) + 16
  const bell = inBar(x + width - GAP_PX - BELL_PX, BELL_PX)
  const clock = inBar(bell.x - clockWidth, clockWidth)
  const machine = inBar(clock.x - 4 - statesWidth(TRAY_CELL_PX), statesWidth(TRAY_CELL_PX))
  const more = inBar(machine.x - TRAY_CELL_PX - 4, TRAY_CELL_PX)
  const input = inBar(more.x - 4 - inputWidth(states), inputWidth(states))
  const tasks = tasksOf(desktop)
  const hasSearch = width >= 1000
  const fixed = CELL_PX + (hasSearch ? SEARCH_WIDTH_PX + GAP_PX : 0)
  const room = Math.max(0, input.x - GAP_PX - (x + GAP_PX) - fixed)
  const cell = Math.min(CELL_PX, Math.floor(room / Math.max(1, tasks.length)))
  const wanted = x + Math.floor((width - fixed - cell * tasks.length) / 2)
  const left = Math.max(x + GAP_PX, Math.min(wanted, input.x - GAP_PX - fixed - cell * tasks.length))
  const search = shellButton(
    'shell.search',
    shellText(desktop, 'Search'),
    inBar(left + CELL_PX + GAP_PX / 2, SEARCH_WIDTH_PX),
    {
      icon: 'search',
      command: LAUNCHER,
    },
  )
  return shellWindow({
    uid: TASKBAR_UID,
    title: shellText(desktop, 'Taskbar'),
    bounds,
    shell: 'bar',
    screen,
    children: [
      shellButton('shell.start', shellText(desktop, 'Start'), inBar(left + 2, CELL_PX - 4), { command: LAUNCHER }),
      ...(hasSearch ? [search] : []),
      ...tasks.map((task, index) =>
        taskButton(
          desktop,
          task,
          `shell.task.${task.id}`,
          inBar(left + fixed + index * cell + 2, Math.max(1, cell - 4)),
        ),
      ),
      inputButton(desktop, input, states),
      shellButton('shell.tray', shellText(desktop, 'Show hidden icons'), more, {
        command: { does: 'flyout', flyout: 'tray' },
      }),
      ...stateButtons(desktop, machine, TRAY_CELL_PX, states),
      ...(text === '' ? [] : [clockButton(clock, text)]),
      shellButton('shell.bell', shellText(desktop, 'Notifications'), bell, {
        command: { does: 'flyout', flyout: 'calendar' },
      }),
    ],
  })
}

/** The launcher button at the left, the clock in the middle, the input language and the states at the right. */
function topBar(desktop: Desktop, screen: Rect, bounds: Rect): Window {
  const { x, y, width, height } = bounds
  const cell = 28
  const states = machineStatesOf(desktop)
  const text = shellClockText(desktop, 'day')
  const wide = Math.ceil(textWidth(text, 13.5) * 1.1) + 24
  const clock = { x: x + Math.floor((width - wide) / 2), y, width: wide, height }
  const machine = { x: x + width - statesWidth(cell) - 12, y, width: 0, height }
  const input = { x: machine.x - inputWidth(states) - 4, y, width: inputWidth(states), height }
  return shellWindow({
    uid: TOP_BAR_UID,
    title: shellText(desktop, 'Top Bar'),
    bounds,
    shell: 'bar',
    screen,
    children: [
      shellButton(
        'shell.activities',
        shellText(desktop, 'Activities'),
        { x: x + 4, y, width: 84, height },
        { command: LAUNCHER },
      ),
      ...(text === '' ? [] : [clockButton(clock, text)]),
      inputButton(desktop, input, states),
      ...stateButtons(desktop, machine, cell, states),
    ],
  })
}

/** The name of the active application with its menus at the left; the states, the search and the clock at the right. */
function menuBar(desktop: Desktop, screen: Rect, bounds: Rect): Window {
  const { x, y, width, height } = bounds
  const cell = 32
  const states = machineStatesOf(desktop)
  const text = shellClockText(desktop, 'day')
  const wide = Math.ceil(textWidth(text, 13) * 1.06) + 16
  const clock = { x: x + width - wide - 6, y, width: wide, height }
  const centre = { x: clock.x - cell, y, width: cell, height }
  const search = { ...centre, x: centre.x - cell }
  const machine = { x: search.x - statesWidth(cell), y, width: 0, height }
  const name = activeName(desktop)
  const end = machine.x - GAP_PX
  const left = x + 44
  const nameWidth = Math.max(0, Math.min(Math.ceil(textWidth(name, 13) * 1.12) + 20, end - left))
  const area = { x: left + nameWidth, y, width: end - left - nameWidth, height }
  const before = desktop.shell?.windows.find(({ uid }) => uid === MENU_BAR_UID)?.tree
  const menus = menuStrip(desktop, area, before && nodeById(before, MENUS_ID))
  return shellWindow({
    uid: MENU_BAR_UID,
    title: shellText(desktop, 'Menu Bar'),
    bounds,
    shell: 'bar',
    screen,
    children: [
      controlPart('shell.app-name', 'Text', name, { x: left, y, width: nameWidth, height }),
      ...(menus ? [menus] : []),
      ...stateButtons(desktop, machine, cell, states),
      shellButton('shell.search', shellText(desktop, 'Search'), search, { icon: 'search', command: LAUNCHER }),
      shellButton('shell.control-centre', shellText(desktop, 'Control Center'), centre, {
        command: { does: 'flyout', flyout: 'quick-settings' },
      }),
      ...(text === '' ? [] : [clockButton(clock, text)]),
    ],
  })
}

/** The name of the application with the active window; of the desktop's own without one. */
function activeName(desktop: Desktop): string {
  const window = isOpenPart(desktop.active) ? menuWindow(desktop) : activeOwner(desktop)
  if (!window || window.shell) return shellText(desktop, 'Desktop')
  return desktop.apps?.find((app) => isWindowOf(app, window))?.name ?? appName(window.process)
}

/** The pixels between the dock and the windows above it, and below it. */
const DOCK_GAP_PX = 5
const DOCK_STEP_PX = 56
const DOCK_PADDING_PX = 5
/** The space of the divider at the left of the bin. */
export const DIVIDER_PX = 13

/** The launcher, the tasks and the bin in the middle of the lower edge. */
function dock(desktop: Desktop, screen: Rect, space: Rect): Window {
  const tasks = tasksOf(desktop)
  const count = tasks.length + 2
  const room = Math.max(0, screen.width - 4 * DOCK_GAP_PX - 2 * DOCK_PADDING_PX - DIVIDER_PX)
  const step = Math.min(DOCK_STEP_PX, Math.floor(room / count))
  const width = step * count + 2 * DOCK_PADDING_PX + DIVIDER_PX
  const bounds = {
    x: screen.x + Math.floor((screen.width - width) / 2),
    y: space.y + DOCK_GAP_PX,
    width,
    height: space.height - 2 * DOCK_GAP_PX,
  }
  const size = Math.max(1, Math.min(DOCK_STEP_PX - 6, step - 2))
  const cell = (index: number): Rect => ({
    x: bounds.x + DOCK_PADDING_PX + index * step + Math.floor((step - size) / 2),
    y: bounds.y + 6,
    width: size,
    height: bounds.height - 8,
  })
  return shellWindow({
    uid: DOCK_UID,
    title: shellText(desktop, 'Dock'),
    bounds,
    shell: 'bar',
    screen,
    children: [
      shellButton('shell.start', shellText(desktop, 'Launcher'), cell(0), { command: LAUNCHER }),
      ...tasks.map((task, index) => taskButton(desktop, task, `shell.task.${task.id}`, cell(index + 1))),
      shellButton('shell.bin', shellText(desktop, 'Bin'), { ...cell(count - 1), width: size + DIVIDER_PX }),
    ],
  })
}

/** A button for a window or for an application without one. */
interface Task {
  /** Unique among the tasks, and the same as long as the window or the application is there. */
  readonly id: string
  readonly name: string
  readonly icon: string
  readonly kind: AppKind | undefined
  readonly app: DesktopApp | undefined
  readonly window: Window | undefined
  /** Whether its window, or a dialog of it, is active. */
  readonly isActive: boolean
}

/**
 * The tasks of the bars in order: for each application its windows, or itself if none is open, then all other windows.
 * Windows are ordered by handle, so that buttons do not move.
 */
export function tasksOf(desktop: Desktop): readonly Task[] {
  const windows = taskWindows(desktop)
  const active = activeOwner(desktop)
  const toTask = (window: Window, app: DesktopApp | undefined): Task => ({
    id: window.uid,
    name: window.title,
    icon: app?.icon ?? appIcon(window.process),
    kind: app ? appKindOf(app.name, app.icon) : windowKind(window),
    app,
    window,
    isActive: window === active && window.state !== 'minimized',
  })
  const apps = desktop.apps ?? []
  const ofApps = apps.flatMap((app): readonly Task[] => {
    const open = windows.filter((window) => isWindowOf(app, window))
    if (open.length > 0) return open.map((window) => toTask(window, app))
    const kind = appKindOf(app.name, app.icon)
    return [{ id: `app.${app.id}`, name: app.name, icon: app.icon, kind, app, window: undefined, isActive: false }]
  })
  const others = windows
    .filter((window) => !apps.some((app) => isWindowOf(app, window)))
    .map((window) => toTask(window, undefined))
  return [...ofApps, ...others]
}

const NO_PROCESS = 'scenario.exe'

/** The kind of the application that a window belongs to: by its program, or, if it names none, by its title. */
export function windowKind({ process, title }: Pick<Window, 'process' | 'title'>): AppKind | undefined {
  const name = process === NO_PROCESS ? title : process
  return appKindOf(name, appIcon(name))
}

/** The name of the application that a process is: `Mail` for `mail.exe`. */
export function appName(process: string): string {
  const stem = process.replace(/\.(?:exe|app|bin)$/i, '')
  return stem === '' ? process : stem[0]!.toUpperCase() + stem.slice(1)
}

const ICONS: readonly (readonly [words: RegExp, icon: string])[] = [
  [/mail|inbox|outlook/, 'mail'],
  [/calendar|agenda|hours|time/, 'calendar'],
  [/files|finder|explorer|nautilus|folder/, 'folder'],
  [/browser|chrome|firefox|edge|safari|web/, 'window'],
  [/notepad|editor|notes|code|text|word/, 'pencil'],
  [/sheet|excel|table|report/, 'file'],
  [/chat|slack|teams|message/, 'chat'],
  [/photo|image|paint|picture/, 'image'],
  [/music|video|player|media/, 'play'],
  [/shop|cart|store/, 'cart'],
  [/contact|people|user|crm/, 'user'],
  [/settings|setup|preferences|control/, 'settings'],
]

/** The icon for an application or process, by words of its name. */
export function appIcon(name: string): string {
  const lower = name.toLowerCase()
  return ICONS.find(([words]) => words.test(lower))?.[1] ?? 'window'
}
