import { unwatchFile, watchFile } from 'node:fs'
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
  const watched = new Set<string>()
  let isOpen = true
  const watch = (path: string) => {
    if (!isOpen || watched.has(path)) return
    watched.add(path)
    watchFile(path, { interval: POLL_MS, persistent: false }, reload)
  }
  const load = async (): Promise<SavedScenario> => {
    try {
      return { scenario: (await checkFile(file, watch)).scenario }
    } catch (thrown) {
      if (!(thrown instanceof Fault) || thrown.code !== 'ScenarioInvalid') throw thrown
      return { problems: thrown.message }
    }
  }
  function reload() {
    void load().then((saved) => {
      if (isOpen) onSaved(saved)
    })
  }
  watch(file)
  // Finds the included files.
  await load()
  return () => {
    isOpen = false
    for (const path of watched) unwatchFile(path, reload)
  }
}
