import type { StyleParts } from '../context.ts'
import { box } from '../frame/mark.ts'
import { inset } from '../widgets/widget.ts'

/**
 * A round thumb of a scroll bar, `thickness` pixels across if there is space, or `hovered` while the pointer is on the
 * bar. It is in the middle or at the end of its track.
 */
export const slimThumb =
  (thickness: number, place: 'middle' | 'end' = 'middle', hovered = thickness): StyleParts['scrollThumb'] =>
  (thumb, upright, fill, isHovered) => {
    const room = upright ? thumb.width : thumb.height
    const size = Math.max(2, Math.min(isHovered ? hovered : thickness, room - 4))
    const side = place === 'middle' ? Math.floor((room - size) / 2) : room - size - 2
    const slim = upright ? { ...thumb, x: thumb.x + side, width: size } : { ...thumb, y: thumb.y + side, height: size }
    return [box(inset(slim, upright ? 0 : 2, upright ? 2 : 0), { fill, radius: size / 2 })]
  }
