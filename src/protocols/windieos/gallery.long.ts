import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { createSyntheticComputer } from '../../adapters/synthetic/synthetic.ts'
import { virtualClock } from '../../base/clock.ts'
import { readersBelow } from '../../compose/files-below.ts'
import { centerOf, contains, type Point, type Rect } from '../../desktop/model/geometry.ts'
import { roleKind } from '../../desktop/model/role.ts'
import { createPainter } from '../../paint/painter.ts'
import { fromPixels, type Picture } from '../../paint/picture.ts'
import type { Ocr } from '../../perception/perception.ts'
import { createSceneIndex, sceneOcrOr, type VisibleElement } from '../../perception/scene-index.ts'
import { tesseractOcr } from '../../perception/tesseract.ts'
import { parseScenario } from '../../scenario/load/load.ts'
import { textSimilarity, toOcrRows } from './ocr-rows.ts'

const FOLDER = new URL('../../../scenarios/', import.meta.url)
const NEAR_PX = 3
const MIN_SIMILARITY = 0.8

const scenes = createSceneIndex()
const tesseract = tesseractOcr()
afterAll(tesseract.close)

/** The first screen of each scenario of the gallery, with the buttons that can be seen on it. */
const screens = await Promise.all(
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.yaml'))
    .map(async (name) => {
      const path = fileURLToPath(new URL(name, FOLDER))
      const scenario = parseScenario(readFileSync(path, 'utf8'), { file: name, ...readersBelow(path) })
      const { desktop } = createSyntheticComputer({ scenario, clock: virtualClock() })
      const picture = createPainter().screen(desktop)
      const open = desktop.windows.filter(({ state }) => state !== 'minimized')
      scenes.remember(picture, open)
      const whole = { x: 0, y: 0, width: picture.width, height: picture.height }
      const { elements: things } = (await scenes.find(picture))!
      const buttons = things.filter(
        ({ role, bounds, name }) => roleKind(role) === 'button' && name !== '' && contains(whole, centerOf(bounds)),
      )
      return { name, picture, buttons }
    }),
)

/** The same pixels, without the known text. */
const unknown = (picture: Picture) => fromPixels(picture.width, picture.height, picture.pixels())

/** Where a button shows its name, which an icon beside it moves out of its middle. Undefined for an icon alone. */
const nameBounds = ({ name, bounds }: VisibleElement, { text = [] }: Picture): Rect | undefined =>
  text.find((run) => run.text === name && contains(bounds, centerOf(run.bounds)))?.bounds

const isNear = (a: Point, b: Point): boolean => Math.abs(a.x - b.x) <= NEAR_PX && Math.abs(a.y - b.y) <= NEAR_PX

/** Of the buttons those whose name stands, as the reader has it, within three pixels of their middle or that of their name. */
async function found(
  ocr: Ocr,
  picture: Picture,
  buttons: readonly VisibleElement[],
  boundsOf: (button: VisibleElement) => Rect,
): Promise<readonly string[]> {
  const rows = toOcrRows(await ocr.read(picture))
  return buttons
    .filter((button) => {
      const { name } = button
      const middles = [button.bounds, boundsOf(button)].map(centerOf)
      return rows.some(
        ({ text, center }) =>
          textSimilarity(text, name) >= MIN_SIMILARITY && middles.some((middle) => isNear(center, middle)),
      )
    })
    .map(({ name }) => name)
}

async function share(
  ocr: Ocr,
  pictureOf: (picture: Picture) => Picture,
  boundsIn: (button: VisibleElement, picture: Picture) => Rect | undefined,
) {
  const missed: string[] = []
  let hits = 0
  let all = 0
  for (const { name, picture, buttons: visible } of screens) {
    const buttons = visible.filter((button) => boundsIn(button, picture))
    const names = await found(ocr, pictureOf(picture), buttons, (button) => boundsIn(button, picture)!)
    hits += names.length
    all += buttons.length
    missed.push(...buttons.filter((button) => !names.includes(button.name)).map((button) => `${name}: ${button.name}`))
  }
  return { hits, all, missed }
}

it('[PC10] finds every visible button of the gallery by the text of the scene', async () => {
  const { missed } = await share(
    sceneOcrOr(scenes, tesseract),
    (picture) => picture,
    ({ bounds }) => bounds,
  )
  expect(missed).toEqual([])
})

it('[PC10] finds at least 85 of 100 by their pixels alone', async () => {
  const { hits, all, missed } = await share(tesseract, unknown, nameBounds)
  expect(hits / all, `missed ${missed.join(', ')}`).toBeGreaterThanOrEqual(0.85)
}, 300_000)
