import { isFile, isFolder, readFile } from '../../desktop/files/files.ts'
import { filesOf, windowByUid } from '../../desktop/model/desktop.ts'
import type { ScenarioRun } from '../run/scenario-run.ts'
import { runFindings } from './on-run.ts'
import type { ScenarioView } from './result.ts'

/** A run as oracles see it, without pictures. It answers at once. */
export const runView = (run: ScenarioRun): ScenarioView => {
  const { desktop } = run
  return {
    windows: () =>
      desktop.windows
        .filter(({ state }) => state !== 'minimized')
        .map(({ uid, title }) => ({ uid, title, focused: uid === desktop.active })),
    tree: (uid) => {
      const window = windowByUid(desktop, uid)
      return window && window.state !== 'minimized' ? window.tree : undefined
    },
    file: (path) => {
      const files = filesOf(desktop)
      return isFile(files, path) ? readFile(files, path) : isFolder(files, path) ? null : undefined
    },
    clipboard: () => desktop.clipboard,
    ...runFindings(() => run),
  }
}
