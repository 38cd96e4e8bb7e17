import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { groupsOf } from '../../src/base/lists.ts'
import type { CocoDocument } from '../../src/paint/annotations/coco.ts'
import { elementsOfAnnotations, rowOfBoxes } from './boxes.ts'
import { labelsOf } from './labels.ts'

/** Writes `boxes.jsonl` of datasets that `backlot dataset` has written: `npx tsx bench/transfer/synthetic.ts FOLDER…`. */

interface DatasetImage {
  readonly id: number
  readonly file_name: string
  readonly width: number
  readonly height: number
  readonly scenario: string
  readonly split: string
  readonly seed: number
  readonly step: number
}

const { positionals } = parseArgs({ allowPositionals: true })
for (const folder of positionals) {
  const shards = readdirSync(join(folder, 'annotations')).filter((name) => name.endsWith('.json'))
  const rows = shards.toSorted().flatMap((name) => {
    const { images, annotations } = JSON.parse(readFileSync(join(folder, 'annotations', name), 'utf8')) as CocoDocument
    const byImage = groupsOf(annotations, ({ image_id }) => image_id)
    return (images as readonly DatasetImage[]).map(({ id, file_name, width, height, scenario, split, seed, step }) =>
      rowOfBoxes({
        image: file_name,
        program: scenario,
        group: split,
        state: `seed ${seed}, step ${step}`,
        width,
        height,
        ...labelsOf(elementsOfAnnotations(byImage.get(id) ?? [])),
      }),
    )
  })
  writeFileSync(join(folder, 'boxes.jsonl'), rows.join(''))
  console.log(`${folder}: ${rows.length} pictures`)
}
