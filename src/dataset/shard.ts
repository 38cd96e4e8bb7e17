import { Fault } from '../base/fault.ts'
import { drawInteger, seededRandom, split } from '../base/random.ts'
import { memorySession } from '../compose/memory-session.ts'
import { playSolution } from '../compose/play-solution.ts'
import { loadScenario } from '../compose/preview.ts'
import type { Desktop } from '../desktop/model/desktop.ts'
import { visibleAreas } from '../paint/annotations/areas.ts'
import {
  annotationsOf,
  type CocoDocument,
  type CocoImage,
  cocoDocument,
  type PictureAnnotations,
} from '../paint/annotations/coco.ts'
import { createPainter } from '../paint/painter.ts'
import { fromPixels, type Picture, wordsOf } from '../paint/picture.ts'
import { picturedDesktop } from '../scenario/run/observe.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { drawStyle, variantsOf, withVariant } from '../scenario/seeds.ts'
import { isDerivedLocale } from '../scenario/variants/axes/wording.ts'
import type { VariantChoices } from '../scenario/variants/axis.ts'
import { DatasetFolder, joinLines, type PictureHash, type ShardRecord, sha256 } from './folder.ts'
import { groundingOf } from './grounding.ts'
import {
  type AnnotationFormat,
  annotationFile,
  DatasetError,
  type DatasetPlan,
  drawPlaces,
  imageFile,
  type PlannedRun,
  runsOfShard,
  type Split,
  seedOf,
  splitOfScenarios,
} from './plan.ts'

/** A picture of a dataset, with where it comes from. */
interface DatasetImage extends CocoImage {
  readonly scenario: string
  readonly seed: number
  readonly variant: Readonly<Record<string, string>>
  readonly step: number
  /** The number of its run, from 1. Pictures of one run show the same desktop. */
  readonly run: number
  readonly split: Split
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

/** A picture whose pixels are painted once. */
interface PaintedMoment {
  readonly moment: SolutionMoment
  readonly picture: Picture
}

function paint(moment: SolutionMoment): PaintedMoment {
  const { theme, projection } = moment.scenario
  const shown = createPainter({ ...(theme !== undefined && { theme }), projection }).screen(moment.desktop)
  return { moment, picture: { ...fromPixels(shown.width, shown.height, shown.pixels()), text: shown.text ?? [] } }
}

/** Pictures that differ in a smaller share of their pixels are near-duplicates. */
const MIN_DIFFERENT_SHARE = 0.02

/** Whether two pictures of one size differ in fewer pixels than a share of them. */
export function areAlike(one: Picture, other: Picture): boolean {
  if (one.width !== other.width || one.height !== other.height) return false
  const [a, b] = [wordsOf(one.pixels()), wordsOf(other.pixels())]
  const most = a.length * MIN_DIFFERENT_SHARE
  let different = 0
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at] && ++different >= most) return false
  return true
}

/** Where a picture stands in its dataset. */
interface PicturePlace {
  readonly number: number
  readonly run: PlannedRun
  readonly split: Split
}

