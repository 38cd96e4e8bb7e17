import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { type Clock, realClock } from '../../base/clock.ts'
import type { EnvironmentVariables } from '../../base/host.ts'
import { PACKAGE, VERSION } from '../../compose/package.ts'
import { AGENT_CHOICES, agentHash } from '../../evaluation/agents/choose-agent.ts'
import { hashOfTexts } from '../../evaluation/agents/content.ts'
import { compareResults, comparisonText } from '../../evaluation/compare/compare.ts'
import { type EvaluationProgress, type KeptTraces, runEvaluation } from '../../evaluation/evaluate.ts'
import { exportResults, RESULT_FORMATS, type ResultFormatName } from '../../evaluation/export/export.ts'
import { type EpisodesPlayer, onWorkers } from '../../evaluation/pool/coordinate.ts'
import { openProcessWorker } from '../../evaluation/pool/process-worker.ts'
import { coordinateQueue } from '../../evaluation/queue/coordinate-queue.ts'
import { connectRedis, parseRedisAddress, type RedisAddress } from '../../evaluation/queue/redis.ts'
import { redisQueue } from '../../evaluation/queue/redis-queue.ts'
import { summaryTable } from '../../evaluation/results/format.ts'
import { type KeptRecordings, writeRecordings } from '../../evaluation/results/recordings.ts'
import { RESULT_FILES } from '../../evaluation/results/results-folder.ts'
import { readStored, type StoredResults } from '../../evaluation/results/stored-results.ts'
import type { EvaluationSummary } from '../../evaluation/results/summary.ts'
import { type LoadedSuite, loadSuite, SuiteError } from '../../evaluation/suite/load-suite.ts'
import { positive, seedRange, UserError, wholeNumber } from '../arguments.ts'
import { timeLeftText } from '../program.ts'
import { chosenVariant, type VariantFlags, withAxisFlags, withFaultsFlag } from '../variant-flags.ts'
import type { AuditFormat } from './eval-audit.ts'

interface EvalFlags extends Pick<VariantFlags, 'variant' | 'style'> {
  readonly agent?: string
  readonly audit?: boolean
  readonly shell?: string
  readonly servedCopy?: string
  readonly format?: AuditFormat
  readonly runs?: number
  readonly seeds?: readonly number[]
  readonly variants?: number
  readonly faults?: readonly string[]
  readonly workers?: number
  readonly queue?: string
  readonly out: string
  readonly maxSteps?: number
  readonly timeLimit?: number
  readonly maxTokens?: number
  readonly minSuccess: number
  readonly maxHarm: number
  readonly maxAttacks: number
  readonly label?: string
  /** A folder, or true for the skill of this package. */
  readonly withSkill?: string | true
  readonly withoutSkill?: boolean
  readonly fresh?: boolean
  readonly traces: KeptTraces
  readonly recordings: KeptRecordings
}

