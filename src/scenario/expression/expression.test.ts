import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Fault } from '../../base/fault.ts'
import { seededRandom } from '../../base/random.ts'
import { ANY, BOOL, type DataValue, DOUBLE, INT, mapFields, STRING, TIMESTAMP, typeOf } from './data-type.ts'
import { isExpressionName } from './environment.ts'
import { createCompiler, type Expression, isProblem } from './expression.ts'
import { FUNCTIONS, REPLACEMENTS, SCREEN_FUNCTIONS, type ScreenReader } from './functions.ts'

const DATA: Readonly<Record<string, DataValue>> = {
  orders: [
    { id: 1, total: 4.5, customer: { name: 'Ada' } },
    { id: 2, total: 10, customer: { name: 'Bob' } },
  ],
  count: 3,
  name: 'Ada',
  tags: ['x', 'y'],
  missing: null,
}
const NOW = new Date(Date.UTC(2026, 0, 31, 12, 5, 9))
const compiler = createCompiler({ ...mapFields(DATA, typeOf), now: TIMESTAMP })

function compiled(text: string): Expression {
  const expression = compiler.compile(text)
  if (isProblem(expression)) throw new Error(`${text}: ${expression.message}`)
  return expression
}
const run = (text: string, seed?: number) =>
  compiled(text).evaluate({ ...DATA, now: NOW }, seed === undefined ? undefined : seededRandom(seed)).value

function problem(text: string): string {
  const expression = compiler.compile(text)
  return isProblem(expression) ? `${expression.start}-${expression.end} ${expression.message}` : 'none'
}

function fault(text: string): string {
  try {
    run(text, 1)
  } catch (error) {
    if (error instanceof Fault) return `${error.code}: ${error.message}`
    throw error
  }
  return 'none'
}

describe('types', () => {
  it('[CEL1] infers the type of each kind of value', () => {
    expect(mapFields({ a: 1, b: 1.5, c: 'x', d: true, e: null, f: [1], g: [] }, typeOf)).toEqual({
      a: INT,
      b: DOUBLE,
      c: STRING,
      d: BOOL,
      e: ANY,
      f: { kind: 'list', items: INT },
      g: { kind: 'list', items: ANY },
    })
  })

  it('[CEL2] gives records of a list one type, in which a missing field is null', () => {
    const rows = [{ id: 1 }, { id: 2, note: 'late' }]
    const both = createCompiler({ rows: typeOf(rows) }).compile('rows.map(row, row.note)')
    expect(isProblem(both) ? both : both.evaluate({ rows }).value).toEqual([null, 'late'])
  })

  it('[CEL3] makes a field of integers and decimal numbers a decimal number', () => {
    expect(run('sum(orders.map(order, order.total))')).toBe(14.5)
    expect(compiled('orders[1].total').type).toEqual(DOUBLE)
    expect(typeOf([1, 'one'])).toEqual({ kind: 'list', items: ANY })
  })

  it.each([
    ['ordes', '0-5 unknown name "ordes"; did you mean "orders"?'],
    ['q', '0-1 unknown name "q"; the names here are orders, count, name, tags, missing, now'],
    ['orders.map(o, o.totl)', '16-20 unknown field "totl"; did you mean "total"?'],
    ['rond(2.0)', '0-9 unknown function "rond"; did you mean "round"?'],
    ['orders.mapp(o, o.id)', '0-20 unknown function "mapp"; did you mean "map"?'],
  ])('[CEL4] reports what %s does not know', (text, message) => {
    expect(problem(text)).toBe(message)
  })

  it.each([
    ['count + name', '0-12 + joins two texts; write string(…) around the int'],
    ['round("a")', '0-10 no function takes these arguments: round(string)'],
    ['1 +', '3-3 unexpected token: EOF'],
    ['count ? 1 : 2', expect.stringContaining('bool')],
  ])('[CEL5] reports that the types of %s do not fit', (text, message) => {
    expect(problem(text)).toEqual(message)
  })

  it.each(['duration("1h")', 'type(1)', 'b"x"'])('[CEL7] reports that %s is not a value', (text) => {
    expect(problem(text)).toContain('which is not a value')
  })

  it('[CEL6] reports a text in happened of what cannot happen, at its position', () => {
    const messageOf = (text: string, happenings?: readonly string[]) => {
      const compiled = createCompiler({}, happenings).compile(text)
      return isProblem(compiled) ? [compiled.message, text.slice(compiled.start, compiled.end)] : []
    }
    const known = ['saved', 'sent']
    expect(messageOf('happened("saved") > 0', known)).toEqual([])
    expect(messageOf('1 > 0 || happened("savd") > 0', known)).toEqual([
      'there is no event, reaction or timer "savd"; did you mean "saved"?',
      '"savd"',
    ])
    expect(messageOf('happened("x") > 0', known)).toEqual([
      'there is no event, reaction or timer "x"; there are saved, sent',
      '"x"',
    ])
    expect(messageOf('happened("x") > 0')).toEqual([])
  })

  it('[CEL9] compares integers with decimal numbers', () => {
    expect([run('count == 3.0'), run('orders[1].total == 10'), run('3 != orders[0].total')]).toEqual([true, true, true])
  })

  it('[CEL30] leaves words and types of CEL to the language', () => {
    const names = ['in', 'list', 'int', 'null', 'a-b', '__proto__', 'size', 'order', 'constructor']
    expect(names.filter(isExpressionName)).toEqual(['size', 'order', 'constructor'])
    const both = createCompiler({ list: typeOf([1]), order: typeOf(2) }).compile('order + 1')
    expect(isProblem(both)).toBe(false)
  })

  it('[CEL8] mixes integers and decimal numbers', () => {
    expect([run('count * 1.5'), run('1.5 + count'), run('count / 2'), run('count / 2.0')]).toEqual([4.5, 4.5, 1, 1.5])
    expect(compiled('count * 1.5 + count').type).toEqual(DOUBLE)
  })

  it('[CEL10] refuses integers that a number cannot hold', () => {
    expect(fault('9007199254740993 + 0')).toBe(
      'BadRequest: 9007199254740993 is out of range; integers have at most 15 digits',
    )
  })

  it('[CEL11] keeps the identity of selected data', () => {
    expect(run('orders.filter(order, order.id == 2)[0]')).toBe((DATA.orders as readonly DataValue[])[1])
    expect(run('tags')).toBe(DATA.tags)
  })

  it('[CEL11] reads only the names that it mentions', () => {
    expect([...compiled('orders.map(name, count)').names].sort()).toEqual(['count', 'name', 'orders'])
  })
})

