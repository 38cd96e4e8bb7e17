import { expect, it } from 'vitest'
import { changedAreas, type Pixels } from './picture-changes.ts'

const WIDTH = 20
const HEIGHT = 40

/** A black picture with some white pixels. */
function withDots(...dots: readonly (readonly [x: number, y: number])[]): Pixels {
  const words = new Uint32Array(WIDTH * HEIGHT)
  for (const [x, y] of dots) words[y * WIDTH + x] = 0xffffffff
  return { width: WIDTH, height: HEIGHT, bytes: new Uint8Array(words.buffer) }
}

it('a first picture, and one of another size, differ as a whole', () => {
  const picture = withDots()
  const whole = [{ x: 0, y: 0, width: WIDTH, height: HEIGHT }]
  expect(changedAreas(undefined, picture)).toEqual(whole)
  expect(changedAreas({ ...picture, width: HEIGHT, height: WIDTH }, picture)).toEqual(whole)
})

it('equal pictures have no areas', () => {
  const picture = withDots([3, 4])
  expect(changedAreas(picture, picture)).toEqual([])
  expect(changedAreas(picture, withDots([3, 4]))).toEqual([])
})

it('an area spans the changes of near rows, and far rows have areas of their own', () => {
  const before = withDots([1, 1])
  const after = withDots([19, 5], [4, 8], [0, 39])
  expect(changedAreas(before, after)).toEqual([
    { x: 1, y: 1, width: 19, height: 8 },
    { x: 0, y: 39, width: 1, height: 1 },
  ])
})
