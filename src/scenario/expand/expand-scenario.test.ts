import { describe, expect, it } from 'vitest'
import { LineCounter, parseDocument } from 'yaml'
import type { DataValue } from '../expression/data-type.ts'
import { type MapNode, nodesFromYaml, placeAt, plainValue } from '../source/source-node.ts'
import { type ExpandedScenario, type ExpandOptions, expandScenario, usesComposition } from './expand-scenario.ts'
import type { FakeData } from './fake-data.ts'

function nodes(text: string, file = 'main.yaml'): MapNode {
  const lines = new LineCounter()
  return nodesFromYaml(parseDocument(text, { lineCounter: lines, merge: true }), lines, file) as MapNode
}

const composed = (text: string, options: ExpandOptions = {}): ExpandedScenario => expandScenario(nodes(text), options)
const problems = (text: string, options: ExpandOptions = {}) =>
  composed(text, options).problems.map(({ place, message }) => `${place.file}:${place.line}:${place.column} ${message}`)

/** What a text gives under `states`, where no problem is expected. */
function states(text: string, options: ExpandOptions = {}): DataValue {
  expect(problems(text, options)).toEqual([])
  return (plainValue(composed(text, options).root) as { readonly states: DataValue }).states
}
const params = (text: string, options: ExpandOptions = {}) => composed(`params:\n${text}`, options).params

const FAKE: FakeData = {
  kinds: ['person'],
  locales: ['en'],
  make: (_, __, seed) => ({ name: `N${seed % 50}`, email: `e${seed % 20}@example.org` }),
}

describe('templates', () => {
  it('[EXP1] are text in a file that does not use composition', () => {
    expect(usesComposition({ states: { a: { windows: [{ title: '{{ x }}' }] } } })).toBe(false)
    expect(usesComposition({ params: { x: 1 }, states: { a: {} } })).toBe(true)
    expect(usesComposition({ states: { a: {}, b: { extends: 'a' } } })).toBe(true)
    expect(usesComposition({ states: { a: { windows: [{ tree: { children: [{ repeat: 3 }] } }] } } })).toBe(true)
  })

  it('[EXP2] give a value with its type, or a part of a text', () => {
    expect(
      states(`params: {count: 3, who: Ada, tags: [x, y]}
states: {a: ["{{ count }}", "{{ count + 1 }} for {{ who }}", "{{ tags }}", "{{ tags }}!", "{{ count > 2 }}"]}`),
    ).toEqual({ a: [3, '4 for Ada', ['x', 'y'], 'x, y!', true] })
  })

  it('[EXP3] end at the braces that close them', () => {
    expect(states(`params: {x: 1}\nstates: {a: ['{{ "}}" }}', '{{ {"k": {"v": 2}}.k.v }}']}`)).toEqual({ a: ['}}', 2] })
    expect(problems(`params: {x: 1}\nstates: {a: ['{{ x', '{{ }}']}`)).toEqual([
      'main.yaml:2:14 {{ is not closed with }}',
      'main.yaml:2:22 expected an expression between {{ and }}',
    ])
  })

  it('[EXP5] report a wrong expression at their place', () => {
    expect(problems('params: {count: 1}\nstates: {a: ["{{ cuont }}"]}')).toEqual([
      'main.yaml:2:14 in {{ cuont }}: unknown name "cuont"; did you mean "count"?',
    ])
  })
})

describe('files', () => {
  const files = (text: string) => `params: {sheet: budget, n: 5}\nfiles:\n${text}`

  it('[EXP4] have templates in their paths and texts', () => {
    const text = files('  "/documents/{{ sheet }}-{{ n }}.csv": "{{ n }}"\n  /archive: ~\n  /plain.txt: text')
    expect(problems(text)).toEqual([])
    expect(plainValue(composed(text).root)).toEqual({
      files: { '/documents/budget-5.csv': '5', '/archive': null, '/plain.txt': 'text' },
    })
  })

  it('[EXP4] have different paths', () => {
    expect(problems(files('  /budget.csv: a\n  "/{{ sheet }}.csv": b'))).toEqual([
      'main.yaml:4:3 /{{ sheet }}.csv is /budget.csv, which is another file here',
    ])
  })
})

