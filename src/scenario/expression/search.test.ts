import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { begin, click, setValue } from '../../../test/support/scenario/player.ts'
import { Fault } from '../../base/fault.ts'
import { nodeById } from '../../desktop/model/element.ts'
import { parseScenario } from '../load/load.ts'
import { type DataValue, mapFields, typeOf } from './data-type.ts'
import { createCompiler, isProblem } from './expression.ts'

const MAILS = [
  { id: 1, from: 'Zoë Ångström', subject: 'Lunch on Friday?', tags: ['food', 'team'], sent: '2026-03-01' },
  { id: 2, from: 'Ana', subject: 'Brunch, and the plan', tags: [], sent: '2026-03-02T09:30' },
  { id: 3, from: 'Łukasz', subject: 'On Friday: lunch', tags: ['team'], sent: 'soon' },
  { id: 4, from: '田中', subject: '今日の午餐', tags: [], sent: '2026-03-03' },
]

const TYPES = mapFields({ mails: MAILS, text: '' } as Readonly<Record<string, DataValue>>, typeOf)
const compiler = createCompiler(TYPES)

function evaluate(text: string, values: Readonly<Record<string, DataValue>>): DataValue {
  const expression = compiler.compile(text)
  if (isProblem(expression)) throw new Error(expression.message)
  return expression.evaluate(values).value as DataValue
}

const idsFound = (text: string, mails: DataValue = MAILS): unknown =>
  (
    evaluate('search(mails, text, ["from", "subject", "tags"], "sent")', { mails, text }) as readonly { id: number }[]
  ).map(({ id }) => id)

describe('search', () => {
  it.each([
    ['', [1, 2, 3, 4]],
    ['lunch', [1, 3]],
    ['lunch zoe', [1]],
    ['"on friday"', [1, 3]],
    ['"lunch on"', [1]],
    ['"lunch on fri"', []],
    ['"lunch on fri', [1]],
    ['from:ana', [2]],
    ['FROM:"zoe angstrom" lunch', [1]],
    ['from:', [1, 2, 3, 4]],
    ['from:lunch', []],
    ['tags:team', [1, 3]],
    ['friday:', [3]],
    ['friday?', [1]],
    ['午餐', [4]],
    ['nothing', []],
  ])('[CEL20] finds with %j the records %j', (text, ids) => {
    expect(idsFound(text)).toEqual(ids)
  })

  it.each([
    ['LUNCH friday', [1, 3]],
    ['angstrom', [1]],
    ['lukasz', [3]],
    ['before:2026-03-02', [1]],
    ['after:2026-03-02', [2, 4]],
    ['after:2026-03-01 before:2026-03-03', [1, 2]],
    ['before:later', []],
  ])('[CEL25] finds with %j the records %j', (text, ids) => {
    expect(idsFound(text)).toEqual(ids)
  })

  it('[CEL23] tells whether a text has all words', () => {
    const has = (query: string) => evaluate('has_words("Déjà vu at noon", text)', { mails: [], text: query })
    expect(['deja noon', '"at noon"', 'oon', 'from:deja'].map(has)).toEqual([true, true, false, false])
  })

  it('[CEL20] gives the same records as a plain search of all words', () => {
    const word = fc.constantFrom('Ana', 'ána', 'lunch', 'LUN', 'un', 'noon', 'no-on', 'x', '午餐', 'ß')
    const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '))
    const record = fc.record({ from: text, subject: text })
    const term = fc.tuple(fc.constantFrom('', 'from:', 'subject:'), word).map(([prefix, each]) => `${prefix}${each}`)
    fc.assert(
      fc.property(fc.array(record, { maxLength: 12 }), fc.array(term, { maxLength: 3 }), (rows, terms) => {
        const mails = rows.map((row, id) => ({ id, ...row, tags: [], sent: '' }))
        expect(idsFound(terms.join(' '), mails)).toEqual(
          mails.filter((mail) => terms.every((each) => hasPlainly(mail, each))).map(({ id }) => id),
        )
      }),
      { numRuns: 300, seed: 7 },
    )
  })

  it('[CEL21] stays the same list for the same records and words, and keeps the identity of records', () => {
    const text = 'search(mails, text, ["subject"])'
    const found = evaluate(text, { mails: MAILS, text: 'lunch' }) as readonly DataValue[]
    expect(evaluate(text, { mails: MAILS, text: 'Lunch ' })).toEqual(found)
    expect(found[1]).toBe(MAILS[2])
    expect(evaluate(text, { mails: MAILS, text: ' ' })).toBe(MAILS)
  })

  it('[CEL22] searches 10,000 records within the steps of an expression', () => {
    const mails = Array.from({ length: 10_000 }, (_, id) => ({ ...MAILS[id % 4]!, id }))
    expect((idsFound('lunch friday from:zoe', mails) as readonly number[]).length).toBe(2500)
    const words = Array.from({ length: 51 }, (_, at) => `w${at}`).join(' ')
    expect(() => idsFound(words, mails)).toThrow(new Fault('BadRequest', 'a search has at most 50 words'))
  })

  it('[CEL24] reports a field that the records do not have, at its position', () => {
    const problem = (text: string) => {
      const made = compiler.compile(text)
      return isProblem(made) ? `${made.start}-${made.end} ${made.message}` : 'none'
    }
    expect(problem('search(mails, text, ["from", "subjct"])')).toBe(
      '29-37 unknown field "subjct"; did you mean "subject"?',
    )
    expect(problem('size(search(mails, text, ["from"], "date")) > 1')).toMatch(/^35-41 unknown field "date"/)
    expect(problem('search(text, text, ["from"])')).toContain('no function takes these arguments: search(')
  })
})

