import type { Rect } from '../../src/desktop/model/geometry.ts'
import type { CocoAnnotation } from '../../src/paint/annotations/coco.ts'
import { CONTROL_CLASSES, type ControlClass, type ScreenElement, type ScreenLabels } from './labels.ts'

/** A picture with its boxes: what the detector is trained on and tested with. */
export interface LabelledPicture extends ScreenLabels {
  readonly image: string
  /** The program, or the scenario of a synthetic picture. */
  readonly program: string
  /** The fold of a program, or the split of a synthetic picture. */
  readonly group: string
  readonly state: string
  readonly width: number
  readonly height: number
}

type Corner = readonly [x: number, y: number, width: number, height: number]
const toCorner = ({ x, y, width, height }: Rect): Corner => [x, y, width, height]
const toRect = ([x, y, width, height]: Corner): Rect => ({ x, y, width, height })

/** A picture with its boxes as a line of JSON. A box is the number of its class, then left, top, width and height. */
export const rowOfBoxes = ({ boxes, ignored, ...picture }: LabelledPicture): string =>
  `${JSON.stringify({
    ...picture,
    boxes: boxes.map(({ is, box }) => [CONTROL_CLASSES.indexOf(is), ...toCorner(box)]),
    ignored: ignored.map(toCorner),
  })}\n`

interface BoxesRow extends Omit<LabelledPicture, 'boxes' | 'ignored'> {
  readonly boxes: readonly (readonly [number, number, number, number, number])[]
  readonly ignored: readonly Corner[]
}

/** Reads what `rowOfBoxes` has written. */
export const parseBoxes = (text: string): readonly LabelledPicture[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { boxes, ignored, ...picture } = JSON.parse(line) as BoxesRow
      return {
        ...picture,
        boxes: boxes.map(([index, ...corner]) => ({
          is: CONTROL_CLASSES[index]! as ControlClass,
          box: toRect(corner),
        })),
        ignored: ignored.map(toRect),
      }
    })

type Annotation = Pick<CocoAnnotation, 'id' | 'role' | 'bbox' | 'occluded' | 'parent_id'>

/** The elements of a picture of a dataset, from its annotations. */
export function elementsOfAnnotations(annotations: readonly Annotation[]): readonly ScreenElement[] {
  const rows = new Map(annotations.map((row) => [row.id, row]))
  const made = new Map<number, ScreenElement>()
  const elementOf = (row: Annotation): ScreenElement => {
    const known = made.get(row.id)
    if (known) return known
    const outer = row.parent_id === null ? undefined : rows.get(row.parent_id)
    const { role, bbox, occluded } = row
    const element = { role, visible: toRect(bbox), share: 1 - occluded, parent: outer && elementOf(outer) }
    made.set(row.id, element)
    return element
  }
  return annotations.map(elementOf)
}
