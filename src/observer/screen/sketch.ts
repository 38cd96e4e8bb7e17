import * as z from 'zod'
import type { WindowInfo } from '../../adapters/computer.ts'
import { type Element, memoize } from '../../desktop/model/element.ts'
import { type Sketch, sketch } from '../../paint/sketch/sketch.ts'
import type { PictureParts } from '../session/parts.ts'

/** The size of a sketch in characters. */
export const SketchSize = z.object({
  grid_width: z.int().min(1).max(400).optional().describe('Width in characters; 72 by default'),
  grid_height: z.int().min(1).max(200).optional().describe('Height in characters; 24 by default'),
})

/** Draws the tree of a window as boxes of characters, in the requested or configured size. */
export function drawSketch(
  context: PictureParts,
  window: WindowInfo,
  tree: Element,
  grid: z.infer<typeof SketchSize>,
): Sketch {
  const { grid_width, grid_height, unicode_box } = context.settings.ascii_sketch
  const options = {
    width: grid.grid_width ?? grid_width,
    height: grid.grid_height ?? grid_height,
    reference: window.bounds,
    unicode: unicode_box,
  }
  const latest = latestOf(tree)
  const key = JSON.stringify(options)
  if (latest.key !== key) Object.assign(latest, { key, sketch: sketch(tree, options) })
  return latest.sketch!
}

/** The latest sketch of a tree and its options. Drawing takes far longer than a lookup. */
const latestOf = memoize((): { readonly key?: string; readonly sketch?: Sketch } => ({}))
