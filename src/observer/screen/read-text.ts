import { Fault } from '../../base/fault.ts'
import { unite } from '../../desktop/model/geometry.ts'
import type { Picture } from '../../paint/picture.ts'
import type { Word } from '../../perception/perception.ts'
import type { PictureParts } from '../session/parts.ts'

/** The words of a picture above the minimum confidence, redacted. Throws `PlatformUnsupported` without text recognition. */
export async function readText(context: PictureParts, picture: Picture): Promise<readonly Word[]> {
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
