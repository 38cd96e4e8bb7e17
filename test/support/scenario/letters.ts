import { Fault } from '../../../src/base/fault.ts'
import { walk } from '../../../src/desktop/model/element.ts'
import { parseScenario } from '../../../src/scenario/load/load.ts'
import type { Scenario } from '../../../src/scenario/scenario.ts'
import { withVariant } from '../../../src/scenario/seeds.ts'
import type { AuthoredChoices } from '../../../src/scenario/variants/axis.ts'

/** The file of a letter. */
export const LETTERS = `
name: letters
task: Save the letter.
synonyms: {Save: [Store, Keep]}
locales:
  de: {Save: Speichern, Letter: Brief, Save the letter.: Sichere den Brief., "Saved {{ what }}.": "{{ what }} ist gesichert.", "Total 1,234.50 on 2026-03-02": "Summe 1,234.50 am 2026-03-02"}
  he: {Save: שמור}
invariant: {overlap: The windows are compared side by side.}
states:
  open:
    windows:
      - uid: app
        title: Letter
        bounds: {x: 200, y: 120, width: 480, height: 360}
        tree:
          role: Window
          name: Letter
          children:
            - {id: save, role: Button, name: Save}
            - {id: fixed, role: Button, name: A long name, bounds: {x: 560, y: 400, width: 100, height: 28}}
            - {role: Text, name: "Total 1,234.50 on 2026-03-02"}
            - {id: status, role: Text, name: Not saved.}
            - {id: list, role: List, name: Files, children: [{role: ListItem, name: a}, {role: ListItem, name: b}, {role: ListItem, name: c}]}
      - uid: ask
        title: Ask
        modal_to: app
        bounds: {x: 240, y: 160, width: 200, height: 120}
        tree: {role: Dialog, name: Ask}
reactions:
  - {on: {tool: click_element, target_name: Save}, set: [{id: status, name: Saved it.}]}
  - {on: {tool: click_element, target_id: root.4.1}, set: [{id: fixed, bounds: {x: 300, y: 300, width: 10, height: 10}}]}
oracles:
  success: [{kind: text_visible, regex: "^Saved it\\\\.$"}, {kind: element_exists, selector: 'Window/Button "Save"'}]
solution:
  - {call: click_element, with: {selector: 'Button "Save"'}}
  - {call: click_at, with: {x: 300, y: 200}}
  - {call: focus_element, with: {selector: 'Window "Letter"'}}
`
/** A letter in a window, with synonyms and two languages. */
export const file = parseScenario(LETTERS, { file: 'letters.yaml' })

/** The letter in a variant. */
export const varied = (variant: AuthoredChoices, seed?: number) => withVariant(file, variant, seed)
/** A window of the first state. */
export const windowIn = (scenario: Scenario, uid = 'app') =>
  [...scenario.states.values()][0]!.windows.find((window) => window.uid === uid)!
/** The names of all elements of the window, in their order. */
export const namesIn = (scenario: Scenario) => [...walk(windowIn(scenario).tree)].map(({ name }) => name)
/** The arguments of a step of the first solution. */
export const argumentsIn = ({ solutions }: Scenario, index: number): Readonly<Record<string, unknown>> => {
  const placed = solutions[0]!.steps[index]!
  return placed.kind === 'call' ? placed.step.with : {}
}
/** An element of the window by its id. */
export const elementIn = (scenario: Scenario, id: string) =>
  [...walk(windowIn(scenario).tree)].find((node) => node.id === id)!

/** The code and message of the fault that some work throws. */
export function faultOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof Fault) return `${error.code}: ${error.message}`
    throw error
  }
  return 'none'
}