describe('functions', () => {
  const examples: Readonly<Record<string, DataValue>> = {
    'abs(-3)': 3,
    'round(2.5)': 3,
    'round(2.345, 2)': 2.35,
    'floor(2.7)': 2,
    'ceil(2.1)': 3,
    'min(2, 3)': 2,
    'max(2, 3)': 3,
    'sum([1, 2])': 3,
    'sum([0.5, 2.0])': 2.5,
    'decimals(5, 2)': '5.00',
    'decimals(1234.5, 2)': '1,234.50',
    '"Ada".lower()': 'ada',
    '"Ada".upper()': 'ADA',
    '"a-b".replace("-", "+")': 'a+b',
    '"7".padStart(3, "0")': '007',
    '"7".padEnd(3, ".")': '7..',
    '"A12".matches("[0-9]+")': true,
    '["a", "b"].join()': 'ab',
    '["a", "b"].join(", ")': 'a, b',
    'take([3, 1, 2], 2)': [3, 1],
    'take(["a"], -1) + take(["b"], 9)': ['b'],
    'range(3)': [0, 1, 2],
    'range(-1)': [],
    'range(size(orders)).map(n, orders[n].id)': [1, 2],
    'next_id([3, 7, 5])': 8,
    'next_id([])': 1,
    'next_id([{"id": 4}, {"id": "x"}, {"name": "y"}])': 5,
    'next_id(orders)': 3,
    'take(orders, 1)[0].id + 1': 2,
    'date("2026-01-31").daysUntil(date("2026-03-01"))': 29,
    'date("2026-01-31").format("d MMM yyyy")': '31 Jan 2026',
    'date("2026-01-31").plusDays(1).format("EEEE d.M.yyyy HH:mm")': 'Sunday 1.2.2026 00:00',
    'pick(["red", "blue"])': 'blue',
    'between(1, 6)': 6,
    'chance(0.5)': false,
    'shuffle([1, 2, 3, 4])': [2, 1, 3, 4],
  }

  it.each(Object.entries(examples))('[CEL12] computes %s', (text, value) => {
    expect(run(text, 7)).toEqual(value)
  })

  it.each([...FUNCTIONS, ...Object.values(REPLACEMENTS).flat()])(
    '[CEL12] has a working example for $signature',
    ({ example }) => {
      expect(fault(example)).toBe('none')
    },
  )

  it('[CEL38] reads the screen where one is passed in', () => {
    const screen: ScreenReader = {
      value: () => '',
      name: () => '',
      selected: () => true,
      cell: () => ({ name: 'B3', text: '2.5', content: '=5/2' }),
      selectedKeys: () => ['1', '3'],
      selectedNumbers: () => [2.5, 4],
      selectedCells: () => ['1.a', '2.a'],
      caret: () => ({ at: 3, selected: 'ab' }),
      sheetCell: () => ({ value: 2.5, content: '=5/2' }),
      exists: () => true,
      count: () => 1,
      happened: () => 2,
      canUndo: () => true,
      canRedo: () => false,
    }
    for (const { example } of SCREEN_FUNCTIONS) {
      expect(() => compiled(example).evaluate({}, undefined, screen)).not.toThrow()
      expect(fault(example)).toMatch(/^BadRequest: \w+\(…\) reads the screen/)
    }
  })

  it('[CEL37] reads the name and the text of the current cell', () => {
    const cell = (id: string) => (id === 'sheet' ? { name: 'B3', text: '2.5' } : { name: '', text: '' })
    const screen = { cell } as unknown as ScreenReader
    const read = (text: string) => compiled(text).evaluate({}, undefined, screen)
    const texts = ['cell_name("sheet")', 'cell_text("sheet")', 'cell_name("other")']
    expect(texts.map((text) => read(text))).toEqual(
      ['B3', '2.5', ''].map((value) => expect.objectContaining({ value })),
    )
  })

  it('[CEL15] fills fields of records into texts', () => {
    const record = '{"name": "Ada", "n": 2, "tags": ["a", "b"], "braces": "{name}"}'
    expect(run(`"{name} {n} {tags} {braces} {other} {constructor} { name } {}".fill(${record})`)).toBe(
      'Ada 2 a, b {name} {other} {constructor} { name } {}',
    )
    expect(run('"{id}: {total}".fill(orders[0])')).toBe(run('text(orders[0].id) + ": " + text(orders[0].total)'))
    expect(fault(`"${'{t}'.repeat(300)}".fill({"t": text(range(1000))})`)).toBe(
      'BadRequest: the expression makes a text of 200408 characters; at most 200000 are allowed',
    )
  })

  it('[CEL14] gives the places of lists', () => {
    expect(compiled('range(2).map(n, tags[n])').type).toEqual({ kind: 'list', items: STRING })
    expect(fault('range(200000)')).toBe(
      'BadRequest: the expression makes a list of 100001 items; at most 100000 are allowed',
    )
  })

  it('[CEL13] keeps the type of a list of which it takes items', () => {
    expect(compiled('take(tags, 1)').type).toEqual({ kind: 'list', items: STRING })
    expect(problem('take(orders, 1)[0].totl')).toContain('unknown field "totl"')
    expect([run('next_id(tags)'), run('next_id([])')]).toEqual([1, 1])
  })

  it('[CEL15a] finds the places of a pattern within lines, and tells patterns from other texts', () => {
    expect(run('places("ab 12\\nx 345", "[0-9]+$", 9)')).toEqual([
      [3, 5],
      [8, 11],
    ])
    expect(run('places("aaa", "a", 2)')).toEqual([
      [0, 1],
      [1, 2],
    ])
    expect(run('places("a.b", "(?i)\\\\QA.\\\\E", 9)')).toEqual([[0, 2]])
    expect(run('places("one\\ntwo", "x*", 9)')).toEqual([])
    expect(run('[is_pattern("a|b"), is_pattern("(a")]')).toEqual([true, false])
  })

  it('[CEL29] ends a search for places that is too much work', () => {
    expect(fault('places("a".padEnd(9000, "a"), "(a?b?c?d?e?f?g?h?i?j?){9}", 9000)')).toContain('too much work')
  })

  it('[CEL16] rounds decimal numbers as they are written', () => {
    expect([run('round(1.005, 2)'), run('round(-2.345, 2)'), run('decimals(-0.001, 2)')]).toEqual([1.01, -2.35, '0.00'])
  })

  it('[CEL17] computes dates in UTC', () => {
    expect(run('now.format("yyyy-MM-dd HH:mm:ss EEE MMMM")')).toBe('2026-01-31 12:05:09 Sat January')
    expect([run('now.getHours()'), run('now.getDate()')]).toEqual([12, 31])
  })

  it.each(['date("2026-02-30")', 'date("soon")', 'now.format("q")', 'round(1.5, 99)', 'between(2, 1)', 'pick([])'])(
    '[CEL32] refuses %s',
    (text) => {
      expect(fault(text)).toMatch(/^BadRequest: /)
    },
  )

  it('[CEL18] draws from the generator that is passed in, and returns the next', () => {
    const dice = compiled('between(1, 1000000)')
    const first = dice.evaluate({}, seededRandom(1))
    expect(dice.evaluate({}, seededRandom(1))).toEqual(first)
    expect(dice.evaluate({}, first.random).value).not.toBe(first.value)
  })

  it('[CEL19] refuses seeded functions where no generator is passed in', () => {
    expect(() => run('pick(tags)')).toThrow('random choices are not allowed here')
  })
})

