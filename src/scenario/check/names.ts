import { Fault } from '../../base/fault.ts'
import { compilePattern, patternSize } from '../../base/pattern.ts'
import { exists, type Files, folderOf, isFile, isFolder, resolvePath } from '../../desktop/model/files.ts'
import { isShellId, isShellWindow } from '../../desktop/shell/shell-elements.ts'
import { parseSelector } from '../../desktop/tree/selector.ts'
import type { AuthoredScenario, ScenarioEvents } from '../scenario-file.ts'
import type { AuthoredElement } from '../schema/element.ts'
import { notOneOf, type ReportProblem } from '../source/problem.ts'
import type { KeyPath } from '../source/source.ts'
import { allWindows } from '../visit.ts'
import { isGeneratedFrom, isPartName, type WindowIds } from './ids.ts'

/** Reports names of states that do not exist. `where` begins the message. */
export function checkStates(
  { states, report: complain }: CheckContext,
  path: KeyPath,
  names: string | readonly string[] | undefined,
  where = '',
): void {
  const missing = (name: string) =>
    notOneOf(`${where}there is no state ${JSON.stringify(name)}`, name, states, listed('states', states))
  if (typeof names === 'string' && !states.includes(names)) complain(path, missing(names))
  if (typeof names !== 'object') return
  if (names.length === 0) complain(path, 'lists no states; omit it to match all states')
  for (const [index, name] of names.entries()) if (!states.includes(name)) complain([...path, index], missing(name))
}

const listed = (noun: string, names: readonly string[]): string =>
  names.length > 12 ? `there are ${names.length} ${noun}` : `the ${noun} are ${names.join(', ')}`

/** Checks the names in the arguments of a call, as far as they are known before the call. */
export function checkArguments(known: CheckContext, path: KeyPath, given: object): void {
  for (const [key, value] of Object.entries(given)) {
    const here = [...path, Array.isArray(given) ? Number(key) : key]
    if (typeof value === 'object' && value !== null) checkArguments(known, here, value)
    // Templates are filled when the call is made.
    if (typeof value !== 'string' || value.includes('{{')) continue
    if (PATTERNS.has(key)) checkPattern(known, here, value)
    if (key === 'selector') checkSelector(known, here, value)
    if (key === 'element_id') checkElementId(known, here, value)
    if (key === 'window_uid' && !isGeneratedFrom(known.ids, value)) checkWindow(known, here, value)
  }
}

/** Checks the id that a call gives: that of a part of items names none of them. */
function checkElementId(known: CheckContext, path: KeyPath, id: string): void {
  const example = known.parts.get(id)
  if (example === undefined) checkId(known, path, id)
  else known.report(path, `${id} is in every item of ${example.of}; name one, such as ${example.id}`)
}

const PATTERNS: ReadonlySet<string> = new Set(['regex', 'title_regex', 'name_regex'])

/**
 * Checks a selector and the ids in it. All windows count, because an element may be dragged here from another window. `where`
 * begins the message.
 */
export const checkSelector = (known: CheckContext, path: KeyPath, selector: string, where = ''): void =>
  attempt(() => checkParsed(known, path, selector, where), path, known.report, where)

function checkParsed(known: CheckContext, path: KeyPath, selector: string, where: string): void {
  if (known.patterns.left < 0) return
  for (const { tests } of parseSelector(selector).steps)
    for (const { key, op, value } of tests) {
      if (key === 'id' && op === '=') checkId(known, path, value, where)
      if (op === '~=') isTooMuch(known, path, value)
    }
}

/** Whether a name is that of a part of items, such as `card.remove`. */
export const namesPart = ({ ids }: Pick<CheckContext, 'ids'>, name: string): boolean =>
  [...ids.values()].some((set) => isPartName(set, name))

/** Checks an id that any window may have. `where` begins the message. */
export function checkId({ ids, report: complain }: CheckContext, path: KeyPath, id: string, where = ''): void {
  const sets = [...ids.values()]
  if (hasId(OF_DIALOGS, id) || isShellId(id) || sets.some((set) => hasId(set, id))) return
  const all = sets.flatMap((set) => idsLike(id, set))
  complain(path, (hint) => `${where}no window has an element ${JSON.stringify(id)}${hint(id, all)}`)
}

