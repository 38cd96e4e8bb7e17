import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Worker as Thread } from 'node:worker_threads'
import type { Page } from 'tesseract.js'
import { yieldingWork } from '../base/async.ts'
import { Fault } from '../base/fault.ts'
import { loadOptional } from '../base/optional.ts'
import { SerialQueue } from '../base/serial-queue.ts'
import { centerOf, contains, encloses, type Rect, unite } from '../desktop/model/geometry.ts'
import { type Picture, wordsOf } from '../paint/picture.ts'
import { commonColour } from './colour-names.ts'
import type { Ocr, Word } from './perception.ts'
import { encodePgm, type GreyImage, toPrintContrast } from './print-contrast.ts'

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

/** A larger area of one colour is a background, not a button. */
const MAX_WIDTH_PX = 400
const MAX_HEIGHT_PX = 64
const SAME_COLOUR = 24
const MARGIN = 2
/** A label is centred in its button, or half an icon beside the centre. The text of a field begins at its edge. */
const MAX_HORIZONTAL_OFFSET_PX = 24
const MAX_VERTICAL_OFFSET_PX = 6

/**
 * Gives a label that stands alone on an area of one colour the box of that area, its button: the centre is the click
 * target, also when the button has an icon.
 */
export async function expandToButtons(
  picture: Picture,
  words: readonly Word[],
  pause: () => Promise<void> | undefined = () => undefined,
): Promise<readonly Word[]> {
  const onPlate = (word: Word): Word => {
    const line = words.filter((other) => other.line === word.line && other.block === word.block)
    const plate = plateOf(picture, word.bounds, line)
    if (!plate) return word
    const others = words.filter(({ bounds }) => contains(plate, centerOf(bounds)))
    return others.every((other) => line.includes(other)) ? { ...word, bounds: plate } : word
  }
  const found: Word[] = []
  for (const word of words) {
    found.push(onPlate(word))
    await pause()
  }
  return found
}

/** The box of the connected area in the colour around a text. Undefined for a background. */
function plateOf(picture: Picture, text: Rect, line: readonly Word[]): Rect | undefined {
  const { width, height } = picture
  const pixels = wordsOf(picture.pixels())
  const [red, green, blue] = commonColour(picture, {
    x: text.x - MARGIN,
    y: text.y - MARGIN,
    width: text.width + 2 * MARGIN,
    height: text.height + 2 * MARGIN,
  })
  const isFill = (at: number): boolean => {
    const pixel = pixels[at]!
    const far = Math.max(
      Math.abs((pixel & 0xff) - red),
      Math.abs(((pixel >> 8) & 0xff) - green),
      Math.abs(((pixel >> 16) & 0xff) - blue),
    )
    return far <= SAME_COLOUR
  }
  const start = seedIn(text, width, isFill)
  if (start === undefined) return undefined
  let [left, right, top, bottom] = [width, -1, height, -1]
  const seen = new Set([start])
  const waiting = [start]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const x = at % width
    const y = (at - x) / width
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
    if (right - left >= MAX_WIDTH_PX || bottom - top >= MAX_HEIGHT_PX) return undefined
    for (const next of [x > 0 ? at - 1 : at, x < width - 1 ? at + 1 : at, at - width, at + width])
      if (next >= 0 && next < pixels.length && !seen.has(next) && isFill(next)) {
        seen.add(next)
        waiting.push(next)
      }
  }
  const plate = { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
  const label = line.map(({ bounds }) => bounds).filter((bounds) => encloses(plate, bounds))
  return encloses(plate, text) && isCentred(label.reduce(unite, text), plate) ? plate : undefined
}

function isCentred(text: Rect, plate: Rect): boolean {
  const [inner, outer] = [centerOf(text), centerOf(plate)]
  return (
    Math.abs(inner.x - outer.x) <= MAX_HORIZONTAL_OFFSET_PX && Math.abs(inner.y - outer.y) <= MAX_VERTICAL_OFFSET_PX
  )
}

function seedIn(text: Rect, width: number, isFill: (at: number) => boolean): number | undefined {
  for (let y = text.y; y < text.y + text.height; y++)
    for (let x = Math.max(0, text.x); x < Math.min(width, text.x + text.width); x++)
      if (isFill(y * width + x)) return y * width + x
  return undefined
}
