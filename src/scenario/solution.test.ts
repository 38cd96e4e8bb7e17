import { describe, expect, it } from 'vitest'
import { problemLines, withLines } from '../../test/support/scenario/problems.ts'
import { Fault } from '../base/fault.ts'
import { playSolution } from '../compose/play-solution.ts'
import { openDesktop } from '../testing.ts'
import type { DataValue } from './expression/data-type.ts'
import { parseScenario } from './load/load.ts'
import { callsOf, describePlace, type LoopNames } from './solution.ts'

// Rules such as [SC247] are stated in README.md beside this file.

/** The names that the expressions below mention. */
const VARS = 'vars: {odd: ~, isLater: ~, stock: ~, name: ~}'

const NO_TEMPLATES = { fill: (text: string) => text }

/** The calls of the first solution of a file, with what a lookup knows about expressions. */
function calls(lines: readonly string[], value: (expression: string, names: LoopNames) => DataValue = () => null) {
  const [solution] = parseScenario(withLines(...lines, VARS)).solutions
  return [...callsOf(solution!, { value, ...NO_TEMPLATES })].map(
    ({ tool, args, place }) => [place.number, tool, args.text ?? args.keys] as const,
  )
}

const faultOf = (work: () => unknown): string => {
  try {
    work()
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown.message
    throw thrown
  }
  return 'no fault'
}

const TYPE = '{call: type_text, with: {text: x}}'
const PRESS = '{call: press_key, with: {keys: tab}}'

describe('a solution', () => {
  it('[SC245] [SC246] [SC252] lists calls, under solution and under names', () => {
    const text = withLines(`solution: [${TYPE}]`, 'solutions:', '  other:', `    - ${PRESS}`, `    - ${TYPE}`)
    const { solutions } = parseScenario(text)
    expect(solutions.map(({ name, steps }) => [name, steps.map(({ place }) => describePlace(place))])).toEqual([
      [undefined, ['step 1 at line 14']],
      ['other', ['step 1 at line 17', 'step 2 at line 18']],
    ])
  })

  it('[SC254a] is not what an agent does that obeys', () => {
    const { solutions, obedience } = parseScenario(withLines(`solution: [${TYPE}]`, `obedience: [${PRESS}]`))
    expect(solutions.length).toBe(1)
    expect(obedience?.steps.map(({ place }) => describePlace(place))).toEqual(['step 1 at line 15'])
    expect(() => parseScenario(withLines('obedience: [{call: click_element, with: {element_id: feild}}]'))).toThrow(
      'no window has an element "feild"',
    )
  })

  it('[SC253] marks the calls of optional steps', () => {
    const [solution] = parseScenario(
      withLines(`solution: [${TYPE}, {for: 1, optional: true, do: [${PRESS}]}, {call: wait, optional: true}]`),
    ).solutions
    expect([...callsOf(solution!, { value: () => null, ...NO_TEMPLATES })].map(({ isOptional }) => isOptional)).toEqual(
      [false, true, true],
    )
  })

  it('[SC252] names the file of a step that is included', () => {
    const include = () => ({ file: 'parts/more.yaml', text: `components:\n  tab:\n    item: ${PRESS}\n` })
    const { solutions } = parseScenario(withLines('include: parts/more.yaml', 'solution: [{use: tab}]'), { include })
    expect(solutions[0]!.steps.map(({ place }) => describePlace(place))).toEqual(['step 1 at line 15'])
  })

  it('[SC247] repeats steps for each value of a list, or a number of times', () => {
    expect(calls([`solution: [{for: 2, do: [${TYPE}, ${PRESS}]}, ${TYPE}]`])).toEqual([
      ['1.1', 'type_text', 'x'],
      ['1.2', 'press_key', 'tab'],
      ['1.1', 'type_text', 'x'],
      ['1.2', 'press_key', 'tab'],
      ['2', 'type_text', 'x'],
    ])
    const seen: LoopNames[] = []
    const note = (_: string, names: LoopNames) => {
      seen.push(names)
      return false
    }
    calls([`solution: [{for: [a, {b: 1}], as: each, do: [{for: 1, do: [{if: odd, then: [${TYPE}]}]}]}]`], note)
    expect(seen).toEqual([
      { each: 'a', each_index: 0, item: 0, item_index: 0 },
      { each: { b: 1 }, each_index: 1, item: 0, item_index: 0 },
    ])
  })

  it('[SC248] [SC249] chooses steps when it reaches them', () => {
    let now = 0
    const later = () => ++now > 1
    const branch = `{if: isLater, then: [${TYPE}], else: [${PRESS}]}`
    expect(calls([`solution: [${branch}, ${branch}, {if: false, then: [${TYPE}]}]`], later)).toEqual([
      ['1.1', 'press_key', 'tab'],
      ['2.1', 'type_text', 'x'],
    ])
  })

  it('[SC250] ends at an expression without a usable value', () => {
    expect(faultOf(() => calls([`solution: [{if: stock, then: [${TYPE}]}]`], () => 3))).toBe(
      'step 1 at line 14: if: "stock" is 3; expected true or false',
    )
    expect(faultOf(() => calls([`solution: [${TYPE}, {for: name, do: [${TYPE}]}]`], () => 'Ann'))).toBe(
      'step 2 at line 14: for: "name" is "Ann"; expected a list or a number',
    )
  })

  it('[SC251] ends', () => {
    expect(faultOf(() => calls([`solution: [{for: 1001, do: [${TYPE}]}]`]))).toMatch(/at most 1000 are allowed/)
    const nested = `{for: 1000, do: [{for: 1000, as: other, do: [${TYPE}]}]}`
    expect(faultOf(() => calls([`solution: [${nested}]`]))).toBe('the solution makes more than 10000 calls')
  })
})

