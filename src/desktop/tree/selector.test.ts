import {
  array,
  assert,
  boolean,
  constantFrom,
  integer,
  oneof,
  option,
  property,
  record,
  string,
  stringMatching,
  tuple,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Fault } from '../../base/fault.ts'
import { type AttributeTest, formatSelector, parseSelector, type Selector, type SelectorStep } from './selector.ts'

// Rules such as [DT18] are stated in SPEC.md beside this file.

const canonical = (text: string): string => formatSelector(parseSelector(text))

function complaint(text: string): string {
  try {
    parseSelector(text)
  } catch (error) {
    if (error instanceof Fault && error.code === 'BadRequest') return error.message
    throw error
  }
  throw new Error(`${text} is read without a complaint`)
}

describe('reading', () => {
  it.each([
    ['Window/Pane/Button[name="OK"]', 'Window/Pane/Button[name="OK"]'],
    ['Window > Pane Button[name~="Save.*"]', 'Window/Pane//Button[name~="Save.*"]'],
    ['Window//Button', 'Window//Button'],
    ['//Button', '//Button'],
    ['/Window / Button/', 'Window/Button'],
    ['> Window > > Button >', 'Window/Button'],
    ['Pane[name="L"] Button[name="OK"]', 'Pane[name="L"]//Button[name="OK"]'],
    ['Pane "Left" Button "OK"', 'Pane[name="Left"]//Button[name="OK"]'],
    ['Window/Pane Button:nth-of-type(2)', 'Window/Pane//Button[index=1]'],
    ['Window > Button[name="a/b > c"]', 'Window/Button[name="a/b > c"]'],
    ['push_button', 'push_button'],
    ['.Button', 'Button'],
    ['*', '*'],
  ])('[DT17] reads both spellings and mixtures: %s', (text, expected) => {
    expect(canonical(text)).toBe(expected)
    expect(parseSelector(canonical(text))).toEqual(parseSelector(text))
  })

  it.each([
    ['Button "OK"', 'Button[name="OK"]'],
    ['Button"OK" \'Cancel\'', 'Button[name="OK"][name="Cancel"]'],
    ['"OK"', '*[name="OK"]'],
    ['Window > "OK"', 'Window/*[name="OK"]'],
    [':has-text("Sa")', '*[name*="Sa"]'],
    ["Button:text( 'Sa' )", 'Button[name*="Sa"]'],
    ['Window :text("Sa")', 'Window//*[name*="Sa"]'],
    ['Button [ name = "OK" ] [enabled = TRUE]', 'Button[name="OK"][enabled=true]'],
    ['Button[text()="a"][aria-label="b"][label="c"][@name="d"]', 'Button[name="a"][name="b"][name="c"][name="d"]'],
    ['Edit[value=5][name*=true]', 'Edit[value="5"][name*="true"]'],
    ['Button[enabled="false"][focused=true]', 'Button[enabled=false][focused=true]'],
    ['*[selected=true][expanded=false][value_now=0.5]', '*[selected=true][expanded=false][value_now=0.5]'],
    ['Button[index="2"]', 'Button[index=2]'],
  ])('[DT18] reads tests in all their forms: %s', (text, expected) => {
    expect(canonical(text)).toBe(expected)
  })

  it.each([
    [String.raw`Button[name="say \"hi\""]`, 'say "hi"'],
    [String.raw`Button[name='it\'s']`, "it's"],
    [String.raw`Button[name="C:\\"]`, 'C:\\'],
    [String.raw`Button[name='C:\\']`, 'C:\\\\'],
    [String.raw`Button[name="\d+"]`, String.raw`\d+`],
    [String.raw`Button[name=\"OK\"]`, 'OK'],
    [String.raw`Button[name=\"say \\\"hi\\\"\"]`, 'say "hi"'],
  ])('[DT19] understands escaped quotes: %s', (text, name) => {
    expect(parseSelector(text).steps[0]?.tests).toEqual([{ key: 'name', op: '=', value: name }])
  })
})

