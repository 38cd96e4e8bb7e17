import type { Rect } from '../../../desktop/model/geometry.ts'
import { THUMB_RADIUS } from '../../../desktop/widgets/range.ts'
import type { StyleParts } from '../../context.ts'
import { box, type Mark, solid } from '../../frame/mark.ts'
import { iconIn, inset } from '../../widgets/widget.ts'
import type { Theme } from '../tokens.ts'
import { macosExtras } from './extras.ts'
import { accentFace, dimmed } from './faces.ts'

/** The box of a check box or the circle of a radio button. A disabled one keeps its sign, in grey. */
export const macosSign: StyleParts['sign'] = ({ enabled, selected, value }, theme, square, { shape, isPressed }) => {
  const extras = macosExtras(theme)
  const isMixed = shape === 'box' && (value === 'mixed' || value === 'indeterminate')
  const isOn = isMixed || selected === true
  const place = shape === 'box' && square.width > 12 ? inset(square, 1) : square
  const radius = shape === 'box' ? theme.metrics.radius.sign : place.width / 2
  const dim = dimmed(place, theme, radius, isPressed && enabled)
  if (!isOn) {
    const fill = enabled ? extras.field : theme.fieldDisabled
    return [box(place, { fill, border: enabled ? theme.strong : theme.border, radius }), ...dim]
  }
  const face = enabled
    ? accentFace(place, theme, radius)
    : [box(place, { fill: theme.buttonDisabled, border: theme.border, radius })]
  const ink = enabled ? theme.onAccent : theme.disabled
  if (shape === 'box') return [...face, ...dim, iconIn(place, isMixed ? 'dash' : 'check', 12, ink)]
  const dot = inset(place, Math.round(place.width * 0.31))
  return [...face, ...dim, box(dot, { fill: ink, radius: dot.width / 2 })]
}

/** A pill with a white knob, which has a soft edge. */
export const macosToggle: StyleParts['toggle'] = ({ enabled, selected }, theme, track, { isPressed }) => {
  const isOn = selected === true
  const extras = macosExtras(theme)
  const knob = track.height - 2
  const x = isOn ? track.x + track.width - knob - 1 : track.x + 1
  const fill = isOn ? (enabled ? theme.accent : extras.accentDisabled) : theme.track
  const edge = isOn && enabled ? fill : theme.border
  const place = { x, y: track.y + 1, width: knob, height: knob }
  return [
    box(track, { fill, border: edge, radius: track.height / 2 }),
    ...dimmed(track, theme, track.height / 2, isPressed && enabled),
    box(place, { fill: enabled ? extras.knob : extras.knobDisabled, border: theme.border, radius: knob / 2 }),
  ]
}

const TRACK = 4
const TICKS = 6

/** Short lines below the track of a slider in a form. */
function ticks({ x, y, width, height }: Rect, { strong }: Theme): readonly Mark[] {
  const first = x + THUMB_RADIUS
  const step = (width - 2 * THUMB_RADIUS) / (TICKS - 1)
  return Array.from({ length: TICKS }, (_, index) =>
    solid({ x: Math.round(first + index * step), y: y + height - 4, width: 1, height: 4 }, strong),
  )
}

/** A thin track and a round knob with a soft edge. */
export const macosSlider: StyleParts['slider'] = (element, theme, { bounds, x, y, upright, knob, isPressed }) => {
  const { enabled, traits } = element
  const extras = macosExtras(theme)
  const track = upright
    ? { x: x - TRACK / 2, y: bounds.y, width: TRACK, height: bounds.height }
    : { x: bounds.x, y: y - TRACK / 2, width: bounds.width, height: TRACK }
  const filled = upright ? { ...track, y, height: bounds.y + bounds.height - y } : { ...track, width: x - bounds.x }
  const accent = enabled ? theme.accent : extras.accentDisabled
  const under = { ...knob, y: knob.y + 1 }
  const fill = enabled ? (isPressed ? extras.faces.pressed : extras.knob) : extras.knobDisabled
  return [
    box(track, { fill: theme.track, radius: 2 }),
    ...(filled.width > 2 && filled.height > 2 ? [box(filled, { fill: accent, radius: 2 })] : []),
    ...(traits?.formLabel && !upright ? ticks(bounds, theme) : []),
    ...(enabled ? [box(under, { fill: theme.border, radius: knob.width / 2 })] : []),
    box(knob, { fill, border: enabled ? extras.knobEdge : theme.border, radius: knob.width / 2 }),
  ]
}
