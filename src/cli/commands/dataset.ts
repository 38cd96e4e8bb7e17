import { availableParallelism } from 'node:os'
import { Command, InvalidArgumentError, Option } from 'commander'
import { realClock } from '../../base/clock.ts'
import { VERSION } from '../../compose/package.ts'
import { DatasetError } from '../../dataset/dataset-error.ts'
import type { ShardReport, ShardRequest } from '../../dataset/dataset-process.ts'
import type { DatasetPlan } from '../../dataset/plan.ts'
import { type ShardWorker, writeDataset } from '../../dataset/write-dataset.ts'
import { startProcess } from '../../evaluation/pool/process-worker.ts'
import { positive, wholeNumber } from '../arguments.ts'
import { timeLeftText } from '../duration.ts'
import { UserError } from '../user-error.ts'
import { chosenVariant, type VariantFlags, withAxisFlags } from '../variant-flags.ts'

interface DatasetFlags extends Pick<VariantFlags, 'variant' | 'style'> {
  readonly count: number
  readonly out: string
  readonly seed: number
  readonly variants: DatasetPlan['variants']
  readonly annotations: DatasetPlan['annotations']
  readonly workers?: number
}

/** `backlot dataset`: writes pictures of scenarios with exact annotations and instructions. */
export const datasetCommand = (): Command =>
  withAxisFlags(new Command('dataset'))
    .description(
      'Write pictures of scenarios with boxes, masks, texts and instructions, to train and test vision agents.',
    )
    .argument('<scenario...>', 'scenario files, or names of gallery scenarios')
    .requiredOption('--count <n>', 'number of pictures', positive)
    .requiredOption('-o, --out <folder>', 'folder to write; an interrupted dataset in it is continued')
    .option('--seed <number>', 'seed of variants and points of solutions', wholeNumber, 1)
    .option(
      '--variants <axes>',
      'axes to vary: all, none, or some such as style,theme,scale (docs/variants.md)',
      axes,
      'all' as const,
    )
    .addOption(
      new Option('--annotations <format>', 'a COCO document per shard, or a line of JSON per picture')
        .choices(['coco', 'lines'])
        .default('coco'),
    )
    .option('--workers <n>', 'worker processes (default: one per core)', positive)
    .addHelpText(
      'after',
      `
The same arguments write the same bytes, with any number of workers (docs/datasets.md).

Examples:
  backlot dataset mail form shop --count 1000 --out data
  backlot dataset my-scenario.yaml --count 200 --variants style,theme,scale,locale --seed 7 --out data
  backlot dataset mail --count 100 --style macos --variant theme=dark --out data`,
    )
    .action(async (scenarios: readonly string[], flags: DatasetFlags) => {
      try {
        await run(scenarios, flags)
      } catch (error) {
        if (error instanceof DatasetError) throw new UserError(error.message)
        throw error
      }
    })

async function run(scenarios: readonly string[], { out, workers, ...flags }: DatasetFlags): Promise<void> {
  const { count, seed, variants, annotations } = flags
  const variant = chosenVariant(flags) ?? {}
  const plan: DatasetPlan = { scenarios, count, seed, variants, variant, annotations }
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt)
  const clock = realClock()
  const startedMs = clock.now()
  let lastShown = 0
  const summary = await writeDataset({
    plan,
    out,
    version: VERSION,
    openWorker: async () => openShardWorker(plan, out),
    workers: workers ?? availableParallelism(),
    signal: stop.signal,
    onProgress: (done, before) => {
      const line = progressLine(done, before, count, clock.now() - startedMs)
      if (process.stderr.isTTY) process.stderr.write(`${CLEAR_LINE}${line}`)
      else if (done === before ? done > 0 : done - lastShown >= count / LINES && done < count) {
        lastShown = done
        process.stderr.write(`${done === before ? 'continues: ' : ''}${line}\n`)
      }
    },
  })
  if (process.stderr.isTTY) process.stderr.write(CLEAR_LINE)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt)
  if (!summary) {
    process.stderr.write('backlot: stopped; the same command continues with the pictures that are left\n')
    process.exitCode = 130
  } else if (summary.wasComplete) process.stdout.write(`${out} is complete already: ${count} pictures\n`)
  else
    process.stdout.write(
      `${out}: ${summary.images} pictures, ${summary.annotations} annotations, ${summary.texts} texts, ${summary.grounding} instructions\n`,
    )
}

const CLEAR_LINE = '\r\u001b[K'
/** Without a terminal, at most so many lines of progress. */
const LINES = 20

function progressLine(done: number, before: number, count: number, elapsedMs: number): string {
  const written = done - before
  if (written === 0) return `${done} of ${count} pictures`
  const rate = (written * 1000) / elapsedMs
  return `${done} of ${count} pictures, ${rate.toFixed(1)} a second, ${timeLeftText(((count - done) * 1000) / rate)} left`
}

/** Starts a process that writes shards. */
function openShardWorker(plan: DatasetPlan, out: string): ShardWorker {
  const { ask, close, lastWords } = startProcess<ShardRequest, ShardReport>({
    script: process.argv[1]!,
    args: ['dataset-worker'],
  })
  return {
    async write(shard) {
      const report = await ask({ plan, out, shard })
      if (report === 'ended') {
        if (lastWords() !== '') process.stderr.write(`${lastWords()}\n`)
        return 'lost'
      }
      if (report.did === 'fail') throw new DatasetError(report.message)
      return report.record
    },
    close,
  }
}

function axes(text: string): DatasetPlan['variants'] {
  if (text === 'all') return 'all'
  if (text === 'none') return []
  const names = text.split(',').map((name) => name.trim())
  if (names.includes('')) throw new InvalidArgumentError('use all, none, or names of axes with commas between them')
  return names
}
