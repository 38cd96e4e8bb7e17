import { expect, it } from 'vitest'
import { dateText, durationText, roundTicks, stripMoments, timeOfDay, timeScale } from './time-line.ts'

// Rules such as [VW7] are stated in README.md of the viewer.

const momentsAt = (...times: readonly number[]) => times.map((atMs) => ({ atMs }))

it('[VW7] lays moments out by virtual time, or by steps', () => {
  const moments = momentsAt(0, 100, 100, 1000)
  const byTime = timeScale(moments, 'time')
  expect([0, 1, 2, 3].map(byTime.placeOf)).toEqual([0, 0.1, 0.1, 1])
  expect([0, 0.04, 0.06, 0.54, 0.56, 1].map(byTime.nearest)).toEqual([0, 0, 2, 2, 3, 3])
  expect(timeScale(moments, 'steps').placeOf(2)).toBeCloseTo(2 / 3)
})

it('[VW7] uses steps where no virtual time passes, and does not go back in time', () => {
  expect(timeScale(momentsAt(0, 0, 0), 'time')).toMatchObject({ axis: 'steps', durationMs: 0 })
  expect(timeScale(momentsAt(0), 'time').placeOf(0)).toBe(0)
  const damaged = timeScale(momentsAt(0, 500, 200, 1000), 'time')
  expect([0, 1, 2, 3].map(damaged.placeOf)).toEqual([0, 0.5, 0.5, 1])
})

it('[VW8] shows in each slot what the screen showed there', () => {
  expect(stripMoments(timeScale(momentsAt(0, 100, 900, 1000), 'time'), 4)).toEqual([1, 1, 1, 1])
  expect(stripMoments(timeScale(momentsAt(0, 600, 1000), 'time'), 4)).toEqual([0, 0, 1, 1])
})

it('[VW7] marks round times', () => {
  expect(roundTicks(20_400, 12)).toEqual([0, 2000, 4000, 6000, 8000, 10_000, 12_000, 14_000, 16_000, 18_000, 20_000])
  expect(roundTicks(7, 3)).toEqual([0, 5])
  expect(roundTicks(0, 5)).toEqual([0])
})

it('[VW7] writes durations and times of day', () => {
  expect([0, 999.4, 1250, 61_000, 3_725_000].map(durationText)).toEqual(['0 ms', '999 ms', '1.25 s', '1:01', '1:02:05'])
  expect(['2026-01-05T09:30:15.300000+00:00', '2026-01-05T09:30:15+02:00', 'soon'].map(dateText)).toEqual([
    ...['2026-01-05 09:30:15 UTC', '2026-01-05 09:30:15 +02:00', 'soon'],
  ])
  expect([timeOfDay('2026-01-05T09:30:15.300Z'), timeOfDay('soon')]).toEqual(['09:30:15.300', 'soon'])
})
