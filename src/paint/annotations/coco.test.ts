import { expect, it } from 'vitest'
import { button, desktop, group, monitor, rect, text, window } from '../../desktop/model/builders.ts'
import { ROLES } from '../../desktop/model/role.ts'
import { createPainter } from '../painter.ts'
import { visibleAreas } from './areas.ts'
import { annotationsOf, COCO_CATEGORIES, categoryOf, cocoDocument, maskOf, runLengthsOf } from './coco.ts'

// Rules such as [AN11] are stated in README.md beside this file.

const shown = desktop(
  window(
    'Front',
    { uid: 'front', bounds: rect(60, 40, 80, 60), frame: 'none', state: 'maximized' },
    button('Go', { id: 'go', bounds: rect(64, 44, 40, 24) }),
  ),
  window(
    'Back',
    { uid: 'back', bounds: rect(0, 0, 100, 80), frame: 'none', state: 'maximized' },
    text('Some words', { id: 'words', bounds: rect(10, 30, 80, 20) }),
  ),
  { monitors: [monitor(rect(0, 0, 160, 120))] },
)
const areas = visibleAreas(shown)
const image = { id: 7, file_name: 'a.png', width: 160, height: 120 }
const made = annotationsOf(areas, createPainter().screen(shown).text ?? [], image, 5)

it('[AN11] a mask holds exactly the pixels of its area', () => {
  expect(runLengthsOf([rect(1, 1, 2, 2)], 4, 3)).toEqual({ size: [3, 4], counts: [4, 2, 1, 2, 3] })
  expect(runLengthsOf([rect(0, 0, 2, 3)], 2, 3)).toEqual({ size: [3, 2], counts: [0, 6] })
  expect(runLengthsOf([], 2, 3)).toEqual({ size: [3, 2], counts: [6] })
  made.annotations.forEach(({ segmentation, area }, index) => {
    const mask = maskOf(segmentation)
    const pixels = new Uint8Array(160 * 120)
    for (const { x, y, width, height } of areas[index]!.parts)
      for (let row = y; row < y + height; row++) pixels.fill(1, row * 160 + x, row * 160 + x + width)
    expect(mask).toEqual(pixels)
    expect(mask.reduce((sum, pixel) => sum + pixel, 0)).toBe(area)
  })
})

it('[AN12] the box is around the mask, and the share that is hidden is known', () => {
  expect(made.annotations.find(({ element_id }) => element_id === 'words')).toEqual({
    id: 6,
    image_id: 7,
    category_id: categoryOf('Text'),
    bbox: [10, 30, 80, 20],
    segmentation: expect.anything(),
    area: 80 * 20 - 30 * 10,
    iscrowd: 0,
    role: 'Text',
    name: 'Some words',
    element_id: 'words',
    window_uid: 'back',
    parent_id: 5,
    z: 1,
    clickable: false,
    occluded: 0.1875,
  })
})

it('[AN13] annotations are ordered by height and numbered without gaps', () => {
  expect(made.annotations.map(({ id, z, window_uid }) => [id, z, window_uid])).toEqual([
    [5, 0, 'back'],
    [6, 1, 'back'],
    [7, 2, 'front'],
    [8, 3, 'front'],
  ])
})

it('[AN15] an annotation names the one of the nearest visible element around it', () => {
  const nested = desktop(
    window(
      'Front',
      { uid: 'front', bounds: rect(0, 0, 80, 60), frame: 'none' },
      group('Box', { id: 'box', bounds: rect(5, 5, 60, 40) }, button('Go', { id: 'go', bounds: rect(10, 10, 40, 24) })),
    ),
    { monitors: [monitor(rect(0, 0, 160, 120))] },
  )
  const { annotations } = annotationsOf(visibleAreas(nested), [], image, 5)
  expect(annotations.map(({ id, element_id, parent_id }) => [id, element_id, parent_id])).toEqual([
    [5, 'root', null],
    [6, 'box', 5],
    [7, 'go', 6],
  ])
})

it('[AN14] each role is a category', () => {
  expect(COCO_CATEGORIES.map(({ id }) => id)).toEqual(COCO_CATEGORIES.map((_, index) => index + 1))
  expect(COCO_CATEGORIES).toHaveLength(ROLES.length + 1)
  expect(COCO_CATEGORIES[categoryOf('push button') - 1]!.name).toBe('Button')
  expect(COCO_CATEGORIES[categoryOf('no such role') - 1]!.name).toBe('Other')
})

it('[AN16] texts are those of the picture, cut where a window covers them', () => {
  const { texts, images } = cocoDocument([made])
  expect(images).toEqual([image])
  expect(texts.map(({ text: words }) => words)).toContain('Go')
  expect(texts.every(({ image_id }) => image_id === 7)).toBe(true)
})
