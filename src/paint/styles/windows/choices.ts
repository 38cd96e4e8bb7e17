import type { StyleParts } from '../../context.ts'
import { box } from '../../frame/mark.ts'
import { iconIn, inset } from '../../widgets/widget.ts'
import { stateOf } from '../states.ts'
import { windowsColours } from './tokens.ts'

/** The box of a check box or the circle of a radio button, darker below the pointer. */
export const windowsSign: StyleParts['sign'] = ({ enabled, selected, value }, theme, square, look) => {
  const { shape, isHovered, isPressed } = look
  const own = windowsColours(theme)
  const isMixed = shape === 'box' && (value === 'mixed' || value === 'indeterminate')
  const isOn = isMixed || selected === true
  const radius = shape === 'box' ? theme.metrics.radius.sign : square.width / 2
  const state = stateOf(enabled, look)
  if (!isOn) {
    const edge = !enabled ? theme.disabled : isPressed ? theme.line : theme.strong
    const face = box(square, { fill: own.off[state], border: edge, radius })
    if (shape === 'box' || !isPressed) return [face]
    const dot = inset(square, 5)
    return [face, box(dot, { fill: theme.muted, radius: dot.width / 2 })]
  }
  const face = box(square, { fill: own.accents[state], radius })
  if (shape === 'circle') {
    // The dot grows below the pointer.
    const dot = inset(square, Math.round(square.width / 4) + (isPressed ? 0 : isHovered ? -1 : 0))
    return [face, box(dot, { fill: own.onAccents[state], radius: dot.width / 2 })]
  }
  return [face, iconIn(square, isMixed ? 'thin-dash' : 'thin-check', 16, own.onAccents[state])]
}

/** A pill whose knob grows below the pointer and widens while it is pressed. */
export const windowsToggle: StyleParts['toggle'] = ({ enabled, selected }, theme, track, look) => {
  const own = windowsColours(theme)
  const isOn = selected === true
  const state = stateOf(enabled, look)
  const size = track.height - (state === 'hovered' || state === 'pressed' ? 6 : 8)
  const width = state === 'pressed' ? size + 3 : size
  const side = (track.height - size) >> 1
  const x = isOn ? track.x + track.width - width - side : track.x + side
  const place = { x, y: track.y + side, width, height: size }
  const radius = track.height / 2
  if (isOn)
    return [
      box(track, { fill: own.accents[state], radius }),
      box(place, { fill: own.onAccents[state], radius: size / 2 }),
    ]
  const edge = enabled ? theme.strong : theme.disabled
  return [
    box(track, { fill: own.off[state], border: edge, radius }),
    box(place, { fill: enabled ? theme.muted : theme.disabled, radius: size / 2 }),
  ]
}

/** A thin track, and a knob whose accent dot grows below the pointer. */
export const windowsSlider: StyleParts['slider'] = ({ enabled }, theme, look) => {
  const { bounds, x, y, upright, knob } = look
  const own = windowsColours(theme)
  const state = stateOf(enabled, look)
  const track = upright
    ? { x: x - 2, y: bounds.y, width: 4, height: bounds.height }
    : { x: bounds.x, y: y - 2, width: bounds.width, height: 4 }
  const filled = upright ? { ...track, y, height: bounds.y + bounds.height - y } : { ...track, width: x - bounds.x }
  const accent = own.accents[state]
  const dot = inset(knob, { normal: 4, hovered: 3, pressed: 5, disabled: 4 }[state])
  return [
    box(track, { fill: enabled ? theme.track : own.accents.disabled, radius: 2 }),
    ...(filled.width > 2 && filled.height > 2 ? [box(filled, { fill: accent, radius: 2 })] : []),
    box(knob, { fill: own.knob, border: theme.lip ?? theme.border, radius: knob.width / 2 }),
    box(dot, { fill: accent, radius: dot.width / 2 }),
  ]
}
