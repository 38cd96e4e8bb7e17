import { type ChildProcess, fork } from 'node:child_process'
import type { EnvironmentVariables } from '../../base/host.ts'
import { AgentUnavailable } from '../agents/agent.ts'
import { killGroup } from '../agents/command.ts'
import type { PlayedEpisode } from '../episode/play.ts'
import { SuiteError } from '../suite/load-suite.ts'
import type { PlannedEpisode } from '../suite/suite-file.ts'
import { type EpisodeWorker, WorkerLost } from './coordinate.ts'

/** How a worker process is started. */
export interface WorkerProgram {
  /** The script that runs `workInProcess`, and its arguments. */
  readonly script: string
  readonly args: readonly string[]
  readonly agent: string
  readonly isTraced: boolean
  /** Variables of the process beside those of this one. */
  readonly environment?: EnvironmentVariables
}

/** A worker that has been asked to end gets so long to do so. */
const CLOSE_MS = 5000
/** The characters of its errors that are shown. */
const SHOWN_CHARACTERS = 600

/** A process that answers one request at a time. */
export interface AnsweringProcess<Request, Answer> {
  /** What it last wrote to its stderr. */
  readonly lastWords: () => string
  /** The exit code or the signal of a process that has ended, and the end of what it wrote to its stderr. */
  readonly howItEnded: () => string
  /** Resolves to the answer, or to that the process has ended. */
  ask(request: Request): Promise<Answer | 'ended'>
  /** Ends the process by closing its channel, then by force. */
  close(): Promise<void>
}

/**
 * Starts a process that answers over its channel, such as one that runs `workInProcess`.
 * `closeMs` is how long it gets to end when it is closed.
 */
export function startProcess<Request extends object, Answer>({
  script,
  args,
  environment,
  closeMs = CLOSE_MS,
}: Pick<WorkerProgram, 'script' | 'args' | 'environment'> & { readonly closeMs?: number }): AnsweringProcess<
  Request,
  Answer
> {
  const child = fork(script, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'json',
    env: { ...process.env, ...environment },
  })
  const agents = new Set<number>()
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-2000)
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  void ended.then(() => {
    for (const group of agents) killGroup(group, 'SIGKILL')
    agents.clear()
  })
  child.on('message', (report: WorkerReport) => {
    if (report.did !== 'spawn') return
    if (report.isRunning) agents.add(report.group)
    else agents.delete(report.group)
  })
  return {
    lastWords: () => said.trim(),
    howItEnded: () => {
      const shown = said.trim().slice(-SHOWN_CHARACTERS)
      const { exitCode, signalCode } = child
      return `${signalCode ? `signal ${signalCode}` : `code ${exitCode}`}${shown && `: ${shown}`}`
    },
    ask: (request) => answerOf<Answer>(child, ended, request),
    close: () => end(child, ended, closeMs),
  }
}

/** A worker whose agent does not load in so long is ended, in milliseconds. */
const OPEN_MS = 60_000

/**
 * Starts a worker process.
 * @throws An `AgentUnavailable` when the agent does not load, and a `SuiteError` for an agent that cannot be one, and when
 * `signal` aborts before.
 */
export async function openProcessWorker(
  { agent, isTraced, ...program }: WorkerProgram,
  signal: AbortSignal,
): Promise<EpisodeWorker> {
  const { ask, close, howItEnded, lastWords } = startProcess<WorkerRequest, Exclude<WorkerReport, { did: 'spawn' }>>(
    program,
  )
  const opening = AbortSignal.any([signal, AbortSignal.timeout(OPEN_MS)])
  const giveUp = () => void close()
  opening.addEventListener('abort', giveUp, { once: true })
  if (opening.aborted) giveUp()
  const opened = await ask({ do: 'open', agent, isTraced })
  opening.removeEventListener('abort', giveUp)
  if (opening.aborted) await close()
  if (signal.aborted) throw new SuiteError('the evaluation was stopped')
  if (opening.aborted) throw new AgentUnavailable(`the agent ${agent} has not loaded in ${OPEN_MS / 1000} seconds`)
  if (opened === 'ended')
    throw new AgentUnavailable(`the worker process of the agent does not start: ${lastWords() || howItEnded()}`)
  if (opened.did === 'fail') {
    await close()
    throw new (opened.isUsage ? SuiteError : AgentUnavailable)(opened.message)
  }
  return {
    async play(episode): Promise<PlayedEpisode> {
      const report = await ask({ do: 'play', episode })
      if (report === 'ended') throw new WorkerLost(howItEnded())
      if (report.did === 'play') return report.played
      throw new SuiteError(report.did === 'fail' ? report.message : 'the worker process gave no result')
    },
    close,
  }
}

/** Sends a request. Resolves to the report about it, or that the process has ended. */
function answerOf<Answer>(child: ChildProcess, ended: Promise<void>, request: object): Promise<Answer | 'ended'> {
  return new Promise((resolve) => {
    const hear = (report: Answer | Extract<WorkerReport, { did: 'spawn' }>) => {
      if (isSpawn(report)) return
      child.off('message', hear)
      resolve(report)
    }
    child.on('message', hear)
    void ended.then(() => {
      child.off('message', hear)
      resolve('ended')
    })
    // A process that has ended is reported by its exit.
    child.send(request, () => {})
  })
}

const isSpawn = (report: unknown): report is Extract<WorkerReport, { did: 'spawn' }> =>
  (report as Partial<WorkerReport>).did === 'spawn'

/** Ends a process by closing its channel, then by force. */
async function end(child: ChildProcess, ended: Promise<void>, closeMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  if (child.connected) child.disconnect()
  const force = setTimeout(() => child.kill('SIGKILL'), closeMs)
  await ended
  clearTimeout(force)
}

/** What a worker process is asked to do. */
export type WorkerRequest =
  | { readonly do: 'open'; readonly agent: string; readonly isTraced: boolean }
  | { readonly do: 'play'; readonly episode: PlannedEpisode }

/** What a worker process reports. */
export type WorkerReport =
  | { readonly did: 'open' }
  | { readonly did: 'play'; readonly played: PlayedEpisode }
  /** It cannot work at all: for an error of the operator, or because its agent does not load. */
  | { readonly did: 'fail'; readonly message: string; readonly isUsage: boolean }
  /** A process group of an agent has started or ended, which outlives a killed worker. */
  | { readonly did: 'spawn'; readonly group: number; readonly isRunning: boolean }
