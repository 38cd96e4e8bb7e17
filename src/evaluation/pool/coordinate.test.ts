import { describe, expect, it } from 'vitest'
import { type Clock, realClock } from '../../base/clock.ts'
import type { EpisodeResult } from '../episode/result.ts'
import type { PlannedEpisode } from '../suite/suite-file.ts'
import { coordinate, type EpisodeWorker, unplayed, WorkerLost } from './coordinate.ts'

const episode = (number: number): PlannedEpisode => ({
  id: `task/seed-1/run-${number}`,
  task: 'task',
  file: 'task.yaml',
  seed: 1,
  variant: {},
  faults: [],
  run: number,
  budget: { time_s: 10 },
})
const episodes = Array.from({ length: 20 }, (_, index) => episode(index + 1))
const played = (each: PlannedEpisode) => ({ result: { ...unplayed(each, 'agent_error', 'done', 0), success: true } })

/** Runs all episodes on workers that a test makes. */
async function run(
  openWorker: () => EpisodeWorker,
  { workers = 3, clock = realClock() as Clock, signal = new AbortController().signal } = {},
) {
  const results: EpisodeResult[] = []
  let opened = 0
  await coordinate(episodes, {
    openWorker: async () => {
      opened++
      return openWorker()
    },
    workers,
    clock,
    signal,
    onPlayed: ({ result }) => results.push(result),
  })
  return { results, opened, ids: results.map((result) => result.episode).sort() }
}
const all = episodes.map(({ id }) => id).sort()

describe('[EV57] a lost worker', () => {
  it('is replaced, and no episode is lost or doubled', async () => {
    const lost = new Set<number>()
    const { ids, opened, results } = await run(() => ({
      play: async (each) => {
        if (each.run % 4 === 0 && !lost.has(each.run)) {
          lost.add(each.run)
          throw new WorkerLost()
        }
        return played(each)
      },
      close: async () => {},
    }))
    expect(ids).toEqual(all)
    expect(opened).toBeGreaterThan(3)
    expect(results.every(({ success }) => success)).toBe(true)
  })

  it('is given up on with an episode that three workers were lost with', async () => {
    const { ids, results } = await run(() => ({
      play: async (each) => {
        if (each.run === 7) throw new WorkerLost()
        return played(each)
      },
      close: async () => {},
    }))
    expect(ids).toEqual(all)
    const lost = results.filter(({ success }) => !success)
    expect(lost).toMatchObject([{ episode: episode(7).id, failure: 'environment_error' }])
    expect(lost[0]!.message).toBe('its worker process ended 3 times')
  })

  it('is another error than one that no other worker could avoid', async () => {
    const closed: number[] = []
    const failing = run(() => ({
      play: async () => {
        throw new Error('no such agent')
      },
      close: async () => void closed.push(1),
    }))
    await expect(failing).rejects.toThrow('no such agent')
    expect(closed).toHaveLength(3)
  })
})

describe('[EV58] a silent worker', () => {
  it('is ended after the time limit of its episode', async () => {
    const asked: number[] = []
    const clock: Clock = {
      virtual: false,
      now: () => 0,
      sleep: (ms, signal) => {
        asked.push(ms)
        // Only the episode that hangs waits long enough for the timer.
        return new Promise((resolve) => {
          const timer = setTimeout(resolve, 50)
          signal?.addEventListener('abort', () => clearTimeout(timer))
        })
      },
    }
    let closed = 0
    const { ids, results } = await run(
      () => ({
        play: (each) => (each.run === 5 ? new Promise(() => {}) : Promise.resolve(played(each))),
        close: async () => void closed++,
      }),
      { clock },
    )
    expect(ids).toEqual(all)
    expect(results.filter(({ success }) => !success)).toMatchObject([{ end: 'time_limit', wall_ms: 10_000 }])
    expect(new Set(asked)).toEqual(new Set([40_000]))
    expect(closed).toBe(3)
  })
})

describe('[EV59] a stop', () => {
  it('ends all workers and keeps what has ended', async () => {
    const stop = new AbortController()
    let closed = 0
    let plays = 0
    const { results } = await run(
      () => ({
        play: async (each) => {
          if (++plays <= 6) return played(each)
          stop.abort()
          return new Promise(() => {})
        },
        close: async () => void closed++,
      }),
      { workers: 2, signal: stop.signal },
    )
    expect(results.length).toBeGreaterThanOrEqual(5)
    expect(results.length).toBeLessThanOrEqual(6)
    expect(closed).toBeGreaterThanOrEqual(2)
  })
})
