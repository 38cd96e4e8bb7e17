import type { Rect } from '../../desktop/model/geometry.ts'
import type { Mark } from './mark.ts'

/** The marks up to this size are lines, which have the same width wherever they are. */
const MAX_LINE_PX = 3

const FILLED: ReadonlySet<Mark['look']['kind']> = new Set<Mark['look']['kind']>(['flat', 'box', 'face', 'wash'])

/** Whether the lines among some marks are at the upper or left edge of another mark, not at its end. */
export interface LineEdges {
  readonly isAtTop: boolean
  readonly isAtLeft: boolean
}

/** Whether a mark is so thin that it is a line. */
export const isLine = ({ ink, look }: Mark): boolean =>
  (look.kind === 'flat' || look.kind === 'box') && Math.min(ink.width, ink.height) <= MAX_LINE_PX

/** The edges that a line keeps when it is scaled: those of the areas that it is in, otherwise its end. */
export function lineEdges({ ink }: Mark, among: readonly Mark[]): LineEdges {
  const areas = among.filter(({ look, ink: area }) => FILLED.has(look.kind) && overlaps(area, ink))
  return {
    isAtTop: areas.some((area) => area.ink.y === ink.y && area.ink.height > ink.height),
    isAtLeft: areas.some((area) => area.ink.x === ink.x && area.ink.width > ink.width),
  }
}

const overlaps = (a: Rect, b: Rect): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** The place of a line in pixels of the screen: as thick as its scale says, at the edge that it keeps. */
export function lineRect(ink: Rect, place: Rect, ratio: number, edges: LineEdges, mirrored: boolean): Rect {
  const [width, height] = [sizeOf(ink.width, place.width, ratio), sizeOf(ink.height, place.height, ratio)]
  const isAtStart = edges.isAtLeft !== mirrored
  return {
    x: isAtStart ? place.x : place.x + place.width - width,
    y: edges.isAtTop ? place.y : place.y + place.height - height,
    width,
    height,
  }
}

const sizeOf = (size: number, scaled: number, ratio: number): number =>
  size > 0 && size <= MAX_LINE_PX ? Math.max(1, Math.round(size * ratio)) : scaled
