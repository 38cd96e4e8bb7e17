import { uidOf, windowsOf } from './build.ts'
import { type Complain, didYouMean } from './problem.ts'
import type { WrittenElement, WrittenScenario } from './scenario.ts'
import type { KeyPath } from './source.ts'

const ELEMENTS_MOST = 50_000

/** The ids that a scenario's windows have, of all states together. */
export type Ids = ReadonlyMap<string, ReadonlySet<string>>

/** Collects all ids, and tells of windows and ids that are given twice. */
export function checkWindows(scenario: WrittenScenario, complain: Complain): Ids {
  const ids = new Map<string, Set<string>>()
  let count = 0
  for (const [name, state] of Object.entries(scenario.states)) {
    const windows = windowsOf(state)
    const uids = windows.map((window, position) => uidOf(name, window, position))
    windows.forEach((window, position) => {
      const path = ['states', name, 'windows', position]
      const uid = uids[position]!
      if (uids.indexOf(uid) < position) complain([...path, 'uid'], `another window of this state has the uid "${uid}"`)
      if (window.modal_to !== undefined && (window.modal_to === uid || !uids.includes(window.modal_to)))
        complain(
          [...path, 'modal_to'],
          `this state has no other window "${window.modal_to}"${didYouMean(window.modal_to, uids)}`,
        )
      const known = ids.get(uid) ?? new Set<string>(['root'])
      ids.set(uid, known)
      if (window.tree) count += checkElements(window.tree, [...path, 'tree'], known, complain)
    })
  }
  if (count > ELEMENTS_MOST) complain(['states'], `there are ${count} elements; at most ${ELEMENTS_MOST} are allowed`)
  for (const [list, entries] of [
    ['reactions', scenario.reactions],
    ['timers', scenario.timers],
  ] as const)
    entries?.forEach(({ set }, index) => {
      set?.forEach((change, place) => {
        if ('path' in change || 'clipboard' in change) return
        for (const element of change.append ?? [])
          for (const known of change.window === undefined ? ids.values() : [ids.get(change.window)])
            if (known) checkElements(element, [list, index, 'set', place, 'append'], known, () => undefined)
      })
    })
  return ids
}

/** Adds the ids below an element and tells of those given twice in one window; returns how many elements there are. */
function checkElements(root: WrittenElement, rootPath: KeyPath, ids: Set<string>, complain: Complain): number {
  const inWindow = new Set<string>()
  let focused = false
  let count = 0
  visit(root, rootPath, 'root')
  return count

  function visit(element: WrittenElement, path: KeyPath, position: string): void {
    count++
    const id = element.id ?? position
    if (inWindow.has(id)) complain([...path, 'id'], `another element of this window has the id "${id}"`)
    inWindow.add(id)
    ids.add(id)
    if (element.focused && focused) complain([...path, 'focused'], 'another element of this window is focused')
    focused ||= element.focused === true
    element.children?.forEach((child, index) => {
      visit(child, [...path, 'children', index], `${position}.${index}`)
    })
  }
}
