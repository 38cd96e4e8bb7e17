import type { WindowInfo } from '../../adapters/computer.ts'
import { type Awaitable, andThen } from '../../base/async.ts'
import { type Element, walk } from '../../desktop/model/element.ts'
import { type Rect, sameRect } from '../../desktop/model/geometry.ts'
import { isSameTree } from '../../desktop/tree/diff.ts'
import { type Picture, wordsOf } from '../../paint/picture.ts'
import type { DesktopContext } from '../desktop-context.ts'
import { sortedWindows } from '../targets/window-lookup.ts'
import { MAX_READ_MS, readTrees, readWindowTree, withTimeout } from './screen-trees.ts'

/** The visible state of a desktop at one moment, used to detect changes. */
export interface ScreenState {
  readonly windows: readonly WindowInfo[]
  readonly trees: ReadonlyMap<string, Element>
  /** Windows of a real desktop whose program did not return their tree in time. */
  readonly unavailable: ReadonlySet<string>
  /** Pictures of areas of a real desktop that no tree describes. */
  readonly areas: ReadonlyMap<string, PicturedArea>
}

interface PicturedArea {
  readonly area: Rect
  readonly picture: Picture
}

/** What to capture of a real desktop. A synthetic one is captured as a whole, which costs nothing. */
export interface CaptureOptions {
  /** Windows to capture besides the focused one and those that were shown before. */
  readonly windowUids?: readonly string[]
  /** A tree that has just been read. */
  readonly knownTree?: { readonly uid: string; readonly tree: Element } | undefined
  /** How long to wait for the tree of a program, in milliseconds. */
  readonly timeoutMs?: number
  /** Takes pictures of the areas that no tree describes, or of the same areas again. */
  readonly areas?: 'undescribed' | ReadonlyMap<string, PicturedArea>
}

const NO_AREAS: ReadonlyMap<string, PicturedArea> = new Map()

/** A state of which nothing is known. */
export const UNKNOWN_SCREEN: ScreenState = {
  windows: [],
  trees: new Map(),
  unavailable: new Set(),
  areas: NO_AREAS,
}

/** Captures the current state of the screen. */
export const captureScreen = (context: DesktopContext, options: CaptureOptions = {}): Awaitable<ScreenState> =>
  context.computer.info.synthetic ? captureSynthetic(context) : captureReal(context, options)

const captureSynthetic = (context: DesktopContext): Awaitable<ScreenState> =>
  andThen(sortedWindows(context), (windows) =>
    andThen(readTrees(context, windows), (read) => ({ windows, ...read, areas: NO_AREAS })),
  )

async function captureReal(
  context: DesktopContext,
  { windowUids = [], knownTree, timeoutMs = MAX_READ_MS, areas }: CaptureOptions,
): Promise<ScreenState> {
  const windows = await sortedWindows(context)
  const isBackground = ({ uid, focused }: WindowInfo) => !focused && !windowUids.includes(uid)
  const isCaptured = (window: WindowInfo) => !isBackground(window) || context.trees.knownTree(window.uid)
  const unread = windows.filter((window) => isCaptured(window) && window.uid !== knownTree?.uid)
  const read = await readTrees(context, unread, { timeoutMs, isBackground })
  const isOpen = knownTree !== undefined && windows.some(({ uid }) => uid === knownTree.uid)
  const trees = isOpen ? new Map([...read.trees, [knownTree.uid, knownTree.tree]]) : read.trees
  const wanted = areas === 'undescribed' ? undescribedAreas(windows, trees, windowUids) : areasOf(areas)
  return { windows, trees, unavailable: read.unavailable, areas: await takePictures(context, wanted, timeoutMs) }
}

type Areas = readonly (readonly [key: string, area: Rect])[]

const areasOf = (pictures: ReadonlyMap<string, PicturedArea> = NO_AREAS): Areas =>
  [...pictures].map(([key, { area }]) => [key, area])

