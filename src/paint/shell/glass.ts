import { LruCache } from '../../base/lru-cache.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { backdrop, type Mark, solid } from '../frame/mark.ts'
import { stylePartsOf } from '../styles/parts.ts'
import type { Theme } from '../theme.ts'

/** The pixels over which the edges of the wallpaper fade below glass. */
const SOFT_PX = 64

/**
 * Glass over the wallpaper of a monitor: the wallpaper with soft edges, and a tint. Windows do not show through it. An opaque
 * tint is painted alone.
 */
export function glass(area: Rect, tint: string, screen: Rect | undefined, theme: Theme): readonly Mark[] {
  const isOpaque = tint.length === 7
  if (isOpaque || !screen) return [solid(area, tint)]
  return [...softWallpaper(screen, theme).map((mark) => ({ ...mark, ink: area })), solid(area, tint)]
}

/** The wallpapers below glass, of which each part has the same tables. */
const soft = new LruCache<string, readonly Mark[]>(16)

function softWallpaper(bounds: Rect, theme: Theme): readonly Mark[] {
  const key = JSON.stringify([theme.style, theme.name, bounds])
  const known = soft.get(key)
  if (known) return known
  const marks = stylePartsOf(theme.style).wallpaper({ index: 0, primary: true, bounds, scaleFactor: 1 }, theme)
  return soft.keep(key, marks.map(softened))
}

function softened(mark: Mark): Mark {
  if (mark.look.kind !== 'backdrop') return mark
  const { kind: _, span, soft: __, ...style } = mark.look
  return backdrop(span, style, span, SOFT_PX)
}
