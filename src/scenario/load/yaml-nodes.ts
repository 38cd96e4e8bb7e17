import { type Document, isAlias, isCollection, isMap, isPair, isScalar, isSeq, type Pair } from 'yaml'

/** A part of a YAML file that parses but has no value, and the reason. */
export interface InvalidNode {
  readonly node: unknown
  readonly message: string
}

/**
 * Finds aliases without an anchor or inside it, merges of values that are not maps, keys that are lists or maps, and
 * aliases nested too deep.
 */
export function checkYaml(document: Document, depthMost: number): readonly InvalidNode[] {
  const found: InvalidNode[] = []
  const named = new Map<string, unknown>()
  const heights = new Map<unknown, number>()
  const open = new Set<unknown>()
  visit(document.contents, 0)
  return found

  /** The number of levels of lists and maps in a node at a depth. */
  function visit(node: unknown, depth: number): number {
    if (isAlias(node)) return visitAlias(node, node.source, depth)
    if ((isScalar(node) || isCollection(node)) && node.anchor) named.set(node.anchor, node)
    if (!isCollection(node)) return 0
    open.add(node)
    let height = 0
    for (const item of node.items) height = Math.max(height, visitItem(item, depth + 1))
    open.delete(node)
    heights.set(node, height + 1)
    return height + 1
  }

  function visitItem(item: unknown, depth: number): number {
    if (!isPair(item)) return visit(item, depth)
    const height = Math.max(visit(item.key, depth), visit(item.value, depth))
    checkPair(item)
    return height
  }

  function visitAlias(node: unknown, name: string, depth: number): number {
    const target = named.get(name)
    const height = heights.get(target) ?? 0
    if (target === undefined) found.push({ node, message: `there is no anchor &${name} before this alias` })
    else if (open.has(target)) found.push({ node, message: `the alias *${name} stands inside what it names` })
    else if (depth + height > depthMost) found.push({ node, message: 'the file is nested too deep' })
    return height
  }

  function checkPair({ key, value }: Pair): void {
    const name = target(key)
    const unquoted = isMap(key) && key.flow ? '; a text with {{ … }} stands in quotes' : ''
    if (isCollection(name))
      found.push({ node: key, message: `expected a name as the key, found ${kindOf(name)}${unquoted}` })
    if (!isMergeKey(key)) return
    const source = target(value)
    const wrong = (isSeq(source) ? source.items : [value]).find((part) => !isMap(target(part)))
    // An alias without an anchor is reported already.
    if (wrong === undefined && (isSeq(source) || isMap(source))) return
    if (isAlias(wrong) && !named.has(wrong.source)) return
    const message = `<< merges maps; expected a map or an alias of one, found ${kindOf(target(wrong))}`
    found.push({ node: isNothing(wrong) ? key : wrong, message })
  }

  function target(node: unknown): unknown {
    return isAlias(node) ? named.get(node.source) : node
  }
}

/** Whether a key is a YAML 1.1 merge key. A quoted `<<` is a normal key. */
export const isMergeKey = (key: unknown): boolean => isScalar(key) && typeof key.value === 'symbol'

const isNothing = (node: unknown): boolean => !node || (isScalar(node) && node.value === null && !node.source)

function kindOf(node: unknown): string {
  if (isMap(node)) return 'a map'
  if (isSeq(node)) return 'a list'
  return isScalar(node) && node.value !== null ? JSON.stringify(node.value) : 'nothing'
}
