import type { WindowInfo } from '../../../adapters/computer.ts'
import { type Element, valueText, walk } from '../../../desktop/model/element.ts'
import { intersect, type Rect } from '../../../desktop/model/geometry.ts'
import { type RoleKind, roleRowOf, rolesWhere, rolesWith } from '../../../desktop/model/role.ts'
import { stripControls } from '../../../observer/wire.ts'
import { floatText } from '../python/value.ts'
import { PASSWORD_ROLE, PLATFORM_ROLES } from './roles.ts'

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
  readonly kind: RoleKind
  /** The kind of its parent. Undefined for the root of a window. */
  readonly parent: RoleKind | undefined
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
const SELECTABLE = new Set([...rolesWhere(({ item }) => item !== 'none'), 'tab', 'day'])
const EDITABLE = new Set([...rolesWhere(({ text }) => text !== 'none'), 'spinner', 'date'])

function statesOf({ element, kind }: PlacedElement): ElementStates {
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
function elementText({ element }: PlacedElement, source: 'value' | 'name' | 'number' | 'none'): string {
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
const shownName = ({ element, kind, parent, window }: PlacedElement): string =>
  parent === undefined && roleRowOf(kind).container === 'window' && window.title !== '' ? window.title : element.name

/** An element of XML. */
interface XmlElement {
  readonly tag: string
  readonly attributes: readonly XmlAttribute[]
  readonly text?: string
}

type XmlAttribute = readonly [name: string, value: string]

/** Builds a document from start to end. Texts and values may hold anything; tags and names of attributes are valid XML. */
export class XmlWriter {
  #parts: string[] = []
  #isOpen = false

  open({ tag, attributes, text }: XmlElement): void {
    this.#closeStart()
    let start = `<${tag}`
    for (const [name, value] of attributes) start += ` ${name}="${escapedAttribute(value)}"`
    this.#parts.push(start)
    this.#isOpen = true
    if (text === undefined || text === '') return
    this.#closeStart()
    this.#parts.push(escapedText(text))
  }

  close(tag: string): void {
    this.#parts.push(this.#isOpen ? '/>' : `</${tag}>`)
    this.#isOpen = false
  }

  /** The document. */
  end(): string {
    return this.#parts.join('')
  }

  #closeStart(): void {
    if (this.#isOpen) this.#parts.push('>')
    this.#isOpen = false
  }
}

/** Lone surrogates, what is no character in XML, and the two that stand for objects and unreadable characters. */
const REMOVED = /[\ufffc-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const clean = (text: string): string => stripControls(text).replace(REMOVED, '')

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

const escapedAttribute = (value: string): string => clean(value).replace(/[&<>"\t\n\r]/g, (found) => ESCAPES[found]!)

const escapedText = (text: string): string => clean(text).replace(/[&<>\r]/g, (found) => ESCAPES[found]!)

/** A tag from words: dashes for blanks, and `unknown` for what is not the name of an element. */
function tagFrom(words: string): string {
  const tag = words.trim().toLowerCase().replace(/\s+/g, '-')
  return /^[a-z_][a-z0-9_-]*$/.test(tag) && !tag.startsWith('xml') ? tag : 'unknown'
}

/** How the XML of one platform is written. */
export interface Dialect {
  readonly root: string
  /** Namespace prefixes, each with the end of its address. */
  readonly prefixes: Readonly<Record<string, string>>
  /** Part of the addresses of namespaces. */
  readonly platform: 'ubuntu' | 'windows' | 'macos'
  /** The element around the windows of a program, if there is one. */
  readonly application: ((windows: readonly DeskWindow[], desk: AccessibleDesk) => XmlElement) | undefined
  /** The element of a window that has no tree, or one whose root is not a window. */
  readonly window: (info: WindowInfo) => XmlElement
  /** An element of a tree, without its children. Undefined leaves out the element and what is inside. */
  readonly element: (placed: PlacedElement, desk: AccessibleDesk) => XmlElement | undefined
  /** An element to add inside of an element without children. */
  readonly inside?: (placed: PlacedElement, desk: AccessibleDesk) => XmlElement | undefined
}

/** The prefixes of Linux, all of which Windows has too. */
const COMMON_PREFIXES = {
  st: 'state',
  attr: 'attributes',
  cp: 'component',
  doc: 'document',
  docattr: 'document/attributes',
  txt: 'text',
  val: 'value',
  act: 'action',
} as const

/** A position and a size, as tuples of Python. Agents evaluate the text. */
const placeAttributes = ({ x, y, width, height }: Rect): readonly XmlAttribute[] => [
  ['cp:screencoord', pair(x, y)],
  ['cp:size', pair(width, height)],
]

/** `Math.round(-0.4)` is -0, which a template writes as 0. */
const pair = (first: number, second: number): string => `(${Math.round(first)}, ${Math.round(second)})`

/** AT-SPI, as programs of Linux report it. States stand only where they are set. */
export const linux: Dialect = {
  root: 'desktop-frame',
  platform: 'ubuntu',
  prefixes: COMMON_PREFIXES,
  application: (windows, desk) => ({
    tag: 'application',
    attributes: [['name', applicationName(windows, desk)], ...linuxStates(['enabled', 'sensitive', 'visible'])],
  }),
  window: (info) => ({
    tag: info.popupOf === undefined ? 'frame' : 'window',
    attributes: [
      ['name', info.title],
      ...linuxStates(['enabled', 'sensitive', 'visible', 'showing', ...activeState(info)]),
      ...placeAttributes(info.bounds),
    ],
  }),
  element: linuxElement,
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

function linuxElement(placed: PlacedElement, desk: AccessibleDesk): XmlElement {
  const { element, kind, isShown } = placed
  const { text, action, selects } = PLATFORM_ROLES[kind]
  const name = shownName(placed)
  return {
    tag: tagOf(placed, desk),
    attributes: [
      ['name', name],
      ...linuxStates(stateNames(placed)),
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

const linuxStates = (names: readonly string[]): readonly XmlAttribute[] => names.map((name) => [`st:${name}`, 'true'])

const activeState = ({ focused }: WindowInfo): readonly string[] => (focused ? ['active'] : [])

const ORIENTED = rolesWith('oriented')

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

const STEPPED = rolesWith('stepped')

function numberAttributes({ valueNow, valueMin, valueMax, traits }: Element, kind: RoleKind): readonly XmlAttribute[] {
  if (PLATFORM_ROLES[kind].text !== 'number' || valueNow === undefined) return []
  return [
    ['val:value', floatText(valueNow)],
    ['val:min', floatText(valueMin ?? 0)],
    ['val:max', floatText(valueMax ?? 0)],
    ['val:step', floatText(STEPPED.has(kind) ? (traits?.step ?? 1) : 0)],
  ]
}

const spellingOf = (role: string): string => role.toLowerCase().replace(/[ _-]/g, '')

const MENUS = rolesWith('menu')

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
    attributes: [['name', element.name], ...linuxStates(states), ...placeAttributes(element.bounds)],
    text: element.name,
  }
}

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
  element: macElement,
}

function macElement(placed: PlacedElement): XmlElement | undefined {
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

/** UI Automation, as pywinauto reports it. Each state is true or false. */
export const windows: Dialect = {
  root: 'desktop',
  platform: 'windows',
  prefixes: { ...COMMON_PREFIXES, class: 'class' },
  application: undefined,
  window: ({ title, bounds }) => ({
    tag: 'window',
    attributes: [
      ['name', title],
      ...windowsStates({ enabled: true, visible: true, minimized: false, maximized: false, normal: true }),
      ...placeAttributes(bounds),
      ...classAttributes('Window'),
    ],
  }),
  element: windowsElement,
}

function windowsElement(placed: PlacedElement): XmlElement {
  const { element, kind, parent, isShown } = placed
  const { windows: usual, text, selects } = PLATFORM_ROLES[kind]
  const className = kind === 'edit' && element.traits?.secret ? PASSWORD_ROLE.windows : usual
  const { isFocusable, isChecked, isSelected, isExpanded, isEditable } = statesOf(placed)
  const content = elementText(placed, text)
  const name = shownName(placed)
  return {
    tag: classTag(className),
    attributes: [
      ['name', name],
      ...windowsStates({
        enabled: element.enabled,
        visible: isShown,
        ...(parent === undefined && { minimized: false, maximized: false, normal: true }),
        ...(isExpanded !== undefined && { collapsed: !isExpanded, expanded: isExpanded }),
        ...(isChecked !== undefined && { checkable: true, checked: isChecked }),
        ...(isSelected !== undefined && { selected: isSelected }),
        ...(isEditable !== undefined && { editable: isEditable }),
        has_keyboard_focus: element.focused,
        is_keyboard_focusable: isFocusable,
      }),
      ...placeAttributes(element.bounds),
      ...(selects || isSelected !== undefined ? [['selection', 'true'] as const] : []),
      ...(text === 'value' || text === 'number' ? valueAttributes(placed) : []),
      ...classAttributes(className),
    ],
    text: content === name ? '' : content,
  }
}

const windowsStates = (states: Readonly<Record<string, boolean>>): readonly XmlAttribute[] =>
  Object.entries(states).map(([name, isSet]) => [`st:${name}`, String(isSet)])

const classAttributes = (name: string): readonly XmlAttribute[] => [['class:class_name', name.toLowerCase()]]

function valueAttributes({ element }: PlacedElement): readonly XmlAttribute[] {
  const value = valueText(element)
  return [
    ...(value === undefined ? [] : [['val:value', value] as const]),
    ...(element.valueMin === undefined ? [] : [['val:min', String(element.valueMin)] as const]),
    ...(element.valueMax === undefined ? [] : [['val:max', String(element.valueMax)] as const]),
  ]
}

/** `#32770`, the class of dialogs, becomes `tag-32770`. */
function classTag(className: string): string {
  const tag = className.toLowerCase().replace(/[^a-z0-9_-]/g, '-')
  return /^[a-z]/.test(tag) ? tag : `tag${tag}`
}
