import { expect, it } from 'vitest'
import { proveScenario } from './proof.ts'
import { loadScenario } from './scenario/load.ts'

it('does nothing for as long as the solution took, so that what only has to be awaited is not proven', async () => {
  const waiting = loadScenario(
    [
      'states: {a: {windows: [{uid: w, tree: {role: Window, children: [{id: said, role: Text, name: Wait}]}}]}}',
      'timers: [{after_ms: 3000, set: [{id: said, name: Ready}]}]',
      'solution: [{call: wait_for, with: {any_of: [{type: text_visible, regex: Ready}], timeout_ms: 5000}}]',
      'oracles: {success: [{kind: text_visible, regex: Ready}]}',
    ].join('\n'),
  )
  const [solution, idle] = await proveScenario(waiting)
  expect([solution, idle]).toEqual([
    { name: 'solution', holds: true, said: '1 steps' },
    { name: 'idle', holds: false, said: 'doing nothing passes the success oracles' },
  ])
})