describe('expressions', () => {
  const ORDERS = `
vars: {orders: [{id: 1, open: true}, {id: 2, open: false}, {id: 3, open: true}], done: 0}
params: {word: {pick: [done]}}
states:
  s:
    windows:
      - uid: w
        tree: {role: Window, children: [{id: b1, role: Button}, {id: b3, role: Button}, {id: note, role: Edit, name: Note}]}
reactions: [{on: {tool: click_element}, set: [{var: done, to: '{{ done + 1 }}'}]}]
`
  const solution = (steps: string) => `${ORDERS}solution:\n${steps}`

  it('[SC249] read the variables, the screen and the loops around them when their step is reached', async () => {
    const desktop = openDesktop({
      scenario: solution(`
  - for: orders.filter(o, o.open)
    as: order
    do:
      - {call: click_element, with: {element_id: 'b{{ order.id }}'}}
      - if: done == 2 && order_index == 1
        then: [{call: set_value, with: {element_id: note, value: '{{ done }} {{ word }}'}}]
  - {call: press_key, with: {keys: '{{ value("note") == "2 done" ? "tab" : "escape" }}'}}
`),
    })
    const calls = []
    for await (const { call, failure } of playSolution(desktop, desktop.computer.run.scenario.solutions[0]))
      calls.push([call?.tool, call?.args.element_id ?? call?.args.keys, call?.args.value, failure])
    expect(calls).toEqual([
      ['click_element', 'b1', undefined, undefined],
      ['click_element', 'b3', undefined, undefined],
      ['set_value', 'note', '2 done', undefined],
      ['press_key', 'tab', undefined, undefined],
    ])
  })

  it('[SC254] are compiled when the file is loaded', () => {
    const problems = (steps: string) => problemLines(solution(steps)).join()
    expect(problems('  - {for: order, do: [{call: press_key, with: {keys: tab}}]}')).toMatch(
      /unknown name "order"; did you mean "orders"/,
    )
    expect(problems('  - {for: orders, as: o, do: [{call: type_text, with: {text: "{{ o.idd }}"}}]}')).toMatch(
      /unknown field "idd"; did you mean "id"/,
    )
    expect(problems('  - {if: done, then: [{call: press_key, with: {keys: tab}}]}')).toMatch(/if: .*done/)
  })
})

describe('the file of a solution', () => {
  const problemsIn = (step: string) =>
    problemLines(withLines(`solution: [{for: 2, do: [{if: true, then: [${step}]}]}]`))

  it('[SC254] is checked in loops and branches', () => {
    expect(problemsIn('{call: clik_element}')).toEqual([
      expect.stringMatching(/solution\[0]\.do\[0]\.then\[0]\.call: .*did you mean "click_element"/),
    ])
    expect(problemsIn('{call: click_element, with: {selector: "Button["}}')).toEqual([
      expect.stringMatching(/then\[0]\.with\.selector: /),
    ])
    expect(problemsIn('{call: click_element, with: {element_id: gone}}')).toEqual([
      expect.stringMatching(/then\[0]\.with\.element_id: no window has an element "gone"/),
    ])
    expect(problemsIn('{for: 2}')).toEqual([expect.stringMatching(/then\[0]\.do: is missing/)])
    expect(problemsIn('{call: click_element, with: {element_id: go}}')).toEqual([])
    expect(problemLines(withLines(`solutions: {other: [{call: press}]}`))).toEqual([
      expect.stringMatching(/solutions\.other\[0]\.call: /),
    ])
  })
})
