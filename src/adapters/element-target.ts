import { Fault } from '../base/fault.ts'
import type { Action } from '../desktop/input/action.ts'
import { type Element, nodeAt, type Path, pathOf, walk } from '../desktop/model/element.ts'
import { centerOf, intersect, isEmptyRect, type Point, sameRect } from '../desktop/model/geometry.ts'
import { shownBounds } from '../desktop/visible-bounds.ts'
import { assertEnabledOption, optionsInWords } from '../desktop/widgets/selection.ts'

/** An element in an error message, such as `Button "Save"`. */
export const describeElement = (element: Element): string => `${element.role} ${JSON.stringify(element.name)}`

export interface FoundOption {
  readonly element: Element
  readonly parent: Element
  /** Its index among the children of its parent. */
  readonly at: number
  /** Its index among all options. */
  readonly index: number
}

/** Roles of options of a list, combo box, menu or tab list. */
const OPTIONS: ReadonlySet<string> = new Set([
  'ListItem',
  'MenuItem',
  'TreeItem',
  'TabItem',
  'Cell',
  'DataItem',
  'RadioButton',
])

type Wanted = Extract<Action, { type: 'select' }>['option']

/** A table row has no name of its own, so the name of any of its cells matches. */
const matchesName = ({ role, name, children }: Element, wanted: string): boolean =>
  name === wanted || (role === 'DataItem' && children.some((cell) => cell.name === wanted))

const optionName = ({ name, children }: Element): string => name || (children.find((cell) => cell.name)?.name ?? '')

/** Finds an option by name or by index. Throws `ElementNotFound` with the available options, and `ElementDisabled`. */
export function findOptionIn(element: Element, wanted: Wanted): FoundOption {
  const options = optionsOf(element)
  const at = 'index' in wanted ? wanted.index : options.findIndex((option) => matchesName(option.element, wanted.name))
  const option = options[at]
  if (option) assertEnabledOption(option.element)
  if (option) return { ...option, index: at }
  const asked = JSON.stringify('index' in wanted ? wanted.index : wanted.name)
  const names = options.map((other) => optionName(other.element))
  throw new Fault('ElementNotFound', `${describeElement(element)} has no option ${asked}; ${optionsInWords(names)}`, {
    options: names.slice(0, 20),
  })
}

/** The options below an element in order, without options inside options. */
function optionsOf(element: Element): readonly Omit<FoundOption, 'index'>[] {
  return element.children.flatMap((child, at): readonly Omit<FoundOption, 'index'>[] =>
    OPTIONS.has(child.role) ? [{ element: child, parent: element, at }] : optionsOf(child),
  )
}

/** Whether an option is selected in a later tree. */
export function isOptionSelected(tree: Element, owner: string, option: Element): boolean {
  const path = pathOf(tree, owner)
  const now = path && nodeAt(tree, path)
  if (!now) return false
  if (now.role === 'ComboBox') return now.value === option.name
  for (const node of walk(now)) if (node.id === option.id) return node.selected === true
  return false
}

/** An element with its place in the tree of its window. */
export interface ElementInTree {
  readonly tree: Element
  readonly path: Path
  readonly element: Element
}

/** The parts of a desktop that scrolling needs. `found` is the element as the desktop finds it. */
export interface ScrollContext<F> {
  inTree(found: F): ElementInTree
  /** Finds the element in the current tree. */
  find(): Promise<F>
  /** Asks the program to scroll to the element. Returns false if it does not offer that. */
  scrollIntoView(found: F): Promise<boolean>
  /** Returns false if the element does not take the keyboard. */
  focus(found: F): Promise<boolean>
  /** Turns the wheel at a point; positive clicks scroll up. */
  wheel(at: Point, clicks: number): Promise<void>
  pause(ms: number): Promise<void>
}

/** The approximate distance of a wheel click. A wrong value only costs another turn. */
const WHEEL_CLICK_PX = 60
const MAX_CLICKS_AT_ONCE = 10
const MAX_TURNS = 40
/** Programs scroll smoothly, so the first turns may show no movement. */
const MAX_TURNS_WITHOUT_MOVEMENT = 3
const SETTLE_MS = 80

/**
 * Scrolls until part of an element is visible: through its program, else with the wheel over its scrolled container, else
 * by focusing it. Returns the element in the new tree, where it may still be out of view.
 */
export async function bringIntoView<F>(context: ScrollContext<F>, found: F): Promise<F> {
  const look = async () => {
    await context.pause(SETTLE_MS)
    return context.find()
  }
  const isSeen = (now: F): boolean => {
    const { tree, path } = context.inTree(now)
    return shownBounds(tree, path) !== undefined
  }
  const scrolled = (await context.scrollIntoView(found)) ? await look() : found
  if (isSeen(scrolled)) return scrolled
  const turned = await turnWheel(context, scrolled, isSeen)
  if (isSeen(turned)) return turned
  return (await context.focus(turned)) ? look() : turned
}

async function turnWheel<F>(context: ScrollContext<F>, found: F, isSeen: (now: F) => boolean): Promise<F> {
  let now = found
  let still = 0
  for (let turn = 0; turn < MAX_TURNS && still < MAX_TURNS_WITHOUT_MOVEMENT && !isSeen(now); turn++) {
    const { tree, path, element } = context.inTree(now)
    const wheel = wheelClicksTowards(tree, path)
    if (!wheel) return now
    await context.wheel(wheel.at, wheel.clicks)
    await context.pause(SETTLE_MS)
    const next = await context.find()
    still = sameRect(context.inTree(next).element.bounds, element.bounds) ? still + 1 : 0
    now = next
  }
  return now
}

/** The point and the distance of a wheel turn towards an element above or below the visible part of its container. */
export function wheelClicksTowards(
  root: Element,
  path: Path,
): { readonly at: Point; readonly clicks: number } | undefined {
  const element = nodeAt(root, path)
  if (!element || isEmptyRect(element.bounds)) return undefined
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const above = path.slice(0, depth)
    const container = nodeAt(root, above)!
    if (intersect(container.bounds, element.bounds)) continue
    const seen = shownBounds(root, above)
    if (!seen) continue
    const distance = centerOf(seen).y - centerOf(element.bounds).y
    const clicks = Math.round(distance / WHEEL_CLICK_PX)
    if (clicks === 0) return undefined
    return { at: centerOf(seen), clicks: Math.sign(clicks) * Math.min(MAX_CLICKS_AT_ONCE, Math.abs(clicks)) }
  }
  return undefined
}
