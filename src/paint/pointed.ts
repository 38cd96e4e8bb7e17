import type { PointerEffect } from '../desktop/apply/pointer-effect.ts'
import type { Path } from '../desktop/model/element.ts'
import { type Rect, sameRect } from '../desktop/model/geometry.ts'

/** What the pointer does to an element and to those in it; paths start at the element. */
export type Pointed = Pick<PointerEffect, 'hovered' | 'pressed' | 'bar' | 'drop'>

/** What the pointer does to one element. */
export interface PointerFeedback {
  /** Whether the pointer is on it, or on a control in it. */
  readonly isHovered: boolean
  /** Whether the left button is held down on it. */
  readonly isPressed: boolean
  /** Whether its overlay scroll bar is below the pointer or dragged. */
  readonly isBarHovered: boolean
  /** Whether a dragged element would be dropped on it. */
  readonly isDropTarget: boolean
  /** Where in it a dragged element would be dropped. */
  readonly dropLine?: Rect | undefined
  /** Whether it takes other things, and not the dragged one. */
  readonly isDropRefused?: boolean
}

const UNTOUCHED: PointerFeedback = { isHovered: false, isPressed: false, isBarHovered: false, isDropTarget: false }

/** What the pointer does to the element that has this state. `own`: controls in it do not count. */
export function pointerFeedback(pointed: Pointed | undefined, own = false): PointerFeedback {
  if (!pointed) return UNTOUCHED
  const { hovered, pressed, bar, drop } = pointed
  const isOn = (path: Path | undefined) => path !== undefined && (!own || path.length === 0)
  return {
    isHovered: isOn(hovered),
    isPressed: isOn(pressed),
    isBarHovered: bar?.length === 0,
    isDropTarget: drop?.path.length === 0,
    dropLine: drop?.path.length === 0 ? drop.line : undefined,
    isDropRefused: drop?.path.length === 0 && drop.isRefused === true,
  }
}

/** The state of a child. Undefined if the pointer does nothing there. */
export function pointedBelow(pointed: Pointed | undefined, index: number): Pointed | undefined {
  if (!pointed) return undefined
  const below = (path: Path | undefined) => (path?.[0] === index ? path.slice(1) : undefined)
  const [hovered, pressed, bar] = [below(pointed.hovered), below(pointed.pressed), below(pointed.bar)]
  const path = below(pointed.drop?.path)
  if (!hovered && !pressed && !bar && !path) return undefined
  return {
    ...(hovered && { hovered }),
    ...(pressed && { pressed }),
    ...(bar && { bar }),
    ...(path && { drop: { ...pointed.drop, path } }),
  }
}

export function samePointed(a: Pointed | undefined, b: Pointed | undefined): boolean {
  if (a === b) return true
  if (!a || !b) return false
  return (
    samePath(a.hovered, b.hovered) &&
    samePath(a.pressed, b.pressed) &&
    samePath(a.bar, b.bar) &&
    samePath(a.drop?.path, b.drop?.path) &&
    a.drop?.isRefused === b.drop?.isRefused &&
    sameLine(a.drop?.line, b.drop?.line)
  )
}

const samePath = (a: Path | undefined, b: Path | undefined): boolean =>
  a === b || (a?.length === b?.length && a?.every((index, depth) => b?.[depth] === index) === true)

const sameLine = (a: Rect | undefined, b: Rect | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && sameRect(a, b))

/** The states for which a control has a colour. */
export type InteractionState = 'normal' | 'hovered' | 'pressed' | 'disabled'

/** A colour of each state. */
export type StateColours = Readonly<Record<InteractionState, string>>

/** The state of a control. */
export const stateOf = (isEnabled: boolean, { isHovered, isPressed }: Partial<PointerFeedback>): InteractionState =>
  !isEnabled ? 'disabled' : isPressed ? 'pressed' : isHovered ? 'hovered' : 'normal'
