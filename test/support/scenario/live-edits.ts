import fc from 'fast-check'
import { expect } from 'vitest'
import { Fault } from '../../../src/base/fault.ts'
import { countNodes, type Element, walk } from '../../../src/desktop/model/element.ts'
import { changeData, type DataChange } from '../../../src/scenario/data/data-change.ts'
import { type DataValue, isList } from '../../../src/scenario/expression/data-type.ts'
import type { ChosenFault } from '../../../src/scenario/faults/fault-kind.ts'
import { parseScenario } from '../../../src/scenario/load/load.ts'
import { showData, withInstances } from '../../../src/scenario/run/show-data.ts'
import { startScenario } from '../../../src/scenario/run/step.ts'
import type { Scenario } from '../../../src/scenario/scenario.ts'
import { runWith, type ScenarioRun } from '../../../src/scenario/scenario-run.ts'
import { act, click, key, type } from './player.ts'

/** Random edits of a screen that follows its data, each compared with the screen made from the start. */

/** A scenario with one window. */
export const screen = (children: string, { vars = '{}', components = '{}', reactions = '[]' } = {}): string =>
  `vars: ${vars}
components: ${components}
states: {open: {windows: [{uid: app, bounds: {x: 0, y: 0, width: 800, height: 700}, tree: {id: top, role: Window, name: App, children: [${children}]}}]}}
reactions: ${reactions}`

/** A scenario with every form of live composition: filters, conditions, branches, components and repeats in repeats. */
export const BOARD = `
vars:
  show: all
  note: ''
  columns: [{id: todo, title: To do, tags: [{id: a, text: new}]}, {id: done, title: Done, tags: []}]
  cards:
    - {id: 1, column: todo, title: Fix the login, points: 3, done: false}
    - {id: 2, column: todo, title: Write the docs, points: 1, done: true}
    - {id: 3, column: done, title: Plan, points: 2, done: false}
  words: [one, two]
computed:
  left: cards.filter(c, !c.done)
  count: size(left)
components:
  card:
    params: {of: record, label: text}
    element:
      {id: card, role: Group, look: card, name: '{{ of.title }}', children: [
        {if: of.done, then: [{id: state, role: Text, name: '{{ label }} {{ of.points }}'}], else: [{id: state, role: Text, name: Open}, {id: hint, role: Text, name: 'Not yet: {{ of.title }}'}]},
        {id: title, role: Edit, name: Title, bind: of.title},
        {id: points, role: Spinner, name: Points, bind: of.points, value_min: 0, value_max: 99},
        {id: done, role: CheckBox, name: Done, bind: of.done},
        {id: shown, role: CheckBox, name: Shown, selected: '{{ of.points > 1 }}'},
        {id: memo, role: Edit, name: Memo},
        {id: remove, role: Button, name: Remove}]}
    reactions: [{on: {tool: click_element, target_id: remove}, set: [{var: of, remove: true}]}]
states:
  open:
    windows:
      - uid: board
        bounds: {x: 0, y: 0, width: 1000, height: 700}
        tree:
          role: Window
          name: Board
          children:
            - {id: note, role: Edit, name: Note, bind: note}
            - {if: note != "", role: Text, name: 'Note: {{ note }}'}
            - role: Pane
              name: Columns
              layout: {arrange: row}
              children:
                - repeat: columns
                  as: column
                  id: column
                  role: Pane
                  name: '{{ column.title }} ({{ size(cards.filter(c, c.column == column.id)) }})'
                  grow: 1
                  children:
                    - {repeat: column.tags, as: tag, id: tag, role: Text, name: '{{ tag.text }}'}
                    - {repeat: 'cards.filter(c, c.column == column.id && (show == "all" || c.done))', as: card, use: card, with: {of: '{{ card }}', label: '{{ column.title }}'}}
            - {id: fixed, role: Text, name: Below}
            - id: log
              role: ScrollArea
              name: Log
              height: 200
              children:
                - {repeat: cards, as: each, id: row, role: Group, name: '{{ each.title }}', layout: {arrange: row}, children: [{if: each.done, role: Text, name: Done}, {role: Text, name: '{{ each.title }}: {{ each.points }} points', grow: 1}, {id: flip, role: CheckBox, name: Flip, bind: each.done}]}
            - {id: count, role: Text, name: '{{ count }} left'}
            - {if: count > 1, role: Pane, name: Left, children: [{repeat: left, as: open, id: open, role: Edit, name: Open, bind: open.title}]}
            - {repeat: words, as: word, role: Text, name: '{{ word_index }} {{ word }}'}
`

