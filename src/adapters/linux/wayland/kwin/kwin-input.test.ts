import { expect, it } from 'vitest'
import { createKWinInput, keysymsOfText, refusedInput } from './kwin-input.ts'

// Rules such as [LX63e] are stated in the README of the adapter.

it('[LX63e] types characters of any script as keysyms', () => {
  expect(keysymsOfText('Aż日😀\r\n\t')).toEqual([0x41, 0x0100_017c, 0x0100_65e5, 0x0101_f600, 0xff0d, 0xff09])
  expect(keysymsOfText('a~', { inHalves: true })).toEqual([0x61, 0x7e])
})

it.each([
  ['a control character', 'a\u0000', false, 'BadRequest'],
  ['half a surrogate pair', '\ud83d', false, 'BadRequest'],
  ['what Chromium ignores', 'aé', true, 'PlatformUnsupported'],
])('[LX63e] refuses %s', (_, text, inHalves, code) => {
  expect(() => keysymsOfText(text, { inHalves })).toThrow(expect.objectContaining({ code }))
})

/** Devices that write down what they are given. */
function recordedInput({ isWayland = true } = {}) {
  const events: string[] = []
  const bounds = { x: 0, y: 0, width: 1280, height: 800 }
  const stop = new AbortController()
  const input = createKWinInput({
    devices: {
      ended: false,
      move: ({ x, y }) => void events.push(`move ${x},${y}`),
      button: (code, isDown, afterMs) => void events.push(`button ${code.toString(16)} ${isDown} ${afterMs}`),
      wheel: (axis, turn) => void events.push(`wheel ${axis} ${turn}`),
      key: (keysym, isDown) => void events.push(`key ${keysym.toString(16)} ${isDown}`),
      sync: async () => {},
    },
    windows: { list: async () => [{ id: 1, focused: true, ...(isWayland && { isWayland }) }] } as never,
    monitors: async () => [{ index: 0, primary: true, bounds, scaleFactor: 1 }],
    pointerAt: async () => ({ x: 3, y: 4 }),
    signal: stop.signal,
  })
  return { events, input, stop: () => stop.abort() }
}

it('[LX63f] holds and spaces the clicks of a double click', async () => {
  const { events, input } = recordedInput()
  await input.click({ x: 5, y: 5 }, 'left', 2)
  expect(events).toEqual([
    'move 4,4',
    'move 5,5',
    'button 110 true 0',
    'button 110 false 8',
    'button 110 true 20',
    'button 110 false 8',
  ])
})

it('[LX63e] presses shortcuts by the keysyms of their keys', async () => {
  const { events, input } = recordedInput()
  await input.press({ modifiers: ['ctrl', 'shift'], key: 'f5' })
  expect(events).toEqual([
    'key ffe3 true',
    'key ffe1 true',
    'key ffc2 true',
    'key ffc2 false',
    'key ffe1 false',
    'key ffe3 false',
  ])
})

it('[LX63e] refuses what programs of Xwayland drop, and keys that no keyboard has', async () => {
  const { events, input } = recordedInput({ isWayland: false })
  const refused = { code: 'PlatformUnsupported' }
  await expect(input.type('aé')).rejects.toMatchObject(refused)
  await expect(input.press({ modifiers: [], key: 'é' })).rejects.toMatchObject(refused)
  expect(events).toEqual([])
  await input.type('a')
  expect(events).toEqual(['key 61 true', 'key 61 false'])
})

it('[LX29] releases what is held when all input is stopped', async () => {
  const { events, input, stop } = recordedInput()
  await input.pressKey('ctrl')
  await input.pressButton({ x: 0, y: 0 }, 'left')
  expect(await input.state()).toEqual({ at: { x: 3, y: 4 }, buttons: ['left'], keys: ['ctrl'] })
  events.length = 0
  stop()
  expect(events).toEqual(['button 110 false 0', 'key ffe3 false'])
  await expect(input.type('x')).rejects.toMatchObject({ code: 'PermissionDenied' })
})

it('[LX63i] refuses pointer and keys with their reasons, and still tells where the pointer is', async () => {
  const input = refusedInput({ pointer: 'no pointer', keys: 'no keys' }, async () => ({ x: 1, y: 2 }))
  await expect(input.click({ x: 0, y: 0 }, 'left', 1)).rejects.toMatchObject({ message: 'no pointer' })
  await expect(input.type('x')).rejects.toMatchObject({ code: 'PlatformUnsupported', message: 'no keys' })
  expect(await input.state()).toEqual({ at: { x: 1, y: 2 }, buttons: [], keys: [] })
})
