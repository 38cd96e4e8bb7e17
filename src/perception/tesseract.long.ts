import { expect, it } from 'vitest'
import { button, desktop, edit, text, window } from '../desktop/model/builders.ts'
import { centerOf, contains, type Rect } from '../desktop/model/geometry.ts'
import { createPainter } from '../paint/painter.ts'
import { fromPixels, type Picture } from '../paint/picture.ts'
import { sceneOcr } from './scene-index.ts'
import { expandToButtons, type OcrEngine, openEngine, scaleFor, tesseractOcr } from './tesseract.ts'

// Rules such as [PC1] are stated in SPEC.md beside this file.

const login = () =>
  createPainter().window(
    desktop(
      window(
        'Login',
        { uid: 'w', bounds: { x: 0, y: 0, width: 360, height: 220 } },
        text('Welcome back'),
        edit('Username', { value: 'alice' }),
        button('Continue', { traits: { presses: 'enter' } }),
      ),
    ),
    'w',
  )

/** The same pixels without the known text. */
const unknown = (picture: Picture) => fromPixels(picture.width, picture.height, picture.pixels())

const boxOf = (words: readonly { text: string; bounds: Rect }[], word: string) =>
  words.find(({ text: read }) => read === word)?.bounds

it('[PC1] reads a painted picture exactly, word by word', async () => {
  const words = await sceneOcr.read(login())
  expect(words.map((word) => word.text)).toEqual(expect.arrayContaining(['Welcome', 'back', 'alice', 'Continue']))
  expect(new Set(words.map(({ confidence }) => confidence))).toEqual(new Set([100]))
})

it('[PC2] places the words of a line with both directions as they are seen', async () => {
  const picture = createPainter().window(
    desktop(window('Mixed', { uid: 'w', bounds: { x: 0, y: 0, width: 360, height: 220 } }, text('البريد Mail الوارد'))),
    'w',
  )
  const words = await sceneOcr.read(picture)
  const left = (word: string) => words.find((each) => each.text === word)!.bounds.x
  expect(left('الوارد')).toBeLessThan(left('Mail'))
  expect(left('Mail')).toBeLessThan(left('البريد'))
})

it('[PC5] refuses a picture of unknown origin', async () => {
  await expect(sceneOcr.read(unknown(login()))).rejects.toMatchObject({ code: 'PlatformUnsupported' })
})

it('[PC6] [PC7] [PC8] reads dark and light text of pictures of unknown origin, one after the other', async () => {
  const ocr = tesseractOcr()
  try {
    const picture = login()
    const [words, again] = await Promise.all([ocr.read(unknown(picture)), ocr.read(unknown(picture))])
    expect(again).toEqual(words)
    const exact = await sceneOcr.read(picture)
    for (const word of ['Welcome', 'back', 'alice'])
      expect({
        word,
        found: contains(boxOf(exact, word)!, centerOf(boxOf(words, word) ?? { x: -9, y: -9, width: 0, height: 0 })),
      }).toEqual({ word, found: true })
    expect(words.map(({ text: read }) => read).join(' ')).toContain('Continue')
  } finally {
    await ocr.close()
  }
}, 60_000)

it('[PC9] gives a label the box of its button, and the text of a field its own', async () => {
  const picture = login()
  const exact = await sceneOcr.read(picture)
  const words = await expandToButtons(picture, exact)
  expect(boxOf(words, 'Continue')).toEqual({ x: 16, y: 120, width: 328, height: 28 })
  expect(boxOf(words, 'alice')).toEqual(boxOf(exact, 'alice'))
})

const blank = (width: number, height: number): Picture =>
  fromPixels(width, height, new Uint8Array(width * height * 4).fill(255))

/** An engine with the given `read`, and a record of its use. */
function engines(read: OcrEngine['read']) {
  const used = { opened: 0, closed: 0, sizes: [] as string[] }
  const open = async (): Promise<OcrEngine> => {
    used.opened++
    return {
      read: (file) => {
        used.sizes.push(file.toString('latin1', 3, file.indexOf('\n', 3)))
        return read(file)
      },
      close: async () => {
        used.closed++
      },
    }
  }
  return { used, open }
}

const EMPTY = { blocks: [] } as unknown as Awaited<ReturnType<OcrEngine['read']>>

it('[PC11] reports a failing engine as a fault of that reading, and starts another for the next picture', async () => {
  let turn = 0
  const { used, open } = engines(() =>
    turn++ === 0 ? Promise.reject('SyntaxError: Unexpected end') : Promise.resolve(EMPTY),
  )
  const ocr = tesseractOcr(open)
  const [first, second] = await Promise.allSettled([ocr.read(blank(9, 9)), ocr.read(blank(9, 9))])
  expect(first).toMatchObject({
    reason: { code: 'PlatformUnsupported', message: expect.stringContaining('Unexpected end') },
  })
  expect(second).toEqual({ status: 'fulfilled', value: [] })
  expect(used).toMatchObject({ opened: 2, closed: 1 })
})

it('[PC11] retries an engine that cannot start', async () => {
  let tries = 0
  const { open } = engines(async () => EMPTY)
  const ocr = tesseractOcr(() => (tries++ === 0 ? Promise.reject(new Error('no memory')) : open()))
  await expect(ocr.read(blank(9, 9))).rejects.toThrow('no memory')
  expect(await ocr.read(blank(9, 9))).toEqual([])
})

it('[PC11] reports a thread that ends while it reads as a fault', async () => {
  const engine = await openEngine()
  const reading = engine.read(Buffer.from('P5\n1000 1000\n255\n'.padEnd(1_000_020, ' ')))
  await engine.close()
  await expect(reading).rejects.toThrow('the engine ended')
})

it('[PC12] enlarges a picture twice, and a large one up to the limit of the engine', async () => {
  const { used, open } = engines(async () => EMPTY)
  const ocr = tesseractOcr(open)
  await ocr.read(blank(640, 40))
  await ocr.read(blank(40_000, 1))
  expect(used.sizes).toEqual(['1280 80', '30000 1'])
  const read = (width: number, height: number) => Math.round(scaleFor({ width, height }) * 100) / 100
  expect([read(3840, 2160), read(8000, 4500), read(15_360, 2880), read(16_384, 20)]).toEqual([2, 1, 0.9, 1.83])
})

it('[PC13] refuses pictures when too many are waiting', async () => {
  const ocr = tesseractOcr(engines(async () => EMPTY).open)
  const large = { ...blank(1, 1), width: 10_000, height: 6000, pixels: () => new Uint8Array(0) }
  const broken = {
    ...large,
    pixels: () => {
      throw new Error('not read')
    },
  }
  const [first, second] = await Promise.allSettled([ocr.read(broken), ocr.read(large)])
  expect(first).toMatchObject({ reason: { message: 'not read' } })
  expect(second).toMatchObject({ reason: { code: 'Busy' } })
})

it('[PC14] runs other work while it prepares a picture', async () => {
  const ocr = tesseractOcr(engines(async () => EMPTY).open)
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await ocr.read(blank(900, 700))
  isOver = true
  expect(turns).toBeGreaterThan(3)
})
