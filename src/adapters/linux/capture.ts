import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import type { CompositeExtension, Segment, SharedMemoryExtension } from 'x11'
import { Fault } from '../../base/fault.ts'
import { encloses, intersect, type Rect } from '../../desktop/model/geometry.ts'
import type { Picture } from '../../paint/picture.ts'
import { pngOf } from '../../paint/png/encode.ts'
import { assertCapturable } from '../screen-capture.ts'
import type { Display } from './x11/display.ts'
import type { XWindow } from './x11/x-windows.ts'

/** Screenshots of a real screen. */
export interface ScreenCapture {
  /** Captures the visible content of an area. Pixels outside the screen are black. */
  area(rect: Rect): Promise<Picture>
  /** Captures a whole window, even where it is covered. */
  window(window: XWindow, isUncovered: boolean): Promise<Picture>
  close(): void
}

const ALL_PLANES = 0xffff_ffff
const Z_PIXMAP = 2
const BYTES_PER_PIXEL = 4
/** After the first redirection of a window, its program needs this time to repaint it. */
const REPAINT_MS = 150

/** Opens screen capture through shared memory, or through the connection where there is none. */
export async function openScreenCapture(display: Display): Promise<ScreenCapture> {
  const { client, root } = display
  const memory = await sharedMemory(display)
  const composite = await display.extension<CompositeExtension>('composite')
  const redirected = new Set<number>()
  let segment: Segment | undefined
  let turn: Promise<unknown> = Promise.resolve()

  const throughMemory = async (drawable: number, { x, y, width, height }: Rect): Promise<Buffer> => {
    const size = width * height * BYTES_PER_PIXEL
    if (!segment || segment.size < size) {
      segment?.detach()
      segment = undefined
      segment = await display.request<Segment>((done) => memory!.createSegment(size, done))
    }
    const { buffer, getImage } = segment
    await display.request((done) => getImage(drawable, x, y, width, height, ALL_PLANES, Z_PIXMAP, 0, done))
    // The next image is read into the same memory.
    return Buffer.from(buffer.subarray(0, size))
  }
  const throughConnection = async (drawable: number, { x, y, width, height }: Rect): Promise<Buffer> => {
    const image = await display.request<{ data: Buffer }>((done) =>
      client.GetImage(Z_PIXMAP, drawable, x, y, width, height, ALL_PLANES, done),
    )
    return image.data
  }
  const grab = (drawable: number, rect: Rect): Promise<Buffer> => {
    const read = () => (memory ? throughMemory(drawable, rect) : throughConnection(drawable, rect))
    const taken = turn.then(read, read)
    turn = taken
    return taken
  }

  const area = async (rect: Rect): Promise<Picture> => {
    assertCapturable(rect)
    const screen = await display.screen()
    const seen = intersect(rect, screen)
    if (!seen) return pictureFromBgrx(rect.width, rect.height, Buffer.alloc(sizeOf(rect)))
    const pixels = await grab(root, seen)
    return pictureFromBgrx(rect.width, rect.height, encloses(screen, rect) ? pixels : inset(pixels, seen, rect))
  }

  return {
    area,
    async window(window, isUncovered) {
      if (isUncovered && encloses(await display.screen(), window.bounds)) return area(window.bounds)
      if (!composite)
        throw new Fault(
          'WindowOccluded',
          'the window is covered, and the X server has no Composite extension to capture it',
        )
      if (!redirected.has(window.topLevel)) {
        composite.RedirectWindow(window.topLevel, composite.Redirect.Automatic)
        redirected.add(window.topLevel)
        await display.sync()
        await sleep(REPAINT_MS)
      }
      const pixmap = client.AllocID()
      composite.NameWindowPixmap(window.topLevel, pixmap)
      try {
        return await captureWindow(display, grab, pixmap, window)
      } finally {
        client.FreePixmap(pixmap)
        client.ReleaseID(pixmap)
      }
    },
    close() {
      segment?.detach()
      segment = undefined
    },
  }
}

const sizeOf = ({ width, height }: Rect): number => width * height * BYTES_PER_PIXEL

