import * as z from 'zod'
import type { WindowInfo } from '../../adapters/computer.ts'
import { type Awaitable, andThen } from '../../base/awaitable.ts'
import { Fault, type FaultCode } from '../../base/fault.ts'
import { scrollByWheel } from '../../desktop/input/wheel.ts'
import type { Monitor } from '../../desktop/model/desktop.ts'
import { type Element, nodeAt, type Path, pathOf } from '../../desktop/model/element.ts'
import { centerOf, type Point, type Rect } from '../../desktop/model/geometry.ts'
import { hitTree } from '../../desktop/tree/hit.ts'
import { type Match, querySelectorAll, selectorOf } from '../../desktop/tree/select.ts'
import { formatSelector, parseSelector } from '../../desktop/tree/selector.ts'
import { clickPoint, isConcealed, shownBounds, visibleRegions } from '../../desktop/tree/visible.ts'
import type { DesktopParts } from '../session/parts.ts'

/** Which window; the first that is given counts. Nothing given: the focused window, else the first. */
export const WindowChoice = z.object({
  window_uid: z.string().optional().describe('Stable id from list_windows; wins over the others'),
  window_index: z.int().min(0).optional().describe('Position in list_windows, 0-based; may shift when windows change'),
  window_title: z.string().optional().describe('Part of the title, in any case'),
})
export type WindowChoice = z.infer<typeof WindowChoice>

/** Which element of the window. */
export const ElementChoice = z.object({
  selector: z.string().optional().describe('Which element, e.g. Window/Button[name="OK"] or Window > Button "OK"'),
  element_id: z.string().optional().describe('Its id from a tree; used when the selector does not match'),
})
export type ElementChoice = z.infer<typeof ElementChoice>

/** The windows as clients see them: the focused one first, the others by title in any case. */
export const sortedWindows = (context: DesktopParts): Awaitable<readonly WindowInfo[]> =>
  andThen(context.computer.windows(), asListed)

/** Desktops that have not changed give the same list again. */
const listed = new WeakMap<readonly WindowInfo[], readonly WindowInfo[]>()