describe('parameters', () => {
  it('[EXP6] are drawn in their order, equally for equal seeds', () => {
    const text =
      '  colours: [red, blue, green, grey]\n  one: {pick: "{{ colours }}"}\n  dice: {between: [1, 1000000]}\n  label: "{{ one }}!"'
    const first = params(text, { seed: 5 })
    expect(first).toEqual(params(text, { seed: 5 }))
    expect(first.label).toBe(`${first.one}!`)
    expect(new Set([1, 2, 3, 4].map((seed) => params(text, { seed }).dice)).size).toBe(4)
  })

  it('[EXP6] are drawn from the seed of the file when no other is given', () => {
    const text = 'params: {dice: {between: [1, 1000000]}}'
    expect(composed(`seed: 9\n${text}`).params).toEqual(composed(text, { seed: 9 }).params)
  })

  it('[EXP7] can be lists of different values', () => {
    const drawn = params(
      '  a: {pick: [1, 2, 3], count: 3}\n  b: {shuffle: [1, 2, 3]}\n  c: {between: [0.5, 1.5], decimals: 1, count: 11}\n  d: {fake: person, count: 5}',
      { fake: FAKE },
    )
    const sorted = (list: DataValue | undefined) => [...(list as number[])].sort((a, b) => a - b)
    expect([sorted(drawn.a), sorted(drawn.b)]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ])
    expect(sorted(drawn.c)).toEqual([0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5])
    expect(new Set((drawn.d as DataValue[]).map((person) => JSON.stringify(person))).size).toBe(5)
  })

  it('[EXP8] exclude values and repeated fields', () => {
    for (let seed = 0; seed < 20; seed++) {
      const { a, b, people } = params(
        '  a: {pick: [1, 2]}\n  b: {pick: [1, 2], not: "{{ a }}"}\n  people: {fake: person, count: 10, unique: email}',
        { seed, fake: FAKE },
      )
      expect(a).not.toBe(b)
      expect(new Set((people as { email: string }[]).map(({ email }) => email)).size).toBe(10)
    }
  })

  it('[EXP8] [EXP9] compare excluded records and those of decoys by the field of unique', () => {
    const fake: FakeData = { ...FAKE, make: (_, __, seed) => ({ name: `p${seed % 4}`, email: `${seed}@example.org` }) }
    for (let seed = 0; seed < 20; seed++) {
      const { who, others, last } = params(
        '  who: {fake: person, count: 2, unique: name}\n  others: {decoy: who, count: 1}\n  last: {fake: person, unique: name, not: "{{ [who[0], who[1], others[0]] }}"}',
        { seed, fake },
      )
      const names = [...(who as { name: string }[]), ...(others as { name: string }[]), last as { name: string }]
      expect(names.map(({ name }) => name).sort()).toEqual(['p0', 'p1', 'p2', 'p3'])
    }
  })

  it('[EXP9] can be decoys of another', () => {
    for (let seed = 0; seed < 20; seed++) {
      const { who, others } = params('  who: {pick: [Ada, Bob, Cy]}\n  others: {decoy: who, count: 2}', { seed })
      expect([who, ...(others as string[])].sort()).toEqual(['Ada', 'Bob', 'Cy'])
    }
  })

  it('[EXP12] have their default under the seed of the file only', () => {
    const text =
      'people: [{name: Ada}, {name: Bob}, {name: Cy}]\nwho: {pick: "{{ people }}", default: "{{ people[0] }}"}\nother: {decoy: who, default: {name: Cy}}\norder: {shuffle: [1, 2, 3], default: [3, 2, 1]}\nprice: {between: [1, 9], decimals: 2, count: 2, default: [2.5, 8]}\nbuyer: {fake: person, default: {name: Ada, email: a@example.org}}'
    const drawn = (seed?: number) =>
      composed(`seed: 4\nparams:\n${text.replace(/^/gm, '  ')}`, { seed, fake: FAKE }).params
    const { people: _, ...own } = drawn()
    expect(own).toEqual({
      who: { name: 'Ada' },
      other: { name: 'Cy' },
      order: [3, 2, 1],
      price: [2.5, 8],
      buyer: { name: 'Ada', email: 'a@example.org' },
    })
    expect(drawn(4)).toEqual(drawn())
    for (const key of Object.keys(own))
      expect(new Set([5, 6, 7, 8, 9, 10].map((seed) => JSON.stringify(drawn(seed)[key]))).size).toBeGreaterThan(1)
  })

  it('[EXP12] refuse a default that cannot be drawn', () => {
    const wrong = [
      '{pick: [1, 2], default: 3}',
      '{pick: [1, 2], not: 2, default: 2}',
      '{pick: [1, 2, 3], count: 2, default: [1]}',
      '{pick: [1, 2, 3], count: 2, default: [1, 1]}',
      '{shuffle: [1, 2], default: [1, 1]}',
      '{between: [1, 6], default: 7}',
      '{between: [1, 6], default: 1.5}',
      '{fake: person, default: Ada}',
      '{decoy: first, default: 1}',
    ]
    for (const generator of wrong)
      expect(problems(`params:\n  first: {pick: [1, 2], default: 1}\n  x: ${generator}`, { fake: FAKE })).toEqual([
        expect.stringMatching(/^main\.yaml:3:\d+ expected a value that can be drawn$/),
      ])
  })

  it('[EXP13] have names without another meaning in expressions', () => {
    expect(problems('params:\n  list: [1]\n  in: 2\n  items: 3')).toEqual([
      'main.yaml:2:3 list already has a meaning in expressions; choose another name',
      'main.yaml:3:3 in already has a meaning in expressions; choose another name',
    ])
  })

  it('[EXP10] are drawn until the assertions hold', () => {
    const text = (assert: string) => `params: {a: {between: [1, 6]}, b: {between: [1, 6]}}\nassert: ["{{ ${assert} }}"]`
    for (let seed = 0; seed < 20; seed++) {
      const { a, b } = composed(text('a + b == 7'), { seed }).params
      expect(Number(a) + Number(b)).toBe(7)
    }
    expect(problems(text('a > 6'))).toEqual(['main.yaml:2:10 does not hold for any of 200 draws of the parameters'])
    expect(problems(text('a + b'))).toEqual([
      'main.yaml:2:10 expected an expression that is true or false, such as "{{ a != b }}"',
    ])
  })

  it('[EXP11] can be chosen from outside', () => {
    expect(params('  a: {between: [1, 6]}\n  b: "{{ a * 2 }}"', { params: { a: 40 } })).toEqual({ a: 40, b: 80 })
  })

  it.each([
    ['{pick: []}', '2:13 expected a list with at least one item'],
    ['{pick: [1, 2], count: 3}', '2:28 only 2 values can be chosen'],
    ['{pick: [1], cuont: 3}', '2:18 unknown key "cuont"; did you mean "count"?'],
    ['{pick: [1], not: 1}', '2:13 no different value was found in 1000 draws'],
    ['{between: [6, 1]}', '2:16 expected two numbers, the smaller first, such as [1, 6]'],
    ['{fake: persn}', '2:13 expected one of person; did you mean "person"?'],
    [
      '{decoy: nobody}',
      '2:14 expected the name of a parameter before this one that is drawn with pick, between or fake',
    ],
    ['{shuffle: 3}', '2:16 expected a list with at least one item'],
  ])('[EXP14] report that %s cannot be drawn', (authored, problem) => {
    expect(problems(`params:\n  a: ${authored}`, { fake: FAKE })).toEqual([`main.yaml:${problem}`])
  })
})

