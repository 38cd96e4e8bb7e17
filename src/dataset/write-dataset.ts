import { COCO_CATEGORIES } from '../paint/annotations/coco.ts'
import { type DamagedFile, DatasetFolder, type KeptShard, type PictureHash, type ShardRecord } from './folder.ts'
import {
  annotationFile,
  DatasetError,
  type DatasetIdentity,
  type DatasetPlan,
  identityOf,
  imageFile,
  runsOfShard,
  SPLITS,
  type Split,
  shardCount,
  shardOfFile,
  splitOfScenarios,
} from './plan.ts'
import { withoutPictures } from './shard.ts'

/** Writes shards, one after another. */
export interface ShardWorker {
  /** Resolves to `lost` when the worker has ended. Throws a `DatasetError` for a shard that cannot be written. */
  write(shard: number): Promise<ShardRecord | 'lost'>
  close(): Promise<void>
}

/** The parts of writing a dataset that are not files. */
export interface DatasetRun {
  readonly plan: DatasetPlan
  readonly out: string
  readonly version: string
  readonly openWorker: () => Promise<ShardWorker>
  readonly workers: number
  /** Ends the work. What is written stays, and the same call continues. */
  readonly signal: AbortSignal
  /** Called with the number of pictures that are written, and how many were when the work began. */
  readonly onProgress?: (done: number, before: number) => void
}

/** Sums over a dataset. */
export interface DatasetSummary extends Sums {
  /** Whether the dataset was complete before. */
  readonly wasComplete: boolean
  /** The files of a complete dataset that were damaged and are written again. */
  readonly repaired: readonly DamagedFile[]
  /** The number of planned pictures that are left out because they equal others. */
  readonly leftOut: number
}

type Sums = Omit<ShardRecord, 'pictures'>

/** A shard whose worker ends so often is given up. */
const MAX_ATTEMPTS = 3

const LICENCE =
  'Pictures and texts of scenarios of the Backlot gallery may be used under the licence of Backlot (MIT). The fonts in them are Inter, JetBrains Mono and Noto Sans (SIL Open Font License 1.1), which does not restrict pictures. Pictures of other scenarios are under the terms of their authors.'

/**
 * Writes a dataset, or what is missing of it, on workers. Of a complete dataset, all files are compared with their hashes, and those
 * that are damaged are written again.
 * @returns The sums, or undefined when `signal` has ended the work.
 * @throws A `DatasetError` for a folder, a scenario or a disk that cannot be used.
 */
export async function writeDataset(run: DatasetRun): Promise<DatasetSummary | undefined> {
  const { plan, out, version, signal, onProgress } = run
  const identity = await identityOf(plan, version)
  const folder = new DatasetFolder(out)
  const state = folder.open(JSON.stringify(identity))
  const shards = Array.from({ length: shardCount(plan) }, (_, shard) => shard)
  let repaired: readonly DamagedFile[] = []
  if (state === 'complete') {
    folder.clean()
    repaired = folder.damaged()
    const { counts, left_out } = JSON.parse(folder.read('manifest.json')!) as WrittenManifest
    if (repaired.length === 0) return { ...counts, leftOut: left_out.length, wasComplete: true, repaired }
    await folder.reopen(JSON.stringify(identity), intactShards(plan, folder, repaired))
  }
  const records = new Map<number, ShardRecord>()
  for (const shard of shards) {
    const record = folder.shard(shard)
    if (record) records.set(shard, record)
  }
  const pictures = () => [...records.values()].reduce((sum, { images }) => sum + images, 0)
  const before = pictures()
  onProgress?.(before, before)
  const missing = shards.filter((shard) => !records.has(shard))
  await writeShards(missing, run, (shard, record) => {
    records.set(shard, record)
    onProgress?.(pictures(), before)
  })
  if (signal.aborted) return undefined
  const { sums, leftOut } = await finishDataset(
    plan,
    folder,
    identity,
    shards.map((shard) => records.get(shard)!),
  )
  return { ...sums, leftOut, wasComplete: false, repaired }
}

/** What a manifest says about the shards. */
interface WrittenManifest {
  readonly counts: Sums
  readonly left_out: readonly LeftOut[]
  readonly shards: readonly Sums[]
}

/** A picture that equals one before it to the byte. */
interface LeftOut {
  readonly picture: number
  readonly same_as: number
}

