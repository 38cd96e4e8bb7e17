import { createMatchBudget, type MatchBudget, type Pattern } from '../../base/pattern.ts'
import { kindOf, kindsWith } from '../../desktop/model/role.ts'
import { markWireTree, type WireElement } from '../wire/element.ts'

export interface Filter {
  readonly roles: readonly string[] | undefined
  readonly excludeRoles: readonly string[] | undefined
  readonly name: Pattern | undefined
  readonly visible: ((element: WireElement) => boolean) | undefined
  readonly maxTextLength: number | undefined
  /** Also removes empty containers. */
  readonly pruneEmpty: boolean
}

const CONTAINERS = kindsWith('grouping')

/**
 * Removes elements that do not match, except ancestors of matching elements. Without conditions it returns the same tree.
 */
export function filterTree(tree: WireElement, filter: Filter): WireElement {
  const { maxTextLength } = filter
  const chosen = hasConditions(filter)
    ? { ...tree, children: keepAll(tree.children, filter, createMatchBudget()) }
    : tree
  const shortened = maxTextLength === undefined ? chosen : shorten(chosen, maxTextLength)
  return shortened === tree ? tree : markWireTree(shortened)
}

const hasConditions = ({ roles, excludeRoles, name, visible, pruneEmpty }: Filter): boolean =>
  Boolean(roles?.length || excludeRoles?.length || name || visible || pruneEmpty)

const keepAll = (elements: readonly WireElement[], filter: Filter, work: MatchBudget): readonly WireElement[] =>
  elements.flatMap((element) => {
    const children = keepAll(element.children, filter, work)
    if (children.length > 0) return [{ ...element, children }]
    return matches(element, filter, work) ? [{ ...element, children }] : []
  })

function matches(element: WireElement, filter: Filter, work: MatchBudget): boolean {
  const { roles, excludeRoles, name, visible, pruneEmpty } = filter
  if (pruneEmpty && !element.name && !element.value && CONTAINERS.has(kindOf(element.role))) return false
  if (excludeRoles?.includes(element.role)) return false
  if (roles && roles.length > 0 && !roles.includes(element.role)) return false
  if (name && !name.search(element.name, work)) return false
  return visible === undefined || visible(element)
}

function shorten(element: WireElement, maxLength: number): WireElement {
  return {
    ...element,
    name: cut(element.name, maxLength),
    value: element.value === null ? null : cut(element.value, maxLength),
    children: element.children.map((child) => shorten(child, maxLength)),
  }
}

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  // A character has one or two UTF-16 units.
  const characters = [...text.slice(0, 2 * maxLength + 1)]
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join('')}…` : text
}
