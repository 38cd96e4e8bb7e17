import { expect, it } from 'vitest'
import { describeChange, describeInfeasible, describeOracle, oracleLine } from './describe.ts'
import { parseScenario } from './load/load.ts'
import { runAt } from './run/elapse.ts'
import { startScenario, stepScenario } from './run/step.ts'
import type { Oracle } from './schema/oracles.ts'

// Rules such as [SC259] are stated in README.md beside this file.

const SCENARIO = `
events: {sent: {n: any}}
states:
  form: {windows: [{uid: w, tree: {role: Window, children: [{id: go, role: Button, name: Go}]}}]}
  done: {}
reactions:
  - {id: send, on: {tool: click_element, target_id: go}, set: [{emit: sent, with: {n: four}}]}
timers:
  - {in: form, after_ms: 1000, set: [{log: late}], transition_to: done}
  - {in: done, after_ms: 300, set: [{log: last}]}
`

it('[SC259] a change has its reaction, its timers, the entries of the log, and the transition', () => {
  const start = startScenario(parseScenario(SCENARIO), { atMs: 0 })
  const { run, reactions } = stepScenario(start, {
    type: 'action',
    action: { type: 'invoke', target: { window: 'w', element: 'go' }, at: { x: 1, y: 1 } },
  })
  expect(describeChange(start, run, { reactions, timers: [] })).toEqual([
    { kind: 'reaction', text: 'reactions[0]: click_element go (send)' },
    { kind: 'log', text: 'event sent {"n":"four"}' },
  ])
  const timers: number[] = []
  const later = runAt(run, 2000, (timer) => timers.push(timer))
  expect(describeChange(run, later, { reactions: [], timers })).toEqual([
    { kind: 'timer', text: 'timers[0]: after 1000 ms in form' },
    { kind: 'timer', text: 'timers[1]: after 300 ms in done' },
    { kind: 'log', text: 'late' },
    { kind: 'log', text: 'last' },
    { kind: 'transition', text: 'form → done' },
  ])
  expect(describeChange(later, later, { reactions: [], timers: [] })).toEqual([])
})

// Rules such as [SC260] are stated in README.md beside this file.

const describe = (oracle: object) => describeOracle(oracle as Oracle)

it('[SC260] an oracle has its kind, what it demands, and its message', () => {
  const authored = { kind: 'value_equals', selector: 'Edit "Name"', expected: { a: 1 }, weight: 2 }
  const described = describe(authored)
  expect(described).toEqual({
    kind: 'value_equals',
    text: 'selector Edit "Name", expected {"a":1}',
    message: undefined,
  })
  expect(oracleLine(described)).toBe('value_equals: selector Edit "Name", expected {"a":1}')
  expect(oracleLine(describe({ ...authored, message: 'the name is there' }))).toBe('the name is there')
  expect(oracleLine(describe({ kind: 'finished' }))).toBe('finished')
  expect(describe({ kind: 'text_visible', regex: 'x'.repeat(400) }).text).toBe(`regex ${'x'.repeat(294)}…`)
  expect(oracleLine(describeInfeasible({ when: true, reason: 'no printer' }))).toBe(
    'infeasible: the agent reports that the task is impossible: no printer',
  )
})
