import { describe, expect, it } from 'vitest'
import { realClock } from '../../base/clock.ts'
import { findScenario } from '../../compose/gallery.ts'
import type { EpisodeResult } from '../episode/result.ts'
import { unplayed } from '../pool/coordinate.ts'
import type { PlannedEpisode } from '../suite/suite-file.ts'
import { coordinateQueue, type EpisodeQueue } from './coordinate-queue.ts'
import { type EpisodeJob, encodeAnswer, type JobAnswer } from './job.ts'

const episodes = Array.from(
  { length: 8 },
  (_, index): PlannedEpisode => ({
    id: `login/seed-1/run-${index + 1}`,
    task: 'login',
    file: findScenario('login'),
    seed: 1,
    variant: {},
    faults: [],
    run: index + 1,
    budget: { time_s: 10 },
  }),
)
const all = episodes.map(({ id }) => id)

const solved = ({ id, episode }: EpisodeJob): JobAnswer => ({
  kind: 'played',
  job: id,
  result: { ...unplayed({ ...episode, file: '' }, 'agent_error', '', 0), success: true, failure: null, end: 'exited' },
})

/** A queue in memory, and one worker that answers each job when it is added. */
function memoryQueue(answersOf: (job: EpisodeJob, attempt: number) => readonly Buffer[] | 'lost' | 'failed') {
  const jobs = new Map<string, 'waiting' | 'failed'>()
  const attempts = new Map<string, number>()
  const answers: Buffer[] = []
  const calls = { announced: 0, cleared: 0, closed: 0 }
  const queue: EpisodeQueue = {
    announce: async (scenarios) => {
      calls.announced += scenarios.length
    },
    add: async (added) => {
      for (const job of added) {
        const attempt = (attempts.get(job.id) ?? 0) + 1
        attempts.set(job.id, attempt)
        const given = answersOf(job, attempt)
        if (given === 'failed') jobs.set(job.id, 'failed')
        else if (given !== 'lost') answers.push(...given)
      }
    },
    takeAnswers: async () => answers.splice(0, 3),
    inspect: async (ids) => ({
      missing: ids.filter((id) => !jobs.has(id)),
      failed: new Map(ids.filter((id) => jobs.get(id) === 'failed').map((id) => [id, 'stalled'])),
    }),
    remove: async (ids) => {
      for (const id of ids) jobs.delete(id)
    },
    countWorkers: async () => 1,
    clear: async () => {
      calls.cleared++
    },
    close: () => {
      calls.closed++
    },
  }
  return { queue, calls, attempts }
}

async function collectFrom(
  queue: EpisodeQueue,
  signal = new AbortController().signal,
  onPlayed: (result: EpisodeResult) => void = () => {},
) {
  const results: EpisodeResult[] = []
  const notices: string[] = []
  const clock = realClock()
  const sleep = (ms: number, ending?: AbortSignal) => clock.sleep(Math.min(ms, 1), ending)
  let nowMs = 0
  await coordinateQueue(episodes, {
    queue,
    evaluation: 'test',
    backlot: '1',
    agent: 'solution',
    isTraced: true,
    // Each look at the clock is later, so that the queue is searched for lost jobs at once.
    clock: { virtual: false, now: () => (nowMs += 1000), sleep },
    signal,
    onPlayed: ({ result }) => {
      onPlayed(result)
      results.push(result)
    },
    onNotice: (text) => notices.push(text),
  })
  return { results, notices, ids: results.map(({ episode }) => episode).sort() }
}

describe('[EV62] an evaluation over a queue', () => {
  it('counts the first answer of each episode, and no answer of others', async () => {
    const other = { ...episodes[0]!, id: 'other' }
    const { queue, calls } = memoryQueue((job) => [
      Buffer.from('not an answer'),
      encodeAnswer({ ...solved(job), job: 'unknown' }),
      encodeAnswer({ kind: 'played', job: job.id, result: unplayed(other, 'agent_error', '', 0) }),
      encodeAnswer(solved(job)),
      encodeAnswer({
        kind: 'played',
        job: job.id,
        result: unplayed({ ...job.episode, file: '' }, 'agent_error', '', 0),
      }),
    ])
    const { ids, results } = await collectFrom(queue)
    expect(ids).toEqual(all)
    expect(results.every(({ success }) => success)).toBe(true)
    expect(calls).toMatchObject({ cleared: 1, closed: 1 })
    expect(calls.announced).toBeGreaterThan(0)
  })
})

describe('[EV63] an episode that the queue has lost', () => {
  it('is added again, with a notice', async () => {
    const { queue, attempts } = memoryQueue((job, attempt) =>
      attempt === 1 && job.episode.run % 2 === 0 ? 'lost' : [encodeAnswer(solved(job))],
    )
    const { ids, notices } = await collectFrom(queue)
    expect(ids).toEqual(all)
    expect([...attempts.values()]).toEqual([1, 2, 1, 2, 1, 2, 1, 2])
    expect(notices.join()).toContain('the queue has lost 4 episodes; they are added again')
  })

  it('is added again after an error of the queue', async () => {
    const { queue } = memoryQueue((job) => [encodeAnswer(solved(job))])
    let failures = 3
    const takeAnswers = async () => {
      if (failures-- > 0) throw new Error('Connection is closed.')
      return queue.takeAnswers()
    }
    const { ids, notices } = await collectFrom({ ...queue, takeAnswers })
    expect(ids).toEqual(all)
    expect(notices).toEqual(['the queue fails: Connection is closed.; it is tried again'])
  })

  it('is a result when the queue has given it up', async () => {
    const { queue } = memoryQueue((job) => (job.episode.run === 3 ? 'failed' : [encodeAnswer(solved(job))]))
    const { ids, results } = await collectFrom(queue)
    expect(ids).toEqual(all)
    expect(results.filter(({ success }) => !success)).toMatchObject([
      { episode: episodes[2]!.id, failure: 'environment_error', message: 'the queue gave it up: stalled' },
    ])
  })
})

describe('[EV69] a result that cannot be written', () => {
  it('ends the evaluation with the error', async () => {
    const { queue, calls } = memoryQueue((job) => [encodeAnswer(solved(job))])
    const write = () => {
      throw new Error('ENOSPC')
    }
    await expect(collectFrom(queue, undefined, write)).rejects.toThrow('ENOSPC')
    expect(calls).toMatchObject({ cleared: 1, closed: 1 })
  })
})

describe('[EV66] a refused job', () => {
  it('ends the evaluation with what the worker says', async () => {
    const { queue, calls } = memoryQueue((job) => [
      encodeAnswer({ kind: 'refused', job: job.id, message: 'no such agent' }),
    ])
    await expect(collectFrom(queue)).rejects.toThrow('no such agent')
    expect(calls).toMatchObject({ cleared: 1, closed: 1 })
  })
})

describe('[EV67] a stop', () => {
  it('clears the queue, also while the queue does not answer', async () => {
    const stop = new AbortController()
    const { queue, calls } = memoryQueue(() => 'lost')
    const takeAnswers = () => {
      stop.abort()
      return new Promise<never>(() => {})
    }
    const { results } = await collectFrom({ ...queue, takeAnswers }, stop.signal)
    expect(results).toEqual([])
    expect(calls).toMatchObject({ cleared: 1, closed: 1 })
  })
})