/** The shards of a complete dataset that need not be written again. */
function intactShards(plan: DatasetPlan, folder: DatasetFolder, damaged: readonly DamagedFile[]): readonly KeptShard[] {
  // Instructions and hashes are not kept by shard: without them, all shards are written again.
  if (damaged.some(({ path }) => ['grounding.jsonl', 'SHA256SUMS', 'manifest.json'].includes(path))) return []
  const { shards, left_out } = JSON.parse(folder.read('manifest.json')!) as WrittenManifest
  const broken = new Set([
    ...damaged.map(({ path }) => shardOfFile(path)),
    ...left_out.map(({ picture }) => shardOfFile(imageFile(picture))),
  ])
  return shards.flatMap(({ images, annotations, texts, grounding }, shard) => {
    if (broken.has(shard)) return []
    const numbers = runsOfShard(plan, shard).flatMap(({ pictures }) => pictures)
    // A run with fewer pictures than planned has the first numbers.
    const written = numbers.filter((number) => folder.has(imageFile(number)))
    return [{ shard, record: { images, annotations, texts, grounding }, numbers: written, fileOf: imageFile }]
  })
}

/** Leaves out pictures that equal others, and writes what belongs to the whole dataset. */
async function finishDataset(
  plan: DatasetPlan,
  folder: DatasetFolder,
  identity: DatasetIdentity,
  written: readonly ShardRecord[],
): Promise<{ readonly sums: Sums; readonly leftOut: number }> {
  const repeated = plan.keepDuplicates ? [] : equalPictures(written.flatMap(({ pictures }) => pictures))
  const isKept = (number: number) => !repeated.some(({ picture }) => picture === number)
  const annotationFiles = written.map((_, shard) => annotationFile(shard, plan.annotations))
  const grounding: string[] = []
  const records = written.map((record, shard): ShardRecord => {
    const lines = folder.groundingOf([shard])
    const pictures = record.pictures.filter(({ number }) => isKept(number))
    if (pictures.length === record.pictures.length) {
      grounding.push(...lines)
      return record
    }
    const own = lines.filter((line) => isKept((JSON.parse(line) as GroundingLine).image_id))
    grounding.push(...own)
    const rest = withoutPictures(folder.read(annotationFiles[shard]!)!, plan.annotations, isKept)
    folder.write(annotationFiles[shard]!, rest.text)
    for (const { number } of record.pictures) if (!isKept(number)) folder.remove(imageFile(number))
    return { ...rest.counts, grounding: own.length, pictures }
  })
  const sums = sumOf(records)
  const purposes = splitOfScenarios(plan)
  const manifest = {
    identity,
    licence: LICENCE,
    counts: sums,
    splits: Object.fromEntries(
      SPLITS.map((split) => [split, plan.scenarios.filter((scenario) => purposes.get(scenario) === split)]),
    ),
    left_out: repeated,
    categories: COCO_CATEGORIES,
    shards: records.map(({ pictures: _, ...counts }, shard) => ({
      annotations_file: annotationFiles[shard]!,
      ...counts,
    })),
  }
  await folder.finish({
    pictures: records.flatMap(({ pictures }) =>
      pictures.map(({ number, sha256 }) => ({ path: imageFile(number), sha256 })),
    ),
    annotationFiles,
    grounding,
    exported: exportedFiles(grounding.map((line) => JSON.parse(line) as GroundingLine)),
    manifest: `${JSON.stringify(manifest, undefined, 2)}\n`,
  })
  return { sums, leftOut: plan.count - sums.images }
}

function equalPictures(pictures: readonly PictureHash[]): readonly LeftOut[] {
  const first = new Map<string, number>()
  return pictures.flatMap(({ number, sha256 }) => {
    const same_as = first.get(sha256)
    if (same_as === undefined) first.set(sha256, number)
    return same_as === undefined ? [] : [{ picture: number, same_as }]
  })
}

const sumOf = (records: readonly ShardRecord[]): Sums => ({
  images: sumBy(records, 'images'),
  annotations: sumBy(records, 'annotations'),
  texts: sumBy(records, 'texts'),
  grounding: sumBy(records, 'grounding'),
})

const sumBy = (records: readonly ShardRecord[], key: keyof Sums): number =>
  records.reduce((sum, record) => sum + record[key], 0)

