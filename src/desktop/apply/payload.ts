import { hitTest } from '../hit.ts'
import type { Desktop } from '../model/desktop.ts'
import type { Element, Path } from '../model/element.ts'
import type { Point, Rect } from '../model/geometry.ts'
import { roleKind } from '../model/role.ts'
import type { DragEdge, DropScale, ValuePlace } from '../model/traits.ts'
import { closest, type ElementRef, parentOf } from '../tree/element-ref.ts'

/** Drags of elements with `drag` to elements with `accept`: what is dragged, and where it would be dropped. */

/** What a drag from an element would drop at a point. */
export interface PayloadDrop {
  readonly kind: string
  /** The element that is dragged: the one with `drag`, or the row of a table or list with it. */
  readonly dragged: ElementRef
  /** What accepts it there; what refuses it, if nothing accepts it. Undefined where neither is. */
  readonly target: ElementRef | undefined
  readonly isAccepted: boolean
  /** The edge of the element that is dragged, if not the whole element is. */
  readonly edge: DragEdge | undefined
  /** The values of the place in the scales of the target. */
  readonly x: number | undefined
  readonly y: number | undefined
  /** The item of the target before which it would be. Undefined at the end. */
  readonly before: Element | undefined
  /** Where it would be among the items of the target: a line without height or width. Undefined if there are none. */
  readonly line: Rect | undefined
}

/** The pixels at an edge that drag the edge. */
const EDGE_PX = 8

/** Whether a press on an element can drag it, or an element around it, to what accepts it. */
export const hasPayload = (ref: ElementRef): boolean =>
  closest(ref, ({ traits }) => traits?.drag !== undefined) !== undefined

/**
 * What a drag that pressed an element at `from` would drop at `at`. Undefined if the element, and those around it, have no
 * `drag`. `over` is the element below the point if it is known.
 */
export function payloadDropAt(
  desktop: Desktop,
  pressed: ElementRef,
  from: Point,
  at: Point,
  over?: ElementRef,
): PayloadDrop | undefined {
  const holder = closest(pressed, ({ traits }) => traits?.drag !== undefined)
  const dragged = holder && draggedIn(holder, pressed)
  const { kind, edges } = holder?.element.traits?.drag ?? { kind: undefined, edges: undefined }
  if (!dragged || kind === undefined) return undefined
  const hit = over ?? hitTest(desktop, at)
  const target = hit && 'element' in hit ? targetAbove(hit, dragged, kind) : undefined
  const isAccepted = target?.element.traits?.accept?.kinds.includes(kind) === true
  const edge = edges?.find((each) => isAtEdge(dragged.element.bounds, each, from))
  const place = target && isAccepted ? placeIn(target, dragged, kind, at) : undefined
  const { x, y } = target?.element.traits?.accept ?? {}
  const shift = edge === undefined && isWithin(target, dragged) ? dragged.element.bounds : undefined
  const bounds = target?.element.bounds
  const size = (shift && dragged.element.place?.at) ?? NO_SIZE
  return {
    kind,
    dragged,
    target,
    isAccepted,
    edge,
    x: x && bounds && valueAtPixel(x, at.x - bounds.x, shift ? from.x - shift.x : 0, bounds.width, size.width),
    y: y && bounds && valueAtPixel(y, at.y - bounds.y, shift ? from.y - shift.y : 0, bounds.height, size.height),
    before: place?.before,
    line: place?.line,
  }
}

/** The element itself, or of a table or list with records the row in which the press was. */
function draggedIn(holder: ElementRef, pressed: ElementRef): ElementRef | undefined {
  if (!holdsRows(holder.element)) return holder
  const index = pressed.path[holder.path.length]
  const row = index === undefined ? undefined : holder.element.children[index]
  if (!row || !isRow(row)) return undefined
  return { ...holder, path: [...holder.path, index!], element: row }
}

