import type { Window } from '../../../desktop/model/desktop.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'
import { frameOf } from '../../../desktop/windows/frame.ts'
import { box, type DrawOp, shadow, solid, verticalGradient } from '../../frame/draw-op.ts'
import { label } from '../../frame/label.ts'
import { type Font, replaceUnprintable } from '../../text/fonts.ts'
import { elide } from '../../text/text.ts'
import type { StyleChrome, Theme } from '../../theme/theme.ts'
import { fontFor, iconIn, inkOf, inset, isFilled, softInkOf } from '../../widgets/widget.ts'
import { slimThumb } from '../shared-faces.ts'

/** The drawing functions of the default style. */
export const BACKLOT_CHROME: StyleChrome = {
  wallpaper: ({ bounds }, { wallpaper }) => [verticalGradient(bounds, wallpaper.top, wallpaper.bottom)],
  titleBar,
  focusRing: (area, radius, { ring }) => [box(inset(area, -3), { border: ring, thickness: 3, radius: radius + 3 })],
  buttonFace: (element, setting, { isDefault, isFlat, radius }) => {
    const { theme } = setting
    const { bounds, enabled, selected } = element
    if (isDefault) return [box(bounds, { fill: theme.accent, border: theme.accent, radius })]
    if (selected === true) return [box(bounds, { fill: theme.selected, border: theme.accent, radius })]
    if (isFlat || isFilled(setting)) return []
    const base = box(bounds, { fill: enabled ? theme.button : theme.buttonDisabled, border: theme.border, radius })
    if (!enabled || bounds.height < 16 || theme.lip === undefined) return [base]
    // A darker lower edge raises the button from the surface.
    const lip = { x: bounds.x + radius, y: bounds.y + bounds.height - 1, width: bounds.width - 2 * radius, height: 1 }
    return [base, solid(lip, theme.lip)]
  },
  buttonInk: (element, setting) => inkOf(element, setting),
  fieldFace: (element, { theme }, radius) => {
    const fill = element.enabled && element.traits?.readOnly !== true ? theme.field : theme.fieldDisabled
    const plain = element.focused ? theme.accent : theme.border
    const border = element.traits?.invalid ? theme.danger : plain
    return [box(element.bounds, { fill, border, radius })]
  },
  sign: ({ enabled, selected, value }, theme, square, { shape }) => {
    const isMixed = shape === 'box' && (value === 'mixed' || value === 'indeterminate')
    const isOn = isMixed || selected === true
    const on = enabled ? theme.accent : theme.disabled
    const off = enabled ? theme.field : theme.fieldDisabled
    const edge = enabled ? theme.strong : theme.disabled
    const radius = shape === 'box' ? theme.metrics.radius.sign : square.width / 2
    const face = box(square, { fill: isOn ? on : off, border: isOn ? on : edge, radius })
    if (!isOn) return [face]
    if (shape === 'box') return [face, iconIn(square, isMixed ? 'dash' : 'check', square.width - 1, theme.onAccent)]
    const dot = inset(square, Math.round(square.width * 0.32))
    return [face, box(dot, { fill: theme.onAccent, radius: dot.width / 2 })]
  },
  toggle: ({ enabled, selected }, theme, track) => {
    const isOn = selected === true
    const knob = track.height - 6
    const x = isOn ? track.x + track.width - knob - 3 : track.x + 3
    const fill = isOn ? (enabled ? theme.accent : theme.disabled) : theme.track
    const edge = enabled ? theme.strong : theme.disabled
    return [
      box(track, { fill, border: isOn ? fill : edge, radius: track.height / 2 }),
      box({ x, y: track.y + 3, width: knob, height: knob }, { fill: isOn ? theme.onAccent : edge, radius: knob / 2 }),
    ]
  },
  slider: ({ enabled }, theme, { bounds, x, y, upright, knob }) => {
    const track = upright
      ? { x: x - TRACK / 2, y: bounds.y, width: TRACK, height: bounds.height }
      : { x: bounds.x, y: y - TRACK / 2, width: bounds.width, height: TRACK }
    const filled = upright ? { ...track, y, height: bounds.y + bounds.height - y } : { ...track, width: x - bounds.x }
    const accent = enabled ? theme.accent : theme.disabled
    const size = knob.width
    return [
      box(track, { fill: theme.track, radius: 2 }),
      ...(filled.width > 2 && filled.height > 2 ? [box(filled, { fill: accent, radius: 2 })] : []),
      box(knob, { fill: theme.raised, border: enabled ? theme.strong : theme.border, radius: size / 2 }),
      box(inset(knob, Math.floor(size / 3)), { fill: accent, radius: size / 6 }),
    ]
  },
  comboArrow: (element, setting, area, icon) => [iconIn(area, icon, 16, softInkOf(element, setting))],
  tabStrip: (bounds, bottom, { line }) => [solid({ ...bounds, y: bottom - 1, height: 1 }, line)],
  tab: (element, { theme }, strip, words) => {
    const isOn = element.selected === true
    const colour = !element.enabled ? theme.disabled : isOn ? theme.accent : theme.muted
    const font = fontFor(theme, strip.height, isOn ? 'selectedTab' : 'tab')
    const { x, y, width, height } = strip
    const line = { x: x + 6, y: y + height - 3, width: Math.max(0, width - 12), height: 3 }
    return [
      ...label(inset(words, 8, 0), element.name, { font, colour, align: 'center' }),
      ...(isOn && line.width > 0 ? [box(line, { fill: theme.accent, radius: [2, 2, 0, 0] })] : []),
    ]
  },
  rowBack: (area, theme, { isSelected, isCurrent: current, isInPopup, stripe }) => {
    const { row: radius } = theme.metrics.radius
    const place = isInPopup ? area : inset(area, 2, 1)
    if (isInPopup && !current) return isSelected ? [box(place, { fill: theme.selected, radius })] : []
    if (isSelected || isInPopup) {
      const fill = box(place, { fill: theme.accent, radius })
      return current && !isInPopup ? [fill, box(place, { border: theme.onAccent, radius })] : [fill]
    }
    const back = stripe ? [solid(inset(area, 1, 0), stripe)] : []
    return current ? [...back, box(place, { border: theme.accent, radius })] : back
  },
  scrollThumb: slimThumb(8),
  card: (bounds, theme, kind) => {
    const { radius } = theme.metrics
    const shadows = kind === 'tooltip' ? theme.shadows.tooltip : theme.shadows.card
    const fill = kind === 'tooltip' ? theme.tooltip : kind === 'dialog' ? theme.window.surface : theme.raised
    const corner = kind === 'tooltip' ? radius.tooltip : kind === 'dialog' ? radius.dialog : radius.card
    return [
      ...shadows.map((each) => shadow(bounds, each)),
      box(bounds, { fill, border: theme.cardEdge, radius: corner }),
    ]
  },
  dialogFooter: () => [],
  appPicture: () => [],
}

