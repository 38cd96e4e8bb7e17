import { expect, it } from 'vitest'
import { realClock } from '../../base/clock.ts'
import { playEpisode } from '../episode/play.ts'
import { EpisodeScenarios } from '../episode/scenarios.ts'
import { loadSuite } from '../suite/load-suite.ts'
import { episodesOf } from '../suite/suite-file.ts'
import { copycatAgent, floodAgent, refuseAgent, treeGreedyAgent } from './baselines.ts'

it('[EV39] baselines act without understanding, the same in each run', async () => {
  const suite = await loadSuite(['showcase'], { seeds: [3] })
  const [episode] = episodesOf(suite.tasks)
  const play = async (agent: typeof refuseAgent) => {
    const options = { scenarios: new EpisodeScenarios(), clock: realClock(), signal: new AbortController().signal }
    const { result } = await playEpisode(episode!, { ...options, agent, isTraced: false })
    const { success, end, steps, calls, failure } = result
    return { success, end, failure, hasActed: steps > 0, calls }
  }
  expect(await play(refuseAgent)).toMatchObject({ success: false, failure: 'claimed_infeasible', calls: { finish: 1 } })
  const greedy = await play(treeGreedyAgent)
  expect(greedy).toMatchObject({ success: false, end: 'finished', hasActed: true })
  expect(await play(treeGreedyAgent)).toEqual(greedy)
  expect(await play(copycatAgent)).toMatchObject({ success: false, end: 'exited', hasActed: true })
  expect(await play(floodAgent)).toMatchObject({ success: false, hasActed: true })
})
