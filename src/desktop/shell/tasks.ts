import { type AppKind, appKindOf } from '../model/app-kind.ts'
import type { Desktop, DesktopApp, Window } from '../model/desktop.ts'
import { activeOwner, taskWindows } from '../windows/panel.ts'

/** A button for a window or for an application without one. */
export interface Task {
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
  const owned = new Set(apps.flatMap((app) => app.windows))
  const ofApps = apps.flatMap((app): readonly Task[] => {
    const open = windows.filter(({ uid }) => app.windows.includes(uid))
    if (open.length > 0) return open.map((window) => toTask(window, app))
    const kind = appKindOf(app.name, app.icon)
    return [{ id: `app.${app.id}`, name: app.name, icon: app.icon, kind, app, window: undefined, isActive: false }]
  })
  const others = windows.filter(({ uid }) => !owned.has(uid)).map((window) => toTask(window, undefined))
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
