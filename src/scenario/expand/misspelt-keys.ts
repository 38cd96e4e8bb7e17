import { suggest } from '../../base/text/suggest.ts'
import type { MapNode, Report } from './source-node.ts'

/** The key among `keys` that a key not in `known` misspells. */
export function misspeltKey(key: string, keys: readonly string[], known: readonly string[]): string | undefined {
  if (known.includes(key) || keys.includes(key)) return undefined
  const [meant] = suggest(key, [...known, ...keys])
  return meant !== undefined && keys.includes(meant) ? meant : undefined
}

/**
 * A map whose misspelt keys of composition are replaced by the keys that they mean, and reported. Otherwise each part
 * that depends on such a key, such as every `use` of a component, would be reported instead.
 */
export function withSpeltKeys(
  map: MapNode,
  keys: readonly string[],
  known: readonly string[],
  report: Report,
): MapNode {
  const entries = [...map.entries].map(([key, entry]) => {
    const meant = misspeltKey(key, keys, known)
    if (meant === undefined || map.entries.has(meant)) return [key, entry] as const
    report(entry.keyPlace, `unknown key ${JSON.stringify(key)}; did you mean ${JSON.stringify(meant)}?`, true)
    return [meant, entry] as const
  })
  return entries.every(([key]) => map.entries.has(key)) ? map : { ...map, entries: new Map(entries) }
}
