import { slotCorner } from '../../model/pixel-difference.ts'
import type { Frame, Recording } from '../../model/recording.ts'
import type { ViewerPicture } from '../ui/screen.tsx'

/** The pictures of a recording. */
export interface Pictures {
  /** The picture with an index into `frames`. Undefined without one. */
  picture(frame: number | undefined): ViewerPicture | undefined
  /** Draws a picture smaller, over the whole of a canvas. */
  drawSmall(frame: number, context: CanvasRenderingContext2D): Promise<void>
  /** The pixels of a picture, in RGBA. */
  pixels(frame: number): Promise<ImageData>
}

/** What a canvas shows, and shall show: the hash of the tile in each slot. */
interface CanvasState {
  wanted: readonly string[]
  readonly drawn: (string | undefined)[]
}

/**
 * Draws the pictures of a recording from tiles. A canvas that shows another picture gets only the tiles that differ.
 * @param name Tells apart the pictures of two recordings.
 */
export function createPictures({ tables }: Recording, tiles: TileStore, name: string): Pictures {
  const states = new WeakMap<HTMLCanvasElement, CanvasState>()
  const made: (ViewerPicture | undefined)[] = []
  const hashesOf = (frame: Frame) => frame.tiles.map((tile) => tables.tiles[tile]!)

  const drawTile = (context: CanvasRenderingContext2D, frame: Frame, slot: number, hash: string) => {
    const { x, y } = slotCorner(frame, tables.tileSize, slot)
    context.clearRect(x, y, tables.tileSize, tables.tileSize)
    const tile = tiles.ready(hash)
    if (tile) return context.drawImage(tile, x, y)
    context.fillStyle = '#8a8f9c'
    context.fillRect(x, y, tables.tileSize, tables.tileSize)
  }
  const draw = async (frame: Frame, context: CanvasRenderingContext2D, isCleared: boolean): Promise<void> => {
    const wanted = hashesOf(frame)
    const known = states.get(context.canvas)
    const state: CanvasState = known && !isCleared ? known : { wanted, drawn: [] }
    state.wanted = wanted
    states.set(context.canvas, state)
    const paint = (slot: number, hash: string) => {
      drawTile(context, frame, slot, hash)
      state.drawn[slot] = hash
    }
    const late: Promise<void>[] = []
    wanted.forEach((hash, slot) => {
      if (state.drawn[slot] === hash) return
      if (tiles.ready(hash)) {
        paint(slot, hash)
        return
      }
      // The canvas may show another picture by the time that the tile is there.
      const isStillWanted = () => states.get(context.canvas) === state && state.wanted[slot] === hash
      late.push(tiles.load(hash).then(() => void (isStillWanted() && paint(slot, hash))))
    })
    await Promise.all(late)
  }
  /** A canvas of its own with a whole picture. */
  const whole = async (index: number): Promise<CanvasRenderingContext2D> => {
    const frame = tables.frames[index]!
    await Promise.all(hashesOf(frame).map(tiles.load))
    const canvas = document.createElement('canvas')
    canvas.width = frame.width
    canvas.height = frame.height
    const context = canvas.getContext('2d', { willReadFrequently: true })!
    hashesOf(frame).forEach((hash, slot) => {
      drawTile(context, frame, slot, hash)
    })
    return context
  }
  return {
    picture(index) {
      if (index === undefined) return undefined
      const frame = tables.frames[index]!
      made[index] ??= {
        key: `${name} ${index}`,
        width: frame.width,
        height: frame.height,
        draw: (context, drawn) => draw(frame, context, drawn === undefined || !drawn.startsWith(`${name} `)),
      }
      return made[index]
    },
    async drawSmall(index, context) {
      const source = await whole(index)
      context.imageSmoothingQuality = 'high'
      context.drawImage(source.canvas, 0, 0, context.canvas.width, context.canvas.height)
    },
    async pixels(index) {
      const { width, height } = tables.frames[index]!
      return (await whole(index)).getImageData(0, 0, width, height)
    },
  }
}

/** The decoded tiles of pictures. Keeps a bounded number of them. */
interface TileStore {
  /** A tile that is decoded. */
  ready(hash: string): ImageBitmap | undefined
  /** Reads and decodes a tile. False if that fails, which is asked only once. */
  load(hash: string): Promise<boolean>
  /** How many tiles could not be shown. */
  missing(): number
}

/**
 * Makes a store of tiles.
 * @param read Gives the PNG file with a hash.
 * @param most How many tiles it keeps; those drawn last.
 * @param onMissing Called when a tile cannot be shown.
 */
export function createTileStore(read: (hash: string) => Promise<Blob>, most: number, onMissing: () => void): TileStore {
  const kept = new Map<string, ImageBitmap>()
  const loading = new Map<string, Promise<boolean>>()
  const failed = new Set<string>()
  const decode = async (hash: string): Promise<boolean> => {
    try {
      kept.set(hash, await createImageBitmap(await read(hash)))
      for (const [oldest, tile] of kept) {
        if (kept.size <= most) break
        kept.delete(oldest)
        tile.close()
      }
      return true
    } catch {
      failed.add(hash)
      onMissing()
      return false
    } finally {
      loading.delete(hash)
    }
  }
  return {
    ready(hash) {
      const tile = kept.get(hash)
      if (!tile) return undefined
      kept.delete(hash)
      kept.set(hash, tile)
      return tile
    },
    async load(hash) {
      if (kept.has(hash)) return true
      if (failed.has(hash)) return false
      const started = loading.get(hash) ?? decode(hash)
      loading.set(hash, started)
      return started
    },
    missing: () => failed.size,
  }
}
