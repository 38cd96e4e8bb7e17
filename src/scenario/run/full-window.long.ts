import { expect, it } from 'vitest'
import { countNodes } from '../../desktop/model/element.ts'
import { parseScenario } from '../load/load.ts'
import { runAt } from './elapse.ts'
import { startScenario } from './step.ts'

// Rules such as [SC243] are stated in ../SPEC.md.

it('[SC243] appends nothing in a window that is full', () => {
  const children = Array.from({ length: 49_997 }, () => '{}').join(',')
  const scenario = parseScenario(`
states:
  a: {windows: [{uid: w, title: W, bounds: {x: 0, y: 0, width: 200, height: 100}, tree: {role: Window, children: [{id: list, role: Pane, bounds: {x: 0, y: 0, width: 9, height: 9}, children: [${children}]}]}}]}
timers:
  - {every_ms: 10, set: [{window: w, id: list, append: [{role: Text, name: more}]}]}
`)
  const after = runAt(startScenario(scenario, { atMs: 0 }), 50)
  expect(countNodes(after.desktop.windows[0]!.tree)).toBe(50_000)
})