describe('complaints', () => {
  it.each([
    ['', 'selector, column 1: expected a role or a test, such as Button[name="OK"]; found the end'],
    ['Button[name=]', 'selector, column 13: expected a value in quotes; found "]"'],
    ['Button[name=OK]', 'selector, column 13: expected a value in quotes; found "OK]"'],
    [
      'Button[enabled]',
      `selector, column 15: expected ${'= (equal), *= (contains) or ~= (pattern for the whole text)'}; found "]"`,
    ],
    ['Button[name="OK"', 'selector, column 17: expected ]; found the end'],
    [
      'Button[name="OK]',
      String.raw`selector, column 13: expected a closing " ; a " inside is written \"; found "\"OK]"`,
    ],
    [
      'Button[name^="S"]',
      'selector, column 12: expected ~="Save.*" for "begins with"; there is no ^=; found "^=\\"S\\"]"',
    ],
    [
      'Button:not(x)',
      'selector, column 7: expected one of :has-text("…"), :text("…"), :nth-of-type(N); found ":not(x)"',
    ],
    ['Button:nth-of-type(0)', 'selector, column 20: expected a number from 1; found "0)"'],
    [
      'Button[2]',
      'selector, column 8: expected a key; for a position write [index=N] (from 0) or :nth-of-type(N); found "2]"',
    ],
    [
      'Button[enabled="maybe"]',
      'selector, column 16: expected true or false; enabled knows no other value; found "\\"maybe\\"]"',
    ],
    ['Button[index=-1]', 'selector, column 14: expected a whole number from 0; found "-1]"'],
    ['Button[index~="1"]', 'selector, column 13: expected = ; index is not a text; found "~=\\"1\\"]"'],
    ['"OK"Button', 'selector, column 5: expected [, a quoted name, a blank, / // or >; found "Button"'],
    ['Button, Edit', 'selector, column 7: expected [, a quoted name, a blank, / // or >; found ", Edit"'],
  ])('[DT20] names the column and what would be right: %s', (text, expected) => {
    expect(complaint(text)).toBe(expected)
  })

  it('[DT20] names every key when one is unknown', () => {
    expect(complaint('Button[colour="red"]')).toBe(
      'selector, column 8: expected a key: one of name, value, role, id, identifier, description, keyboard_shortcut, ' +
        'enabled, focused, selected, expanded, index, value_now, value_min, value_max, text, text(), label, aria-label; ' +
        'found "colour=\\"red\\"]"',
    )
    expect(complaint('Button[constructor="x"]')).toContain('expected a key')
  })

  it('[DT21] refuses a pattern that RE2 does not know', () => {
    expect(complaint('Button[name~="("]')).toMatch(/^selector, column 14: expected a pattern that can be used; /)
  })

  it('[DT22] rejects selectors that are too long', () => {
    expect(complaint('a'.repeat(10_001))).toBe('the selector has 10001 characters; at most 10000 are allowed')
    expect(complaint('a '.repeat(501))).toContain('at most 500 steps')
  })

  it('[DT20] answers any text with a selector or a complaint', () => {
    const pieces = constantFrom(
      'Button',
      '*',
      '"',
      "'",
      '\\',
      '[',
      ']',
      'name',
      '=',
      '~=',
      ' ',
      '/',
      '>',
      ':',
      '(',
      ')',
      '1',
      '.',
      '@',
      '\n',
    )
    const texts = oneof(
      string({ unit: 'binary' }),
      array(pieces).map((parts) => parts.join('')),
    )
    const readable = property(texts, (text) => {
      try {
        const selector = parseSelector(text)
        expect(parseSelector(formatSelector(selector))).toEqual(selector)
      } catch (error) {
        expect(error).toMatchObject({ code: 'BadRequest' })
      }
    })
    assert(readable, { numRuns: 3000 })
  })
})

const anyText = oneof(
  string({ unit: 'binary' }),
  array(constantFrom('"', "'", '\\', ']', '/', ' ', 'a')).map((all) => all.join('')),
)
const textKey = constantFrom('name', 'value', 'role', 'id', 'identifier', 'description', 'keyboard_shortcut')
const flagKey = constantFrom('enabled', 'focused', 'selected', 'expanded')
const anyTest = oneof(
  record({ key: textKey, op: constantFrom('=', '*='), value: anyText }),
  record({ key: textKey, op: constantFrom('~='), value: stringMatching(/^([a-z"'\\]\\[.*]|\.\*|[a-z])*$/) }),
  record({ key: flagKey, op: constantFrom('='), value: boolean() }),
  record({ key: constantFrom('index'), op: constantFrom('='), value: integer({ min: 0 }) }),
  record({ key: constantFrom('value_now', 'value_min'), op: constantFrom('='), value: integer().map((n) => n / 4) }),
)
const stepOf = (reaches: readonly SelectorStep['reach'][]) =>
  tuple(
    constantFrom(...reaches),
    option(stringMatching(/^[A-Za-z_][A-Za-z0-9_]*$/)),
    array(anyTest, { maxLength: 3 }),
  ).map(
    ([reach, role, tests]): SelectorStep => ({
      reach,
      ...(role === null ? {} : { role }),
      tests: tests as AttributeTest[],
    }),
  )
const anySelector = tuple(
  stepOf(['anywhere', 'descendant']),
  array(stepOf(['child', 'descendant']), { maxLength: 4 }),
).map(([first, rest]): Selector => ({ steps: [first, ...rest] }))

it('[DT25] reads the canonical text of any selector back to the same selector', () => {
  const roundTrip = property(anySelector, (selector) => {
    expect(parseSelector(formatSelector(selector))).toEqual(selector)
  })
  assert(roundTrip, { numRuns: 2000 })
})