const FIELD = `components:
  field:
    params: {id: text, label: text, value: {type: text, default: ""}}
    element: {id: "{{ id }}", role: Edit, name: "{{ label }}", value: "{{ value }}"}
`

describe('components', () => {
  it('[EXP17] stand for their content, with keys beside use over it', () => {
    expect(states(`${FIELD}states: {a: [{use: field, with: {id: city, label: City}, enabled: false}]}`)).toEqual({
      a: [{ id: 'city', role: 'Edit', name: 'City', value: '', enabled: false }],
    })
  })

  it.each([
    ['{use: feild}', '5:20 unknown component "feild"; did you mean "field"?'],
    ['{use: field, with: {id: a}}', '5:33 field needs label (text)'],
    ['{use: field, with: {id: a, lable: b, label: c}}', '5:41 field has no parameter "lable"; did you mean "label"?'],
    ['{use: field, with: {id: 5, label: c}}', '5:38 id is 5; expected text'],
  ])('[EXP18] report arguments that do not fit: %s', (authored, problem) => {
    expect(problems(`${FIELD}states: {a: [${authored}]}`)).toEqual([`main.yaml:${problem}`])
  })

  it('[EXP19] know their parameters only', () => {
    expect(problems('params: {p: 1}\ncomponents: {c: {element: {name: "{{ p }}"}}}\nstates: {a: [{use: c}]}')).toEqual([
      'main.yaml:2:34 in {{ p }}: unknown name "p"; there are no names here',
    ])
  })

  it('[EXP20] add their reactions once for equal ones', () => {
    const text = `components:
  save:
    params: {id: text}
    element: {id: "{{ id }}", role: Button}
    reactions: [{on: {target_id: "{{ id }}"}}]
reactions: [{on: {target_id: own}}]
states: {a: [{use: save, with: {id: x}}, {use: save, with: {id: y}}], b: [{use: save, with: {id: x}}]}`
    expect(plainValue(composed(text).root)).toMatchObject({
      reactions: [{ on: { target_id: 'own' } }, { on: { target_id: 'x' } }, { on: { target_id: 'y' } }],
    })
  })

  it('[EXP21] may use each other, but not for ever', () => {
    const text =
      'components: {a: {element: {role: Pane, children: [{use: b}]}}, b: {element: {role: NAME}}}\nstates: {s: [{use: a}]}'
    expect(states(text)).toEqual({ s: [{ role: 'Pane', children: [{ role: 'NAME' }] }] })
    const least = 'components: {a: {params: {n: number}, element: {children: [{if: n > 0, use: a, with: {n: 1}}]}}}'
    expect(problems(`${least}\nstates: {s: [{use: a, with: {n: 1}}]}`)).toEqual([
      'main.yaml:1:72 components use each other more than 20 deep',
    ])
  })

  it('[EXP22] are refused before they are expanded when they cannot end', () => {
    const twice = '{element: {children: [{use: NEXT}, {use: NEXT}]}}'
    expect(problems(`components: {a: ${twice.replaceAll('NEXT', 'a')}}\nstates: {s: [{use: a}]}`)).toEqual([
      'main.yaml:2:15 the component a uses itself without an if that ends it',
    ])
    const levels = Array.from({ length: 30 }, (_, level) => `c${level}: ${twice.replaceAll('NEXT', `c${level + 1}`)}`)
    expect(
      problems(`components: {${levels.join(', ')}, c30: {element: {role: Text}}}\nstates: {s: [{use: c0}]}`),
    ).toEqual(['main.yaml:2:15 the scenario grows beyond 500000 values'])
  })
})