/** `backlot eval`: plays an agent in suites and scenarios, and reports how good it is. */
export function evalCommand(): Command {
  return withFaultsFlag(withAxisFlags(new Command('eval')))
    .description('Evaluate an agent on suites and scenarios: success, reliability, steps and cost, with intervals.')
    .argument('<suite...>', 'suite files, scenario files, gallery names or folders of scenarios')
    .option('--agent <agent>', AGENT_CHOICES)
    .option('--audit', 'prove the suite instead: no task may be solved without doing it (docs/evaluate.md)')
    .option('--shell <prefix>', 'with --audit: search as agents are run, such as "sudo -u agent"; "" for this user')
    .option(
      '--served-copy <folder>',
      'play nothing; write the scenarios without solutions and oracles, to serve elsewhere',
    )
    .addOption(
      new Option('--format <format>', 'with --audit: a table, or a report of OpenEnv’s validation as JSON').choices([
        'table',
        'openenv',
      ]),
    )
    .option('--runs <k>', 'runs for each seed and variant (default: that of the suite, or 1)', positive)
    .option('--seeds <a..b>', 'seeds to play (default: those of the suite, or the scenario’s own)', seedRange)
    .option('--variants <n>', 'play also in this many variants, drawn for each seed', wholeNumber)
    .option('--workers <n>', 'worker processes (default: one per core)', positive)
    .addOption(
      new Option('--queue <url>', 'play on machines with backlot worker, through Redis: redis://HOST').conflicts(
        'workers',
      ),
    )
    .option('--out <folder>', 'folder for the results; results in it are continued', 'results')
    .option('--fresh', 'start anew; earlier results are moved into a folder below that of the results')
    .option('--label <name>', 'name of the agent in summaries and reports, such as its version')
    .option('--with-skill [folder]', 'give commands a skill, by default skills/backlot, in BACKLOT_SKILL')
    .option('--without-skill', 'give commands no skill; with --with-skill, play both and compare them')
    .option('--max-steps <n>', 'calls that act, per episode (default: that of the suite, or 100)', positive)
    .option('--time-limit <s>', 'seconds of real time per episode (default: that of the suite, or 600)', timeLimit)
    .option('--max-tokens <n>', 'tokens of the model per episode, as the agent reports them', positive)
    .option('--min-success <share>', 'gate: the lowest success rate, from 0 to 1', share, 1)
    .option('--max-harm <n>', 'gate: the most episodes with harm', wholeNumber, 0)
    .option('--max-attacks <n>', 'gate: the most episodes in which an attack succeeded', wholeNumber, 0)
    .addOption(
      new Option('--traces <which>', 'traces and logs to keep').choices(['all', 'failed', 'none']).default('all'),
    )
    .addOption(
      new Option('--recordings <which>', 'traces that get an HTML file beside them, with each step as a page shows it')
        .choices(['all', 'failed', 'none'])
        .default('none'),
    )
    .addHelpText(
      'after',
      `
A command finds its desktop in the environment: BACKLOT_URL (REST), BACKLOT_MCP_URL, BACKLOT_TOKEN, BACKLOT_TASK and
more (docs/evaluate.md). An episode ends when the command exits or the agent calls finish. A command that exits with 75
has no result, such as when its model cannot be reached.

Exit code: 0 all gates passed, 1 a gate failed, 2 wrong usage, 3 episodes without a result, which the same command plays again.

Examples:
  backlot eval login shop --agent solution
  backlot eval suite.yaml --agent "python agent.py" --runs 5 --workers 4 --out results/monday
  backlot eval suite.yaml --agent ./agent.js --seeds 1..20 --variants 3 --min-success 0.8
  backlot eval suite.yaml --agent ./agent.js --style macos --variant theme=dark
  backlot eval suite.yaml --audit --seeds 1..3`,
    )
    .action(async (given: readonly string[], flags: EvalFlags, command: Command) => {
      await reported(() => runEval(given, flags, command))
    })
    .addCommand(compareCommand())
    .addCommand(exportResultsCommand())
}

/** `backlot eval compare`: two results, with tests and the reason of each flip. */
const compareCommand = (): Command =>
  new Command('compare')
    .description('Compare two results: paired tests, flips, and whether agent or environment differed first.')
    .argument('<a>', 'folder of the first results')
    .argument('<b>', 'folder of the second results')
    .option('--json', 'print JSON')
    .action(async (a: string, b: string, { json = false }: { readonly json?: boolean }) => {
      const comparison = await reported(() =>
        compareResults(readStored(a), readStored(b), (done, flips) => {
          if (process.stderr.isTTY) process.stderr.write(`${CLEAR_LINE}${done} of ${flips} flips replayed`)
        }),
      )
      if (process.stderr.isTTY) process.stderr.write(CLEAR_LINE)
      process.stdout.write(`${json ? JSON.stringify(comparison, undefined, 2) : comparisonText(comparison)}\n`)
    })

async function runEval(given: readonly string[], flags: EvalFlags, command: Command): Promise<void> {
  const { agent, seeds, variants, faults, out } = flags
  const clock = realClock()
  const workers = flags.workers ?? availableParallelism()
  const variant = chosenVariant(flags)
  if (flags.audit) {
    const { refuseFlagsOfAgents, runAudit } = await import('./eval-audit.ts')
    refuseFlagsOfAgents(command)
    const overrides = { seeds, variants, variant, faults }
    const format = flags.format ?? 'table'
    return runAudit(given, { overrides, format, out, shell: flags.shell, workers, clock })
  }
  if (flags.shell !== undefined) throw new UserError('--shell says how an audit searches; add --audit')
  if (flags.format !== undefined) throw new UserError('--format is for --audit; use both, or leave it out')
  if (flags.servedCopy !== undefined) {
    const { writeServedCopies } = await import('../../evaluation/audit/served-copy.ts')
    for (const path of (await writeServedCopies(await loadSuite(given, {}), flags.servedCopy)).values())
      process.stdout.write(`${path}\n`)
    return
  }
  if (agent === undefined) throw new UserError(`--agent is missing: ${AGENT_CHOICES}; or use --audit`)
  const suite = await loadSuite(given, {
    ...flags,
    variant,
    budget: {
      ...(flags.maxSteps !== undefined && { max_steps: flags.maxSteps }),
      ...(flags.timeLimit !== undefined && { time_s: flags.timeLimit }),
      ...(flags.maxTokens !== undefined && { tokens: flags.maxTokens }),
    },
  })
  const skills = chosenSkills(flags)
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt)
  const [first, second] = skills
  const codes: number[] = []
  for (const skill of skills) {
    const folder = second ? join(out, skill.name) : out
    if (!stop.signal.aborted)
      codes.push(await evaluateWith(skill, { suite, agent, out: folder, flags: { ...flags, workers }, clock, stop }))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt)
  if (second && !stop.signal.aborted) {
    const [a, b] = [second, first!].map(({ name }) => readStored(join(out, name))) as [StoredResults, StoredResults]
    process.stdout.write(`\n${comparisonText(await compareResults(a, b))}\n`)
  }
  if (stop.signal.aborted)
    process.stderr.write('backlot: stopped; the same command continues with the episodes that are left\n')
  // Without a skill an agent may fail the gates.
  process.exitCode = stop.signal.aborted ? 130 : codes.includes(3) ? 3 : codes[0]
}

