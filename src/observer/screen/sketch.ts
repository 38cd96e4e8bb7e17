import * as z from 'zod'
import type { WindowInfo } from '../../adapters/computer.ts'
import { type Element, memoize } from '../../desktop/model/element.ts'
import { type Sketch, sketch } from '../../paint/sketch/sketch.ts'
import type { PictureParts } from '../session/parts.ts'

/** The size of a sketch in characters. */
export const SketchSize = z.object({
  grid_width: z.int().min(1).max(400).optional().describe('Width in characters; 72 unless configured'),
  grid_height: z.int().min(1).max(200).optional().describe('Height in characters; 24 unless configured'),
})

/** The window's tree as boxes of characters, in the size asked for or configured. */
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
  const drawn = latestOf(tree)
  const asked = JSON.stringify(options)
  if (drawn.asked !== asked) Object.assign(drawn, { asked, sketch: sketch(tree, options) })
  return drawn.sketch!
}

/** The sketch that was drawn of a tree last, and what was asked for: drawing takes far longer than looking. */
const latestOf = memoize((): { readonly asked?: string; readonly sketch?: Sketch } => ({}))
