import { createHash } from 'node:crypto'
import { Fault } from '../../base/fault.ts'
import type { Monitor } from '../../desktop/model/desktop.ts'
import { encloses, intersect, type Rect } from '../../desktop/model/geometry.ts'
import { crop, fromPixels, type Picture } from '../../paint/picture.ts'
import { captureArea, type NativeScreenshots, pictureOfImage } from '../screen-capture.ts'
import { loadLibrary } from './native.ts'
import { MAX_RESPONSE_MS, type NativeWindow, type Responds, type WindowHandle } from './native-windows.ts'

/** Screenshots in pixels of the screen. */
export interface WindowsCapture {
  monitors(): readonly Monitor[]
  /** What an area of the screen shows. */
  area(area: Rect): Promise<Picture>
  /** A window completely. `above` are the windows in front of it, `frame` its bounds with invisible borders. */
  window(window: NativeWindow, above: readonly NativeWindow[], frame: Rect): Promise<Picture>
}

/** Creates the screenshots of a desktop. */
export function windowsCapture(
  screenshots: NativeScreenshots,
  graphics: GraphicsFunctions,
  responds: Responds,
): WindowsCapture {
  const native = () =>
    [...screenshots.Monitor.all()]
      .sort((a, b) => Number(b.isPrimary()) - Number(a.isPrimary()))
      .map((monitor) => ({
        monitor,
        bounds: { x: monitor.x(), y: monitor.y(), width: monitor.width(), height: monitor.height() },
      }))
  const area = (wanted: Rect): Promise<Picture> =>
    captureArea(
      wanted,
      native().map(({ monitor, bounds }) => ({
        bounds,
        capture: async () => pictureOfImage(await monitor.captureImage()),
      })),
    )
  return {
    area,
    monitors: () =>
      native().map(({ monitor, bounds }, index) => ({
        index,
        primary: monitor.isPrimary(),
        bounds,
        scaleFactor: monitor.scaleFactor(),
      })),
    async window(window, above, frame) {
      const { bounds, hwnd, uid } = window
      const isCovered = above.some((each) => intersect(each.bounds, bounds))
      if (!isCovered && native().some((each) => encloses(each.bounds, bounds))) return area(bounds)
      const responding = await responds(hwnd, MAX_RESPONSE_MS)
      const whole = responding ? await graphics.printWindow(hwnd, frame) : undefined
      if (whole) return crop(whole, { ...bounds, x: bounds.x - frame.x, y: bounds.y - frame.y })
      if (!isCovered) return area(bounds)
      throw responding
        ? new Fault('WindowOccluded', 'the window is covered, and its program does not draw it for screenshots', {
            window_uid: uid,
          })
        : new Fault('Timeout', 'the window is covered, and its program does not answer to draw it', {
            window_uid: uid,
          })
    },
  }
}

/** Pictures through the graphics functions of Windows. */
interface GraphicsFunctions {
  /** A hash of what an area of the screen shows. */
  hashArea(area: Rect): Promise<string>
  /** A window as its program draws it, in the size of its bounds. Undefined when it draws nothing, as under Wine. */
  printWindow(hwnd: WindowHandle, bounds: Rect): Promise<Picture | undefined>
}

const COPY_WITH_LAYERED = 0x40cc_0020
const FULL_CONTENT = 2
/** The colour of pixels that a program has not drawn: one that no program uses alone. */
const UNDRAWN = 0x00ff_00fe
const HEADER_BYTES = 40