/** Draws a picture of a moment with its annotations and instructions. */
async function drawMoment(
  { moment: { scenario, seed, variant, step, desktop }, picture }: PaintedMoment,
  { number, run, split: purpose }: PicturePlace,
): Promise<DrawnPicture> {
  const { projection } = scenario
  const { width, height, text = [] } = picture
  const areas = visibleAreas(desktop, { projection })
  const file_name = imageFile(number)
  const image = {
    id: number,
    file_name,
    width,
    height,
    scenario: scenario.name,
    seed,
    variant,
    step,
    run: run.number + 1,
    split: purpose,
  }
  const about = annotationsOf(areas, text, image, number * MAX_ANNOTATIONS + 1)
  const grounding = groundingOf(
    desktop,
    areas,
    about.annotations,
    text,
    split(run.random, `instructions ${number}`),
  ).map(({ instruction, kind, selector, area, point, named }) => {
    const annotation = about.annotations[areas.indexOf(area)]!
    const { id, bbox, role, name, window_uid } = annotation
    return JSON.stringify({
      image_id: number,
      file_name,
      image_size: [width, height],
      run: image.run,
      split: purpose,
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
  })
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
  const hashes: PictureHash[] = []
  const grounding: string[] = []
  const purposes = splitOfScenarios(plan)
  for (const run of runsOfShard(plan, shard)) {
    const painted = new Map<SolutionMoment, PaintedMoment>()
    const isNew = (moment: SolutionMoment): boolean => {
      const made = paint(moment)
      if ([...painted.values()].some(({ picture }) => areAlike(picture, made.picture))) return false
      painted.set(moment, made)
      return true
    }
    const moments = await momentsOf(run, plan, scenarios, isNew)
    for (const [index, moment] of moments.entries()) {
      const number = run.pictures[index]!
      const drawn = await drawMoment(painted.get(moment) ?? paint(moment), {
        number,
        run,
        split: purposes.get(run.scenario)!,
      })
      folder.write(imageFile(number), drawn.png)
      hashes.push({ number, sha256: sha256(drawn.png) })
      pictures.push(drawn.about)
      grounding.push(...drawn.grounding)
    }
  }
  folder.write(annotationFile(shard, plan.annotations), annotationText(pictures, plan.annotations))
  const record: ShardRecord = {
    images: pictures.length,
    annotations: pictures.reduce((sum, { annotations }) => sum + annotations.length, 0),
    texts: pictures.reduce((sum, { texts }) => sum + texts.length, 0),
    grounding: grounding.length,
    pictures: hashes,
  }
  await folder.finishShard(shard, joinLines(grounding), record)
  return record
}

const annotationText = (pictures: readonly PictureAnnotations[], format: AnnotationFormat): string =>
  joinLines(
    format === 'coco'
      ? [JSON.stringify(cocoDocument(pictures))]
      : pictures.map(({ image, annotations, texts }) => JSON.stringify({ image, annotations, texts })),
  )

/** The text of the annotations of a shard with some of its pictures only, and what it holds then. */
export function withoutPictures(
  text: string,
  format: AnnotationFormat,
  isKept: (number: number) => boolean,
): { readonly text: string; readonly counts: Pick<ShardRecord, 'images' | 'annotations' | 'texts'> } {
  const pictures = picturesIn(text, format).filter(({ image }) => isKept(image.id))
  return {
    text: annotationText(pictures, format),
    counts: {
      images: pictures.length,
      annotations: pictures.reduce((sum, { annotations }) => sum + annotations.length, 0),
      texts: pictures.reduce((sum, { texts }) => sum + texts.length, 0),
    },
  }
}

function picturesIn(text: string, format: AnnotationFormat): readonly PictureAnnotations[] {
  if (format === 'lines')
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as PictureAnnotations]))
  const { images, annotations, texts } = JSON.parse(text) as CocoDocument
  return images.map((image) => ({
    image,
    annotations: annotations.filter(({ image_id }) => image_id === image.id),
    texts: texts.filter(({ image_id }) => image_id === image.id),
  }))
}

/** What a worker process of a dataset is asked to do. */
export interface ShardRequest {
  readonly plan: DatasetPlan
  readonly out: string
  readonly shard: number
}

/** What it answers. */
export type ShardReport =
  | { readonly did: 'shard'; readonly record: ShardRecord }
  | { readonly did: 'fail'; readonly message: string }

/** Writes the shards that the parent process asks for, until it closes the channel or ends. */
export function writeShardsInProcess(): void {
  if (!process.send) throw new Error('dataset-worker is started by backlot dataset, and by nothing else')
  const scenarios = loadOnce()
  // The terminal sends this to the whole group; the parent decides.
  process.on('SIGINT', () => {})
  process.on('disconnect', () => process.exit())
  process.on('message', (request: ShardRequest) => {
    void answer(request, scenarios).then((report) => process.send?.(report))
  })
}

async function answer({ plan, out, shard }: ShardRequest, scenarios: LoadedScenarios): Promise<ShardReport> {
  try {
    return { did: 'shard', record: await writeShard(plan, shard, new DatasetFolder(out), scenarios) }
  } catch (error) {
    if (error instanceof DatasetError || error instanceof Fault) return { did: 'fail', message: error.message }
    throw error
  }
}