/** A change of the data, or an action of the user. The numbers choose among what there is. */
type Edit = readonly [kind: (typeof KINDS)[number], at: number, value: number]

const KINDS = [
  'append',
  'remove',
  'move',
  'rename',
  'points',
  'done',
  'reverse',
  'column',
  'tag',
  'show',
  'note',
  'word',
  'click',
  'type',
  'key',
  'fork',
] as const

/** Some edits in a row. */
export const edits = (most: number): fc.Arbitrary<readonly Edit[]> =>
  fc.array(fc.tuple(fc.constantFrom(...KINDS), fc.nat(1000), fc.nat(1000)), {
    minLength: 1,
    maxLength: most,
    size: 'max',
  })

const TEXTS = ['A', 'Some longer words of a title that wrap in a narrow column', '', 'Grüße', '{{ note }}']

/** Plays edits. Compares the screen after each with one made again, and now and then with that of a new run with the data. */
export function playEdits(yaml: string, edits: readonly Edit[]): void {
  const scenario = parseScenario(yaml)
  let run = startScenario(scenario, { atMs: 0 })
  const runs = [run]
  let hasActed = false
  for (const [index, edit] of edits.entries()) {
    hasActed ||= edit[0] === 'click' || edit[0] === 'type' || edit[0] === 'key'
    run = edit[0] === 'fork' ? runs[edit[1] % runs.length]! : after(run, edit)
    runs.push(run)
    const again = withInstances(scenario.program!, run, run, () => true, true)
    expect(screenOf(run)).toEqual(screenOf(again))
    if (!hasActed && index % 5 === 4)
      expect(screenOf(run)).toEqual(screenOf(startScenario({ ...scenario, data: run.data }, { atMs: 0 })))
  }
}

/** Everything that an element is, without what it was made from. */
export const screenOf = ({ desktop }: ScenarioRun): readonly unknown[] =>
  desktop.windows.map(({ tree, focus }) => [focus, contentOf(tree)])

const contentOf = ({ children, traits: { instance, ...traits } = {}, ...fields }: Element): unknown => [
  JSON.stringify({ ...fields, traits, of: [instance?.id, instance?.item] }),
  children.map(contentOf),
]