/** The areas of windows without a tree and of secret fields, whose content no tree contains. */
function undescribedAreas(
  windows: readonly WindowInfo[],
  trees: ReadonlyMap<string, Element>,
  windowUids: readonly string[],
): Areas {
  return windows
    .filter(({ uid, focused }) => focused || windowUids.includes(uid))
    .flatMap(({ uid, bounds }): Areas => {
      const tree = trees.get(uid)
      if (!tree) return [[uid, bounds]]
      return visibleSecrets(tree).map(({ id, bounds }) => [`${uid}#${id}`, bounds])
    })
}

function visibleSecrets(tree: Element): readonly Element[] {
  const secrets: Element[] = []
  for (const node of walk(tree)) if (node.traits?.secret && !node.traits.hidden) secrets.push(node)
  return secrets
}

async function takePictures(
  context: DesktopContext,
  areas: Areas,
  timeoutMs: number,
): Promise<ReadonlyMap<string, PicturedArea>> {
  const pictures = new Map<string, PicturedArea>()
  for (const [key, area] of areas) {
    if (area.width <= 0 || area.height <= 0) continue
    const picture = await withTimeout(context, timeoutMs, () => context.computer.screenshot({ area }))
    if (picture) pictures.set(key, { area, picture: picture.result })
  }
  return pictures
}

/** Whether a client could not distinguish two trees. */
export const isSameView = (before: Element | undefined, after: Element | undefined): boolean =>
  before === after || (before !== undefined && after !== undefined && isSameTree(before, after))

/** The appearance of one window: its tree, or its picture if it has no tree. */
interface Appearance {
  readonly tree: Element | 'unavailable' | undefined
  readonly picture: Picture | undefined
}

/** The current appearance of a window. Waits `timeoutMs` for the tree of its program. */
export const appearanceOf = (context: DesktopContext, { uid }: WindowInfo, timeoutMs: number): Awaitable<Appearance> =>
  andThen(readWindowTree(context, uid, timeoutMs), async (tree): Promise<Appearance> => {
    const isOpen = !tree && (await context.computer.windows()).some((window) => window.uid === uid)
    return { tree, picture: isOpen ? await context.computer.screenshot({ window: uid }) : undefined }
  })

/** Whether a window looks the same. The appearance of a program that does not respond equals no other. */
export function isSameAppearance(before: Appearance, after: Appearance): boolean {
  if (before.tree === 'unavailable' || after.tree === 'unavailable') return false
  if (!before.picture || !after.picture)
    return isSameView(before.tree, after.tree) && !before.picture === !after.picture
  return isSamePicture(before.picture, after.picture)
}

/** Whether a client could not distinguish two states. A window that lost its tree counts as changed. */
export function isSameScreen(before: ScreenState, after: ScreenState): boolean {
  if (!isSameWindowList(before.windows, after.windows)) return false
  for (const [uid, tree] of before.trees) if (!isSameView(tree, after.trees.get(uid))) return false
  for (const [key, { picture }] of before.areas) {
    const now = after.areas.get(key)
    if (now && !isSamePicture(picture, now.picture)) return false
  }
  return true
}

export const isSameWindowList = (before: readonly WindowInfo[], after: readonly WindowInfo[]): boolean =>
  before === after ||
  (before.length === after.length &&
    before.every(({ uid, title, focused, bounds }, index) => {
      const other = after[index]!
      return uid === other.uid && title === other.title && focused === other.focused && sameRect(bounds, other.bounds)
    }))

/** The windows that were not open before. */
export const newWindows = (before: readonly WindowInfo[], after: readonly WindowInfo[]) =>
  after
    .filter((window) => !before.some((each) => each.uid === window.uid))
    .map((window) => ({ window_uid: window.uid, title: window.title }))

/** The largest size of a text caret in pixels. */
const CARET_WIDTH = 3
const CARET_HEIGHT = 64

/** Whether two pictures of one area are equal, except for a blinking caret. */
function isSamePicture(before: Picture, after: Picture): boolean {
  if (before.width !== after.width || before.height !== after.height) return false
  const [one, other] = [wordsOf(before.pixels()), wordsOf(after.pixels())]
  const { width, height } = before
  let left = width
  let right = -1
  let top = height
  let bottom = -1
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      if (one[at] === other[at]) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = y
    }
  return right < 0 || (right - left < CARET_WIDTH && bottom - top < CARET_HEIGHT)
}
