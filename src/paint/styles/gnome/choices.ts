import type { StyleParts } from '../../context.ts'
import { box } from '../../frame/mark.ts'
import { iconIn, inset } from '../../widgets/widget.ts'
import { stateOf } from '../states.ts'
import { gnomeColours } from './tokens.ts'

/** The box of a check box or the circle of a radio button. A disabled one is half transparent. */
export const gnomeSign: StyleParts['sign'] = ({ enabled, selected, value }, theme, square, look) => {
  const own = gnomeColours(theme)
  const isMixed = look.shape === 'box' && (value === 'mixed' || value === 'indeterminate')
  const isOn = isMixed || selected === true
  const radius = look.shape === 'box' ? theme.metrics.radius.sign : square.width / 2
  const state = stateOf(enabled, look)
  if (!isOn) {
    const edge = box(square, { border: own.signEdges[state], thickness: 2, radius })
    const isLit = state === 'pressed' || (state === 'hovered' && own.outline !== undefined)
    return isLit ? [box(square, { fill: own.flat[state], radius }), edge] : [edge]
  }
  const face = box(square, { fill: own.accents[state], radius })
  if (look.shape === 'box') return [face, iconIn(square, isMixed ? 'dash' : 'check', 16, theme.onAccent)]
  const dot = inset(square, Math.round(square.width * 0.3))
  return [face, box(dot, { fill: theme.onAccent, radius: dot.width / 2 })]
}

/** A wide pill, whose knob has a soft shadow. */
export const gnomeToggle: StyleParts['toggle'] = ({ enabled, selected }, theme, track, look) => {
  const isOn = selected === true
  const size = track.height - 6
  const knob = { x: isOn ? track.x + track.width - size - 3 : track.x + 3, y: track.y + 3, width: size, height: size }
  const own = gnomeColours(theme)
  const state = stateOf(enabled, look)
  const edge = own.outline === undefined ? {} : { border: own.outline }
  return [
    box(track, { fill: isOn ? own.accents[state] : own.troughs[state], ...edge, radius: track.height / 2 }),
    ...(enabled ? [box({ ...knob, y: knob.y + 1 }, { fill: own.knobShadow, radius: size / 2 })] : []),
    box(knob, { fill: enabled ? own.knob : own.knobDisabled, ...edge, radius: size / 2 }),
  ]
}

const TROUGH = 10

/** A thick trough and a round knob. */
export const gnomeSlider: StyleParts['slider'] = ({ enabled }, theme, look) => {
  const { bounds, x, y, upright, knob } = look
  const own = gnomeColours(theme)
  const state = stateOf(enabled, look)
  const track = upright
    ? { x: x - TROUGH / 2, y: bounds.y, width: TROUGH, height: bounds.height }
    : { x: bounds.x, y: y - TROUGH / 2, width: bounds.width, height: TROUGH }
  const filled = upright ? { ...track, y, height: bounds.y + bounds.height - y } : { ...track, width: x - bounds.x }
  const radius = TROUGH / 2
  return [
    box(track, { fill: own.troughs[state], ...(own.outline && { border: own.outline }), radius }),
    ...(filled.width > 2 && filled.height > 2 ? [box(filled, { fill: own.accents[state], radius })] : []),
    box({ ...knob, y: knob.y + 1 }, { fill: own.knobShadow, radius: knob.width / 2 }),
    box(knob, { fill: enabled ? own.knob : own.knobDisabled, border: own.knobEdge, radius: knob.width / 2 }),
  ]
}
