import type { FuzzRandom } from './fuzz-random.ts'

/** Numbers that are valid in JSON but difficult for programs. */
const NUMBERS = [0, -0, -1, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53, -(2 ** 63), 0.1, 1e21]
const TEXTS = [
  '',
  ' ',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '\ud800',
  'a\udfffb',
  '\u0000',
  '\u202e\u200b\ufeff',
  'é́́'.repeat(500),
  '👩‍👩‍👧‍👦'.repeat(200),
  '../../../../etc/passwd',
  '%00',
  '{{message}}{{results.a.b}}',
  '(?:.{0,1000}x)'.repeat(50),
  '$(touch /nowhere)',
  'Button[name="',
  'Window/'.repeat(500),
  'x'.repeat(100_000),
  '1e999',
  'NaN',
]
const KEYS = ['__proto__', 'constructor', 'prototype', 'toString', '', '\ud800', 'id', 'type', '0', 'x'.repeat(5000)]

/** A value that is likely to be invalid anywhere. */
export function nastyValue(chance: FuzzRandom): unknown {
  switch (chance.int(0, 7)) {
    case 0:
      return chance.pick(NUMBERS)
    case 1:
    case 2:
      return chance.pick(TEXTS)
    case 3:
      return chance.pick([null, true, false, [], {}, [[]], [null], { '': null }])
    case 4:
      return nested(chance.pick([10, 63, 64, 65, 500, 1000]), chance.happens(0.5))
    case 5:
      return Array.from({ length: chance.pick([1, 100, 1025, 20_000]) }, () => chance.pick([0, '', null]))
    case 6:
      return Object.fromEntries(KEYS.map((key) => [key, chance.pick(TEXTS)]))
    default:
      return chance.int(-5, 5)
  }
}

export const nastyText = (chance: FuzzRandom): string => chance.pick(TEXTS)

function nested(levels: number, lists: boolean): unknown {
  let value: unknown = 0
  for (let level = 0; level < levels; level++) value = lists ? [value] : { a: value }
  return value
}

/** The value with one part replaced or removed, or with an unknown part added. */
export function mutateValue(value: unknown, chance: FuzzRandom): unknown {
  if (typeof value !== 'object' || value === null || chance.happens(0.15)) return nastyValue(chance)
  if (Array.isArray(value)) {
    if (value.length === 0) return [nastyValue(chance)]
    const place = chance.int(0, value.length - 1)
    return value.map((item, index) => (index === place ? mutateValue(item, chance) : item))
  }
  const fields = Object.entries(value)
  const kind = chance.int(0, 9)
  if (kind === 0 || fields.length === 0) return withField(fields, chance.pick(KEYS), nastyValue(chance))
  const [name, old] = chance.pick(fields)
  if (kind === 1) return Object.fromEntries(fields.filter(([key]) => key !== name))
  return withField(fields, name, kind < 6 ? nastyValue(chance) : mutateValue(old, chance))
}

/** Sets a field as `JSON.parse` does: `__proto__` is an ordinary field. */
function withField(fields: readonly (readonly [string, unknown])[], name: string, value: unknown): unknown {
  const made = Object.fromEntries(fields)
  Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true })
  return made
}

/** A text that is not JSON, or is almost JSON. */
export function garbage(chance: FuzzRandom): string {
  switch (chance.int(0, 5)) {
    case 0:
      return '['.repeat(chance.pick([10, 1000, 200_000]))
    case 1:
      return `{"type":"chat","a":${'9'.repeat(chance.pick([10, 400, 50_000]))}}`
    case 2:
      return chance.pick(['{', '"', '{"a":1e999}', 'undefined', '\ufeff{}', '{"a":1,"a":2}', 'null', '""', '0', '{}{}'])
    case 3:
      return chance.pick(TEXTS)
    case 4:
      return `{${Array.from({ length: chance.pick([3, 1000, 30_000]) }, (_, at) => `"k${at}":${at}`).join()}}`
    default:
      return Array.from({ length: chance.int(0, 40) }, () => String.fromCharCode(chance.int(0, 0xffff))).join('')
  }
}
