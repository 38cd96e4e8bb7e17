import type { WindowInfo } from '../../../adapters/computer.ts'
import type { Element } from '../../../desktop/model/element.ts'
import { type Kind, kindsWhere, roleRowOf } from '../../../desktop/model/role.ts'

/** The windows of a desktop, as the tools of the observer show them. */
export interface AccessibleDesk {
  /** The focused window first. */
  readonly windows: readonly DeskWindow[]
  /** Whether the identifiers of elements are the names that AT-SPI has for their roles, as on real Linux desktops. */
  readonly namesRoles: boolean
}

export interface DeskWindow {
  readonly info: WindowInfo
  /** Undefined for a window without a tree. */
  readonly tree: Element | undefined
}

/** An element and what its place in the tree says about it. */
export interface PlacedElement {
  readonly element: Element
  readonly kind: Kind
  /** The kind of its parent. Undefined for the root of a window. */
  readonly parent: Kind | undefined
  /** Neither hidden nor folded away nor scrolled out of view. */
  readonly isShown: boolean
  readonly window: WindowInfo
}

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
