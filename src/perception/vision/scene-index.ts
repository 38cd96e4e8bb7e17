import { createHash } from 'node:crypto'
import { LruCache } from '../../base/lru-cache.ts'
import { yieldingWork } from '../../base/yielding.ts'
import { type Element, walk } from '../../desktop/model/element.ts'
import { centerOf, contains, isEmptyRect, type Rect } from '../../desktop/model/geometry.ts'
import { kindOf } from '../../desktop/model/role.ts'
import type { Picture, TextRun } from '../../paint/picture.ts'
import { sceneOcr } from '../ocr/scene-ocr.ts'
import type { Ocr, Word } from '../perception.ts'

/** Something that can be seen in a picture, with its box in it. */
export interface VisibleElement {
  readonly role: string
  readonly name: string
  readonly value: string | null
  readonly bounds: Rect
}

/** What a picture is known to show. */
export interface PaintedScene {
  /** Undefined for a picture of a real desktop, whose text is in its pixels only. */
  readonly text: readonly TextRun[] | undefined
  readonly elements: readonly VisibleElement[]
}

/** What our own pictures show, found again by their pixels however they come back. */
export interface SceneIndex {
  remember(picture: Picture, windows: readonly SceneWindow[]): void
  find(picture: Picture): Promise<PaintedScene | undefined>
}

/** A picture and the windows in it. */
export interface SceneView {
  readonly picture: Picture
  readonly windows: readonly SceneWindow[]
}

/** A window in a picture, in the picture's own pixels; the first of several is in front. */
export interface SceneWindow {
  readonly bounds: Rect
  /** Undefined when only its place is known. */
  readonly tree: Element | undefined
}

const CAPACITY = 256

/** Scenes that were remembered, and those that `look` shows when a picture is not known: what is to be seen now. */
export function createSceneIndex(look: () => Promise<readonly SceneView[]> = async () => []): SceneIndex {
  const scenes = new LruCache<string, PaintedScene>(CAPACITY)

  function keep(key: string, { picture, windows }: SceneView): PaintedScene {
    scenes.delete(key)
    return scenes.keep(key, { text: picture.text, elements: thingsIn(windows) })
  }

  return {
    remember: (picture, windows) => void keep(keyOf(picture), { picture, windows }),
    find: async (picture) => {
      // The pixels are read only where something known has that size.
      let key: string | undefined
      if ([...scenes.keys()].some((known) => known.startsWith(sizeOf(picture)))) key = await keyInPieces(picture)
      const known = key === undefined ? undefined : scenes.get(key)
      if (known) return known
      const seen = (await look()).filter((one) => sameSize(one.picture, picture))
      if (seen.length === 0) return undefined
      key ??= await keyInPieces(picture)
      const same = seen.find((one) => keyOf(one.picture) === key)
      return same && keep(key, same)
    },
  }
}

const sameSize = (a: Picture, b: Picture): boolean => a.width === b.width && a.height === b.height

const sizeOf = ({ width, height }: Picture): string => `${width}x${height} `

const keyOf = (picture: Picture): string =>
  sizeOf(picture) + createHash('sha256').update(picture.pixels()).digest('hex')

const PIECE_BYTES = 1 << 22

/** The same, with pauses for other work. */
async function keyInPieces(picture: Picture): Promise<string> {
  const hash = createHash('sha256')
  const { pause } = yieldingWork()
  const pixels = picture.pixels()
  for (let at = 0; at < pixels.length; at += PIECE_BYTES) {
    hash.update(pixels.subarray(at, at + PIECE_BYTES))
    await pause()
  }
  return sizeOf(picture) + hash.digest('hex')
}

/** The elements whose centre no window in front covers. */
function thingsIn(windows: readonly SceneWindow[]): readonly VisibleElement[] {
  return windows.flatMap(({ tree, bounds }, index) => {
    const above = windows.slice(0, index)
    return (tree ? [...walk(tree)] : [])
      .filter(
        (element) =>
          !isEmptyRect(element.bounds) &&
          element.traits?.hidden !== true &&
          contains(bounds, centerOf(element.bounds)) &&
          !above.some((window) => contains(window.bounds, centerOf(element.bounds))),
      )
      .map(({ role, name, value, bounds: place }) => ({ role, name, value, bounds: place }))
  })
}

/** Exact reading of pictures that are known, and `other` for the rest. */
export const sceneOcrOr = (scenes: SceneIndex, other: Ocr): Ocr => ({
  name: `scene, else ${other.name}`,
  read: async (picture) => {
    const scene = await scenes.find(picture)
    return scene?.text ? readScene(scene.text, scene.elements, picture) : other.read(picture)
  },
})

/** The text of a scene; what a button says has the button as its box, for its middle is where to click. */
async function readScene(
  text: readonly TextRun[],
  things: readonly VisibleElement[],
  picture: Picture,
): Promise<readonly Word[]> {
  const buttons = things.filter(({ role, name }) => kindOf(role) === 'button' && name !== '')
  const loose = text.filter(({ bounds }) => !buttons.some((button) => contains(button.bounds, centerOf(bounds))))
  const words = await sceneOcr.read({ ...picture, text: loose })
  const labels = buttons.map(({ name, bounds }, index): Word => {
    const line = loose.length + index
    return { text: name, bounds, confidence: 100, line, block: line }
  })
  return [...words, ...labels]
}
