import { Fault } from '../../../base/fault.ts'
import type { Action } from '../../../desktop/input/action.ts'
import type { Target } from '../../../desktop/model/desktop.ts'
import { type Element, nodeAt, type Path, pathOf, walk } from '../../../desktop/model/element.ts'
import type { Dressed, Place } from './element-tree.ts'

/** An element of a window with all that it lies in. */
export interface Found<S extends Dressed = Dressed> {
  readonly scene: S
  readonly path: Path
  readonly element: Element
  readonly place: Place
}

/** The element that an action names, which must be there and enabled. */
export function findIn<S extends Dressed>(scene: S, target: Target): Found<S> {
  const path = pathOf(scene.tree, target.element)
  const element = path && nodeAt(scene.tree, path)
  const place = scene.refs.get(target.element)
  if (!path || !element || !place)
    throw new Fault('ElementNotFound', `the window has no element ${target.element} any more`, { ...target })
  if (!element.enabled) throw new Fault('ElementDisabled', `${nameOf(element)} is disabled`, { ...target })
  return { scene, path, element, place }
}

/** How messages speak of an element. */
export const nameOf = (element: Element): string => `${element.role} ${JSON.stringify(element.name)}`

export interface Option {
  readonly element: Element
  readonly parent: Element
  /** Its place among its parent's children. */
  readonly at: number
  /** Its place among all options. */
  readonly index: number
}

/** Roles that are chosen from a list, a combo box, a menu or a row of tabs. */
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

/** A row of a table has no name of its own; any of its cells names it. */
const isCalled = ({ role, name, children }: Element, wanted: string): boolean =>
  name === wanted || (role === 'DataItem' && children.some((cell) => cell.name === wanted))

const calledOf = ({ name, children }: Element): string => name || (children.find((cell) => cell.name)?.name ?? '')

/** The option that an action means, by name or by place among the options. */
export function optionIn(element: Element, wanted: Wanted): Option {
  const options = optionsOf(element)
  const at = 'index' in wanted ? wanted.index : options.findIndex((option) => isCalled(option.element, wanted.name))
  const option = options[at]
  if (option) return { ...option, index: at }
  const asked = JSON.stringify('index' in wanted ? wanted.index : wanted.name)
  throw new Fault('ElementNotFound', `${nameOf(element)} has no option ${asked}`, {
    options: options.slice(0, 20).map((other) => calledOf(other.element)),
  })
}

/** The options below an element in order; those of the nearest container first met, not of ones inside an option. */
function optionsOf(element: Element): readonly Omit<Option, 'index'>[] {
  return element.children.flatMap((child, at): readonly Omit<Option, 'index'>[] =>
    OPTIONS.has(child.role) ? [{ element: child, parent: element, at }] : optionsOf(child),
  )
}

/** Whether an option is the chosen one of its owner in a later tree. */
export function isChosen(tree: Element, owner: string, option: Element): boolean {
  const path = pathOf(tree, owner)
  const now = path && nodeAt(tree, path)
  if (!now) return false
  if (now.role === 'ComboBox') return now.value === option.name
  for (const node of walk(now)) if (node.id === option.id) return node.selected === true
  return false
}
