import { createHash } from 'node:crypto'
import type { WindowInfo } from '../adapters/computer.ts'
import type { Element } from '../desktop/model/element.ts'
import { type Picture, wordsOf } from '../paint/picture.ts'
import { encodePng } from '../paint/png/encode.ts'
import type { Frame, RecordingTables, StoredElement, StoredWindow } from '../viewer/model/recording.ts'

/** The tables of a recording without its pictures. */
export type TextTables = Pick<RecordingTables, 'elements' | 'desks' | 'values'>

/** A window as it is recorded, with its tree if it has one. */
export type RecordedWindow = Pick<WindowInfo, 'uid' | 'title' | 'process' | 'bounds' | 'focused' | 'popupOf'> & {
  readonly tree: Element | undefined
}

/**
 * Stores the trees, the windows and the values of a recording. Equal ones are stored once: an element that is the same
 * object as before costs nothing, and one that is equal to an earlier one gets its index.
 */
export class TableWriter {
  readonly #elements = new Interned<StoredElement>()
  readonly #desks = new Interned<readonly StoredWindow[]>()
  readonly #values = new Interned<unknown>()
  readonly #known = new WeakMap<Element, number>()
  readonly #hide: (text: string) => string

  /** `hide` replaces secrets in texts. */
  constructor(hide: (text: string) => string = (text) => text) {
    this.#hide = hide
  }

  get tables(): TextTables {
    return { elements: this.#elements.items, desks: this.#desks.items, values: this.#values.items }
  }

  /** The index of a JSON value. Its texts are stored without secrets. */
  value(value: unknown): number {
    return this.#values.indexOf(this.withoutSecrets(value))
  }

  /** The index of the windows, front to back. */
  desk(windows: readonly RecordedWindow[]): number {
    return this.#desks.indexOf(
      windows.map(({ uid, title, process, bounds, focused, popupOf, tree }) => ({
        uid,
        title: this.#hide(title),
        process,
        bounds: boxOf(bounds),
        focused,
        ...(popupOf !== undefined && { popupOf }),
        ...(tree && { root: this.element(tree) }),
      })),
    )
  }

  /** The index of an element, whose children are stored before it. */
  element(element: Element): number {
    const known = this.#known.get(element)
    if (known !== undefined) return known
    const children = element.children.map((child) => this.element(child))
    const index = this.#elements.indexOf(storedElement(element, children, this.#hide))
    this.#known.set(element, index)
    return index
  }

  /** A JSON value in whose texts no secret is left. */
  withoutSecrets<T>(value: T): T {
    return mapTexts(value, this.#hide) as T
  }
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, map)]))
}

function storedElement(element: Element, children: readonly number[], hide: (text: string) => string): StoredElement {
  const { id, role, name, bounds, value, enabled, focused, keyboardShortcut, description, traits } = element
  const { selected, expanded, valueNow, valueMin, valueMax, identifier } = element
  return {
    id,
    role,
    name: hide(name),
    bounds: boxOf(bounds),
    ...(value !== null && { value: hide(value) }),
    ...(!enabled && { enabled: false }),
    ...(focused && { focused: true }),
    ...(keyboardShortcut !== null && { keyboard_shortcut: keyboardShortcut }),
    ...(description !== null && { description: hide(description) }),
    ...(selected !== undefined && { selected }),
    ...(expanded !== undefined && { expanded }),
    ...(valueNow !== undefined && { value_now: valueNow }),
    ...(valueMin !== undefined && { value_min: valueMin }),
    ...(valueMax !== undefined && { value_max: valueMax }),
    ...(identifier !== undefined && { identifier }),
    ...(traits?.hidden && { hidden: true }),
    ...(children.length > 0 && { children }),
  }
}

const boxOf = ({ x, y, width, height }: StoredElement['bounds']) => ({ x, y, width, height })

/** A list in which equal JSON values have one index. */
class Interned<Item> {
  readonly items: Item[] = []
  readonly #indexes = new Map<string, number>()