const holdsRows = ({ traits }: Element): boolean => traits?.grid !== undefined || traits?.rows !== undefined
const isRow = ({ role, id }: Element): boolean =>
  (roleKind(role) === 'row' || roleKind(role) === 'listitem') && id.includes('.row-')

/** The nearest element that accepts a kind, otherwise the nearest that accepts others. Not the dragged one, or one in it. */
function targetAbove(hit: ElementRef, dragged: ElementRef, kind: string): ElementRef | undefined {
  let refusing: ElementRef | undefined
  for (let ref: ElementRef | undefined = hit; ref; ref = parentOf(ref)) {
    const { accept } = ref.element.traits ?? {}
    if (!accept || isInside(ref, dragged)) continue
    if (accept.kinds.includes(kind)) return ref
    refusing ??= ref
  }
  return refusing
}

const startsWith = (path: Path, start: Path): boolean => start.every((index, depth) => path[depth] === index)

/** Whether an element is the other one, or in it. */
const isInside = (ref: ElementRef, other: ElementRef): boolean =>
  ref.window.uid === other.window.uid && startsWith(ref.path, other.path)

/** Whether a dragged element is in the same kind of place already, so that it is moved by the way of the pointer. */
const isWithin = (target: ElementRef | undefined, dragged: ElementRef): boolean => {
  const scale = target?.element.traits?.accept
  const around = closest(dragged, ({ traits }) => traits?.accept?.y !== undefined || traits?.accept?.x !== undefined)
  return scale !== undefined && around !== undefined
}

function isAtEdge({ x, y, width, height }: Rect, edge: DragEdge, at: Point): boolean {
  switch (edge) {
    case 'top':
      return at.y < y + EDGE_PX
    case 'bottom':
      return at.y >= y + height - EDGE_PX
    case 'left':
      return at.x < x + EDGE_PX
    case 'right':
      return at.x >= x + width - EDGE_PX
  }
}

const NO_SIZE: ValuePlace = {}

/**
 * The value of a scale at the pointer, rounded to its step: of the cell below it, or of the start of what is dragged, which is
 * `before` it and keeps its size within the scale.
 */
function valueAtPixel(
  { from, to, step = 1, cells = false }: DropScale,
  pointer: number,
  before: number,
  length: number,
  size = 0,
): number {
  const value = length === 0 ? from : from + ((cells ? pointer : pointer - before) / length) * (to - from)
  const steps = (value - from) / step
  const rounded = from + (cells ? Math.floor(steps) : Math.round(steps)) * step
  const last = Math.max(from, to - (cells ? Math.max(size, step) : size))
  return Math.max(from, Math.min(last, Number(rounded.toFixed(9))))
}

/** The place of a drop among the items of a target that may be dragged like it. */
function placeIn(
  target: ElementRef,
  dragged: ElementRef,
  kind: string,
  at: Point,
): Pick<PayloadDrop, 'before' | 'line'> {
  const isOther = (element: Element) => dragged.window.uid !== target.window.uid || element.id !== dragged.element.id
  const items = itemsIn(target.element, kind).filter(isOther)
  if (items.length === 0) return { before: undefined, line: undefined }
  const isRowOfItems =
    items.length > 1 && items.every(({ bounds }) => bounds.y < items[0]!.bounds.y + items[0]!.bounds.height)
  const isAfter = ({ bounds: { x, y, width, height } }: Element) =>
    isRowOfItems ? at.x <= x + width / 2 : at.y <= y + height / 2
  const before = items.find(isAfter)
  const { bounds } = before ?? items.at(-1)!
  const { x, y, width, height } = bounds
  return {
    before,
    line: isRowOfItems
      ? { x: before ? x : x + width, y, width: 0, height }
      : { x, y: before ? y : y + height, width, height: 0 },
  }
}

function itemsIn(element: Element, kind: string): readonly Element[] {
  if (holdsRows(element)) return element.children.filter(isRow)
  return element.children.flatMap((child) =>
    child.traits?.drag?.kind === kind ? [child] : child.traits?.accept ? [] : itemsIn(child, kind),
  )
}
