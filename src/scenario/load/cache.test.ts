import { expect, it } from 'vitest'
import { loadCachedScenario } from './cache.ts'

it('[SC18] gives the same value for the same text as long as it is remembered', () => {
  const text = (name: string) => `name: ${name}\nstates: {a: {}}\n`
  const first = loadCachedScenario(text('a'), { file: 'a.yaml' })
  expect(loadCachedScenario(text('a'), { file: 'a.yaml' })).toBe(first)
  expect(loadCachedScenario(text('a'), { file: 'b.yaml' })).not.toBe(first)
  expect(loadCachedScenario(text('b'), { file: 'a.yaml' })).not.toBe(first)
  for (let number = 0; number < 3; number++) loadCachedScenario(`# ${'x'.repeat(900_000)}\n${text(String(number))}`, {})
  expect(loadCachedScenario(text('a'), { file: 'a.yaml' })).not.toBe(first)
})

it('[SC18] rejects an invalid text each time', () => {
  for (let time = 0; time < 2; time++)
    expect(() => loadCachedScenario('states: 5', { file: 'bad.yaml' })).toThrow(
      'bad.yaml:1:9: states: expected keys with values',
    )
})