describe('repeat and if', () => {
  it('[EXP23] make an item for each value', () => {
    expect(
      states(`params: {orders: [{id: 7, who: Ada}, {id: 8, who: Bob}]}
states: {a: [{repeat: orders, as: order, id: "row-{{ order.id }}", name: "{{ order_index + 1 }}. {{ order.who }}"}, {repeat: 2, at: "{{ item }}"}]}`),
    ).toEqual({ a: [{ id: 'row-7', name: '1. Ada' }, { id: 'row-8', name: '2. Bob' }, { at: 0 }, { at: 1 }] })
  })

  it('[EXP24] do not give a name twice', () => {
    expect(problems('params: {order: 1}\nstates: {a: [{repeat: 2, as: order}]}')).toEqual([
      'main.yaml:2:30 order already has a meaning here; write as: with another name',
    ])
    expect(problems('params: {n: text}\nstates: {a: [{repeat: n}]}')).toEqual([
      'main.yaml:2:15 expected a list or a number of at most 10000, such as repeat: orders',
    ])
  })

  it('[EXP25] leave out what a condition excludes', () => {
    expect(
      states('params: {n: 1}\nstates: {a: [{if: n > 1, x: 1}, {if: "{{ n == 1 }}", x: 2, y: {if: false, z: 1}}]}'),
    ).toEqual({
      a: [{ x: 2 }],
    })
  })

  it('[EXP26] do not grow without a limit', () => {
    const inner = '{repeat: 10000, as: i0, x: [{repeat: 10000, as: i1, x: [{repeat: 10000, as: i2, x: 1}]}]}'
    expect(problems(`params: {p: 1}\nstates: {a: [${inner}]}`)).toEqual([
      expect.stringContaining('the scenario grows beyond 500000 values'),
    ])
  })

  /** Parameters of which each is made of the one before, twice. */
  const doubled = (levels: number, twice: (name: string) => string): string =>
    [
      'params:',
      '  p0: aaaaaaaaaa',
      ...Array.from({ length: levels }, (_, at) => `  p${at + 1}: ${twice(`p${at}`)}`),
    ].join('\n')

  it('[EXP26] do not repeat lists and records without a limit', () => {
    const grown = (twice: (name: string) => string) => problems(doubled(40, twice), { maxValues: 1000 })
    const message = expect.stringContaining('the scenario grows beyond 1000 values')
    expect(grown((name) => `["{{ ${name} }}", "{{ ${name} }}"]`)).toEqual([message])
    expect(grown((name) => `{a: "{{ ${name} }}", b: "{{ ${name} }}"}`)).toEqual([message])
    expect(grown((name) => `"{{ [${name}, ${name}] }}"`)).toEqual([message])
  })

  it('[EXP27] do not make texts without a limit', () => {
    expect(problems(doubled(40, (name) => `"{{ ${name} }}{{ ${name} }}"`))).toEqual([
      'main.yaml:17:8 the template makes a text of 327680 characters; at most 200000 are allowed',
    ])
    const long = doubled(14, (name) => `"{{ ${name} }}{{ ${name} }}"`)
    expect(problems(`${long}\nstates: {a: [{repeat: 100, x: "{{ p14 }}{{ item }}"}]}`)).toEqual([
      'main.yaml:17:31 the texts that templates make grow beyond 8000000 characters',
    ])
    expect(problems(`${long}\nvars: {n: 1}\nstates: {a: [{x: "${'{{ p14 }}'.repeat(9)}{{ n }}"}]}`)).toEqual([
      'main.yaml:18:18 the template makes a text of 327680 characters; at most 200000 are allowed',
    ])
  })

  it('[EXP28] stop after a thousand problems', () => {
    expect(problems('params: {p: 1}\nstates: {a: [{repeat: 10000, x: "{{ nope }}"}]}')).toHaveLength(1000)
  })
})

