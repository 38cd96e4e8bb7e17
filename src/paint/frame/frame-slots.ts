import { type Rect, sameRect, translate } from '../../desktop/model/geometry.ts'
import type { Band } from '../png/band.ts'
import { BAND_ROWS, bandsOf, pngHead, pngTail } from '../png/png.ts'
import { damageBetween, similarityOf } from './damage.ts'
import { composite, createFrameBuffer, type FrameBuffer } from './frame-buffer.ts'
import type { Layer } from './layer.ts'

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
const MAX_PIXELS = 24_000_000
/** A slot with a lower similarity is not reused while a new one can be created. */
const MIN_SIMILARITY = 0.75
/** The newest slot with this similarity is used without examining others. */
const SUFFICIENT_SIMILARITY = 0.95

/** Returns a slot that shows `layers` in `view` until the next call. */
export function showInSlot(layers: readonly Layer[], view: Rect): Slot {
  const slot = bestSlot(layers, view) ?? new Slot(view)
  slot.show(layers)
  const place = slots.indexOf(slot)
  if (place >= 0) slots.splice(place, 1)
  slots.push(slot)
  while (slots.length > 1 && (slots.length > MAX_SLOTS || pixelsHeld() > MAX_PIXELS)) slots.shift()
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
