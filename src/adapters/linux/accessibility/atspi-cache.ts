import type { Bus, BusMethod } from '../dbus/bus.ts'
import { type AccessibleApp, ATSPI } from './accessibility.ts'
import { patternsOf, truncate } from './node-attributes.ts'
import type { NodeAttributes } from './node-details.ts'
import { MAX_DEPTH, MAX_WHOLE_CHILDREN } from './read-limits.ts'
import { hasState, ROLE } from './roles.ts'

/** An object in the cache of its program. */
export interface CachedNode extends NodeAttributes {
  readonly parent: string
  /** The number of children. Negative when the cache does not know it. */
  readonly count: number
}

/** The cached objects of a program by path. */
export type AtspiCache = ReadonlyMap<string, CachedNode>

type CacheItem = readonly [
  object: readonly [string, string],
  app: readonly [string, string],
  parent: readonly [string, string],
  index: number,
  children: number,
  interfaces: readonly string[],
  name: string,
  role: number,
  description: string,
  states: readonly number[],
]

/** Listing ten thousand objects takes time, but a stopped program must still time out. */
const CACHE_ITEMS: BusMethod = { interface: `${ATSPI}.Cache`, member: 'GetItems', timeoutMs: 1500 }

/** Whether the cached number of children is reliable. GTK 3 omits those of lists and tables. */
export const isCounted = (cached: CachedNode | undefined): cached is CachedNode =>
  cached !== undefined && cached.count >= 0 && !hasState(cached.states, 'managesDescendants')

/**
 * The cached objects below `top`, and `top` itself. Leaves out objects in large containers and in the second menu bar of
 * LibreOffice.
 */
export function pathsBelow(cache: AtspiCache, top: string): readonly string[] {
  const kinds = new Map<string, 'outside' | 'inside' | 'pane'>([[top, 'inside']])
  const kindOf = (path: string, depth: number): 'outside' | 'inside' | 'pane' => {
    const known = kinds.get(path)
    if (known) return known
    const own = cache.get(path)
    const parent = own && cache.get(own.parent)
    const above = parent && depth < MAX_DEPTH ? kindOf(own.parent, depth + 1) : 'outside'
    const isLeftOut = !own || above === 'outside' || (parent && parent.count > MAX_WHOLE_CHILDREN)
    const isTwin = above === 'pane' && own?.role === ROLE.menuBar
    const kind = isLeftOut || isTwin ? 'outside' : own.role === ROLE.rootPane ? 'pane' : above
    kinds.set(path, kind)
    return kind
  }
  return [...cache.keys()].filter((path) => kindOf(path, 0) !== 'outside')
}

/** Requests the cache of a program. Empty when the program has none. */
export async function readAtspiCache(bus: Bus, app: AccessibleApp): Promise<AtspiCache> {
  const items = await bus.tryCall<readonly CacheItem[]>({ bus: app.bus, path: '/org/a11y/atspi/cache' }, CACHE_ITEMS)
  return new Map(
    (items ?? []).map(([[, path], , [, parent], , count, interfaces, name, role, description, states]) => {
      const patterns = patternsOf(interfaces)
      return [path, { role, name: truncate(name), description: truncate(description), states, patterns, parent, count }]
    }),
  )
}
