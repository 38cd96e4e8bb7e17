import { valueText } from '../../../desktop/model/element.ts'
import { intersect } from '../../../desktop/model/geometry.ts'
import type { PlacedElement } from './desk.ts'
import { type Dialect, placeAttributes } from './dialect.ts'
import { PASSWORD_ROLE, PLATFORM_ROLES } from './roles.ts'
import { elementText, shownName, statesOf } from './states.ts'
import type { XmlElement } from './xml.ts'

/** The accessibility interface of macOS. Elements outside of their window, and those that are not shown, are left out. */
export const macos: Dialect = {
  root: 'desktop',
  platform: 'macos',
  prefixes: {
    st: 'state',
    attr: 'attributes',
    cp: 'component',
    doc: 'document',
    txt: 'text',
    val: 'value',
    act: 'action',
    role: 'role',
  },
  application: undefined,
  window: ({ title, process, bounds, focused }) => ({
    tag: 'standard_window',
    attributes: [
      ['name', process],
      ['st:AXFocused', flag(focused)],
      ['attr:AXTitle', title],
      ['role:AXRole', 'AXWindow'],
      ...placeAttributes(bounds),
    ],
  }),
  element: elementOf,
}

function elementOf(placed: PlacedElement): XmlElement | undefined {
  const { element, kind, parent, isShown, window } = placed
  if (!isShown || !intersect(element.bounds, window.bounds)) return undefined
  const { macos: names, text } = PLATFORM_ROLES[kind]
  const [role, description] = names
  const { isChecked, isSelected } = statesOf(placed)
  const checked = isChecked === undefined ? undefined : isChecked ? '1' : '0'
  const content = checked ?? (text === 'number' ? (valueText(element) ?? '') : elementText(placed, text))
  const isSecret = kind === 'edit' && element.traits?.secret
  return {
    tag: description.replaceAll(' ', '_'),
    attributes: [
      ...(parent === undefined ? [['name', window.process] as const] : []),
      ['st:AXEnabled', flag(element.enabled)],
      ['st:AXFocused', flag(element.focused || (parent === undefined && window.focused))],
      ...(isSelected === undefined ? [] : [['st:AXSelected', flag(isSelected)] as const]),
      ['attr:AXTitle', shownName(placed)],
      ...(element.description ? [['attr:AXHelp', element.description] as const] : []),
      ['role:AXRole', role],
      ...(isSecret ? [['role:AXSubrole', PASSWORD_ROLE.subrole] as const] : []),
      ...placeAttributes(element.bounds),
    ],
    text: content,
  }
}

const flag = (isSet: boolean): string => (isSet ? 'True' : 'False')
