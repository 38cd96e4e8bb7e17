import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Worker } from 'tesseract.js'
import { Fault } from '../base/fault.ts'
import { unite } from '../desktop/geometry.ts'
import type { Picture } from '../paint/picture.ts'
import type { Ocr, Word } from './perception.ts'
import { onPlates } from './plate.ts'
import { asPrint } from './prepare.ts'

const ENLARGE = 2
/** Sparse text: find as much as possible in no particular order, which fits the words of a screen. */
const PSM_SPARSE = '11'
/** Said rather than guessed, which the engine would tell on standard error. */
const SCREEN_DPI = '192'

export interface TesseractOcr extends Ocr {
  close(): Promise<void>
}

/**
 * Reading pictures whose text nobody knows, with language data that comes from an npm package, so that it works
 * offline. The engine starts with the first picture; one picture is read at a time.
 */
export function tesseractOcr(): TesseractOcr {
  let started: Promise<Worker> | undefined
  let turn: Promise<unknown> = Promise.resolve()

  const read = async (picture: Picture): Promise<readonly Word[]> => {
    started ??= startWorker()
    const worker = await started
    return onPlates(picture, withoutMarks(await recognise(worker, asPrint(picture, ENLARGE))))
  }

  return {
    name: 'tesseract',
    read: (picture) => {
      const words = turn.then(() => read(picture))
      turn = words.catch(() => {})
      return words
    },
    close: async () => {
      await (await started)?.terminate()
      started = undefined
    },
  }
}

async function startWorker(): Promise<Worker> {
  try {
    const { createWorker, OEM } = await import('tesseract.js')
    const data = dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json'))
    const worker = await createWorker('eng', OEM.LSTM_ONLY, {
      langPath: join(data, '4.0.0_best_int'),
      cacheMethod: 'none',
      gzip: true,
    })
    await worker.setParameters({ tessedit_pageseg_mode: PSM_SPARSE as never, user_defined_dpi: SCREEN_DPI })
    return worker
  } catch (error) {
    throw new Fault('PlatformUnsupported', `text recognition cannot start: ${(error as Error).message}`)
  }
}

async function recognise(worker: Worker, picture: Picture): Promise<readonly Word[]> {
  const { data } = await worker.recognize(Buffer.from(await picture.png()), {}, { blocks: true, text: false })
  let line = 0
  return (data.blocks ?? []).flatMap((block, number) =>
    block.paragraphs.flatMap((paragraph) =>
      paragraph.lines.flatMap(({ words }) => {
        line++
        return words.map(({ text, confidence, bbox }) => ({
          text,
          confidence,
          bounds: {
            x: Math.round(bbox.x0 / ENLARGE),
            y: Math.round(bbox.y0 / ENLARGE),
            width: Math.max(1, Math.round((bbox.x1 - bbox.x0) / ENLARGE)),
            height: Math.max(1, Math.round((bbox.y1 - bbox.y0) / ENLARGE)),
          },
          line,
          block: number,
        }))
      }),
    ),
  )
}

/** Beside a word, what is this unsure and this short is an icon or the rest of a frame. */
const MARK_CONFIDENCE = 60
const MARK_CHARACTERS = 2
/** How far a mark stands from its word at most, as a share of the word's height. */
const MARK_GAP = 1.5

/** The words without the icons that the engine took for letters; the box of an icon goes to the word it stands beside. */
function withoutMarks(words: readonly Word[]): readonly Word[] {
  const kept: Word[] = []
  let mark: Word | undefined
  for (const word of words) {
    if (isMark(word)) {
      const last = kept.at(-1)
      if (last && belongs(word, last)) kept[kept.length - 1] = { ...last, bounds: unite(last.bounds, word.bounds) }
      else mark = word
      continue
    }
    kept.push(mark && belongs(mark, word) ? { ...word, bounds: unite(mark.bounds, word.bounds) } : word)
    mark = undefined
  }
  return kept
}

const isMark = ({ text, confidence }: Word): boolean =>
  /^[^\p{L}\p{N}]$/u.test(text) || (confidence < MARK_CONFIDENCE && [...text].length <= MARK_CHARACTERS)

function belongs(mark: Word, word: Word): boolean {
  const [left, right] = [mark.bounds, word.bounds].toSorted((one, other) => one.x - other.x)
  return mark.line === word.line && right!.x - left!.x - left!.width <= MARK_GAP * word.bounds.height
}
