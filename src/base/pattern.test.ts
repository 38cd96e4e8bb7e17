import fc from 'fast-check'
import { RE2JS } from 're2js'
import { expect, it } from 'vitest'
import { compilePattern, createMatchBudget, patternSize } from './pattern.ts'

it('searches, replaces literally and returns the groups of a whole match', () => {
  const pattern = compilePattern('(?i)(?P<word>[a-z]+)-(\\d+)?')
  expect(pattern.search('see ABC-7')).toBe(true)
  expect(pattern.replace('a-1 b-', '$1')).toBe('$1 $1')
  expect(pattern.whole('Abc-7')).toEqual(['Abc-7', 'Abc', '7'])
  expect(pattern.whole('abc-')).toEqual(['abc-', 'abc', undefined])
  expect(pattern.whole('abc-7 ')).toBeUndefined()
})

it('runs in linear time on patterns that hang backtracking engines', () => {
  const text = `${'a'.repeat(5000)}!`
  expect(compilePattern('(a+)+$').search(text)).toBe(false)
})

it('reports an invalid or too long pattern', () => {
  const refused = (source: string) => () => compilePattern(source)
  expect(refused('(')).toThrow(expect.objectContaining({ code: 'BadRequest', context: { pattern: '(' } }))
  expect(refused('(?=x)')).toThrow(expect.objectContaining({ code: 'BadRequest' }))
  expect(refused('a'.repeat(2001))).toThrow('the pattern has 2001 characters; at most 2000 are allowed')
})

const COUNTED = fc.letrec((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      'a',
      'é',
      '.',
      '[a-z]',
      '[^]x]',
      '[\\d[:alpha:]-]',
      '\\d',
      '\\pL',
      '\\p{Greek}',
      '\\x{41}',
      '\\Qa+(b\\E',
      '{,3}',
    ),
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => `(${parts.join('|')})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '??', '{3}', '{2,}', '{0,5}?', '{7,11}', '{0}'))
      .map(([repeated, times]) => `(?:${repeated})${times}`),
    tie('pattern').map((part) => `(?i:${part})`),
    tie('pattern').map((part) => `(?P<name>${part})`),
  ),
})).pattern as fc.Arbitrary<string>

it('estimates at least as many instructions as a pattern compiles to', () => {
  fc.assert(
    fc.property(COUNTED, (source) => {
      let size: number
      try {
        size = RE2JS.compile(source).programSize()
      } catch {
        return
      }
      // Two of them start and end every program.
      expect(patternSize(source) + 2).toBeGreaterThanOrEqual(size)
    }),
    { numRuns: 2000, seed: 1 },
  )
})

it.each([
  ['repetitions', '(?:.{0,1000}x)'.repeat(140)],
  ['nested repetitions', '(?:(?:[ab]{10}){10}){10}'.repeat(60)],
  ['a long text repeated', `(?:${'a'.repeat(1900)}){1000}`],
  ['a quoted text repeated', `(?:\\Q${'(+'.repeat(900)}\\E){1000}`],
  ['alternatives repeated', `(?:${'a|'.repeat(900)}){100}`],
  ['Unicode classes', '\\pL'.repeat(400)],
  ['Unicode classes in one class', `[${'\\pL\\pN'.repeat(240)}]`],
  ['ranges whose case is folded', `(?i)[${'B-\u{1e942}'.repeat(490)}]`],
  ['ranges given by number whose case is folded', `(?i)${'[^B-\\x{1e942}]'.repeat(130)}`],
  ['groups', '(a)'.repeat(600)],
])('rejects a pattern with too large %s before compiling it', (_what, source) => {
  const startedMs = performance.now()
  expect(() => compilePattern(source)).toThrow(expect.objectContaining({ code: 'BadRequest' }))
  expect(performance.now() - startedMs).toBeLessThan(5000)
})

it.each([
  '(?i)(save|open|delete|cancel|print|undo).{0,200}(file|folder)?',
  '.{0,1000}x.{0,1000}',
  '(?i)[а-я]+ [\\x{4e00}-\\x{9fff}]{1,100}',
  '\\p{L}{1,100}',
  '(?i)\\p{Lu}\\p{Ll}+',
  '^\\s*[\\w.+-]+@[\\w-]+\\.[\\w.-]+\\s*$',
])('accepts %s', (source) => {
  expect(compilePattern(source).search('')).toBeTypeOf('boolean')
})

it('refuses a match that needs too much work, alone or within one request', () => {
  const pattern = compilePattern('(?:[ab]?){1000}[ab]{1000}[cd]')
  expect(pattern.search('ab'.repeat(100))).toBe(false)
  expect(() => pattern.search('ab'.repeat(5000))).toThrow('too much work')
  const work = createMatchBudget()
  const names = Array.from({ length: 10_000 }, () => 'a button with a name')
  expect(() => names.some((name) => pattern.search(name, work))).toThrow('too much work')
  const small = compilePattern('(?i).*(save|open|delete|print).*')
  expect(names.some((name) => small.search(name, createMatchBudget()))).toBe(false)
})

it('finds a text without special characters in any amount of text', () => {
  const text = 'a'.repeat(1_000_000)
  const pattern = compilePattern('the order was saved')
  expect(pattern.search(text)).toBe(false)
  expect(pattern.search(`${text} the order was saved`)).toBe(true)
  expect(pattern.whole('the order was saved')).toEqual(['the order was saved'])
  expect(pattern.replace('so the order was saved.', '$&')).toBe('so $&.')
})
