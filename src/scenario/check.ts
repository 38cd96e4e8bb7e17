import { Fault } from '../base/fault.ts'
import { compilePattern } from '../base/pattern.ts'
import { parseSelector } from '../desktop/selector.ts'
import { uidOf, windowsOf } from './build.ts'
import { checkFiles, faultOfPath } from './check-files.ts'
import type { Predicate } from './oracle.ts'
import { type Complaint, didYouMean, notOneOf } from './problem.ts'
import type { Change, Guard, Timer, Trigger, WrittenElement, WrittenScenario } from './scenario.ts'
import type { KeyPath } from './source.ts'

const ELEMENTS_MOST = 50_000
/** The tools whose calls carry a text that a `text_regex` can be about. */
const TEXT_TOOLS: ReadonlySet<Trigger['tool']> = new Set<Trigger['tool']>([
  'type_text',
  'press_key',
  'set_value',
  'select_option',
])

/** The ids that a scenario's windows have, of all states together. */
type Ids = ReadonlyMap<string, ReadonlySet<string>>

/** What the schema cannot see: names that lead nowhere, names given twice, patterns and selectors that do not compile. */
export function checkReferences(scenario: WrittenScenario): readonly Complaint[] {
  const complaints: Complaint[] = []
  const complain = (path: KeyPath, message: string, key = false) => complaints.push({ path, message, key })
  const states = Object.keys(scenario.states)
  const ids = checkWindows(scenario, complain)
  checkFiles(scenario, complain)

  const checkState = (path: KeyPath, name: string) => {
    if (states.includes(name)) return
    complain(path, notOneOf(`there is no state ${JSON.stringify(name)}`, name, states, listed('states', states)))
  }
  const checkStates = (path: KeyPath, names: string | readonly string[] | undefined) => {
    if (typeof names === 'string') checkState(path, names)
    else for (const [index, name] of names?.entries() ?? []) checkState([...path, index], name)
  }
  const checkWindow = (path: KeyPath, uid: string | undefined) => {
    if (uid !== undefined && !ids.has(uid))
      complain(path, `no state has a window ${JSON.stringify(uid)}${didYouMean(uid, ids.keys())}`)
  }
  const checkId = (path: KeyPath, id: string | undefined, window: string | undefined) => {
    if (id === undefined || (window !== undefined && !ids.has(window))) return
    const known = window === undefined ? [...ids.values()] : [ids.get(window)!]
    if (known.some((set) => set.has(id) || isMadeBy(set, id))) return
    const where = window === undefined ? 'no window' : `the window ${JSON.stringify(window)} in no state`
    const all = known.flatMap((set) => [...set])
    complain(path, `${where} has an element ${JSON.stringify(id)}${didYouMean(id, all)}`)
  }
  const checkPattern = (path: KeyPath, pattern: string | undefined) => {
    if (pattern !== undefined) attempt(() => compilePattern(pattern), path, complain)
  }
  const checkTrigger = (path: KeyPath, trigger: Trigger) => {
    checkWindow([...path, 'window'], trigger.window)
    checkId([...path, 'target_id'], trigger.target_id, trigger.window)
    checkPattern([...path, 'text_regex'], trigger.text_regex)
    if (trigger.text_regex !== undefined && !TEXT_TOOLS.has(trigger.tool))
      complain([...path, 'text_regex'], `${trigger.tool} has no text; ${[...TEXT_TOOLS].join(', ')} do`, true)
  }
  const checkOutcome = (path: KeyPath, { when, set, transition_to }: Pick<Timer, 'when' | 'set' | 'transition_to'>) => {
    when?.forEach((guard, index) => {
      checkGuard([...path, 'when', index], guard)
    })
    set?.forEach((change, index) => {
      checkChange([...path, 'set', index], change)
    })
    if (transition_to !== undefined) checkState([...path, 'transition_to'], transition_to)
  }
  const checkPath = (path: KeyPath, written: string | undefined) => {
    if (written === undefined || written.includes('{')) return
    const wrong = faultOfPath(written)
    if (wrong !== undefined) complain(path, wrong)
  }
  const checkGuard = (path: KeyPath, guard: Guard) => {
    if ('clipboard' in guard) return
    if ('path' in guard) {
      checkPath([...path, 'path'], guard.path)
      checkPattern([...path, 'text_regex'], guard.text_regex)
      if (Object.keys(guard).length === 1)
        complain(path, 'says nothing about the file; write exists, text or text_regex')
      return
    }
    checkWindow([...path, 'window'], guard.window)
    checkId([...path, 'id'], guard.id, guard.window)
    checkPattern([...path, 'value_regex'], guard.value_regex)
    if (Object.keys(guard).every((key) => key === 'id' || key === 'window'))
      complain(path, 'says nothing about the element; write for example value or enabled')
  }
  const checkChange = (path: KeyPath, change: Change) => {
    if ('clipboard' in change) return
    if ('path' in change) {
      checkPath([...path, 'path'], change.path)
      checkPath([...path, 'copy_to'], change.copy_to)
      checkPath([...path, 'move_to'], change.move_to)
      if (Object.keys(change).length !== 2) complain(path, 'expected one of text, copy_to, move_to and remove')
      return
    }
    checkWindow([...path, 'window'], change.window)
    checkId([...path, 'id'], change.id, change.window)
    if (change.id === undefined && change.window === undefined)
      complain(path, 'expected the id of an element, or the uid of a window under the key window')
    if (Object.keys(change).every((key) => key === 'id' || key === 'window')) complain(path, 'changes nothing')
    const own = ['title', 'busy', 'bounds', 'remove', 'window', 'id']
    for (const key of Object.keys(change)) {
      if (change.id === undefined && !own.includes(key)) complain([...path, key], 'is of an element; give its id', true)
      if (change.id !== undefined && (key === 'title' || key === 'busy'))
        complain([...path, key], 'is of a window; leave the id out', true)
    }
  }
  const checkPredicates = (path: KeyPath, predicates: readonly Predicate[] | null | undefined) => {
    predicates?.forEach((predicate, index) => {
      for (const [key, text] of Object.entries(predicate)) {
        const here = [...path, index, key]
        if (key === 'regex' || key === 'title_regex') checkPattern(here, text as string)
        if (key === 'path') checkPath(here, text as string)
        if (key === 'selector') attempt(() => parseSelector(text as string), here, complain)
      }
      if (predicate.kind === 'window_exists' && (predicate.title_regex ?? predicate.window_uid) === undefined)
        complain([...path, index], 'expected title_regex or window_uid')
    })
  }

  if (scenario.initial_state !== undefined) checkState(['initial_state'], scenario.initial_state)
  scenario.reactions?.forEach((reaction, index) => {
    const path = ['reactions', index]
    checkTrigger([...path, 'on'], reaction.on)
    checkStates([...path, 'in'], reaction.in)
    checkOutcome(path, reaction)
  })
  scenario.timers?.forEach((timer, index) => {
    const path = ['timers', index]
    checkStates([...path, 'in'], timer.in)
    checkOutcome(path, timer)
    if (timer.on) checkTrigger([...path, 'on'], timer.on)
    if (timer.on && timer.every_ms !== undefined)
      complain([...path, 'every_ms'], 'a timer with on goes off once; write after_ms', true)
    if ((timer.after_ms === undefined) === (timer.every_ms === undefined))
      complain(path, 'expected either after_ms or every_ms')
    if (typeof timer.after_ms === 'object' && timer.after_ms.between[0] > timer.after_ms.between[1])
      complain([...path, 'after_ms', 'between'], 'the first number is not to be greater than the second')
  })
  scenario.faults?.forEach((fault, index) => {
    checkStates(['faults', index, 'in'], fault.in)
  })
  checkPredicates(['oracles', 'success'], scenario.oracles?.success)
  checkPredicates(['oracles', 'failure'], scenario.oracles?.failure)
  return complaints
}

type Complain = (path: KeyPath, message: string, key?: boolean) => void

/** Collects all ids, and tells of windows and ids that are given twice. */
function checkWindows(scenario: WrittenScenario, complain: Complain): Ids {
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

/** The items of a folder's list and the rows of a long one are named after the list. */
const isMadeBy = (ids: ReadonlySet<string>, id: string): boolean => {
  const list = /^(.*?)(?:\/.+|\.row-\d+)$/.exec(id)?.[1]
  return list !== undefined && ids.has(list)
}

function attempt(action: () => unknown, path: KeyPath, complain: Complain): void {
  try {
    action()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    complain(path, error.message)
  }
}

const listed = (noun: string, names: readonly string[]): string =>
  names.length > 12 ? `there are ${names.length} ${noun}` : `the ${noun} are ${names.join(', ')}`
