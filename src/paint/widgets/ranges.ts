import type { Rect } from '../../desktop/geometry.ts'
import { box, flat, type Mark } from '../mark.ts'
import { focusRing, fractionOf, inset, type Widget } from './widget.ts'

const TRACK = 4
const KNOB = 18

/** A track, filled up to a knob; upright when it is higher than wide. */
export const slider: Widget = (element, setting) => {
  const { theme } = setting
  const { bounds } = element
  const part = fractionOf(element) ?? 0
  const knob = Math.min(KNOB, bounds.width, bounds.height)
  const upright = bounds.height > bounds.width
  const room = (upright ? bounds.height : bounds.width) - knob
  const offset = Math.round(room * (upright ? 1 - part : part))
  const middle = (length: number, size: number) => Math.floor((length - size) / 2)
  const track: Rect = upright
    ? { x: bounds.x + middle(bounds.width, TRACK), y: bounds.y, width: TRACK, height: bounds.height }
    : { x: bounds.x, y: bounds.y + middle(bounds.height, TRACK), width: bounds.width, height: TRACK }
  const at: Rect = upright
    ? { x: bounds.x + middle(bounds.width, knob), y: bounds.y + offset, width: knob, height: knob }
    : { x: bounds.x + offset, y: bounds.y + middle(bounds.height, knob), width: knob, height: knob }
  const filled: Rect = upright
    ? { ...track, y: at.y + knob / 2, height: bounds.y + bounds.height - at.y - knob / 2 }
    : { ...track, width: at.x + Math.floor(knob / 2) - bounds.x }
  const accent = element.enabled ? theme.accent : theme.disabled
  return {
    marks: [
      box(track, { fill: theme.track, radius: 2 }),
      ...(filled.width > 2 && filled.height > 2 ? [box(filled, { fill: accent, radius: 2 })] : []),
      box(at, { fill: theme.raised, border: element.enabled ? theme.strong : theme.border, radius: knob / 2 }),
      box(inset(at, Math.floor(knob / 3)), { fill: accent, radius: knob / 6 }),
      ...focusRing(element, setting, at, knob / 2),
    ],
  }
}

/** A bar filled as far as the work is done; a short stretch in the middle when nobody knows. */
export const progress: Widget = (element, { theme }) => {
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

const SHORTEST_THUMB = 24

/** A groove with a thumb; its place is the value, its length a third when the element does not say. */
export const scrollbar: Widget = (element, { theme }) => {
  const { bounds } = element
  const upright = bounds.height >= bounds.width
  const length = upright ? bounds.height : bounds.width
  const thickness = upright ? bounds.width : bounds.height
  const groove = inset(bounds, upright ? 0 : 2, upright ? 2 : 0)
  const size = Math.min(length - 4, Math.max(SHORTEST_THUMB, Math.round(length / 3)))
  const offset = 2 + Math.round((fractionOf(element) ?? 0) * Math.max(0, length - 4 - size))
  const slim = Math.max(4, Math.min(8, thickness - 6))
  const side = Math.floor((thickness - slim) / 2)
  const thumb: Rect = upright
    ? { x: bounds.x + side, y: bounds.y + offset, width: slim, height: size }
    : { x: bounds.x + offset, y: bounds.y + side, width: size, height: slim }
  const fill = element.enabled ? theme.thumb : theme.track
  const handle: readonly Mark[] =
    size > 4 && groove.width > 0 && groove.height > 0 ? [box(thumb, { fill, radius: slim / 2 })] : []
  return { marks: [flat(bounds, theme.bar), ...handle] }
}
