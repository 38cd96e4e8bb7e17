import { createHash } from 'node:crypto'
import type { SyntheticComputer } from '../../adapters/synthetic/synthetic.ts'
import type { Clock } from '../../base/clock.ts'
import { createDriver } from '../../compose/driver.ts'
import { AGENT_TRACING, type MemorySession, memorySession } from '../../compose/memory-session.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import { call } from '../../observer/call.ts'
import { reportOracles } from '../../observer/oracles.ts'
import type { DesktopSession } from '../../observer/session/session.ts'
import { SIDECAR_NAMES } from '../../observer/trace/sidecar-files.ts'
import { deskUseOf } from '../../protocols/desk/use.ts'
import { explain } from '../../scenario/oracles/oracle.ts'
import type { OracleReport } from '../../scenario/oracles/report.ts'
import { AgentCrash, type AgentReport, type EvaluatedAgent, type ModelUsage, NoResult } from '../agents/agent.ts'
import { agentSeedOf } from '../agents/builtin.ts'
import type { PlannedEpisode } from '../suite/suite-file.ts'
import { CallMeter } from './meter.ts'
import type { EpisodeEndReason, EpisodeResult, FailureCategory } from './result.ts'
import { type EpisodeScenarios, otherElements } from './scenarios.ts'

/** The parts that episodes are played with. */
export interface EpisodeOptions {
  readonly agent: EvaluatedAgent
  readonly scenarios: EpisodeScenarios
  /** Real time, for limits and durations. */
  readonly clock: Clock
  /** Aborts when the operator stops the evaluation. */
  readonly signal: AbortSignal
  /** Whether calls are recorded. */
  readonly isTraced: boolean
}

/** A played episode. */
export interface PlayedEpisode {
  readonly result: EpisodeResult
  /** The text of the trace. */
  readonly trace?: string | undefined
  /** The texts of the files beside the trace, by name such as `model.jsonl`. */
  readonly sidecars?: Readonly<Record<string, string>> | undefined
  /** What the program of the agent wrote. */
  readonly log?: string | undefined
}

/** Plays an episode and judges it. Throws only when `signal` aborts. */
export async function playEpisode(episode: PlannedEpisode, options: EpisodeOptions): Promise<PlayedEpisode> {
  const { clock, scenarios, agent } = options
  const startedMs = clock.now()
  const scenario = await scenarios.of(episode)
  const meter = new CallMeter()
  const limits = new AbortController()
  const bugs: unknown[] = []
  let isPlaying = false
  const desktop = memorySession(scenario, {
    faults: episode.faults,
    audience: 'agent',
    config: { tracing: AGENT_TRACING, budget: { max_actions: episode.budget.max_steps } },
    files: agent.files ?? {},
    report: (bug) => bugs.push(bug),
    onCall: (record) => {
      if (!isPlaying) return
      meter.count(record)
      if (meter.isStepLimitReached || isBeyond(meter.steps, episode.budget.max_steps)) limits.abort('step_limit')
    },
  })
  const solution = await scenarios.solutionUse(episode, scenario)
  const startVirtualMs = desktop.clock.now()
  if (options.isTraced) await call(desktop.session, 'trace_start', { label: episode.id })
  const context = {
    episode,
    scenario,
    task: scenario.task ?? scenario.about,
    desktop,
    driver: createDriver(desktop.session, { audience: 'agent', caller: 'agent' }),
    agentSeed: agentSeedOf(episode.id),
  }
  isPlaying = true
  const played = await playWithin(limits, episode, options, (signal) => agent.play({ ...context, signal }))
  isPlaying = false
  options.signal.throwIfAborted()
  const end = endOf(played, limits.signal, desktop, bugs, episode.budget.tokens)
  const traced = options.isTraced ? await endTrace(desktop) : {}
  const verdict = end === 'no_result' ? NO_VERDICT : await judge(desktop, end, meter.steps)
  const result: EpisodeResult = {
    episode: episode.id,
    task: episode.task,
    seed: episode.seed,
    variant: episode.variant,
    run: episode.run,
    instance: await scenarios.instanceOf(episode),
    ...verdict,
    message: [messageOf(played, bugs), verdict.message].filter((text) => text !== '').join('; '),
    end,
    steps: meter.steps,
    solution_steps: solution.steps,
    virtual_ms: desktop.clock.now() - startVirtualMs,
    calls: meter.calls,
    observed: meter.observed,
    ...deskUse(desktop.session, played, otherElements(meter.targets, solution, scenario)),
    model: usageOf(played) ?? null,
    trace: null,
    final: hashOfTrees(desktop.computer),
    wall_ms: clock.now() - startedMs,
    ended_at: new Date(clock.now()).toISOString(),
  }
  await desktop.session.close()
  return { result, ...traced, log: logOf(played) }
}

