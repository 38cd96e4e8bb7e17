import type { DesktopApp, Window } from '../../desktop/model/desktop.ts'
import { appIcon, appName } from '../../desktop/shell/tasks.ts'
import type { WrittenApp } from '../schema/app.ts'

const NO_PROCESS = 'scenario.exe'

/** The applications of a scenario: those that the file names, otherwise one for each program that owns a window. */
export function buildApps(
  written: readonly WrittenApp[] | null | undefined,
  windows: readonly Window[],
): readonly DesktopApp[] {
  if (written) return written.map((app) => writtenApp(app, windows))
  const apps = new Map<string, { readonly name: string; readonly windows: Set<string> }>()
  const owned = new Set<string>()
  for (const { uid, title, process, modalTo } of windows) {
    if (modalTo !== undefined || owned.has(uid)) continue
    owned.add(uid)
    const name = process === NO_PROCESS ? title || 'Window' : appName(process)
    const app = apps.get(name) ?? { name, windows: new Set() }
    apps.set(name, app)
    app.windows.add(uid)
  }
  return [...apps.values()].map(({ name, windows: uids }) => ({
    id: idOf(name),
    name,
    icon: appIcon(name),
    windows: [...uids],
  }))
}

/** An application with the windows that it names, otherwise those of the program with its name. */
function writtenApp({ name, icon, opens }: WrittenApp, windows: readonly Window[]): DesktopApp {
  const own = windows.filter(({ process, modalTo }) => modalTo === undefined && appName(process) === name)
  const uids = opens === undefined ? own.map(({ uid }) => uid) : typeof opens === 'string' ? [opens] : opens
  return { id: idOf(name), name, icon: icon ?? appIcon(name), windows: [...new Set(uids)] }
}

const idOf = (name: string): string => name.toLowerCase().replace(/\s+/g, '-')
