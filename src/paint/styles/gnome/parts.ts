import { type Kind, kindOf } from '../../../desktop/model/role.ts'
import type { StyleParts } from '../../context.ts'
import { box, type Mark, shadow, solid } from '../../frame/mark.ts'
import { label } from '../../text/text.ts'
import { fontFor, iconIn, inset, isFilled, softInkOf } from '../../widgets/widget.ts'
import { BACKLOT_PARTS } from '../backlot/parts.ts'
import { slimThumb } from '../slim-thumb.ts'
import { headerBar } from './header-bar.ts'
import { gnomeColours } from './tokens.ts'

/** The drawing functions of the GNOME style. */
export const GNOME_PARTS: StyleParts = {
  ...BACKLOT_PARTS,
  titleBar: headerBar,
  // Inside the edge, and for fields too.
  focusRing: (area, radius, { ring }) => [box(area, { border: ring, thickness: 2, radius })],
  buttonFace: (element, setting, { isDefault, isFlat, radius }) => {
    const { theme } = setting
    const { bounds, enabled, selected } = element
    const { down, outline } = gnomeColours(theme)
    const edge = outline === undefined ? {} : { border: outline }
    if (isDefault) return [box(bounds, { fill: theme.accent, ...edge, radius })]
    if (selected === true) return [box(bounds, { fill: down, ...edge, radius })]
    if (isFlat || isFilled(setting)) return []
    return [box(bounds, { fill: enabled ? theme.button : theme.buttonDisabled, ...edge, radius })]
  },
  fieldFace: ({ bounds, enabled, focused, role, traits }, { theme }, radius) => {
    const isOn = enabled && traits?.readOnly !== true
    const { outline } = gnomeColours(theme)
    if (!ENTRIES.has(kindOf(role))) {
      const border = traits?.invalid ? theme.danger : theme.border
      return [box(bounds, { fill: isOn ? theme.field : theme.fieldDisabled, border, radius })]
    }
    const face = box(bounds, {
      fill: isOn ? theme.button : theme.buttonDisabled,
      ...(outline !== undefined && { border: outline }),
      radius,
    })
    if (traits?.invalid) return [face, box(bounds, { border: theme.danger, thickness: 2, radius })]
    return focused ? [face, box(bounds, { border: theme.ring, thickness: 2, radius })] : [face]
  },
  sign: ({ enabled, selected, value }, theme, square, look) => {
    const isMixed = look === 'box' && (value === 'mixed' || value === 'indeterminate')
    const isOn = isMixed || selected === true
    const radius = look === 'box' ? theme.metrics.radius.sign : square.width / 2
    if (!isOn) return [box(square, { border: enabled ? theme.strong : theme.track, thickness: 2, radius })]
    const face = box(square, { fill: enabled ? theme.accent : theme.disabled, radius })
    if (look === 'box') return [face, iconIn(square, isMixed ? 'dash' : 'check', 16, theme.onAccent)]
    const dot = inset(square, Math.round(square.width * 0.3))
    return [face, box(dot, { fill: theme.onAccent, radius: dot.width / 2 })]
  },
  toggle: ({ enabled, selected }, theme, track) => {
    const isOn = selected === true
    const size = track.height - 6
    const knob = { x: isOn ? track.x + track.width - size - 3 : track.x + 3, y: track.y + 3, width: size, height: size }
    const { knob: fill, outline } = gnomeColours(theme)
    const edge = outline === undefined ? {} : { border: outline }
    return [
      box(track, {
        fill: isOn ? (enabled ? theme.accent : theme.disabled) : theme.track,
        ...edge,
        radius: track.height / 2,
      }),
      box({ ...knob, y: knob.y + 1 }, { fill: '#0000001f', radius: size / 2 }),
      box(knob, { fill, radius: size / 2 }),
    ]
  },
  slider: ({ enabled }, theme, { bounds, x, y, upright, knob }) => {
    const track = upright
      ? { x: x - TROUGH / 2, y: bounds.y, width: TROUGH, height: bounds.height }
      : { x: bounds.x, y: y - TROUGH / 2, width: bounds.width, height: TROUGH }
    const filled = upright ? { ...track, y, height: bounds.y + bounds.height - y } : { ...track, width: x - bounds.x }
    const radius = TROUGH / 2
    return [
      box(track, { fill: theme.track, radius }),
      ...(filled.width > 2 && filled.height > 2
        ? [box(filled, { fill: enabled ? theme.accent : theme.disabled, radius })]
        : []),
      box({ ...knob, y: knob.y + 1 }, { fill: '#00000026', radius: knob.width / 2 }),
      box(knob, { fill: gnomeColours(theme).knob, border: theme.border, radius: knob.width / 2 }),
    ]
  },
  comboArrow: (element, setting, area, icon) => [iconIn(area, icon, 16, softInkOf(element, setting))],
  // A group of tabs is one grey box, in which the chosen one is raised.
  tabStrip: (_, bottom, theme, { x, y, width }) => {
    const { outline } = gnomeColours(theme)
    return [
      box(
        { x, y: y + 1, width, height: Math.max(0, bottom - y - 2) },
        { fill: theme.button, ...(outline !== undefined && { border: outline }), radius: 10 },
      ),
    ]
  },
  tab: (element, { theme }, strip, words) => {
    const isOn = element.selected === true
    const colour = element.enabled ? theme.text : theme.disabled
    const font = fontFor(theme, strip.height, isOn ? 'selectedTab' : 'tab')
    const { chosen, outline } = gnomeColours(theme)
    const place = inset(strip, 3, 4)
    const edge = outline === undefined ? {} : { border: outline }
    return [
      ...(isOn
        ? [
            box({ ...place, y: place.y + 1 }, { fill: '#00000014', radius: 8 }),
            box(place, { fill: chosen, ...edge, radius: 8 }),
          ]
        : []),
      ...label(inset(words, 8, 0), element.name, { font, colour, align: 'center' }),
    ]
  },
  rowBack: (area, theme, { isSelected, isCurrent, isInPopup, isCell, stripe }) => {
    const { row: radius } = theme.metrics.radius
    const place = isInPopup || isCell ? area : inset(area, 1, 0)
    const ring: readonly Mark[] = [box(place, { border: theme.ring, thickness: 2, radius })]
    if (isInPopup) {
      if (isCurrent) return [box(place, { fill: gnomeColours(theme).item, radius })]
      return isSelected ? [box(place, { fill: theme.selected, radius })] : []
    }
    return [
      ...(stripe && !isSelected ? [solid(inset(area, 1, 0), stripe)] : []),
      ...(isSelected ? [box(place, { fill: theme.selected, radius })] : []),
      ...(isCurrent ? ring : []),
    ]
  },
  scrollThumb: slimThumb(6, 'end'),
  card: (bounds, theme, look) => {
    const { radius } = theme.metrics
    if (look === 'tooltip') return [box(bounds, { fill: theme.tooltip, radius: radius.tooltip })]
    const shadows = look === 'dialog' ? theme.shadows.window : theme.shadows.card
    const fill = look === 'dialog' ? theme.window.surface : theme.raised
    const corner = look === 'dialog' ? radius.dialog : radius.card
    return [
      ...shadows.map((each) => shadow(bounds, each)),
      box(bounds, { fill, border: theme.cardEdge, radius: corner }),
    ]
  },
}

/** Fields of one value, which are filled and have no edge. */
const ENTRIES: ReadonlySet<Kind> = new Set<Kind>(['edit', 'combo', 'spinner', 'date'])
const TROUGH = 10
