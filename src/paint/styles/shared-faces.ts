import type { Rect } from '../../desktop/model/geometry.ts'
import { box, type DrawOp, solid } from '../frame/draw-op.ts'
import type { StyleChrome } from '../theme/theme.ts'
import { inset } from '../widgets/widget.ts'

/** The background of a list or table that fills its pane: without a frame, with a line at each side of the pane. */
export const paneFace = (bounds: Rect, fill: string, line: string): readonly DrawOp[] => [
  solid(bounds, fill),
  solid({ ...bounds, width: 1 }, line),
  solid({ ...bounds, x: bounds.x + bounds.width - 1, width: 1 }, line),
]

/**
 * A round thumb of a scroll bar, `thickness` pixels across if there is space, or `hovered` while the pointer is on the
 * bar. It is in the middle or at the end of its track.
 */
export const slimThumb =
  (thickness: number, place: 'middle' | 'end' = 'middle', hovered = thickness): StyleChrome['scrollThumb'] =>
  (thumb, upright, fill, isHovered) => {
    const room = upright ? thumb.width : thumb.height
    const size = Math.max(2, Math.min(isHovered ? hovered : thickness, room - 4))
    const side = place === 'middle' ? Math.floor((room - size) / 2) : room - size - 2
    const slim = upright ? { ...thumb, x: thumb.x + side, width: size } : { ...thumb, y: thumb.y + side, height: size }
    return [box(inset(slim, upright ? 0 : 2, upright ? 2 : 0), { fill, radius: size / 2 })]
  }
