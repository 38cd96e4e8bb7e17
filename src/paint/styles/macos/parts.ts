import type { Rect } from '../../../desktop/model/geometry.ts'
import { kindOf } from '../../../desktop/model/role.ts'
import type { StyleParts } from '../../context.ts'
import { box, type Mark, shadow, solid, waves } from '../../frame/mark.ts'
import { label } from '../../text/text.ts'
import { fontFor, iconIn, inset, isFilled, softInkOf } from '../../widgets/widget.ts'
import { BACKLOT_PARTS } from '../backlot/parts.ts'
import { slimThumb } from '../slim-thumb.ts'
import type { Theme } from '../tokens.ts'
import { macosExtras } from './extras.ts'
import { macosTitleBar } from './title-bar.ts'

/** The drawing functions of the macOS style. */
export const MACOS_PARTS: StyleParts = {
  ...BACKLOT_PARTS,
  wallpaper: ({ bounds }, theme) => [waves(bounds, macosExtras(theme).wallpaper)],
  titleBar: macosTitleBar,
  focusRing: (area, radius, { ring }) => [box(inset(area, -3), { border: ring, thickness: 3, radius: radius + 3 })],
  buttonFace: (element, setting, { isDefault, isFlat, radius }) => {
    const { theme } = setting
    const { bounds, enabled, selected } = element
    const extras = macosExtras(theme)
    if (isDefault) return accentFace(bounds, theme, radius)
    if (isFlat || isFilled(setting)) return selected === true ? [box(bounds, { fill: theme.selected, radius })] : []
    if (selected === true) return [box(bounds, { fill: extras.pressed, border: theme.border, radius })]
    const face = box(bounds, { fill: enabled ? theme.button : theme.buttonDisabled, border: theme.border, radius })
    if (!enabled || bounds.height < 16) return [face]
    const across = { x: bounds.x + radius, width: Math.max(0, bounds.width - 2 * radius), height: 1 }
    return [
      face,
      ...(theme.lip ? [solid({ ...across, y: bounds.y + bounds.height - 1 }, theme.lip)] : []),
      ...(extras.shine ? [solid({ ...across, y: bounds.y }, extras.shine)] : []),
    ]
  },
  fieldFace: (element, { theme }, radius) => {
    const kind = kindOf(element.role)
    const extras = macosExtras(theme)
    const edge = element.traits?.invalid ? theme.danger : element.focused ? theme.accent : extras.fieldEdge
    if (kind === 'tree') return [box(element.bounds, { fill: extras.sidebar, border: theme.line, radius: 0 })]
    if (kind === 'list' || kind === 'table')
      return [box(element.bounds, { fill: theme.field, border: theme.line, radius: 0 })]
    const isOpen = element.enabled && element.traits?.readOnly !== true
    if (kind === 'combo' && !element.children.some((child) => kindOf(child.role) === 'edit')) {
      const fill = element.enabled ? theme.button : theme.buttonDisabled
      return [box(element.bounds, { fill, border: element.traits?.invalid ? theme.danger : theme.border, radius })]
    }
    return [box(element.bounds, { fill: isOpen ? extras.field : theme.fieldDisabled, border: edge, radius })]
  },
  sign: ({ enabled, selected, value }, theme, square, look) => {
    const extras = macosExtras(theme)
    const isMixed = look === 'box' && (value === 'mixed' || value === 'indeterminate')
    const isOn = isMixed || selected === true
    const place = look === 'box' && square.width > 12 ? inset(square, 1) : square
    const radius = look === 'box' ? theme.metrics.radius.sign : place.width / 2
    if (!isOn) {
      const fill = enabled ? extras.field : theme.fieldDisabled
      return [box(place, { fill, border: enabled ? theme.strong : theme.border, radius })]
    }
    const face = enabled
      ? accentFace(place, theme, radius)
      : [box(place, { fill: theme.disabled, border: theme.disabled, radius })]
    if (look === 'box') return [...face, iconIn(place, isMixed ? 'dash' : 'check', 12, theme.onAccent)]
    const dot = inset(place, Math.round(place.width * 0.31))
    return [...face, box(dot, { fill: theme.onAccent, radius: dot.width / 2 })]
  },
  toggle: ({ enabled, selected }, theme, track) => {
    const isOn = selected === true
    const extras = macosExtras(theme)
    const knob = track.height - 2
    const x = isOn ? track.x + track.width - knob - 1 : track.x + 1
    const fill = isOn ? (enabled ? theme.accent : theme.disabled) : theme.track
    return [
      box(track, { fill, border: isOn ? fill : theme.border, radius: track.height / 2 }),
      box(
        { x, y: track.y + 1, width: knob, height: knob },
        { fill: extras.knob, border: theme.border, radius: knob / 2 },
      ),
    ]
  },
  slider: ({ enabled }, theme, { bounds, x, y, upright, knob }) => {
    const extras = macosExtras(theme)
    const track = upright
      ? { x: x - TRACK / 2, y: bounds.y, width: TRACK, height: bounds.height }
      : { x: bounds.x, y: y - TRACK / 2, width: bounds.width, height: TRACK }
    const filled = upright ? { ...track, y, height: bounds.y + bounds.height - y } : { ...track, width: x - bounds.x }
    const accent = enabled ? theme.accent : theme.disabled
    const under = { ...knob, y: knob.y + 1 }
    return [
      box(track, { fill: theme.track, radius: 2 }),
      ...(filled.width > 2 && filled.height > 2 ? [box(filled, { fill: accent, radius: 2 })] : []),
      ...(enabled ? [box(under, { fill: theme.border, radius: knob.width / 2 })] : []),
      box(knob, {
        fill: enabled ? extras.knob : theme.buttonDisabled,
        border: enabled ? theme.strong : theme.border,
        radius: knob.width / 2,
      }),
    ]
  },
  comboArrow: (element, setting, area, icon) => {
    const { theme } = setting
    if (kindOf(element.role) !== 'combo') return [iconIn(area, icon, 14, softInkOf(element, setting))]
    const size = Math.min(16, area.height - 4)
    const square = {
      x: area.x + area.width - size - 3,
      y: area.y + ((area.height - size) >> 1),
      width: size,
      height: size,
    }
    const half = { ...square, height: size >> 1 }
    return [
      ...(element.enabled ? accentFace(square, theme, 4) : [box(square, { fill: theme.disabled, radius: 4 })]),
      iconIn({ ...half, y: half.y + 1 }, 'chevron-up', 11, theme.onAccent),
      iconIn({ ...half, y: half.y + size - half.height - 1 }, 'chevron-down', 11, theme.onAccent),
    ]
  },
  tabStrip: (_, __, theme, tabs) => [box(segmentIn(tabs), { fill: macosExtras(theme).segment, radius: 6 })],
  tab: (element, { theme }, strip, words) => {
    const extras = macosExtras(theme)
    const isOn = element.selected === true
    const area = segmentIn(strip)
    const font = fontFor(theme, area.height, isOn ? 'selectedTab' : 'tab')
    const chosen = inset(area, 1)
    return [
      ...(isOn ? [box(chosen, { fill: extras.chosenSegment, border: theme.border, radius: 5 })] : []),
      ...label(inset(segmentIn(words), 8, 0), element.name, {
        font,
        colour: element.enabled ? theme.text : theme.disabled,
        align: 'center',
      }),
    ]
  },
  rowBack: (area, theme, { isSelected, isCurrent, isInPopup, isCell, stripe }) => {
    const { row: radius } = theme.metrics.radius
    const extras = macosExtras(theme)
    if (isInPopup) {
      if (isCurrent) return [box(area, { fill: theme.accent, radius: 4 })]
      return isSelected ? [box(area, { fill: theme.selected, radius: 4 })] : []
    }
    const place = isCell ? inset(area, 1) : inset(area, ROW_INSET, 1)
    if (isSelected) {
      const fill = box(place, { fill: extras.row, radius })
      return isCurrent ? [fill, box(place, { border: extras.currentRow, radius })] : [fill]
    }
    const back = stripe ? [box(place, { fill: stripe, radius })] : []
    return isCurrent ? [...back, box(place, { border: theme.accent, radius })] : back
  },
  scrollThumb: slimThumb(7),
  card: (bounds, theme, look) => {
    const { radius } = theme.metrics
    const shadows = look === 'tooltip' ? theme.shadows.tooltip : theme.shadows.card
    const fill = look === 'tooltip' ? theme.tooltip : look === 'dialog' ? theme.window.surface : theme.raised
    const corner = look === 'tooltip' ? radius.tooltip : look === 'menu' ? radius.card : radius.dialog
    return [
      ...shadows.map((each) => shadow(bounds, each)),
      box(bounds, { fill, border: theme.cardEdge, radius: corner }),
    ]
  },
}

/** Higher rows of tabs have segments of this height in their middle. */
const MAX_SEGMENT_PX = 28

function segmentIn(strip: Rect): Rect {
  return inset(strip, 0, Math.max(0, (strip.height - MAX_SEGMENT_PX) >> 1))
}

const LIGHT_STEPS = 4
const TRACK = 4
/** From the sides of a list to the background of its rows. */
const ROW_INSET = 5

/** A face in the accent colour, lighter at the top. */
function accentFace(area: Rect, theme: Theme, radius: number): readonly Mark[] {
  const { accentTop } = macosExtras(theme)
  const face = box(area, { fill: theme.accent, border: theme.accent, radius })
  if (accentTop === undefined || area.height < 12) return [face]
  // Layers of a little light, each shorter than the one below it, look like a gradient.
  return [
    face,
    ...Array.from({ length: LIGHT_STEPS }, (_, step) => {
      const height = Math.floor(((area.height - 2) * (LIGHT_STEPS - step)) / (LIGHT_STEPS + 1))
      const corner = Math.max(0, Math.min(radius - 1, height))
      return box({ ...inset(area, 1), height }, { fill: accentTop, radius: [corner, corner, 0, 0] })
    }),
  ]
}