function after(run: ScenarioRun, [kind, at, value]: Edit): ScenarioRun {
  const { cards = [], columns = [] } = run.data as Readonly<Record<string, readonly { readonly id: DataValue }[]>>
  const card = cards[at % Math.max(1, cards.length)]
  const column = columns[value % Math.max(1, columns.length)]
  const text = TEXTS[value % TEXTS.length]!
  const change = (fields: Readonly<Record<string, DataValue>>): DataChange => ({
    var: 'cards',
    where: (row) => row.id === card?.id,
    change: () => fields,
  })
  const make: Partial<Record<Edit[0], () => DataChange>> = {
    append: () => ({
      var: 'cards',
      // The keys repeat now and then.
      append: { id: at % 12, column: column?.id ?? 'todo', title: text, points: value % 7, done: value % 2 === 0 },
    }),
    remove: () => ({ var: 'cards', where: (row) => row.id === card?.id, remove: true }),
    move: () => change({ column: column?.id ?? 'todo' }),
    rename: () => change({ title: text }),
    points: () => change({ points: value % 100 }),
    done: () => change({ done: value % 2 === 0 }),
    reverse: () => ({ var: 'cards', to: cards.toReversed() as unknown as DataValue }),
    column: () =>
      columns.length > 3
        ? { var: 'columns', where: (row) => row.id === column?.id, remove: true }
        : { var: 'columns', append: { id: `c${at % 5}`, title: text, tags: [] } },
    tag: () => ({
      var: 'columns',
      where: (row) => row.id === column?.id,
      change: (row) => ({ tags: [...(row.tags as readonly DataValue[]), { id: `t${at % 6}`, text }].slice(-3) }),
    }),
    show: () => ({ var: 'show', to: value % 2 === 0 ? 'all' : 'done' }),
    note: () => ({ var: 'note', to: text }),
    word: () => ({ var: 'words', to: ['one', 'two', 'three', 'four'].slice(value % 3, (at % 4) + 1) }),
  }
  const made = make[kind]?.()
  if (made) {
    const result = changeData(run.scenario.program!.scope, run.data, made)
    return 'message' in result ? run : showData(run, runWith(run, { data: result.data }))
  }
  if (kind === 'type') return unlessRefused(run, () => type(run, TEXTS[value % TEXTS.length]! || '7'))
  if (kind === 'key') return unlessRefused(run, () => key(run, ['Tab', 'BackSpace', 'Up', 'Space'][value % 4]!))
  const targets = [...walk(run.desktop.windows[0]!.tree)].filter(({ role }) =>
    /Edit|CheckBox|Spinner|Button/.test(role),
  )
  return unlessRefused(run, () => click(run, targets[at % targets.length]!.id))
}

/** The run after an action, or before one that the desktop does not take. */
function unlessRefused(run: ScenarioRun, action: () => ScenarioRun): ScenarioRun {
  try {
    return action()
  } catch (error) {
    if (error instanceof Fault) return run
    throw error
  }
}

/** What random changes of any data draw values from: those of the start, and some more. */
interface ValuePool {
  readonly texts: readonly string[]
  readonly numbers: readonly number[]
}

function poolOf(value: DataValue): ValuePool {
  const all = leavesOf(value)
  return {
    texts: [...new Set([...all.filter((each) => typeof each === 'string'), ...TEXTS])],
    numbers: [...new Set([...all.filter((each) => Number.isInteger(each)).map(Number), 0, 1, 2, 12])],
  }
}

function leavesOf(value: DataValue): readonly DataValue[] {
  return typeof value === 'object' && value !== null && !(value instanceof Date)
    ? Object.values(value).flatMap((part) => leavesOf(part as DataValue))
    : [value]
}

/** A value of the kind of another. */
function otherThan(value: DataValue, { texts, numbers }: ValuePool, at: number): DataValue {
  if (typeof value === 'string') return texts[at % texts.length]!
  if (typeof value === 'boolean') return at % 2 === 0
  if (typeof value === 'number') return Number.isInteger(value) ? numbers[at % numbers.length]! : value + (at % 5) + 0.5
  return value
}

/** A change of any data: of a record, of the records of a list and their order, or of another value. */
export type DataEdit = readonly [kind: (typeof DATA_KINDS)[number], variable: number, at: number, value: number]

const DATA_KINDS = [
  'append',
  'remove',
  'change',
  'change',
  'reverse',
  'click',
  'type',
  'key',
  'scroll',
  'fork',
] as const

/** Some changes of any data and actions in a row. */
export const dataEdits = (most: number): fc.Arbitrary<readonly DataEdit[]> =>
  fc.array(fc.tuple(fc.constantFrom(...DATA_KINDS), fc.nat(1000), fc.nat(1000), fc.nat(1000)), {
    minLength: most,
    maxLength: most,
    size: 'max',
  })

/**
 * A record that becomes its own parent is shown in itself, until no more elements are made: thousands, at every edit. So many are
 * compared a few times; then the edits go on from the start.
 */
