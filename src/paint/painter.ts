import { Fault } from '../base/fault.ts'
import { LruCache } from '../base/lru-cache.ts'
import { DEFAULT_SCREEN, type Desktop, windowByUid } from '../desktop/model/desktop.ts'
import { isEmptyRect, type Rect } from '../desktop/model/geometry.ts'
import { projectRect, type ScreenProjection } from '../desktop/projection.ts'
import { primaryMonitor } from '../desktop/windows/panel.ts'
import { layersOf, pointerIn, screenBehind, wallpaper, windowLayer } from './desktop-layers.ts'
import { composite, createFrameBuffer } from './frame/frame-buffer.ts'
import { showInSlot } from './frame/frame-slots.ts'
import { type Layer, textIn } from './frame/layer.ts'
import { projectLayer } from './frame/project-layer.ts'
import type { Picture } from './picture.ts'
import { encodePng } from './png/encode.ts'
import { type ThemeName, themeOf } from './styles/theme.ts'

/** Paints desktops. Pixels and files are created on demand, and are the same every time. */
export interface Painter {
  /** The whole primary monitor. */
  screen(desktop: Desktop): Picture
  /** A single window, complete and not covered by others. Throws `WindowGone`. */
  window(desktop: Desktop, uid: string): Picture
  /** A part of the screen as visible, in its pixels. Black outside the monitors. */
  area(desktop: Desktop, rect: Rect): Picture
}

export interface PainterOptions {
  readonly theme?: ThemeName
  /** Maps the desktop to the pixels of its pictures. By default they are the same. */
  readonly projection?: ScreenProjection | undefined
}

/**
 * Creates a painter of desktops. All painters share their caches.
 * @param options The theme, `light` by default, and the projection to pixels.
 * @example
 * const picture = createPainter({ theme: 'dark' }).screen(desktop)
 */
export function createPainter({ theme: name = 'light', projection }: PainterOptions = {}): Painter {
  const memory = memoryOf(name, projection)
  const seen = (layers: readonly Layer[]) =>
    projection ? layers.map((each) => projectLayer(projection, each)) : layers
  const area = (rect: Rect) => (projection ? projectRect(projection, rect) : rect)
  return {
    screen: (desktop) =>
      cached(memory, desktop, () =>
        pictureInSlot(
          seen(layersOf(desktop, themeOf(desktop.style, name))),
          area(primaryMonitor(desktop)?.bounds ?? DEFAULT_SCREEN),
        ),
      ),
    window: (desktop, uid) => {
      const window = windowByUid(desktop, uid)
      if (!window) throw new Fault('WindowGone', `no window has the uid ${JSON.stringify(uid)}`, { window_uid: uid })
      const theme = themeOf(desktop.style, name)
      const shown = windowLayer(
        window,
        theme,
        uid === desktop.active,
        pointerIn(desktop, theme),
        screenBehind(desktop, window, theme),
      )
      return cached(memory, shown, () =>
        pictureInSlot(seen([wallpaper(desktop.monitors, theme), shown]), area(window.bounds)),
      )
    },
    area: (desktop, rect) => pictureOnce(seen(layersOf(desktop, themeOf(desktop.style, name))), rect),
  }
}

type Memory = WeakMap<object, Picture>
const memories = new Map<ThemeName, Memory>()
const projectedMemories = new WeakMap<ScreenProjection, Map<ThemeName, Memory>>()

/** The pictures of painters with the same theme and projection. */
function memoryOf(theme: ThemeName, projection: ScreenProjection | undefined): Memory {
  const all = projection ? (projectedMemories.get(projection) ?? new Map<ThemeName, Memory>()) : memories
  if (projection) projectedMemories.set(projection, all)
  const memory = all.get(theme) ?? new WeakMap<object, Picture>()
  all.set(theme, memory)
  return memory
}

/** The cached picture of a value, or a new one. */
function cached(memory: Memory, value: object, make: () => Picture): Picture {
  const picture = memory.get(value) ?? make()
  memory.set(value, picture)
  return picture
}

/** Larger frames are not kept for reuse. */
const MAX_SLOT_PX = 12_000_000

/** A picture that is likely to be requested again after a small change. */
function pictureInSlot(layers: readonly Layer[], view: Rect): Picture {
  if (view.width * view.height > MAX_SLOT_PX) return pictureOnce(layers, view)
  checkView(view)
  const picture: Picture = {
    width: view.width,
    height: view.height,
    pixels: () => new Uint8Array(showInSlot(layers, view).frame.pixels.slice().buffer),
    png: () => fileOf(picture, () => showInSlot(layers, view).png()),
    base64: () => showInSlot(layers, view).base64(),
    get text() {
      return textIn(layers, view)
    },
  }
  return picture
}

function pictureOnce(layers: readonly Layer[], view: Rect): Picture {
  checkView(view)
  const paint = () => {
    const frame = createFrameBuffer(view)
    composite(frame, layers, view)
    return frame.pixels
  }
  const picture: Picture = {
    width: view.width,
    height: view.height,
    pixels: () => new Uint8Array(paint().buffer),
    png: () => fileOf(picture, () => encodePng(view.width, view.height, paint())),
    get text() {
      return textIn(layers, view)
    },
  }
  return picture
}

const MAX_SIDE_PX = 16_384
const MAX_PIXELS = 100_000_000

function checkView(view: Rect): void {
  const { width, height } = view
  if (!isEmptyRect(view) && Math.max(width, height) <= MAX_SIDE_PX && width * height <= MAX_PIXELS) return
  throw new Fault(
    'BadRequest',
    `a picture of ${width} × ${height} pixels cannot be made; each side is 1 to ${MAX_SIDE_PX}`,
    {
      width,
      height,
    },
  )
}

/** The files of recent pictures, oldest first. */
const files = new LruCache<Picture, Buffer>(32)

function fileOf(picture: Picture, make: () => Buffer): Buffer {
  const file = files.get(picture) ?? make()
  files.delete(picture)
  files.set(picture, file)
  return file
}
