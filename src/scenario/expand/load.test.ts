import { describe, expect, it } from 'vitest'
import { Fault } from '../../base/fault.ts'
import { walk } from '../../desktop/model/element.ts'
import { type ParseOptions, parseScenario } from '../load/load.ts'
import { startScenario } from '../run/step.ts'
import { withSeed } from '../seeds.ts'

const ORDERS = `
name: orders
task: Open the order of {{ wanted.name }}.
params:
  people: {fake: person, count: 3, unique: name}
  wanted: {pick: "{{ people }}"}
components:
  row:
    params: {id: text, label: text}
    element: {id: "{{ id }}", role: Button, name: "{{ label }}"}
    reactions:
      - {on: {tool: click_element, target_id: "{{ id }}"}, set: [{id: answer, name: "Order of {{ label }}"}]}
states:
  list:
    windows:
      - uid: app
        title: Orders of {{ size(people) }} people
        tree:
          role: Window
          children:
            - {repeat: people, as: person, use: row, with: {id: "order-{{ person_index }}", label: "{{ person.name }}"}}
            - {id: answer, role: Text, name: Nothing is open.}
  closed: {extends: list, set: [{id: answer, name: Closed.}]}
oracles:
  success: [{kind: text_visible, regex: "Order of {{ wanted.name }}"}]
`

const load = (text: string, options: ParseOptions = {}) => parseScenario(text, { file: 'orders.yaml', ...options })

function problemsOf(text: string, options: ParseOptions = {}): readonly string[] {
  try {
    load(text, options)
  } catch (error) {
    if (error instanceof Fault) return error.message.split('\n').filter((line) => /^\S+:\d+:\d+: /.test(line))
    throw error
  }
  return []
}

describe('a composed scenario', () => {
  it('[EXP39] loads as the scenario that it stands for', () => {
    const { states, reactions, task, oracles } = load(ORDERS)
    const [list, closed] = [...states.values()]
    const names = [...walk(list!.windows[0]!.tree)].map(({ role, name }) => `${role} ${name}`)
    expect(list!.windows[0]!.title).toBe('Orders of 3 people')
    expect(names.filter((name) => name.startsWith('Button'))).toHaveLength(3)
    expect(reactions).toHaveLength(3)
    const wanted = /Open the order of (.+)\./.exec(task ?? '')?.[1]
    expect(names).toContain(`Button ${wanted}`)
    expect(oracles.success).toEqual([{ kind: 'text_visible', regex: `Order of ${wanted}` }])
    expect([...walk(closed!.windows[0]!.tree)].map(({ name }) => name)).toContain('Closed.')
  })

  it('[EXP40] gives other values for another seed, and the same for the same', () => {
    const scenario = load(ORDERS)
    const tasks = [1, 2, 3, 4, 5].map((seed) => startScenario(scenario, { seed, atMs: 0 }).scenario.task)
    expect(new Set(tasks).size).toBeGreaterThan(3)
    expect(tasks[0]).toBe(scenario.task)
    expect(withSeed(scenario, 3).task).toBe(load(ORDERS, { seed: 3 }).task)
    expect(withSeed(withSeed(scenario, 3), 1).task).toBe(scenario.task)
  })

  it('[EXP46] is the same whether other seeds were loaded before or not', () => {
    const scenario = load(ORDERS)
    const partsOf = ({ task, states, windows, data, reactions, oracles, solutions }: typeof scenario) => ({
      ...{ task, states, windows, data, reactions, oracles, solutions },
    })
    const seeds = [7, 2, 9, 2, 4, 7]
    expect(seeds.map((seed) => partsOf(withSeed(scenario, seed)))).toEqual(
      seeds.map((seed) => partsOf(load(ORDERS, { seed }))),
    )
  })

  it('[EXP47] reads an included file again for another seed, which may have changed', () => {
    let label = 'Save'
    const include = () => ({
      file: 'parts.yaml',
      text: `components: {save: {element: {id: save, role: Button, name: "${label} {{ 1 + 1 }}"}}}`,
    })
    const scenario = load(
      'include: parts.yaml\nparams: {n: {between: [1, 99]}}\nstates: {s: {windows: [{uid: a, tree: {role: Window, children: [{use: save}]}}]}}',
      { include },
    )
    const nameIn = (seed: number) => withSeed(scenario, seed).states.get('s')?.windows[0]?.tree.children[0]?.name
    const before = nameIn(2)
    label = 'Keep'
    expect([before, nameIn(3), nameIn(2)]).toEqual(['Save 2', 'Keep 2', 'Save 2'])
  })

  it('[EXP48] is checked where it is written, also in the files that it includes', () => {
    const include = (path: string) =>
      path === 'parts.yaml'
        ? { file: path, text: 'components:\n  bad: {element: {id: x, role: Button, nmae: Save}}\n' }
        : { message: `there is no file ${path}` }
    const text =
      'include: parts.yaml\nstates: {s: {windows: [{uid: a, tree: {role: Window, children: [{use: bad}, {rol: Text}]}}]}}'
    expect(problemsOf(text, { include })).toEqual([
      expect.stringMatching(
        /^orders\.yaml:2:\d+: states\.s\.windows\[0\]\.tree\.children\[1\]\.rol: unknown key "rol"/,
      ),
      expect.stringMatching(
        /^parts\.yaml:2:\d+: states\.s\.windows\[0\]\.tree\.children\[0\]\.nmae: unknown key "nmae"/,
      ),
    ])
    expect(problemsOf('include: none.yaml\nstates: {s: {}}', { include })).toEqual([
      'orders.yaml:1:10: there is no file none.yaml',
    ])
  })

  it('[EXP2] keeps what a template gives for a text a text', () => {
    const { states } = load('params: {n: 5}\nstates: {s: {windows: [{uid: a, title: "{{ n }}"}]}}')
    expect(states.get('s')?.windows[0]?.title).toBe('5')
  })

  it('[EXP49] may not grow beyond the values that a caller may send', () => {
    const text =
      'params: {n: 5}\nstates: {s: {windows: [{uid: a, tree: {role: Pane, children: [{repeat: 5000, role: Text}]}}]}}'
    expect(problemsOf(text)).toEqual([])
    expect(problemsOf(text, { maxValues: 5000 })).toEqual(['orders.yaml:1:1: the file makes more than 5000 values'])
  })
})
