import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { WindowInfo } from '../../../src/adapters/computer.ts'
import { drawInteger, type Random, seededRandom } from '../../../src/base/random.ts'
import { type Element, walk } from '../../../src/desktop/model/element.ts'
import { centerOf, contains, intersect, type Rect, translate } from '../../../src/desktop/model/geometry.ts'
import { treeHash } from '../../../src/desktop/tree/hash.ts'
import { revealedIds } from '../../../src/desktop/visible-bounds.ts'
import { fromPixels, type Picture } from '../../../src/paint/picture.ts'
import { type BoxMatch, differenceFrom, readReference } from './reference-tree.ts'
import { type LinuxTestDesktop, type TestWindow, waitUntil } from './test-desktop.ts'

/** A window, and the elements in its picture. */
interface SeenWindow {
  readonly window: WindowInfo
  readonly shown: readonly Element[]
  /** The hash of its tree. */
  readonly hash: string
  /** Whether the picture has pixels of different colours where an element is. */
  hasContent(element: Element): boolean
}

/** Takes a picture of a window, and draws the boxes of its elements to `reports/boxes/NAME.png`. */
export async function lookAt({ computer }: LinuxTestDesktop, name: string, opened: TestWindow): Promise<SeenWindow> {
  const window = (await computer.windows()).find(({ uid }) => uid === opened.uid)!
  const tree = await opened.tree()
  const shown = visibleElements(tree)
  const picture = await computer.screenshot({ window: opened.uid })
  const inPicture = ({ bounds }: Element) => translate(bounds, -window.bounds.x, -window.bounds.y)
  await drawBoxes(name, picture, shown.map(inPicture))
  return { window, shown, hash: treeHash(tree), hasContent: (element) => hasContent(picture, inPicture(element)) }
}

/** Roles whose boxes always show something: letters, a border, a tick. */
const DRAWN: ReadonlySet<string> = new Set([
  ...['Button', 'CheckBox', 'Edit', 'ComboBox', 'MenuItem', 'Heading', 'Link'],
])

/** Rows are made up of cells, which the reference client does not read in sheets and long tables. */
const NOT_COMPARED: ReadonlySet<string> = new Set(['DataItem', 'Cell'])

const SAMPLE_SIZE = 20
const SEED = 22

/**
 * Expects twenty random elements of a window to match its picture, and what the reference client reads in the windows
 * with `title` in their title.
 */
export async function expectLikeReference(
  testDesktop: LinuxTestDesktop,
  name: string,
  opened: TestWindow,
  title: string,
  boxes: BoxMatch = 'same',
): Promise<void> {
  await testDesktop.computer.perform({ type: 'activate', window: opened.uid })
  // A program that is still loading shows the two readers different things.
  const [{ window, shown, hasContent }, known] = await waitUntil(`${name} is at rest`, async () => {
    const seen = await lookAt(testDesktop, name, opened)
    const reference = readReference(testDesktop.desktop.env, title)
    return treeHash(await opened.tree()) === seen.hash && ([seen, reference] as const)
  })
  const compared = shown.slice(1).filter(({ role }) => !NOT_COMPARED.has(role))
  const sample = sampleRandomly(compared, SAMPLE_SIZE, seededRandom(SEED))
  expect(sample.length).toBeGreaterThan(10)
  const isEmpty = (element: Element) => DRAWN.has(element.role) && !hasContent(element)
  expect({
    outside: sample.filter(({ bounds }) => !intersect(bounds, window.bounds)).map(({ name }) => name),
    empty: sample.filter(isEmpty).map(({ role, name }) => `${role} ${name}`),
    unlike: sample.flatMap((element) => differenceFrom(known, element, boxes) ?? []),
  }).toEqual({ outside: [], empty: [], unlike: [] })
}

/**
 * Expects all elements of a window that measures in larger pixels to be where its picture shows them, the selected ones
 * in the window and larger than usual.
 */
export async function expectLargeBoxes(
  testDesktop: LinuxTestDesktop,
  name: string,
  opened: TestWindow,
  selectors: readonly string[],
): Promise<void> {
  await testDesktop.computer.perform({ type: 'activate', window: opened.uid })
  for (const selector of selectors) await opened.element(selector)
  const { window, shown, hasContent } = await lookAt(testDesktop, name, opened)
  expect(window.scaleFactor).toBe(1)
  const drawn = shown.filter(({ role, bounds }) => DRAWN.has(role) && intersect(bounds, window.bounds))
  expect(drawn.length).toBeGreaterThan(5)
  expect(drawn.filter((element) => !hasContent(element)).map(({ name }) => name)).toEqual([])
  for (const selector of selectors) {
    const { bounds } = await opened.element(selector)
    expect([selector, contains(window.bounds, centerOf(bounds))]).toEqual([selector, true])
    expect([selector, bounds.height]).toEqual([selector, expect.toSatisfy((height: number) => height >= 24)])
  }
}

/** The elements that a screenshot of the window shows: not hidden, with an area inside the window. */
function visibleElements(tree: Element): readonly Element[] {
  const revealed = revealedIds(tree)
  return [...walk(tree)].filter(
    ({ id, bounds }) => revealed.has(id) && bounds.width > 1 && bounds.height > 1 && intersect(bounds, tree.bounds),
  )
}

/** Returns `count` different items in a random order. */
function sampleRandomly<T>(things: readonly T[], count: number, random: Random): readonly T[] {
  const left = [...things]
  const sample: T[] = []
  let next = random
  while (left.length > 0 && sample.length < count) {
    const [index, later] = drawInteger(next, 0, left.length - 1)
    sample.push(...left.splice(index, 1))
    next = later
  }
  return sample
}

function hasContent(picture: Picture, part: Rect): boolean {
  const pixels = picture.pixels()
  const seen = intersect(part, { x: 0, y: 0, width: picture.width, height: picture.height })
  if (!seen) return false
  const at = (x: number, y: number) => (y * picture.width + x) * 4
  const first = at(seen.x, seen.y)
  for (let y = seen.y; y < seen.y + seen.height; y++)
    for (let x = seen.x; x < seen.x + seen.width; x++)
      for (let channel = 0; channel < 3; channel++)
        if (pixels[at(x, y) + channel] !== pixels[first + channel]) return true
  return false
}

const RED = [220, 0, 60] as const

async function drawBoxes(name: string, picture: Picture, boxes: readonly Rect[]): Promise<void> {
  const { width, height } = picture
  const pixels = Uint8Array.from(picture.pixels())
  const dot = (x: number, y: number) => {
    if (x >= 0 && y >= 0 && x < width && y < height) pixels.set(RED, (y * width + x) * 4)
  }
  for (const box of boxes) {
    for (let x = box.x; x < box.x + box.width; x++) for (const y of [box.y, box.y + box.height - 1]) dot(x, y)
    for (let y = box.y; y < box.y + box.height; y++) for (const x of [box.x, box.x + box.width - 1]) dot(x, y)
  }
  const folder = join('reports', 'boxes')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.png`), await fromPixels(width, height, pixels).png())
}
