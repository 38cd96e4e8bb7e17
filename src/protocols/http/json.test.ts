import { describe, expect, it } from 'vitest'
import { checkJsonSize, parseJson, tryParseJson } from './json.ts'

// Rules such as [PRO12] are stated in SPEC.md beside this file.

const long = (text: string) => text.padEnd(70_000)
const keysOf = (count: number, name: (index: number) => string) =>
  `{${Array.from({ length: count }, (_, index) => `${JSON.stringify(name(index))}:0`).join()}}`

describe('[PRO12] the check of JSON before it is parsed', () => {
  it.each([
    ['lists', `[${'[],'.repeat(100_001)}0]`],
    ['numbers', `[${'1,'.repeat(100_001)}0]`],
    ['open lists', '['.repeat(100_001)],
    ['objects', `[${'{"a":1},'.repeat(60_000)}0]`],
    ['spread over texts', `[${'"\\"[,",'.repeat(100_001)}0]`],
  ])('refuses too many values: %s', (_name, text) => {
    expect(() => parseJson(text)).toThrow('the JSON has more than 100000 values')
    expect(() => tryParseJson(text)).toThrow('the JSON has more than 100000 values')
  })

  it.each([
    ['short', (index: number) => `k${index}`],
    ['numbers', (index: number) => `${index}`],
    ['long with one beginning', (index: number) => `${'k'.repeat(100)}${index}`],
    ['with quotes', (index: number) => `"${index}\\`],
  ])('refuses too many different keys: %s', (_name, name) => {
    expect(() => parseJson(keysOf(20_001, name))).toThrow('the JSON has more than 20000 different keys')
    expect(Object.keys(parseJson(keysOf(20_000, name)) as object)).toHaveLength(20_000)
  })

  it('counts no characters inside strings, regardless of escapes', () => {
    const inside = `${'[{,:'.repeat(50_000)}\\"${'\\\\'.repeat(50_000)}\\\\\\"${',,'.repeat(100_000)}`
    for (const text of [`"${inside}"`, `{"a":"${inside}","b":["${inside}",1]}`, `["${'\\"'.repeat(200_000)}"]`]) {
      expect(() => checkJsonSize(text)).not.toThrow()
      expect(parseJson(text)).toEqual(JSON.parse(text))
    }
  })

  it('allows repeated keys and texts of any length', () => {
    const rows = JSON.stringify(Array.from({ length: 30_000 }, () => ({ name: 'a', width: 1 })))
    expect(parseJson(rows)).toHaveLength(30_000)
    expect(tryParseJson(JSON.stringify('x'.repeat(1_000_000)))).toHaveLength(1_000_000)
  })

  it('leaves invalid JSON to the parser', () => {
    for (const text of [long('{'), long('["\\'), long('"'), long('nothing')]) {
      expect(tryParseJson(text)).toBeUndefined()
      expect(() => parseJson(text)).toThrow(SyntaxError)
    }
  })
})
