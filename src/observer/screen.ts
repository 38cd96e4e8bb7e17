import type { WindowInfo } from '../adapters/computer.ts'
import { type Awaitable, andThen, eachInTurn } from '../base/awaitable.ts'
import type { Element } from '../desktop/model/element.ts'
import { sameRect } from '../desktop/model/geometry.ts'
import { isSameTree } from '../desktop/tree/diff.ts'
import type { Session } from './session.ts'
import { listWindows } from './target.ts'

/** What can be seen of a desktop at one moment, kept to tell whether it changed. */
export interface Screen {
  readonly windows: readonly WindowInfo[]
  readonly trees: ReadonlyMap<string, Element>
}

/**
 * The screen as it is now. Every window of a synthetic desktop is looked at, which costs nothing; of a real one only
 * the focused one, those in `also` and those that were shown before.
 */
export const lookAround = (session: Session, also: readonly string[] = []): Awaitable<Screen> =>
  andThen(listWindows(session), (windows) => {
    const { synthetic } = session.computer.about
    const trees = new Map<string, Element>()
    const looked = eachInTurn(windows, ({ uid, focused }) => {
      if (!synthetic && !focused && !also.includes(uid) && !session.trees.known(uid)) return
      return andThen(session.computer.tree(uid), (tree) => {
        if (tree) trees.set(uid, tree)
      })
    })
    return andThen(looked, () => ({ windows, trees }))
  })

/** Whether a client could tell two trees apart. */
export const sameTree = (before: Element | undefined, after: Element | undefined): boolean =>
  before === after || (before !== undefined && after !== undefined && isSameTree(before, after))

/** Whether a client could tell two screens apart. */
export function sameScreen(before: Screen, after: Screen): boolean {
  if (!sameWindows(before.windows, after.windows)) return false
  for (const [uid, tree] of before.trees) if (!sameTree(tree, after.trees.get(uid))) return false
  return true
}

export const sameWindows = (before: readonly WindowInfo[], after: readonly WindowInfo[]): boolean =>
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
