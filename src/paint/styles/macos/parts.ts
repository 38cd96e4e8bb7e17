import type { Element } from '../../../desktop/model/element.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'
import type { PaintContext, StyleParts } from '../../context.ts'
import { backdrop, box, type Mark, shadow } from '../../frame/mark.ts'
import { iconFor } from '../../icons.ts'
import { pointerLook } from '../../pointed.ts'
import { label } from '../../text/text.ts'
import { fontFor, iconIn, inset } from '../../widgets/widget.ts'
import { BACKLOT_PARTS } from '../backlot/parts.ts'
import { slimThumb } from '../slim-thumb.ts'
import { macosSign, macosSlider, macosToggle } from './choices.ts'
import { ROW_INSET_PX } from './empty-rows.ts'
import { macosExtras } from './extras.ts'
import { dimmed, macosButtonFace, macosButtonInk, macosComboArrow, macosFieldFace } from './faces.ts'
import { macosTitleBar } from './title-bar.ts'

/** The drawing functions of the macOS style. */
export const MACOS_PARTS: StyleParts = {
  ...BACKLOT_PARTS,
  wallpaper: ({ bounds }, theme) => [backdrop(bounds, macosExtras(theme).wallpaper)],
  titleBar: macosTitleBar,
  focusRing: (area, radius, { ring }) => [box(inset(area, -3), { border: ring, thickness: 3, radius: radius + 3 })],
  buttonFace: macosButtonFace,
  buttonInk: macosButtonInk,
  fieldFace: macosFieldFace,
  sign: macosSign,
  toggle: macosToggle,
  slider: macosSlider,
  comboArrow: macosComboArrow,
  tabStrip: (_, __, theme, tabs) => [box(segmentIn(tabs), { fill: macosExtras(theme).segment, radius: 6 })],
  tab: (element, setting, strip, words) => {
    if (element.traits?.raised) return bandTab(element, setting, strip, words)
    const { theme, pointed } = setting
    const extras = macosExtras(theme)
    const isOn = element.selected === true
    const { isPressed } = pointerLook(pointed, true)
    const area = segmentIn(strip)
    const font = fontFor(theme, area.height, isOn ? 'selectedTab' : 'tab')
    const chosen = inset(area, 1)
    return [
      ...(isOn ? [box(chosen, { fill: extras.chosenSegment, border: theme.border, radius: 5 })] : []),
      ...dimmed(chosen, theme, 5, isPressed && element.enabled),
      ...label(inset(segmentIn(words), 8, 0), element.name, {
        font,
        colour: element.enabled ? theme.text : theme.disabled,
        align: 'center',
      }),
    ]
  },
  rowBack: (
    area,
    theme,
    { isSelected, isCurrent, isInPopup, isCell, stripe, isPressed, isDropTarget, isUnfocused },
  ) => {
    const { row: radius } = theme.metrics.radius
    const extras = macosExtras(theme)
    if (isInPopup) {
      if (isCurrent) return [box(area, { fill: theme.accent, radius: 4 })]
      return isSelected || isPressed ? [box(area, { fill: theme.selected, radius: 4 })] : []
    }
    const place = isCell ? inset(area, 1) : inset(area, ROW_INSET_PX, 1)
    const drop = isDropTarget ? [box(place, { border: theme.accent, thickness: 2, radius })] : []
    if (isSelected) {
      const fill = box(place, { fill: isUnfocused ? (theme.unfocusedRow ?? theme.selected) : extras.row, radius })
      return [fill, ...(isCurrent ? [box(place, { border: extras.currentRow, radius })] : []), ...drop]
    }
    const back = stripe ? [box(place, { fill: stripe, radius })] : []
    return [...back, ...(isCurrent ? [box(place, { border: theme.accent, radius })] : []), ...drop]
  },
  scrollThumb: slimThumb(7, 'middle', 10),
  card: (bounds, theme, look) => {
    const { radius } = theme.metrics
    const shadows = look === 'tooltip' ? theme.shadows.tooltip : theme.shadows.card
    const fill = look === 'tooltip' ? theme.tooltip : look === 'dialog' ? theme.window.surface : theme.raised
    const corner = look === 'tooltip' ? radius.tooltip : look === 'menu' ? radius.card : radius.dialog
    return [
      ...shadows.map((each) => shadow(bounds, { ...each, radius: corner })),
      box(bounds, { fill, border: theme.cardEdge, radius: corner }),
    ]
  },
}

/** Between a tab and the end of its band. */
const BELOW_TAB_PX = 3
const TAB_ICON_PX = 20
const TAB_NAME_PX = 18

/** A tab in the band of the title of a dialog: its icon above its name, both in the accent if it is chosen. */
function bandTab(element: Element, { theme, pointed }: PaintContext, strip: Rect, words: Rect): readonly Mark[] {
  const { bandTab: fill, bandTabEdge: border } = macosExtras(theme)
  const { name, traits, enabled, selected } = element
  const area = { ...strip, height: strip.height - BELOW_TAB_PX }
  const inside = { ...words, height: area.height }
  const icon = iconFor(traits?.icon, theme)
  const colour = !enabled ? theme.disabled : selected ? theme.accent : theme.muted
  const upper = { ...inside, y: inside.y + 4, height: TAB_ICON_PX + 2 }
  const lower = { ...inside, y: upper.y + upper.height, height: TAB_NAME_PX }
  const { isPressed } = pointerLook(pointed, true)
  return [
    ...(selected ? [box(area, { fill, ...(border && { border }), radius: 6 })] : []),
    ...dimmed(area, theme, 6, isPressed && enabled),
    ...(icon ? [iconIn(upper, icon, TAB_ICON_PX, colour)] : []),
    ...label(inset(lower, 2, 0), name, { font: fontFor(theme, lower.height, 'small'), colour, align: 'center' }),
  ]
}

/** Higher rows of tabs have segments of this height in their middle. */
const MAX_SEGMENT_PX = 28

function segmentIn(strip: Rect): Rect {
  return inset(strip, 0, Math.max(0, (strip.height - MAX_SEGMENT_PX) >> 1))
}
