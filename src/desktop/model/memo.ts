/** A memoised value. Kept as a linked list, newest first, because most nodes have only one or two. */
export interface MemoEntry<Node> {
  readonly memo: Memo<Node, unknown>
  value: unknown
  readonly next: MemoEntry<Node> | undefined
}

/** A value derived from a node and computed once per node. */
interface Memo<Node, T> {
  readonly compute: (node: Node) => T
  /** Returns false when a cached value is stale. Values never expire by default. */
  readonly isValid?: (value: T) => boolean
  /**
   * Derives the value of a node whose child at `index` was replaced from the value before the change.
   * Returns undefined when a full computation is needed.
   */
  readonly update?: (value: T, before: Node, after: Node, index: number) => T | undefined
}

/** Where the values of a node are stored: in the node itself, or in a table. */
interface MemoStore<Node> {
  readonly get: (node: Node) => MemoEntry<Node> | undefined
  readonly set: (node: Node, entry: MemoEntry<Node>) => void
}

/** Replacements of children: the index, and the new child. */
type Replacements<Node> = readonly (readonly [index: number, child: Node])[]

/** Memoises values of the immutable nodes of a tree. */
export interface Memos<Node> {
  /** Returns a function that computes a value once per node and keeps it as long as the node lives. */
  memoize<T extends {}>(compute: (node: Node) => T, options?: Omit<Memo<Node, T>, 'compute'>): (node: Node) => T
  /** Derives the values of `after`, a copy of `before` with some children replaced, as far as memos can update them. */
  carryOver(before: Node, after: Node, replacements: Replacements<Node>): void
}

export function createMemos<Node extends { readonly children: readonly Node[] }>({
  get,
  set,
}: MemoStore<Node>): Memos<Node> {
  return {
    memoize: <T extends {}>(compute: (node: Node) => T, options: Omit<Memo<Node, T>, 'compute'> = {}) => {
      const memo = { compute, ...options } as Memo<Node, unknown>
      const { isValid } = options
      return (node) => {
        const entry = find(get(node), memo)
        if (entry && (!isValid || isValid(entry.value as T))) return entry.value as T
        const value = compute(node)
        if (entry) entry.value = value
        // Read the list again: computing the value may have added entries.
        else set(node, { memo, value, next: get(node) })
        return value
      }
    },
    carryOver: (before, after, replacements) => {
      for (let entry = get(before); entry; entry = entry.next) {
        let { value } = entry
        for (const [index, child] of replacements)
          if (value !== undefined) value = entry.memo.update?.(value, before.children[index]!, child, index)
        if (value !== undefined) set(after, { memo: entry.memo, value, next: get(after) })
      }
    },
  }
}

function find<Node>(entries: MemoEntry<Node> | undefined, memo: Memo<Node, unknown>): MemoEntry<Node> | undefined {
  for (let entry = entries; entry; entry = entry.next) if (entry.memo === memo) return entry
  return undefined
}
