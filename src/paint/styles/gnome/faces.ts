import type { Element } from '../../../desktop/model/element.ts'
import { kindOf, kindsWith } from '../../../desktop/model/role.ts'
import type { StyleParts } from '../../context.ts'
import { box, type Mark } from '../../frame/mark.ts'
import { type Pointed, pointerLook } from '../../pointed.ts'
import { inkOf, isFilled } from '../../widgets/widget.ts'
import { paneFace } from '../pane-face.ts'
import { stateOf } from '../states.ts'
import { gnomeColours } from './tokens.ts'

/** The face of a button: a tint that gets stronger below the pointer. Flat buttons have none while nothing happens. */
export const gnomeButtonFace: StyleParts['buttonFace'] = (element, setting, look) => {
  const { isDefault, isFlat, radius } = look
  const { theme } = setting
  const { bounds, enabled, selected } = element
  const own = gnomeColours(theme)
  const edge = own.outline === undefined ? {} : { border: own.outline }
  const state = stateOf(enabled, look)
  // On a dark notification.
  if (setting.tone === 'dark')
    return isFlat && state === 'normal'
      ? []
      : [box(bounds, { fill: ON_DARK[state], ...edge, radius: bounds.height / 2 })]
  if (isDefault) return [box(bounds, { fill: own.accents[state], ...edge, radius })]
  if (selected === true) {
    const fill = state === 'disabled' ? own.faces.disabled : own.faces.pressed
    const isLit = state === 'hovered' || state === 'pressed'
    return [box(bounds, { fill, ...edge, radius }), ...(isLit ? [box(bounds, { fill: own.flat[state], radius })] : [])]
  }
  if (isFlat || isFilled(setting)) {
    if (state === 'normal' || state === 'disabled') return []
    return [box(bounds, { fill: own.flat[state], ...edge, radius })]
  }
  return [box(bounds, { fill: own.faces[state], ...edge, radius })]
}

const ON_DARK = { normal: '#ffffff26', hovered: '#ffffff38', pressed: '#ffffff50', disabled: '#ffffff14' } as const

/** The ink on a button. */
export const gnomeButtonInk: StyleParts['buttonInk'] = (element, setting) => inkOf(element, setting)

/** The background of a field, box or list. Fields of one value are filled and have no edge. */
export const gnomeFieldFace: StyleParts['fieldFace'] = (element, { theme, pointed, isWide }, radius) => {
  const { bounds, enabled, focused, role, traits } = element
  const kind = kindOf(role)
  const own = gnomeColours(theme)
  if (kind === 'tree') return [box(bounds, { fill: own.sidebar, border: own.outline ?? theme.line, radius: 0 })]
  if (isWide && own.outline === undefined) return paneFace(bounds, theme.field, theme.line)
  if (!ENTRIES.has(kind)) {
    const border = traits?.invalid ? theme.danger : theme.border
    return [box(bounds, { fill: enabled ? theme.field : theme.fieldDisabled, border, radius })]
  }
  const isBox = kind === 'combo' || kind === 'date'
  if (kind === 'combo' && traits?.formLabel && own.outline === undefined)
    return rowEndFace(element, own, pointed, radius)
  const state = stateOf(enabled && (isBox || traits?.readOnly !== true), isBox ? pointerLook(pointed) : {})
  const face = box(bounds, { fill: own.faces[state], ...(own.outline && { border: own.outline }), radius })
  if (traits?.invalid) return [face, box(bounds, { border: theme.danger, thickness: 2, radius })]
  return focused ? [face, box(bounds, { border: theme.ring, thickness: 2, radius })] : [face]
}

/** A box at the end of a row in a card is flat until the pointer is on it. */
function rowEndFace(
  { bounds, enabled }: Element,
  { flat }: ReturnType<typeof gnomeColours>,
  pointed: Pointed | undefined,
  radius: number,
): readonly Mark[] {
  const state = stateOf(enabled, pointerLook(pointed))
  return state === 'normal' || state === 'disabled' ? [] : [box(bounds, { fill: flat[state], radius })]
}

const ENTRIES = kindsWith('entry')
