import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { drawInteger, type Random, seededRandom, split } from '../../../src/base/random.ts'
import type { Include } from '../../../src/scenario/load/load.ts'

/** A scenario file that was made invalid. */
export interface InvalidFile {
  /** The file and the mutation, such as `login: unknown key`. */
  readonly name: string
  readonly text: string
}

/** A scenario that uses every key of composition. */
const COMPOSED = `
name: composed
task: Send "Hello" to {{ wanted.name }}.
include: parts.yaml
params:
  people: {fake: person, count: 3, unique: name}
  wanted: {pick: "{{ people }}"}
  amount: {between: [1, 9]}
assert: ["{{ amount > 0 }}"]
components:
  recipient:
    params: {id: text, label: text}
    element: {id: "{{ id }}", role: Button, name: "{{ label }}", enabled: true}
    reactions:
      - on: {tool: click_element, target_id: "{{ id }}"}
        when: [{id: message, value: Hello}]
        set: [{id: answer, name: "Sent to {{ label }}"}]
states:
  list:
    windows:
      - uid: app
        title: Greet {{ size(people) }} people
        bounds: {x: 100, y: 100, width: 500, height: 400}
        tree:
          role: Window
          children:
            - {id: message, role: Edit, name: Message}
            - {repeat: people, as: person, use: recipient, with: {id: "person-{{ person_index }}", label: "{{ person.name }}"}}
            - {if: "amount > 0", id: answer, role: Text, name: Nothing was sent.}
            - {use: help}
  offline:
    extends: list
    set: [{id: answer, name: You are offline.}]
timers:
  - {in: list, after_ms: 60000, transition_to: offline}
oracles:
  success: [{kind: text_visible, regex: "Sent to {{ wanted.name }}"}]
solution:
  - {call: click_element, with: {selector: 'Button "{{ wanted.name }}"'}}
`

const PARTS: Readonly<Record<string, string>> = {
  'parts.yaml': 'components:\n  help: {element: {id: help, role: Button, name: Help}}\n',
  'self.yaml': 'include: self.yaml\ncomponents: {}\n',
  'broken.yaml': 'components: {a: [}\n',
  'foreign.yaml': 'solution: []\n',
  'wrong.yaml': 'components:\n  bad: {element: {role: Button, nmae: Help}, item: {}}\n',
}

/** Reads the files that the invalid ones include. */
export const includeParts: Include = (path) => {
  const text = PARTS[path]
  return text === undefined ? { message: `there is no file ${JSON.stringify(path)}` } : { file: path, text }
}

/** The files of the gallery that are read without other files. */
const GALLERY_FILES = readdirSync('scenarios')
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => [file.replace('.yaml', ''), readFileSync(join('scenarios', file), 'utf8')] as const)
  .filter(([, text]) => !/^include:| src: /m.test(text))

/** The valid files that are made invalid, by name. */
export const VALID_FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(GALLERY_FILES),
  composed: COMPOSED,
}

type Value = Record<string, unknown>

/** Chooses among the parts of a file. */
interface Chooser {
  pick<T>(items: readonly T[]): T | undefined
}

/**
 * A change after which no file is valid, whatever the file was. Returns undefined where it cannot be made, and the text
 * of a file that is not a plain value.
 */
type Mutation = (file: Value, choose: Chooser) => Value | string | undefined

const isMap = (value: unknown): value is Value => typeof value === 'object' && value !== null && !Array.isArray(value)
const mapsIn = (value: unknown): readonly Value[] => (Array.isArray(value) ? value.filter(isMap) : [])

const statesOf = (file: Value): readonly Value[] => Object.values((file.states ?? {}) as Value).filter(isMap)
const windowsOf = (file: Value): readonly Value[] => statesOf(file).flatMap(({ windows }) => mapsIn(windows))
const treesOf = (file: Value): readonly Value[] => windowsOf(file).flatMap(({ tree }) => (isMap(tree) ? [tree] : []))
const below = (element: Value): readonly Value[] => [element, ...mapsIn(element.children).flatMap(below)]
/** The elements that are written in states. */
const elementsOf = (file: Value): readonly Value[] => treesOf(file).flatMap(below)
const entriesOf = (file: Value): readonly Value[] => [...mapsIn(file.reactions), ...mapsIn(file.timers)]

/** Maps whose keys are all known. */
const strictMaps = (file: Value): readonly Value[] => [
  file,
  ...statesOf(file),
  ...windowsOf(file),
  ...elementsOf(file),
  ...entriesOf(file),
  ...entriesOf(file).flatMap(({ on, when, set }) => [...(isMap(on) ? [on] : []), ...mapsIn(when), ...mapsIn(set)]),
  ...mapsIn((file.oracles as Value | undefined)?.success),
  ...mapsIn(file.solution),
]

