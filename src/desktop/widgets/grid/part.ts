import { type Element, shaped } from '../../model/element.ts'
import type { Fields } from '../../model/fields.ts'
import { EMPTY_RECT } from '../../model/geometry.ts'

/** Creates an element of a virtual table. */
export const gridPart = (id: string, role: string, name: string, more: Fields<Element>): Element =>
  shaped({
    id,
    role,
    name,
    value: null,
    bounds: EMPTY_RECT,
    enabled: true,
    focused: false,
    keyboardShortcut: null,
    description: null,
    children: [],
    ...(more as Partial<Element>),
  })
