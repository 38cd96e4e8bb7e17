import { readFileSync } from 'node:fs'
import { Fault } from '../../../src/base/fault.ts'
import type { Action } from '../../../src/desktop/input/action.ts'
import { type Element, nodeById } from '../../../src/desktop/model/element.ts'
import { centerOf } from '../../../src/desktop/model/geometry.ts'
import { parseScenario } from '../../../src/scenario/load/load.ts'
import { type ScenarioStep, startScenario, stepScenario } from '../../../src/scenario/run/step.ts'
import type { ScenarioRun } from '../../../src/scenario/scenario-run.ts'

/** Helpers for tests of runs: start a scenario, act on elements by id, and read the result. */

/** The run of a scenario at time 0. */
export const begin = (yaml: string, seed?: number): ScenarioRun =>
  startScenario(parseScenario(yaml), { atMs: 0, ...(seed === undefined ? {} : { seed }) })

/** The run of a gallery scenario at time 0. */
export const gallery = (file: string): ScenarioRun =>
  startScenario(parseScenario(readFileSync(new URL(`../../../scenarios/${file}`, import.meta.url), 'utf8')), {
    atMs: 0,
  })

/** The run after an action. */
export const act = (run: ScenarioRun, action: Action): ScenarioStep => stepScenario(run, { type: 'action', action })
/** The run at a later time. */
export const until = (run: ScenarioRun, nowMs: number): ScenarioRun => stepScenario(run, { type: 'tick', nowMs }).run

/** The window that contains an element. */
const windowHolding = (run: ScenarioRun, id: string, uid?: string) =>
  run.desktop.windows.find((window) => (uid ?? window.uid) === window.uid && nodeById(window.tree, id))!

/** The element with an id, in any window. */
export const element = (run: ScenarioRun, id: string, uid?: string): Element =>
  nodeById(windowHolding(run, id, uid).tree, id)!
/** The reference to the element with an id, as actions use it. */
export const target = (run: ScenarioRun, id: string, uid?: string) => ({
  window: windowHolding(run, id, uid).uid,
  element: id,
})
/** The centre of an element. */
export const at = (run: ScenarioRun, id: string, uid?: string) => centerOf(element(run, id, uid).bounds)

/** A click on an element. */
export const click = (run: ScenarioRun, id: string, uid?: string): ScenarioRun =>
  act(run, { type: 'click', at: at(run, id, uid), button: 'left', count: 1, target: target(run, id, uid) }).run
/** Text typed into the focused element. */
export const type = (run: ScenarioRun, text: string): ScenarioRun => act(run, { type: 'type', text }).run
/** A key or chord. */
export const key = (run: ScenarioRun, keys: string): ScenarioRun => act(run, { type: 'key', keys }).run
/** Sets a value. */
export const setValue = (run: ScenarioRun, id: string, value: string): ScenarioRun =>
  act(run, { type: 'set_value', at: at(run, id), target: target(run, id), value, clearFirst: true }).run

/** A window of two fields, a button and a list, with the given reactions. */
export const form = (...more: readonly string[]): string =>
  [
    'states:',
    '  start:',
    '    windows:',
    '      - uid: main',
    '        title: Main',
    '        bounds: {x: 100, y: 100, width: 600, height: 400}',
    '        tree:',
    '          role: Window',
    '          name: Main',
    '          children:',
    '            - {id: name, role: Edit, name: Name, value: ""}',
    '            - {id: note, role: Edit, name: Note, value: ""}',
    '            - {id: ok, role: Button, name: OK, presses: enter, keyboard_shortcut: ctrl+k}',
    '            - {id: status, role: Text, name: Ready}',
    '            - id: fruit',
    '              role: List',
    '              name: Fruit',
    '              children: [{id: apple, role: ListItem, name: Apple}, {id: pear, role: ListItem, name: Pear}]',
    '  end:',
    '    windows: [{uid: main, title: End, tree: {role: Window, name: End}}]',
    ...more,
  ].join('\n')

/** A form with one reaction. */
export const reacting = (on: string, rest = 'transition_to: end'): ScenarioRun =>
  begin(form('reactions:', `  - {on: ${on}, ${rest}}`))

/** The code of the fault that a function throws, or `none`. */
export const faultOf = (action: () => unknown): string => {
  try {
    action()
  } catch (error) {
    if (error instanceof Fault) return error.code
    throw error
  }
  return 'none'
}
