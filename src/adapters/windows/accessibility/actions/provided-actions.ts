import { Fault } from '../../../../base/fault.ts'
import type { Element } from '../../../../desktop/model/element.ts'
import type { UiaClient, UiaElement } from '../uia/client.ts'

/** Does what a plain click does: the first of these patterns that the element has. */
export const pressProvided = (client: UiaClient, element: UiaElement): boolean =>
  client.perform(element, 'Invoke') ||
  client.perform(element, 'Toggle') ||
  client.perform(element, 'SelectionItem') ||
  client.perform(element, 'ExpandCollapse')

/** Sets a number or a text. Throws when the element is read-only. */
export function setProvidedValue(client: UiaClient, provided: UiaElement, element: Element, value: string): boolean {
  if (element.traits?.readOnly)
    throw new Fault('PatternUnsupported', `${element.role} "${element.name}" is read-only`, { element_id: element.id })
  if (element.valueNow === undefined) return client.setText(provided, value)
  const number = value.trim() === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) && client.setNumber(provided, number)
}