/** The ids that one may mean: those of a window, and those of parts of the item that it names. */
function idsLike(id: string, ids: ReadonlySet<string>): readonly string[] {
  const at = id.lastIndexOf('.')
  return at < 0 ? [...ids] : [...ids, ...[...ids].map((part) => `${id.slice(0, at)}.${part}`)]
}

/** Whether a window has an id, makes it from one, or may fill a template to it. */
const hasId = (known: ReadonlySet<string>, id: string): boolean =>
  known.has(id) || isGeneratedFrom(known, id) || [...known].some((each) => each.includes('{') && isFilledFrom(each, id))

/** Whether templates and placeholders in a text can be filled so that it becomes another. */
function isFilledFrom(template: string, text: string): boolean {
  const parts = template.split(/\{\{.*?\}\}|\{[^{}]*\}/s)
  return parts.length > 1 && text.startsWith(parts[0]!) && text.endsWith(parts.at(-1)!)
}

/** Ids in the dialogs of file commands. */
const OF_DIALOGS: ReadonlySet<string> = new Set(['folder', 'up', 'files', 'name', 'status', 'cancel', 'accept'])

/** Reports a uid that no window of the file has. */
export function checkWindow({ ids, report: complain }: CheckContext, path: KeyPath, uid: string, where = ''): boolean {
  if (ids.has(uid) || isShellWindow(uid) || idsOfItemWindow(ids, uid)) return true
  complain(path, (hint) => `${where}no state has a window ${JSON.stringify(uid)}${hint(uid, ids.keys())}`)
  return false
}

/** Checks the uid of a window, and an id that it, or without a uid any window, has in some state. */
export function checkElement(
  known: CheckContext,
  path: KeyPath,
  { window, ...named }: { readonly window: string | undefined; readonly [key: string]: string | undefined },
): void {
  const { ids, report: complain } = known
  // Ids inside the desktop's own dialogs are not checked.
  const ofItem = window === undefined || ids.has(window) ? undefined : idsOfItemWindow(ids, window)
  if (window !== undefined && !ids.has(window) && !ofItem && isGeneratedFrom(ids, window)) return
  // Those of the shell depend on the style.
  if (isShellWindow(window)) return
  if (window !== undefined && !ofItem && !checkWindow(known, [...path, 'window'], window)) return
  for (const [key, id] of Object.entries(named)) {
    const sets = window === undefined ? [...ids.values()] : [ofItem ?? ids.get(window)!]
    if (id === undefined || isShellId(id)) continue
    if (sets.some((set) => set.has(id) || isGeneratedFrom(set, id) || isPartName(set, id))) continue
    const where = window === undefined ? 'no window' : `the window ${JSON.stringify(window)} in no state`
    const all = sets.flatMap((set) => idsLike(id, set))
    complain([...path, key], (hint) => `${where} has an element ${JSON.stringify(id)}${hint(id, all)}`)
  }
}

/** The ids in the window for an item, such as `draft-7`. */
const idsOfItemWindow = (ids: WindowIds, uid: string): ReadonlySet<string> | undefined =>
  [...uid.matchAll(/-/g)].map(({ index }) => ids.get(uid.slice(0, index + 1))).find((known) => known !== undefined)

/** Checks that a pattern compiles. */
export function checkPattern(known: CheckContext, path: KeyPath, pattern: string | undefined): void {
  if (pattern === undefined || isTooMuch(known, path, pattern)) return
  attempt(() => compilePattern(pattern), path, known.report)
}

/** Counts a pattern, and reports the first that exceeds the limit. */
function isTooMuch({ patterns, report: complain }: CheckContext, path: KeyPath, pattern: string): boolean {
  if (patterns.left < 0) return true
  patterns.left -= patternSize(pattern)
  if (patterns.left >= 0) return false
  complain(path, 'the patterns of the scenario compile to too many instructions together; write fewer repetitions')
  return true
}

