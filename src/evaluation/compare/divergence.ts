/** Where two traces of the same episode part, and whether the agent or the environment was first. */

/** A call of a trace, as far as it is compared. */
export interface TracedCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly tree_hash_before: string | null
  readonly tree_hash_after: string | null
}

/** The first difference of two traces. Calls count from 1. */
export type Divergence =
  | { readonly first: 'agent'; readonly call: number; readonly a: string; readonly b: string }
  | { readonly first: 'environment'; readonly call: number; readonly a: string; readonly b: string }
  | { readonly first: 'none' }

/** Reads the calls of a trace. Lines that are no call are left out. */
export function readTracedCalls(text: string): readonly TracedCall[] {
  return text.split('\n').flatMap((line): readonly TracedCall[] => {
    if (line === '') return []
    const row = JSON.parse(line) as Partial<TracedCall> & { readonly type?: string }
    if (row.type !== undefined || typeof row.tool !== 'string') return []
    const { tool, args = {}, tree_hash_before = null, tree_hash_after = null } = row
    return [{ tool, args, tree_hash_before, tree_hash_after }]
  })
}

/**
 * The first difference of two traces of one episode. With equal calls so far, other trees are the environment's doing; with
 * equal trees so far, another call is the agent's.
 */
export function firstDivergence(a: readonly TracedCall[], b: readonly TracedCall[]): Divergence {
  const calls = Math.max(a.length, b.length)
  for (let index = 0; index < calls; index++) {
    const [left, right] = [a[index], b[index]]
    if (left && right && left.tree_hash_before !== right.tree_hash_before)
      return {
        first: 'environment',
        call: index + 1,
        a: hashText(left.tree_hash_before),
        b: hashText(right.tree_hash_before),
      }
    if (!left || !right || callText(left) !== callText(right))
      return { first: 'agent', call: index + 1, a: left ? callText(left) : 'ends', b: right ? callText(right) : 'ends' }
    if (left.tree_hash_after !== right.tree_hash_after)
      return {
        first: 'environment',
        call: index + 1,
        a: hashText(left.tree_hash_after),
        b: hashText(right.tree_hash_after),
      }
  }
  return { first: 'none' }
}

const hashText = (hash: string | null): string => `tree ${hash ?? 'unknown'}`

/** A call on one line, with its arguments in the order of their names. */
const callText = ({ tool, args }: TracedCall): string =>
  `${tool} ${JSON.stringify(args, (_, value: unknown) => (isRecord(value) ? sorted(value) : value))}`

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const sorted = (record: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