const BASE = `states:
  base:
    windows:
      - {uid: main, title: Main, tree: {id: root, children: [{id: save, role: Button, enabled: true}, {id: list, children: []}]}}
      - {uid: side, title: Side}
`

describe('states', () => {
  it('[EXP30] extend others by window', () => {
    expect(
      states(`${BASE}  next: {extends: base, windows: [{uid: side, title: Changed}, {uid: dialog, title: Sure?}]}`),
    ).toMatchObject({
      next: { windows: [{ uid: 'dialog' }, { uid: 'main', title: 'Main' }, { uid: 'side', title: 'Changed' }] },
    })
  })

  it('[EXP31] remove windows and change elements', () => {
    const { next } = states(`${BASE}  next:
    extends: base
    without: [side]
    set:
      - {id: save, enabled: false}
      - {id: list, append: [{id: row}]}
      - {window: main, title: Other}`) as { next: DataValue }
    expect(next).toEqual({
      windows: [
        {
          uid: 'main',
          title: 'Other',
          tree: {
            id: 'root',
            children: [
              { id: 'save', role: 'Button', enabled: false },
              { id: 'list', children: [{ id: 'row' }] },
            ],
          },
        },
      ],
    })
    expect(states(`${BASE}  next: {extends: base, set: [{id: save, remove: true}]}`)).toMatchObject({
      next: { windows: [{ tree: { children: [{ id: 'list' }] } }, {}] },
    })
  })

  it.each([
    ['{extends: bse}', '6:19 unknown state "bse"; did you mean "base"?'],
    ['{extends: next}', '6:19 the state extends itself: next → next'],
    ['{extends: base, without: [top]}', '6:35 no window has the uid "top"'],
    ['{extends: base, set: [{id: gone}]}', '6:31 there is no element "gone" in the state that is extended'],
    ['{set: [{id: save}]}', '6:10 set changes the state that extends names; extends is missing'],
  ])('[EXP32] report %s', (authored, problem) => {
    expect(problems(`${BASE}  next: ${authored}\n  other: {extends: base}`)).toEqual([`main.yaml:${problem}`])
  })
})

