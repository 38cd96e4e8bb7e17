import { checkbox, radio, toggle } from './choice.ts'
import { field } from './edit.ts'
import type { Element } from './element.ts'
import { pressable } from './press.ts'
import { type Kind, kindOf } from './role.ts'
import type { Widget } from './widget.ts'

/** Which behaviour each kind of control has; a kind that is missing only takes clicks. */
const WIDGETS: Partial<Record<Kind, Widget>> = {
  button: pressable,
  link: pressable,
  edit: field,
  document: field,
  checkbox,
  toggle,
  radio,
}

export const widgetOf = (element: Element): Widget | undefined => WIDGETS[kindOf(element.role)]
