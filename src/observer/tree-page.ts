import { createHash } from 'node:crypto'
import { Fault } from '../base/fault.ts'
import { createMatchBudget, type MatchBudget, type Pattern } from '../base/pattern.ts'
import { EMPTY_RECT } from '../desktop/model/geometry.ts'
import { kindOf, kindsWith } from '../desktop/model/role.ts'
import { markWireTree, type WireElement } from './wire.ts'

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

export interface Page {
  readonly tree: WireElement | null
  readonly nextCursor: string | null
}

/**
 * Returns a page of at most `maxNodes` elements in document order, as a list below a root of its own. A tree that fits into
 * one page keeps its shape. Throws `SnapshotExpired` when the cursor belongs to another tree or selection of elements.
 */
export function pageOf(
  tree: WireElement,
  hash: string,
  { maxNodes, cursor }: { maxNodes: number | undefined; cursor: string | undefined },
): Page {
  if (maxNodes === undefined && cursor === undefined) return { tree, nextCursor: null }
  const nodes = [...flatten(tree)]
  const mark = markOf(nodes, hash)
  const from = cursor === undefined ? 0 : positionOf(cursor, mark)
  const until = Math.min(nodes.length, from + (maxNodes ?? nodes.length))
  if (from === 0 && until === nodes.length) return { tree, nextCursor: null }
  return {
    tree: markWireTree({
      id: 'page-root',
      name: '[paged]',
      role: 'Group',
      value: null,
      bounds: EMPTY_RECT,
      enabled: true,
      focused: false,
      keyboard_shortcut: null,
      description: null,
      children: nodes
        .slice(from, until)
        .map((node) => ({ ...node, children: [], child_count: node.child_count ?? node.children.length })),
    }),
    nextCursor: until < nodes.length ? `pc:${mark}:${until}` : null,
  }
}

/** Identifies the tree and the selection of its elements, since visibility changes without the tree. */
function markOf(nodes: readonly WireElement[], hash: string): string {
  const mark = createHash('sha1').update(hash)
  for (const { id } of nodes) mark.update(`\0${id}`)
  return mark.digest('hex').slice(0, 12)
}

function positionOf(cursor: string, mark: string): number {
  const [kind, named, digits = '', ...rest] = cursor.split(':')
  const position = Number(digits)
  if (kind !== 'pc' || rest.length > 0 || digits === '' || !Number.isInteger(position) || position < 0)
    throw new Fault('BadRequest', 'page_cursor: use the next_cursor of an earlier result', { field: 'page_cursor' })
  if (named !== mark)
    throw new Fault(
      'SnapshotExpired',
      'the elements have changed since the first page; start again without page_cursor',
    )
  return position
}

function* flatten(tree: WireElement): Generator<WireElement> {
  yield tree
  for (const child of tree.children) yield* flatten(child)
}
