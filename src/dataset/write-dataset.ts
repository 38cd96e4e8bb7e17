import { COCO_CATEGORIES } from '../paint/annotations/coco.ts'
import { DatasetError } from './dataset-error.ts'
import { DatasetFolder, type ShardRecord } from './folder.ts'
import { identityOf } from './identity.ts'
import { annotationFile, type DatasetPlan, shardCount } from './plan.ts'

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
export interface DatasetSummary extends ShardRecord {
  /** Whether the dataset was complete before. */
  readonly wasComplete: boolean
}

/** A shard whose worker ends so often is given up. */
const MAX_ATTEMPTS = 3

const LICENCE =
  'Pictures and texts of scenarios of the Backlot gallery may be used under the licence of Backlot (MIT). The fonts in them are Inter, JetBrains Mono and Noto Sans (SIL Open Font License 1.1), which does not restrict pictures. Pictures of other scenarios are under the terms of their authors.'

/**
 * Writes a dataset, or what is missing of it, on workers.
 * @returns The sums, or undefined when `signal` has ended the work.
 * @throws A `DatasetError` for a folder, a scenario or a disk that cannot be used.
 */
export async function writeDataset(run: DatasetRun): Promise<DatasetSummary | undefined> {
  const { plan, out, version, signal, onProgress } = run
  const identity = await identityOf(plan, version)
  const folder = new DatasetFolder(out)
  const state = folder.open(JSON.stringify(identity))
  const shards = Array.from({ length: shardCount(plan) }, (_, shard) => shard)
  if (state === 'complete') {
    folder.clean()
    return { images: plan.count, annotations: 0, texts: 0, grounding: 0, wasComplete: true }
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
  const sums = sumOf([...records.values()])
  const manifest = {
    identity,
    licence: LICENCE,
    counts: sums,
    categories: COCO_CATEGORIES,
    shards: shards.map((shard) => ({
      annotations_file: annotationFile(shard, plan.annotations),
      ...records.get(shard)!,
    })),
  }
  await folder.finish(shards.length, `${JSON.stringify(manifest, undefined, 2)}\n`)
  return { ...sums, wasComplete: false }
}

const sumOf = (records: readonly ShardRecord[]): ShardRecord =>
  records.reduce((sum, { images, annotations, texts, grounding }) => ({
    images: sum.images + images,
    annotations: sum.annotations + annotations,
    texts: sum.texts + texts,
    grounding: sum.grounding + grounding,
  }))

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
