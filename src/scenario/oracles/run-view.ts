import { isFile, isFolder, readFile } from '../../desktop/files/files.ts'
import { filesOf, windowByUid } from '../../desktop/model/desktop.ts'
import type { ScenarioRun } from '../run/scenario-run.ts'
import type { Oracle } from '../schema/oracles.ts'
import { runFindings } from './on-run.ts'
import { evaluateOracle } from './oracle.ts'
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

const startFindings = new WeakMap<ScenarioRun, readonly boolean[]>()

/**
 * Whether each success entry holds on the first run of a scenario. An entry that needs a picture counts as one that does,
 * because the start is judged without pictures.
 */
export function successAtStart(firstRun: ScenarioRun): readonly boolean[] {
  const known = startFindings.get(firstRun)
  if (known) return known
  const view = runView(firstRun)
  const found = firstRun.scenario.oracles.success.map((oracle) => {
    if (needsPicture(oracle)) return true
    const result = evaluateOracle(oracle, view)
    return result instanceof Promise || result.passed
  })
  startFindings.set(firstRun, found)
  return found
}

function needsPicture(oracle: Oracle): boolean {
  if (oracle.kind === 'all' || oracle.kind === 'any' || oracle.kind === 'not') return oracle.of.some(needsPicture)
  return oracle.kind === 'screenshot_similar' || (oracle.kind === 'text_visible' && oracle.mode === 'ocr')
}
