import type { Element } from '../../../desktop/model/element.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'
import { kindOf } from '../../../desktop/model/role.ts'
import type { StyleParts } from '../../context.ts'
import { box, type Mark, shadow, solid } from '../../frame/mark.ts'
import { label } from '../../text/text.ts'
import { fontFor, iconIn, inset, isFilled, softInkOf } from '../../widgets/widget.ts'
import { BACKLOT_PARTS } from '../backlot/parts.ts'
import { slimThumb } from '../slim-thumb.ts'
import type { Theme } from '../tokens.ts'
import { dialogFooter } from './dialog-footer.ts'
import { titleBar } from './title-bar.ts'
import { windowsColours } from './tokens.ts'

/** The drawing functions of the Windows style. */
export const WINDOWS_PARTS: StyleParts = {
  ...BACKLOT_PARTS,
  titleBar,
  dialogFooter,
  focusRing: (area, radius, theme, element) =>
    element && hasLine(element)
      ? []
      : [
          box(inset(area, -1), { border: windowsColours(theme).innerRing, radius: radius + 1 }),
          box(inset(area, -3), { border: theme.ring, thickness: 2, radius: radius + 3 }),
        ],
  buttonFace: (element, setting, { isDefault, isFlat, radius }) => {
    const { theme } = setting
    const { bounds, enabled, selected } = element
    if (isDefault) return [box(bounds, { fill: theme.accent, radius }), lowEdge(bounds, radius, '#00000033')]
    if (isFlat || isFilled(setting)) return selected === true ? [box(bounds, { fill: theme.selected, radius })] : []
    if (selected === true) return [box(bounds, { fill: theme.selected, border: theme.strong, radius })]
    return raisedFace(bounds, enabled, theme, radius)
  },
  fieldFace: (element, { theme }, radius) => {
    const { bounds, enabled, focused, traits } = element
    const kind = kindOf(element.role)
    if (kind === 'combo' && !traits?.invalid) return raisedFace(bounds, enabled, theme, radius)
    const fill = enabled && traits?.readOnly !== true ? theme.field : theme.fieldDisabled
    const face = box(bounds, { fill, border: LINED.has(kind) ? theme.border : theme.line, radius })
    if (!LINED.has(kind)) return traits?.invalid ? [face, box(bounds, { border: theme.danger, radius })] : [face]
    if (!enabled) return [face]
    const thick = focused || traits?.invalid !== undefined
    const colour = traits?.invalid ? theme.danger : focused ? theme.accent : theme.strong
    return [face, underline(bounds, radius, thick ? 2 : 1, colour)]
  },
  sign: ({ enabled, selected, value }, theme, square, look) => {
    const isMixed = look === 'box' && (value === 'mixed' || value === 'indeterminate')
    const isOn = isMixed || selected === true
    const radius = look === 'box' ? theme.metrics.radius.sign : square.width / 2
    if (!isOn) {
      const edge = enabled ? theme.strong : theme.disabled
      return [box(square, { fill: windowsColours(theme).off, border: edge, radius })]
    }
    const face = box(square, { fill: enabled ? theme.accent : theme.disabled, radius })
    if (look === 'circle') {
      const dot = inset(square, Math.round(square.width / 4))
      return [face, box(dot, { fill: theme.onAccent, radius: dot.width / 2 })]
    }
    return [face, iconIn(square, isMixed ? 'thin-dash' : 'thin-check', 16, theme.onAccent)]
  },
  toggle: ({ enabled, selected }, theme, track) => {
    const isOn = selected === true
    const knob = track.height - 8
    const x = isOn ? track.x + track.width - knob - 4 : track.x + 4
    const radius = track.height / 2
    const place = { x, y: track.y + 4, width: knob, height: knob }
    const edge = enabled ? theme.strong : theme.disabled
    if (isOn)
      return [
        box(track, { fill: enabled ? theme.accent : theme.disabled, radius }),
        box(place, { fill: theme.onAccent, radius: knob / 2 }),
      ]
    return [
      box(track, { fill: windowsColours(theme).off, border: edge, radius }),
      box(place, { fill: enabled ? theme.muted : theme.disabled, radius: knob / 2 }),
    ]
  },
  slider: ({ enabled }, theme, { bounds, x, y, upright, knob }) => {
    const track = upright
      ? { x: x - 2, y: bounds.y, width: 4, height: bounds.height }
      : { x: bounds.x, y: y - 2, width: bounds.width, height: 4 }
    const filled = upright ? { ...track, y, height: bounds.y + bounds.height - y } : { ...track, width: x - bounds.x }
    const accent = enabled ? theme.accent : theme.disabled
    const dot = inset(knob, 4)
    return [
      box(track, { fill: enabled ? theme.track : theme.disabled, radius: 2 }),
      ...(filled.width > 2 && filled.height > 2 ? [box(filled, { fill: accent, radius: 2 })] : []),
      box(knob, { fill: windowsColours(theme).knob, border: theme.lip ?? theme.border, radius: knob.width / 2 }),
      box(dot, { fill: accent, radius: dot.width / 2 }),
    ]
  },
  comboArrow: (element, setting, area, icon) => [
    iconIn(area, icon, icon.startsWith('chevron') ? 12 : 16, softInkOf(element, setting)),
  ],
  tab: (element, { theme }, strip, words) => {
    const isOn = element.selected === true
    const colour = !element.enabled ? theme.disabled : isOn ? theme.text : theme.muted
    const { x, y, width, height } = strip
    const pill = { x: x + Math.floor((width - 16) / 2), y: y + height - 4, width: 16, height: 3 }
    const font = fontFor(theme, height, isOn ? 'selectedTab' : 'tab')
    return [
      ...label(inset(words, 4, 0), element.name, { font, colour, align: 'center' }),
      ...(isOn && width >= 16 ? [box(pill, { fill: theme.accent, radius: 1.5 })] : []),
    ]
  },
  rowBack: (area, theme, { isSelected, isCurrent, isInPopup, isCell }) => {
    const { row: radius } = theme.metrics.radius
    const place = isInPopup || isCell ? area : inset(area, 4, 2)
    const isLit = isSelected || (isInPopup && isCurrent)
    return [
      ...(isLit ? [box(place, { fill: theme.selected, radius })] : []),
      ...(isSelected && !isCell ? [pill(place, theme)] : []),
      ...(isSelected && isCell ? [box(place, { border: theme.accent, radius })] : []),
      ...(isCurrent && !isInPopup ? [box(place, { border: theme.ring, thickness: 2, radius })] : []),
    ]
  },
  scrollThumb: slimThumb(6),
  card: (bounds, theme, look) => {
    const { radius } = theme.metrics
    const isTip = look === 'tooltip'
    const fill = isTip ? theme.tooltip : look === 'dialog' ? windowsColours(theme).content : theme.raised
    const shadows = isTip ? theme.shadows.tooltip : look === 'dialog' ? theme.shadows.window : theme.shadows.card
    return [
      ...shadows.map((each) => shadow(bounds, each)),
      box(bounds, { fill, border: theme.cardEdge, radius: isTip ? radius.tooltip : radius.card }),
    ]
  },
}

