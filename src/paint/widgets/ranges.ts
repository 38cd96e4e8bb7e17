import type { Element } from '../../desktop/model/element.ts'
import { sliderThumb } from '../../desktop/roles/range.ts'
import { isUpright, overlaysOf, thumbOf } from '../../desktop/widgets/scrolling.ts'
import { box, type DrawOp, solid } from '../frame/draw-op.ts'
import { pointerFeedback } from '../pointed.ts'
import { focusRing, fractionOf, type PaintContext, type WidgetPainter } from './widget.ts'

/** A track, filled up to a knob; upright when it is higher than wide. */
export const slider: WidgetPainter = (element, setting) => {
  const { theme, chrome } = setting
  const { bounds } = element
  const { x, y } = sliderThumb(element)
  const size = Math.min(theme.knob, Math.max(bounds.width, bounds.height))
  const knob = { x: x - (size >> 1), y: y - (size >> 1), width: size, height: size }
  const upright = bounds.height > bounds.width
  return {
    ops: [
      ...chrome.slider(element, theme, { bounds, x, y, upright, knob, ...pointerFeedback(setting.pointed) }),
      ...focusRing(element, setting, knob, size / 2),
    ],
  }
}

/** A bar filled by its progress. A short segment in the middle if the progress is unknown. */
export const progress: WidgetPainter = (element, { theme }) => {
  const { bounds } = element
  const strip = (height: number) => ({
    ...bounds,
    y: bounds.y + Math.floor((bounds.height - height) / 2),
    height: Math.min(height, bounds.height),
  })
  const track = strip(theme.progress.track)
  const whole = strip(theme.progress.part)
  const part = fractionOf(element)
  const accent = element.enabled ? theme.accent : theme.disabled
  const filled =
    part === undefined
      ? { ...whole, x: track.x + Math.round(track.width * 0.3), width: Math.round(track.width * 0.4) }
      : { ...whole, width: Math.round(track.width * part) }
  const radius = whole.height / 2
  const bar = filled.width > 0 ? [box(filled, { fill: accent, radius: Math.min(radius, filled.width / 2) })] : []
  return { ops: [box(track, { fill: theme.track, radius: track.height / 2 }), ...bar] }
}

/** A track with a thumb. Nothing without a range. */
export const scrollbar: WidgetPainter = (element, { theme, chrome, pointed }) => {
  const { bounds } = element
  const thumb = thumbOf(element)
  const fill = element.enabled ? theme.thumb : theme.track
  const { isHovered, isPressed } = pointerFeedback(pointed)
  if (!thumb) return { ops: [] }
  const isUpright = bounds.height >= bounds.width
  return { ops: [solid(bounds, theme.bar), ...chrome.scrollThumb(thumb, isUpright, fill, isHovered || isPressed)] }
}

/** The thumbs of overlay scrollbars. */
export function scrollThumb(element: Element, { theme, chrome, pointed }: PaintContext): readonly DrawOp[] {
  const { isBarHovered } = pointerFeedback(pointed)
  return overlaysOf(element).flatMap((bar) => {
    const thumb = thumbOf(bar)
    return thumb ? chrome.scrollThumb(thumb, isUpright(bar), theme.thumb, isBarHovered) : []
  })
}
