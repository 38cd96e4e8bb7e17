import { LruCache } from '../../base/lru-cache.ts'
import type { Window } from '../../desktop/model/desktop.ts'
import { intersect, type Rect } from '../../desktop/model/geometry.ts'
import { sidebarOf, sidePartOf } from '../../desktop/windows/frame.ts'
import { type Mark, solid } from '../frame/mark.ts'
import { glass } from '../shell/glass.ts'
import type { Theme } from '../theme.ts'

/** Recent marks, so that a window that does not move keeps its own. */
const recent = new LruCache<string, readonly Mark[]>(64)

/**
 * What is behind the sidebar of a window and its part of the band of the title: one colour, or the wallpaper of a monitor below
 * a tint.
 */
export function sidebarMarks(window: Window, theme: Theme, screen: Rect | undefined): readonly Mark[] {
  if (!theme.sidebar) return []
  const areas = [sidebarOf(window)?.bounds, sidePartOf(window)]
  return areas.flatMap((area) => (area ? marksBehind(area, theme, screen) : []))
}

function marksBehind(area: Rect, theme: Theme, screen: Rect | undefined): readonly Mark[] {
  if (!theme.sidebar) return []
  const { fill, glass: tint } = theme.sidebar
  const shown = screen && intersect(area, screen)
  if (!shown) return [solid(area, fill)]
  const key = JSON.stringify([theme.style, theme.name, area, screen])
  return recent.get(key) ?? recent.keep(key, [solid(area, fill), ...glass(shown, tint, screen, theme)])
}