/** A path with placeholders is only known once they are filled. */
export function checkPath({ report: complain }: CheckContext, path: KeyPath, authored: string | undefined): void {
  const wrong = authored === undefined || authored.includes('{') ? undefined : faultOfPath(authored)
  if (wrong !== undefined) complain(path, wrong)
}

function attempt(action: () => unknown, path: KeyPath, complain: ReportProblem, where = ''): void {
  try {
    action()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    complain(path, `${where}${error.message}`)
  }
}

/** The names that a scenario defines, for checking references to them. */
export interface CheckContext {
  readonly states: readonly string[]
  /** The declared events with the types of their fields. */
  readonly events: ScenarioEvents
  /** The ids of reactions. */
  readonly reactionIds: readonly string[]
  /** The events, and the ids of reactions and timers. */
  readonly happenings: readonly string[]
  readonly ids: WindowIds
  /** An id for each element that every item of a list has and nothing else, with the list. */
  readonly parts: ReadonlyMap<string, { readonly of: string; readonly id: string }>
  /** The remaining budget of pattern instructions; negative if it is exceeded. */
  readonly patterns: { left: number }
  /** Reports a problem at a path. */
  readonly report: ReportProblem
}

/**
 * Reports invalid paths, files inside files, and elements that show missing files or run commands on missing elements.
 */
export function checkFiles(scenario: AuthoredScenario, complain: ReportProblem): void {
  const files: Files = scenario.files ?? {}
  for (const path of Object.keys(files)) {
    const wrong = faultOfPath(path) ?? faultOfFolder(files, path)
    if (wrong !== undefined) complain(['files', path], wrong, true)
  }
  for (const { window, path } of allWindows(scenario))
    if (window.tree) checkTree(window.tree, [...path, 'tree'], files, complain)
}

/** The problem with a written path, or undefined if it is valid. */
function faultOfPath(path: string): string | undefined {
  try {
    const canonical = resolvePath('/', path)
    return canonical === path ? undefined : `expected the path from the root, ${JSON.stringify(canonical)}`
  } catch (error) {
    if (error instanceof Fault) return error.message
    throw error
  }
}

function faultOfFolder(files: Files, path: string): string | undefined {
  if (isFile(files, path) && Object.keys(files).some((other) => other.startsWith(`${path}/`)))
    return 'is a file and cannot hold others'
  return path === '/' && files[path] !== null ? 'is the root folder' : undefined
}

function checkTree(root: AuthoredElement, rootPath: KeyPath, files: Files, complain: ReportProblem): void {
  const lists = new Map<string, boolean>()
  const commands: { readonly path: KeyPath; readonly element: string; readonly onList: boolean }[] = []
  visit(root, rootPath, 'root')
  for (const { path, element, onList } of commands) {
    const shows = lists.get(element)
    if (shows === undefined)
      complain(path, (hint) => `the window has no element ${JSON.stringify(element)}${hint(element, lists.keys())}`)
    else if (onList && !shows) complain(path, `the element ${JSON.stringify(element)} shows no folder; give it one`)
  }

  function visit(element: AuthoredElement, path: KeyPath, position: string): void {
    const { folder, file, file_command: command } = element
    lists.set(element.id ?? position, folder !== undefined)
    if (folder !== undefined && !isFolder(files, folder))
      complain(
        [...path, 'folder'],
        (hint) => `there is no folder ${JSON.stringify(folder)} in files${hint(folder, foldersIn(files))}`,
      )
    if (typeof file === 'string' && !isFile(files, file))
      complain(
        [...path, 'file'],
        (hint) => `there is no file ${JSON.stringify(file)} in files${hint(file, Object.keys(files))}`,
      )
    if (command) {
      const onList = !['open', 'save', 'save-as'].includes(command.does)
      commands.push({ path: [...path, 'file_command', 'element'], element: command.element, onList })
    }
    element.children?.forEach((child, index) => {
      visit(child, [...path, 'children', index], `${position}.${index}`)
    })
  }
}

const foldersIn = (files: Files): readonly string[] =>
  [...new Set(Object.keys(files).flatMap((path) => [path, folderOf(path)]))].filter(
    (path) => exists(files, path) && isFolder(files, path),
  )
