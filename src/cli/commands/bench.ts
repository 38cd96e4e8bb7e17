import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { realClock } from '../../base/clock.ts'
import { VERSION } from '../../compose/package.ts'
import { AGENT_CHOICES, agentHash, BUILTIN_AGENTS } from '../../evaluation/agents/choose-agent.ts'
import { auditSuite, openAuditProcess } from '../../evaluation/audit/audit.ts'
import { benchAudit, benchAuditTable } from '../../evaluation/bench/bench-audit.ts'
import {
  type BenchManifest,
  benchManifest,
  heldOutKeyHash,
  isImpossible,
  manifestChanges,
  withHeldOutSeeds,
  withRemadeTasks,
} from '../../evaluation/bench/bench-manifest.ts'
import {
  BENCH_TIERS,
  type BenchReport,
  type BenchTier,
  baselineTable,
  benchMarkdown,
  benchReport,
} from '../../evaluation/bench/bench-report.ts'
import { BENCH_MANIFEST, loadBench } from '../../evaluation/bench/pack.ts'
import { EpisodeScenarios } from '../../evaluation/episode/scenarios.ts'
import { runEvaluation } from '../../evaluation/evaluate.ts'
import { onWorkers } from '../../evaluation/pool/coordinate.ts'
import { openProcessWorker } from '../../evaluation/pool/process-worker.ts'
import { readStored } from '../../evaluation/results/stored-results.ts'
import { type LoadedSuite, SuiteError, type SuiteOverrides } from '../../evaluation/suite/load-suite.ts'
import { positive, seedRange, UserError, wholeNumber } from '../arguments.ts'
import { withFaultsFlag } from '../variant-flags.ts'

interface BenchFlags {
  readonly seeds?: readonly number[]
  readonly variants?: number
  readonly workers?: number
  readonly out: string
  readonly heldOut?: string
}

interface RunFlags extends BenchFlags {
  readonly agent: string
  readonly label?: string
  readonly tier: BenchTier
  readonly runs?: number
  readonly faults?: readonly string[]
  readonly fresh?: boolean
}

const withCommonFlags = (command: Command, out: string): Command =>
  command
    .argument('[task...]', 'tasks of the pack; all by default')
    .option('--seeds <a..b>', 'seeds (default: the five public ones)', seedRange)
    .option('--held-out <file>', 'the seeds of the key in this file instead')
    .option('--variants <n>', 'also in this many variants, drawn for each seed', wholeNumber)
    .option('--workers <n>', 'worker processes (default: one per core)', positive)
    .option('--out <folder>', 'folder for the results', out)

/** `backlot bench`: the public task pack. */
export const benchCommand = (): Command =>
  new Command('bench')
    .description('Backlot Bench, the public task pack: audit its tasks, play an agent in them, play the baselines.')
    .addCommand(auditCommand())
    .addCommand(runCommand())
    .addCommand(baselinesCommand())
    .addCommand(manifestCommand())

const auditCommand = (): Command =>
  withCommonFlags(new Command('audit'), 'bench-audit')
    .description('Make the twelve checks of tasks. What no program checks yet is shown as not checked.')
    .option('--personalities <names>', 'also with these accessibility trees, separated by commas', (text: string) =>
      text.split(','),
    )
    .option('--lean', 'in variants and personalities, make only the checks that depend on the screen')
    .option('--json', 'print JSON instead of a table')
    .action(
      async (
        names: readonly string[],
        flags: BenchFlags & {
          readonly personalities?: readonly string[]
          readonly lean?: boolean
          readonly json?: boolean
        },
      ) => {
        const suite = await loaded(names, flags)
        const { personalities = [], out, json, lean } = flags
        const tasks = suite.tasks.flatMap((task) => [
          task,
          ...personalities.map((personality) => ({
            ...task,
            variant: { ...task.variant, personality },
            variantsOf: () => [{}],
          })),
        ])
        mkdirSync(out, { recursive: true })
        const stop = stopOnSignal()
        const audit = await auditSuite({
          suite: { ...suite, tasks },
          version: VERSION,
          openWorker: () =>
            openAuditProcess({
              script: process.argv[1]!,
              args: ['eval-worker', '--audit'],
              isPack: true,
              isLean: lean,
            }),
          workers: flags.workers ?? availableParallelism(),
          clock: realClock(),
          signal: stop.signal,
          onProgress: (done, planned, last) =>
            progress(`${done} of ${planned} audited${last ? `, the last ${last.task} in seed ${last.seed}` : ''}`),
        })
        progress('')
        const result = benchAudit(audit)
        writeJson(join(out, 'audit.json'), audit)
        writeJson(join(out, 'bench-audit.json'), result)
        print(
          json
            ? JSON.stringify(result, undefined, 2)
            : `${benchAuditTable(result)}\n\nresults: ${out}/bench-audit.json`,
        )
        if (stop.signal.aborted) process.exitCode = 130
        else if (!result.passed) process.exitCode = 1
      },
    )

