import { type Random, split } from '../base/random.ts'
import { visibleAreas } from '../paint/annotations/areas.ts'
import { annotationsOf, type CocoImage, cocoDocument, type PictureAnnotations } from '../paint/annotations/coco.ts'
import { createPainter } from '../paint/painter.ts'
import type { DatasetFolder, ShardRecord } from './folder.ts'
import { groundingOf } from './grounding.ts'
import { type LoadedScenarios, momentsOf, type SolutionMoment } from './moments.ts'
import { annotationFile, type DatasetPlan, imageFile, runsOfShard } from './plan.ts'

/** A picture of a dataset, with where it comes from. */
interface DatasetImage extends CocoImage {
  readonly scenario: string
  readonly seed: number
  readonly variant: Readonly<Record<string, string>>
  readonly step: number
}

/** Ids of annotations are unique in a dataset: those of a picture follow its number. */
const MAX_ANNOTATIONS = 100_000

/** A picture with all that is written about it. */
interface DrawnPicture {
  readonly png: Buffer
  readonly about: PictureAnnotations & { readonly image: DatasetImage }
  /** Lines of JSON. */
  readonly grounding: readonly string[]
}

/** Draws a picture of a moment with its annotations and instructions. */
export async function drawMoment(
  { scenario, seed, variant, step, desktop }: SolutionMoment,
  number: number,
  random: Random,
): Promise<DrawnPicture> {
  const { theme, projection } = scenario
  const picture = createPainter({ ...(theme !== undefined && { theme }), projection }).screen(desktop)
  const { width, height, text = [] } = picture
  const areas = visibleAreas(desktop, { projection })
  const file_name = imageFile(number)
  const image = { id: number, file_name, width, height, scenario: scenario.name, seed, variant, step }
  const about = annotationsOf(areas, text, image, number * MAX_ANNOTATIONS + 1)
  const grounding = groundingOf(desktop, areas, about.annotations, text, random).map(
    ({ instruction, kind, selector, area, point, named }) => {
      const annotation = about.annotations[areas.indexOf(area)]!
      const { id, bbox, role, name, window_uid } = annotation
      return JSON.stringify({
        image_id: number,
        file_name,
        instruction,
        kind,
        bbox,
        point: [point.x, point.y],
        annotation_id: id,
        role,
        name,
        name_painted: named,
        window_uid,
        selector,
      })
    },
  )
  return { png: await picture.png(), about: { ...about, image }, grounding }
}

/** Draws a shard and writes its files, the record of it last. */
export async function writeShard(
  plan: DatasetPlan,
  shard: number,
  folder: DatasetFolder,
  scenarios: LoadedScenarios,
): Promise<ShardRecord> {
  const pictures: DrawnPicture['about'][] = []
  const grounding: string[] = []
  for (const run of runsOfShard(plan, shard)) {
    const moments = await momentsOf(run, plan, scenarios)
    for (const [index, number] of run.pictures.entries()) {
      const drawn = await drawMoment(moments[index]!, number, split(run.random, `instructions ${number}`))
      folder.write(imageFile(number), drawn.png)
      pictures.push(drawn.about)
      grounding.push(...drawn.grounding)
    }
  }
  const lines =
    plan.annotations === 'coco'
      ? [JSON.stringify(cocoDocument(pictures))]
      : pictures.map(({ image, annotations, texts }) => JSON.stringify({ image, annotations, texts }))
  folder.write(annotationFile(shard, plan.annotations), linesOf(lines))
  const record: ShardRecord = {
    images: pictures.length,
    annotations: pictures.reduce((sum, { annotations }) => sum + annotations.length, 0),
    texts: pictures.reduce((sum, { texts }) => sum + texts.length, 0),
    grounding: grounding.length,
  }
  await folder.finishShard(shard, linesOf(grounding), record)
  return record
}

const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')
