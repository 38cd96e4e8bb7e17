import type { Point } from '../../desktop/model/geometry.ts'
import type { AuthoredScenario } from '../scenario-file.ts'
import type { AuthoredElement } from '../schema/element.ts'
import { windowsOf } from '../visit.ts'

/** A plain object. */
export type PlainObject = Readonly<Record<string, unknown>>

export const isPlainObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Rewrites the values below a value. `rewrite` returns the new value of a key, or undefined to look inside it. Unchanged
 * parts keep their identity.
 */
export function rewriteJson<T>(value: T, rewrite: (key: string, value: unknown, owner: PlainObject) => unknown): T {
  return rewriteBelow(value, rewrite) as T
}

function rewriteBelow(value: unknown, rewrite: Parameters<typeof rewriteJson>[1]): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => rewriteBelow(item, rewrite))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (!isPlainObject(value)) return value
  let changed: Record<string, unknown> | undefined
  for (const [key, part] of Object.entries(value)) {
    const next = rewrite(key, part, value) ?? rewriteBelow(part, rewrite)
    if (next === part) continue
    changed ??= { ...value }
    changed[key] = next
  }
  return changed ?? value
}

/** Changes the trees of all windows: those of the states, and those that effects open by name. */
export function mapTrees(
  authored: AuthoredScenario,
  change: (tree: AuthoredElement) => AuthoredElement,
): AuthoredScenario {
  const changed = <T extends { tree?: AuthoredElement | undefined }>(window: T): T =>
    window.tree ? { ...window, tree: change(window.tree) } : window
  const states = Object.fromEntries(
    Object.entries(authored.states).map(([name, state]) => [
      name,
      state && { ...state, windows: windowsOf(state).map(changed) },
    ]),
  )
  return { ...authored, states, ...(authored.windows && { windows: authored.windows.map(changed) }) }
}

/** The trees of all windows: those of the states, and those that effects open by name. */
export const treesOf = (authored: AuthoredScenario): readonly AuthoredElement[] =>
  [...Object.values(authored.states).flatMap((state) => windowsOf(state)), ...(authored.windows ?? [])].flatMap(
    ({ tree }) => tree ?? [],
  )

/** The pairs of keys that tools have for a point. */
const POINT_KEYS = [
  ['x', 'y'],
  ['from_x', 'from_y'],
  ['to_x', 'to_y'],
  ['x1', 'y1'],
  ['x2', 'y2'],
] as const

/** Moves the points at which solutions and obedient agents act. */
export function movePoints(authored: AuthoredScenario, move: (point: Point) => Point): AuthoredScenario {
  const { solution, solutions, obedience } = authored
  const moved = <T>(part: T): T =>
    rewriteJson(part, (key, value) => (key === 'with' && isPlainObject(value) ? within(value, move) : undefined))
  return {
    ...authored,
    ...(solution && { solution: moved(solution) }),
    ...(solutions && { solutions: moved(solutions) }),
    ...(obedience && { obedience: moved(obedience) }),
  }
}

function within(args: PlainObject, move: (point: Point) => Point): PlainObject | undefined {
  let changed: PlainObject | undefined
  for (const [across, down] of POINT_KEYS) {
    const { [across]: x, [down]: y } = args
    if (typeof x !== 'number' || typeof y !== 'number') continue
    const moved = move({ x, y })
    changed = { ...args, ...changed, [across]: moved.x, [down]: moved.y }
  }
  return changed
}