/** Of an episode that says nothing about the agent. */
const NO_VERDICT: Verdict = { success: false, score: 0, harm: [], attack: [], failure: 'no_result', message: '' }

const isBeyond = (count: number, limit: number | undefined): boolean => limit !== undefined && count > limit

/** How the agent's own program ended: with a report, with an error, or not before a limit. */
type AgentOutcome = { readonly report: AgentReport } | { readonly error: unknown } | 'ended by a limit'

/** An agent that a limit has ended gets so long to report what it used. */
const REPORT_MS = 5000

async function playWithin(
  limits: AbortController,
  { budget }: PlannedEpisode,
  { clock, signal: stopped }: EpisodeOptions,
  play: (signal: AbortSignal) => Promise<AgentReport>,
): Promise<AgentOutcome> {
  const isOver = new AbortController()
  const limited = new Promise<void>((resolve) => {
    limits.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const stop = () => limits.abort('stopped')
  stopped.addEventListener('abort', stop, { once: true })
  if (budget.time_s !== undefined)
    void Promise.resolve(clock.sleep(budget.time_s * 1000, isOver.signal)).then(() => {
      if (!isOver.signal.aborted) limits.abort('time_limit')
    })
  const outcome = (async (): Promise<AgentOutcome> => {
    try {
      return { report: await play(limits.signal) }
    } catch (error) {
      return { error }
    }
  })()
  const late = limited.then(async (): Promise<AgentOutcome> => {
    await clock.sleep(REPORT_MS, isOver.signal)
    return 'ended by a limit'
  })
  const first = await Promise.race([outcome, late])
  isOver.abort()
  stopped.removeEventListener('abort', stop)
  return first
}

function endOf(
  played: AgentOutcome,
  limit: AbortSignal,
  { session }: MemorySession,
  bugs: readonly unknown[],
  tokens: number | undefined,
): EpisodeEndReason {
  if (bugs.length > 0) return 'environment_error'
  const usage = usageOf(played)
  if (usage && isBeyond(usage.input_tokens + usage.output_tokens, tokens)) return 'token_limit'
  if (limit.reason === 'step_limit' || limit.reason === 'time_limit') return limit.reason
  if (session.episode.finish) return 'finished'
  if (typeof played !== 'object' || !('error' in played)) return 'exited'
  return played.error instanceof NoResult ? 'no_result' : 'agent_error'
}

/** How the agent used the command line, if it did. */
function deskUse(
  session: DesktopSession,
  played: AgentOutcome,
  other_elements: number | null,
): Pick<EpisodeResult, 'desk'> {
  const use = deskUseOf(session)
  if (use.commands === 0) return {}
  const sleeps = typeof played === 'object' && 'report' in played ? (played.report.sleeps ?? 0) : 0
  return { desk: { ...use, other_elements, sleeps } }
}

const usageOf = (played: AgentOutcome): ModelUsage | undefined =>
  typeof played === 'object' && 'report' in played ? played.report.usage : undefined

const logOf = (played: AgentOutcome): string | undefined => {
  if (typeof played !== 'object') return undefined
  if ('report' in played) return played.report.log
  return played.error instanceof AgentCrash ? played.error.log : undefined
}

function messageOf(played: AgentOutcome, [bug]: readonly unknown[]): string {
  if (bug !== undefined) return `the environment failed: ${textOf(bug)}`
  if (typeof played !== 'object' || !('error' in played)) return ''
  return played.error instanceof NoResult ? textOf(played.error) : `the agent failed: ${textOf(played.error)}`
}

const MAX_MESSAGE_LENGTH = 1000

const textOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE_LENGTH)

async function endTrace({ session, artifacts }: MemorySession): Promise<Pick<PlayedEpisode, 'trace' | 'sidecars'>> {
  const { body } = await call(session, 'trace_stop', {})
  const path = String((body as { path?: unknown }).path)
  const textOfFile = (file: string) => {
    const content = artifacts.get(file)
    return typeof content === 'string' ? content : undefined
  }
  const sidecars = SIDECAR_NAMES.flatMap((name) => {
    const text = textOfFile(path.replace(/trace\.jsonl$/, `${name}.jsonl`))
    return text === undefined ? [] : [[`${name}.jsonl`, text] as const]
  })
  return { trace: textOfFile(path), ...(sidecars.length > 0 && { sidecars: Object.fromEntries(sidecars) }) }
}

/** What the oracles say at the end of an episode. */
type Verdict = Pick<EpisodeResult, 'success' | 'score' | 'harm' | 'attack' | 'failure' | 'message'>

/** Judges an episode by the oracles of its scenario. */
async function judge(
  { session, computer }: Pick<MemorySession, 'session' | 'computer'>,
  end: EpisodeEndReason,
  steps: number,
): Promise<Verdict> {
  const report = await reportOracles(session.context, computer)
  const success = report.reward === 1
  const holding = (results: OracleReport['harm']) => results.filter(({ passed }) => passed).map(explain)
  const missing = report.success.filter(({ passed }) => !passed).map(explain)
  const forbidden = holding(report.failure)
  const failure = success ? null : categoryOf(report, end, steps, session.episode.finish?.status)
  const claim = session.episode.finish?.text ?? ''
  if (failure === 'claimed_infeasible' && claim !== '')
    missing.unshift(`the agent claimed that the task is infeasible: ${claim.slice(0, MAX_MESSAGE_LENGTH)}`)
  return {
    success,
    score: report.score,
    harm: holding(report.harm),
    attack: holding(report.attack),
    failure,
    message: success ? '' : forbidden.length > 0 ? `failure oracle ${forbidden[0]}` : missing.join('; '),
  }
}

const BY_END: Readonly<Partial<Record<EpisodeEndReason, FailureCategory>>> = {
  environment_error: 'environment_error',
  agent_error: 'agent_error',
  token_limit: 'token_limit',
  time_limit: 'time_limit',
  step_limit: 'step_limit',
}

function categoryOf(
  report: OracleReport,
  end: EpisodeEndReason,
  steps: number,
  finish: 'done' | 'infeasible' | undefined,
): FailureCategory {
  if (report.failure.some(({ passed }) => passed)) return 'forbidden_outcome'
  const ended = BY_END[end]
  if (ended) return ended
  if (finish === 'infeasible') return 'claimed_infeasible'
  if (report.success.some(({ kind }) => kind === 'infeasible')) return 'missed_infeasible'
  if (steps === 0) return 'nothing_done'
  return report.score > 0 ? 'incomplete' : 'wrong_outcome'
}

/** A hash of the trees of all windows. */
function hashOfTrees(computer: SyntheticComputer): string {
  const hash = createHash('sha256')
  for (const { uid } of computer.windows()) {
    const tree = computer.tree(uid)
    hash.update(`${uid} ${tree ? treeHash(tree) : ''}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}
