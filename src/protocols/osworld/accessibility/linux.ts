import type { WindowInfo } from '../../../adapters/computer.ts'
import { type Element, walk } from '../../../desktop/model/element.ts'
import { type Kind, kindsWith, roleRowOf } from '../../../desktop/model/role.ts'
import { floatText } from '../python/value.ts'
import type { AccessibleDesk, DeskWindow, PlacedElement } from './desk.ts'
import { COMMON_PREFIXES, type Dialect, placeAttributes } from './dialect.ts'
import { PASSWORD_ROLE, PLATFORM_ROLES } from './roles.ts'
import { elementText, shownName, statesOf } from './states.ts'
import { tagFrom, type XmlAttribute, type XmlElement } from './xml.ts'

/** AT-SPI, as programs of Linux report it. States stand only where they are set. */
export const linux: Dialect = {
  root: 'desktop-frame',
  platform: 'ubuntu',
  prefixes: COMMON_PREFIXES,
  application: (windows, desk) => ({
    tag: 'application',
    attributes: [['name', applicationName(windows, desk)], ...stateAttributes(['enabled', 'sensitive', 'visible'])],
  }),
  window: (info) => ({
    tag: info.popupOf === undefined ? 'frame' : 'window',
    attributes: [
      ['name', info.title],
      ...stateAttributes(['enabled', 'sensitive', 'visible', 'showing', ...activeState(info)]),
      ...placeAttributes(info.bounds),
    ],
  }),
  element: elementOf,
  inside: labelInside,
}

const TERMINAL_PROGRAM = 'gnome-terminal-server'

/** The name of the process. Agents look for the text of a terminal in one program, so that terminals have its name. */
function applicationName(windows: readonly DeskWindow[], desk: AccessibleDesk): string {
  const process = windows[0]?.info.process ?? ''
  const isTerminal = /terminal|console/i.test(process) && windows.some(({ tree }) => tree && hasTerminal(tree, desk))
  return isTerminal ? TERMINAL_PROGRAM : process
}

function hasTerminal(tree: Element, desk: AccessibleDesk): boolean {
  for (const element of walk(tree)) if (isTerminal(element, desk)) return true
  return false
}

const isTerminal = (element: Element, { namesRoles }: AccessibleDesk): boolean =>
  spellingOf(element.role) === 'terminal' || (namesRoles && element.identifier === 'terminal')

function elementOf(placed: PlacedElement, desk: AccessibleDesk): XmlElement {
  const { element, kind, isShown } = placed
  const { text, action, selects } = PLATFORM_ROLES[kind]
  const name = shownName(placed)
  return {
    tag: tagOf(placed, desk),
    attributes: [
      ['name', name],
      ...stateAttributes(stateNames(placed)),
      ...(element.description ? [['attr:description', element.description] as const] : []),
      ...(element.identifier && !desk.namesRoles ? [['attr:id', element.identifier] as const] : []),
      ...(isShown ? placeAttributes(element.bounds) : []),
      ...(kind === 'image' ? [['image', 'true'] as const] : []),
      ...(selects ? [['selection', 'true'] as const] : []),
      ...numberAttributes(element, kind),
      ...(action
        ? [[`act:${action}_desc`, ''] as const, [`act:${action}_kb`, element.keyboardShortcut ?? ''] as const]
        : []),
    ],
    text: elementText(placed, text),
  }
}

const stateAttributes = (names: readonly string[]): readonly XmlAttribute[] =>
  names.map((name) => [`st:${name}`, 'true'])

const activeState = ({ focused }: WindowInfo): readonly string[] => (focused ? ['active'] : [])

const ORIENTED = kindsWith('oriented')

function stateNames(placed: PlacedElement): readonly string[] {
  const { element, kind, parent, isShown, window } = placed
  const { isFocusable, isChecked, isMixed, isSelected, isExpanded, isEditable } = statesOf(placed)
  const { bounds, enabled, focused, traits } = element
  const { text } = roleRowOf(element.role)
  const states: readonly (readonly [name: string, isSet: boolean | undefined])[] = [
    ['active', parent === undefined && window.focused],
    ['checkable', isChecked !== undefined],
    ['checked', isChecked],
    ['indeterminate', isMixed],
    ['pressed', kind === 'toggle' && isChecked],
    ['editable', isEditable],
    ['read_only', traits?.readOnly],
    ['single_line', text === 'line'],
    ['multi_line', text === 'lines'],
    ['enabled', enabled],
    ['sensitive', enabled],
    ['expandable', isExpanded !== undefined],
    ['expanded', isExpanded],
    ['focusable', isFocusable],
    ['focused', focused],
    ['multiselectable', traits?.multiSelect],
    ['selectable', isSelected !== undefined],
    ['selected', isSelected],
    ['vertical', ORIENTED.has(kind) && bounds.height > bounds.width],
    ['horizontal', ORIENTED.has(kind) && bounds.height <= bounds.width],
    ['visible', !traits?.hidden],
    ['showing', isShown],
  ]
  return states.filter(([, isSet]) => isSet).map(([name]) => name)
}

const STEPPED = kindsWith('stepped')

function numberAttributes({ valueNow, valueMin, valueMax, traits }: Element, kind: Kind): readonly XmlAttribute[] {
  if (PLATFORM_ROLES[kind].text !== 'number' || valueNow === undefined) return []
  return [
    ['val:value', floatText(valueNow)],
    ['val:min', floatText(valueMin ?? 0)],
    ['val:max', floatText(valueMax ?? 0)],
    ['val:step', floatText(STEPPED.has(kind) ? (traits?.step ?? 1) : 0)],
  ]
}

const spellingOf = (role: string): string => role.toLowerCase().replace(/[ _-]/g, '')

const MENUS = kindsWith('menu')

function tagOf({ element, kind, parent, window }: PlacedElement, desk: AccessibleDesk): string {
  if (desk.namesRoles && element.identifier) return tagFrom(element.identifier)
  if (parent === undefined && kind === 'window' && window.popupOf !== undefined) return 'window'
  if (kind === 'edit' && element.traits?.secret) return PASSWORD_ROLE.linux
  // As programs of GTK do: whatever opens a menu is one.
  if (kind === 'menuitem' && element.children.length > 0) return 'menu'
  const { linux: role, linuxSpellings, linuxInMenu } = PLATFORM_ROLES[kind]
  if (linuxInMenu && parent !== undefined && MENUS.has(parent)) return linuxInMenu
  const spelling = spellingOf(element.role)
  return linuxSpellings && Object.hasOwn(linuxSpellings, spelling) ? linuxSpellings[spelling]! : role
}

/** The label inside of a control whose role agents leave out, with its name and its place. */
function labelInside(placed: PlacedElement, desk: AccessibleDesk): XmlElement | undefined {
  const { element, kind, isShown } = placed
  const isLeftOut = PLATFORM_ROLES[kind].labelled || (kind === 'edit' && element.traits?.secret)
  if (!isLeftOut || !isShown || element.name === '' || desk.namesRoles) return undefined
  const states = ['visible', 'showing', ...(element.enabled ? ['enabled', 'sensitive'] : [])]
  return {
    tag: 'label',
    attributes: [['name', element.name], ...stateAttributes(states), ...placeAttributes(element.bounds)],
    text: element.name,
  }
}
