import { spawnSync } from 'node:child_process'
import { yieldingWork } from '../../../src/base/async.ts'
import type { Rect } from '../../../src/desktop/model/geometry.ts'
import { crop, type Picture, type TextRun } from '../../../src/paint/picture.ts'
import { encodePgm, type GreyImage, toPrintContrast } from '../../../src/perception/print-contrast.ts'

/** The languages that the program `tesseract` of this machine reads. Empty without it. */
export const tesseractLanguages = (): readonly string[] =>
  spawnSync('tesseract', ['--list-langs'], { encoding: 'utf8' }).stdout?.split('\n') ?? []

/** Reads the text of a picture. `mode` is a page segmentation mode of Tesseract. */
export type Reader = (image: GreyImage, language: string, mode: number) => Promise<string>

/** What of a line counts as read: its words or its letters. */
export type PartsOf = (text: string) => readonly string[]

export interface LinesRead {
  readonly all: number
  readonly missed: readonly string[]
}

/** The pixels around a line that are read with it. */
const MARGIN_PX = 10
/** The white pixels between lines on a sheet. */
const GAP_PX = 14
const BLOCK = 6
const LINE = 7
const SPARSE = 11

/** A way to read lines: as people look again, in another order or at another size. */
interface Look {
  readonly mode: typeof BLOCK | typeof LINE | typeof SPARSE
  readonly enlargement: number
  readonly isAlone?: true
}

const LOOKS: readonly Look[] = [
  { mode: BLOCK, enlargement: 1 },
  { mode: SPARSE, enlargement: 1.5 },
  { mode: LINE, enlargement: 1, isAlone: true },
  { mode: LINE, enlargement: 2, isAlone: true },
]

/**
 * Reads the text runs of a picture, by the program `tesseract` unless another reader is given. All lines are read together on a sheet; those with missed parts again
 * in the other looks. A part is read if it was found in any look.
 */
export async function readLines(
  picture: Picture,
  runs: readonly TextRun[],
  language: string,
  partsOf: PartsOf,
  reader: Reader = tesseractProgram,
): Promise<LinesRead> {
  const lines = runs.map(({ text, bounds }) => ({ wanted: partsOf(text), image: cutOut(picture, bounds) }))
  let open = lines.map(({ wanted, image }) => ({ missed: wanted, image })).filter(({ missed }) => missed.length > 0)
  const all = open.reduce((sum, { missed }) => sum + missed.length, 0)
  for (const { mode, enlargement, isAlone } of LOOKS) {
    const prints = await Promise.all(open.map(({ image }) => toPrintContrast(image, enlargement, yieldingWork().pause)))
    const read = async (print: GreyImage) => [...partsOf(await reader(print, language, mode))]
    const together = isAlone ? undefined : await read(sheetOf(prints))
    const still: typeof open = []
    for (const [at, { missed, image }] of open.entries()) {
      const left = without(missed, together ?? (await read(prints[at]!)))
      if (left.length > 0) still.push({ missed: left, image })
    }
    open = still
    if (open.length === 0) break
  }
  return { all, missed: open.flatMap(({ missed }) => missed) }
}

/** The parts that were not found. Each that was found counts once: `found` loses it. */
function without(parts: readonly string[], found: string[]): readonly string[] {
  return parts.filter((part) => {
    const at = found.indexOf(part)
    if (at >= 0) found.splice(at, 1)
    return at < 0
  })
}

const tesseractProgram: Reader = async ({ width, height, pixels }, language, mode) => {
  const options = ['-', '-', '-l', language, '--psm', String(mode), '--dpi', '192']
  const env = { ...process.env, OMP_THREAD_LIMIT: '1' }
  const input = encodePgm({ width, height, pixels })
  const { status, stdout, stderr } = spawnSync('tesseract', options, { input, encoding: 'utf8', env })
  if (status !== 0) throw new Error(`tesseract ended with ${status}: ${stderr}`)
  return stdout
}

/** Lines below each other on white. */
function sheetOf(lines: readonly GreyImage[]): GreyImage {
  const width = Math.max(1, ...lines.map((line) => line.width)) + 2 * GAP_PX
  const height = lines.reduce((sum, line) => sum + line.height + GAP_PX, GAP_PX)
  const pixels = new Uint8Array(width * height).fill(255)
  let top = GAP_PX
  for (const line of lines) {
    for (let row = 0; row < line.height; row++)
      pixels.set(line.pixels.subarray(row * line.width, (row + 1) * line.width), (top + row) * width + GAP_PX)
    top += line.height + GAP_PX
  }
  return { width, height, pixels }
}

/** The part of a picture around a line. */
const cutOut = (picture: Picture, { x, y, width, height }: Rect): Picture =>
  crop(picture, { x: x - MARGIN_PX, y: y - MARGIN_PX, width: width + 2 * MARGIN_PX, height: height + 2 * MARGIN_PX })