/** A point of a solution, of which a picture is taken. */
interface SolutionMoment {
  readonly scenario: Scenario
  readonly seed: number
  readonly variant: VariantChoices
  /** The number of calls of the solution that were made. */
  readonly step: number
  readonly desktop: Desktop
}

/** Scenarios by the name in the plan. */
export type LoadedScenarios = (name: string) => Promise<Scenario>

/** Loads each scenario once. */
export function loadOnce(): LoadedScenarios {
  const loaded = new Map<string, Promise<Scenario>>()
  return (name) => {
    const scenario = loaded.get(name) ?? loadScenario(name)
    loaded.set(name, scenario)
    return scenario
  }
}

/** A run whose pictures are alike is shown in so many further variants at most. */
const MAX_ATTEMPTS = 12

/**
 * The points of a run: as many as it has pictures, spread over the solution, in further variants if one has too few. Without
 * `keepDuplicates` a point counts only if `isNew` says so, and there may be fewer.
 */
export async function momentsOf(
  run: PlannedRun,
  plan: DatasetPlan,
  scenarios: LoadedScenarios,
  isNew: (moment: SolutionMoment) => boolean = () => true,
): Promise<readonly SolutionMoment[]> {
  const source = await scenarios(run.scenario)
  const wanted = run.pictures.length
  const moments: SolutionMoment[] = []
  for (let attempt = 0; moments.length < wanted && attempt <= MAX_ATTEMPTS; attempt++) {
    const seed = seedOf(run, attempt)
    const variant = chosenVariant(source, plan, seed)
    const scenario = withVariant(source, variant, seed)
    const all = await distinctMoments({ scenario, seed, variant })
    const chosen = new Set<number>()
    for (const place of drawPlaces(split(run.random, `points ${attempt}`), all.length)) {
      if (moments.length + chosen.size === wanted) break
      if (plan.keepDuplicates || isNew(all[place]!)) chosen.add(place)
    }
    moments.push(...all.filter((_, place) => chosen.has(place)))
  }
  if (plan.keepDuplicates) for (let at = 0; moments.length < wanted; at++) moments.push(moments[at]!)
  return moments
}

/** With named axes, variants are drawn until one changes any of them, at most so often. */
const MAX_DRAWN = 8

function chosenVariant(source: Scenario, { variants, variant }: DatasetPlan, seed: number): VariantChoices {
  const style = variants === 'all' || variants.includes('style') ? drawStyle(source, seed) : {}
  const drawn = drawAxes(source, variants, seed)
  return { ...(variants === 'all' ? withFewDerivedLocales(drawn, seed) : drawn), ...style, ...variant }
}

/** Of the locales that are derived from the texts, one in so many is kept: no desktop that people use has them. */
const DERIVED_KEPT_IN = 8

function withFewDerivedLocales(choices: VariantChoices, seed: number): VariantChoices {
  const { locale, ...rest } = choices
  if (locale === undefined || !isDerivedLocale(locale)) return choices
  return drawInteger(split(seededRandom(seed), 'derived locale'), 1, DERIVED_KEPT_IN)[0] === 1 ? choices : rest
}

function drawAxes(source: Scenario, axes: DatasetPlan['variants'], seed: number): VariantChoices {
  if (axes === 'all') return variantsOf(source, 1, seed)[0] ?? {}
  if (axes.length === 0) return {}
  for (const choices of variantsOf(source, MAX_DRAWN, seed)) {
    const kept = Object.entries(choices).filter(([axis]) => axes.includes(axis))
    if (kept.length > 0) return Object.fromEntries(kept)
  }
  return {}
}

/** The start and the desktop after each call of the first solution that changes it. Ends before a call that fails. */
async function distinctMoments(
  of: Pick<SolutionMoment, 'scenario' | 'seed' | 'variant'>,
): Promise<readonly SolutionMoment[]> {
  const session = memorySession(of.scenario, { seed: of.seed })
  const moments: SolutionMoment[] = []
  const add = (step: number) => {
    const desktop = picturedDesktop(session.computer.run)
    if (desktop !== moments.at(-1)?.desktop) moments.push({ ...of, step, desktop })
  }
  add(0)
  for await (const { number, fault } of playSolution(session, of.scenario.solutions[0])) {
    if (fault) break
    add(number)
  }
  return moments
}