describe('includes', () => {
  const FILES: Readonly<Record<string, string>> = {
    'parts.yaml':
      'components: {c: {element: {role: Text, name: "{{ 1 + 1 }}"}}}\nreactions: [{n: 1}]\ninclude: deep.yaml',
    'deep.yaml': 'reactions: [{n: 0}]',
    'loop.yaml': 'include: loop.yaml',
    'other.yaml': 'include: deep.yaml',
    'draft.yaml':
      'windows: [{uid: draft}]\nevents: {sent: {to: text}}\nsynonyms: {Send: [Post]}\nsolutions: {keys: [{call: press_key}]}',
    'wrong.yaml': 'task: no\ncomponents: {c: {element: {}}}',
  }
  const readInclude = (path: string) =>
    FILES[path] === undefined ? { message: `there is no ${path}` } : nodes(FILES[path], path)

  it('[EXP33] add the sections of other files, with their places', () => {
    const text = 'include: [parts.yaml]\nreactions: [{n: 2}]\nstates: {a: [{use: c}]}'
    const { root } = composed(text, { readInclude })
    expect(plainValue(root)).toEqual({
      reactions: [{ n: 0 }, { n: 1 }, { n: 2 }],
      states: { a: [{ role: 'Text', name: 2 }] },
    })
    expect(placeAt(root, ['reactions', 1, 'n'], 'value')).toMatchObject({ file: 'parts.yaml', line: 2, column: 17 })
    expect(placeAt(root, ['states', 'a', 0, 'name'], 'key')).toMatchObject({ file: 'parts.yaml', line: 1 })
  })

  it('[EXP33] add windows that effects open, with their events, synonyms and solutions', () => {
    const text = 'include: draft.yaml\nwindows: [{uid: about}]\nevents: {read: {}}\nsolution: []'
    expect(plainValue(composed(text, { readInclude }).root)).toEqual({
      windows: [{ uid: 'draft' }, { uid: 'about' }],
      events: { sent: { to: 'text' }, read: {} },
      synonyms: { Send: ['Post'] },
      solutions: { keys: [{ call: 'press_key' }] },
      solution: [],
    })
  })

  it('[EXP33a] join the tables of a language, whose texts must be different', () => {
    const read = (path: string) => nodes('locales: {de: {Send: Senden, Card: Karte}, fr: {Send: Envoyer}}', path)
    const given = composed('include: [words.yaml]\nlocales: {de: {Send the card.: Verschicke die Karte.}}', {
      readInclude: read,
    })
    expect(plainValue(given.root)).toEqual({
      locales: {
        de: { Send: 'Senden', Card: 'Karte', 'Send the card.': 'Verschicke die Karte.' },
        fr: { Send: 'Envoyer' },
      },
    })
    expect(problems('include: [words.yaml]\nlocales: {de: {Card: Blatt}}', { readInclude: read })).toEqual([
      'main.yaml:2:16 locales.de.Card is already defined in words.yaml:1',
    ])
  })

  it('[EXP33b] let the scenario set parameters that have a type and a default', () => {
    const read = (path: string) =>
      nodes('params: {size: {type: integer, default: 9}, all: "{{ range(size) }}", who: Ada}', path)
    const paramsOf = (text: string) => composed(`include: app.yaml\n${text}`, { readInclude: read }).params
    const wrong = (text: string) => problems(`include: app.yaml\n${text}`, { readInclude: read })
    expect(paramsOf('task: a')).toEqual({ size: 9, all: [0, 1, 2, 3, 4, 5, 6, 7, 8], who: 'Ada' })
    expect(paramsOf('params: {size: 2}')).toEqual({ size: 2, all: [0, 1], who: 'Ada' })
    expect(paramsOf('params: {size: {between: [3, 3]}}').all).toEqual([0, 1, 2])
    expect(paramsOf('params: {size: {type: integer, default: 1}}').all).toEqual([0])
    expect(wrong('params: {size: many}')).toEqual([
      'main.yaml:2:16 size is "many"; expected integer',
      'app.yaml:1:50 in {{ range(size) }}: no function takes these arguments: range(string)',
    ])
    expect(wrong('params: {who: Grace}')).toEqual(['main.yaml:2:10 params.who is already defined in app.yaml:1'])
  })

  it('[EXP34] count a file once, and refuse cycles', () => {
    expect(plainValue(composed('include: [deep.yaml, other.yaml]\nparams: {}', { readInclude }).root)).toEqual({
      reactions: [{ n: 0 }],
    })
    expect(problems('include: loop.yaml', { readInclude })).toEqual([
      'loop.yaml:1:10 the file includes itself: main.yaml → loop.yaml → loop.yaml',
    ])
    expect(problems('include: none.yaml', { readInclude })).toEqual(['main.yaml:1:10 there is no none.yaml'])
    expect(problems('include: a.yaml')).toEqual([
      'main.yaml:1:10 "a.yaml" cannot be included: the scenario was given as text, not as a file',
    ])
  })

  it('[EXP34] put a file that two others include before both', () => {
    const texts: Readonly<Record<string, string>> = {
      'mail.yaml': 'include: people.yaml\nparams: {sender: "{{ person }}"}',
      'tasks.yaml': 'include: people.yaml\nparams: {owner: "{{ person }}"}',
      'people.yaml': 'params: {person: Ada}',
    }
    const read = (path: string) => nodes(texts[path]!, path)
    const given = composed('include: [mail.yaml, tasks.yaml]\ntask: "{{ owner }}{{ sender }}"', { readInclude: read })
    expect(plainValue(given.root)).toEqual({ task: 'AdaAda' })
  })

  it('[EXP38] hold shared sections only, and no name twice', () => {
    expect(problems('include: [parts.yaml, wrong.yaml]', { readInclude })).toEqual([
      'wrong.yaml:1:1 "task" has no meaning in a file that is included; expected components, params, vars, types, computed, events, sites, actors, states, files, locales, synonyms, solutions, windows, reactions, timers, undo, faults, assert, include',
      'wrong.yaml:2:14 components.c is already defined in parts.yaml:1',
    ])
  })
})

describe('the script of an agent', () => {
  const script = (...texts: readonly string[]) =>
    `params: {who: {name: Ada}, n: 2}\nagent:\n  turns:\n    - steps: [${texts.map((text) => `{say: ${JSON.stringify(text)}}`).join(', ')}]`

  it('[EXP29] names parameters, and keeps its own templates', () => {
    const { root, problems: found } = composed(script('{{params.who.name}} has {{ params.n }}, {{results.x.text}}'))
    expect(found).toEqual([])
    expect(plainValue(root)).toEqual({
      agent: { turns: [{ steps: [{ say: 'Ada has 2, {{results.x.text}}' }] }] },
    })
  })

  it('[EXP29] names no unknown parameter', () => {
    expect(problems(script('{{params.whom}}'))).toEqual([
      'main.yaml:4:21 in {{ whom }}: unknown name "whom"; did you mean "who"?',
    ])
  })
})
