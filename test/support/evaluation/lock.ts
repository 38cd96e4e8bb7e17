import { parseScenario } from '../../../src/scenario/load/load.ts'

/** A scenario of a lock with a code that only a sum gives. The field of the code has a description. */
export const lockScenario = (description: string, ...more: readonly string[]) =>
  parseScenario(
    [
      'task: Enter the sum of the two numbers.',
      'vars: {opened: []}',
      'states: {a: {windows: [{uid: w, title: Lock, tree: {role: Window, children: [',
      '  {id: sum, role: Text, name: 2100 and 2830},',
      `  {id: code, role: Edit, name: Code, value: "", description: ${description}},`,
      '  {id: open, role: Button, name: Open}, {id: shut, role: Button, name: Shut}]}}]}}',
      'reactions:',
      '  - {on: {tool: click_element, target_id: open}, when: [{id: code, value: "4930"}], set: [{var: opened, append: open}]}',
      '  - {on: {tool: click_element, target_id: shut}, set: [{var: opened, append: shut}]}',
      'solution:',
      '  - {call: set_value, with: {selector: Edit "Code", value: "4930"}}',
      '  - {call: click_element, with: {selector: Button "Open"}}',
      'oracles:',
      `  success: [{kind: expression, expression: "opened == ['open']", message: the lock was opened once}]`,
      ...more,
    ].join('\n'),
  )
