import { expect, it } from 'vitest'
import { parseScenario } from '../scenario/load/load.ts'
import { verifyScenario } from './verify.ts'

it('fails the idle check when waiting as long as the solution solves the scenario', async () => {
  const waiting = parseScenario(
    [
      'states: {a: {windows: [{uid: w, tree: {role: Window, children: [{id: said, role: Text, name: Wait}]}}]}}',
      'timers: [{after_ms: 3000, set: [{id: said, name: Ready}]}]',
      'solution: [{call: wait_for, with: {any_of: [{type: text_visible, regex: Ready}], timeout_ms: 5000}}]',
      'oracles: {success: [{kind: text_visible, regex: Ready}]}',
    ].join('\n'),
  )
  const [solution, idle] = await verifyScenario(waiting)
  expect([solution, idle]).toEqual([
    { name: 'solution', passed: true, message: '1 steps' },
    { name: 'idle', passed: false, message: 'doing nothing passes the success oracles' },
  ])
})