const runCommand = (): Command =>
  withFaultsFlag(withCommonFlags(new Command('run'), 'bench-results'))
    .description('Play an agent in the pack. The same command continues a run that was stopped.')
    .requiredOption('--agent <agent>', AGENT_CHOICES)
    .option('--label <name>', 'name of the agent in the report')
    .option('--runs <k>', 'runs for each seed and variant', positive)
    .option('--fresh', 'start anew; earlier results are moved into a folder below that of the results')
    .addOption(
      new Option('--tier <tier>', 'what the agent may use: an episode with other tools counts as failed')
        .choices(BENCH_TIERS)
        .default('elements'),
    )
    .action(async (names: readonly string[], flags: RunFlags) => {
      const { report, isStopped } = await played(await loaded(names, flags), flags)
      print(`${benchMarkdown(report)}\nresults: ${flags.out}/bench.json, bench.md and report.html`)
      if (isStopped) process.exitCode = 130
      else if (report.episodes.done < report.episodes.planned) process.exitCode = 3
    })

const TABLE = /(<!-- baselines -->\n)[\s\S]*?(\n<!-- \/baselines -->)/

const baselinesCommand = (): Command =>
  withCommonFlags(new Command('baselines'), 'bench-baselines')
    .description('Play the agents of this program that understand nothing, and print their table.')
    .option('--write <file>', 'put the table between the marks "baselines" of a Markdown file')
    .action(async (names: readonly string[], flags: BenchFlags & { readonly write?: string }) => {
      const suite = await loaded(names, flags)
      const reports: BenchReport[] = []
      for (const agent of BUILTIN_AGENTS) {
        const run = { ...flags, agent, tier: 'elements', out: join(flags.out, agent) } as const
        const { report, isStopped } = await played(suite, run)
        if (isStopped) {
          process.exitCode = 130
          return
        }
        reports.push(report)
      }
      const table = baselineTable(reports)
      print(table)
      if (flags.write === undefined) return
      const text = readFileSync(flags.write, 'utf8')
      if (!TABLE.test(text))
        throw new UserError(`${flags.write} has no lines <!-- baselines --> and <!-- /baselines --> to write between`)
      writeFileSync(flags.write, text.replace(TABLE, `$1\n${table}\n$2`))
    })

/** `backlot bench manifest`: compares the pack with its published manifest, or writes it. */
const manifestCommand = (): Command =>
  new Command('manifest')
    .description(
      'Compare the pack with bench-1.json: files, starts and pixels of the public seeds. Exits with 1 if they differ.',
    )
    .argument('[task...]', 'tasks of the pack; all by default')
    .option('--write', 'write the manifest instead; with tasks, only their entries')
    .option('--held-out <file>', 'with --write, also write the SHA-256 of the key in this file')
    .action(
      async (names: readonly string[], { write, heldOut }: { readonly write?: boolean; readonly heldOut?: string }) => {
        if (heldOut !== undefined && !write) throw new UserError('--held-out is for --write here')
        const keySha256 =
          heldOut === undefined ? (publishedManifest()?.held_out.key_sha256 ?? null) : heldOutKeyHash(keyIn(heldOut))
        const made = await benchManifest(await loaded(names, {}), {
          onTask: (done, task) => progress(`${done} tasks, the last ${task}`),
          keySha256,
        })
        progress('')
        if (write) {
          const published = names.length > 0 ? publishedManifest() : undefined
          writeJson(BENCH_MANIFEST, published ? withRemadeTasks(published, made) : made)
          print(`wrote ${BENCH_MANIFEST}`)
          return
        }
        const published = publishedManifest()
        if (!published) throw new UserError(`there is no manifest ${BENCH_MANIFEST}; make it with --write`)
        const known = published.tasks.filter(({ id }) => names.length === 0 || names.includes(id))
        const changes = manifestChanges({ ...published, tasks: known }, made)
        print(
          changes.length === 0
            ? `as published: ${made.tasks.length} of ${published.tasks.length} tasks`
            : changes.join('\n'),
        )
        if (changes.length > 0) process.exitCode = 1
      },
    )

