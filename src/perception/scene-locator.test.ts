import { expect, it } from 'vitest'
import { button, desktop, edit, text, window } from '../desktop/model/builders.ts'
import { centerOf, type Rect } from '../desktop/model/geometry.ts'
import { fromImage } from '../paint/canvas/skia.ts'
import { createPainter } from '../paint/painter.ts'
import { fromPixels } from '../paint/picture.ts'
import { colourName, commonColour } from './colour-names.ts'
import { openEmbedder, openTranscriber } from './open-perception.ts'
import { createSceneIndex, sceneOcrOr } from './scene-index.ts'
import { sceneLocator } from './scene-locator.ts'

// Rules such as [PC18] are stated in SPEC.md beside this file.

const BACK = window(
  'Behind',
  { uid: 'back', bounds: { x: 0, y: 0, width: 400, height: 300 } },
  button('Hidden', { bounds: { x: 100, y: 100, width: 80, height: 28 } }),
  button('Save', { bounds: { x: 10, y: 40, width: 80, height: 28 } }),
  button('Save', { bounds: { x: 300, y: 260, width: 90, height: 30 } }),
  edit('Search', { bounds: { x: 10, y: 260, width: 160, height: 28 } }),
)
const FRONT = window(
  'Before',
  { uid: 'front', bounds: { x: 80, y: 80, width: 200, height: 120 } },
  text('Are you sure?', { bounds: { x: 90, y: 110, width: 180, height: 20 } }),
  button('Yes', { bounds: { x: 90, y: 150, width: 80, height: 28 }, traits: { presses: 'enter' } }),
)

function scene() {
  const shown = desktop(FRONT, BACK)
  const picture = createPainter().screen(shown)
  const scenes = createSceneIndex()
  scenes.remember(picture, shown.windows)
  return { picture, scenes, locator: sceneLocator(scenes) }
}

it('[PC18] recognises a picture by its pixels in every encoding', async () => {
  const { picture, scenes } = scene()
  const back = await fromImage(Buffer.from(await picture.png()))
  expect(await scenes.find(back)).toBe(await scenes.find(picture))
  const words = await sceneOcrOr(scenes, { name: 'none', read: async () => [] }).read(back)
  expect(words.find((word) => word.text === 'Yes')!.bounds).toEqual({ x: 90, y: 150, width: 80, height: 28 })
  expect(await scenes.find(fromPixels(2, 1, new Uint8Array(8).fill(255)))).toBeUndefined()
})

it('[PC18] recognises the current screen without a prior capture', async () => {
  const shown = desktop(FRONT, BACK)
  const picture = createPainter().screen(shown)
  let looks = 0
  const scenes = createSceneIndex(async () => {
    looks += 1
    return [{ picture, windows: shown.windows }]
  })
  const back = await fromImage(Buffer.from(await picture.png()))
  expect((await scenes.find(back))?.elements.some(({ name }) => name === 'Yes')).toBe(true)
  await scenes.find(back)
  expect(looks).toBe(1)
})

it('[PC19] reads the text of a picture of a real desktop from its pixels', async () => {
  const shown = desktop(FRONT, BACK)
  const { width, height, pixels } = createPainter().screen(shown)
  const picture = fromPixels(width, height, pixels())
  const scenes = createSceneIndex()
  scenes.remember(picture, [{ bounds: { x: 0, y: 0, width: 5, height: 5 }, tree: undefined }, ...shown.windows])
  const word = { text: 'read', bounds: { x: 0, y: 0, width: 9, height: 9 }, confidence: 90, line: 0, block: 0 }
  expect(await sceneOcrOr(scenes, { name: 'other', read: async () => [word] }).read(picture)).toEqual([word])
  expect((await scenes.find(picture))!.elements.map(({ name }) => name)).toContain('Yes')
})

it('[PC18] ignores elements that windows in front cover', async () => {
  const { picture, scenes } = scene()
  const names = (await scenes.find(picture))!.elements.map(({ name }) => name)
  expect([names.includes('Hidden'), names.includes('Yes')]).toEqual([false, true])
})

it.each<[string, Rect]>([
  ['the Yes button', { x: 90, y: 150, width: 80, height: 28 }],
  ['a blue button', { x: 90, y: 150, width: 80, height: 28 }],
  ['save button at the bottom right', { x: 300, y: 260, width: 90, height: 30 }],
  ['save button in the upper left', { x: 10, y: 40, width: 80, height: 28 }],
  ['search field', { x: 10, y: 260, width: 160, height: 28 }],
])('[PC20] finds %s', async (description, bounds) => {
  const { picture, locator } = scene()
  const [best] = await locator.locate(picture, description)
  expect(best?.center).toEqual(centerOf(bounds))
})

it('[PC20] finds nothing without a match, and reads no unknown picture', async () => {
  const { picture, locator } = scene()
  expect(await locator.locate(picture, 'purple elephant')).toEqual([])
  const unknown = fromPixels(2, 1, new Uint8Array(8).fill(255))
  await expect(locator.locate(unknown, 'anything')).rejects.toMatchObject({ code: 'PlatformUnsupported' })
})

it.each([
  ['#d11a2a', 'red'],
  ['#ff8c00', 'orange'],
  ['#f5d90a', 'yellow'],
  ['#2e8b57', 'green'],
  ['#1f6feb', 'blue'],
  ['#6f42c1', 'purple'],
  ['#ff69b4', 'pink'],
  ['#808080', 'grey'],
  ['#ffffff', 'white'],
  ['#101010', 'black'],
])('calls %s %s', (hex, name) => {
  const rgb = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  const picture = fromPixels(2, 1, Uint8Array.from([...rgb, 255, ...rgb, 255]))
  expect(colourName(commonColour(picture, { x: 0, y: 0, width: 2, height: 1 }))).toBe(name)
})

it('selects the parts that the environment names, else those without requirements', () => {
  const names = (environment: Record<string, string>) => [
    openEmbedder(environment).provider,
    openTranscriber(environment).name,
  ]
  expect([
    names({}),
    names({ WINDIE_EMBEDDING_SERVICE_URL: 'http://x', WINDIEOS_NOVA_URL: 'ws://x' }),
    names({ WINDIEOS_EMBEDDING_MODEL: 'm', WINDIEOS_REALTIME_MODEL: 'm' }),
  ]).toEqual([
    ['local-hashed-ngram', 'loudness'],
    ['embedding-service', 'nova'],
    ['openai', 'openai'],
  ])
})