const isComposed = ({ params }: Value): boolean => params !== undefined

/** Changes a part of a file in place, if there is one. */
const change =
  (partsOf: (file: Value) => readonly Value[], apply: (part: Value, choose: Chooser) => unknown): Mutation =>
  (file, choose) => {
    const part = choose.pick(partsOf(file))
    return part && apply(part, choose) !== false ? file : undefined
  }

/** Gives keys of elements a value of the wrong type. */
const wrongValue = (keys: readonly string[], value: unknown): Mutation =>
  change(elementsOf, (element, choose) => {
    element[choose.pick(keys)!] = value
  })

/** Adds an entry to a list at the top. */
const withEntry =
  (section: string, entry: unknown): Mutation =>
  (file) => ({ ...file, [section]: [...((file[section] as unknown[] | null | undefined) ?? []), entry] })

const withKeys =
  (keys: Value): Mutation =>
  (file) => ({ ...file, ...keys })

const withParam =
  (value: unknown): Mutation =>
  (file) => ({ ...file, params: { ...(file.params as Value | undefined), added: value } })

/** Adds text after a file. */
const followedBy =
  (text: string): Mutation =>
  (file) =>
    `${stringify(file, { aliasDuplicateObjects: false })}${text}`

const withState =
  (name: string, state: unknown): Mutation =>
  (file) => ({ ...file, states: { ...(file.states as Value), [name]: state } })

const withChild = (child: unknown): Mutation =>
  change(treesOf, (tree) => {
    tree.children = [...((tree.children as unknown[] | undefined) ?? []), child]
  })

const whenComposed =
  (mutation: Mutation): Mutation =>
  (file, choose) =>
    isComposed(file) ? mutation(file, choose) : undefined

const aliasBomb = `zz0: &zz0 [x, x, x, x, x, x, x, x, x, x]\n${Array.from(
  { length: 9 },
  (_, level) => `zz${level + 1}: &zz${level + 1} [${`*zz${level}, `.repeat(10)}]\n`,
).join('')}`

const deepElement = (depth: number): string =>
  `states: {a: {windows: [{tree: ${'{role: Pane, children: ['.repeat(depth)}${']}'.repeat(depth)}}]}}\n`