function publishedManifest(): BenchManifest | undefined {
  return existsSync(BENCH_MANIFEST) ? (JSON.parse(readFileSync(BENCH_MANIFEST, 'utf8')) as BenchManifest) : undefined
}

/** A shorter key could be guessed from its published hash. */
const MIN_KEY_LENGTH = 32

/** The key for held-out seeds in a file. */
function keyIn(file: string): string {
  if (!existsSync(file)) throw new UserError(`there is no file ${file} with the key of held-out seeds`)
  const key = readFileSync(file, 'utf8').trim()
  if (key.length < MIN_KEY_LENGTH)
    throw new UserError(`the key in ${file} has ${key.length} characters; it needs at least ${MIN_KEY_LENGTH}`)
  return key
}

/** The key in a file, which must be the one whose hash is published, if there is any. */
function publishedKeyIn(file: string): string {
  const key = keyIn(file)
  const hash = publishedManifest()?.held_out.key_sha256 ?? undefined
  if (hash !== undefined && hash !== heldOutKeyHash(key))
    throw new UserError(`the key in ${file} is not the one of ${BENCH_MANIFEST}`)
  return key
}

async function loaded(
  names: readonly string[],
  flags: SuiteOverrides & { readonly heldOut?: string },
): Promise<LoadedSuite> {
  const { seeds, variants, runs, faults, heldOut } = flags
  if (heldOut !== undefined && seeds !== undefined) throw new UserError('--held-out and --seeds exclude each other')
  try {
    const suite = await loadBench(names, { seeds, variants, runs, faults })
    return heldOut === undefined ? suite : withHeldOutSeeds(suite, publishedKeyIn(heldOut))
  } catch (error) {
    if (error instanceof SuiteError) throw new UserError(error.message)
    throw error
  }
}

/** Plays an agent in a suite, and writes its report beside the results. */
async function played(
  suite: LoadedSuite,
  { agent, label, tier, out, workers, fresh }: RunFlags,
): Promise<{ readonly report: BenchReport; readonly isStopped: boolean }> {
  const stop = stopOnSignal()
  const program = { script: process.argv[1]!, args: ['eval-worker'], agent, isTraced: true, environment: {} }
  try {
    await runEvaluation({
      suite,
      agent,
      label,
      agentHash: agentHash(agent, process.env),
      out,
      isFresh: fresh === true,
      traces: 'all',
      playAll: onWorkers({
        openWorker: (signal) => openProcessWorker(program, signal),
        workers: workers ?? availableParallelism(),
        clock: realClock(),
        signal: stop.signal,
      }),
      onNotice: (text) => void process.stderr.write(`backlot: ${text}\n`),
      onProgress: ({ done, planned, succeeded }) =>
        progress(`${agent}: ${done} of ${planned} episodes, ${succeeded} solved`),
    })
  } catch (error) {
    if (error instanceof SuiteError) throw new UserError(error.message)
    throw error
  }
  progress('')
  const { manifest, results } = readStored(out)
  const report = benchReport(manifest, results, { tier, impossible: await impossibleIn(suite) })
  writeJson(join(out, 'bench.json'), report)
  writeFileSync(join(out, 'bench.md'), benchMarkdown(report))
  return { report, isStopped: stop.signal.aborted }
}

/** The tasks that are impossible with a seed. */
async function impossibleIn({ tasks }: LoadedSuite): Promise<ReadonlySet<string>> {
  const scenarios = new EpisodeScenarios()
  const found = new Set<string>()
  for (const { id, file, tags, seeds } of tasks)
    if (tags.includes('pair'))
      for (const seed of seeds) {
        const scenario = await scenarios.of({ file, seed, variant: {} })
        if (isImpossible(scenario)) found.add(`${id} seed ${seed}`)
      }
  return found
}

function stopOnSignal(): AbortController {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return stop
}

const writeJson = (file: string, value: unknown): void =>
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`)

const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** Shows a line on a terminal, in place of the one before. */
function progress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`)
}
