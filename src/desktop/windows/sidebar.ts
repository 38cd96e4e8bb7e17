import type { Window } from '../model/desktop.ts'
import type { Element } from '../model/element.ts'
import { encloses, type Rect } from '../model/geometry.ts'
import { kindOf } from '../model/role.ts'
import { visibilityOf } from '../tree/visibility.ts'

/** The tree at the left edge of a window, if nothing but the window is painted behind it. */
export const sidebarOf = ({ tree, bounds, frame, shell }: Window): Element | undefined =>
  frame === 'inside' && shell === undefined ? treeAtEdge(tree, bounds)?.at(-1) : undefined

/** The tree at the left edge of an area after the panes around it. */
function treeAtEdge(parent: Element, area: Rect): readonly Element[] | undefined {
  for (const child of parent.children) {
    const { bounds, traits, layout } = child
    if (traits?.hidden || bounds.x !== area.x || !encloses(area, bounds)) continue
    if (visibilityOf(parent, child) !== 'inline') continue
    const kind = kindOf(child.role)
    if (kind === 'tree') return [parent, child]
    const isPlain = kind === 'pane' && traits?.look === undefined && !traits?.overflow && layout?.arrange !== 'form'
    const found = isPlain ? treeAtEdge(child, bounds) : undefined
    if (found) return found
  }
  return undefined
}

/** The distances from the left edge of a window to the panes beside its sidebar. Empty without a sidebar. */
export function panesBeside({ tree, bounds }: Window): readonly number[] {
  const [around, side] = treeAtEdge(tree, bounds) ?? []
  if (!around || !side) return []
  return around.children
    .filter((child) => !child.traits?.hidden && visibilityOf(around, child) === 'inline')
    .flatMap(({ bounds: { x, y } }) => (y === side.bounds.y && x > side.bounds.x ? [x - bounds.x] : []))
}
