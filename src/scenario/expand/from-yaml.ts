import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter } from 'yaml'
import { isMergeKey } from '../load/yaml-nodes.ts'
import type { FilePlace, MapEntry, SourceNode } from './source-node.ts'

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
