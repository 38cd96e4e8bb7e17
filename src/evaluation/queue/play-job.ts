import { mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { BUILTIN_AGENTS } from '../agents/choose-agent.ts'
import type { PlayedEpisode } from '../episode/play.ts'
import { coordinate, type EpisodeWorker } from '../pool/coordinate.ts'
import { SuiteError } from '../suite/load-suite.ts'
import { type EpisodeJob, type JobAnswer, unpackScenario } from './job.ts'

/** The parts of a machine that plays jobs of a queue. */
export interface JobStage {
  /** The agents that jobs may name, as they name them, besides `BUILTIN_AGENTS`. */
  readonly agents: readonly string[]
  readonly backlot: string
  readonly clock: Clock
  /** An empty folder for the files of scenarios. */
  readonly folder: string
  /** Starts a process that plays episodes. */
  readonly openWorker: (agent: string, isTraced: boolean, signal: AbortSignal) => Promise<EpisodeWorker>
}

/** Plays jobs. Its processes are kept between jobs. */
export interface JobPlayer {
  /** Why a job cannot be played here; undefined if it can. */
  refuse(job: EpisodeJob): string | undefined
  /** Plays a job. Undefined when `signal` has aborted before its end. */
  play(job: EpisodeJob, scenario: string, signal: AbortSignal): Promise<JobAnswer | undefined>
  close(): Promise<void>
}

/** Processes that wait for the next episode, by agent. */
const MAX_IDLE = 64
/** Scenarios whose files are kept; the one that was played last is removed last. */
const MAX_SCENARIOS = 1000

export function createJobPlayer(stage: JobStage): JobPlayer {
  const idle: { readonly key: string; readonly worker: EpisodeWorker }[] = []
  const files = new Map<string, string>()
  const fileOf = (hash: string, text: string): string => {
    const file = files.get(hash) ?? unpackScenario({ hash, text }, mkdtempSync(join(stage.folder, 'scenario-')))
    files.delete(hash)
    files.set(hash, file)
    const [oldest] = files
    if (files.size > MAX_SCENARIOS && oldest) {
      files.delete(oldest[0])
      rmSync(dirname(oldest[1]), { recursive: true })
    }
    return file
  }
  /** A process that is kept when its episode has ended, and ended otherwise. */
  const lease = async (agent: string, isTraced: boolean, signal: AbortSignal): Promise<EpisodeWorker> => {
    const key = JSON.stringify([agent, isTraced])
    const found = idle.findIndex((each) => each.key === key)
    const worker = found >= 0 ? idle.splice(found, 1)[0]!.worker : await stage.openWorker(agent, isTraced, signal)
    let isIdle = true
    return {
      async play(episode) {
        isIdle = false
        const played = await worker.play(episode)
        isIdle = true
        return played
      },
      close: async () => {
        if (!isIdle || idle.length >= MAX_IDLE) return worker.close()
        idle.push({ key, worker })
      },
    }
  }
  const refuse = ({ agent, backlot }: EpisodeJob): string | undefined => {
    if (backlot !== stage.backlot)
      return `a worker runs Backlot ${stage.backlot} and the evaluation ${backlot}; start both with one version`
    if (BUILTIN_AGENTS.includes(agent) || stage.agents.includes(agent)) return undefined
    return `a worker does not allow the agent ${JSON.stringify(agent)}; start it with backlot worker --agent and this text`
  }
  return {
    refuse,
    async play(job, scenario, signal) {
      const refused = refuse(job)
      if (refused !== undefined) return { kind: 'refused', job: job.id, message: refused }
      const file = fileOf(job.scenario, scenario)
      const ended: PlayedEpisode[] = []
      try {
        await coordinate([{ ...job.episode, file }], {
          openWorker: (stop) => lease(job.agent, job.isTraced, stop),
          workers: 1,
          clock: stage.clock,
          signal,
          onPlayed: (played) => ended.push(played),
        })
      } catch (error) {
        if (!(error instanceof SuiteError)) throw error
        return { kind: 'refused', job: job.id, message: error.message.slice(0, 2000) }
      }
      const [played] = ended
      return played && { kind: 'played', job: job.id, ...played }
    },
    close: async () => {
      await Promise.all(idle.splice(0).map(({ worker }) => worker.close()))
    },
  }
}
