import { type Awaitable, andThen } from '../../base/async.ts'
import { Fault } from '../../base/fault.ts'
import type { Target } from '../../desktop/model/desktop.ts'
import { pageIn } from '../browser-tabs.ts'
import type { DesktopContext } from '../desktop-context.ts'
import type { ElementRefs, RefTarget } from '../element-refs.ts'
import { isToolArguments, type ToolArguments } from '../result.ts'

/** A ref as an argument: an outline has `[ref=e5]`, and `element_id` takes `@e5`. */
const REF = /^@e(\d{1,9})$/

/**
 * The arguments with the id of the element for each ref, and with its window unless they name one.
 * @throws `ElementNotFound` for a ref that no outline has given, and for one of a page that is not shown.
 */
export function withoutRefs(input: unknown, context: DesktopContext): Awaitable<unknown> {
  const { refs } = context.trees
  const used: UsedRef[] = []
  const output = withWindow(replaceRefs(input, refs, used), used[0]?.target.window)
  return used.reduce<Awaitable<unknown>>(
    (before, { ref, target }) => andThen(before, () => andThen(requirePage(ref, target, context), () => output)),
    output,
  )
}

interface UsedRef {
  readonly ref: string
  readonly target: RefTarget
}

/** The element of a ref. Throws as `withoutRefs` does. */
export const targetOfRef = (ref: string, context: DesktopContext): Awaitable<Target> => {
  const target = requireRef(ref, context.trees.refs)
  return andThen(requirePage(ref, target, context), () => target)
}

/** Throws `ElementNotFound` if another page is shown than the one that a ref is of. */
function requirePage(ref: string, { window, page }: RefTarget, { computer }: DesktopContext): Awaitable<void> {
  if (page === undefined) return
  return andThen(computer.tree(window, { actual: true }), (tree) => {
    if (!tree || pageIn(tree)?.key === page) return
    const [, address] = JSON.parse(page) as readonly [tab: string, address: string]
    const of = address === '' ? 'an empty tab' : address
    const message = `the ref ${ref} is of another page, ${of}; call get_screen_outline for the refs of this one`
    throw new Fault('ElementNotFound', message, { element_id: `@${ref}` })
  })
}

/** The arguments with a window, unless they name one. */
function withWindow(args: unknown, window: string | undefined): unknown {
  if (window === undefined || !isToolArguments(args)) return args
  const { window_uid, window_index, window_title } = args
  const namesOne = window_uid !== undefined || window_index !== undefined || window_title !== undefined
  return namesOne ? args : { ...args, window_uid: window }
}

/**
 * Replaces refs at any depth, adds their windows to the arguments that they stand in, and lists them with their elements. Returns the
 * same value if it has no ref.
 */
function replaceRefs(value: unknown, refs: ElementRefs, used: UsedRef[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => replaceRefs(item, refs, used))
    return items.every((item, at) => item === value[at]) ? value : items
  }
  let args = value as ToolArguments
  for (const key in value) {
    const given = (value as ToolArguments)[key]
    if (key === 'element_id' && typeof given === 'string') {
      const target = REF.test(given) ? requireRef(given.slice(1), refs) : undefined
      if (!target) continue
      used.push({ ref: given.slice(1), target })
      args = withWindow({ ...args, [key]: target.element }, target.window) as ToolArguments
    } else {
      const replaced = replaceRefs(given, refs, used)
      if (replaced !== given) args = { ...args, [key]: replaced }
    }
  }
  return args
}

function requireRef(ref: string, refs: ElementRefs): RefTarget {
  const target = refs.find(ref)
  if (target) return target
  throw new Fault('ElementNotFound', `no outline has given the ref ${ref}; call get_screen_outline for refs`, {
    element_id: `@${ref}`,
  })
}