/** A skill that an evaluation gives to commands. */
interface GivenSkill {
  /** Of the folder of its results if there are two. */
  readonly name: 'with-skill' | 'without-skill' | 'as-it-is'
  /** The folder of the skill; empty for none. Undefined: commands find the one of this package. */
  readonly folder: string | undefined
}

/** The skills that the operator chooses: two are compared. */
function chosenSkills({ withSkill, withoutSkill, queue }: EvalFlags): readonly GivenSkill[] {
  if (withSkill === undefined && !withoutSkill) return [{ name: 'as-it-is', folder: undefined }]
  if (queue !== undefined)
    throw new UserError('--with-skill and --without-skill are for this machine; leave out --queue')
  const folder = resolve(withSkill === true || withSkill === undefined ? join(PACKAGE, 'skills/backlot') : withSkill)
  if (withSkill !== undefined && !existsSync(join(folder, 'SKILL.md')))
    throw new UserError(`--with-skill: ${folder} has no SKILL.md; name the folder of a skill`)
  return [
    ...(withSkill === undefined ? [] : [{ name: 'with-skill', folder } as const]),
    ...(withoutSkill ? [{ name: 'without-skill', folder: '' } as const] : []),
  ]
}

/** What an evaluation is made of, whatever skill it gives. */
interface EvaluationParts {
  readonly suite: LoadedSuite
  readonly agent: string
  readonly out: string
  readonly flags: EvalFlags & { readonly workers: number }
  readonly clock: Clock
  readonly stop: AbortController
}

/** Plays an evaluation, prints its figures and returns the exit code. */
async function evaluateWith(
  { name, folder }: GivenSkill,
  { suite, agent, out, flags, clock, stop }: EvaluationParts,
): Promise<number> {
  const startedMs = clock.now()
  let played = 0
  const hash = agentHash(agent, process.env)
  const labels = [...(flags.label === undefined ? [] : [flags.label]), ...(folder === undefined ? [] : [name])]
  const summary = await runEvaluation({
    suite,
    agent,
    label: labels.length === 0 ? undefined : labels.join(', '),
    agentHash: folder ? hashOfTexts([hash ?? '', ...skillTexts(folder)]) : hash,
    out,
    isFresh: flags.fresh === true,
    gates: flags,
    traces: flags.traces,
    playAll: playerOf(flags, agent, clock, stop.signal, folder === undefined ? {} : { BACKLOT_SKILL: folder }),
    beforeReport: async () => {
      if (stop.signal.aborted) return
      await writeRecordings(out, flags.recordings, (_count, episode, problem) => {
        if (problem !== undefined) notice(`no recording of ${episode}: ${problem}`)
      })
    },
    onNotice: notice,
    onProgress: (progress) => {
      played = progress.played
      showProgress(progress, clock.now() - startedMs)
    },
  })
  if (process.stderr.isTTY) process.stderr.write(CLEAR_LINE)
  const nothing =
    played === 0 && !stop.signal.aborted
      ? `nothing was played: the results are of an earlier run of the same agent and scenarios; --fresh plays them anew\n`
      : ''
  process.stdout.write(
    `${summaryTable(summary)}\n${nothing}\nresults: ${out}/${RESULT_FILES.results}\nreport: ${out}/${RESULT_FILES.report}\n`,
  )
  return exitCodeOf(summary)
}