/** Writes shards on workers. A shard whose worker is lost is written again by another. */
async function writeShards(
  shards: readonly number[],
  { openWorker, workers, signal }: DatasetRun,
  onWritten: (shard: number, record: ShardRecord) => void,
): Promise<void> {
  const waiting = shards.map((shard) => ({ shard, attempts: 0 }))
  const failures: unknown[] = []
  const slot = async (): Promise<void> => {
    let worker: ShardWorker | undefined
    const abort = () => void worker?.close()
    signal.addEventListener('abort', abort)
    try {
      for (let next = waiting.shift(); next && !signal.aborted && failures.length === 0; next = waiting.shift()) {
        worker ??= await openWorker()
        const record = await worker.write(next.shard)
        if (record !== 'lost') {
          onWritten(next.shard, record)
          continue
        }
        worker = undefined
        if (signal.aborted) break
        if (++next.attempts === MAX_ATTEMPTS)
          throw new DatasetError(
            `shard ${next.shard + 1} cannot be written: its worker process ended ${MAX_ATTEMPTS} times`,
          )
        waiting.unshift(next)
      }
    } catch (failure) {
      failures.push(failure)
    } finally {
      signal.removeEventListener('abort', abort)
      await worker?.close()
    }
  }
  await Promise.all(Array.from({ length: Math.min(workers, shards.length) }, slot))
  if (failures.length > 0 && !signal.aborted) throw failures[0]
}

/** A line of `grounding.jsonl`, as far as other formats have it. */
export interface GroundingLine {
  readonly image_id: number
  readonly file_name: string
  readonly image_size: readonly [width: number, height: number]
  readonly split: Split
  readonly instruction: string
  readonly bbox: readonly [x: number, y: number, width: number, height: number]
  readonly point: readonly [x: number, y: number]
  readonly role: string
  readonly name_painted: boolean
}

/** A file in the format of another dataset. */
export interface ExportedFile {
  readonly path: string
  readonly content: string
}

/**
 * The instructions in the files that ShowUI (`metadata/SPLIT.json` beside `images/`), OS-Atlas (`os_atlas/SPLIT.json`) and UGround
 * (`uground/SPLIT.jsonl`) are trained from; a file for each split that has instructions.
 */
function exportedFiles(lines: readonly GroundingLine[]): readonly ExportedFile[] {
  return SPLITS.flatMap((split) => {
    const own = lines.filter((line) => line.split === split)
    if (own.length === 0) return []
    const pictures = byPicture(own)
    return [
      { path: `metadata/${split}.json`, content: jsonLines(pictures.map(showUiPicture)) },
      { path: `os_atlas/${split}.json`, content: jsonLines(own.map(osAtlasSample)) },
      {
        path: `uground/${split}.jsonl`,
        content: pictures.map((each) => `${JSON.stringify(uGroundRow(each))}\n`).join(''),
      },
    ]
  })
}

function byPicture(lines: readonly GroundingLine[]): readonly (readonly GroundingLine[])[] {
  const found = new Map<number, GroundingLine[]>()
  for (const line of lines) {
    const others = found.get(line.image_id)
    if (others) others.push(line)
    else found.set(line.image_id, [line])
  }
  return [...found.values()]
}

/** An array with an element per line. */
const jsonLines = (values: readonly object[]): string =>
  `[\n${values.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`

const DIGITS = 1e6
const share = (part: number, whole: number): number => Math.round((part / whole) * DIGITS) / DIGITS

/** Left, top, right and bottom as shares of the picture. */
const shares = ({ bbox: [x, y, width, height], image_size: [across, down] }: GroundingLine) => [
  share(x, across),
  share(y, down),
  share(x + width, across),
  share(y + height, down),
]

/** Its data tells words from signs. */
const dataType = ({ name_painted }: GroundingLine): 'text' | 'icon' => (name_painted ? 'text' : 'icon')

function showUiPicture(lines: readonly GroundingLine[]): object {
  const { file_name, image_size } = lines[0]!
  return {
    img_url: file_name.replace(/^images\//, ''),
    img_size: image_size,
    element: lines.map((line) => ({
      instruction: line.instruction,
      bbox: shares(line),
      data_type: dataType(line),
      point: [share(line.point[0], line.image_size[0]), share(line.point[1], line.image_size[1])],
    })),
    element_size: lines.length,
  }
}

const osAtlasSample = (line: GroundingLine): object => ({
  img_filename: line.file_name.replace(/^images\//, ''),
  instruction: line.instruction,
  bbox: shares(line),
  data_type: dataType(line),
})

/** UGround has the turns of a picture as a text of JSON, and boxes in pixels. */
function uGroundRow(lines: readonly GroundingLine[]): object {
  const { file_name, image_size } = lines[0]!
  const turns = lines.flatMap(({ instruction, bbox: [x, y, width, height] }) => [
    { from: 'human', value: instruction },
    { from: 'gpt', value: `(${x}, ${y}, ${x + width}, ${y + height})` },
  ])
  return { image: file_name, width: image_size[0], height: image_size[1], conversations: JSON.stringify(turns) }
}
