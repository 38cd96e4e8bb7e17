import type { Element } from '../../../desktop/model/element.ts'
import { kindOf } from '../../../desktop/model/role.ts'
import type { StyleParts } from '../../context.ts'
import { backdrop, box, type Mark, shadow, solid } from '../../frame/mark.ts'
import { pointerLook } from '../../pointed.ts'
import { label } from '../../text/text.ts'
import { fontFor, iconIn, inset, softInkOf } from '../../widgets/widget.ts'
import { BACKLOT_PARTS } from '../backlot/parts.ts'
import { slimThumb } from '../slim-thumb.ts'
import { gnomeSign, gnomeSlider, gnomeToggle } from './choices.ts'
import { gnomeButtonFace, gnomeButtonInk, gnomeFieldFace } from './faces.ts'
import { headerBar } from './header-bar.ts'
import { gnomeColours } from './tokens.ts'
import { GNOME_WALLPAPERS } from './wallpaper.ts'

/** Whether a control has a face in the accent colour. */
function hasAccentFace({ role, selected, value, traits }: Element): boolean {
  const kind = kindOf(role)
  if (kind === 'button') return (traits?.presses === 'enter' || traits?.look === 'primary') && !traits.compact
  const isSwitch = kind === 'toggle' && !role.toLowerCase().includes('button')
  return (
    (kind === 'checkbox' || kind === 'radio' || isSwitch) &&
    (selected === true || value === 'mixed' || value === 'indeterminate')
  )
}

/** The drawing functions of the GNOME style. */
export const GNOME_PARTS: StyleParts = {
  ...BACKLOT_PARTS,
  wallpaper: ({ bounds }, { name }) => [backdrop(bounds, GNOME_WALLPAPERS[name])],
  titleBar: headerBar,
  // Inside the edge, and for fields too. Around what has the colour of the ring, where it would not be seen inside.
  focusRing: (area, radius, { ring }, element) =>
    element && hasAccentFace(element)
      ? [box(inset(area, -3), { border: ring, thickness: 2, radius: radius + 3 })]
      : [box(area, { border: ring, thickness: 2, radius })],
  buttonFace: gnomeButtonFace,
  buttonInk: gnomeButtonInk,
  fieldFace: gnomeFieldFace,
  sign: gnomeSign,
  toggle: gnomeToggle,
  slider: gnomeSlider,
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
  tab: (element, { theme, pointed }, strip, words) => {
    const { isHovered, isPressed } = pointerLook(pointed, true)
    const isOn = element.selected === true
    const colour = element.enabled ? theme.text : theme.disabled
    const font = fontFor(theme, strip.height, isOn ? 'selectedTab' : 'tab')
    const { chosen, flat, outline } = gnomeColours(theme)
    const hint = isPressed ? flat.pressed : isHovered ? flat.hovered : undefined
    const place = inset(strip, 3, 4)
    const edge = outline === undefined ? {} : { border: outline }
    return [
      ...(isOn
        ? [
            box({ ...place, y: place.y + 1 }, { fill: '#00000014', radius: 8 }),
            box(place, { fill: chosen, ...edge, radius: 8 }),
          ]
        : element.enabled && hint
          ? [box(place, { fill: hint, radius: 8 })]
          : []),
      ...label(inset(words, 8, 0), element.name, { font, colour, align: 'center' }),
    ]
  },
  rowBack: (area, theme, look) => {
    const { isSelected, isCurrent, isInPopup, isCell, isTableRow, stripe, isHovered, isPressed, isDropTarget } = look
    const { item, rows } = gnomeColours(theme)
    // The rows of tables reach from side to side, those of lists and trees are round.
    const place = isInPopup || isCell ? area : isTableRow ? inset(area, 1, 0) : inset(area, 5, 1)
    const radius = isTableRow || isCell ? 0 : theme.metrics.radius.row
    const ring: readonly Mark[] = [box(place, { border: theme.ring, thickness: 2, radius })]
    const hint = isPressed ? rows.pressed : isHovered ? rows.hovered : undefined
    const pointed = hint && !isCell ? [box(place, { fill: hint, radius })] : []
    if (isInPopup) {
      if (isCurrent) return [box(place, { fill: item, radius })]
      return isSelected ? [box(place, { fill: theme.selected, radius }), ...pointed] : pointed
    }
    const fill = isTableRow || isCell ? theme.selected : rows.selected
    return [
      ...(stripe && !isSelected ? [solid(inset(area, 1, 0), stripe)] : []),
      ...(isSelected ? [box(place, { fill, radius })] : []),
      ...pointed,
      ...(isCurrent ? ring : []),
      ...(isDropTarget ? [box(place, { fill: theme.selected, radius }), ...ring] : []),
    ]
  },
  scrollThumb: slimThumb(3, 'end', 8),
  card: (bounds, theme, look) => {
    const { radius } = theme.metrics
    if (look === 'tooltip') return [box(bounds, { fill: theme.tooltip, radius: radius.tooltip })]
    const shadows = look === 'dialog' ? theme.shadows.window : theme.shadows.card
    const fill = look === 'dialog' ? theme.window.surface : theme.raised
    const corner = look === 'dialog' ? radius.dialog : radius.card
    return [
      ...shadows.map((each) => shadow(bounds, { ...each, radius: corner })),
      box(bounds, { fill, border: theme.cardEdge, radius: corner }),
    ]
  },
}
