import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Worker } from 'tesseract.js'
import { Fault } from '../base/fault.ts'
import type { Picture } from '../paint/picture.ts'
import type { Ocr, Word } from './perception.ts'
import { enlarged, inverted } from './prepare.ts'

const ENLARGE = 2
/** Sparse text: find as much as possible in no particular order, which fits the words of a screen. */
const PSM_SPARSE = '11'
/** Said rather than guessed, which the engine would tell on standard error. */
const SCREEN_DPI = '192'
const SAME_PLACE = 0.5

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
    const large = enlarged(picture, ENLARGE)
    const dark = await recognise(worker, large)
    const light = await recognise(worker, inverted(large))
    return merged(dark, light)
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

/** The words of both passes, the surer one where both read the same place, from top to bottom. */
function merged(first: readonly Word[], second: readonly Word[]): readonly Word[] {
  const kept: Word[] = []
  const sure = [
    ...first,
    ...second.map((word) => ({ ...word, line: word.line + 100_000, block: word.block + 100_000 })),
  ]
  for (const word of sure.sort((a, b) => b.confidence - a.confidence))
    if (!kept.some((other) => overlap(other, word) > SAME_PLACE)) kept.push(word)
  return kept.sort((a, b) => a.bounds.y - b.bounds.y || a.bounds.x - b.bounds.x)
}

/** The shared area as a part of the smaller box, 0 to 1. */
function overlap({ bounds: a }: Word, { bounds: b }: Word): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  if (width <= 0 || height <= 0) return 0
  return (width * height) / Math.min(a.width * a.height, b.width * b.height)
}