/** The kinds of fields with a line below their text. */
const LINED: ReadonlySet<string> = new Set(['edit', 'spinner', 'date', 'combo'])

/** Whether a focused element shows it by its line, not by a ring. */
const hasLine = (element: Element): boolean => {
  const kind = kindOf(element.role)
  return kind !== 'combo' && LINED.has(kind)
}

/** The face of a button or a combo box, with a darker lower or a lighter upper edge. */
function raisedFace(bounds: Rect, enabled: boolean, theme: Theme, radius: number): readonly Mark[] {
  const face = box(bounds, { fill: enabled ? theme.button : theme.buttonDisabled, border: theme.border, radius })
  if (!enabled || theme.lip === undefined || bounds.height < 16) return [face]
  const low = windowsColours(theme).isLipLow
  return [face, low ? lowEdge(bounds, radius, theme.lip) : lowEdge({ ...bounds, height: 1 }, radius, theme.lip)]
}

/** The lowest row of a rectangle without its round corners. */
const lowEdge = ({ x, y, width, height }: Rect, radius: number, colour: string): Mark =>
  solid({ x: x + radius, y: y + height - 1, width: Math.max(0, width - 2 * radius), height: 1 }, colour)

/** The line at the bottom of a field, inside its round corners. */
const underline = ({ x, y, width, height }: Rect, radius: number, thickness: number, colour: string): Mark => {
  const side = thickness === 1 ? Math.min(2, radius) : 1
  const line = { x: x + side, y: y + height - thickness, width: Math.max(0, width - 2 * side), height: thickness }
  return box(line, { fill: colour, radius: thickness === 1 ? 0 : [0, 0, 2, 2] })
}

/** The mark at the left of a selected row. */
const pill = ({ x, y, height }: Rect, { accent }: Theme): Mark => {
  const length = Math.min(16, height)
  return box({ x, y: y + Math.floor((height - length) / 2), width: 3, height: length }, { fill: accent, radius: 1.5 })
}
