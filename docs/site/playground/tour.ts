/** The steps of the tour. Each has a scenario that works, which its text explains. */

export interface TourStep {
  readonly title: string
  readonly text: string
  readonly scenario: string
}

const windowWith = (inside: string, vars = '') => `name: greeting
task: Greet the world.
${vars}states:
  start:
    windows:
      - uid: app
        title: Greeting
        bounds: {x: 200, y: 120, width: 480, height: 320}
        tree:
          role: Window
          name: Greeting
          layout: {padding: 24, gap: 12}
          children:
${inside}`

const FIELD = "            - {id: who, role: Edit, name: Who, value: ''}\n"
const BUTTON = '            - {id: greet, role: Button, name: Greet}\n'
const VARS = "vars: {who: '', greeting: No greeting yet.}\n"
const BOUND = '            - {id: who, role: Edit, name: Who, bind: who}\n'
const ANSWER = "            - {id: answer, role: Text, name: '{{ greeting }}'}\n"
const FORM = windowWith(BOUND + BUTTON + ANSWER, VARS)
const REACTION = `reactions:
  - 'on': {tool: click_element, target_id: greet}
    when: [{expression: who != ""}]
    set: [{var: greeting, to: 'Hello, {{ who }}!'}]
`
const ORACLE = `oracles:
  success:
    - {kind: text_visible, regex: 'Hello, world!'}
`
const SOLUTION = `solution:
  - {call: click_element, with: {selector: 'Edit "Who"'}}
  - {call: type_text, with: {text: world}}
  - {call: click_element, with: {selector: 'Button "Greet"'}}
`

const COUNTING = `${windowWith(
  `            - {id: ana, role: CheckBox, name: Ana, bind: ana}
            - {id: more, role: Button, name: One more guest}
            - {role: Text, name: '{{ count }} more guests{{ ana ? " and Ana" : "" }}'}
`,
  'vars: {ana: false, count: 0}\n',
).replace('Greet the world.', 'Invite Ana and two more guests.')}reactions:
  - 'on': {tool: click_element, target_id: more}
    when: [{expression: count < 5}]
    set: [{var: count, to: '{{ count + 1 }}'}]
oracles:
  success:
    - {kind: expression, expression: ana && count == 2}
`

export const TOUR: readonly TourStep[] = [
  {
    title: 'A window',
    text: 'A scenario has states with windows, and each window a tree of elements. Change “title” and see the desktop follow. A mistake is named at its line while you type: try “rol” in the place of “role”.',
    scenario: windowWith("            - {role: Text, name: 'No greeting yet.'}\n"),
  },
  {
    title: 'Controls',
    text: 'Elements have roles, such as Edit and Button; an id lets other parts of the file name them. Click into the field on the desktop and type: it works already.',
    scenario: windowWith(FIELD + BUTTON),
  },
  {
    title: 'Data',
    text: 'Variables are the data of a scenario. The field is bound to “who” now, and the text below shows “greeting”: what is in {{ }} is an expression, which follows the data.',
    scenario: FORM,
  },
  {
    title: 'A reaction',
    text: 'A reaction says what an action changes. This one waits for a click on the button, and applies when somebody is named. Type a name and press Greet.',
    scenario: FORM + REACTION,
  },
  {
    title: 'An oracle',
    text: 'Oracles decide whether the task is done. The verdict above the desktop follows each of your actions: greet the world, and it passes.',
    scenario: FORM + REACTION + ORACLE,
  },
  {
    title: 'Counting and conditions',
    text: 'Expressions compute with numbers, texts and truth values: + - * / compare == != < > combine with && || ! and choose with a ? b : c. An effect that computes stands in {{ }}, as in {{ count + 1 }}; a condition is the expression alone. Here a CheckBox is bound to a truth value, a click counts, and the oracle looks at the data.',
    scenario: COUNTING,
  },
  {
    title: 'A solution',
    text: 'A solution proves that the task can be done: calls that an agent would make. Press “Play the solution”. The file is complete now; “backlot test” would verify it, and “Copy link” shares it.',
    scenario: FORM + REACTION + ORACLE + SOLUTION,
  },
]
