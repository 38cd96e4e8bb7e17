import type { Window } from '../../desktop/model/desktop.ts'
import { type Element, memoize, pathOf } from '../../desktop/model/element.ts'
import type { InstanceOf, ItemOf } from '../../desktop/model/traits.ts'
import type { DataPlace } from '../data/run-data.ts'
import { ANY, type DataType, type DataValue } from '../expression/data-type.ts'
import type { BindTemplate, ElementTemplate } from '../live/live-program.ts'

/** What an instance was made from. Its identity, and that of its inputs, tell whether it has to be made again. */
export interface InstanceSource {
  readonly template: ElementTemplate
  readonly id: string
  readonly inputs: readonly unknown[]
  /** The element as it was made, before anybody changed it. Without the children that are instances. */
  readonly built: Element
}

/** An item of the data. */
export interface LiveItem extends ItemOf {
  readonly value: DataValue
  readonly place: DataPlace | undefined
}

/** What an element is an instance of. */
export interface Instance extends InstanceOf {
  readonly item: LiveItem | undefined
  readonly source: InstanceSource
}

/** What an element is an instance of. Undefined if the file has it as it is. */
export const instanceOf = (element: Element): Instance | undefined => element.traits?.instance as Instance | undefined

/** The items that got another id than their key gives, because another item of their window has that key. */
export const duplicatesIn: (tree: Element) => readonly Element[] = memoize((element) => [
  ...(instanceOf(element)?.item && DUPLICATE.test(element.id) ? [element] : []),
  ...element.children.flatMap((child) => duplicatesIn(child)),
])

const DUPLICATE = /~\d+$/

/** Says that an item has the key of another one. */
export const duplicateInWords = ({ id }: Element): string =>
  `two items have the id ${id.replace(DUPLICATE, '')}, so their keys are equal`

/** An item around an element, and the id of the element that was made for it. */
export interface ItemAround {
  readonly id: string
  readonly item: LiveItem
  readonly type: DataType
}

/** The items around an element: `chain` has it and its ancestors, innermost first. */
export function itemsAround(chain: readonly Element[]): readonly ItemAround[] {
  return chain.flatMap((element) => {
    const { item, source } = instanceOf(element) ?? {}
    return item && source
      ? [{ id: element.id, item, type: source.template.locals[source.template.repeat!.as] ?? ANY }]
      : []
  })
}

/** The field that the user changes in an element, and the place in the data that it is bound to. Undefined if it is not bound. */
export function boundPlace(
  element: Element,
  window: Window,
): { readonly bind: BindTemplate; readonly place: DataPlace } | undefined {
  const bind = instanceOf(element)?.source.template.bind
  if (!bind) return undefined
  if (!bind.isItem) return { bind, place: { var: [bind.root, ...bind.fields].join('.'), at: [] } }
  let node: Element | undefined = window.tree
  let place: DataPlace | undefined
  for (const index of pathOf(window.tree, element.id) ?? []) {
    node = node?.children[index]
    const instance = node && instanceOf(node)
    if (instance?.source.template.repeat?.as === bind.root) place = instance.item?.place
  }
  return place && { bind, place: { var: place.var, at: [...place.at, ...bind.fields.map((field) => ({ field }))] } }
}
