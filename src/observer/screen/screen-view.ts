import type { Element } from '../../desktop/model/element.ts'
import { type Rect, translate } from '../../desktop/model/geometry.ts'
import type { Picture } from '../../paint/picture.ts'
import type { RedactedComputer } from '../gates/redaction.ts'

/** A picture, and the windows in it in its own pixels, the front one first. */
export interface ScreenView {
  readonly picture: Picture
  readonly windows: readonly { readonly bounds: Rect; readonly tree: Element }[]
}

/** The primary monitor as it is now. */
export async function screenView(computer: RedactedComputer): Promise<ScreenView> {
  const picture = await computer.screenshot({ screen: true })
  return { picture, windows: await windowsOf(computer) }
}

/** What a client can have taken a picture of just now: the monitor, and each window by itself. */
export async function currentViews(computer: RedactedComputer): Promise<readonly ScreenView[]> {
  const screen = await screenView(computer)
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

async function windowsOf(computer: RedactedComputer): Promise<ScreenView['windows']> {
  const windows = await computer.windows()
  const trees = await Promise.all(windows.map(({ uid }) => computer.tree(uid)))
  return windows.flatMap(({ bounds }, index) => {
    const tree = trees[index]
    return tree ? [{ bounds, tree }] : []
  })
}

const moved = (element: Element, x: number, y: number): Element => ({
  ...element,
  bounds: translate(element.bounds, x, y),
  children: element.children.map((child) => moved(child, x, y)),
})
