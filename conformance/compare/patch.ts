import jsonPatch from 'fast-json-patch'
import { type CustomChange, Node } from '../observer/shapes.ts'
import { fail, parseAs } from '../probe/failure.ts'

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
