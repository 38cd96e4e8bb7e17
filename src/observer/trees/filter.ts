import { createMatchBudget, type MatchBudget, type Pattern } from '../../base/pattern/pattern.ts'
import { kindOf, kindsThatAre } from '../../desktop/model/role.ts'
import { markWireTree, type WireElement } from '../wire/element.ts'

export interface Filter {
  readonly roles: readonly string[] | undefined
  readonly excludeRoles: readonly string[] | undefined
  readonly name: Pattern | undefined
  readonly visible: ((element: WireElement) => boolean) | undefined
  readonly maxTextLength: number | undefined
  /** Containers that hold nothing go as well. */
  readonly pruneEmpty: boolean
}

const CONTAINERS = kindsThatAre('grouping')

/**
 * The part of a tree that fits: an element that fails a condition goes unless something below it stays; ancestors of
 * what stays always stay. Without conditions it is the same tree.
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
    return fits(element, filter, work) ? [{ ...element, children }] : []
  })

function fits(element: WireElement, filter: Filter, work: MatchBudget): boolean {
  const { roles, excludeRoles, name, visible, pruneEmpty } = filter
  if (pruneEmpty && !element.name && !element.value && CONTAINERS.has(kindOf(element.role))) return false
  if (excludeRoles?.includes(element.role)) return false
  if (roles && roles.length > 0 && !roles.includes(element.role)) return false
  if (name && !name.search(element.name, work)) return false
  return visible === undefined || visible(element)
}

function shorten(element: WireElement, most: number): WireElement {
  return {
    ...element,
    name: cut(element.name, most),
    value: element.value === null ? null : cut(element.value, most),
    children: element.children.map((child) => shorten(child, most)),
  }
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text
  // A character is one or two units long.
  const characters = [...text.slice(0, 2 * most + 1)]
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : text
}
