import { createHash } from 'node:crypto'
import jsonPatch from 'fast-json-patch'
import { fail, parseAs } from '../probe/failure.ts'
import { type CustomChange, Node } from './shapes.ts'

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

/** The old tree after a JSON Patch, applied by a library that no server here wrote. */
export function applyPatch(tree: Node, changes: readonly unknown[]): Node {
  const copy = structuredClone(tree)
  try {
    return parseAs(Node, jsonPatch.applyPatch(copy, changes as never, true).newDocument, 'the patched tree')
  } catch (error) {
    if (error instanceof Error && error.name === 'AssertionError') throw error
    fail(`the JSON Patch does not apply: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`, {
      actual: changes,
    })
  }
}

/** The old tree after custom changes, each path read in the tree as changed so far. */
export function changed(tree: Node, changes: readonly CustomChange[]): Node {
  let root = copyOf(tree)
  for (const change of changes) {
    switch (change.op) {
      case 'replace':
        Object.assign(at(root, change.path), structuredClone(change.fields))
        break
      case 'remove':
        take(root, change.path)
        break
      case 'add':
        if (change.path === '') root = copyOf(change.node)
        else put(root, change.path, copyOf(change.node))
        break
      case 'move':
        put(root, change.to, take(root, change.from))
        break
    }
  }
  return parseAs(Node, root, 'the changed tree')
}

type Mutable = Record<string, unknown> & { children: Mutable[] }

const copyOf = (node: Node): Mutable => structuredClone(node) as unknown as Mutable

const steps = (path: string): number[] => (path === '' ? [] : path.split('/').map(Number))

function at(root: Mutable, path: string): Mutable {
  let node = root
  for (const index of steps(path)) node = node.children[index] ?? fail(`a change names ${path}, which does not exist`)
  return node
}

/** The children that hold the last step of a path, and that step. */
function siblings(root: Mutable, path: string): [Mutable[], number] {
  const way = steps(path)
  const last = way.pop() ?? fail('a change removes or moves the root')
  return [at(root, way.join('/')).children, last]
}

function take(root: Mutable, path: string): Mutable {
  const [children, index] = siblings(root, path)
  return children.splice(index, 1)[0] ?? fail(`a change removes ${path}, which does not exist`)
}

function put(root: Mutable, path: string, node: Mutable): void {
  const [children, index] = siblings(root, path)
  if (index > children.length) fail(`a change puts a node at ${path}, behind the end`)
  children.splice(index, 0, node)
}
