import { expect, it } from 'vitest'
import { watchUserActivity } from '../../real-input.ts'

/** A clock that advances only during waits, and input at given times. */
function desk(yieldMs: number, ...inputs: readonly number[]) {
  let nowMs = 1000
  const pointer = { x: 5, y: 5 }
  const person = watchUserActivity({
    yieldMs,
    pointer: async () => pointer,
    now: () => nowMs,
    lastInput: async () => Math.max(0, ...inputs.filter((ms) => ms <= nowMs)),
    pause: async (ms) => {
      nowMs += ms
    },
  })
  return { person, now: () => nowMs, pass: (ms: number) => (nowMs += ms) }
}

it('[LX34] waits until a person has been idle for the given time', async () => {
  const { person, now, pass } = desk(500, 1100, 1400)
  pass(150)
  await person.waitUntilIdle()
  expect(now()).toBe(1900)
})

it('[LX34] waits only for input of a person', async () => {
  const { person, now, pass } = desk(500, 900, 1100)
  pass(100)
  person.recordOwnInput()
  await person.waitUntilIdle()
  expect(now()).toBe(1100)
})

it('[LX34] fails with Timeout when a person never stops', async () => {
  const { person } = desk(500, ...Array.from({ length: 1000 }, (_, index) => 1100 + index * 100))
  await expect(
    (async () => {
      for (let turn = 0; turn < 3; turn++) await person.waitUntilIdle()
    })(),
  ).resolves.toBeUndefined()
  const busy = desk(500, ...Array.from({ length: 1000 }, (_, index) => 1050 + index * 50))
  busy.pass(100)
  await expect(busy.person.waitUntilIdle()).rejects.toMatchObject({
    code: 'Timeout',
    message: expect.stringContaining('person'),
  })
})

it('[LX34] aborts actions that cannot pause', async () => {
  const { person, pass } = desk(500, 1100)
  await person.requireIdle({ x: 5, y: 5 })
  await expect(desk(500).person.requireIdle({ x: 6, y: 5 })).rejects.toMatchObject({ code: 'Timeout' })
  pass(100)
  await expect(person.requireIdle({ x: 5, y: 5 })).rejects.toMatchObject({ code: 'Timeout' })
})
