import { type ChildProcess, fork } from 'node:child_process'
import { killGroup } from '../agents/command.ts'
import type { PlayedEpisode } from '../episode/play.ts'
import { SuiteError } from '../suite/load-suite.ts'
import { type EpisodeWorker, WorkerLost } from './coordinate.ts'
import type { WorkerReport, WorkerRequest } from './messages.ts'

/** How a worker process is started. */
export interface WorkerProgram {
  /** The script that runs `workInProcess`, and its arguments. */
  readonly script: string
  readonly args: readonly string[]
  readonly agent: string
  readonly isTraced: boolean
}

/** A worker that has been asked to end gets so long to do so. */
const CLOSE_MS = 5000

/** Starts a worker process. Throws a `SuiteError` when it cannot open the agent. */
export async function openProcessWorker({ script, args, agent, isTraced }: WorkerProgram): Promise<EpisodeWorker> {
  const child = fork(script, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], serialization: 'json' })
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
  const ask = (request: WorkerRequest) => answerOf(child, ended, request)
  const opened = await ask({ do: 'open', agent, isTraced })
  if (opened === 'ended') throw new SuiteError(`a worker process does not start: ${said.trim() || 'it ended at once'}`)
  if (opened.did === 'fail') {
    await end(child, ended)
    throw new SuiteError(opened.message)
  }
  return {
    async play(episode): Promise<PlayedEpisode> {
      const report = await ask({ do: 'play', episode })
      if (report === 'ended') throw new WorkerLost()
      if (report.did === 'play') return report.played
      throw new SuiteError(report.did === 'fail' ? report.message : 'the worker process gave no result')
    },
    close: () => end(child, ended),
  }
}

/** Sends a request. Resolves to the report about it, or that the process has ended. */
function answerOf(
  child: ChildProcess,
  ended: Promise<void>,
  request: WorkerRequest,
): Promise<Exclude<WorkerReport, { did: 'spawn' }> | 'ended'> {
  return new Promise((resolve) => {
    const hear = (report: WorkerReport) => {
      if (report.did === 'spawn') return
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

/** Ends a process by closing its channel, then by force. */
async function end(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  if (child.connected) child.disconnect()
  const force = setTimeout(() => child.kill('SIGKILL'), CLOSE_MS)
  await ended
  clearTimeout(force)
}
