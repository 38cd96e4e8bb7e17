import type { UnlocatedProblem } from '../source/problem.ts'
import type { KeyPath } from '../source/source.ts'

/** Keys whose values other parts of a file refer to. Without one, references to it would be reported as wrong. */
const REFERRED: ReadonlySet<string | number> = new Set(
  'id uid name states windows tree children append rows files folder use with repeat'.split(' '),
)

/** A value with the obvious repairs, and where its parts are written. */
export interface RepairedValue {
  readonly value: unknown
  /** The path in the file of a path in the repaired value. */
  originalPath(path: KeyPath): KeyPath
}

interface Renamed {
  readonly above: KeyPath
  readonly from: string
  readonly to: string
}

/**
 * Corrects misspelt keys and leaves out wrong values, so that the references in the rest of a file can be checked too.
 * Returns undefined when a problem has no obvious repair.
 */
export function repairValue(
  { value, originalPath }: RepairedValue,
  problems: readonly UnlocatedProblem[],
): RepairedValue | undefined {
  const repaired = structuredClone(value)
  const renamed: Renamed[] = []
  // Inner problems first: their paths are those of the file.
  for (const problem of [...problems].sort((a, b) => b.path.length - a.path.length)) {
    const above = problem.path.slice(0, -1)
    const key = problem.path.at(-1)
    const parent = above.reduce<unknown>((part, step) => (part as Record<string, unknown>)?.[step], repaired)
    if (typeof key !== 'string' || typeof parent !== 'object' || parent === null) return undefined
    if (!repairKey(parent as Record<string, unknown>, key, problem)) return undefined
    if (problem.key && problem.meant !== undefined) renamed.push({ above, from: key, to: problem.meant })
  }
  return { value: repaired, originalPath: (path) => originalPath(renamed.reduce(withOriginalKey, path)) }
}

function repairKey(parent: Record<string, unknown>, key: string, problem: UnlocatedProblem): boolean {
  const { kind, meant, key: isKey } = problem
  // A part that several places share is repaired once.
  if (!Object.hasOwn(parent, key)) return kind !== 'missing-key'
  if (!isKey && meant !== undefined) {
    parent[key] = meant
    return true
  }
  if (meant !== undefined) {
    if (Object.hasOwn(parent, meant)) return false
    parent[meant] = parent[key]
  } else if (REFERRED.has(key) || (kind !== 'type' && kind !== 'value' && typeof parent[key] === 'object')) return false
  delete parent[key]
  return true
}

/** Outer keys come last in the list, so that each prefix is compared with the keys of the repaired value. */
function withOriginalKey(path: KeyPath, { above, from, to }: Renamed): KeyPath {
  const at = above.length
  const isBelow = path[at] === to && above.every((key, index) => path[index] === key)
  return isBelow ? [...path.slice(0, at), from, ...path.slice(at + 1)] : path
}
