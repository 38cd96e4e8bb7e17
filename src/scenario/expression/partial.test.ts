import { describe, expect, it } from 'vitest'
import { type DataValue, mapFields, typeOf } from './data-type.ts'
import { createCompiler, isProblem } from './expression.ts'
import { evaluatePartially } from './partial.ts'

const KNOWN: Readonly<Record<string, DataValue>> = {
  person: { name: 'Ada "A" Lovelace', age: 36, pets: ['x', 'y'] },
  price: 2.5,
  whole: -3,
}
const LIVE = ['count', 'orders', 'row']

function partial(text: string): string {
  const compiler = createCompiler(mapFields(KNOWN, typeOf))
  const constants: DataValue[] = []
  const result = evaluatePartially(text, {
    isKnown: (name) => Object.hasOwn(KNOWN, name),
    isLive: (name) => LIVE.includes(name),
    expressionOf: (name) => (name === 'label' ? 'orders[0].name' : undefined),
    nameFor: (value) => `constant_${constants.push(value)}`,
    evaluate(part) {
      const expression = compiler.compile(part)
      if (isProblem(expression)) return { message: expression.message }
      return { value: expression.evaluate(KNOWN).value, isDecimal: expression.type.kind === 'double' }
    },
  })
  return 'known' in result ? 'known' : 'text' in result ? result.text : `problem: ${result.message}`
}

describe('partial evaluation', () => {
  it.each([
    ['person.name + "!"', 'known'],
    ['1 +', 'known'],
    ['count + 1', 'count + 1'],
    ['value("search") == person.name', 'value("search") == "Ada \\"A\\" Lovelace"'],
    ['count > person.age * 2', 'count > 72'],
    ['((person.age + 1)) * count', '((37)) * count'],
    ['count + (person.age + (whole)) * 2', 'count + 66'],
    ['(person).age == count', '36 == count'],
    ['price * 2.0 + double(count)', '5.0 + double(count)'],
    ['count - whole', 'count - (-3)'],
    ['orders.filter(o, o.age > person.age)', 'orders.filter(o, o.age > 36)'],
    ['orders.filter(person, person.age > 1)', 'orders.filter(person, person.age > 1)'],
    ['person.pets.map(p, p + "!") == orders', 'constant_1 == orders'],
    ['[person.name, "(", count]', '["Ada \\"A\\" Lovelace", "(", count]'],
    ['label + "x" + string(count)', '(orders[0].name) + "x" + string(count)'],
    ['pick([person.age, 1]) + count', 'pick(constant_1) + count'],
    ['has(row.x) && person.age > 1', 'has(row.x) && true'],
    ['count + person.nmae', 'problem: unknown field "nmae"; did you mean "name"?'],
  ])('[CEL36] %s becomes %s', (text, expected) => {
    expect(partial(text)).toBe(expected)
  })
})
