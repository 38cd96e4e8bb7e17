import { Fault } from '../base/fault.ts'
import type { Action } from '../desktop/input/action.ts'
import { type Element, nodeAt, pathOf, walk } from '../desktop/model/element.ts'
import { assertEnabledOption, optionsInWords } from '../desktop/widgets/items/selection.ts'

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
