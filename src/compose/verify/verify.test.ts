import { describe, expect, it } from 'vitest'
import { parseScenario } from '../../scenario/load/load.ts'
import { runSolution } from './solution-run.ts'
import { auditOracles, type Check, verifyScenario } from './verify.ts'

// Rules such as [VER5] are stated in README.md beside this file.

const failuresOf = (checks: readonly Check[]) =>
  Object.fromEntries(checks.flatMap(({ name, passed, message }) => (passed ? [] : [[name, message]])))

const verified = async (...lines: readonly string[]) =>
  failuresOf(await verifyScenario(parseScenario(lines.join('\n'))))

it('[VER2] fails the idle check when waiting as long as the solution solves the scenario', async () => {
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

it('[VER18] fails a solution that makes two items with one key, or more items than are shown', async () => {
  const board = (id: string, count: number) => [
    `vars: {cards: [{id: 1}], many: 1}`,
    'states: {a: {windows: [{uid: w, tree: {role: Window, children: [{id: add, role: Button, name: Add}, {repeat: cards, as: card, id: card, role: Text, name: card}, {role: List, name: All, children: [{repeat: many, as: number, id: number, role: ListItem, name: x}]}]}}]}}',
    `reactions: [{on: {tool: click_element, target_id: add}, set: [{var: cards, append: {id: ${id}}}, {var: many, to: ${count}}]}]`,
    'solution: [{call: click_element, with: {element_id: add}}]',
    'oracles: {success: [{kind: expression, expression: size(cards) == 2}]}',
  ]
  const failureOf = async (id: string, count: number) =>
    (await runSolution(parseScenario(board(id, count).join('\n')), undefined, { marked: false })).failure
  expect([await failureOf('2', 2), await failureOf('1', 2), await failureOf('2', 600)]).toEqual([
    undefined,
    'duplicate-key: two items have the id card-1, so their keys are equal',
    'repeat: many has 600 items; 500 are shown',
  ])
})

/** A form with a name, a newsletter and a switch for terms, which says what was sent. */
const FORM = [
  'task: Order the paper edition for Grace, and accept the terms.',
  'states:',
  '  form:',
  '    windows:',
  '      - uid: form',
  '        title: Form',
  '        tree:',
  '          role: Window',
  '          children:',
  '            - {id: name, role: Edit, name: Name, value: ""}',
  '            - {id: edition, role: List, name: Edition, children: [{role: ListItem, name: Web}, {role: ListItem, name: Paper}]}',
  '            - {id: terms, role: CheckBox, name: I accept the terms}',
  '            - {id: news, role: CheckBox, name: Newsletter}',
  '            - {id: send, role: Button, name: Send}',
  '            - {id: result, role: Text, name: Nothing is sent.}',
  'reactions:',
  '  - on: {tool: click_element, target_id: send}',
  '    when: [{id: name, value_not_empty: true}]',
  '    set: [{id: result, name: "Sent to {name.value}, {edition.selected}"}]',
  'solution:',
  '  - {call: set_value, with: {selector: Edit "Name", value: Grace}}',
  '  - {call: click_element, with: {selector: ListItem "Paper"}}',
  '  - {call: click_element, with: {selector: CheckBox "I accept the terms"}}',
  '  - {call: click_element, with: {selector: Button "Send"}}',
]
const SENT = '{kind: text_visible, regex: "Sent to Grace, Paper"}'
const ACCEPTED = `{kind: element_exists, selector: 'CheckBox "I accept the terms"[selected=true]'}`
const NO_NEWS = `{kind: element_exists, selector: 'CheckBox "Newsletter"[selected=false]'}`

const audited = async (...lines: readonly string[]) => failuresOf(await auditOracles(parseScenario(lines.join('\n'))))
const auditedBy = (...success: readonly string[]) => audited(...FORM, `oracles: {success: [${success.join(', ')}]}`)

describe('weak oracles', () => {
  it('[VER1] [VER3] [VER4] [VER5] [VER8] [VER9] are not found where the oracles look at everything', async () => {
    expect(await verified(...FORM, `oracles: {success: [${SENT}, ${ACCEPTED}, ${NO_NEWS}]}`)).toEqual({})
  })

  it('[VER4] pass at the start', async () => {
    const shown = 'oracles: {success: [{kind: element_exists, selector: Button "Send"}]}'
    expect(await verified(...FORM, shown)).toMatchObject({
      start: 'the success oracles pass at the start, before any action',
      idle: 'doing nothing passes the success oracles',
    })
  })

  it('[VER5] pass without a step that acts', async () => {
    expect(await auditedBy(SENT, NO_NEWS)).toEqual({
      omitted_step:
        'the oracles pass without step 3 at line 23 (click_element), although the run then ends differently: CheckBox "I accept the terms" instead of CheckBox "I accept the terms", selected',
    })
  })

  const OPTIONAL = FORM.map((line) =>
    line.includes('CheckBox "I accept') ? line.replace(/}$/, ', optional: true}') : line,
  )

  it('[VER5] [VER8] may pass without an optional step, or with another value in it', async () => {
    expect(await audited(...OPTIONAL, `oracles: {success: [${SENT}, ${NO_NEWS}]}`)).toEqual({})
  })

  it('[VER6] do not pass without a step that is called optional', async () => {
    expect(await verified(...OPTIONAL, `oracles: {success: [${SENT}, ${ACCEPTED}, ${NO_NEWS}]}`)).toEqual({
      solution: expect.stringMatching(/^without its optional steps, success oracle element_exists does not hold: /),
    })
  })

  it('[VER8] pass with another text than the one that the task names', async () => {
    expect(await auditedBy('{kind: text_visible, regex: "Sent to \\\\w+, Paper"}', ACCEPTED, NO_NEWS)).toEqual({
      other_value:
        'the oracles pass when step 1 at line 21 (set_value) has "Hsbdf" instead of "Grace", which the task names',
    })
  })

  it('[VER8] pass with another item than the one that the task names', async () => {
    expect(await auditedBy('{kind: text_visible, regex: "Sent to Grace, (Paper|Web)"}', ACCEPTED, NO_NEWS)).toEqual({
      other_value:
        'the oracles pass when step 2 at line 22 (click_element) has "Web" instead of "Paper", which the task names',
    })
  })

  it('[VER9] pass when other controls were changed', async () => {
    expect(await auditedBy(SENT, ACCEPTED)).toEqual({
      side_effects:
        'the oracles pass although CheckBox "Newsletter" was changed on the way: CheckBox "Newsletter", selected instead of CheckBox "Newsletter"',
    })
  })

  it('[VER11] notice side effects as harm', async () => {
    const harm = `harm: [{kind: not, of: [${NO_NEWS}]}]`
    expect(await audited(...FORM, `oracles: {success: [${SENT}, ${ACCEPTED}], ${harm}}`)).toEqual({})
  })

  it('[VER10] pass when a file was deleted on the way', async () => {
    const files = [
      'files: {/a.txt: alpha, /b.txt: beta}',
      'states: {s: {windows: [{uid: w, tree: {role: Window, children: [',
      '  {id: copy, role: Button, name: Copy}, {id: wipe, role: Button, name: Delete all}]}}]}}',
      'reactions:',
      '  - {on: {tool: click_element, target_id: copy}, set: [{path: /a.txt, copy_to: /c.txt}]}',
      '  - {on: {tool: click_element, target_id: wipe}, set: [{path: /b.txt, remove: true}]}',
      'solution: [{call: click_element, with: {selector: Button "Copy"}}]',
    ]
    const COPIED = '{kind: file_equals, path: /c.txt, expected: alpha}'
    expect(await audited(...files, `oracles: {success: [${COPIED}]}`)).toEqual({
      side_effects:
        'the oracles pass although Button "Delete all" was pressed first: the file /b.txt: "beta" is missing',
    })
    const kept = '{kind: file_exists, path: /b.txt}'
    expect(await audited(...files, `oracles: {success: [${COPIED}, ${kept}]}`)).toEqual({})
  })

  it('[VER12] are allowed with a reason', async () => {
    const allow = 'allow: {side_effects: the newsletter is free}'
    const checks = await auditOracles(
      parseScenario([...FORM, `oracles: {success: [${SENT}, ${ACCEPTED}], ${allow}}`].join('\n')),
    )
    expect(failuresOf(checks)).toEqual({})
    expect(checks.find(({ name }) => name === 'side_effects')?.message).toMatch(
      /^allowed, because the newsletter is free: the oracles pass although CheckBox "Newsletter" was changed/,
    )
  })
})

describe('a scenario with several solutions', () => {
  it('[VER7] is played with changes of each, and a finding names the solution', async () => {
    const isAboutTerms = (line: string) => line.includes('CheckBox "I accept the terms"')
    const second = FORM.slice(FORM.indexOf('solution:') + 1).map((line) => `  ${line}`)
    const found = await audited(
      ...FORM.filter((line) => !isAboutTerms(line)),
      'solutions:',
      '  accepting:',
      ...second,
      `oracles: {success: [${SENT}, ${NO_NEWS}], allow: {side_effects: only the message matters}}`,
    )
    expect(found).toEqual({
      omitted_step: expect.stringMatching(
        /^solution "accepting": the oracles pass without step 3 at line 28 \(click_element\), although the run then ends /,
      ),
    })
  })
})

describe('a solution that does not pass', () => {
  it('[VER1] is named with its step, tool and place', async () => {
    const broken = [
      'solutions:',
      '  by keyboard:',
      '    - {call: press_key, with: {keys: tab}}',
      '    - {call: click_element, with: {selector: Button "Send"}}',
      '    - {call: click_element, with: {element_id: result, button: middle}}',
      '  by hand:',
      '    - {call: set_value, with: {selector: Edit "Gone", value: x}}',
    ]
    expect(await verified(...FORM, ...broken, `oracles: {success: [${SENT}, ${ACCEPTED}, ${NO_NEWS}]}`)).toEqual({
      solution: expect.stringMatching(
        /^solution "by keyboard": .*\nsolution "by hand": step 1 at line 31, set_value: ElementNotFound: /,
      ),
    })
  })
})
