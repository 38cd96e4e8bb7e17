import { Fault } from '../base/fault.ts'
import { LruCache } from '../base/lru-cache.ts'
import { DEFAULT_SCREEN, type Desktop, windowByUid } from '../desktop/model/desktop.ts'
import { isEmptyRect, type Rect, sameRect, translate, unite } from '../desktop/model/geometry.ts'
import { projectRect, type ScreenProjection } from '../desktop/projection.ts'
import { primaryMonitor } from '../desktop/windows/panel.ts'
import { layersOf, pointerIn, screenBehind, wallpaper, windowLayer } from './desktop-layers.ts'
import type { DrawOp } from './frame/draw-op.ts'
import { composite, createFrameBuffer, type FrameBuffer } from './frame/frame-buffer.ts'
import { type Layer, overlapOf, textIn } from './frame/layer.ts'
import { projectLayer } from './frame/project-layer.ts'
import type { Picture } from './picture.ts'
import { BAND_ROWS, type Band, bandsOf, encodePng, pngHead, pngTail } from './png/encode.ts'
import { themeOf } from './styles/styles.ts'
import type { ThemeName } from './theme/tokens.ts'

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
  const themeOfDesktop = (desktop: Desktop) => themeOf(desktop.style, desktop.theme ?? name)
  const area = (rect: Rect) => (projection ? projectRect(projection, rect) : rect)
  return {
    screen: (desktop) =>
      cached(memory, desktop, () =>
        pictureInSlot(
          seen(layersOf(desktop, themeOfDesktop(desktop))),
          area(primaryMonitor(desktop)?.bounds ?? DEFAULT_SCREEN),
        ),
      ),
    window: (desktop, uid) => {
      const window = windowByUid(desktop, uid)
      if (!window) throw new Fault('WindowGone', `no window has the uid ${JSON.stringify(uid)}`, { window_uid: uid })
      const theme = themeOfDesktop(desktop)
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
    area: (desktop, rect) => pictureOnce(seen(layersOf(desktop, themeOfDesktop(desktop))), rect),
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

/**
 * A reusable frame: only the difference to its previous content is painted and encoded again. A few slots serve any
 * number of desktops. After `show`, a slot always equals a newly painted frame.
 */
class Slot {
  readonly frame: FrameBuffer
  readonly #head: Buffer
  readonly #bands: readonly Band[]
  #layers: readonly Layer[] = []
  #file: Buffer | undefined
  /** The file in base64. */
  #letters: string | undefined
  #fresh = true

  constructor(view: Rect) {
    this.frame = createFrameBuffer(view)
    this.#head = pngHead(view.width, view.height)
    this.#bands = bandsOf(view.width, view.height)
  }

  /** The share of its content that stays, from 0 to 1. */
  likeness(layers: readonly Layer[]): number {
    return similarityOf(this.#layers, layers)
  }

  show(layers: readonly Layer[]): void {
    const { view } = this.frame
    const damage = this.#fresh ? [view] : damageBetween(this.#layers, layers, view)
    this.#fresh = false
    this.#layers = layers
    if (damage.length > 0) {
      this.#file = undefined
      this.#letters = undefined
    }
    for (const rect of damage) {
      composite(this.frame, layers, rect)
      const changed = translate(rect, -view.x, -view.y)
      const last = Math.floor((changed.y + changed.height - 1) / BAND_ROWS)
      for (let place = Math.floor(changed.y / BAND_ROWS); place <= last; place++) this.#bands[place]!.outdate(changed)
    }
  }

  png(): Buffer {
    if (this.#file) return this.#file
    for (const band of this.#bands) band.update(this.frame.pixels)
    this.#file = Buffer.concat([this.#head, ...this.#bands.map((band) => band.chunk), pngTail(this.#bands)])
    return this.#file
  }

  base64(): string {
    if (this.#letters !== undefined) return this.#letters
    for (const band of this.#bands) band.update(this.frame.pixels)
    const texts = this.#bands.map((band) => band.base64)
    this.#letters = [this.#head.toString('base64'), ...texts, pngTail(this.#bands).toString('base64')].join('')
    return this.#letters
  }
}

/** Slots by last use, oldest first. */
const slots: Slot[] = []
const MAX_SLOTS = 8
/** The limit for all slots together. One screen of 1280 × 800 has a million. */
const MAX_PIXELS_HELD = 24_000_000
/** A slot with a lower similarity is not reused while a new one can be created. */
const MIN_SIMILARITY = 0.75
/** The newest slot with this similarity is used without examining others. */
const SUFFICIENT_SIMILARITY = 0.95

/** Returns a slot that shows `layers` in `view` until the next call. */
function showInSlot(layers: readonly Layer[], view: Rect): Slot {
  const slot = bestSlot(layers, view) ?? new Slot(view)
  slot.show(layers)
  const place = slots.indexOf(slot)
  if (place >= 0) slots.splice(place, 1)
  slots.push(slot)
  while (slots.length > 1 && (slots.length > MAX_SLOTS || pixelsHeld() > MAX_PIXELS_HELD)) slots.shift()
  return slot
}

function bestSlot(layers: readonly Layer[], view: Rect): Slot | undefined {
  let best: Slot | undefined
  let most = -1
  for (let place = slots.length - 1; place >= 0 && most < SUFFICIENT_SIMILARITY; place--) {
    const slot = slots[place]!
    if (!sameRect(slot.frame.view, view)) continue
    const share = slot.likeness(layers)
    if (share <= most) continue
    best = slot
    most = share
  }
  return most >= MIN_SIMILARITY || slots.length >= MAX_SLOTS ? best : undefined
}

const pixelsHeld = (): number => slots.reduce((sum, { frame }) => sum + frame.pixels.length, 0)

/** More than this many rectangles cost more than the pixels they save. */
const MAX_RECTANGLES = 8

/**
 * The areas inside `view` where two frames may differ; elsewhere they have the same operations in the same order. Equal
 * layers are skipped, so this costs what changed.
 */
export function damageBetween(before: readonly Layer[], after: readonly Layer[], view: Rect): readonly Rect[] {
  const rects: Rect[] = []
  compareLayers(before, after, view, rects)
  return rects
}

function compareLayers(before: readonly Layer[], after: readonly Layer[], clip: Rect, rects: Rect[]): void {
  if (before === after) return
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let beforeEnd = before.length
  let afterEnd = after.length
  while (beforeEnd > start && afterEnd > start && before[beforeEnd - 1] === after[afterEnd - 1]) {
    beforeEnd--
    afterEnd--
  }
  const isPaired = beforeEnd === afterEnd
  for (let place = start; place < afterEnd; place++)
    if (isPaired) compareLayer(before[place]!, after[place]!, clip, rects)
    else add(after[place]!.bounds, clip, rects)
  if (!isPaired) for (let place = start; place < beforeEnd; place++) add(before[place]!.bounds, clip, rects)
}

function compareLayer(before: Layer, after: Layer, clip: Rect, rects: Rect[]): void {
  if (before === after) return
  if (!sameEdges(before, after)) {
    add(before.bounds, clip, rects)
    add(after.bounds, clip, rects)
    return
  }
  const inside = after.clip ? overlapOf(clip, after.clip) : clip
  if (inside.width === 0) return
  compareOps(before.ops, after.ops, inside, rects)
  compareLayers(before.children, after.children, inside, rects)
  compareOps(before.over, after.over, inside, rects)
}

/** The similarity of two frames, from 0 to 1: the share of equal layers, otherwise of equal layers inside them. */
function similarityOf(before: readonly Layer[], after: readonly Layer[]): number {
  if (before === after) return 1
  const most = Math.max(before.length, after.length)
  let sum = 0
  for (let place = 0; place < most; place++) sum += likenessOf(before[place], after[place])
  return sum / most
}

function likenessOf(before: Layer | undefined, after: Layer | undefined): number {
  if (before === after) return 1
  if (!before || !after) return 0
  if (before.children.length > 0 && after.children.length > 0) return similarityOf(before.children, after.children)
  const rects: Rect[] = []
  compareLayer(before, after, after.bounds, rects)
  return rects.length === 0 ? 1 : 0
}

/** Whether two layers are clipped alike. */
function sameEdges(a: Layer, b: Layer): boolean {
  if (!a.clip !== !b.clip || !a.rounded !== !b.rounded) return false
  if (a.clip && b.clip && !sameRect(a.clip, b.clip)) return false
  return !a.rounded || !b.rounded || (a.rounded.radius === b.rounded.radius && sameRect(a.rounded.rect, b.rounded.rect))
}

function compareOps(before: readonly DrawOp[], after: readonly DrawOp[], clip: Rect, rects: Rect[]): void {
  if (before === after) return
  const most = Math.max(before.length, after.length)
  for (let place = 0; place < most; place++) {
    const old = before[place]
    const now = after[place]
    if (old && now && (old === now || (old.key === now.key && sameRect(old.bounds, now.bounds)))) continue
    if (old) add(old.bounds, clip, rects)
    if (now) add(now.bounds, clip, rects)
  }
}

/** Adds a rectangle, merged with those that it overlaps or touches. */
function add(ink: Rect, clip: Rect, rects: Rect[]): void {
  let rect = overlapOf(ink, clip)
  if (rect.width === 0) return
  for (let place = rects.length - 1; place >= 0; place--) {
    const both = unite(rect, rects[place]!)
    if (area(both) > (area(rect) + area(rects[place]!)) * 1.3 && rects.length <= MAX_RECTANGLES) continue
    rects.splice(place, 1)
    rect = both
    place = rects.length
  }
  rects.push(rect)
}

const area = ({ width, height }: Rect): number => width * height
