import type { Element } from '../../../desktop/model/element.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'
import { roleKind, roleRowOf, rowOfKind } from '../../../desktop/model/role.ts'
import { withoutClosed } from '../../../desktop/tree/modal.ts'
import { revealedIds } from '../../../desktop/visible-bounds.ts'
import { isScrollable } from '../../../desktop/widgets/scrolling.ts'
import { stripControls } from '../../../observer/wire.ts'

/** The roles that have a ref whatever they can do. */
const INTERACTIVE: ReadonlySet<string> = new Set(
  'button cell checkbox colorwell combobox dockitem incrementor link listbox menubutton menuitem option radiobutton slider switch tab textfield treeitem'.split(
    ' ',
  ),
)

/** Actions that give no ref to an element that has no other. */
const MINOR: ReadonlySet<string> = new Set(['SetFocus', 'RightClick', 'ScrollTo'])

/** Roles whose name changes with their value. */
export const CHANGING: ReadonlySet<string> = new Set(
  'combobox checkbox incrementor listbox radiobutton slider switch textfield'.split(' '),
)

/** An element as agent-desktop describes it. */
export interface DeskNode {
  readonly element: Element
  readonly windowUid: string
  readonly role: string
  readonly name: string
  readonly value: string
  readonly description: string
  readonly nativeId: string | undefined
  readonly states: readonly string[]
  readonly actions: readonly string[]
  readonly bounds: Rect
  readonly children: readonly DeskNode[]
  /** The roles of the elements above it, and its own. */
  readonly path: string
  /** Its place among the elements of the same path. */
  readonly order: number
}

export const canHaveRef = ({ role, actions }: DeskNode): boolean =>
  INTERACTIVE.has(role) || actions.some((action) => !MINOR.has(action))

/** The nodes of a tree that are neither hidden nor folded away. */
export function deskNodeOf(tree: Element, windowUid: string): DeskNode {
  const root = withoutClosed(tree)
  const revealed = revealedIds(root)
  const counts = new Map<string, number>()
  const convert = (element: Element, above: string): DeskNode => {
    const role = roleOf(element)
    const name = stripControls(element.name)
    const path = `${above}/${role}`
    const order = counts.get(path) ?? 0
    counts.set(path, order + 1)
    return {
      element,
      windowUid,
      role,
      name,
      value: valueText(element),
      description: stripControls(element.description ?? ''),
      nativeId: element.identifier,
      states: statesOf(element, root.bounds),
      actions: actionsOf(element),
      bounds: element.bounds,
      children: element.children.filter(({ id }) => revealed.has(id)).map((child) => convert(child, path)),
      path,
      order,
    }
  }
  return convert(root, '')
}

function roleOf({ role }: Element): string {
  const kind = roleKind(role)
  return kind === 'text' && role.toLowerCase() === 'heading' ? 'heading' : rowOfKind(kind).agentDesktop
}

function valueText({ value, valueNow }: Element): string {
  if (value !== null) return stripControls(value)
  return valueNow === undefined ? '' : String(valueNow)
}

const isChecked = ({ role }: Element): boolean => {
  const { is } = roleRowOf(role)
  return is.includes('ticked') || is.includes('switch')
}

/** The states that a node may have; those after `haspopup` have no counterpart on this desktop. */
export const STATES = [
  'focused',
  'disabled',
  'secure',
  'expanded',
  'checked',
  'selected',
  'indeterminate',
  'readonly',
  'offscreen',
  'haspopup',
  'hidden',
  'busy',
  'modal',
  'required',
  'pressed',
  'invalid',
  'multiselectable',
] as const

type State = (typeof STATES)[number]

function statesOf(element: Element, window: Rect): readonly State[] {
  const { enabled, focused, selected, expanded, value, bounds, role, traits } = element
  const isOffscreen =
    bounds.x >= window.x + window.width ||
    bounds.y >= window.y + window.height ||
    bounds.x + bounds.width <= window.x ||
    bounds.y + bounds.height <= window.y
  const states: readonly (readonly [State, boolean | undefined])[] = [
    ['focused', focused],
    ['disabled', !enabled],
    ['secure', traits?.secret],
    ['expanded', expanded],
    [isChecked(element) ? 'checked' : 'selected', selected],
    ['indeterminate', isChecked(element) && value === 'mixed'],
    ['readonly', traits?.readOnly],
    ['offscreen', isOffscreen],
    ['haspopup', roleKind(role) === 'combo'],
  ]
  return states.flatMap(([state, is]) => (is ? [state] : []))
}

function actionsOf(element: Element): readonly string[] {
  const { role, expanded, traits } = element
  const kind = roleKind(role)
  const { is, focus } = roleRowOf(role)
  return [
    ...(is.includes('pressed') ? ['Click', 'RightClick'] : []),
    ...((is.includes('typed') || is.includes('stepped')) && !traits?.readOnly ? ['SetValue'] : []),
    ...(is.includes('typed') && !traits?.readOnly ? ['TypeText'] : []),
    ...(focus === 'always' ? ['SetFocus'] : []),
    ...(expanded !== undefined || kind === 'combo' ? ['Expand', 'Collapse'] : []),
    ...(is.includes('choice') || kind === 'tab' || is.includes('chooser') ? ['Select'] : []),
    ...(is.includes('ticked') || is.includes('switch') ? ['Toggle', 'Check', 'Uncheck'] : []),
    ...(isScrollable(element) ? ['Scroll', 'ScrollTo'] : []),
  ]
}

/** All nodes, depth first. */
export function* walkNodes(node: DeskNode): Generator<DeskNode> {
  yield node
  for (const child of node.children) yield* walkNodes(child)
}
