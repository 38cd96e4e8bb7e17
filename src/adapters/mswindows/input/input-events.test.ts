import { expect, it } from 'vitest'
import { buttonEvent, encodeEvents, INPUT_BYTES, moveEvent, wheelAcrossEvent, wheelEvent } from './input-events.ts'

it('moves to the pixel that Windows computes from the units, on every width', () => {
  for (const width of [800, 1280, 1366, 1920, 3840]) {
    const screen = { x: -100, y: 0, width, height: 800 }
    for (const x of [-100, 0, 33, width - 101]) {
      const event = moveEvent({ x, y: 799 }, screen)
      expect(event.kind === 'mouse' && Math.floor((event.x! * width) / 65_536) - 100).toBe(x)
      expect(event.kind === 'mouse' && Math.floor((event.y! * 800) / 65_536)).toBe(799)
    }
  }
})

it('encodes buttons, swapped ones and wheels', () => {
  expect(buttonEvent('left', true, false)).toEqual({ kind: 'mouse', flags: 2, data: 0 })
  expect(buttonEvent('left', false, true)).toEqual({ kind: 'mouse', flags: 16, data: 0 })
  expect(buttonEvent('forward', false, true)).toEqual({ kind: 'mouse', flags: 256, data: 2 })
  expect([wheelEvent(-2), wheelAcrossEvent(1)].map((event) => event.kind === 'mouse' && event.data)).toEqual([
    -240, 120,
  ])
  expect(encodeEvents([wheelEvent(-2)]).readInt32LE(16)).toBe(-240)
  expect(encodeEvents([wheelEvent(1), wheelEvent(1)]).length).toBe(2 * INPUT_BYTES)
})
