import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { describeIssues, isTooDeep, MAX_JSON_DEPTH } from './external-values.ts'

const nested = (levels: number, open: string, close: string): unknown =>
  JSON.parse(`${open.repeat(levels)}[]${close.repeat(levels)}`)

describe.each([
  ['arrays', '[', ']'],
  ['objects', '{"a":', '}'],
  ['both', '[1,{"a":1,"b":', '}]'],
])('depth of %s', (kind, open, close) => {
  const each = kind === 'both' ? 2 : 1

  it('allows the maximum depth and no more', () => {
    expect(isTooDeep(nested(MAX_JSON_DEPTH / each, open, close))).toBe(false)
    expect(isTooDeep([nested(MAX_JSON_DEPTH / each, open, close)])).toBe(true)
  })

  it('detects values that would exhaust the stack', () => {
    expect(isTooDeep(nested(50_000, open, close))).toBe(true)
  })
})

it('does not list the keys of arrays', () => {
  const items = new Proxy([1, 2, 3], {
    ownKeys: () => {
      throw new Error('keys were listed')
    },
  })
  expect(isTooDeep(items)).toBe(false)
})

it('detects a cyclic value and accepts a value that is not an object', () => {
  const round: Record<string, unknown> = {}
  round.self = { round }
  expect(isTooDeep(round)).toBe(true)
  for (const value of [null, undefined, 1, 'text', [], {}]) expect(isTooDeep(value)).toBe(false)
})

const Shape = z.strictObject({ items: z.array(z.object({ text: z.string() })), mode: z.enum(['a', 'b']) })

const problemsOf = (value: unknown): string => describeIssues(Shape.safeParse(value).error!)

it.each([
  [{ items: [{ text: 5 }], mode: 'a' }, 'items[0].text: expected a text, not a number'],
  [{ items: [] }, 'mode: expected one of a, b'],
  [{ mode: 'a' }, 'items is missing'],
  [{ items: [], mode: 'a', more: 1 }, 'unknown key "more"'],
  [5, 'expected an object, not a number'],
  [{ items: [{}, { text: 1 }], mode: 'a' }, 'items[0].text is missing; items[1].text: expected a text, not a number'],
])('describes the problems of %j in one line', (value, problems) => {
  expect(problemsOf(value)).toBe(problems)
})

it.each([
  [z.int().min(1), 1.5, 'expected a whole number, not a fraction'],
  [z.int().min(1), 0, 'expected at least 1'],
  [z.string().max(2), 'abc', 'expected at most 2 characters'],
  [z.array(z.string()).min(1), [], 'expected at least 1 entry'],
  [z.literal(3), 4, 'expected "3"'],
  [z.union([z.string(), z.number()]), [], 'expected a text or a number'],
  [z.union([z.string(), z.object({ a: z.number() })]), { a: 'x' }, 'a: expected a number, not a text'],
  [z.discriminatedUnion('a', [z.object({ a: z.literal('b') })]), { a: 'c' }, 'a: expected "b"'],
  [
    z.discriminatedUnion('a', [z.object({ a: z.literal('b') }), z.object({ a: z.literal(['d', 'e']) })]),
    { b: 'c' },
    'a: expected one of b, d, e',
  ],
  [z.record(z.string().max(1), z.string()), { ab: 'x' }, 'ab: the name is wrong: expected at most 1 character'],
])('[BA12] words the problem of %j in %j', (schema, value, problems) => {
  expect(describeIssues((schema as z.ZodType).safeParse(value).error!)).toBe(problems)
})

it('lists the first problems and counts the others', () => {
  const described = problemsOf({ items: Array(30).fill({ text: 1 }), mode: 'a' })
  expect(described.split('; ')).toHaveLength(21)
  expect(described).toMatch(/; and 10 more problems$/)
})
