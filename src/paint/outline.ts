import type { Element } from '../desktop/model/element.ts'
import { type RoleKind, roleKind, roleRowOf, rowOfKind } from '../desktop/model/role.ts'
import { revealedIds } from '../desktop/visible-bounds.ts'
import { oneLine } from './describe.ts'

const MAX_VALUE_LENGTH = 500
/** The replacement for a secret value, as in trees. */
const FILLED = '<filled>'

/**
 * A tree as an indented list, like ARIA snapshots: role, name, id and state of each element on a line, then its value.
 * It takes about a quarter of the tokens of the tree as JSON, and every id in it can be used in actions.
 */
export function outlineOf(tree: Element): string {
  const lines: string[] = []
  addLines(tree, '', lines)
  return lines.join('\n')
}

function addLines(element: Element, indent: string, lines: string[]): void {
  const value = shownValue(element)
  const parts = [
    oneLine(element.role),
    ...(element.name === '' ? [] : [JSON.stringify(oneLine(element.name))]),
    `[id=${oneLine(element.id)}]`,
    ...stateOf(element),
  ]
  lines.push(`${indent}- ${parts.join(' ')}${value === '' ? '' : `: ${value}`}`)
  for (const child of element.children) addLines(child, `${indent}  `, lines)
}

const stateOf = ({ enabled, focused, selected, expanded }: Element): readonly string[] => [
  ...(enabled ? [] : ['[disabled]']),
  ...(focused ? ['[focused]'] : []),
  ...(selected ? ['[selected]'] : []),
  ...(expanded === undefined ? [] : [expanded ? '[expanded]' : '[collapsed]']),
]

function shownValue({ value, valueNow, valueMax, traits }: Element): string {
  if (value === null || value === '')
    return valueNow === undefined ? '' : `${valueNow}${valueMax === undefined ? '' : ` of ${valueMax}`}`
  if (traits?.secret) return FILLED
  const characters = Array.from(value.slice(0, 2 * MAX_VALUE_LENGTH + 2))
  return JSON.stringify(
    characters.length > MAX_VALUE_LENGTH ? `${characters.slice(0, MAX_VALUE_LENGTH - 1).join('')}…` : value,
  )
}

/** The role of an element as outlines with refs name it, the same on every platform. */
function outlineRole({ role }: Element, isCell: boolean): string {
  const kind = roleKind(role)
  if (isCell) return rowOfKind('cell').aria
  if (kind === 'text' && role.toLowerCase() === 'heading') return 'heading'
  return kind === 'other' ? oneLine(role).toLowerCase() : rowOfKind(kind).aria
}

/** Returns the ref of an element, such as `e5`. */
export type RefOf = (element: Element) => string

/**
 * A tree as an indented list for agents that act by ref: `- button "Save" [ref=e5]`. It has what is on the screen or can be
 * scrolled there. Whatever can be acted on has a ref. Containers without a name, names and parts that repeat others, and
 * scrollbars that say nothing are left out. It takes about a sixth of the tree as JSON.
 */
export function refOutlineOf(tree: Element, refOf: RefOf): string {
  const lines: string[] = []
  addRefLines(tree, '', { revealed: revealedIds(tree), refOf, lines, within: '', isInRow: false })
  return lines.join('\n')
}

interface RefOutline {
  readonly revealed: ReadonlySet<string>
  readonly refOf: RefOf
  readonly lines: string[]
  /** The name of the nearest element above that has a line. */
  readonly within: string
  /** Whether the element is directly in a row of a table. */
  readonly isInRow: boolean
}

function addRefLines(element: Element, indent: string, outline: RefOutline): void {
  const { revealed, refOf, lines, within, isInRow } = outline
  if (!revealed.has(element.id)) return
  const kind = roleKind(element.role)
  // Platforms whose tables have no cells have texts instead.
  const isCell = isInRow && kind === 'text'
  const isShown = isCell || (hasLine(element) && !isRepetition(element, within))
  if (isShown) {
    const value = element.value === element.name ? '' : shownValue(element)
    const isSaidBelow = isNamedByCells(element) && element.children.every(({ id }) => revealed.has(id))
    const parts = [
      outlineRole(element, isCell),
      ...(element.name === '' || isSaidBelow ? [] : [JSON.stringify(oneLine(element.name))]),
      ...checkedOf(element),
      ...(isCell || canActOn(element) ? [`[ref=${refOf(element)}]`] : []),
    ]
    lines.push(`${indent}- ${parts.join(' ')}${value === '' ? '' : `: ${value}`}`)
  }
  const below = { ...outline, within: isShown ? element.name : within, isInRow: kind === 'row' }
  for (const child of element.children) addRefLines(child, isShown ? `${indent}  ` : indent, below)
}

/** Whether an element says anything: separators and containers without a name, and parts of containers without a value, do not. */
function hasLine(element: Element): boolean {
  const kind = roleKind(element.role)
  if (element.name !== '' && kind !== 'header' && kind !== 'scrollbar') return true
  return kind !== 'separator' && (shownValue(element) !== '' || canActOn(element))
}

/** Whether the name of a row is the texts of its cells, one after the other. */
export function isNamedByCells({ role, name, children }: Element): boolean {
  const texts = roleKind(role) === 'row' ? children.flatMap(({ value }) => value || []) : []
  return texts.length > 1 && name === texts.join(', ')
}

/** Whether an element gets a ref: a control, an item or something that scrolls, and what has a role of its own. */
export function canActOn({ role, name }: Element): boolean {
  const { focus, purpose, is } = roleRowOf(role)
  if (purpose === 'scrolls or resizes others') return roleKind(role) === 'splitter'
  if (NAMED_ONLY.has(roleKind(role))) return name !== ''
  return focus !== 'never' || is.includes('pressed') || is.includes('scrolls')
}

/** Kinds that get a ref if they have a name. */
const NAMED_ONLY: ReadonlySet<RoleKind> = new Set(['other', 'image', 'scrollarea'])

/** Whether a text or a picture only repeats the name of what it is in. */
const isRepetition = (element: Element, within: string): boolean =>
  roleRowOf(element.role).purpose === 'display only' && element.name !== '' && element.name === within

/** The states of an element; a control that is ticked or switched is checked instead of selected. */
function checkedOf(element: Element): readonly string[] {
  const { is } = roleRowOf(element.role)
  if (!is.includes('ticked') && !is.includes('switch')) return stateOf(element)
  return stateOf(element).map((state) => (state === '[selected]' ? '[checked]' : state))
}
