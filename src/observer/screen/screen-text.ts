import * as z from 'zod'
import type { WindowInfo } from '../../adapters/computer.ts'
import { Fault } from '../../base/fault.ts'
import { type Element, memoize } from '../../desktop/model/element.ts'
import { unite } from '../../desktop/model/geometry.ts'
import type { Picture } from '../../paint/picture.ts'
import { type Sketch, sketch } from '../../paint/sketch/sketch.ts'
import type { Word } from '../../perception/perception.ts'
import type { PictureContext } from '../desktop-context.ts'

/** The words of a picture above the minimum confidence, redacted. Throws `PlatformUnsupported` without text recognition. */
export async function readText(context: PictureContext, picture: Picture): Promise<readonly Word[]> {
  const { ocr } = context.perception
  if (!context.settings.ocr.enabled) throw new Fault('PlatformUnsupported', 'OCR is switched off (ocr.enabled = false)')
  if (!ocr) throw new Fault('PlatformUnsupported', 'no text recognition is installed for this desktop')
  const words = redactWords(await ocr.read(picture), context.redaction.text)
  return words.filter(({ confidence }) => confidence >= context.settings.ocr.min_confidence)
}

/** Redacts words. Several words of a line that match together are merged into one. */
function redactWords(words: readonly Word[], hide: (text: string) => string): readonly Word[] {
  const shown: Word[] = []
  for (const word of words) {
    shown.push({ ...word, text: hide(word.text) })
    let text = ''
    for (let from = shown.length - 1; from >= 0 && isSameLine(shown[from]!, word); from--) {
      text = `${shown[from]!.text} ${text}`.trimEnd()
      if (hide(text) === text) continue
      const merged = shown.splice(from)
      shown.push({ ...merged[0]!, text: hide(text), bounds: merged.map(({ bounds }) => bounds).reduce(unite) })
      break
    }
  }
  return shown
}

const isSameLine = (a: Word, b: Word): boolean => a.block === b.block && a.line === b.line

/** The size of a sketch in characters. */
export const SketchSize = z.object({
  grid_width: z.int().min(1).max(400).optional().describe('Width in characters; 72 by default'),
  grid_height: z.int().min(1).max(200).optional().describe('Height in characters; 24 by default'),
})

/** Draws the tree of a window as boxes of characters, in the requested or configured size. */
export function drawSketch(
  context: PictureContext,
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
