import * as z from 'zod'
import { isAway, type WindowInfo } from '../../adapters/computer.ts'
import { type Awaitable, andThen } from '../../base/async.ts'
import { Fault } from '../../base/fault.ts'
import type { Monitor } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { visibleRegions } from '../../desktop/visible-bounds.ts'
import type { DesktopContext } from '../desktop-context.ts'

/** The arguments that name a window. Without any of them, the focused window is used, else the first. */
export const WindowChoice = z.object({
  window_uid: z.string().optional().describe('Stable id from list_windows; takes precedence'),
  window_index: z
    .int()
    .min(0)
    .optional()
    .describe('Position in list_windows, 0-based; changes when windows open or close'),
  window_title: z.string().optional().describe('Part of the title; case is ignored'),
})
export type WindowChoice = z.infer<typeof WindowChoice>

/** The windows in the order of `list_windows`: the focused one first, the others by title. */
export const sortedWindows = (context: DesktopContext): Awaitable<readonly WindowInfo[]> =>
  andThen(context.computer.windows(), asListed)

/** Sorted lists by unsorted list: an unchanged desktop returns the same list again. */
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
 * Resolves the arguments that name a window. Throws `WindowGone` when they match none. With `lenientIndex`, an index out of
 * range returns the focused window and a warning, as existing clients of the tree expect. `withHidden` also finds windows that
 * their author hides.
 */
export const chooseWindow = (
  context: DesktopContext,
  choice: WindowChoice,
  { lenientIndex = false, withHidden = false } = {},
): Awaitable<ChosenWindow> =>
  andThen(sortedWindows(context), (windows) => {
    if (withHidden)
      return andThen(hiddenWindows(context), (hidden) => chooseFrom([...windows, ...hidden], choice, lenientIndex))
    try {
      return chooseFrom(windows, choice, lenientIndex)
    } catch (thrown) {
      return explainAway(context, choice, thrown)
    }
  })

/** The windows that are not on the screen. They come after all others where they are listed. */
export const hiddenWindows = ({ computer }: DesktopContext): Awaitable<readonly WindowInfo[]> =>
  computer.hiddenWindows?.() ?? NO_WINDOWS

const NO_WINDOWS: readonly WindowInfo[] = []

/** Throws the reason why no window was found: the one that the arguments name may be minimised. */
const explainAway = (context: DesktopContext, choice: WindowChoice, thrown: unknown): Awaitable<never> =>
  andThen(hiddenWindows(context), (hidden): never => {
    const title = choice.window_title?.toLowerCase()
    const named = hidden.filter(isAway).find((window) => {
      if (choice.window_uid !== undefined) return window.uid === choice.window_uid
      return title !== undefined && window.title.toLowerCase().includes(title)
    })
    if (!named) throw thrown
    const how = named.state === 'minimized' ? 'minimised' : `on the workspace ${JSON.stringify(named.workspace)}`
    throw gone(`the window ${JSON.stringify(named.title)} is ${how}; bring_to_foreground shows it`, {
      window_uid: named.uid,
    })
  })

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
  if (!front) throw gone('the desktop has no open window', {})
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

/** The full redacted tree of a window. Throws `PlatformUnsupported` or `WindowGone` when it has none. */
export const requireTree = (context: DesktopContext, window: WindowInfo): Awaitable<Element> =>
  andThen(captureTree(context, window), (tree) => tree ?? explainMissing(context, window))

/** Throws the reason why a window has no tree. */
async function explainMissing(context: DesktopContext, window: WindowInfo): Promise<never> {
  const windows = await context.computer.windows()
  const about = { window_uid: window.uid }
  if (!windows.some(({ uid }) => uid === window.uid))
    throw gone(`the window ${JSON.stringify(window.uid)} has just been closed`, about)
  const remedy = await context.computer.treeRemedy?.(window.uid)
  throw new Fault(
    'PlatformUnsupported',
    `the window ${JSON.stringify(window.title)} has no element tree; ${remedy === undefined ? '' : `${remedy}; meanwhile `}use get_ocr or get_screenshot`,
    about,
  )
}

/** The redacted tree of a window, or undefined when it has none. Records the duration for the metrics. */
export function captureTree(context: DesktopContext, { uid }: WindowInfo): Awaitable<Element | undefined> {
  const startedMs = context.operatorClock.now()
  return andThen(context.computer.tree(uid), (tree) => {
    const nowMs = context.operatorClock.now()
    if (tree) context.trees.recordCapture(uid, tree, { tookMs: nowMs - startedMs, atMs: nowMs })
    return tree
  })
}

/** Remembers the current tree and returns its token, for later queries of changes; null without a tree. */
export async function issueTreeToken(context: DesktopContext, window: WindowInfo): Promise<string | null> {
  const tree = await captureTree(context, window)
  return tree ? context.trees.remember(window.uid, tree, context.operatorClock.now()) : null
}

/** The parts of a window that no other window covers and some monitor shows. */
export const visibleRegionsOf = (context: DesktopContext, window: WindowInfo): Awaitable<readonly Rect[]> =>
  uncoveredRegions(context, window, window.bounds)

/** The parts of a rectangle of a window that no other window, except for some, covers and some monitor shows. */
export const uncoveredRegions = (
  context: DesktopContext,
  window: WindowInfo,
  rect: Rect,
  ignored: readonly WindowInfo[] = [],
): Awaitable<readonly Rect[]> =>
  andThen(context.computer.windows(), (windows) =>
    andThen(context.computer.monitors(), (monitors) =>
      uncoveredBy(
        windows.filter(({ uid }) => ignored.every((each) => each.uid !== uid)),
        monitors,
        window,
        rect,
      ),
    ),
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
