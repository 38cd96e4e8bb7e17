import { Fault } from '../../base/fault.ts'
import type { Element } from '../../desktop/model/element.ts'
import { formatSelector, parseSelector } from '../../desktop/tree/selector.ts'
import type { LiveMatch, LiveSelection } from '../../viewer/model/live.ts'
import { assertToolAllowed } from '../gates/allowlist.ts'
import { findTool } from '../registry.ts'
import { readWindowTree } from '../screen/read-trees.ts'
import type { ToolContext } from '../session/context.ts'
import { type ResolvedElement, resolveElement } from '../targets/elements.ts'
import { chooseWindow } from '../targets/windows.ts'
import { sanitize } from '../wire/sanitize.ts'
import { bestSelector } from './best-selector.ts'

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
