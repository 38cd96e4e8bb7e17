import type { Rect } from '../../../desktop/model/geometry.ts'
import type { StyleParts } from '../../context.ts'
import { backdrop, box, type Mark, shadow } from '../../frame/mark.ts'
import { pointerLook } from '../../pointed.ts'
import { label } from '../../text/text.ts'
import { fontFor, iconIn, inset, softInkOf } from '../../widgets/widget.ts'
import { BACKLOT_PARTS } from '../backlot/parts.ts'
import { slimThumb } from '../slim-thumb.ts'
import type { Theme } from '../tokens.ts'
import { windowsSign, windowsSlider, windowsToggle } from './choices.ts'
import { dialogFooter } from './dialog-footer.ts'
import { hasLine, windowsButtonFace, windowsButtonInk, windowsFieldFace } from './faces.ts'
import { titleBar } from './title-bar.ts'
import { windowsColours } from './tokens.ts'
import { WINDOWS_WALLPAPERS } from './wallpaper.ts'

/** The drawing functions of the Windows style. */
export const WINDOWS_PARTS: StyleParts = {
  ...BACKLOT_PARTS,
  wallpaper: ({ bounds }, { name }) => [backdrop(bounds, WINDOWS_WALLPAPERS[name])],
  titleBar,
  dialogFooter,
  focusRing: (area, radius, theme, element) =>
    element && hasLine(element)
      ? []
      : [
          box(inset(area, -1), { border: windowsColours(theme).innerRing, radius: radius + 1 }),
          box(inset(area, -3), { border: theme.ring, thickness: 2, radius: radius + 3 }),
        ],
  buttonFace: windowsButtonFace,
  buttonInk: windowsButtonInk,
  fieldFace: windowsFieldFace,
  sign: windowsSign,
  toggle: windowsToggle,
  slider: windowsSlider,
  comboArrow: (element, setting, area, icon) => [
    iconIn(area, icon, icon.startsWith('chevron') ? 12 : 16, softInkOf(element, setting)),
  ],
  tab: (element, { theme, pointed }, strip, words) => {
    const isOn = element.selected === true
    const { isHovered, isPressed } = pointerLook(pointed, true)
    const isLit = element.enabled && (isOn || (isHovered && !isPressed))
    const colour = !element.enabled ? theme.disabled : isLit ? theme.text : theme.muted
    const { x, y, width, height } = strip
    const pill = { x: x + Math.floor((width - 16) / 2), y: y + height - 4, width: 16, height: 3 }
    const font = fontFor(theme, height, isOn ? 'selectedTab' : 'tab')
    if (element.traits?.raised) {
      const { content } = windowsColours(theme)
      return [
        ...(isOn ? [box(strip, { fill: content, radius: [8, 8, 0, 0] })] : []),
        ...label(inset(words, 4, 0), element.name, { font, colour, align: 'center' }),
      ]
    }
    return [
      ...label(inset(words, 4, 0), element.name, { font, colour, align: 'center' }),
      ...(isOn && width >= 16 ? [box(pill, { fill: theme.accent, radius: 1.5 })] : []),
    ]
  },
  rowBack: (area, theme, { isSelected, isCurrent, isInPopup, isCell, isHovered, isPressed, isDropTarget }) => {
    const { row: radius } = theme.metrics.radius
    const { rowHovered, rowPressed, rowSelectedHovered } = windowsColours(theme)
    const place = isInPopup || isCell ? area : inset(area, 4, 2)
    const isLit = isSelected || (isInPopup && isCurrent)
    const pointed = isPressed ? rowPressed : isHovered ? rowHovered : undefined
    const fill = isLit ? (isHovered && !isPressed ? rowSelectedHovered : theme.selected) : pointed
    return [
      ...(fill && !(isCell && !isLit) ? [box(place, { fill, radius })] : []),
      ...(isSelected && !isCell ? [pill(place, theme, isPressed === true)] : []),
      ...(isSelected && isCell ? [box(place, { border: theme.accent, radius })] : []),
      ...(isCurrent && !isInPopup ? [box(place, { border: theme.ring, thickness: 2, radius })] : []),
      ...(isDropTarget ? [box(place, { border: theme.accent, thickness: 2, radius })] : []),
    ]
  },
  scrollThumb: slimThumb(2, 'end', 6),
  card: (bounds, theme, look) => {
    const { radius } = theme.metrics
    const isTip = look === 'tooltip'
    const fill = isTip ? theme.tooltip : look === 'dialog' ? windowsColours(theme).content : theme.raised
    const shadows = isTip ? theme.shadows.tooltip : look === 'dialog' ? theme.shadows.window : theme.shadows.card
    const corner = isTip ? radius.tooltip : radius.card
    return [
      ...shadows.map((each) => shadow(bounds, { ...each, radius: corner })),
      box(bounds, { fill, border: theme.cardEdge, radius: corner }),
    ]
  },
}

/** The mark at the left of a selected row, shorter while the row is pressed. */
const pill = ({ x, y, height }: Rect, { accent }: Theme, isPressed: boolean): Mark => {
  const length = Math.min(isPressed ? 10 : 16, height)
  return box({ x, y: y + Math.floor((height - length) / 2), width: 3, height: length }, { fill: accent, radius: 1.5 })
}
