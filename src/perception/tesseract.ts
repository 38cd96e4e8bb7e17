import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Worker } from 'tesseract.js'
import { Fault } from '../base/fault.ts'
import type { Picture } from '../paint/picture.ts'
import type { Ocr, Word } from './perception.ts'
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
    return recognise(worker, asPrint(picture, ENLARGE))
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
