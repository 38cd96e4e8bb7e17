import { expect, it } from 'vitest'
import { yieldingWork } from './yielding.ts'

it('requests a pause after 25 ms, then continues', async () => {
  let nowMs = 0
  const { pause } = yieldingWork(() => nowMs)
  expect(pause()).toBeUndefined()
  nowMs = 25
  await pause()
  expect(pause()).toBeUndefined()
})

it('resumes one caller per turn of the event loop', async () => {
  let nowMs = 0
  const works = Array.from({ length: 5 }, () => yieldingWork(() => nowMs))
  nowMs = 100
  let turns = 0
  const count = () => {
    turns++
    setImmediate(count).unref()
  }
  setImmediate(count)
  const resumed = await Promise.all(works.map(async ({ pause }) => pause()?.then(() => turns)))
  expect(new Set(resumed).size).toBe(5)
})
