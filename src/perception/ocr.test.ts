import { expect, it } from 'vitest'
import { button, desktop, edit, text, window } from '../desktop/builders.ts'
import { centerOf, contains, type Rect } from '../desktop/geometry.ts'
import { createPainter } from '../paint/painter.ts'
import { fromPixels, type Picture } from '../paint/picture.ts'
import { onPlates } from './plate.ts'
import { sceneOcr } from './scene.ts'
import { tesseractOcr } from './tesseract.ts'

// Rules such as [R1] are stated in SPEC.md beside this file.

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

/** The same pixels, without what is known of their text. */
const unknown = (picture: Picture) => fromPixels(picture.width, picture.height, picture.pixels())

const boxOf = (words: readonly { text: string; bounds: Rect }[], word: string) =>
  words.find(({ text: read }) => read === word)?.bounds

it('[R1] reads a painted picture exactly, word by word', async () => {
  const words = await sceneOcr.read(login())
  expect(words.map((word) => word.text)).toEqual(expect.arrayContaining(['Welcome', 'back', 'alice', 'Continue']))
  expect(new Set(words.map(({ confidence }) => confidence))).toEqual(new Set([100]))
})

it('[R2] refuses a picture of unknown origin', async () => {
  await expect(sceneOcr.read(unknown(login()))).rejects.toMatchObject({ code: 'PlatformUnsupported' })
})

it('[R3] [R4] [R15] reads dark and light text of a picture of unknown origin, two at once in turn', async () => {
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

it('[R16] a label has its button as its box, the text of a field its own', async () => {
  const picture = login()
  const exact = await sceneOcr.read(picture)
  const words = onPlates(picture, exact)
  expect(boxOf(words, 'Continue')).toEqual({ x: 16, y: 120, width: 328, height: 28 })
  expect(boxOf(words, 'alice')).toEqual(boxOf(exact, 'alice'))
})
