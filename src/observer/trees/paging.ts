import { createHash } from 'node:crypto'
import { Fault } from '../../base/fault.ts'
import { EMPTY_RECT } from '../../desktop/model/geometry.ts'
import { markWireTree, type WireElement } from '../wire/element.ts'

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
