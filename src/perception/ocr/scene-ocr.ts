import { Fault } from '../../base/fault.ts'
import { spanAround, visualLine } from '../../desktop/model/bidi.ts'
import type { TextRun } from '../../paint/picture.ts'
import type { Ocr, Word } from '../perception.ts'

/** Exact text of painted pictures: their text runs, split into words in proportion to their length. */
export const sceneOcr: Ocr = {
  name: 'scene',
  async read(picture) {
    if (!picture.text)
      throw new Fault('PlatformUnsupported', 'this picture was not painted here, so its text is not known')
    return picture.text.flatMap(wordsOf)
  },
}

function wordsOf(run: TextRun, line: number): Word[] {
  const words: Word[] = []
  const perCharacter = run.bounds.width / Math.max(1, run.text.length)
  const placed = visualLine(run.text, (part) => part.length * perCharacter)
  let at = 0
  for (const piece of run.text.split(/(\s+)/)) {
    if (piece.trim() !== '') {
      const x = run.bounds.x + Math.round(spanAround(placed, at, at + piece.length).left)
      const width = Math.max(1, Math.round(piece.length * perCharacter))
      words.push({ text: piece, bounds: { ...run.bounds, x, width }, confidence: 100, line, block: line })
    }
    at += piece.length
  }
  return words
}