/** The mutations by name. Each makes every file invalid to which it applies. */
const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'unknown key': change(strictMaps, (map) => {
    map.zzz_unknown = 1
  }),
  'misspelt key': change(strictMaps, (map, choose) => {
    const key = choose.pick(Object.keys(map))
    if (key === undefined) return false
    map[`${key}zz`] = map[key]
    delete map[key]
    return true
  }),
  'list for a boolean': wrongValue(['enabled', 'focused', 'hidden', 'selected', 'secret', 'closes'], [1, 2]),
  'text for a number': wrongValue(['value_now', 'value_min', 'grow', 'width', 'height', 'max_length'], 'very many'),
  'map for a text': wrongValue(['name', 'role', 'id', 'value', 'placeholder'], { a: 1 }),
  'text for children': wrongValue(['children', 'rows'], 'none'),
  'negative size': wrongValue(['width', 'height', 'grow', 'max_length'], -5),
  'unknown icon': wrongValue(['icon'], 'no-such-icon'),
  'unknown shortcut': wrongValue(['keyboard_shortcut'], 'Ctrl+NoSuchKey'),
  'unknown layout': wrongValue(['layout'], { arrange: 'diagonal' }),
  'incomplete bounds': wrongValue(['bounds'], { x: 1, y: 2 }),
  'text for a window': change(windowsOf, (window, choose) => {
    window[choose.pick(['bounds', 'tree', 'state'])!] = 'somewhere'
  }),
  'unknown theme': withKeys({ theme: 'purple' }),
  'text for the seed': withKeys({ seed: 'seven' }),
  'missing initial state': withKeys({ initial_state: 'no-such-state' }),
  'no states': withKeys({ states: {} }),
  'text for reactions': withKeys({ reactions: 'later' }),
  'reaction without trigger': withEntry('reactions', { set: [{ clipboard: 'x' }] }),
  'reaction to a missing element': withEntry('reactions', {
    on: { tool: 'click_element', target_id: 'no-such-id' },
    set: [{ clipboard: 'x' }],
  }),
  'reaction to a missing tool': withEntry('reactions', { on: { tool: 'think' }, set: [{ clipboard: 'x' }] }),
  'change of a missing element': withEntry('reactions', {
    on: { tool: 'click_element' },
    set: [{ id: 'no-such-id', name: 'x' }],
  }),
  'guard on a missing element': withEntry('reactions', {
    on: { tool: 'click_element' },
    when: [{ id: 'no-such-id', value: 'x' }],
    set: [{ clipboard: 'x' }],
  }),
  'transition to a missing state': withEntry('reactions', {
    on: { tool: 'click_element' },
    transition_to: 'no-such-state',
  }),
  'reaction in a missing state': withEntry('reactions', {
    on: { tool: 'click_element' },
    in: 'no-such-state',
    set: [{ clipboard: 'x' }],
  }),
  'timer without time': withEntry('timers', { set: [{ clipboard: 'x' }] }),
  'timer with two times': withEntry('timers', { after_ms: 5, every_ms: 50, set: [{ clipboard: 'x' }] }),
  'timer with a reversed range': withEntry('timers', { after_ms: { between: [9, 3] }, set: [{ clipboard: 'x' }] }),
  'fault with a missing code': withEntry('faults', { on: { tool: 'get_screenshot' }, code: 'NoSuchCode' }),
  'fault of a missing tool': withEntry('faults', { on: { tool: 'no_such_tool' }, code: 'Timeout' }),
  'invalid pattern': withEntry('reactions', {
    on: { tool: 'type_text', text_regex: '(a' },
    set: [{ clipboard: 'x' }],
  }),
  'pattern bomb': withEntry('reactions', {
    on: { tool: 'type_text', text_regex: '((a{1000}){1000}){1000}' },
    set: [{ clipboard: 'x' }],
  }),
  'missing group': withEntry('reactions', {
    on: { tool: 'type_text', text_regex: 'a' },
    set: [{ clipboard: '{7}' }],
  }),
  'invalid selector': withEntry('solution', { call: 'click_element', with: { selector: 'Button[' } }),
  'step without call': withEntry('solution', { with: { selector: 'Button' } }),
  'step of a missing tool': withEntry('solution', { call: 'no_such_tool' }),
  'unknown oracle': withKeys({ oracles: { success: [{ kind: 'feels_right' }] } }),
  'oracle without pattern': withKeys({ oracles: { success: [{ kind: 'text_visible' }] } }),
  'oracle with an invalid pattern': withKeys({ oracles: { success: [{ kind: 'text_visible', regex: '[a' }] } }),
  'repeated id': change(treesOf, (tree) => {
    const again = { id: 'zzz-again', role: 'Text', name: 'x' }
    tree.children = [...((tree.children as unknown[] | undefined) ?? []), again, { ...again }]
  }),
  'repeated uid': withState('zzz', { windows: [{ uid: 'zzz' }, { uid: 'zzz' }] }),
  'windows that wait for each other': withState('zzz', {
    windows: [
      { uid: 'zz1', modal_to: 'zz2' },
      { uid: 'zz2', modal_to: 'zz1' },
    ],
  }),
  'relative path of a file': withKeys({ files: { 'notes.txt': 'x' } }),
  'two primary monitors': withKeys({
    monitors: [0, 800].map((x) => ({ bounds: { x, y: 0, width: 800, height: 600 }, primary: true })),
  }),
  'huge monitor': withKeys({ monitors: [{ bounds: { x: 0, y: 0, width: 16_384, height: 16_384 } }] }),

  'missing include': withKeys({ include: 'no-such-file.yaml' }),
  'include of itself': withKeys({ include: 'self.yaml' }),
  'include of invalid YAML': withKeys({ include: 'broken.yaml' }),
  'include of other sections': withKeys({ include: 'foreign.yaml' }),
  'include of a wrong component': withKeys({ include: 'wrong.yaml' }),
  'include of a number': withKeys({ include: [7] }),

  'unfinished expression': withParam('{{ 1 + }}'),
  'unclosed expression': withParam('{{ 1 + 1'),
  'empty expression': withParam('{{ }}'),
  'unknown name': withParam('{{ no_such_name }}'),
  'unknown function': withParam('{{ no_such_function(1) }}'),
  'wrong types in an expression': withParam('{{ 1 + "a" }}'),
  'division by zero': withParam('{{ 1 / 0 }}'),
  'long expression': withParam(`{{ ${'1 + '.repeat(1000)}1 }}`),
  'nested expression': withParam(`{{ ${'('.repeat(900)}1${')'.repeat(900)} }}`),
  'expression that takes long': withParam(
    '{{ [1,2,3,4,5,6,7,8,9].map(a, [1,2,3,4,5,6,7,8,9].map(b, [1,2,3,4,5,6,7,8,9].map(c, [1,2,3,4,5,6,7,8,9].map(d, [1,2,3,4,5,6,7,8,9].map(e, [1,2,3,4,5,6,7,8,9].map(f, a))))))}}',
  ),
  'choice from nothing': withParam({ pick: [] }),
  'reversed numbers': withParam({ between: [9, 1] }),
  'unknown data': withParam({ fake: 'persn' }),
  'too many different values': withParam({ pick: [1, 2], count: 3 }),
  'decoy of nothing': withParam({ decoy: 'no_such_param' }),
  'impossible condition': (file) => ({
    ...file,
    params: { ...(file.params as Value), zz: 1 },
    assert: ['{{ zz > 2 }}'],
  }),
  'parameters as a list': withKeys({ params: [1] }),

  'unknown component': whenComposed(withChild({ use: 'no-such-component' })),
  'missing argument': whenComposed(withChild({ use: 'recipient', with: { id: 'zz' } })),
  'unknown argument': whenComposed(withChild({ use: 'help', with: { size: 5 } })),
  'wrong argument': whenComposed(withChild({ use: 'recipient', with: { id: 'zz', label: [1] } })),
  'repeat of a text': whenComposed(withChild({ repeat: '"abc"', role: 'Text' })),
  'repeat of too many': whenComposed(withChild({ repeat: 1_000_000, role: 'Text' })),
  'condition that is a number': whenComposed(withChild({ if: '1 + 1', role: 'Text' })),
  'component of a component of itself': (file) => ({
    ...file,
    components: {
      ...(file.components as Value | undefined),
      zz1: { element: { role: 'Pane', children: [{ use: 'zz2' }] } },
      zz2: { element: { role: 'Pane', children: [{ use: 'zz1' }] } },
    },
    states: { ...(file.states as Value), zzz: { windows: [{ uid: 'zz', tree: { use: 'zz1' } }] } },
  }),
  'component without content': (file) => ({
    ...file,
    components: { ...(file.components as Value | undefined), zz: { params: { a: 'text' } } },
  }),
  'state that extends itself': withState('zzz', { extends: 'zzz' }),
  'states that extend each other': (file) => ({
    ...file,
    states: { ...(file.states as Value), zz1: { extends: 'zz2' }, zz2: { extends: 'zz1' } },
  }),
  'state that extends a missing one': withState('zzz', { extends: 'no-such-state' }),
  'unclosed quote': followedBy('zzz: "open\n'),
  'unclosed bracket': followedBy('zzz: [1, 2\n'),
  'list after keys': followedBy('- item\n'),
  'tab as indentation': followedBy('zzz:\n\t- 1\n'),
  'key twice': followedBy('states: {}\n'),
  'alias without anchor': followedBy('zzz: *nowhere\n'),
  'anchor inside itself': followedBy('zzz: &zzz [*zzz]\n'),
  'two documents': followedBy('---\nname: again\n'),
  'alias bomb': followedBy(aliasBomb),
  'deep brackets': followedBy(`zzz: ${'['.repeat(5000)}${']'.repeat(5000)}\n`),
  'deep blocks': followedBy(
    `zzz:\n${Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth + 1)}a:\n`).join('')}`,
  ),
  'deep elements': () => deepElement(300),
  'too long': followedBy(`about: ${'x'.repeat(2_000_001)}\n`),
  'merge of a text': followedBy('zzz: {<<: abc}\n'),
  'list as a key': followedBy('[1, 2]: x\n'),

  // These take seconds.
  'nested repeats': (file) => ({
    ...file,
    params: { ...(file.params as Value | undefined), zz: 1 },
    states: {
      ...(file.states as Value),
      zzz: {
        windows: [
          {
            uid: 'zz',
            tree: {
              role: 'Pane',
              children: [
                { repeat: 9000, as: 'a', role: 'Pane', children: [{ repeat: 9000, as: 'b', role: 'Text', name: 'x' }] },
              ],
            },
          },
        ],
      },
    },
  }),
  'too many elements': (file) => ({
    ...file,
    states: {
      ...(file.states as Value),
      zzz: {
        windows: [
          { uid: 'zz', tree: { role: 'Pane', children: Array.from({ length: 50_001 }, () => ({ role: 'Text' })) } },
        ],
      },
    },
  }),
}

/** Makes valid files invalid: each mutation in turn, on a file that the seed chooses among those that it applies to. */
export function* invalidFiles(
  count: number,
  seed: number,
  names: readonly string[] = Object.keys(VALID_FILES),
): Generator<InvalidFile> {
  const mutations = Object.entries(MUTATIONS)
  let random: Random = split(seededRandom(seed), 'invalid files')
  const choose: Chooser = {
    pick(items) {
      if (items.length === 0) return undefined
      const [index, next] = drawInteger(random, 0, items.length - 1)
      random = next
      return items[index]
    },
  }
  for (let made = 0; made < count; ) {
    const [mutation, apply] = mutations[made % mutations.length]!
    const name = choose.pick(names)!
    const changed = apply(parse(VALID_FILES[name]!, { merge: true }) as Value, choose)
    if (changed === undefined) continue
    made++
    const text = typeof changed === 'string' ? changed : stringify(changed, { aliasDuplicateObjects: false })
    yield { name: `${name}: ${mutation}`, text }
  }
}
