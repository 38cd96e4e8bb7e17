import { windowsOf, windowUidOf } from '../load/build.ts'
import type { ReportProblem } from '../load/problem.ts'
import type { KeyPath } from '../load/source.ts'
import type { WrittenElement, WrittenScenario, WrittenWindow } from '../scenario.ts'

const MAX_ELEMENTS = 50_000

/** The ids that a scenario's windows have, of all states together. */
export type WindowIds = ReadonlyMap<string, ReadonlySet<string>>

/** The desktop names what it makes after what it belongs to: `app/save-as`, `files/a.txt`, `log.row-3`, `due.month`, `item~2`. */
export const isGeneratedFrom = (names: { has(name: string): boolean }, name: string): boolean =>
  [...name.matchAll(MADE)].some(({ index }) => names.has(name.slice(0, index)))

const MADE = /\/|~\d+$|\.(?:row-)?\d+$|\.(?:calendar|previous|month|next|Mo|Tu|We|Th|Fr|Sa|Su|\d{4}-\d\d-\d\d)$/g

/** Collects all ids, and tells of windows and ids that are given twice. */
export function checkWindows(scenario: WrittenScenario, complain: ReportProblem): WindowIds {
  const ids = new Map<string, Set<string>>()
  let count = 0
  for (const [name, state] of Object.entries(scenario.states)) {
    const windows = windowsOf(state)
    const uids = windows.map((window, position) => windowUidOf(name, window, position))
    windows.forEach((window, position) => {
      const path = ['states', name, 'windows', position]
      const uid = uids[position]!
      if (uids.indexOf(uid) < position) complain([...path, 'uid'], `another window of this state has the uid "${uid}"`)
      const known = ids.get(uid) ?? new Set<string>(['root'])
      ids.set(uid, known)
      if (window.tree) count += checkElements(window.tree, [...path, 'tree'], known, complain)
    })
    checkOwners(windows, uids, ['states', name, 'windows'], complain)
  }
  if (count > MAX_ELEMENTS) complain(['states'], `there are ${count} elements; at most ${MAX_ELEMENTS} are allowed`)
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

/** Tells of windows that wait for a window that is not there, or, in a circle, for themselves. */
function checkOwners(
  windows: readonly WrittenWindow[],
  uids: readonly string[],
  path: KeyPath,
  complain: ReportProblem,
): void {
  const owners = new Map(windows.map(({ modal_to }, position) => [uids[position]!, modal_to]))
  for (const [position, { modal_to: owner }] of windows.entries()) {
    if (owner === undefined) continue
    const uid = uids[position]!
    const here = [...path, position, 'modal_to']
    const others = uids.filter((other) => other !== uid)
    const circle = circleOf(uid, owners)
    if (owner === uid) complain(here, 'is the window itself; expected another window of this state')
    else if (!others.includes(owner))
      complain(here, (hint) => `this state has no other window "${owner}"${hint(owner, others)}`)
    else if (circle?.every((each) => uids.indexOf(each) >= position))
      complain(here, `these windows wait for each other: ${circle.join(', ')}`)
  }
}

/** The windows on the way from one to itself; undefined when it does not lead there. */
function circleOf(uid: string, owners: ReadonlyMap<string, string | undefined>): readonly string[] | undefined {
  const way = new Set([uid])
  let next = owners.get(uid)
  for (; next !== undefined && !way.has(next); next = owners.get(next)) way.add(next)
  return next === uid ? [...way] : undefined
}

/** Adds the ids below an element and tells of those given twice in one window; returns how many elements there are. */
function checkElements(root: WrittenElement, rootPath: KeyPath, ids: Set<string>, complain: ReportProblem): number {
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
