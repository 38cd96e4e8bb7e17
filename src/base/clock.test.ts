import { expect, it, onTestFinished, vi } from 'vitest'
import { manualClock } from '../../test/support/base/manual-clock.ts'
import { realClock, virtualClock } from './clock.ts'

it('advances virtual time only by sleep and advance, never backwards', () => {
  const clock = virtualClock(1000)
  expect(clock.sleep(5000)).toBeUndefined()
  clock.advance(-1)
  clock.advance(20)
  clock.sleep(100, AbortSignal.abort())
  expect(clock.now()).toBe(6020)
})

it('ends a real sleep when its signal aborts', async () => {
  const controller = new AbortController()
  const slept = realClock().sleep(60_000, controller.signal)
  controller.abort()
  expect(await slept).toBeUndefined()
})

it('wakes the sleepers of a manual clock in order, each at its time', async () => {
  const clock = manualClock()
  const woken: number[] = []
  const sleeper = async (ms: number) => {
    await clock.sleep(ms)
    woken.push(clock.now())
  }
  const all = [sleeper(30), sleeper(10), sleeper(50)]
  await clock.advance(40)
  expect([woken, clock.now(), clock.sleepers]).toEqual([[10, 30], 40, 1])
  await clock.advance(10)
  await Promise.all(all)
  expect(woken).toEqual([10, 30, 50])
})

it('counts real time independently of the system clock', () => {
  const clock = realClock()
  const systemTime = vi.spyOn(Date, 'now')
  onTestFinished(() => systemTime.mockRestore())
  const before = clock.now()
  expect(Math.abs(before - Date.now())).toBeLessThan(60_000)
  for (const jumpMs of [7_200_000, -86_400_000]) {
    systemTime.mockReturnValue(before + jumpMs)
    expect(clock.now() - before).toBeGreaterThanOrEqual(0)
    expect(clock.now() - before).toBeLessThan(60_000)
  }
})
