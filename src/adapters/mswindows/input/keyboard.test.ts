import { expect, it } from 'vitest'
import { textStrokes } from './keyboard.ts'

it('types characters as UTF-16, surrogate pairs together, and line ends as keys', () => {
  const strokes = textStrokes('é😀\r\n', (name) => [{ kind: 'key', flags: 0, key: name.length }])
  expect(strokes.map((events) => events.map((event) => event.kind === 'key' && (event.scan ?? event.key)))).toEqual([
    [0xe9, 0xe9],
    [0xd83d, 0xd83d, 0xde00, 0xde00],
    [5],
  ])
})
