import { createHash } from 'node:crypto'
import { yieldingWork } from '../base/async.ts'
import { Fault } from '../base/fault.ts'
import { LruCache } from '../base/lru-cache.ts'
import { spanAround, visualLine } from '../desktop/model/bidi.ts'
import { type Element, walk } from '../desktop/model/element.ts'
import { centerOf, contains, isEmptyRect, type Rect } from '../desktop/model/geometry.ts'
import { roleKind } from '../desktop/model/role.ts'
import type { Picture, TextRun } from '../paint/picture.ts'
import type { Ocr, Word } from './perception.ts'

/** A visible element of a picture, with its box. */
export interface VisibleElement {
  readonly role: string
  readonly name: string
  readonly value: string | null
  readonly bounds: Rect
}

/** The known content of a picture. */
export interface PaintedScene {
  /** Undefined for a picture of a real desktop, whose text is in its pixels only. */
  readonly text: readonly TextRun[] | undefined
  readonly elements: readonly VisibleElement[]
}

/** An index of our own pictures by their pixels, independent of the encoding. */
export interface SceneIndex {
  remember(picture: Picture, windows: readonly SceneWindow[]): void
  find(picture: Picture): Promise<PaintedScene | undefined>
}

/** A picture with its windows. */
export interface SceneView {
  readonly picture: Picture
  readonly windows: readonly SceneWindow[]
}

/** A window in a picture, in pixels of the picture. The first window is in front. */
export interface SceneWindow {
  readonly bounds: Rect
  /** Undefined when only its position is known. */
  readonly tree: Element | undefined
}

const MAX_SCENES = 256

/** Remembered scenes, and those that `look` returns for an unknown picture: the current screen. */
export function createSceneIndex(look: () => Promise<readonly SceneView[]> = async () => []): SceneIndex {
  const scenes = new LruCache<string, PaintedScene>(MAX_SCENES)

  function keep(key: string, { picture, windows }: SceneView): PaintedScene {
    scenes.delete(key)
    return scenes.keep(key, { text: picture.text, elements: thingsIn(windows) })
  }

  return {
    remember: (picture, windows) => void keep(keyOf(picture), { picture, windows }),
    find: async (picture) => {
      // The pixels are read only when a known scene has that size.
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

/** Reads known pictures exactly, and the rest with `other`. */
export const sceneOcrOr = (scenes: SceneIndex, other: Ocr): Ocr => ({
  name: `scene, else ${other.name}`,
  read: async (picture) => {
    const scene = await scenes.find(picture)
    return scene?.text ? readScene(scene.text, scene.elements, picture) : other.read(picture)
  },
})

/** The text of a scene. The label of a button has the box of the button, whose centre is the click target. */
async function readScene(
  text: readonly TextRun[],
  things: readonly VisibleElement[],
  picture: Picture,
): Promise<readonly Word[]> {
  const buttons = things.filter(({ role, name }) => roleKind(role) === 'button' && name !== '')
  const loose = text.filter(({ bounds }) => !buttons.some((button) => contains(button.bounds, centerOf(bounds))))
  const words = await sceneOcr.read({ ...picture, text: loose })
  const labels = buttons.map(({ name, bounds }, index): Word => {
    const line = loose.length + index
    return { text: name, bounds, confidence: 100, line, block: line }
  })
  return [...words, ...labels]
}

/** Exact text of painted pictures: their text runs, split into words in proportion to their length. */
export const sceneOcr: Ocr = {
  name: 'scene',
  async read(picture) {
    if (!picture.text)
      throw new Fault('PlatformUnsupported', 'this picture was not painted here, so its text is not known')
    return picture.text.flatMap(wordsOf)
  },
}

function wordsOf(run: TextRun, line: number): Word[] {
  const words: Word[] = []
  const perCharacter = run.bounds.width / Math.max(1, run.text.length)
  const placed = visualLine(run.text, (part) => part.length * perCharacter)
  let at = 0
  for (const piece of run.text.split(/(\s+)/)) {
    if (piece.trim() !== '') {
      const x = run.bounds.x + Math.round(spanAround(placed, at, at + piece.length).left)
      const width = Math.max(1, Math.round(piece.length * perCharacter))
      words.push({ text: piece, bounds: { ...run.bounds, x, width }, confidence: 100, line, block: line })
    }
    at += piece.length
  }
  return words
}
