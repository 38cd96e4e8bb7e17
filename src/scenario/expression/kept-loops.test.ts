import type { ASTNode } from '@marcbachmann/cel-js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeKept, openBudget, withinBudget } from './budget.ts'
import { ANY, type DataType, type DataValue, INT, STRING } from './data-type.ts'
import { createCompiler, type Expression, isProblem, type Values } from './expression.ts'
import { type KeptLoop, runLoop } from './kept-loops.ts'

const ROW: DataType = {
  kind: 'record',
  fields: { id: INT, a: INT, tag: STRING, tags: { kind: 'list', items: STRING }, any: ANY },
}
const SCOPE = {
  rows: { kind: 'list', items: ROW },
  least: INT,
  tag: STRING,
  texts: { kind: 'list', items: STRING },
} as const

/** Some have errors for some items, or for all of them, and some have loops in loops. */
const TEXTS = [
  'rows.filter(r, r.a > least)',
  'rows.filter(r, r.tag == tag).map(r, r.id)',
  'rows.map(r, r.a * 2)',
  'rows.map(r, r.a > least, r.tag)',
  'rows.map(r, {"id": r.id, "more": r.a + least})',
  'rows.exists(r, r.a == 7)',
  'rows.all(r, r.a < 9)',
  'rows.exists_one(r, r.a == 3)',
  'rows.exists(r, 10 / r.a == least)',
  'rows.all(r, 10 / r.a < 100 || r.tag == tag)',
  'rows.map(r, 10 / r.a)',
  'rows.filter(r, r.tags.exists(t, t == tag))',
  'sum(rows.map(r, size(rows.filter(other, other.a == r.a))))',
  'rows.filter(r, r.any == null || r.any == least)',
  'size(rows.filter(r, r.tag.matches("^[ab]")))',
  'texts.filter(text, text != tag).join(",")',
  'rows.map(r, r.a * 4503599627370496)',
]

const compiled = (texts = TEXTS): readonly Expression[] => {
  const compiler = createCompiler(SCOPE)
  return texts
    .map((text) => compiler.compile(text))
    .map((each) => {
      if (isProblem(each)) throw new Error(each.message)
      return each
    })
}

/** The value of an expression, or its error, and the steps that it took. */
function outcome(expression: Expression, values: Values): unknown {
  return withinBudget(() => {
    try {
      const { value, steps } = computeKept(() => expression.evaluate(values).value)
      return { value, steps }
    } catch (error) {
      return String(error)
    }
  })
}

type Row = Readonly<Record<string, DataValue>>
interface Data {
  readonly rows: readonly Row[]
  readonly texts: readonly string[]
  readonly least: number
  readonly tag: string
}
type Edit = (data: Data) => Data

const row = fc.record({
  id: fc.nat(99),
  a: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 9 }) }, { weight: 1, arbitrary: fc.constant(0) }),
  tag: fc.constantFrom('a', 'b', 'c'),
  tags: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
  any: fc.constantFrom(null, 1, 'x'),
})
const withRows =
  (change: (rows: readonly Row[]) => readonly Row[]): Edit =>
  (data) => ({ ...data, rows: change(data.rows) })
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc
    .tuple(fc.nat(29), row)
    .map(([at, each]) => withRows((rows) => rows.map((old, index) => (index === at ? each : old)))),
  fc.tuple(fc.nat(29), row).map(([at, each]) => withRows((rows) => rows.toSpliced(at, 0, each))),
  fc.nat(29).map((at) => withRows((rows) => rows.toSpliced(at, 1))),
  fc.nat(29).map((at) => withRows((rows) => [...rows.slice(at), ...rows.slice(0, at)])),
  fc.nat(9).map(
    (least): Edit =>
      (data) => ({ ...data, least }),
  ),
  fc.constantFrom('a', 'b').map(
    (tag): Edit =>
      (data) => ({ ...data, tag }),
  ),
  fc.tuple(fc.nat(19), fc.constantFrom('a', 'z')).map(
    ([at, text]): Edit =>
      (data) => ({
        ...data,
        texts: data.texts.with(at, text),
      }),
  ),
)

const ROWS = Array.from({ length: 20 }, (_, id) => ({ id, a: id % 9, tag: 'a', tags: [], any: null }))
const VALUES = { rows: ROWS, least: 3, tag: 'a', texts: [] }

describe('loops that keep what they found', () => {
  it('[CEL33] have the value, the error and the steps of loops over all items, after any changes', () => {
    const kept = compiled()
    fc.assert(
      fc.property(fc.array(row, { minLength: 20, maxLength: 30 }), fc.array(edit, { maxLength: 12 }), (rows, edits) => {
        let data: Data = { rows, texts: Array.from({ length: 20 }, (_, at) => String(at)), least: 3, tag: 'a' }
        for (const change of [(same: Data) => same, ...edits]) {
          data = change(data)
          const values = data as unknown as Values
          const fresh = compiled()
          expect(kept.map((each) => outcome(each, values))).toEqual(fresh.map((each) => outcome(each, values)))
        }
      }),
      { numRuns: 6, seed: 1 },
    )
  })

  it('[CEL34] end at the same bound as loops over all items', () => {
    const values = { ...VALUES, rows: Array.from({ length: 20_000 }, (_, id) => ({ ...ROWS[0]!, id })) }
    const untilError = (next: () => Expression) => {
      let evaluations = 0
      const run = () => {
        for (; ; evaluations++) next().evaluate(values)
      }
      expect(() => withinBudget(run)).toThrow(/take(s)? more than/)
      return evaluations
    }
    const [kept] = compiled()
    expect(untilError(() => kept!)).toBe(untilError(() => compiled(TEXTS.slice(0, 1))[0]!))
  })

  it('[CEL35] have the same list while its items stay', () => {
    const [kept] = compiled()
    const before = kept!.evaluate(VALUES).value
    const { value } = kept!.evaluate({ ...VALUES, rows: ROWS.with(0, { ...ROWS[0]!, a: 1 }) })
    expect(value).toBe(before)
  })

  it('[CEL33] look again only at items that changed', () => {
    const [node, list] = ['loop', 'list'] as unknown as readonly [ASTNode, ASTNode]
    const loop: KeptLoop = { macro: 'filter', node, list, source: { given: undefined }, names: ['least'], runs: [] }
    const looked: unknown[] = []
    const run = (items: readonly string[], least: number) => {
      const evaluator = {
        run: (each: ASTNode) => {
          if (each === list) return items
          looked.push(...loop.source.given!)
          return loop.source.given!.filter((item) => item !== 'no')
        },
      }
      looked.length = 0
      const runtime = { budget: openBudget().budget, random: undefined, values: { least } }
      return [runLoop(loop, evaluator, undefined, runtime), [...looked]]
    }
    const items = Array.from({ length: 20 }, (_, at) => `item ${at}`)
    const changed = items.with(3, 'no')
    const inserted = changed.toSpliced(10, 0, 'new', 'no')
    expect([run(items, 1), run(changed, 1), run(inserted, 1), run(inserted, 2), run(items, 1)]).toEqual([
      [items, items],
      [items.toSpliced(3, 1), ['no']],
      [items.toSpliced(10, 0, 'new').toSpliced(3, 1), ['new', 'no']],
      [items.toSpliced(10, 0, 'new').toSpliced(3, 1), inserted],
      [items, items.slice(3, 10)],
    ])
  })
})
