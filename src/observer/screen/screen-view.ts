import type { Element } from '../../desktop/model/element.ts'
import { type Rect, translate } from '../../desktop/model/geometry.ts'
import type { Picture } from '../../paint/picture.ts'
import type { RedactedComputer } from '../gates/redaction/redaction.ts'
import type { DesktopParts } from '../session/parts.ts'
import { readTrees } from './read-trees.ts'

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
export async function screenView(context: Pick<DesktopParts, 'computer' | 'clock'>): Promise<ScreenView> {
  const { computer } = context
  const picture = await computer.screenshot({ screen: true })
  const windows = await computer.windows()
  const { trees } = await readTrees(context, windows)
  return { picture, windows: windows.map(({ uid, bounds }) => ({ bounds, tree: trees.get(uid) })) }
}

/** The views of which a client may have a recent screenshot: the monitor and each window. */
export async function currentViews(context: Pick<DesktopParts, 'computer' | 'clock'>): Promise<readonly ScreenView[]> {
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
