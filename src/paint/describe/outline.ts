import type { Element } from '../../desktop/model/element.ts'
import { oneLine } from './line.ts'

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
