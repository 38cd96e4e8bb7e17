import { Fault } from '../../base/fault.ts'
import { changeWindow, type Desktop, type Target, type Window, windowByUid, windowWith } from '../model/desktop.ts'
import { changeAt, type Element, nodeAt, type Path, pathOf, withFields } from '../model/element.ts'
import { dialogIn } from './modal.ts'
import { isContent, visibilityOf } from './visibility.ts'

/** An element together with its window and path. */
export interface ElementRef {
  readonly window: Window
  readonly path: Path
  readonly element: Element
}

/** Finds the element of a target. Throws `WindowGone` or `ElementNotFound`. */
export function refOf(desktop: Desktop, target: Target): ElementRef {
  const window = windowOf(desktop, target.window)
  const path = pathOf(window.tree, target.element)
  const element = path && nodeAt(window.tree, path)
  if (!path || !element)
    throw new Fault('ElementNotFound', `the window "${window.title}" has no element "${target.element}"`, { ...target })
  return { window, path, element }
}

/** The window with a uid. Throws `WindowGone` if it does not exist. */
export function windowOf(desktop: Desktop, uid: string): Window {
  const window = windowByUid(desktop, uid)
  if (!window)
    throw new Fault('WindowGone', `there is no window "${uid}"; it may have been closed`, { window_uid: uid })
  return window
}

/** The focused element, or undefined. */
export function focusedRef(desktop: Desktop): ElementRef | undefined {
  const window = desktop.active === undefined ? undefined : windowByUid(desktop, desktop.active)
  const path = window?.focus === undefined ? undefined : pathOf(window.tree, window.focus)
  const element = window && path && nodeAt(window.tree, path)
  return element ? { window, path, element } : undefined
}

export const targetOf = (ref: ElementRef): Target => ({ window: ref.window.uid, element: ref.element.id })

/** The parent, or undefined at the root. */
export function parentOf(ref: ElementRef): ElementRef | undefined {
  if (ref.path.length === 0) return undefined
  const path = ref.path.slice(0, -1)
  return { window: ref.window, path, element: nodeAt(ref.window.tree, path)! }
}

/** The node at a path and its ancestors, innermost first. */
export function chainTo(root: Element, path: Path): readonly Element[] {
  const chain = [root]
  for (const index of path) chain.push(chain[chain.length - 1]!.children[index]!)
  return chain.reverse()
}

/** The nearest matching element, from the element itself upwards. */
export function closest(ref: ElementRef, fits: (element: Element) => boolean): ElementRef | undefined {
  for (let here: ElementRef | undefined = ref; here; here = parentOf(here)) if (fits(here.element)) return here
  return undefined
}

/** Like `closest`, but stops where an element is content rather than part of its parent, such as a page of tabs. */
export function closestWhole(ref: ElementRef, fits: (element: Element) => boolean): ElementRef | undefined {
  let part: Element | undefined
  for (let here: ElementRef | undefined = ref; here; here = parentOf(here)) {
    if ((!part || !isContent(here.element, part)) && fits(here.element)) return here
    part = here.element
  }
  return undefined
}

/** Changes one element of a desktop. Returns the same desktop if nothing changed. */
export function changeRef(
  desktop: Desktop,
  { window, path }: { readonly window: Window; readonly path: Path },
  change: (element: Element) => Element,
): Desktop {
  return changeWindow(desktop, window.uid, (current) => {
    const tree = changeAt(current.tree, path, change)
    return windowWith(current, { tree })
  })
}

/** Merges traits into those of an element. A trait given as undefined is removed. */
export function withTraits(element: Element, traits: { readonly [name: string]: unknown } & object): Element {
  const merged: Record<string, unknown> = { ...element.traits, ...traits }
  for (const name of Object.keys(merged)) if (merged[name] === undefined) delete merged[name]
  return withFields(element, { traits: Object.keys(merged).length > 0 ? merged : undefined })
}

/** Whether the node at `path` is shown: neither it nor an ancestor is hidden or folded away. */
export function isShown(root: Element, path: Path): boolean {
  let node = root
  for (const index of path) {
    const child = node.children[index]
    if (!child || child.traits?.hidden || visibilityOf(node, child) === 'folded') return false
    node = child
  }
  return !root.traits?.hidden
}

/** Whether neither the element nor an ancestor is disabled. */
export function isEnabled({ window, path }: ElementRef): boolean {
  let node: Element | undefined = window.tree
  for (const index of path) {
    if (!node?.enabled) return false
    node = node.children[index]
  }
  return node?.enabled === true
}

/** The first element in document order that is shown, enabled and matches. */
export function findShown(window: Window, fits: (element: Element) => boolean): ElementRef | undefined {
  const start = dialogIn(window.tree) ?? []
  const path = search(nodeAt(window.tree, start)!, start)
  return path && { window, path, element: nodeAt(window.tree, path)! }

  function search(node: Element, path: Path): Path | undefined {
    if (node.traits?.hidden) return undefined
    if (fits(node)) return path
    for (const [index, child] of node.children.entries()) {
      const found = visibilityOf(node, child) === 'folded' ? undefined : search(child, [...path, index])
      if (found) return found
    }
    return undefined
  }
}

/** The same element in a newer desktop. Returns undefined if it is gone. */
export function refresh(desktop: Desktop, { window, element }: ElementRef): ElementRef | undefined {
  const current = windowByUid(desktop, window.uid)
  const path = current && pathOf(current.tree, element.id)
  const found = path && nodeAt(current.tree, path)
  return found ? { window: current, path, element: found } : undefined
}
