import { type Element, shaped } from './element.ts'
import type { Fields } from './fields.ts'
import type { Rect } from './geometry.ts'

/** Creates an element that a control consists of, with defaults for all other fields. */
export const part = (id: string, role: string, name: string, bounds: Rect, more: Fields<Element> = {}): Element =>
  shaped({
    id,
    role,
    name,
    value: null,
    bounds,
    enabled: true,
    focused: false,
    keyboardShortcut: null,
    description: null,
    children: [],
    ...(more as Partial<Element>),
  })
