import type { Rect } from '../../desktop/model/geometry.ts'
import { type Mark, solid } from '../frame/mark.ts'

/** The background of a list or table that fills its pane: without a frame, with a line at each side of the pane. */
export const paneFace = (bounds: Rect, fill: string, line: string): readonly Mark[] => [
  solid(bounds, fill),
  solid({ ...bounds, width: 1 }, line),
  solid({ ...bounds, x: bounds.x + bounds.width - 1, width: 1 }, line),
]
