import { describe, expect, it } from 'vitest'
import { onScreen, type PictureArea } from './observation.ts'

/** A picture of half the size of its screen, which begins left of the primary monitor. */
const HALF: PictureArea = { region: { x: -100, y: 0, width: 400, height: 200 }, width: 200, height: 100 }

describe('[RA2a] converts points of the picture to points of the screen', () => {
  it('in a reduced picture, to the middle of what the pixel shows', () => {
    expect(onScreen({ x: 0, y: 0 }, HALF)).toEqual({ x: -99, y: 1 })
    expect(onScreen({ x: 199, y: 99, button: 'left' }, HALF)).toEqual({ x: 299, y: 199, button: 'left' })
  })

  it('in a picture of full size, exactly', () => {
    expect(onScreen({ x: 7, y: 8 }, { ...HALF, width: 400, height: 200 })).toEqual({ x: -93, y: 8 })
  })

  it('on a path, and refuses a point of it outside of the picture', () => {
    expect(onScreen({ path: [{ x: 10, y: 10 }] }, HALF)).toEqual({ path: [{ x: -79, y: 21 }] })
    expect(
      onScreen(
        {
          path: [
            { x: 10, y: 10 },
            { x: 10, y: 100 },
          ],
        },
        HALF,
      ),
    ).toBe('y 100 is outside of the picture, which is 200 x 100')
    expect(onScreen({ x: -1, y: 0 }, HALF)).toMatch(/^x -1 is outside/)
  })

  it('[RA2c] rounds fractions down, in any size', () => {
    expect(onScreen({ x: 199.9, y: 0.5 }, HALF)).toEqual({ x: 299, y: 1 })
    expect(onScreen({ x: 7.9, y: 8.1 }, { ...HALF, width: 400, height: 200 })).toEqual({ x: -93, y: 8 })
  })

  it('leaves other values to the tool, which checks them', () => {
    expect(onScreen({ x: 'left', path: ['a'] }, HALF)).toEqual({ x: 'left', path: ['a'] })
    expect(onScreen({ x: 9000 }, undefined)).toEqual({ x: 9000 })
  })
})
