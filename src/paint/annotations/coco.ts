import type { Path } from '../../desktop/model/element.ts'
import { intersect, type Rect } from '../../desktop/model/geometry.ts'
import { ROLES, type RoleKind, roleKind } from '../../desktop/model/role.ts'
import type { TextRun } from '../picture.ts'
import type { ElementArea } from './areas.ts'

/** A role as a category of COCO. */
export interface CocoCategory {
  readonly id: number
  readonly name: string
  readonly supercategory: 'element'
}

/** A picture of COCO. */
export interface CocoImage {
  readonly id: number
  readonly file_name: string
  readonly width: number
  readonly height: number
}

/** Left, top, width and height in pixels of the picture. */
export type CocoBox = readonly [x: number, y: number, width: number, height: number]

/** An element as an annotation of COCO, with fields of our own. */
export interface CocoAnnotation {
  readonly id: number
  readonly image_id: number
  readonly category_id: number
  /** Around the visible pixels. */
  readonly bbox: CocoBox
  readonly segmentation: RunLengths
  /** The number of visible pixels. */
  readonly area: number
  readonly iscrowd: 0
  readonly role: string
  readonly name: string
  readonly element_id: string
  readonly window_uid: string
  /** The id of the annotation of the nearest element around it; null if none of them is visible. */
  readonly parent_id: number | null
  /** The height in the stack of the picture, from 0. */
  readonly z: number
  readonly clickable: boolean
  /** The share of the element's own rectangle that is covered, clipped or outside of the picture. */
  readonly occluded: number
}

/** A painted text with its box. */
export interface CocoText {
  readonly image_id: number
  readonly text: string
  readonly bbox: CocoBox
}

/** Pictures with their elements, as COCO describes object detection; `texts` is our own. */
export interface CocoDocument {
  readonly images: readonly CocoImage[]
  readonly annotations: readonly CocoAnnotation[]
  readonly categories: readonly CocoCategory[]
  readonly texts: readonly CocoText[]
}

const OTHER = 'Other'

/** A category for each role with a look of its own, and one for all other roles. Ids stay as roles are added at the end. */
export const COCO_CATEGORIES: readonly CocoCategory[] = [...ROLES.map(([name]) => name), OTHER].map((name, index) => ({
  id: index + 1,
  name,
  supercategory: 'element',
}))

const idByKind = new Map<RoleKind, number>(
  COCO_CATEGORIES.map(({ id, name }) => [name === OTHER ? 'other' : roleKind(name), id]),
)

/** The id of the category of a role. */
export const categoryOf = (role: string): number => idByKind.get(roleKind(role))!

/** The part of a document about one picture. */
export type PictureAnnotations = Pick<CocoDocument, 'annotations' | 'texts'> & { readonly image: CocoImage }

/** The annotations of a picture. Their ids count from `firstId`, the lowest element first, in the order of `areas`. */
export function annotationsOf(
  areas: readonly ElementArea[],
  texts: readonly TextRun[],
  image: CocoImage,
  firstId = 1,
): PictureAnnotations {
  const { id: image_id, width, height } = image
  const picture = { x: 0, y: 0, width, height }
  const parentOf = parentsIn(areas)
  return {
    image,
    annotations: areas.map(({ element, window, path, bounds, parts, pixels, box, clickable }, z) => ({
      id: firstId + z,
      image_id,
      category_id: categoryOf(element.role),
      bbox: boxOf(box),
      segmentation: runLengthsOf(parts, width, height),
      area: pixels,
      iscrowd: 0,
      role: element.role,
      name: element.name,
      element_id: element.id,
      window_uid: window,
      parent_id: parentOf(window, path, firstId),
      z,
      clickable,
      occluded: rounded(1 - pixels / (bounds.width * bounds.height)),
    })),
    texts: texts.flatMap(({ text, bounds }) => {
      const shown = intersect(bounds, picture)
      return shown ? [{ image_id, text, bbox: boxOf(shown) }] : []
    }),
  }
}

/** Returns the id of the nearest visible ancestor of a path, where ids count from `firstId` in the order of `areas`. */
function parentsIn(areas: readonly ElementArea[]) {
  const places = new Map(areas.map(({ window, path }, place) => [`${window} ${path.join('.')}`, place]))
  return (window: string, path: Path, firstId: number): number | null => {
    for (let depth = path.length - 1; depth >= 0; depth--) {
      const place = places.get(`${window} ${path.slice(0, depth).join('.')}`)
      if (place !== undefined) return firstId + place
    }
    return null
  }
}

/** One document about pictures. */
export const cocoDocument = (pictures: readonly PictureAnnotations[]): CocoDocument => ({
  images: pictures.map(({ image }) => image),
  annotations: pictures.flatMap(({ annotations }) => annotations),
  categories: COCO_CATEGORIES,
  texts: pictures.flatMap(({ texts }) => texts),
})

const boxOf = ({ x, y, width, height }: Rect): CocoBox => [x, y, width, height]

const SHARE_DIGITS = 10_000
const rounded = (share: number): number => Math.max(0, Math.round(share * SHARE_DIGITS) / SHARE_DIGITS)

/** A mask as COCO's uncompressed run lengths. */
interface RunLengths {
  /** Height and width of the picture. */
  readonly size: readonly [height: number, width: number]
  /** Pixels outside, then inside, then outside …, column by column from the top left. */
  readonly counts: readonly number[]
}

/** The run lengths of rectangles that do not overlap and lie in a picture. */
export function runLengthsOf(parts: readonly Rect[], width: number, height: number): RunLengths {
  const counts: number[] = []
  /** Where the last run ends, and whether it is inside. */
  let end = 0
  const add = (from: number, to: number) => {
    if (counts.length > 0 && from === end) counts[counts.length - 1]! += to - from
    else counts.push(from - end, to - from)
    end = to
  }
  for (const { from, to, spans } of slabsOf(parts))
    for (let x = from; x < to; x++) for (const [top, bottom] of spans) add(x * height + top, x * height + bottom)
  const left = width * height - end
  if (left > 0 || counts.length === 0) counts.push(left)
  return { size: [height, width], counts }
}

/** Columns with the same spans of rows. */
interface Slab {
  readonly from: number
  readonly to: number
  readonly spans: readonly (readonly [top: number, bottom: number])[]
}

function slabsOf(parts: readonly Rect[]): readonly Slab[] {
  if (parts.length === 1) {
    const { x, y, width, height } = parts[0]!
    return [{ from: x, to: x + width, spans: [[y, y + height]] }]
  }
  const edges = [...new Set(parts.flatMap(({ x, width }) => [x, x + width]))].sort((a, b) => a - b)
  return edges.slice(0, -1).flatMap((from, index) => {
    const spans = parts
      .filter(({ x, width }) => x <= from && from < x + width)
      .map(({ y, height }) => [y, y + height] as const)
      .sort(([a], [b]) => a - b)
    return spans.length === 0 ? [] : [{ from, to: edges[index + 1]!, spans }]
  })
}

/** The mask of run lengths: a byte per pixel, row by row, 1 inside. */
export function maskOf({ size: [height, width], counts }: RunLengths): Uint8Array {
  const mask = new Uint8Array(width * height)
  let at = 0
  counts.forEach((count, index) => {
    if (index % 2 === 1)
      for (let place = at; place < at + count; place++) mask[(place % height) * width + Math.floor(place / height)] = 1
    at += count
  })
  return mask
}
