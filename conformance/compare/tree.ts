import { createHash } from 'node:crypto'
import type { Bounds, Node } from '../observer/shapes.ts'

/** A tree in pre-order, each node with its parent. */
export interface Placed {
  readonly node: Node
  readonly parent: Placed | undefined
  /** Child indexes from the root. */
  readonly path: readonly number[]
}

export function place(root: Node): readonly Placed[] {
  const all: Placed[] = []
  const client = (node: Node, parent: Placed | undefined, path: readonly number[]) => {
    const placed = { node, parent, path }
    all.push(placed)
    node.children.forEach((child, index) => {
      client(child, placed, [...path, index])
    })
  }
  client(root, undefined, [])
  return all
}

export const nodesOf = (root: Node): readonly Node[] => place(root).map(({ node }) => node)

/** The place among siblings of the same role, from 0; the root has 0. */
export const roleIndex = ({ node, parent }: Placed): number =>
  parent ? parent.node.children.filter((child) => child.role === node.role).indexOf(node) : 0

/** The tree hash as the reference server makes it. */
export function hashTree(root: Node): string {
  const sum = createHash('sha1')
  for (const node of nodesOf(root)) {
    const { x, y, width, height } = node.bounds
    const parts = [
      node.role,
      node.name,
      node.value ?? '',
      `${x},${y},${width},${height}`,
      node.enabled ? 'E' : 'D',
      String(node.children.length),
    ]
    for (const part of parts) sum.update(`${part}\0`)
  }
  return `sha1:${sum.digest('hex')}`
}

export const center = ({ x, y, width, height }: Bounds): { readonly x: number; readonly y: number } => ({
  x: x + Math.floor(width / 2),
  y: y + Math.floor(height / 2),
})

export const isEmpty = ({ width, height }: Bounds): boolean => width <= 0 || height <= 0

export const inside = (outer: Bounds, inner: Bounds): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height

export const overlap = (one: Bounds, other: Bounds): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height

/** The documented fields of a tree, so that trees from different answers can be compared whole. */
export const withoutHashes = (node: Node): Node => ({
  id: node.id,
  name: node.name,
  role: node.role,
  value: node.value,
  bounds: node.bounds,
  enabled: node.enabled,
  focused: node.focused,
  keyboard_shortcut: node.keyboard_shortcut,
  description: node.description,
  children: node.children.map(withoutHashes),
})
