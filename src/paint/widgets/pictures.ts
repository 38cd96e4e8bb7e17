import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { type Mark, picture, solid } from '../frame/mark.ts'
import type { PaintContext } from './widget.ts'

/** The opacity of the veil over a disabled picture, as two hex digits. */
const VEIL = 'a0'

/** The picture file of an image, as large as fits with its proportions. Undefined without one, and for a secret one. */
export function pictureMarks(
  { bounds, traits, enabled }: Element,
  { theme }: PaintContext,
): readonly Mark[] | undefined {
  const { picture: file, secret } = traits ?? {}
  if (!file || secret) return undefined
  const place = fitted(bounds, file.width, file.height)
  if (place.width === 0 || place.height === 0) return []
  const shown = picture(place, file)
  return enabled ? [shown] : [shown, solid(place, `${theme.window.surface}${VEIL}`)]
}

/** The largest rectangle of these proportions in the middle of an area. */
function fitted({ x, y, width, height }: Rect, across: number, down: number): Rect {
  const ratio = Math.min(width / across, height / down)
  const size = { width: Math.round(across * ratio), height: Math.round(down * ratio) }
  return { x: x + ((width - size.width) >> 1), y: y + ((height - size.height) >> 1), ...size }
}
