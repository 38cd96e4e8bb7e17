import { changeWindow, type Desktop, type Window, windowByUid } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import { kindOf } from '../../desktop/model/role.ts'
import { styleMetrics } from '../../desktop/style/style.ts'
import { subtreePredicate } from '../../desktop/tree/subtree-predicate.ts'
import { headerBarOf } from '../../desktop/windows/header-bar.ts'
import { layOutWindow } from '../layout/layout.ts'

/** Lays out windows again that changed their size or opened an expander, as far as a layout placed their content. */
export function laidOutAgain(before: Desktop, after: Desktop): Desktop {
  if (after.windows === before.windows) return after
  const metrics = styleMetrics(after.style, after.language)
  let desktop = after
  for (const window of after.windows) {
    const was = windowByUid(before, window.uid)
    if (was && was !== window && needsNewLayout(was, window))
      desktop = changeWindow(desktop, window.uid, (each) => layOutWindow(each, metrics))
  }
  return desktop
}

const needsNewLayout = (was: Window, now: Window): boolean =>
  was.bounds.width !== now.bounds.width ||
  was.bounds.height !== now.bounds.height ||
  (was.title !== now.title && headerBarOf(now) !== undefined) ||
  (holdsExpander(now.tree) && hasUnfolded(was.tree, now.tree))

const holdsExpander = subtreePredicate(
  'special',
  (node) => node.children.length > 0 && kindOf(node.role) === 'expander',
)

function hasUnfolded(was: Element, now: Element): boolean {
  if (was === now) return false
  if (was.expanded !== now.expanded && kindOf(now.role) === 'expander') return true
  const shared = Math.min(was.children.length, now.children.length)
  for (let at = 0; at < shared; at++) if (hasUnfolded(was.children[at]!, now.children[at]!)) return true
  return false
}