async function sharedMemory(display: Display): Promise<SharedMemoryExtension | undefined> {
  const depth = display.info.screen[0]!.root_depth
  if (depth !== 24 && depth !== 32)
    throw new Fault('PlatformUnsupported', `the screen has ${depth} bits per pixel; screenshots need 24`)
  if (!display.info.isLocalSocket) return undefined
  const memory = await display.extension<SharedMemoryExtension>('shm')
  const usable = memory && (await new Promise<boolean>((resolve) => memory.usable((_, answer) => resolve(answer))))
  return usable ? memory : undefined
}

/** Captures a window from its own pixmap, which includes its decoration and shadows. */
async function captureWindow(
  display: Display,
  grab: (drawable: number, rect: Rect) => Promise<Buffer>,
  pixmap: number,
  window: XWindow,
): Promise<Picture> {
  const { client, root } = display
  const [geometry, origin] = await Promise.all([
    display.tryRequest<{ width: number; height: number }>((done) => client.GetGeometry(pixmap, done)),
    display.tryRequest<{ destX: number; destY: number }>((done) =>
      client.TranslateCoordinates(window.topLevel, root, 0, 0, done),
    ),
  ])
  if (!geometry || !origin) throw new Fault('WindowGone', 'the window closed during the screenshot')
  const whole = { x: origin.destX, y: origin.destY, width: geometry.width, height: geometry.height }
  const wanted = intersect(window.bounds, whole)
  if (!wanted) throw new Fault('WindowGone', 'the window moved during the screenshot')
  try {
    const pixels = await grab(pixmap, { ...wanted, x: wanted.x - whole.x, y: wanted.y - whole.y })
    return pictureFromBgrx(wanted.width, wanted.height, pixels)
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault('WindowGone', 'the window closed or changed its size during the screenshot')
  }
}

/** Copies the pixels of `seen` into a black image of `whole`. */
function inset(pixels: Buffer, seen: Rect, whole: Rect): Buffer {
  const framed = Buffer.alloc(sizeOf(whole))
  const rowBytes = seen.width * BYTES_PER_PIXEL
  for (let row = 0; row < seen.height; row++) {
    const to = ((seen.y - whole.y + row) * whole.width + seen.x - whole.x) * BYTES_PER_PIXEL
    pixels.copy(framed, to, row * rowBytes, (row + 1) * rowBytes)
  }
  return framed
}

const deflateInBackground = promisify(deflate)

/** A picture from the pixels of an X server: rows of blue, green, red and an unused byte. */
export function pictureFromBgrx(width: number, height: number, bgrx: Buffer): Picture {
  let rgba: Uint8Array | undefined
  let encoded: Promise<Buffer> | undefined
  return {
    width,
    height,
    pixels() {
      rgba ??= rgbaOf(bgrx)
      return rgba
    },
    png() {
      encoded ??= encode(width, height, bgrx)
      return encoded
    },
  }
}

function rgbaOf(bgrx: Buffer): Uint8Array {
  const rgba = new Uint8Array(bgrx.length)
  for (let at = 0; at < bgrx.length; at += 4) {
    rgba[at] = bgrx[at + 2]!
    rgba[at + 1] = bgrx[at + 1]!
    rgba[at + 2] = bgrx[at]!
    rgba[at + 3] = 255
  }
  return rgba
}

const FILTER_UP = 2

/** Encodes a PNG without alpha. Compression runs on another thread. */
const encode = async (width: number, height: number, bgrx: Buffer): Promise<Buffer> =>
  pngOf(width, height, await deflateInBackground(scanlines(width, height, bgrx), { level: 1 }))

/** Encodes each row as the difference from the row above, which is zero for most of a desktop. */
function scanlines(width: number, height: number, bgrx: Buffer): Buffer {
  const rowBytes = width * 3 + 1
  const lines = Buffer.alloc(rowBytes * height)
  const stride = width * 4
  for (let y = 0; y < height; y++) {
    let to = y * rowBytes
    lines[to++] = FILTER_UP
    let from = y * stride
    const end = from + stride
    if (y === 0) {
      for (; from < end; from += 4) {
        lines[to++] = bgrx[from + 2]!
        lines[to++] = bgrx[from + 1]!
        lines[to++] = bgrx[from]!
      }
      continue
    }
    let above = from - stride
    for (; from < end; from += 4, above += 4) {
      lines[to++] = bgrx[from + 2]! - bgrx[above + 2]!
      lines[to++] = bgrx[from + 1]! - bgrx[above + 1]!
      lines[to++] = bgrx[from]! - bgrx[above]!
    }
  }
  return lines
}
