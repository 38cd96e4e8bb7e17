import { type Clock, realClock } from '../../base/clock.ts'
import type { EvaluatedAgent } from '../agents/agent.ts'
import { openAgent } from '../agents/choose-agent.ts'
import { killGroup } from '../agents/command.ts'
import { type EpisodeOptions, playEpisode } from '../episode/play.ts'
import { EpisodeScenarios } from '../episode/scenarios.ts'
import { SuiteError } from '../suite/load-suite.ts'
import type { PlannedEpisode } from '../suite/suite-file.ts'
import { unplayed } from './coordinate.ts'
import type { WorkerReport, WorkerRequest } from './process-worker.ts'

/** Plays episodes that the parent process sends, until it closes the channel or ends. */
export function workInProcess(): void {
  if (!process.send) throw new Error('eval-worker is started by backlot eval, and by nothing else')
  const clock = realClock()
  const stop = new AbortController()
  const groups = new Set<number>()
  const report = (message: WorkerReport) => {
    if (process.connected) process.send?.(message)
  }
  const parts = {
    environment: process.env,
    onProcess: (group: number, isRunning: boolean) => {
      if (isRunning) groups.add(group)
      else groups.delete(group)
      report({ did: 'spawn', group, isRunning })
    },
  }
  let stage: EpisodeOptions | undefined
  // The terminal sends this to the whole group; the parent decides.
  process.on('SIGINT', () => {})
  process.on('disconnect', () => {
    stop.abort()
    for (const group of groups) killGroup(group, 'SIGKILL')
    process.exit()
  })
  process.on('message', (request: WorkerRequest) => {
    if (request.do === 'open')
      openAgent(request.agent, parts).then(
        (agent) => {
          stage = stageOf(agent, clock, stop.signal, request.isTraced)
          report({ did: 'open' })
        },
        (error: unknown) => {
          const message = error instanceof Error ? error.message : String(error)
          report({ did: 'fail', message, isUsage: error instanceof SuiteError })
        },
      )
    else if (stage) void playOrReport(request.episode, stage).then((played) => report({ did: 'play', played }))
  })
}

const stageOf = (agent: EvaluatedAgent, clock: Clock, signal: AbortSignal, isTraced: boolean): EpisodeOptions => ({
  agent,
  scenarios: new EpisodeScenarios(),
  clock,
  signal,
  isTraced,
})

/** Plays an episode. An error that is not the agent's becomes the result of the episode. */
export async function playOrReport(episode: PlannedEpisode, options: EpisodeOptions) {
  try {
    return await playEpisode(episode, options)
  } catch (error) {
    if (options.signal.aborted) throw error
    return { result: unplayed(episode, 'environment_error', (error as Error).message, options.clock.now()) }
  }
}
