import { type Desktop, type DesktopApp, type Press, windowByUid } from '../../desktop/model/desktop.ts'
import { nodeById } from '../../desktop/model/element.ts'
import { openWindowOf } from '../../desktop/shell/shell-command.ts'
import { applyOpen } from './effects/open.ts'
import { applyToast } from './effects/toast.ts'
import type { ScenarioRun } from './scenario-run.ts'

/** The application whose button an action pressed, if none of its windows is open. */
export function appToOpen(before: Desktop, after: Desktop, pressed: readonly Press[]): DesktopApp | undefined {
  if (!before.shell) return undefined
  for (const { window, element } of pressed) {
    const shown = windowByUid(before, window)
    const command = shown?.shell && nodeById(shown.tree, element)?.traits?.shellCommand
    if (command?.does !== 'app' || openWindowOf(after, command.app)) continue
    return before.apps?.find(({ id }) => id === command.app)
  }
  return undefined
}

/** Opens the first window of an application as the file has it, or shows a notification that there is none. */
export function openApp(run: ScenarioRun, { name, windows }: DesktopApp): ScenarioRun {
  const { scenario } = run
  const uid = windows.find((each) => scenario.handles.has(each))
  return uid === undefined
    ? applyToast(run, { toast: `${name} cannot be opened on this desktop.` }, {})
    : applyOpen(run, { open: uid }, {})
}