/** The words of a text without case and diacritics, and whether one of them begins with a word. */
function hasPlainly(mail: { readonly from: string; readonly subject: string }, term: string): boolean {
  const [, prefix, word = ''] = /^(?:(from|subject):)?(.*)$/.exec(term)!
  const plain = (text: string) => text.toLowerCase().replaceAll('á', 'a').replaceAll('ß', 'ss')
  const fields = prefix === 'from' ? [mail.from] : prefix === 'subject' ? [mail.subject] : [mail.from, mail.subject]
  return fields.some((field) =>
    plain(field)
      .split(' ')
      .some((each) => each.startsWith(plain(word)) || (word === 'x' && each === 'x') || partOf(each, plain(word))),
  )
}

/** After a hyphen begins another word. */
const partOf = (text: string, word: string): boolean => text.includes('-') && text.split('-')[1]!.startsWith(word)

const INBOX = `
vars:
  query: ''
  mails: [{id: 1, from: Zoë, subject: Lunch, read: false}, {id: 2, from: Ana, subject: Plan, read: false}]
computed: {hits: 'search(mails, query, ["from", "subject"])'}
states:
  open:
    windows:
      - uid: app
        tree:
          role: Window
          children:
            - {id: query, role: Edit, name: Search, bind: query}
            - {repeat: hits, as: mail, id: mail, role: CheckBox, name: '{{ mail.subject }}', bind: mail.read}
`

describe('a screen that searches', () => {
  it('[CEL21] writes the items of a search to their variable', () => {
    const found = setValue(begin(INBOX), 'query', 'from:zoe')
    const tree = found.desktop.windows[0]!.tree
    expect([nodeById(tree, 'mail-1') !== undefined, nodeById(tree, 'mail-2')]).toEqual([true, undefined])
    expect(click(found, 'mail-1').data.mails).toEqual([
      { id: 1, from: 'Zoë', subject: 'Lunch', read: true },
      { id: 2, from: 'Ana', subject: 'Plan', read: false },
    ])
  })

  it('[CEL24] reports an unknown field at its line', () => {
    expect(() => parseScenario(INBOX.replace('"subject"', '"title"'))).toThrow(
      'scenario:5:18: in search(mails, query, ["from", "title"]): unknown field "title"',
    )
  })
})