const MANY_ELEMENTS = 2000
const MAX_MANY = 2

/**
 * Plays edits of the data of any scenario, and actions. After each, its screen is the one that is made again. Returns the last run.
 * @param faults Faults that disturb the run.
 */
export function playDataEdits(
  scenario: Scenario,
  edits: readonly DataEdit[],
  faults: readonly ChosenFault[] = [],
): ScenarioRun {
  let run = startScenario(scenario, { atMs: 0, faults })
  const pool = poolOf(scenario.data as DataValue)
  const runs = [run]
  let many = 0
  for (const edit of edits) {
    if (many === MAX_MANY && hasMany(run)) run = runs[0]!
    run = edit[0] === 'fork' ? runs[edit[2] % runs.length]! : edited(run, edit, pool)
    if (hasMany(run)) {
      if (many === MAX_MANY) continue
      many++
    }
    runs.push(run)
    const again = withInstances(scenario.program!, run, run, () => true, true)
    // Texts are compared much faster than values.
    expect(JSON.stringify(screenOf(run))).toBe(JSON.stringify(screenOf(again)))
  }
  return run
}

const hasMany = ({ desktop }: ScenarioRun): boolean =>
  desktop.windows.some(({ tree }) => countNodes(tree) > MANY_ELEMENTS)

function edited(run: ScenarioRun, [kind, variable, at, value]: DataEdit, pool: ValuePool): ScenarioRun {
  const names = Object.keys(run.data)
  const name = names[variable % names.length]!
  const { tree, uid } = run.desktop.windows[0]!
  const nodes = [...walk(tree)]
  const target = nodes[at % nodes.length]!
  const made = (): DataChange | undefined => changeOf(name, run.data[name]!, [kind, variable, at, value], pool)
  switch (kind) {
    case 'click':
      return unlessRefused(run, () => click(run, target.id))
    case 'type':
      return unlessRefused(run, () => type(run, pool.texts[value % pool.texts.length]! || '7'))
    case 'key':
      return unlessRefused(run, () => key(run, ['Tab', 'BackSpace', 'Down', 'Up', 'Space', 'End'][value % 6]!))
    case 'scroll':
      return unlessRefused(
        run,
        () => act(run, { type: 'scroll', clicks: (value % 9) - 5, target: { window: uid, element: target.id } }).run,
      )
    case 'append':
    case 'remove':
    case 'change':
    case 'reverse':
    case 'fork': {
      const change = made()
      if (!change) return run
      const result = changeData(run.scenario.program!.scope, run.data, change)
      return 'message' in result ? run : showData(run, runWith(run, { data: result.data }))
    }
  }
}

function changeOf(
  name: string,
  now: DataValue,
  [kind, , at, value]: DataEdit,
  pool: ValuePool,
): DataChange | undefined {
  if (now === null || !isList(now)) {
    if (typeof now !== 'object' || now === null) return { var: name, to: otherThan(now, pool, value) }
    return undefined
  }
  const record = now[at % Math.max(1, now.length)]
  if (kind === 'reverse') return { var: name, to: now.toReversed() }
  if (record === undefined || record === null || typeof record !== 'object' || record instanceof Date || isList(record))
    return undefined
  const fields = Object.keys(record)
  const field = fields[value % fields.length]!
  const whole = record as Readonly<Record<string, DataValue>>
  // Records with the key of another now and then.
  if (kind === 'append')
    return {
      var: name,
      append: { ...whole, id: otherThan(whole.id!, pool, value), [field]: otherThan(whole[field]!, pool, at) },
    }
  const where = (row: Readonly<Record<string, DataValue>>) => row === whole
  if (kind === 'remove') return now.length > 1 ? { var: name, where, remove: true } : undefined
  return { var: name, where, change: () => ({ [field]: otherThan(whole[field]!, pool, at) }) }
}
