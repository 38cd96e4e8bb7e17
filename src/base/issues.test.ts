import { expect, it } from 'vitest'
import * as z from 'zod'
import { describeIssues } from './issues.ts'

const Shape = z.strictObject({ items: z.array(z.object({ text: z.string() })), mode: z.enum(['a', 'b']) })

const problemsOf = (value: unknown): string => describeIssues(Shape.safeParse(value).error!)

it.each([
  [{ items: [{ text: 5 }], mode: 'a' }, 'items[0].text: expected string, received number'],
  [{ items: [] }, 'mode: Invalid option: expected one of "a"|"b"'],
  [{ mode: 'a' }, 'items is missing'],
  [{ items: [], mode: 'a', more: 1 }, 'Unrecognized key: "more"'],
  [5, 'expected object, received number'],
  [
    { items: [{}, { text: 1 }], mode: 'a' },
    'items[0].text is missing; items[1].text: expected string, received number',
  ],
])('describes the problems of %j in one line', (value, problems) => {
  expect(problemsOf(value)).toBe(problems)
})

it('lists the first problems and counts the others', () => {
  const described = problemsOf({ items: Array(30).fill({ text: 1 }), mode: 'a' })
  expect(described.split('; ')).toHaveLength(21)
  expect(described).toMatch(/; and 10 more problems$/)
})
