import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { sliderThumb } from '../../desktop/widgets/range.ts'
import { overlaysOf } from '../../desktop/widgets/scrolling/overlay-scrollbars.ts'
import { isUpright, thumbOf } from '../../desktop/widgets/scrolling/scrolling.ts'
import { box, type Mark, solid } from '../frame/mark.ts'
import { focusRing, fractionOf, inset, type PaintContext, type WidgetPainter } from './widget.ts'

const TRACK = 4
const KNOB = 18

/** A track, filled up to a knob; upright when it is higher than wide. */
export const slider: WidgetPainter = (element, setting) => {
  const { theme } = setting
  const { bounds } = element
  const { x, y } = sliderThumb(element)
  const size = Math.min(KNOB, Math.max(bounds.width, bounds.height))
  const knob = { x: x - (size >> 1), y: y - (size >> 1), width: size, height: size }
  const upright = bounds.height > bounds.width
  const track = upright
    ? { x: x - TRACK / 2, y: bounds.y, width: TRACK, height: bounds.height }
    : { x: bounds.x, y: y - TRACK / 2, width: bounds.width, height: TRACK }
  const filled = upright ? { ...track, y, height: bounds.y + bounds.height - y } : { ...track, width: x - bounds.x }
  const accent = element.enabled ? theme.accent : theme.disabled
  return {
    marks: [
      box(track, { fill: theme.track, radius: 2 }),
      ...(filled.width > 2 && filled.height > 2 ? [box(filled, { fill: accent, radius: 2 })] : []),
      box(knob, { fill: theme.raised, border: element.enabled ? theme.strong : theme.border, radius: size / 2 }),
      box(inset(knob, Math.floor(size / 3)), { fill: accent, radius: size / 6 }),
      ...focusRing(element, setting, knob, size / 2),
    ],
  }
}

/** A bar filled by its progress. A short segment in the middle if the progress is unknown. */
export const progress: WidgetPainter = (element, { theme }) => {
  const { bounds } = element
  const height = Math.min(8, bounds.height)
  const track = { ...bounds, y: bounds.y + Math.floor((bounds.height - height) / 2), height }
  const part = fractionOf(element)
  const accent = element.enabled ? theme.accent : theme.disabled
  const filled =
    part === undefined
      ? { ...track, x: track.x + Math.round(track.width * 0.3), width: Math.round(track.width * 0.4) }
      : { ...track, width: Math.round(track.width * part) }
  const radius = height / 2
  const bar = filled.width > 0 ? [box(filled, { fill: accent, radius: Math.min(radius, filled.width / 2) })] : []
  return { marks: [box(track, { fill: theme.track, radius }), ...bar] }
}

/** A track with a thumb. Nothing without a range. */
export const scrollbar: WidgetPainter = (element, { theme }) => {
  const { bounds } = element
  const thumb = thumbOf(element)
  const fill = element.enabled ? theme.thumb : theme.track
  return { marks: thumb ? [solid(bounds, theme.bar), ...handle(thumb, bounds.height >= bounds.width, fill)] : [] }
}

const THICKNESS = 8

/** A thumb in the middle of its track, thinner than that. */
function handle(thumb: Rect, upright: boolean, fill: string): readonly Mark[] {
  const room = upright ? thumb.width : thumb.height
  const size = Math.max(2, Math.min(THICKNESS, room - 4))
  const side = Math.floor((room - size) / 2)
  const slim = upright ? { ...thumb, x: thumb.x + side, width: size } : { ...thumb, y: thumb.y + side, height: size }
  return [box(inset(slim, upright ? 0 : 2, upright ? 2 : 0), { fill, radius: size / 2 })]
}

/** The thumbs of overlay scrollbars. */
export function scrollThumb(element: Element, { theme }: PaintContext): readonly Mark[] {
  return overlaysOf(element).flatMap((bar) => {
    const thumb = thumbOf(bar)
    return thumb ? handle(thumb, isUpright(bar), theme.thumb) : []
  })
}
