import { type Element, shaped } from '../../../desktop/model/element.ts'
import type { NativeNode, NativeSource } from './native-node.ts'

const MAX_ELEMENT_IDS = 100_000

/** The elements of one window, which keep their ids from one reading to the next. */
export interface WindowElementIds {
  /** The id of a key: `root`, or `w2-e17` in the order in which keys first appear. */
  idOf(key: string): string
}

/** Creates the ids of the window with a number, which is a part of them. */
export function createWindowElementIds(windowNumber: number): WindowElementIds {
  let ids = new Map<string, string>()
  let last = 0
  return {
    idOf(key) {
      if (key === 'root') return 'root'
      const known = ids.get(key)
      if (known) return known
      if (ids.size >= MAX_ELEMENT_IDS) ids = new Map()
      const id = `w${windowNumber}-e${++last}`
      ids.set(key, id)
      return id
    },
  }
}

/** A tree as clients see it, and what the system knows each of its elements as. */
export interface NativeTree {
  readonly tree: Element
  readonly sources: ReadonlyMap<string, NativeSource>
}

/** Converts nodes to elements. At most one is focused: the innermost. */
export function toNativeTree(root: NativeNode, { idOf }: WindowElementIds): NativeTree {
  const sources = new Map<string, NativeSource>()
  const focused = innermostFocused(root)
  const convert = (node: NativeNode): Element => {
    const id = idOf(node.key)
    sources.set(id, node.source)
    return shaped({
      id,
      role: node.role,
      name: node.name,
      value: node.value ?? null,
      bounds: node.bounds,
      enabled: node.enabled !== false,
      focused: node === focused,
      keyboardShortcut: node.keyboardShortcut ?? null,
      description: node.description ?? null,
      children: node.children.map(convert),
      ...(node.identifier !== undefined && { identifier: node.identifier }),
      ...(node.selected !== undefined && { selected: node.selected }),
      ...(node.expanded !== undefined && { expanded: node.expanded }),
      ...(node.valueNow !== undefined && { valueNow: node.valueNow }),
      ...(node.valueMin !== undefined && { valueMin: node.valueMin }),
      ...(node.valueMax !== undefined && { valueMax: node.valueMax }),
      ...(node.traits && { traits: node.traits }),
    })
  }
  return { tree: convert(root), sources }
}

function innermostFocused(node: NativeNode): NativeNode | undefined {
  for (const child of node.children) {
    const found = innermostFocused(child)
    if (found) return found
  }
  return node.focused ? node : undefined
}
