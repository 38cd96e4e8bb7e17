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
  const behind = stylePartsOf(theme.style).wallpaper({ index: 0, primary: true, bounds: screen, scaleFactor: 1 }, theme)
  return [...behind.map((mark) => softened(mark, area)), solid(area, tint)]
}

function softened(mark: Mark, ink: Rect): Mark {
  if (mark.look.kind !== 'backdrop') return { ...mark, ink }
  const { kind: _, span, soft: __, ...style } = mark.look
  return backdrop(span, style, ink, SOFT_PX)
}
