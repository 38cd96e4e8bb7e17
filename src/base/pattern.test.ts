import { expect, it } from 'vitest'
import { compilePattern } from './pattern.ts'

it('searches, replaces to the letter, and gives the groups of a whole match', () => {
  const pattern = compilePattern('(?i)(?P<word>[a-z]+)-(\\d+)?')
  expect(pattern.search('see ABC-7')).toBe(true)
  expect(pattern.replace('a-1 b-', '$1')).toBe('$1 $1')
  expect(pattern.whole('Abc-7')).toEqual(['Abc-7', 'Abc', '7'])
  expect(pattern.whole('abc-')).toEqual(['abc-', 'abc', undefined])
  expect(pattern.whole('abc-7 ')).toBeUndefined()
})

it('runs in linear time on what makes other engines hang', () => {
  const text = `${'a'.repeat(5000)}!`
  expect(compilePattern('(a+)+$').search(text)).toBe(false)
})

it('says what is wrong with a pattern, or that it is too long', () => {
  const refused = (source: string) => () => compilePattern(source)
  expect(refused('(')).toThrow(expect.objectContaining({ code: 'BadRequest', context: { pattern: '(' } }))
  expect(refused('(?=x)')).toThrow(expect.objectContaining({ code: 'BadRequest' }))
  expect(refused('a'.repeat(2001))).toThrow('the pattern has 2001 characters; at most 2000 are allowed')
})
