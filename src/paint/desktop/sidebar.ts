import { LruCache } from '../../base/lru-cache.ts'
import type { Window } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import { encloses, intersect, type Rect } from '../../desktop/model/geometry.ts'
import { kindOf } from '../../desktop/model/role.ts'
import { visibilityOf } from '../../desktop/tree/visibility.ts'
import { type Mark, solid } from '../frame/mark.ts'
import { glass } from '../shell/glass.ts'
import type { Theme } from '../theme.ts'

/** The tree at the left edge of a window, if nothing but the window is painted behind it. */
export const sidebarOf = ({ tree, bounds, frame, shell }: Window): Element | undefined =>
  frame === 'inside' && shell === undefined ? treeAtEdge(tree, bounds) : undefined

function treeAtEdge(parent: Element, area: Rect): Element | undefined {
  for (const child of parent.children) {
    const { bounds, traits, layout } = child
    if (traits?.hidden || bounds.x !== area.x || !encloses(area, bounds)) continue
    if (visibilityOf(parent, child) !== 'inline') continue
    const kind = kindOf(child.role)
    if (kind === 'tree') return child
    const isPlain = kind === 'pane' && traits?.look === undefined && !traits?.overflow && layout?.arrange !== 'form'
    const found = isPlain ? treeAtEdge(child, bounds) : undefined
    if (found) return found
  }
  return undefined
}

/** Recent marks, so that a window that does not move keeps its own. */
const recent = new LruCache<string, readonly Mark[]>(64)

/** What is behind the sidebar of a window: one colour, or the wallpaper of a monitor below a tint. */
export function sidebarMarks(area: Rect, theme: Theme, screen: Rect | undefined): readonly Mark[] {
  if (!theme.sidebar) return []
  const { fill, glass: tint } = theme.sidebar
  const shown = screen && intersect(area, screen)
  if (!shown) return [solid(area, fill)]
  const key = JSON.stringify([theme.style, theme.name, area, screen])
  return recent.get(key) ?? recent.keep(key, [solid(area, fill), ...glass(shown, tint, screen, theme)])
}