const TRACK = 4

function titleBar(window: Window, theme: Theme, active: boolean): readonly DrawOp[] {
  const frame = frameOf(window, theme.metrics)
  if (!frame) return []
  const { title } = frame
  const colours = theme.window
  const dot = (area: Rect, colour: string) =>
    box(inset(area, 1), { fill: active ? colour : colours.idle, radius: area.width / 2 - 1 })
  return [
    solid(title, active ? colours.title : colours.titleInactive),
    ...(colours.titleLine ? [solid({ ...title, y: title.y + title.height - 1, height: 1 }, colours.titleLine)] : []),
    ...titleWords(title, window.title, theme, active ? colours.titleText : colours.titleTextInactive),
    ...(['minimize', 'maximize', 'close'] as const).flatMap((name) => {
      const area = frame.buttons[name]
      return area ? [dot(area, colours[name])] : []
    }),
  ]
}

/** The width of the buttons of a title bar. */
const BUTTONS_WIDTH_PX = 84

/** A centred title. A longer one starts at the left and ends before the buttons. */
function titleWords(title: Rect, content: string, theme: Theme, colour: string): readonly DrawOp[] {
  const free = inset(title, BUTTONS_WIDTH_PX, 0)
  const font: Font = { family: theme.type.family, ...theme.type.title }
  if (elide(content, free.width, font) === replaceUnprintable(content))
    return label(free, content, { font, colour, align: 'center' })
  const area = { ...title, x: title.x + 12, width: Math.max(0, title.width - BUTTONS_WIDTH_PX - 12) }
  return label(area, content, { font, colour })
}
