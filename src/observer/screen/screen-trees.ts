import type { WindowInfo } from '../../adapters/computer.ts'
import { type Awaitable, andThen, forEachInOrder } from '../../base/async.ts'
import { Fault } from '../../base/fault.ts'
import type { Element } from '../../desktop/model/element.ts'
import { type Rect, translate } from '../../desktop/model/geometry.ts'
import type { Picture } from '../../paint/picture.ts'
import type { DesktopContext } from '../desktop-context.ts'
import type { RedactedComputer } from '../policies/redaction/redaction.ts'

/** How long a program of a real desktop has for a tree by default. */
export const MAX_READ_MS = 2000

type ReadingContext = Pick<DesktopContext, 'computer' | 'clock'>

interface ReadOptions {
  /** How long each program has, in milliseconds. */
  readonly timeoutMs?: number
  /** Whether a window may be read from a cache while its program reports no change. */
  readonly isBackground?: (window: WindowInfo) => boolean
}

interface TreesRead {
  readonly trees: ReadonlyMap<string, Element>
  /** Windows whose program failed or was late. Windows without a tree are in neither. */
  readonly unavailable: ReadonlySet<string>
}

/** Reads the trees of some windows. Programs of a real desktop are queried at the same time, so that none delays another. */
export function readTrees(
  context: ReadingContext,
  windows: readonly WindowInfo[],
  { timeoutMs = MAX_READ_MS, isBackground = () => false }: ReadOptions = {},
): Awaitable<TreesRead> {
  const trees = new Map<string, Element>()
  const { computer } = context
  if (computer.info.synthetic) {
    const read = forEachInOrder(windows, ({ uid }) =>
      andThen(computer.tree(uid), (tree) => {
        if (tree) trees.set(uid, tree)
      }),
    )
    return andThen(read, () => ({ trees, unavailable: NONE_UNAVAILABLE }))
  }
  const reads = windows.map(async (window) => {
    const background = isBackground(window)
    const tree = await withTimeout(context, timeoutMs, () => computer.tree(window.uid, { background }))
    return { uid: window.uid, tree }
  })
  return Promise.all(reads).then((results) => {
    // In the order of the windows, whichever program was first.
    for (const { uid, tree } of results) if (tree?.result) trees.set(uid, tree.result)
    return { trees, unavailable: new Set(results.filter(({ tree }) => !tree).map(({ uid }) => uid)) }
  })
}

const NONE_UNAVAILABLE: ReadonlySet<string> = new Set()

/** Reads the tree of a window. Returns `unavailable` when the program of a real desktop fails or is late. */
export function readWindowTree(
  context: ReadingContext,
  uid: string,
  timeoutMs: number = MAX_READ_MS,
): Awaitable<Element | 'unavailable' | undefined> {
  if (context.computer.info.synthetic) return context.computer.tree(uid)
  const read = withTimeout(context, timeoutMs, () => context.computer.tree(uid))
  return read.then((tree) => (tree ? tree.result : 'unavailable'))
}

/** The result of some work, or undefined when it throws a fault or does not end in time. Internal errors are rethrown. */
export async function withTimeout<T>(
  context: ReadingContext,
  timeoutMs: number,
  work: () => Awaitable<T>,
): Promise<{ readonly result: T } | undefined> {
  const finished = new AbortController()
  const timeout = Promise.resolve(context.clock.sleep(timeoutMs, finished.signal)).then(() => undefined)
  const done = (async () => ({ result: await work() }))().catch((thrown) => {
    if (thrown instanceof Fault && thrown.code !== 'Internal') return undefined
    throw thrown
  })
  return Promise.race([done, timeout]).finally(() => finished.abort())
}

/** A picture and the trees of its windows, in pixels of the picture, the front window first. */
export interface ScreenView {
  readonly picture: Picture
  readonly windows: readonly ViewWindow[]
}

interface ViewWindow {
  readonly bounds: Rect
  /** Undefined for a window without a tree, or whose program does not give it in time. */
  readonly tree: Element | undefined
}

/** The screen as it is now. A program that hangs leaves its own window without a tree. */
export async function screenView(context: Pick<DesktopContext, 'computer' | 'clock'>): Promise<ScreenView> {
  const { computer } = context
  const picture = await computer.screenshot({ screen: true })
  const windows = await computer.windows()
  const { trees } = await readTrees(context, windows)
  return { picture, windows: windows.map(({ uid, bounds }) => ({ bounds, tree: trees.get(uid) })) }
}

/** The views of which a client may have a recent screenshot: the monitor and each window. */
export async function currentViews(
  context: Pick<DesktopContext, 'computer' | 'clock'>,
): Promise<readonly ScreenView[]> {
  const { computer } = context
  const screen = await screenView(context)
  const uids = (await computer.windows()).map(({ uid }) => uid)
  const alone = await Promise.all(uids.map((uid) => viewOfWindow(computer, uid)))
  return [screen, ...alone.flatMap((view) => view ?? [])]
}

async function viewOfWindow(computer: RedactedComputer, uid: string): Promise<ScreenView | undefined> {
  const window = (await computer.windows()).find((one) => one.uid === uid)
  const tree = await computer.tree(uid)
  if (!window || !tree) return undefined
  const { bounds } = window
  const picture = await computer.screenshot({ window: uid })
  return { picture, windows: [{ bounds: { ...bounds, x: 0, y: 0 }, tree: moved(tree, -bounds.x, -bounds.y) }] }
}

const moved = (element: Element, x: number, y: number): Element => ({
  ...element,
  bounds: translate(element.bounds, x, y),
  children: element.children.map((child) => moved(child, x, y)),
})