  indexOf(item: Item): number {
    const key = JSON.stringify(item) ?? 'null'
    const known = this.#indexes.get(key)
    if (known !== undefined) return known
    this.items.push(item)
    this.#indexes.set(key, this.items.length - 1)
    return this.items.length - 1
  }
}

/** The width and the height of a tile in pixels. */
export const TILE_PX = 128

/** Stores pictures of the screen as tiles. A tile that was stored before is stored no more, and its file is not made again. */
export class TileWriter {
  /** The PNG files by their SHA-256. */
  readonly files = new Map<string, Buffer>()
  readonly #tiles: string[] = []
  readonly #frames: Frame[] = []
  readonly #frameIndexes = new Map<string, number>()
  /** The indexes of tiles by a hash of their pixels. */
  readonly #byPixels = new Map<string, number>()
  #last:
    | { readonly picture: Picture; readonly words: Uint32Array; readonly frame: Frame; readonly index: number }
    | undefined

  get tables(): Pick<RecordingTables, 'tileSize' | 'tiles' | 'frames'> {
    return { tileSize: TILE_PX, tiles: this.#tiles, frames: this.#frames }
  }

  /** The index of a picture in the table of frames. */
  add(picture: Picture): number {
    const last = this.#last
    if (last?.picture === picture) return last.index
    const { width, height } = picture
    const words = wordsOf(picture.pixels())
    const before = last?.frame.width === width && last.frame.height === height ? last : undefined
    const tiles: number[] = []
    for (let y = 0; y < height; y += TILE_PX) {
      const isSameRow = before && isSameBand(before.words, words, width * y, width * Math.min(height, y + TILE_PX))
      for (let x = 0; x < width; x += TILE_PX) {
        const known = before && (isSameRow || isSameTile(before.words, words, width, height, x, y))
        tiles.push(known ? before.frame.tiles[tiles.length]! : this.#tile(tileOf(words, width, height, x, y)))
      }
    }
    const frame = { width, height, tiles }
    const index = this.#frame(frame)
    this.#last = { picture, words, frame, index }
    return index
  }

  #frame(frame: Frame): number {
    const key = `${frame.width} ${frame.tiles.join()}`
    const known = this.#frameIndexes.get(key)
    if (known !== undefined) return known
    this.#frames.push(frame)
    this.#frameIndexes.set(key, this.#frames.length - 1)
    return this.#frames.length - 1
  }

  #tile({ width, height, words }: Tile): number {
    const pixels = new Uint8Array(words.buffer, words.byteOffset, words.byteLength)
    const key = `${width} ${createHash('sha1').update(pixels).digest('base64')}`
    const known = this.#byPixels.get(key)
    if (known !== undefined) return known
    const file = encodePng(width, height, words)
    const hash = createHash('sha256').update(file).digest('hex')
    this.files.set(hash, file)
    this.#tiles.push(hash)
    this.#byPixels.set(key, this.#tiles.length - 1)
    return this.#tiles.length - 1
  }
}

interface Tile {
  readonly width: number
  readonly height: number
  readonly words: Uint32Array
}

function tileOf(words: Uint32Array, width: number, height: number, x: number, y: number): Tile {
  const [wide, high] = [Math.min(TILE_PX, width - x), Math.min(TILE_PX, height - y)]
  const tile = new Uint32Array(wide * high)
  for (let row = 0; row < high; row++) {
    const start = (y + row) * width + x
    tile.set(words.subarray(start, start + wide), row * wide)
  }
  return { width: wide, height: high, words: tile }
}

/** Compares a range of pixels. */
const isSameBand = (a: Uint32Array, b: Uint32Array, from: number, to: number): boolean =>
  bufferOf(a.subarray(from, to)).equals(bufferOf(b.subarray(from, to)))

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

function isSameTile(a: Uint32Array, b: Uint32Array, width: number, height: number, x: number, y: number): boolean {
  const wide = Math.min(TILE_PX, width - x)
  const end = Math.min(height, y + TILE_PX)
  for (let row = y; row < end; row++)
    for (let at = row * width + x, last = at + wide; at < last; at++) if (a[at] !== b[at]) return false
  return true
}
