import { describe, expect, it } from 'vitest'
import { parseScenario } from '../../scenario/load/load.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { firstDifference, POINTER_DOOR_CHECKS, playOverObserver, playThroughDoor, wayToDoor } from './equal-doors.ts'

// Rules such as [EV97d] are stated in README.md of the evaluation.

const FORM = (solution: string, reactions = '') =>
  parseScenario(
    `
vars: {name: Ada, colour: red, size: 3, notes: "", opened: 0, moved: 0, orders: [{id: 1, done: false}, {id: 2, done: false}]}
states:
  a:
    windows:
      - uid: form
        title: Form
        bounds: {x: 100, y: 60, width: 420, height: 420}
        tree:
          role: Window
          name: Form
          layout: {gap: 8, padding: 12}
          children:
            - {id: name, role: Edit, name: Name, bind: name}
            - {id: colour, role: ComboBox, name: Colour, bind: colour, children: [{role: ListItem, name: red}, {role: ListItem, name: green}]}
            - {id: size, role: Slider, name: Size, bind: size, value_min: 0, value_max: 9}
            - {id: long, role: ScrollArea, name: Orders, height: 60, layout: {gap: 8, padding: 0}, children: [{repeat: orders, as: order, id: order, role: Button, name: "Order {{ order.id }}", height: 50}]}
            - {id: open, role: Button, name: Open}
      - uid: behind
        title: Notes
        bounds: {x: 60, y: 300, width: 700, height: 300}
        tree: {role: Window, name: Notes, layout: {gap: 8, padding: 12}, children: [{id: notes, role: Document, name: Text, bind: notes, height: 120}, {id: done, role: Button, name: Done}]}
reactions:
  - {on: {tool: double_click_element, target_id: open}, set: [{var: opened, to: "{{ opened + 1 }}"}]}
  - {on: {tool: click_element, target_id: order}, set: [{var: event.item.done, to: true}]}
  ${reactions}
solution: [${solution}]
oracles: {success: [{kind: expression, expression: 'name != "Ada"'}]}
`,
  )

const play = async (scenario: Scenario, door: (typeof POINTER_DOOR_CHECKS)[number]) => {
  const [solution] = scenario.solutions
  const expected = await playOverObserver(scenario, solution!)
  const { failure, untranslated, records } = await playThroughDoor(scenario, solution!, door, wayToDoor(door)!)
  return { expected: expected.failure, failure, untranslated, difference: firstDifference(expected.records, records) }
}

const EQUAL = { expected: undefined, failure: undefined, untranslated: [], difference: undefined }

const CALLS = [
  '{call: set_value, with: {element_id: name, value: "Ana Löwe 7"}}',
  '{call: select_option, with: {selector: ComboBox "Colour", option_name: green}}',
  '{call: double_click_element, with: {element_id: open}}',
  '{call: click_element, with: {element_id: order-1}}',
  '{call: click_element, with: {element_id: long}}',
  '{call: scroll, with: {clicks: -3}}',
  '{call: click_element, with: {element_id: order-2}}',
  '{call: wait, with: {duration_ms: 1500}}',
  '{call: bring_to_foreground, with: {window_uid: behind}}',
  '{call: click_element, with: {element_id: notes}}',
  '{call: type_text, with: {text: "two words"}}',
  '{call: press_key, with: {keys: ctrl+a}}',
  '{call: press_key, with: {keys: delete}}',
  '{call: type_text, with: {text: "one"}}',
  '{call: wait_for, with: {any_of: [{type: element_appears, selector: Button "Done"}]}}',
]

describe('[EV97d] the first solution', () => {
  it.each(POINTER_DOOR_CHECKS)('leaves the same records with the pointer and the keyboard through %s', async (door) => {
    expect(await play(FORM(CALLS.join(', ')), door)).toEqual(EQUAL)
  })

  it.each(POINTER_DOOR_CHECKS)('makes calls without an equal as they are through %s, and names them', async (door) => {
    const slide = '{call: set_value, with: {element_id: size, value: "7"}}'
    expect(await play(FORM(slide), door)).toEqual({ ...EQUAL, untranslated: ['set_value in step 1'] })
  })

  it('is seen to leave other records, with the first place', async () => {
    const counts = "- {on: {tool: press_key, keys: ctrl+a}, set: [{var: moved, to: '{{ moved + 1 }}'}]}"
    const found = await play(FORM(CALLS[0]!, counts), 'door_openai')
    expect(found.difference).toBe('moved is 1 instead of 0')
  })

  it('is seen to end early, with its step', async () => {
    const gone = '{call: click_element, with: {selector: Button "Send"}}'
    const found = await play(FORM(gone), 'door_anthropic')
    expect([found.expected, found.failure]).toEqual([
      expect.stringMatching(/^step 1 \(click_element\): .*Send/),
      expect.stringMatching(/^step 1 \(click_element\): .*Send/),
    ])
  })
})
