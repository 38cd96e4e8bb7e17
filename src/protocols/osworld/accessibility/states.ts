import { kindsWhere, roleRowOf } from '../../../desktop/model/role.ts'
import type { PlacedElement } from './desk.ts'

/** What the platforms report as states of an element. Undefined for states that an element cannot have. */
export interface ElementStates {
  readonly isFocusable: boolean
  readonly isChecked: boolean | undefined
  readonly isMixed: boolean
  readonly isSelected: boolean | undefined
  readonly isExpanded: boolean | undefined
  readonly isEditable: boolean | undefined
}

const CHECKABLE: ReadonlySet<string> = new Set(['checkbox', 'radio', 'toggle'])
const SELECTABLE = new Set([...kindsWhere(({ item }) => item !== 'none'), 'tab', 'day'])
const EDITABLE = new Set([...kindsWhere(({ text }) => text !== 'none'), 'spinner', 'date'])

export function statesOf({ element, kind }: PlacedElement): ElementStates {
  const { enabled, selected, expanded, traits, value } = element
  const isCheckable = CHECKABLE.has(kind)
  return {
    isFocusable: enabled && roleRowOf(element.role).focus !== 'never',
    isChecked: isCheckable ? selected === true : undefined,
    isMixed: isCheckable && traits?.triState === true && value === 'mixed',
    isSelected: !isCheckable && (SELECTABLE.has(kind) || selected !== undefined) ? selected === true : undefined,
    isExpanded: expanded,
    isEditable: EDITABLE.has(kind) ? enabled && !traits?.readOnly : undefined,
  }
}

/** The text of an element: its value, its name, or none where it has a number. */
export function elementText({ element }: PlacedElement, source: 'value' | 'name' | 'number' | 'none'): string {
  switch (source) {
    case 'value':
      return element.value ?? ''
    case 'name':
      return element.value ?? element.name
    case 'number':
      return element.valueNow === undefined ? (element.value ?? '') : ''
    case 'none':
      return ''
  }
}

/** The name of an element. A window has its title. */
export const shownName = ({ element, kind, parent, window }: PlacedElement): string =>
  parent === undefined && roleRowOf(kind).container === 'window' && window.title !== '' ? window.title : element.name
