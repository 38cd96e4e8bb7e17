import { expect, it } from 'vitest'
import { chordOf } from './keys.ts'

// Rules such as [VW46] are stated in ../README.md.

const NONE = { ctrlKey: false, altKey: false, shiftKey: false, metaKey: false }

it.each([
  ['a', {}, { text: 'a' }],
  ['A', { shiftKey: true }, { text: 'A' }],
  [' ', {}, { text: ' ' }],
  ['€', { ctrlKey: true, altKey: true }, { text: '€' }],
  ['😀', {}, { text: '😀' }],
  ['s', { ctrlKey: true }, { keys: 'ctrl+s' }],
  ['S', { ctrlKey: true, shiftKey: true }, { keys: 'ctrl+shift+s' }],
  ['?', { ctrlKey: true, shiftKey: true }, { keys: 'ctrl+?' }],
  ['+', { ctrlKey: true }, { keys: 'ctrl+plus' }],
  ['Enter', {}, { keys: 'enter' }],
  ['ArrowUp', { shiftKey: true }, { keys: 'shift+arrowup' }],
  ['Shift', { shiftKey: true }, undefined],
  ['CapsLock', {}, undefined],
  ['Dead', {}, undefined],
])('[VW46] reads the key %j', (key, held, expected) => {
  expect(chordOf({ ...NONE, key, ...held })).toEqual(expected)
})