describe('bounds', () => {
  it('[CEL26] refuses texts that are too long, too large or too deep', () => {
    expect(problem(`"${'x'.repeat(2000)}"`)).toContain('at most 2000 are allowed')
    expect(problem(Array.from({ length: 600 }, () => 1).join('+'))).toContain('maxAstNodes')
    expect(problem(`${'('.repeat(50)}1${')'.repeat(50)}`)).toContain('maxDepth')
  })

  const long = '"x".padEnd(10000, "x").split("")'
  it.each([
    `${long}.map(a, ${long}.map(b, ${long}.size()))`,
    `${long}.filter(a, ${long} == ${long})`,
    `${long}.all(a, !("z" in ${long}))`,
  ])('[CEL27] stops after 1,000,000 steps: %s', (text) => {
    expect(fault(text)).toBe('BadRequest: the expression takes more than 1000000 steps')
  })

  it.each([
    `["0123456789"]${'.map(a, a + a)'.repeat(20)}`,
    '"x".padEnd(10000, "x").replace("x", "x".padEnd(10000, "x"))',
    `${long}.join("x".padEnd(10000, "x"))`,
  ])('[CEL28] refuses values that are too large: %s', (text) => {
    expect(fault(text)).toMatch(/BadRequest: the expression makes a text of \d+ characters; at most 200000 are allowed/)
  })

  it('[CEL29] matches patterns with RE2', () => {
    expect([run('name.matches("^A")'), run('(name).matches("z")')]).toEqual([true, false])
    expect(fault('name.matches("(?=a)")')).toContain('not valid RE2')
    expect(fault(`"x".padEnd(10000, "x").matches("${'(x+)*'.repeat(200)}y")`)).toContain('BadRequest')
  })

  it.each(['orders[0].constructor', 'name.constructor', 'orders.__proto__', '{"a": 1}.toString'])(
    '[CEL31] does not reach %s',
    (text) => {
      expect(problem(text) === 'none' ? fault(text) : problem(text)).not.toBe('none')
    },
  )

  it.each([
    ['1 / 0', 'BadRequest: the expression "1 / 0" has no value: division by zero'],
    ['orders[5].id', expect.stringContaining('index 5')],
    ['int("x")', expect.stringContaining('has no value')],
  ])('[CEL32] names the expression that has no value: %s', (text, message) => {
    expect(fault(text)).toEqual(message)
  })

  it('[CEL32] ends with a value, a problem or a fault for any text', () => {
    const token = fc.constantFrom(
      ...'orders count name tags now missing ( ) [ ] { } . , + - * / % == != < && || ! ? : in 1 2.5 "a" map filter all o size'.split(
        ' ',
      ),
    )
    fc.assert(
      fc.property(fc.array(token, { maxLength: 20 }), (tokens) => {
        const expression = compiler.compile(tokens.join(' '))
        if (isProblem(expression)) return expression.message.length > 0 && !expression.message.includes('\n')
        return fault(tokens.join(' ')).length > 0
      }),
      { numRuns: 500, seed: 1 },
    )
  })
})
