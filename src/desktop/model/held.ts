import type { Point, Rect } from './geometry.ts'

export type Button = 'left' | 'right' | 'middle' | 'back' | 'forward'

/** The buttons and keys that are held down. */
export interface HeldInput {
  /** In the order in which they were pressed. */
  readonly buttons: readonly HeldButton[]
  /** The names of keys, as `parseKey` returns them, in the order in which they were pressed. */
  readonly keys: readonly string[]
}

/** A press of a button. */
export interface ButtonPress {
  readonly button: Button
  readonly at: Point
  /** 2 for the second press of a double click, 3 for the third of a triple click. */
  readonly count: number
  readonly atMs: number
}

/** A button that is held down. */
export interface HeldButton extends ButtonPress {
  /** Set once the pointer has moved so far that the release is no click. */
  readonly dragged?: true
  /** What the left button took hold of. Absent on the empty desktop. */
  readonly grab?: Grab
}

/** What a drag moves: an element, the overlay scrollbar over it, or a window by its title bar or edges. */
export interface Grab {
  readonly window: string
  /** The pressed element. Absent for a window. */
  readonly element?: string
  /** Set for the overlay scrollbar of the element. */
  readonly overlay?: true
  /** The sides of the window that the drag moves. Absent for its title bar. */
  readonly edges?: ResizeEdges
  /**
   * What the drag started from: the bounds of the window, or the position in the control. Absent for elements that do not
   * follow the pointer and are only dropped.
   */
  readonly from?: Rect | number
}

/** The sides of a window that a drag moves. Two of them are a corner. */
export interface ResizeEdges {
  readonly left: boolean
  readonly top: boolean
  readonly right: boolean
  readonly bottom: boolean
}
