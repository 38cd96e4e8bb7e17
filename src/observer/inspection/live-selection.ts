import { Fault } from '../../base/fault.ts'
import { type Element, nodeAt, type Path } from '../../desktop/model/element.ts'
import { querySelectorAll, selectorOf } from '../../desktop/tree/select.ts'
import { formatSelector, isRole, parseSelector, type SelectorStep } from '../../desktop/tree/selector.ts'
import type { LiveMatch, LiveSelection } from '../../viewer/model/live.ts'
import { assertToolAllowed } from '../gates/allowlist.ts'
import { findTool } from '../registry.ts'
import { readWindowTree } from '../screen/screen-trees.ts'
import { type ResolvedElement, resolveElement } from '../targets/elements.ts'
import { chooseWindow } from '../targets/window-lookup.ts'
import type { ToolContext } from '../tool-context.ts'
import { sanitize } from '../wire.ts'

/** A selector to try, or an element that needs one. The focused window by default. */
export interface SelectionRequest {
  readonly selector?: string | undefined
  readonly elementId?: string | undefined
  readonly windowUid?: string | undefined
}

const MAX_MATCHES = 200

/**
 * The elements that a selector matches, as an action would resolve it, or the selector of an element. It is not a call. A
 * selector that cannot be read is a result with an error.
 * @throws `BadRequest` for neither or both, `ElementNotFound` for an unknown id, `WindowGone`, `PlatformUnsupported` for a
 *   window without a tree, `PermissionDenied` where the operator denies `find_element`.
 */
export async function liveSelection(context: ToolContext, request: SelectionRequest): Promise<LiveSelection> {
  const { selector, elementId, windowUid } = request
  if ((selector === undefined) === (elementId === undefined))
    throw new Fault('BadRequest', 'selector: give either selector or element_id', { field: 'selector' })
  assertToolAllowed(findTool('find_element')!, context.settings)
  const { window } = await chooseWindow(context, { window_uid: windowUid })
  const about = { ok: true, window_uid: window.uid } as const
  if (selector !== undefined) {
    const problem = problemOf(selector)
    if (problem) return sanitize({ ...about, selector: null, count: 0, matches: [], error: problem })
  }
  const tree = await readWindowTree(context, window.uid)
  if (tree === undefined || tree === 'unavailable')
    throw new Fault('PlatformUnsupported', `the window ${JSON.stringify(window.title)} has no element tree now`)
  const matches = matchesOf(tree, { selector, element_id: elementId }, window.uid)
  const [first] = matches
  const shown = selector === undefined ? bestSelector(tree, first!.path) : formatSelector(parseSelector(selector))
  return sanitize({
    ...about,
    selector: shown,
    count: matches.length,
    matches: matches.slice(0, MAX_MATCHES).map(({ element }) => toMatch(element)),
    error: null,
  })
}

const toMatch = ({ id, role, name, bounds }: Element): LiveMatch => ({ element_id: id, role, name, bounds })

/** The matches of a selector, none if nothing matches. An unknown id is `ElementNotFound`. */
function matchesOf(
  tree: Element,
  choice: Parameters<typeof resolveElement>[1],
  windowUid: string,
): ResolvedElement['matches'] {
  try {
    return resolveElement(tree, choice, windowUid).matches
  } catch (thrown) {
    const isMissing = thrown instanceof Fault && thrown.code === 'ElementNotFound'
    if (isMissing && choice.selector !== undefined) return []
    throw thrown
  }
}

function problemOf(selector: string): LiveSelection['error'] {
  try {
    parseSelector(selector)
    return null
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
    const { column } = thrown.context
    return { message: thrown.message, column: typeof column === 'number' ? column : null }
  }
}

/** Longer names are content rather than names. */
const MAX_NAME_LENGTH = 80

/**
 * The selector of an element that a person would write, which matches no other element of its tree: role and name, then with
 * an ancestor that has a name, then the id, then the canonical path.
 */
export function bestSelector(root: Element, path: Path): string {
  const element = nodeAt(root, path)!
  const canonical = selectorOf(root, path)
  const self = stepOf(element, 'anywhere')
  const named = self && element.name !== '' ? [[self]] : []
  const below = self
    ? ancestorsOf(root, path).flatMap((step) => [[step, { ...self, reach: 'descendant' as const }]])
    : []
  const byId: readonly (readonly SelectorStep[])[] = isPosition(element.id)
    ? []
    : [[{ reach: 'anywhere', tests: [{ key: 'id', op: '=', value: element.id }] }]]
  for (const steps of [...named, ...below, ...byId]) {
    const text = readable(steps)
    const [first, ...others] = querySelectorAll(root, text)
    if (first?.element === element && others.length === 0) return text
  }
  return canonical
}

/** Named ancestors, the nearest first, without the root: its name is the title of the window. */
const ancestorsOf = (root: Element, path: Path): readonly SelectorStep[] =>
  path
    .map((_, depth) => path.slice(0, depth))
    .slice(1)
    .reverse()
    .map((above) => nodeAt(root, above)!)
    .filter(({ name }) => name !== '')
    .flatMap((ancestor) => stepOf(ancestor, 'anywhere') ?? [])

/** The step of an element's role, with its name if it has one. Undefined if it cannot be written. */
function stepOf({ role, name }: Element, reach: SelectorStep['reach']): SelectorStep | undefined {
  const word = role.replaceAll(' ', '_')
  if (!isRole(word) || name.length > MAX_NAME_LENGTH || /[\p{Cc}]/u.test(name)) return undefined
  return { reach, role: word, tests: name === '' ? [] : [{ key: 'name', op: '=', value: name }] }
}

/** Ids of elements without one of their own count children, which changes when elements come and go. */
const isPosition = (id: string): boolean => /^root(?:\.\d+)*$/.test(id)

/** `Pane "Left" Button "OK"` where this reads as the same selector, else the canonical text. */
function readable(steps: readonly SelectorStep[]): string {
  const canonical = formatSelector({ steps })
  if (!steps.every(isPlain)) return canonical
  return steps.map(({ role, tests: [test] }) => (test ? `${role} "${test.value}"` : role)).join(' ')
}

/** Whether a step is a role with a name that needs no escaping. */
const isPlain = ({ role, tests }: SelectorStep): boolean =>
  role !== undefined && tests.every(({ key, value }) => key === 'name' && !/["'\\]/.test(String(value)))
