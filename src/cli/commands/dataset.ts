import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { realClock } from '../../base/clock.ts'
import { VERSION } from '../../compose/package.ts'
import { type DamagedFile, DatasetFolder } from '../../dataset/folder.ts'
import { DatasetError, type DatasetPlan, DEFAULT_SPLIT } from '../../dataset/plan.ts'
import type { ShardReport, ShardRequest } from '../../dataset/shard.ts'
import { type ShardWorker, writeDataset } from '../../dataset/write-dataset.ts'
import { startProcess } from '../../evaluation/pool/process-worker.ts'
import { positive, seedNumber, UserError } from '../arguments.ts'
import { timeLeftText } from '../program.ts'
import { chosenVariant, type VariantFlags, withAxisFlags } from '../variant-flags.ts'

interface DatasetFlags extends Pick<VariantFlags, 'variant' | 'style'> {
  readonly count?: number
  readonly out: string
  readonly seed: number
  readonly variants: DatasetPlan['variants']
  readonly annotations: DatasetPlan['annotations']
  readonly split: DatasetPlan['split']
  readonly keepDuplicates?: true
  readonly verify?: true
  readonly workers?: number
}

/** `backlot dataset`: writes pictures of scenarios with exact annotations and instructions. */
export const datasetCommand = (): Command =>
  withAxisFlags(new Command('dataset'))
    .description(
      'Write pictures of scenarios with boxes, masks, texts and instructions, to train and test vision agents.',
    )
    .argument('[scenario...]', 'scenario files, or names of gallery scenarios')
    .option('--count <n>', 'number of pictures', positive)
    .requiredOption('-o, --out <folder>', 'folder to write; a dataset in it is continued, or repaired')
    .option('--seed <number>', 'seed of variants and points of solutions', seedNumber, 1)
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
    .option(
      '--split <shares>',
      'percent of the scenarios for training, validation and test',
      splitShares,
      DEFAULT_SPLIT,
    )
    .option('--keep-duplicates', 'keep pictures that are almost equal to another of their run, or equal to any')
    .option('--verify', 'compare the files of a complete dataset with their hashes, and write nothing')
    .option('--workers <n>', 'worker processes (default: one per core)', positive)
    .addHelpText(
      'after',
      `
The same arguments write the same bytes, with any number of workers (docs/datasets.md).

Examples:
  backlot dataset mail form shop --count 1000 --out data
  backlot dataset my-scenario.yaml --count 200 --variants style,theme,scale,locale --seed 7 --out data
  backlot dataset mail --count 100 --style macos --variant theme=dark --out data
  backlot dataset --verify --out data`,
    )
    .action(async (scenarios: readonly string[], { count, ...flags }: DatasetFlags, command: Command) => {
      try {
        if (flags.verify) verify(flags.out)
        else if (scenarios.length === 0)
          command.error('error: name the scenarios, such as: backlot dataset mail --count 100 --out data')
        else if (count === undefined) command.error('error: --count is missing: the number of pictures')
        else await run(scenarios, { count, ...flags })
      } catch (error) {
        if (error instanceof DatasetError) throw new UserError(error.message)
        throw error
      }
    })

/** Names the damaged files of a complete dataset, and fails if there are any. */
function verify(out: string): void {
  const damaged = new DatasetFolder(out).damaged()
  if (damaged.length === 0) process.stdout.write(`${out}: every file is as it was written\n`)
  else
    throw new DatasetError(
      `${namedFiles(out, damaged)}; the command that wrote the dataset writes ${damaged.length === 1 ? 'it' : 'them'} again`,
    )
}

const SHOWN_FILES = 10

function namedFiles(out: string, damaged: readonly DamagedFile[]): string {
  const shown = damaged.slice(0, SHOWN_FILES).map(({ path, problem }) => `${join(out, path)} ${problem}`)
  const more = damaged.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

async function run(
  scenarios: readonly string[],
  { out, workers, ...flags }: DatasetFlags & { readonly count: number },
): Promise<void> {
  const { count, seed, variants, annotations, split, keepDuplicates = false } = flags
  const variant = chosenVariant(flags) ?? {}
  const plan: DatasetPlan = { scenarios, count, seed, variants, variant, annotations, split, keepDuplicates }
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
    return
  }
  const { wasComplete, repaired, leftOut } = summary
  if (repaired.length > 0)
    process.stdout.write(`${out}: ${namedFiles(out, repaired)}; written again with the other files of their shards\n`)
  if (wasComplete)
    process.stdout.write(`${out} is complete already: ${summary.images} pictures, every file as it was written\n`)
  else
    process.stdout.write(
      `${out}: ${summary.images} pictures, ${summary.annotations} annotations, ${summary.texts} texts, ${summary.grounding} instructions\n`,
    )
  if (leftOut > 0)
    process.stdout.write(
      `${out}: ${leftOut} of ${count} pictures are left out, because they would equal others; name more scenarios or variants, or use --keep-duplicates\n`,
    )
}

const CLEAR_LINE = '\r\u001b[K'
/** Without a terminal, at most so many lines of progress. */
const LINES = 20

function progressLine(done: number, before: number, count: number, elapsedMs: number): string {
  const given = done - before
  if (given === 0) return `${done} of ${count} pictures`
  const rate = (given * 1000) / elapsedMs
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

function splitShares(text: string): DatasetPlan['split'] {
  const shares = text.split(',').map(Number)
  const [train, validation, test] = shares
  const isRight = shares.length === 3 && shares.every((share) => Number.isInteger(share) && share >= 0)
  if (!isRight || train! + validation! + test! !== 100)
    throw new InvalidArgumentError('use three whole numbers that sum to 100, such as 80,10,10')
  return [train!, validation!, test!]
}

function axes(text: string): DatasetPlan['variants'] {
  if (text === 'all') return 'all'
  if (text === 'none') return []
  const names = text.split(',').map((name) => name.trim())
  if (names.includes('')) throw new InvalidArgumentError('use all, none, or names of axes with commas between them')
  return names
}
