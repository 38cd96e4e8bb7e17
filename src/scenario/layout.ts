import type { Window } from '../desktop/desktop.ts'
import type { Element } from '../desktop/element.ts'

/** Gives bounds to every element whose author wrote none. */
export const layOut = (window: Window): Window => window

/** The same below one element. */
export const layOutChildren = (element: Element): Element => element
