import { Fault } from '../base/fault.ts'
import { LruCache } from '../base/lru-cache.ts'
import type { Target } from '../desktop/model/desktop.ts'
import { isToolArguments, type ToolArguments } from './result.ts'

/** A session with more refs forgets the oldest. */
const MAX_REFS = 50_000

/** A ref as an argument: an outline has `[ref=e5]`, and `element_id` takes `@e5`. */
const REF = /^@e(\d{1,9})$/

/**
 * Short names of elements, which outlines give: `e1`, `e2` in the order in which they were first shown. An element keeps
 * its ref while the session lasts, and no other element gets it.
 */
export class ElementRefs {
  readonly #refs = new LruCache<string, string>(MAX_REFS)
  readonly #targets = new LruCache<string, Target>(MAX_REFS)
  #count = 0
  #epoch = 0

  /** Changes whenever all refs are forgotten. */
  get epoch(): number {
    return this.#epoch
  }

  /** The ref of an element, a new one if it has none. */
  refOf(target: Target): string {
    const key = JSON.stringify([target.window, target.element])
    const known = this.#refs.get(key)
    if (known !== undefined) return known
    const ref = `e${++this.#count}`
    this.#refs.set(key, ref)
    this.#targets.set(ref, target)
    return ref
  }

  /** The element of a ref; undefined for a ref that no outline has given. */
  find(ref: string): Target | undefined {
    return this.#targets.get(ref)
  }

  /** Forgets all refs and starts at `e1` again. */
  clear(): void {
    this.#refs.clear()
    this.#targets.clear()
    this.#count = 0
    this.#epoch++
  }
}

/** The arguments with the id of the element for each ref, and with its window unless they name one. */
export function withoutRefs(input: unknown, refs: ElementRefs): unknown {
  const windows: string[] = []
  const output = replaceRefs(input, refs, windows)
  return withWindow(output, windows[0])
}

/** The arguments with a window, unless they name one. */
function withWindow(args: unknown, window: string | undefined): unknown {
  if (window === undefined || !isToolArguments(args)) return args
  const { window_uid, window_index, window_title } = args
  const namesOne = window_uid !== undefined || window_index !== undefined || window_title !== undefined
  return namesOne ? args : { ...args, window_uid: window }
}

/**
 * Replaces refs at any depth, adds their windows to the arguments that they stand in, and lists these windows. Returns the
 * same value if it has no ref.
 */
function replaceRefs(value: unknown, refs: ElementRefs, windows: string[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => replaceRefs(item, refs, windows))
    return items.every((item, at) => item === value[at]) ? value : items
  }
  let args = value as ToolArguments
  for (const key in value) {
    const given = (value as ToolArguments)[key]
    if (key === 'element_id' && typeof given === 'string') {
      const target = REF.test(given) ? targetOf(given.slice(1), refs) : undefined
      if (!target) continue
      windows.push(target.window)
      args = withWindow({ ...args, [key]: target.element }, target.window) as ToolArguments
    } else {
      const replaced = replaceRefs(given, refs, windows)
      if (replaced !== given) args = { ...args, [key]: replaced }
    }
  }
  return args
}

function targetOf(ref: string, refs: ElementRefs): Target {
  const target = refs.find(ref)
  if (target) return target
  throw new Fault('ElementNotFound', `no outline has given the ref ${ref}; call get_screen_outline for refs`, {
    element_id: `@${ref}`,
  })
}
