import { expect, it } from 'vitest'
import { createElementIds } from './window-trees.ts'

const ref = (path: string) => ({ bus: ':1.1', path })

it('[R14] gives elements ids that contain the number of their window', () => {
  const [first, second] = [createElementIds(1), createElementIds(2)]
  expect([first(ref('/a')), first(ref('/b')), second(ref('/a'))]).toEqual(['w1-e1', 'w1-e2', 'w2-e1'])
})

it('[L5] [R14] gives an object the same id each time', () => {
  const idOf = createElementIds(3)
  expect([idOf(ref('/a')), idOf(ref('/b')), idOf(ref('/a'))]).toEqual(['w3-e1', 'w3-e2', 'w3-e1'])
})
