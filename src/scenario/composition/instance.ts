import type { Window } from '../../desktop/model/desktop.ts'
import { type Element, memoize, pathOf } from '../../desktop/model/element.ts'
import type { InstanceOf, ItemOf } from '../../desktop/model/traits.ts'
import { chainTo } from '../../desktop/tree/element-ref.ts'
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
  /** The uid of its window, if it has one of its own. */
  readonly window?: string
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
  ...(isDuplicate(element) ? [element] : []),
  ...element.children.flatMap((child) => duplicatesIn(child)),
])

const DUPLICATE = /~\d+$/

function isDuplicate(element: Element): boolean {
  const { item } = instanceOf(element) ?? {}
  return item !== undefined && DUPLICATE.test(item.window ?? element.id)
}

/** The uid in the file of the window for an item that has this root. Undefined of other elements. */
export function uidInFile(root: Element): string | undefined {
  const instance = instanceOf(root)
  return instance?.item?.window === undefined ? undefined : instance.source.template.window
}

/** Says that an item has the key of another one. */
export function duplicateInWords(element: Element): string {
  const uid = instanceOf(element)?.item?.window
  const [what, id] = uid === undefined ? ['items have the id', element.id] : ['windows have the uid', uid]
  return `two ${what} ${id.replace(DUPLICATE, '')}, so their keys are equal`
}

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
  let place: DataPlace | undefined
  for (const node of chainTo(window.tree, pathOf(window.tree, element.id) ?? []).toReversed()) {
    const instance = instanceOf(node)
    if (instance?.source.template.repeat?.as === bind.root) place = instance.item?.place
  }
  return place && { bind, place: { var: place.var, at: [...place.at, ...bind.fields.map((field) => ({ field }))] } }
}
