import { suggest } from '../../base/strings.ts'
import type { MapNode, Report } from '../source/source-node.ts'

/** The key among `keys` that a key not in `known` misspells. */
export function misspeltKey(key: string, keys: readonly string[], known: readonly string[]): string | undefined {
  if (known.includes(key) || keys.includes(key)) return undefined
  const [meant] = suggest(key, [...known, ...keys])
  return meant !== undefined && keys.includes(meant) ? meant : undefined
}

/** The maps that have no misspelt key, by the list of keys that were looked for. The seeds of a file share its maps. */
const spelt = new WeakMap<readonly string[], WeakSet<MapNode>>()

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
  const fine = spelt.get(keys) ?? new WeakSet()
  if (fine.has(map)) return map
  spelt.set(keys, fine)
  let isFine = true
  const entries = [...map.entries].map(([key, entry]) => {
    const meant = misspeltKey(key, keys, known)
    if (meant === undefined || map.entries.has(meant)) return [key, entry] as const
    isFine = false
    report(entry.keyPlace, `unknown key ${JSON.stringify(key)}; did you mean ${JSON.stringify(meant)}?`, true)
    return [meant, entry] as const
  })
  if (isFine) fine.add(map)
  return isFine ? map : { ...map, entries: new Map(entries) }
}
