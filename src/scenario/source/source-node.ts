import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter } from 'yaml'
import type { DataValue } from '../expression/data-type.ts'
import { isMergeKey, type SourcePlace } from './yaml.ts'

/** A place in a file that is named. */
export type FilePlace = SourcePlace & { readonly file: string }

/** A value of a scenario file, with the place where it is written. */
export type SourceNode = ScalarNode | ListNode | MapNode

export interface ScalarNode {
  readonly kind: 'scalar'
  readonly value: string | number | boolean | null
  readonly place: FilePlace
  /** A text with templates whose values only the running scenario knows. */
  readonly live?: true
  /** A whole number that is written as a decimal number, such as `1.0`. */
  readonly isDecimal?: true
}

export interface ListNode {
  readonly kind: 'list'
  readonly items: readonly SourceNode[]
  readonly place: FilePlace
}

export interface MapNode {
  readonly kind: 'map'
  readonly entries: ReadonlyMap<string, MapEntry>
  readonly place: FilePlace
}

export interface MapEntry {
  readonly keyPlace: FilePlace
  readonly node: SourceNode
}

/** What is wrong with a file, and where. */
export interface SourceProblem {
  readonly place: FilePlace
  readonly message: string
  /** Whether the rest of the file was read as it was probably meant. */
  readonly isRepaired?: boolean
}

/** Reports a problem. */
export type Report = (place: FilePlace, message: string, isRepaired?: boolean) => void

/** The plain value of a node. Nodes that occur twice give the same value twice. */
export const plainValue = (node: SourceNode): DataValue =>
  node.kind === 'scalar' ? node.value : valueOfParts(node, new Map())

function valueOfParts(node: ListNode | MapNode, known: Map<SourceNode, DataValue>): DataValue {
  const found = known.get(node)
  if (found !== undefined) return found
  const partValue = (part: SourceNode) => (part.kind === 'scalar' ? part.value : valueOfParts(part, known))
  const value =
    node.kind === 'list'
      ? node.items.map(partValue)
      : Object.fromEntries([...node.entries].map(([key, entry]) => [key, partValue(entry.node)]))
  known.set(node, value)
  return value
}

/** A node that says a value, at one place for all of its parts. */
export function nodeOf(value: DataValue, place: FilePlace): SourceNode {
  if (typeof value !== 'object' || value === null) return { kind: 'scalar', value, place }
  if (Array.isArray(value)) return { kind: 'list', items: value.map((item) => nodeOf(item, place)), place }
  const entries = Object.entries(value).map(
    ([key, part]) => [key, { keyPlace: place, node: nodeOf(part, place) }] as const,
  )
  return { kind: 'map', entries: new Map(entries), place }
}

export const childOf = (map: MapNode, key: string): SourceNode | undefined => map.entries.get(key)?.node

/** A map without some of its keys; the same map if it has none of them. */
export function withoutKeys(map: MapNode, keys: readonly string[]): MapNode {
  if (!keys.some((key) => map.entries.has(key))) return map
  return { ...map, entries: new Map([...map.entries].filter(([key]) => !keys.includes(key))) }
}

/** A list whose items are changed. The same list if none is. */
export function changeItems(
  list: ListNode,
  change: (item: SourceNode, index: number) => readonly SourceNode[],
): ListNode {
  const items = list.items.flatMap(change)
  const isSame = items.length === list.items.length && items.every((item, index) => item === list.items[index])
  return isSame ? list : { ...list, items }
}

/** A map whose values are changed, or left out where `change` gives none. The same map if none is. */
export function changeEntries(map: MapNode, change: (key: string, entry: MapEntry) => SourceNode | undefined): MapNode {
  const entries = new Map<string, MapEntry>()
  let isSame = true
  for (const [key, entry] of map.entries) {
    const node = change(key, entry)
    if (node !== entry.node) isSame = false
    if (node) entries.set(key, node === entry.node ? entry : { ...entry, node })
  }
  return isSame ? map : { ...map, entries }
}

/** A map with the entries of another over its own. */
export const overlaid = (base: MapNode, over: MapNode): MapNode => ({
  ...base,
  entries: new Map([...base.entries, ...over.entries]),
})

/** The text of a scalar that is one. */
export const nodeText = (node: SourceNode | undefined): string | undefined =>
  node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined

/** Where the value of a path is written: the nearest written node above it when it is missing. */
export function placeAt(root: SourceNode, path: readonly (string | number)[], part: 'key' | 'value'): FilePlace {
  let node = root
  let key = root.place
  for (const step of path) {
    const entry = node.kind === 'map' ? node.entries.get(String(step)) : undefined
    const next = entry?.node ?? (node.kind === 'list' ? node.items[Number(step)] : undefined)
    if (!next) return node.place
    key = entry?.keyPlace ?? next.place
    node = next
  }
  return part === 'key' ? key : node.place
}

/** The nodes of a YAML document, with aliases and merges resolved. The document was checked: it has no cycles. */
export function nodesFromYaml(document: Document, lines: LineCounter, file: string): SourceNode {
  const known = new Map<unknown, SourceNode>()
  const start: FilePlace = { file, line: 1, column: 1, length: 1 }
  return convert(document.contents, start)

  function convert(given: unknown, near: FilePlace): SourceNode {
    const node = isAlias(given) ? given.resolve(document) : given
    const found = known.get(node)
    if (found) return found
    const place = placeOf(node) ?? near
    const made = convertNew(node, place)
    known.set(node, made)
    return made
  }

  function convertNew(node: unknown, place: FilePlace): SourceNode {
    if (isSeq(node)) return { kind: 'list', items: node.items.map((item) => convert(item, place)), place }
    if (isMap(node)) return { kind: 'map', entries: entriesOf(node.items, place), place }
    const value = isScalar(node) ? node.value : null
    const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value)
    const isDecimal = typeof value === 'number' && Number.isInteger(value) && /[.eE]/.test(sourceOf(node))
    return {
      kind: 'scalar',
      value: isPlain ? (value as string | number | boolean | null) : String(value),
      place,
      ...(isDecimal && { isDecimal }),
    }
  }

  function entriesOf(
    pairs: readonly { key: unknown; value: unknown }[],
    place: FilePlace,
  ): ReadonlyMap<string, MapEntry> {
    const entries = new Map<string, MapEntry>()
    for (const { key, value } of pairs) {
      if (!isMergeKey(key)) {
        const name = isScalar(key) ? String(key.value) : String(key)
        const keyPlace = placeOf(key) ?? place
        entries.set(name, { keyPlace, node: convert(value, keyPlace) })
        continue
      }
      const merged = convert(value, place)
      for (const part of merged.kind === 'list' ? merged.items : [merged])
        for (const [name, entry] of part.kind === 'map' ? part.entries : [])
          if (!entries.has(name)) entries.set(name, entry)
    }
    return entries
  }

  function placeOf(node: unknown): FilePlace | undefined {
    const range = typeof node === 'object' && node !== null ? (node as { range?: unknown }).range : undefined
    if (!Array.isArray(range)) return undefined
    const [start, end] = range as [number, number]
    const { line, col } = lines.linePos(start)
    return { file, line, column: col, length: Math.max(1, end - start) }
  }
}

const sourceOf = (node: unknown): string => (isScalar(node) && node.source) || ''
