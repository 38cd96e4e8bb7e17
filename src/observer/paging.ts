import { Fault } from '../base/fault.ts'
import { NOWHERE } from '../desktop/geometry.ts'
import { markTree, type WireElement } from './wire.ts'

export interface Page {
  readonly tree: WireElement | null
  readonly nextCursor: string | null
}

/**
 * A tree in pages of at most `maxNodes` elements, in pre-order. What fits into one page keeps its shape; otherwise a
 * page is a list below a root of its own. The cursor knows the tree it was made for: a changed tree is `SnapshotExpired`.
 */
export function openPage(
  tree: WireElement,
  hash: string,
  { maxNodes, cursor }: { maxNodes: number | undefined; cursor: string | undefined },
): Page {
  if (maxNodes === undefined && cursor === undefined) return { tree, nextCursor: null }
  const nodes = [...flatten(tree)]
  const from = cursor === undefined ? 0 : positionOf(cursor, hash)
  const until = Math.min(nodes.length, from + (maxNodes ?? nodes.length))
  if (from === 0 && until === nodes.length) return { tree, nextCursor: null }
  return {
    tree: markTree({
      id: 'page-root',
      name: '[paged]',
      role: 'Group',
      value: null,
      bounds: NOWHERE,
      enabled: true,
      focused: false,
      keyboard_shortcut: null,
      description: null,
      children: nodes.slice(from, until).map((node) => ({ ...node, children: [], child_count: node.children.length })),
    }),
    nextCursor: until < nodes.length ? cursorAt(until, hash) : null,
  }
}

const cursorAt = (position: number, hash: string): string => `pc:${hash.slice(-12)}:${position}`

function positionOf(cursor: string, hash: string): number {
  const [kind, made, digits = '', ...rest] = cursor.split(':')
  const position = Number(digits)
  if (kind !== 'pc' || rest.length > 0 || digits === '' || !Number.isInteger(position) || position < 0)
    throw new Fault('BadRequest', 'page_cursor: use the next_cursor of an earlier answer', { field: 'page_cursor' })
  if (made !== hash.slice(-12))
    throw new Fault('SnapshotExpired', 'the tree has changed since the first page; start again without page_cursor')
  return position
}

function* flatten(tree: WireElement): Generator<WireElement> {
  yield tree
  for (const child of tree.children) yield* flatten(child)
}
