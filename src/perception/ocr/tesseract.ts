import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Worker as Thread } from 'node:worker_threads'
import type { Page } from 'tesseract.js'
import { Fault } from '../../base/fault.ts'
import { loadOptional } from '../../base/optional.ts'
import { SerialQueue } from '../../base/serial-queue.ts'
import { yieldingWork } from '../../base/yielding.ts'
import { unite } from '../../desktop/model/geometry.ts'
import type { Picture } from '../../paint/picture.ts'
import type { Ocr, Word } from '../perception.ts'
import { expandToButtons } from './button-bounds.ts'
import { encodePgm, type GreyImage, toPrintContrast } from './prepare.ts'

/** The enlargement of a picture, unless it would exceed what the engine reads in acceptable time. */
const MAX_ENLARGEMENT = 2
const MAX_READ_PIXELS = 36_000_000
/** The engine counts pixels along a side in 16 bits. */
const MAX_READ_SIDE_PX = 30_000
/** Sparse text: find as much as possible in any order, which suits the words of a screen. */
const PSM_SPARSE = '11'
/** Set explicitly, because the engine reports a guess on standard error. */
const SCREEN_DPI = '192'
/** The total over all pictures that wait to be read. */
const MAX_WAITING_PIXELS = 100_000_000
const MAX_READING_MS = 120_000

export interface TesseractOcr extends Ocr {
  close(): Promise<void>
}

/**
 * Reads pictures of unknown text. Its language data comes from an npm package, so it works offline. The engine starts with
 * the first picture, in its own thread, and reads one picture at a time. When the engine fails, that reading throws a
 * fault and the next picture starts another engine.
 */
export function tesseractOcr(open: () => Promise<OcrEngine> = openEngine): TesseractOcr {
  let started: Promise<OcrEngine> | undefined
  const reading = new SerialQueue()
  let waiting = 0

  const read = async (picture: Picture): Promise<readonly Word[]> => {
    const { pause } = yieldingWork()
    const times = scaleFor(picture)
    const print = await toPrintContrast(picture, times, pause)
    started ??= open()
    try {
      const engine = await started
      return await expandToButtons(picture, withoutMarks(await recognise(engine, print, times)), pause)
    } catch (thrown) {
      await end()
      throw thrown
    }
  }

  const end = async (): Promise<void> => {
    const ended = started
    started = undefined
    await ended?.then((engine) => engine.close()).catch(() => {})
  }

  return {
    name: 'tesseract',
    read: (picture) => {
      const pixels = picture.width * picture.height
      if (waiting > 0 && waiting + pixels > MAX_WAITING_PIXELS)
        return Promise.reject(new Fault('Busy', 'too many pictures are waiting to be read; try again later'))
      waiting += pixels
      return reading
        .run(() => read(picture))
        .finally(() => {
          waiting -= pixels
        })
    },
    close: end,
  }
}

/** The best size for reading, up to the limit of the engine. */
export const scaleFor = ({ width, height }: Pick<Picture, 'width' | 'height'>): number =>
  Math.min(MAX_ENLARGEMENT, Math.sqrt(MAX_READ_PIXELS / (width * height)), MAX_READ_SIDE_PX / Math.max(width, height))

/** Tesseract in its own thread. */
export interface OcrEngine {
  /** Reads the text of a picture file. Rejects when the engine fails or its thread ends. */
  read(file: Buffer): Promise<Page>
  close(): Promise<unknown>
}

const loadTesseract = () =>
  loadOptional('ocr', async () => ({
    ...(await import('tesseract.js')),
    data: dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')),
  }))

/** Starts an engine. Throws `PlatformUnsupported` when it cannot start, or when an optional package is not installed. */
export async function openEngine(load = loadTesseract): Promise<OcrEngine> {
  const { createWorker, OEM, data } = await load()
  const thread = nextThread()
  try {
    const failed = failureOf(thread)
    const starting = createWorker('eng', OEM.LSTM_ONLY, {
      langPath: join(data, '4.0.0_best_int'),
      cacheMethod: 'none',
      gzip: true,
      // Otherwise a failed reading is also thrown a second time, uncaught.
      errorHandler: () => {},
    })
    const worker = await Promise.race([starting, failed])
    await worker.setParameters({ tessedit_pageseg_mode: PSM_SPARSE as never, user_defined_dpi: SCREEN_DPI })
    return {
      read: async (file) => {
        const page = worker.recognize(file, {}, { blocks: true, text: false })
        return (await Promise.race([page, failed, tooLate()])).data
      },
      close: async () => (await thread).terminate(),
    }
  } catch (error) {
    void thread.then((found) => found.terminate())
    throw new Fault(
      'PlatformUnsupported',
      `text recognition cannot start: ${String((error as Error)?.message ?? error)}`,
    )
  }
}

/** The thread that is being started. The library does not expose it until it is ready. */
const nextThread = (): Promise<Thread> => new Promise((resolve) => process.once('worker', resolve))

/** Rejects when the thread ends or throws, which would otherwise end the process. */
function failureOf(thread: Promise<Thread>): Promise<never> {
  const failed = thread.then(
    (found) =>
      new Promise<never>((_, reject) => {
        found.on('error', reject)
        found.on('exit', (code) => reject(new Error(`the engine ended with code ${code}`)))
      }),
  )
  failed.catch(() => {})
  return failed
}

const tooLate = (): Promise<never> =>
  new Promise((_, reject) => {
    const late = () => reject(new Fault('Timeout', `the picture could not be read in ${MAX_READING_MS} ms`))
    setTimeout(late, MAX_READING_MS).unref()
  })

async function recognise(engine: OcrEngine, print: GreyImage, times: number): Promise<readonly Word[]> {
  const { blocks } = await engine.read(encodePgm(print)).catch((thrown: unknown) => {
    if (thrown instanceof Fault) throw thrown
    const reason = String((thrown as Error | undefined)?.message ?? thrown)
    throw new Fault('PlatformUnsupported', `text recognition failed on this picture: ${reason}`)
  })
  let line = 0
  return (blocks ?? []).flatMap((block, number) =>
    block.paragraphs.flatMap((paragraph) =>
      paragraph.lines.flatMap(({ words }) => {
        line++
        return words.map(({ text, confidence, bbox }) => ({
          text,
          confidence,
          bounds: {
            x: Math.round(bbox.x0 / times),
            y: Math.round(bbox.y0 / times),
            width: Math.max(1, Math.round((bbox.x1 - bbox.x0) / times)),
            height: Math.max(1, Math.round((bbox.y1 - bbox.y0) / times)),
          },
          line,
          block: number,
        }))
      }),
    ),
  )
}

/** Next to a word, a mark of this confidence and length is an icon or a piece of a frame. */
const MIN_WORD_CONFIDENCE = 60
const MAX_MARK_CHARACTERS = 2
/** The largest distance of a mark from its word, as a share of the word's height. */
const MAX_MARK_GAP = 1.5

/** Removes icons that the engine read as letters. The adjacent word receives the box of the icon. */
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
  /^[^\p{L}\p{N}]$/u.test(text) || (confidence < MIN_WORD_CONFIDENCE && [...text].length <= MAX_MARK_CHARACTERS)

function belongs(mark: Word, word: Word): boolean {
  const [left, right] = [mark.bounds, word.bounds].toSorted((one, other) => one.x - other.x)
  return mark.line === word.line && right!.x - left!.x - left!.width <= MAX_MARK_GAP * word.bounds.height
}