/** Loads the functions. */
export function loadGraphicsFunctions(): GraphicsFunctions {
  const user32 = loadLibrary('user32.dll')
  const gdi32 = loadLibrary('gdi32.dll')
  const handle = 'intptr_t'
  type One = (of: number) => number
  const getDc = user32.func<One>('GetDC', handle, [handle])
  const releaseDc = user32.func<(hwnd: number, dc: number) => number>('ReleaseDC', 'int', [handle, handle])
  const createDc = gdi32.func<One>('CreateCompatibleDC', handle, [handle])
  const deleteDc = gdi32.func<One>('DeleteDC', 'int', [handle])
  const deleteObject = gdi32.func<One>('DeleteObject', 'int', [handle])
  const select = gdi32.func<(dc: number, object: number) => number>('SelectObject', handle, [handle, handle])
  const createBitmap = gdi32.func<(dc: number, width: number, height: number) => number>(
    'CreateCompatibleBitmap',
    handle,
    [handle, 'int', 'int'],
  )
  const copy = gdi32.func<(...args: number[]) => boolean>('BitBlt', 'bool', [
    ...[handle, 'int', 'int', 'int', 'int'],
    ...[handle, 'int', 'int', 'uint32_t'],
  ])
  const bits = [handle, handle, 'uint32_t', 'uint32_t']
  type Bits = (
    dc: number,
    bitmap: number,
    from: number,
    rows: number,
    data: Buffer,
    info: Buffer,
    use: number,
  ) => number
  const readBits = gdi32.func<Bits>('GetDIBits', 'int', [...bits, '_Out_ uint8_t *', 'uint8_t *', 'uint32_t'])
  const writeBits = gdi32.func<Bits>('SetDIBits', 'int', [...bits, 'uint8_t *', 'uint8_t *', 'uint32_t'])
  const print = user32.funcAsync<(hwnd: number, dc: number, flags: number) => Promise<boolean>>('PrintWindow', 'bool', [
    handle,
    handle,
    'uint32_t',
  ])

  /** Draws into a bitmap. Returns its pixels as blue, green, red and one unused byte, or undefined on failure. */
  const pixelsOf = async (
    { width, height }: Rect,
    draw: (dc: number, screen: number) => boolean | Promise<boolean>,
    { marksUndrawn = false } = {},
  ): Promise<Buffer | undefined> => {
    const screen = getDc(0)
    const dc = createDc(screen)
    const bitmap = createBitmap(screen, width, height)
    const before = select(dc, bitmap)
    try {
      const pixels = Buffer.alloc(width * height * 4)
      const info = bitmapHeader(width, height)
      if (marksUndrawn) writeBits(dc, bitmap, 0, height, pixels.fill('fe00ff00', 'hex'), info, 0)
      if (!(await draw(dc, screen))) return undefined
      return readBits(dc, bitmap, 0, height, pixels, info, 0) === height ? pixels : undefined
    } finally {
      select(dc, before)
      deleteObject(bitmap)
      deleteDc(dc)
      releaseDc(0, screen)
    }
  }
  return {
    async hashArea(area) {
      const { x, y, width, height } = area
      const pixels = await pixelsOf(area, (dc, screen) =>
        copy(dc, 0, 0, width, height, screen, x, y, COPY_WITH_LAYERED),
      )
      return pixels ? createHash('sha1').update(pixels).digest('base64') : ''
    },
    async printWindow(hwnd, bounds) {
      const pixels = await pixelsOf(bounds, (dc) => print(hwnd, dc, FULL_CONTENT), { marksUndrawn: true })
      return pixels && isDrawn(pixels) ? toOpaquePicture(bounds, pixels) : undefined
    },
  }
}

/** The header of a bitmap whose first row is the top one. */
function bitmapHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(HEADER_BYTES, 0)
  header.writeInt32LE(width, 4)
  header.writeInt32LE(-height, 8)
  header.writeUInt16LE(1, 12)
  header.writeUInt16LE(32, 14)
  return header
}

/** Whether a program has drawn into a bitmap that was filled with `UNDRAWN`. */
export function isDrawn(pixels: Buffer): boolean {
  for (let at = 0; at < pixels.length; at += 4) if ((pixels.readUInt32LE(at) & 0xff_ffff) !== UNDRAWN) return true
  return false
}

/** Turns blue, green, red and one unused byte into an opaque picture. */
function toOpaquePicture({ width, height }: Rect, pixels: Buffer): Picture {
  const rgba = new Uint8Array(pixels.length)
  for (let at = 0; at < rgba.length; at += 4) {
    rgba[at] = pixels[at + 2]!
    rgba[at + 1] = pixels[at + 1]!
    rgba[at + 2] = pixels[at]!
    rgba[at + 3] = 255
  }
  return fromPixels(width, height, rgba)
}
