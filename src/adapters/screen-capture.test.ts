import { describe, expect, it } from 'vitest'
import { fromPixels, type Picture } from '../paint/picture.ts'
import { captureArea } from './screen-capture.ts'

/** A picture of one red value per pixel. */
const reds = (width: number, values: readonly number[]): Picture =>
  fromPixels(width, values.length / width, Uint8Array.from(values.flatMap((red) => [red, 0, 0, 255])))
const redsOf = (picture: Picture): readonly number[] => [...picture.pixels()].filter((_, at) => at % 4 === 0)

const LEFT = { bounds: { x: 0, y: 0, width: 2, height: 2 }, capture: async () => reds(2, [10, 20, 30, 40]) }
// Half as many pixels per side as its bounds.
const RIGHT = { bounds: { x: 2, y: 0, width: 4, height: 2 }, capture: async () => reds(2, [50, 60]) }

describe('areas of a real screen', () => {
  it('span monitors of different resolutions, and are black on no monitor', async () => {
    const picture = await captureArea({ x: 1, y: 0, width: 6, height: 3 }, [LEFT, RIGHT])
    expect(redsOf(picture)).toEqual([20, 50, 50, 60, 60, 0, 40, 50, 50, 60, 60, 0, 0, 0, 0, 0, 0, 0])
    expect([...picture.pixels().subarray(20, 24)]).toEqual([0, 0, 0, 255])
  })

  it('capture only the monitors that they show', async () => {
    const fails = { bounds: RIGHT.bounds, capture: () => Promise.reject(new Error('was captured')) }
    expect(redsOf(await captureArea({ x: 0, y: 1, width: 2, height: 1 }, [LEFT, fails]))).toEqual([30, 40])
  })

  it('are refused when they are empty or too large', async () => {
    const code = (width: number) => captureArea({ x: 0, y: 0, width, height: 65_536 }, []).catch((fault) => fault.code)
    expect([await code(0), await code(1025)]).toEqual(['BadRequest', 'BadRequest'])
  })
})