function asListed(windows: readonly WindowInfo[]): readonly WindowInfo[] {
  if (windows.length < 2) return windows
  const known = listed.get(windows)
  if (known) return known
  const sorted = [...windows].sort(
    (a, b) =>
      Number(b.focused) - Number(a.focused) ||
      compareText(a.title.toLowerCase(), b.title.toLowerCase()) ||
      compareText(a.uid, b.uid),
  )
  listed.set(windows, sorted)
  return sorted
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export interface ChosenWindow {
  readonly window: WindowInfo
  readonly warning?: string
}

/**
 * The window that is meant. A uid or title that names none is `WindowGone`, never another window; so is an index, but
 * with `lenientIndex` it gives the focused window and a warning, as existing clients of the tree expect.
 */
export const chooseWindow = (
  context: DesktopParts,
  choice: WindowChoice,
  { lenientIndex = false } = {},
): Awaitable<ChosenWindow> => andThen(sortedWindows(context), (windows) => chooseFrom(windows, choice, lenientIndex))

function chooseFrom(windows: readonly WindowInfo[], choice: WindowChoice, lenientIndex: boolean): ChosenWindow {
  const { window_uid: uid, window_index: index, window_title: title } = choice
  if (uid !== undefined) {
    const window = windows.find((each) => each.uid === uid)
    if (!window) throw gone(`no window has the uid ${JSON.stringify(uid)}`, { window_uid: uid })
    return index === undefined
      ? { window }
      : { window, warning: 'both window_index and window_uid given; window_uid used' }
  }
  const front = windows[0]
  if (!front) throw gone('there is no window on this desktop', {})
  if (index !== undefined) {
    const window = windows[index]
    if (window) return { window }
    const problem = `window_index ${index} is out of range: there are ${windows.length} windows`
    if (lenientIndex) return { window: front, warning: `${problem}; the focused window is shown` }
    throw gone(problem, { window_index: index, count: windows.length })
  }
  if (title !== undefined) {
    const window = windows.find((each) => each.title.toLowerCase().includes(title.toLowerCase()))
    if (!window) throw gone(`no window title contains ${JSON.stringify(title)}`, { window_title: title })
    return { window }
  }
  return { window: front }
}

const gone = (message: string, context: Record<string, unknown>) => new Fault('WindowGone', message, context)

/** The full tree of a window, as it may be seen. */
export const requireTree = (context: DesktopParts, window: WindowInfo): Awaitable<Element> =>
  andThen(captureTree(context, window), (tree) => tree ?? explainMissing(context, window))

/** Throws why a window has no tree. */
async function explainMissing(context: DesktopParts, window: WindowInfo): Promise<never> {
  const windows = await context.computer.windows()
  const about = { window_uid: window.uid }
  if (!windows.some(({ uid }) => uid === window.uid))
    throw gone(`the window ${JSON.stringify(window.uid)} has just gone`, about)
  throw new Fault(
    'PlatformUnsupported',
    `the window ${JSON.stringify(window.title)} has no element tree; get_ocr or get_screenshot may show what is in it`,
    about,
  )
}

/** The tree of a window as it may be seen, or undefined when it has none. What it took is noted for the metrics. */
export function captureTree(context: DesktopParts, { uid }: WindowInfo): Awaitable<Element | undefined> {
  const startedMs = context.operatorClock.now()
  return andThen(context.computer.tree(uid), (tree) => {
    const nowMs = context.operatorClock.now()
    if (tree) context.trees.noteCapture(uid, tree, { tookMs: nowMs - startedMs, atMs: nowMs })
    return tree
  })
}

/** Remembers what the window shows now, so that a later look may ask what changed since; null without a tree. */
export async function issueTreeToken(context: DesktopParts, window: WindowInfo): Promise<string | null> {
  const tree = await captureTree(context, window)
  return tree ? context.trees.remember(window.uid, tree, context.operatorClock.now()) : null
}

export interface ResolvedElement {
  readonly path: Path
  readonly element: Element
  /** The canonical selector that was given, or one derived for the element. */
  readonly selector: string
  readonly matches: readonly { readonly path: Path; readonly element: Element }[]
}

/** The element that is meant: by selector first, then by id, by position (`root.0.2`), or by an id that is a selector. */
export function resolveElement(tree: Element, choice: ElementChoice, windowUid: string): ResolvedElement {
  const { selector, element_id: id } = choice
  if (selector === undefined && id === undefined)
    throw new Fault('BadRequest', 'name an element by selector or by element_id', { field: 'selector' })
  const bySelector = selector === undefined ? undefined : attempt(() => matchSelector(tree, selector, windowUid))
  if (bySelector && 'found' in bySelector) return bySelector.found
  const byId = id === undefined ? undefined : attempt(() => matchId(tree, id, windowUid))
  if (byId && 'found' in byId) return byId.found
  throw (bySelector ?? byId)!.fault
}

/** Whether the tree holds the element that is meant. */
export const containsElement = (tree: Element, choice: ElementChoice): boolean =>
  'found' in attempt(() => resolveElement(tree, choice, ''))

function attempt(find: () => ResolvedElement): { found: ResolvedElement } | { fault: unknown } {
  try {
    return { found: find() }
  } catch (fault) {
    return { fault }
  }
}

function matchSelector(tree: Element, text: string, windowUid: string): ResolvedElement {
  const selector = parseSelector(text)
  const matches = concealedLast(tree, querySelectorAll(tree, selector))
  const first = matches[0]
  if (!first)
    throw new Fault('ElementNotFound', `no element matches selector ${JSON.stringify(text)}`, {
      selector: text,
      window_uid: windowUid,
    })
  return { path: first.path, element: first.element, selector: formatSelector(selector), matches }
}

/** In document order, but what is hidden or folded away comes after all that is not. */
function concealedLast(tree: Element, matches: readonly Match[]): readonly Match[] {
  if (matches.length < 2) return matches
  const concealed = new Set(matches.filter(({ path }) => isConcealed(tree, path)))
  if (concealed.size === 0 || concealed.size === matches.length) return matches
  return [...matches.filter((match) => !concealed.has(match)), ...concealed]
}

function matchId(tree: Element, id: string, windowUid: string): ResolvedElement {
  const path = pathOf(tree, id) ?? pathByPosition(tree, id)
  const element = path && nodeAt(tree, path)
  if (path && element) return { path, element, selector: selectorOf(tree, path), matches: [{ path, element }] }
  const bySelector = attempt(() => matchSelector(tree, id, windowUid))
  if ('found' in bySelector) return bySelector.found
  throw new Fault('ElementNotFound', `no element has the id ${JSON.stringify(id)}`, {
    element_id: id,
    window_uid: windowUid,
  })
}

/** Clients that count children themselves may write `root.0.2` for an element that has an id of its own. */
function pathByPosition(tree: Element, id: string): Path | undefined {
  const [root, ...steps] = id.split('.')
  if (
    root !== 'root' ||
    !steps.every((step) => step !== '' && [...step].every((digit) => digit >= '0' && digit <= '9'))
  )
    return undefined
  const path = steps.map(Number)
  return nodeAt(tree, path) ? path : undefined
}

/** The parts of a window that no other window covers. */
export const visibleRegionsOf = (context: DesktopParts, window: WindowInfo): Awaitable<readonly Rect[]> =>
  uncovered(context, window, window.bounds)

/** The parts of a rectangle of a window that no other window covers and some monitor shows. */
const uncovered = (context: DesktopParts, window: WindowInfo, rect: Rect): Awaitable<readonly Rect[]> =>
  andThen(context.computer.windows(), (windows) =>
    andThen(context.computer.monitors(), (monitors) => uncoveredBy(windows, monitors, window, rect)),
  )

function uncoveredBy(
  windows: readonly WindowInfo[],
  monitors: readonly Monitor[],
  window: WindowInfo,
  rect: Rect,
): readonly Rect[] {
  const position = windows.findIndex((each) => each.uid === window.uid)
  const above = position < 1 ? [] : windows.slice(0, position).filter((each) => each.popupOf !== window.uid)
  return visibleRegions(rect, above.map(boundsOf), monitors.map(boundsOf))
}

const boundsOf = ({ bounds }: { readonly bounds: Rect }): Rect => bounds

/**
 * Throws `ElementDisabled`, `ElementOccluded` or `WindowOccluded`; else the point to click for this element. `scrolls`: the
 * action that follows brings what is scrolled out of sight into view, where that takes more than the wheel's own tool.
 */
export function actionPoint(
  context: DesktopParts,
  window: WindowInfo,
  tree: Element,
  found: ResolvedElement,
  { scrolls = false }: { readonly scrolls?: boolean } = {},
): Awaitable<Point> {
  const { element, path } = found
  if (!element.enabled) throw outOfReach('ElementDisabled', window, found, 'is disabled')
  const shown = shownBounds(tree, path)
  // A real computer scrolls to the element when it acts on it.
  if (!shown && scrolls && !context.computer.info.synthetic && !isConcealed(tree, path)) return centerOf(element.bounds)
  if (!shown) throw outOfSight(context, window, tree, found)
  return andThen(uncovered(context, window, shown), (regions) => {
    const at = clickPoint(regions, shown)
    if (!at) return explainCovered(context, window, found)
    if (isBehind(context, tree, path, at))
      throw outOfReach('ElementOccluded', window, found, 'lies behind another element of its window')
    return at
  })
}

/** The fault of an element that nothing is seen of in its window; where scrolling helps, it says where and how far. */
function outOfSight(context: DesktopParts, window: WindowInfo, tree: Element, found: ResolvedElement): Fault {
  const wheel = context.computer.info.synthetic ? scrollByWheel(tree, found.path) : undefined
  if (!wheel) return outOfReach('ElementOccluded', window, found, 'is not shown in its window')
  const { x, y, clicks } = wheel
  const { role, name } = found.element
  return new Fault(
    'ElementOccluded',
    `${role} ${JSON.stringify(name)} is scrolled out of sight; scroll at ${x},${y} by ${clicks} clicks`,
    { ...contextOf(window, found), scroll: wheel },
    {},
    'scroll',
  )
}

/** Throws whether it is the element that is covered or the whole of its window. */
async function explainCovered(context: DesktopParts, window: WindowInfo, found: ResolvedElement): Promise<never> {
  if ((await visibleRegionsOf(context, window)).length === 0)
    throw new Fault(
      'WindowOccluded',
      `the window ${JSON.stringify(window.title)} is covered or off the screen; bring_to_foreground raises it`,
      contextOf(window, found),
    )
  throw outOfReach('ElementOccluded', window, found, 'is covered by another window or off the screen')
}

const outOfReach = (code: FaultCode, window: WindowInfo, found: ResolvedElement, how: string): Fault =>
  new Fault(code, `${found.element.role} ${JSON.stringify(found.element.name)} ${how}`, contextOf(window, found))

const contextOf = ({ uid }: WindowInfo, { element, selector }: ResolvedElement) => ({
  selector,
  element_id: element.id,
  window_uid: uid,
  bounds: element.bounds,
})

/** Whether something else of the same window lies at the point. Trees of real programs overlap too freely to tell. */
function isBehind(context: DesktopParts, tree: Element, path: Path, at: Point): boolean {
  if (!context.computer.info.synthetic) return false
  const hit = hitTree(tree, at) ?? []
  const shorter = Math.min(hit.length, path.length)
  return path.slice(0, shorter).some((index, depth) => hit[depth] !== index)
}
