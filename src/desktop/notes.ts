import type { Element } from './element.ts'

/**
 * What has been worked out of elements, kept beside the trees: one record for each element. An element that is made
 * from another by changing one of its children inherits what holds for it as well, so that working it out again costs
 * the change and not the size of the tree.
 */
const records = new WeakMap<Element, unknown[]>()

/** Whether a note still holds when a child was replaced by another; both undefined when all children may be others. */
type Holds = (before: Element | undefined, after: Element | undefined) => boolean

const rules: Holds[] = []

/** One thing that is noted of elements. */
export interface Note<T> {
  of(node: Element): T | undefined
  put(node: Element, value: T): void
}

/** A new kind of note; it is inherited where `holds` says so. */
export function note<T>(holds: Holds): Note<T> {
  const place = rules.push(holds) - 1
  return {
    of: (node) => records.get(node)?.[place] as T | undefined,
    put(node, value) {
      const known = records.get(node)
      if (known) known[place] = value
      else records.set(node, blank().fill(value, place, place + 1))
    },
  }
}

const blank = (): unknown[] => new Array<unknown>(rules.length).fill(undefined)

const never = (): boolean => false
const always = (): boolean => true

/** The answer of `work`, noted for each element that has children. */
export function noted<T>(work: (node: Element) => T, holds: Holds = never): (node: Element) => T {
  const answer = note<T>(holds)
  return (node) => {
    if (node.children.length === 0) return work(node)
    const known = answer.of(node)
    if (known !== undefined) return known
    const found = work(node)
    answer.put(node, found)
    return found
  }
}

interface List<T> {
  readonly children: readonly Element[]
  readonly values: readonly T[]
}

/** The answers of `work` for the children of an element: the same list again when no answer is another. */
export function notedOfChildren<T>(work: (child: Element) => T): (node: Element) => readonly T[] {
  const lists = note<List<T>>(always)
  return (node) => {
    const { children } = node
    const known = lists.of(node)
    if (known?.children === children) return known.values
    const values = known ? renewed(known, children, work) : children.map(work)
    lists.put(node, { children, values })
    return values
  }
}

function renewed<T>(known: List<T>, children: readonly Element[], work: (child: Element) => T): readonly T[] {
  let same = known.values.length === children.length
  const values = children.map((child, index) => {
    if (child === known.children[index]) return known.values[index]!
    const value = work(child)
    same &&= value === known.values[index]
    return value
  })
  return same ? known.values : values
}

/** Hands on what is noted of an element to the one made from it, in which `after` stands for the child `before`. */
export function handOn(from: Element, to: Element, before?: Element, after?: Element): void {
  const known = records.get(from)
  if (!known || records.has(to)) return
  const handed = blank()
  for (let place = 0; place < known.length; place++) {
    const value = known[place]
    if (value !== undefined && rules[place]!(before, after)) handed[place] = value
  }
  records.set(to, handed)
}

/** For what depends on where children stand, not on which they are, or is checked when it is used. */
export const holdsAlways = always

/** For an answer that depends on the children's answers only: it holds when the other child answers the same. */
export const holdsWhenSame =
  (work: (child: Element) => unknown): Holds =>
  (before, after) =>
    before !== undefined && after !== undefined && work(before) === work(after)
