import type { Element } from '../../../desktop/model/element.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'
import { kindOf } from '../../../desktop/model/role.ts'
import type { StyleParts } from '../../context.ts'
import { box, type Mark, solid } from '../../frame/mark.ts'
import { pointerLook } from '../../pointed.ts'
import { iconIn, inkOf, isFilled, softInkOf } from '../../widgets/widget.ts'
import { paneFace } from '../pane-face.ts'
import { stateOf } from '../states.ts'
import type { Theme } from '../tokens.ts'
import { emptyRows } from './empty-rows.ts'
import { macosExtras } from './extras.ts'

/** The face of a button: white, in the accent colour, or flat, which shows only what the pointer does. */
export const macosButtonFace: StyleParts['buttonFace'] = (element, setting, look) => {
  const { isDefault, isFlat, radius } = look
  const { theme } = setting
  const { bounds, enabled, selected } = element
  const extras = macosExtras(theme)
  const state = stateOf(enabled, look)
  if (isDefault) return [...accentFace(bounds, theme, radius), ...dimmed(bounds, theme, radius, state === 'pressed')]
  if (isFlat || isFilled(setting)) {
    const fill = selected === true && state === 'normal' ? extras.flat.hovered : extras.flat[state]
    const isShown = selected === true || state === 'hovered' || state === 'pressed'
    return isShown ? [box(bounds, { fill, ...(extras.flatEdge && { border: extras.flatEdge }), radius })] : []
  }
  if (selected === true && enabled)
    return [...accentFace(bounds, theme, radius), ...dimmed(bounds, theme, radius, state === 'pressed')]
  const face = box(bounds, { fill: extras.faces[state], border: theme.border, radius })
  if (!enabled || bounds.height < 16) return [face]
  const across = { x: bounds.x + radius, width: Math.max(0, bounds.width - 2 * radius), height: 1 }
  return [
    face,
    ...(theme.lip ? [solid({ ...across, y: bounds.y + bounds.height - 1 }, theme.lip)] : []),
    ...(extras.shine ? [solid({ ...across, y: bounds.y }, extras.shine)] : []),
  ]
}

/** The ink on a button. */
export const macosButtonInk: StyleParts['buttonInk'] = (element, setting, look) =>
  element.selected === true && element.enabled && !look.isFlat && !isFilled(setting) && setting.tone !== 'destructive'
    ? setting.theme.onAccent
    : inkOf(element, setting)

/** The background of a field, box or list. */
export const macosFieldFace: StyleParts['fieldFace'] = (element, { theme, pointed, isWide, sidebar }, radius) => {
  const kind = kindOf(element.role)
  const { bounds, enabled, traits } = element
  const extras = macosExtras(theme)
  if (kind === 'tree') {
    // The window has painted what is behind its sidebar, which ends with a line.
    if (sidebar === element.id) return [solid({ ...bounds, x: bounds.x + bounds.width - 1, width: 1 }, theme.line)]
    return [box(bounds, { fill: theme.sidebar?.fill ?? theme.field, border: theme.line, radius: 0 })]
  }
  if (isWide && extras.flatEdge === undefined) {
    const stripes = kind === 'table' ? emptyRows(element, theme) : []
    return [...paneFace(bounds, theme.field, theme.line), ...stripes]
  }
  if (kind === 'list' || kind === 'table') return [box(bounds, { fill: theme.field, border: theme.line, radius: 0 })]
  if (kind === 'combo' && !holdsField(element)) {
    const fill = extras.faces[stateOf(enabled, { isPressed: pointerLook(pointed).isPressed })]
    const face = box(bounds, { fill, border: traits?.invalid ? theme.danger : theme.border, radius })
    const across = { x: bounds.x + radius, width: Math.max(0, bounds.width - 2 * radius), height: 1 }
    if (!enabled) return [face]
    return [
      face,
      ...(theme.lip ? [solid({ ...across, y: bounds.y + bounds.height - 1 }, theme.lip)] : []),
      ...(extras.shine ? [solid({ ...across, y: bounds.y }, extras.shine)] : []),
    ]
  }
  const edge = traits?.invalid ? theme.danger : element.focused ? theme.accent : extras.fieldEdge
  const isOpen = enabled && traits?.readOnly !== true
  return [box(bounds, { fill: isOpen ? extras.field : theme.fieldDisabled, border: edge, radius })]
}

const holdsField = ({ children }: Element): boolean => children.some((child) => kindOf(child.role) === 'edit')

/** Two arrows on a square in the accent colour; boxes that open something else have their own sign. */
export const macosComboArrow: StyleParts['comboArrow'] = (element, setting, area, icon) => {
  const { theme } = setting
  if (kindOf(element.role) !== 'combo') return [iconIn(area, icon, 14, softInkOf(element, setting))]
  const size = Math.min(16, area.height - 4)
  const square = {
    x: area.x + area.width - size - 3,
    y: area.y + ((area.height - size) >> 1),
    width: size,
    height: size,
  }
  const { track } = theme
  if (holdsField(element))
    return [
      ...(element.enabled ? accentFace(square, theme, 4) : [box(square, { fill: track, radius: 4 })]),
      iconIn(square, 'chevron-down', 12, element.enabled ? theme.onAccent : theme.disabled),
    ]
  const ink = element.enabled ? theme.onAccent : theme.disabled
  const half = { ...square, height: size >> 1 }
  return [
    ...(element.enabled ? accentFace(square, theme, 4) : []),
    iconIn({ ...half, y: half.y + 1 }, 'chevron-up', 11, ink),
    iconIn({ ...half, y: half.y + size - half.height - 1 }, 'chevron-down', 11, ink),
  ]
}

const LIGHT_STEPS = 4

/** A face in the accent colour, lighter at the top. */
export function accentFace(area: Rect, theme: Theme, radius: number): readonly Mark[] {
  const { accentTop } = macosExtras(theme)
  const face = box(area, { fill: theme.accent, border: theme.accent, radius })
  if (accentTop === undefined || area.height < 12) return [face]
  // Layers of a little light, each shorter than the one below it, look like a gradient.
  return [
    face,
    ...Array.from({ length: LIGHT_STEPS }, (_, step) => {
      const height = Math.floor(((area.height - 2) * (LIGHT_STEPS - step)) / (LIGHT_STEPS + 1))
      const corner = Math.max(0, Math.min(radius - 1, height))
      return box(
        { x: area.x + 1, y: area.y + 1, width: Math.max(0, area.width - 2), height },
        { fill: accentTop, radius: [corner, corner, 0, 0] },
      )
    }),
  ]
}

/** The shade over a face in the accent colour while it is pressed. */
export const dimmed = (area: Rect, theme: Theme, radius: number, isPressed: boolean): readonly Mark[] =>
  isPressed ? [box(area, { fill: macosExtras(theme).pressShade, radius })] : []
