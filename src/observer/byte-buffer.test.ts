import { expect, it } from 'vitest'
import { ByteBuffer } from './json.ts'

it('cuts off the written text and bytes', () => {
  const roll = new ByteBuffer()
  roll.text('Größe ')
  roll.copy(Buffer.from('(5 €)'), 1, 6)
  expect(roll.length).toBe(13)
  expect(roll.cut().toString()).toBe('Größe 5 €')
  expect(roll.length).toBe(0)
  expect(roll.cut()).toHaveLength(0)
})

it('does not change earlier pieces when more is written', () => {
  const roll = new ByteBuffer()
  const texts = Array.from({ length: 300 }, (_, index) => `${index} `.repeat(index * 5))
  const pieces = texts.map((text) => {
    roll.text(text)
    return roll.cut()
  })
  expect(pieces.map(String)).toEqual(texts)
})

it('holds a piece of any size', () => {
  const roll = new ByteBuffer()
  roll.text('before')
  for (let part = 0; part < 3; part++) roll.text('ü'.repeat(200_000))
  expect(roll.cut().toString()).toBe(`before${'ü'.repeat(600_000)}`)
})

it('discards bytes that were written but not cut off', () => {
  const roll = new ByteBuffer()
  roll.text('half of someth')
  roll.begin()
  roll.text('whole')
  expect(roll.cut().toString()).toBe('whole')
})
