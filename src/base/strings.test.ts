import { expect, it } from 'vitest'
import { editsBetween, suggest } from './strings.ts'

it('suggests names within a typing error, ignoring case, nearest first', () => {
  const names = ['windows', 'Widgets', 'width', 'height']
  expect(suggest('windws', names)).toEqual(['windows'])
  expect(suggest('WIDHT', names)).toEqual(['width'])
  expect(suggest('widgetss', names, 3)).toEqual(['Widgets'])
  expect(suggest('colour', names, 3)).toEqual([])
})

it('counts insertions, deletions, replacements and swaps of neighbours', () => {
  const pairs = [
    ['cat', 'cat', 0],
    ['cat', 'cart', 1],
    ['cart', 'cat', 1],
    ['cat', 'cut', 1],
    ['cat', 'act', 1],
    ['cat', 'dog', 3],
  ] as const
  for (const [a, b, edits] of pairs) expect([a, b, editsBetween(a, b, 3)]).toEqual([a, b, edits])
  expect(editsBetween('a', 'abcde', 3)).toBe(4)
})
