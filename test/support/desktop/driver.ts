import { apply } from '../../../src/desktop/apply/apply.ts'
import type { Button, Modifier } from '../../../src/desktop/input/action.ts'
import { changeWindow, type Desktop, type Target } from '../../../src/desktop/model/desktop.ts'
import { changeAt, type Element, nodeById, pathOf } from '../../../src/desktop/model/element.ts'
import { centerOf, type Point } from '../../../src/desktop/model/geometry.ts'
import type { OptionQuery } from '../../../src/desktop/widgets/widget.ts'

/** One action on a desktop in a test. Elements are named by id, in any window. */
export type Step = (desktop: Desktop) => Desktop

/** The desktop after all steps, in order. */
export const act = (desktop: Desktop, ...steps: readonly Step[]): Desktop =>
  steps.reduce((next, step) => step(next), desktop)

/** The element with an id, in the first window that has it. Throws without one. */
export function find(desktop: Desktop, id: string): Element {
  const { window, element } = targetNamed(desktop, id)
  return nodeById(desktop.windows.find(({ uid }) => uid === window)!.tree, element)!
}

interface ClickDetails {
  readonly button?: Button
  readonly count?: number
  readonly modifiers?: readonly Modifier[]
}

/** A click at the centre of an element. */
export const click =
  (id: string, details: ClickDetails = {}): Step =>
  (desktop) =>
    clickAt(centerOf(find(desktop, id).bounds), details)(desktop)

export const clickAt =
  (at: Point, { button = 'left', count = 1, modifiers = [] }: ClickDetails = {}): Step =>
  (desktop) =>
    apply(desktop, { type: 'click', at, button, count, modifiers }, { isInteractive: true })

export const type =
  (text: string): Step =>
  (desktop) =>
    apply(desktop, { type: 'type', text }, { isInteractive: true })

/** Presses keys in sequence. */
export const press =
  (...keys: readonly string[]): Step =>
  (desktop) =>
    keys.reduce((next, each) => apply(next, { type: 'key', keys: each }, { isInteractive: true }), desktop)

export const focus =
  (id: string): Step =>
  (desktop) =>
    apply(desktop, { type: 'focus', ...aimAt(desktop, id) }, { isInteractive: true })

export const invoke =
  (id: string): Step =>
  (desktop) =>
    apply(desktop, { type: 'invoke', ...aimAt(desktop, id) }, { isInteractive: true })

export const setValue =
  (id: string, value: string, clearFirst = true): Step =>
  (desktop) =>
    apply(desktop, { type: 'set_value', ...aimAt(desktop, id), value, clearFirst }, { isInteractive: true })

export const select =
  (id: string, option: OptionQuery): Step =>
  (desktop) =>
    apply(desktop, { type: 'select', ...aimAt(desktop, id), option }, { isInteractive: true })

export const hover =
  (id: string, forMs = 1000): Step =>
  (desktop) =>
    apply(desktop, { type: 'hover', at: centerOf(find(desktop, id).bounds), forMs }, { isInteractive: true })

/** Positive clicks scroll up. */
export const scroll =
  (id: string, clicks: number): Step =>
  (desktop) =>
    apply(desktop, { type: 'scroll', at: centerOf(find(desktop, id).bounds), clicks }, { isInteractive: true })

export const drag =
  (from: Point, to: Point, modifiers: readonly Modifier[] = []): Step =>
  (desktop) =>
    apply(desktop, { type: 'drag', from, to, modifiers, durationMs: 0 }, { isInteractive: true })

/** Presses a button at a point and holds it, at a time. */
export const down =
  (at: Point, button: Button = 'left', nowMs = 0): Step =>
  (desktop) =>
    apply(desktop, { type: 'press', at, button }, { isInteractive: true, nowMs })

/** Moves the pointer. */
export const move =
  (...points: readonly Point[]): Step =>
  (desktop) =>
    points.reduce((next, at) => apply(next, { type: 'hover', at, forMs: 0 }, { isInteractive: true }), desktop)

/** Releases a button at a point. */
export const up =
  (at: Point, button: Button = 'left'): Step =>
  (desktop) =>
    apply(desktop, { type: 'release', at, button }, { isInteractive: true })

/** Presses a key and holds it. */
export const keyDown =
  (key: string): Step =>
  (desktop) =>
    apply(desktop, { type: 'key_down', key }, { isInteractive: true })

export const keyUp =
  (key: string): Step =>
  (desktop) =>
    apply(desktop, { type: 'key_up', key }, { isInteractive: true })

/** Closes, minimises, maximises or restores a window. */
export const change =
  (window: string, to: 'close' | 'minimize' | 'maximize' | 'restore'): Step =>
  (desktop) =>
    apply(desktop, { type: 'window', window, to }, { isInteractive: true })

export const activate =
  (window: string): Step =>
  (desktop) =>
    apply(desktop, { type: 'activate', window }, { isInteractive: true })

const aimAt = (desktop: Desktop, id: string): { readonly target: Target; readonly at: Point } => ({
  target: targetNamed(desktop, id),
  at: centerOf(find(desktop, id).bounds),
})

function targetNamed(desktop: Desktop, id: string): Target {
  const window = desktop.windows.find(({ tree }) => nodeById(tree, id) !== undefined)
  if (!window) throw new Error(`no window has an element "${id}"`)
  return { window: window.uid, element: id }
}

/** The desktop with the tree of each window changed. */
export const changeTree = (on: Desktop, change: (tree: Element) => Element): Desktop =>
  on.windows.reduce(
    (next, { uid }) => changeWindow(next, uid, (window) => ({ ...window, tree: change(window.tree) })),
    on,
  )

/** The desktop with one element changed without an action. */
export const changeElement = (on: Desktop, id: string, change: (element: Element) => Element): Desktop =>
  changeTree(on, (tree) => changeAt(tree, pathOf(tree, id)!, change))

/** The selected ones of some elements. */
export const states = (on: Desktop, ...ids: readonly string[]): readonly boolean[] =>
  ids.map((id) => find(on, id).selected ?? false)
