import { statSync } from 'node:fs'
import { Fault } from '../base/fault.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { checkFile } from './preview.ts'

/** How often the files are compared. Editors replace files when they save, which events of the system miss. */
const POLL_MS = 150

/** Receives a scenario that was saved, or the problems of one that cannot be used. */
export type SavedScenario = { readonly scenario: Scenario } | { readonly problems: string }

/**
 * Watches a scenario file and the files that it includes.
 * @param file The path of the scenario.
 * @param onSaved Receives each saved version.
 * @returns A function that ends the watch.
 */
export async function watchScenario(file: string, onSaved: (saved: SavedScenario) => void): Promise<() => void> {
  const stamps = new Map<string, string>()
  // The stamp of a file is taken before it is read, so that no version is missed.
  const watch = (path: string) => {
    if (!stamps.has(path)) stamps.set(path, stampOf(path))
  }
  const load = async (): Promise<SavedScenario> => {
    try {
      return { scenario: (await checkFile(file, watch)).scenario }
    } catch (thrown) {
      if (!(thrown instanceof Fault) || thrown.code !== 'ScenarioInvalid') throw thrown
      return { problems: thrown.message }
    }
  }
  watch(file)
  // Finds the included files.
  await load()
  let isOpen = true
  const compare = () => {
    const changed = [...stamps].map(([path, stamp]) => [path, stamp, stampOf(path)] as const)
    if (changed.every(([, before, now]) => before === now)) return
    for (const [path, , now] of changed) stamps.set(path, now)
    void load().then((saved) => {
      if (isOpen) onSaved(saved)
    })
  }
  const timer = setInterval(compare, POLL_MS).unref()
  return () => {
    isOpen = false
    clearInterval(timer)
  }
}

/** What differs between two versions of a file, without its content. Empty while it cannot be reached. */
function stampOf(path: string): string {
  try {
    const { ino, mtimeMs, size } = statSync(path)
    return `${ino} ${mtimeMs} ${size}`
  } catch {
    return ''
  }
}