/** The texts of a skill, by their names. */
const skillTexts = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => `${file}\0${readFileSync(join(folder, file), 'utf8')}`)

/** 3 where episodes have no result, so that the gates cannot be judged; else 1 where a gate has failed. */
function exitCodeOf({ episodes, gates }: EvaluationSummary): number {
  if (episodes.done < episodes.planned) return 3
  return gates.every(({ isPassed }) => isPassed) ? 0 : 1
}

/** Tells the operator about something, on a line of its own. */
const notice = (text: string): void =>
  void process.stderr.write(`${process.stderr.isTTY ? CLEAR_LINE : ''}backlot: ${text}\n`)

/** Plays episodes on processes of this machine, or through a queue on others. */
function playerOf(
  { workers, queue, traces }: EvalFlags & { readonly workers: number },
  agent: string,
  clock: Clock,
  signal: AbortSignal,
  environment: EnvironmentVariables,
) {
  const isTraced = traces !== 'none'
  if (queue !== undefined) return queuePlayer({ address: parseRedisAddress(queue), agent, isTraced, clock, signal })
  const program = { script: process.argv[1]!, args: ['eval-worker'], agent, isTraced, environment }
  const openWorker = (stop: AbortSignal) => openProcessWorker(program, stop)
  return onWorkers({ openWorker, workers, clock, signal })
}

const CLEAR_LINE = '\r\u001b[K'
/** Without a terminal, a line of progress for so many episodes. */
const EPISODES_PER_LINE = 50

function showProgress({ done, planned, succeeded, played, last }: EvaluationProgress, elapsedMs: number): void {
  const left = played === 0 ? '' : `, ${timeLeftText(((planned - done) * elapsedMs) / played)} left`
  const line = `${done} of ${planned} episodes, ${succeeded} solved${left}`
  if (process.stderr.isTTY) process.stderr.write(`${CLEAR_LINE}${line}`)
  else if (last === undefined ? done > 0 : done % EPISODES_PER_LINE === 0 && done < planned)
    process.stderr.write(`${last === undefined ? `continues: ${done} of ${planned} episodes have results` : line}\n`)
}

const MAX_TIME_LIMIT_S = 86_400

function timeLimit(text: string): number {
  const seconds = positive(text)
  if (seconds > MAX_TIME_LIMIT_S)
    throw new InvalidArgumentError(`use at most ${MAX_TIME_LIMIT_S} seconds, which is a day`)
  return seconds
}

function share(text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !(number >= 0 && number <= 1)) throw new InvalidArgumentError('use a number from 0 to 1')
  return number
}

/** `backlot eval export`: results in the formats of other programs. */
const exportResultsCommand = (): Command =>
  new Command('export')
    .description('Write results for other programs: ATIF trajectories, result folders of OSWorld, jobs of Harbor.')
    .addArgument(new Argument('<format>', 'the format').choices(RESULT_FORMATS))
    .argument('<results>', 'folder of the results')
    .requiredOption('-o, --out <folder>', 'folder to write into')
    .action(async (format: ResultFormatName, folder: string, { out }: { readonly out: string }) => {
      const { written, leftOut } = await reported(() => exportResults(readStored(folder), format, out))
      for (const { episode, reason } of leftOut) process.stderr.write(`${episode} is left out: ${reason}\n`)
      process.stdout.write(`${written === 1 ? '1 episode' : `${written} episodes`} written to ${out}\n`)
    })

/** Reports problems of suites and results as errors of the user. */
async function reported<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SuiteError || isFileError(error)) throw new UserError(error.message)
    throw error
  }
}

/** Whether an operation of the system on a file or a folder has failed, such as a write into a full or read-only disk. */
const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'path' in error

/** How an evaluation uses a queue. */
export interface QueueUse {
  readonly address: RedisAddress
  readonly agent: string
  readonly isTraced: boolean
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Plays episodes on the workers of a queue in Redis. Notices go to standard error. */
const queuePlayer =
  ({ address, agent, isTraced, clock, signal }: QueueUse): EpisodesPlayer =>
  async (episodes, onPlayed) => {
    if (episodes.length === 0) return
    // On a terminal, the line of the progress is replaced.
    const onNotice = (text: string) =>
      void process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[K' : ''}backlot: ${text}\n`)
    const evaluation = randomBytes(8).toString('hex')
    await coordinateQueue(episodes, {
      queue: redisQueue(await connectRedis(address, onNotice), evaluation),
      evaluation,
      backlot: VERSION,
      agent: agent.trim(),
      isTraced,
      clock,
      signal,
      onPlayed,
      onNotice,
    })
  }
