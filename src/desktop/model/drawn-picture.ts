import { createHash } from 'node:crypto'
import { LruCache } from '../../base/lru-cache.ts'
import type { PictureFile } from './pictures.ts'
import type { ChartKind } from './traits.ts'

/**
 * A picture that is drawn from data: a document, a photograph or a chart. Its words are pixels: they are in no tree and no
 * text of the screen.
 */
export type DrawnPicture =
  | DrawnReceipt
  | DrawnLetter
  | DrawnPaperForm
  | DrawnBusinessCard
  | DrawnIdCard
  | DrawnPhoto
  | DrawnChart

/** The size of the picture in pixels. By default that of its kind. */
interface Sized {
  readonly width?: number | undefined
  readonly height?: number | undefined
}

/** How a paper lay on the scanner. */
interface Scanned extends Sized {
  /** Degrees clockwise. */
  readonly turn?: number | undefined
  /** The strength of specks, shade and creases, from 0 to 1. */
  readonly noise?: number | undefined
}

export interface DrawnReceipt extends Scanned {
  readonly kind: 'receipt'
  readonly shop: string
  readonly address?: string | undefined
  readonly number?: string | undefined
  readonly date: string
  /** What is before amounts, such as `€`. */
  readonly currency?: string | undefined
  readonly lines: readonly ReceiptLine[]
  /** By default the sum of the lines. */
  readonly total?: number | undefined
  /** The share of the total that is tax, such as 0.19. */
  readonly tax?: number | undefined
  readonly paid?: string | undefined
  readonly footer?: string | undefined
}

export interface ReceiptLine {
  readonly name: string
  readonly quantity?: number | undefined
  /** For one piece. */
  readonly price: number
}

export interface DrawnLetter extends Scanned {
  readonly kind: 'letter'
  readonly from: string
  readonly to: string
  readonly date: string
  readonly subject: string
  readonly text: string
  readonly signed?: string | undefined
}

export interface DrawnPaperForm extends Scanned {
  readonly kind: 'form'
  readonly title: string
  readonly number?: string | undefined
  readonly fields: readonly FormField[]
  /** The words of a rubber stamp. */
  readonly stamp?: string | undefined
  readonly signed?: string | undefined
}

export interface FormField {
  readonly name: string
  /** A box that is ticked or not for true and false. */
  readonly value: string | number | boolean
}

export interface DrawnBusinessCard extends Scanned {
  readonly kind: 'business-card'
  readonly name: string
  readonly title?: string | undefined
  readonly company?: string | undefined
  readonly phone?: string | undefined
  readonly mail?: string | undefined
  readonly address?: string | undefined
}

export interface DrawnIdCard extends Scanned {
  readonly kind: 'id-card'
  readonly title: string
  readonly name: string
  readonly number: string
  readonly born?: string | undefined
  readonly expires?: string | undefined
  /** The seed of the portrait; the name by default. */
  readonly seed?: string | undefined
}

export const PHOTO_SCENES = ['landscape', 'beach', 'street', 'food', 'portrait'] as const
export type PhotoScene = (typeof PHOTO_SCENES)[number]
export const PHOTO_TIMES = ['day', 'evening', 'overcast', 'night'] as const
export type PhotoTime = (typeof PHOTO_TIMES)[number]

export interface DrawnPhoto extends Sized {
  readonly kind: 'photo'
  /** What the photograph is drawn from, such as the id of its record. */
  readonly seed: string
  readonly scene?: PhotoScene | undefined
  readonly time?: PhotoTime | undefined
  /** How far it is rotated clockwise, in degrees: 0, 90, 180 or 270. */
  readonly rotate?: number | undefined
}

export interface DrawnChart extends Sized {
  readonly kind: 'chart'
  readonly chart: ChartKind
  readonly title?: string | undefined
  readonly points: readonly { readonly name: string; readonly value: number }[]
}

/** The usual sizes, in pixels. That of a receipt follows from its lines. */
const SIZES: Readonly<Record<DrawnPicture['kind'], readonly [width: number, height: number]>> = {
  receipt: [360, 480],
  letter: [640, 860],
  form: [640, 860],
  'business-card': [420, 240],
  'id-card': [480, 300],
  photo: [480, 320],
  chart: [480, 300],
}

const RECEIPT_LINE_PX = 24
const RECEIPT_AROUND_PX = 262

/** The size of a drawn picture. One side alone keeps the proportions of the kind. */
export function drawnSize(picture: DrawnPicture): { readonly width: number; readonly height: number } {
  const [long, short] = SIZES[picture.kind]
  const isOnSide = picture.kind === 'photo' && (picture.rotate ?? 0) % 180 !== 0
  const [across, usual] = isOnSide ? [short, long] : [long, short]
  const down = picture.kind === 'receipt' ? receiptHeight(picture) : usual
  const { width, height } = picture
  return {
    width: width ?? (height === undefined ? across : Math.max(1, Math.round((height * across) / down))),
    height: height ?? (width === undefined ? down : Math.max(1, Math.round((width * down) / across))),
  }
}

/** A line of several pieces has a second row. */
function receiptHeight({ lines, tax, paid, footer }: DrawnReceipt): number {
  const rows = lines.reduce((sum, { quantity = 1 }) => sum + (quantity === 1 ? 1 : 2), 0)
  const more = [tax, paid, footer].filter((each) => each !== undefined).length
  return RECEIPT_AROUND_PX + RECEIPT_LINE_PX * (rows + more)
}

/** The version of the drawings. Another one changes what equal data look like. */
const VERSION = 1
const MAX_KEPT = 2000
const kept = new LruCache<string, PictureFile>(MAX_KEPT)

/** A drawn picture as an image shows it. Equal data are the same picture, with a hash that depends on nothing else. */
export function drawnPictureFile(picture: DrawnPicture): PictureFile {
  const data = JSON.stringify(picture)
  const known = kept.get(data)
  if (known) return known
  const hash = createHash('sha256').update(`drawn ${VERSION} ${data}`).digest('hex')
  return kept.keep(data, { hash, format: 'drawn', ...drawnSize(picture), data })
}
