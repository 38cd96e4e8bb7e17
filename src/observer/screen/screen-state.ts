import type { WindowInfo } from '../../adapters/computer.ts'
import { type Awaitable, andThen, forEachInOrder } from '../../base/awaitable.ts'
import { Fault } from '../../base/fault.ts'
import { type Element, walk } from '../../desktop/model/element.ts'
import { type Rect, sameRect } from '../../desktop/model/geometry.ts'
import { isSameTree } from '../../desktop/tree/diff.ts'
import type { Picture } from '../../paint/picture.ts'
import type { DesktopParts } from '../session/parts.ts'
import { sortedWindows } from '../targets/target.ts'
import { isSamePicture } from './same-picture.ts'

/** What can be seen of a desktop at one moment, kept to tell whether it changed. */
export interface ScreenState {
  readonly windows: readonly WindowInfo[]
  readonly trees: ReadonlyMap<string, Element>
  /** Windows of a real desktop whose program did not give their tree in time. */
  readonly unread: ReadonlySet<string>
  /** Parts of a real desktop that no tree describes, with what they look like. */
  readonly parts: ReadonlyMap<string, Part>
}

interface Part {
  readonly area: Rect
  readonly picture: Picture
}

/** How to look at a real desktop. A synthetic one is looked at whole, which costs nothing. */
export interface CaptureOptions {
  /** Windows to look at beside the focused one and those that were shown before. */
  readonly also?: readonly string[]
  /** A tree that has just been read. */
  readonly seen?: { readonly uid: string; readonly tree: Element } | undefined
  /** How long a program has for a tree, in milliseconds. */
  readonly withinMs?: number
  /** Photographs what no tree describes, or the same parts again. */
  readonly parts?: 'undescribed' | ReadonlyMap<string, Part>
}

const MAX_READ_MS = 2000

const NO_PARTS: ReadonlyMap<string, Part> = new Map()
const NOTHING_UNREAD: ReadonlySet<string> = new Set()

/** A screen of which nothing is known. */
export const UNKNOWN_SCREEN: ScreenState = { windows: [], trees: new Map(), unread: NOTHING_UNREAD, parts: NO_PARTS }

/** The screen as it is now. */
export const captureScreen = (context: DesktopParts, look: CaptureOptions = {}): Awaitable<ScreenState> =>
  context.computer.info.synthetic ? lookAtAll(context) : lookAtReal(context, look)

const lookAtAll = (context: DesktopParts): Awaitable<ScreenState> =>
  andThen(sortedWindows(context), (windows) =>
    andThen(readTrees(context, windows), (read) => ({ windows, ...read, parts: NO_PARTS })),
  )

async function lookAtReal(
  context: DesktopParts,
  { also = [], seen, withinMs = MAX_READ_MS, parts }: CaptureOptions,
): Promise<ScreenState> {
  const windows = await sortedWindows(context)
  const isKnown = ({ uid, focused }: WindowInfo) => focused || also.includes(uid) || context.trees.known(uid)
  const asked = windows.filter((window) => isKnown(window) && window.uid !== seen?.uid)
  const isBackground = ({ uid, focused }: WindowInfo) => !focused && !also.includes(uid)
  const read = await readTrees(context, asked, { withinMs, isBackground })
  const isSeenOpen = seen !== undefined && windows.some(({ uid }) => uid === seen.uid)
  const trees = isSeenOpen ? new Map([...read.trees, [seen.uid, seen.tree]]) : read.trees
  const areas = parts === 'undescribed' ? undescribed(windows, trees, also) : areasAgain(parts)
  return { windows, trees, unread: read.unread, parts: await photograph(context, areas, withinMs) }
}

type LookingParts = Pick<DesktopParts, 'computer' | 'clock'>

interface ReadOptions {
  /** How long each program has, in milliseconds. */
  readonly withinMs?: number
  /** Whether an earlier reading of a window will do while its program reports no change. */
  readonly isBackground?: (window: WindowInfo) => boolean
}

/**
 * The trees of some windows. Programs of a real desktop are asked at the same time, so that none delays another. Windows
 * of programs that fail or are late are `unread`; windows without a tree are in neither.
 */
export function readTrees(
  context: LookingParts,
  windows: readonly WindowInfo[],
  { withinMs = MAX_READ_MS, isBackground = () => false }: ReadOptions = {},
): Awaitable<Pick<ScreenState, 'trees' | 'unread'>> {
  const trees = new Map<string, Element>()
  const { computer } = context
  if (computer.info.synthetic) {
    const looked = forEachInOrder(windows, ({ uid }) =>
      andThen(computer.tree(uid), (tree) => {
        if (tree) trees.set(uid, tree)
      }),
    )
    return andThen(looked, () => ({ trees, unread: NOTHING_UNREAD }))
  }
  const readings = windows.map(async (window) => {
    const background = isBackground(window)
    return { uid: window.uid, tree: await inTime(context, withinMs, () => computer.tree(window.uid, { background })) }
  })
  return Promise.all(readings).then((answers) => {
    // In the order of the windows, whichever program answered first.
    for (const { uid, tree } of answers) if (tree?.result) trees.set(uid, tree.result)
    return { trees, unread: new Set(answers.filter(({ tree }) => !tree).map(({ uid }) => uid)) }
  })
}

