import { EMPTY_RECT, type Rect } from '../../../desktop/model/geometry.ts'
import type { NativeNode } from './native-node.ts'
import type { UiaNode, UiaProperties } from './uia-client.ts'

/** The observer's roles of the control types of UI Automation, from 50000 on. */
const ROLES: readonly string[] = [
  ...['Button', 'Calendar', 'CheckBox', 'ComboBox', 'Edit', 'Link', 'Image', 'ListItem', 'List', 'Menu', 'MenuBar'],
  ...[
    'MenuItem',
    'ProgressBar',
    'RadioButton',
    'ScrollBar',
    'Slider',
    'Spinner',
    'StatusBar',
    'Tab',
    'TabItem',
    'Text',
  ],
  ...['ToolBar', 'ToolTip', 'Tree', 'TreeItem', 'Pane', 'Group', 'Thumb', 'DataGrid', 'DataItem', 'Document'],
  ...[
    'SplitButton',
    'Window',
    'Pane',
    'Header',
    'HeaderItem',
    'Table',
    'TitleBar',
    'Separator',
    'ScrollArea',
    'ToolBar',
  ],
]
const FIRST_CONTROL_TYPE = 50_000
const EXPANDED = 1
/** The state of an element that cannot be opened. */
const LEAF = 3
const ON = 1
const MIXED = 2

/** The role of a control type. Passwords are a role of their own. */
export function uiaRole({ controlType = 0, isPassword = false }: UiaProperties): string {
  const role = ROLES[controlType - FIRST_CONTROL_TYPE] ?? 'Pane'
  return role === 'Edit' && isPassword ? 'PasswordEdit' : role
}

/** A cached element of UI Automation as a node. Its key is its runtime id. */
export function uiaNode({ element, properties, children }: UiaNode): NativeNode {
  const { name = '', automationId, className, helpText, acceleratorKey, accessKey } = properties
  const isSecret = properties.isPassword === true
  const keys = acceleratorKey || accessKey
  const identifier = automationId || className
  const hasText = properties.hasValue === true && properties.hasRangeValue !== true
  const traits = {
    ...(isSecret && { secret: true }),
    ...(hasText && properties.isReadOnly && { readOnly: true }),
    ...(properties.toggleState === MIXED && { triState: true }),
  }
  const value = properties.toggleState === MIXED ? 'mixed' : hasText && !isSecret ? properties.value : undefined
  return {
    key: `u${(properties.runtimeId ?? []).join('.')}`,
    role: uiaRole(properties),
    name,
    bounds: boundsIn(properties),
    enabled: properties.isEnabled !== false,
    focused: properties.hasFocus === true,
    source: { is: 'uia', element },
    children: children.map(uiaNode),
    ...(value !== undefined && { value }),
    ...(keys && { keyboardShortcut: keys }),
    ...(helpText && { description: helpText }),
    ...(identifier && { identifier }),
    ...selectionOf(properties),
    ...(properties.hasExpandCollapse &&
      properties.expandState !== LEAF && { expanded: properties.expandState === EXPANDED }),
    ...(properties.hasRangeValue && {
      valueNow: properties.rangeValue ?? 0,
      valueMin: properties.rangeMin ?? 0,
      valueMax: properties.rangeMax ?? 0,
    }),
    ...(Object.keys(traits).length > 0 && { traits }),
  }
}

function selectionOf({ hasToggle, toggleState, hasSelectionItem, isSelected }: UiaProperties) {
  if (hasToggle) return { selected: toggleState === ON }
  return hasSelectionItem ? { selected: isSelected === true } : {}
}

/** Whole pixels. An element out of view may have infinite ones. */
function boundsIn({ bounds }: UiaProperties): Rect {
  const [x = 0, y = 0, width = 0, height = 0] = (bounds ?? []).map(Math.round)
  return [x, y, width, height].every(Number.isSafeInteger) ? { x, y, width, height } : EMPTY_RECT
}
