import type { Element } from '../../../desktop/model/element.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'
import { kindOf } from '../../../desktop/model/role.ts'
import type { StyleParts } from '../../context.ts'
import { box, type Mark, solid } from '../../frame/mark.ts'
import { pointerLook } from '../../pointed.ts'
import { inkOf, isFilled } from '../../widgets/widget.ts'
import { type InteractionState, stateOf } from '../states.ts'
import type { Theme } from '../tokens.ts'
import { windowsColours } from './tokens.ts'

/** The face of a button: raised, in the accent colour, or flat, which shows only what the pointer does. */
export const windowsButtonFace: StyleParts['buttonFace'] = (element, setting, look) => {
  const { isDefault, isFlat, radius } = look
  const { theme } = setting
  const { bounds, enabled, selected } = element
  const own = windowsColours(theme)
  const state = stateOf(enabled, look)
  if (isDefault || (selected === true && !isFlat && !isFilled(setting))) return accentFace(bounds, theme, radius, state)
  if (isFlat || isFilled(setting)) {
    const fill = own.flat[selected === true && state === 'normal' ? 'hovered' : state]
    const edge = selected === true ? theme.border : own.flatEdge
    return (state === 'normal' || state === 'disabled') && selected !== true
      ? []
      : [box(bounds, { fill, ...(edge && { border: edge }), radius })]
  }
  return raisedFace(bounds, theme, radius, state)
}

/** The ink on a button: paler while it is pressed. */
export const windowsButtonInk: StyleParts['buttonInk'] = (element, setting, look) => {
  const { theme } = setting
  if (setting.tone === 'destructive') return inkOf(element, setting)
  const own = windowsColours(theme)
  const state = stateOf(element.enabled, look)
  const isRaised = !look.isFlat && !isFilled({ ...setting, tone: look.isDefault ? 'plain' : setting.tone })
  if (look.isDefault || (element.selected === true && isRaised)) return own.onAccents[state]
  if (isFilled(setting) || state === 'disabled') return inkOf(element, setting)
  return look.isFlat ? own.flatInks[state] : own.inks[state]
}

/** The background of a field, box or list. Fields of text have a line below. */
export const windowsFieldFace: StyleParts['fieldFace'] = (element, { theme, pointed }, radius) => {
  const { bounds, enabled, focused, traits } = element
  const kind = kindOf(element.role)
  const own = windowsColours(theme)
  const state = stateOf(enabled, pointerLook(pointed))
  if (kind === 'combo' && !traits?.invalid && !holdsField(element)) return raisedFace(bounds, theme, radius, state)
  // A tree lies on the surface of its window.
  if (kind === 'tree' && own.treeEdge === undefined) return []
  const isLined = LINED.has(kind)
  const isWritable = enabled && traits?.readOnly !== true
  const fill = isWritable
    ? isLined && state !== 'normal' && !focused
      ? own.fieldHovered
      : theme.field
    : theme.fieldDisabled
  const face = box(bounds, { fill, border: isLined ? theme.border : theme.line, radius })
  if (!isLined) return traits?.invalid ? [face, box(bounds, { border: theme.danger, radius })] : [face]
  if (!enabled) return [face]
  const thick = focused || traits?.invalid !== undefined
  const colour = traits?.invalid ? theme.danger : focused ? theme.accent : theme.strong
  return [face, underline(bounds, radius, thick ? 2 : 1, colour)]
}

const holdsField = ({ children }: Element): boolean => children.some((child) => kindOf(child.role) === 'edit')

/** The kinds of fields with a line below their text. */
const LINED: ReadonlySet<string> = new Set(['edit', 'spinner', 'date', 'combo'])

/** Whether a focused element shows it by its line, not by a ring. */
export const hasLine = (element: Element): boolean => {
  const kind = kindOf(element.role)
  return LINED.has(kind) && (kind !== 'combo' || holdsField(element))
}

function accentFace(bounds: Rect, theme: Theme, radius: number, state: InteractionState): readonly Mark[] {
  const { accents, accentLip } = windowsColours(theme)
  const face = box(bounds, { fill: accents[state], radius })
  return state === 'normal' || state === 'hovered' ? [face, lowEdge(bounds, radius, accentLip)] : [face]
}

/** The face of a button or a combo box, with a darker lower or a lighter upper edge. */
function raisedFace(bounds: Rect, theme: Theme, radius: number, state: InteractionState): readonly Mark[] {
  const own = windowsColours(theme)
  const face = box(bounds, { fill: own.faces[state], border: theme.border, radius })
  if (state === 'disabled' || state === 'pressed' || theme.lip === undefined || bounds.height < 16) return [face]
  return [
    face,
    own.isLipLow ? lowEdge(bounds, radius, theme.lip) : lowEdge({ ...bounds, height: 1 }, radius, theme.lip),
  ]
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