/** The tree of a window, or `unread` when the program of a real desktop fails or is late. */
export function readTreeInTime(
  context: LookingParts,
  uid: string,
  withinMs: number = MAX_READ_MS,
): Awaitable<Element | 'unread' | undefined> {
  if (context.computer.info.synthetic) return context.computer.tree(uid)
  return inTime(context, withinMs, () => context.computer.tree(uid)).then((tree) => (tree ? tree.result : 'unread'))
}

/** The result of some work, or undefined when it fails or does not end in time. Bugs of ours are thrown on. */
async function inTime<T>(
  context: LookingParts,
  withinMs: number,
  work: () => Awaitable<T>,
): Promise<{ readonly result: T } | undefined> {
  const waiting = new AbortController()
  const late = Promise.resolve(context.clock.sleep(withinMs, waiting.signal)).then(() => undefined)
  const done = (async () => ({ result: await work() }))().catch((thrown) => {
    if (thrown instanceof Fault && thrown.code !== 'Internal') return undefined
    throw thrown
  })
  return Promise.race([done, late]).finally(() => waiting.abort())
}

type Areas = readonly (readonly [key: string, area: Rect])[]

const areasAgain = (parts: ReadonlyMap<string, Part> = NO_PARTS): Areas =>
  [...parts].map(([key, { area }]) => [key, area])

/** Windows without a tree, and secret fields, of which no tree tells what is in them. */
function undescribed(
  windows: readonly WindowInfo[],
  trees: ReadonlyMap<string, Element>,
  also: readonly string[],
): Areas {
  return windows
    .filter(({ uid, focused }) => focused || also.includes(uid))
    .flatMap(({ uid, bounds }): Areas => {
      const tree = trees.get(uid)
      if (!tree) return [[uid, bounds]]
      const secrets = secretsOf(tree)
      return secrets.map(({ id, bounds }) => [`${uid}#${id}`, bounds])
    })
}

function secretsOf(tree: Element): readonly Element[] {
  const secrets: Element[] = []
  for (const node of walk(tree)) if (node.traits?.secret && !node.traits.hidden) secrets.push(node)
  return secrets
}

async function photograph(context: DesktopParts, areas: Areas, withinMs: number): Promise<ReadonlyMap<string, Part>> {
  const parts = new Map<string, Part>()
  for (const [key, area] of areas) {
    if (area.width <= 0 || area.height <= 0) continue
    const picture = await inTime(context, withinMs, () => context.computer.screenshot({ area }))
    if (picture) parts.set(key, { area, picture: picture.result })
  }
  return parts
}

/** Whether a client could tell two trees apart. */
export const isSameView = (before: Element | undefined, after: Element | undefined): boolean =>
  before === after || (before !== undefined && after !== undefined && isSameTree(before, after))

/** What one window shows: its tree, or what it looks like where it has none. */
interface Appearance {
  readonly tree: Element | 'unread' | undefined
  readonly picture: Picture | undefined
}

/** What a window shows now. Its program has so many milliseconds for the tree. */
export const appearanceOf = (context: DesktopParts, { uid }: WindowInfo, withinMs: number): Awaitable<Appearance> =>
  andThen(readTreeInTime(context, uid, withinMs), async (tree): Promise<Appearance> => {
    const here = !tree && (await context.computer.windows()).some((window) => window.uid === uid)
    return { tree, picture: here ? await context.computer.screenshot({ window: uid }) : undefined }
  })

/** Whether two looks show the same; a look at a program that does not answer shows nothing. */
export function isSameAppearance(before: Appearance, after: Appearance): boolean {
  if (before.tree === 'unread' || after.tree === 'unread') return false
  if (!before.picture || !after.picture)
    return isSameView(before.tree, after.tree) && !before.picture === !after.picture
  return isSamePicture(before.picture, after.picture)
}

/** Whether a client could tell two screens apart. A program that no longer tells its tree differs from one that did. */
export function isSameScreen(before: ScreenState, after: ScreenState): boolean {
  if (!isSameWindowList(before.windows, after.windows)) return false
  for (const [uid, tree] of before.trees) if (!isSameView(tree, after.trees.get(uid))) return false
  for (const [key, { picture }] of before.parts) {
    const now = after.parts.get(key)
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

/** Windows that were not there before. */
export const newWindows = (before: readonly WindowInfo[], after: readonly WindowInfo[]) =>
  after
    .filter((window) => !before.some((each) => each.uid === window.uid))
    .map((window) => ({ window_uid: window.uid, title: window.title }))
