import { describe, expect, it } from 'vitest'
import { checkScenario } from '../load/load.ts'

// Rules such as [SC61] are stated in SPEC.md beside this file.

const warningsIn = (text: string): readonly string[] =>
  checkScenario(text)
    .warnings([])
    .map(({ line, path, message }) => `${line} ${path}: ${message}`)

/** A window with these children, and whatever else the file says. */
const withChildren = (children: string, more = ''): string => `
states:
  only:
    windows:
      - uid: app
        tree:
          role: Window
          name: App
          children: [${children}]
${more}`

describe('warnings about a scenario file', () => {
  it('[SC61] point out roles that mean nothing, with the nearest that does', () => {
    const text = withChildren(
      '{role: Buton, name: OK}, {role: check box, name: Mine}, {role: Unknown}, {role: Flux}',
      'reactions: [{on: {tool: press_key}, set: [{id: root, window: app, append: [{role: Lable, name: x}]}]}]',
    )
    expect(warningsIn(text)).toEqual([
      expect.stringMatching(/^9 .*children\[0\]\.role: the role "Buton" .*; did you mean "Button"\?$/),
      expect.stringMatching(/^9 .*children\[3\]\.role: the role "Flux" .*docs\/reference\/scenario\.md lists/),
      expect.stringMatching(/^10 reactions\[0\]\.set\[0\]\.append\[0\]\.role: .*"Lable".* did you mean "Label"\?$/),
    ])
  })

  it('[SC74] point out what a screen that follows its data takes back', () => {
    const items = `{id: log, role: Group, name: Log, children: [{repeat: tasks, as: task, id: task, role: Group, name: '{{ task.name }}', children: [{role: CheckBox, name: Done, selected: '{{ task.done }}'}, {role: CheckBox, name: Bound, bind: task.done}, {role: Text, name: '{{ task.name }}'}]}]}`
    const text = withChildren(
      `${items}, {id: add, role: Button, name: Add}`,
      `vars: {tasks: [{id: 1, name: Walk, done: false}]}
reactions: [{on: {tool: click_element, target_id: add}, set: [{id: log, append: [{role: Text, name: More}]}]}]`,
    )
    expect(warningsIn(text).map((line) => line.replace(/^\d+ \S+: /, ''))).toEqual([
      'what a user changes here does not change task.done; write bind: task.done',
      'the children of log follow tasks; write {var: tasks, append: …}',
    ])
  })

  it('[SC75] point out effects on a part of every item where no item is meant', () => {
    const items = `{id: log, role: Group, name: Log, children: [{repeat: tasks, as: task, id: task, role: Group, name: x, children: [{id: state, role: Text, name: Open}, {id: done, role: Button, name: Done}]}]}`
    const reactingTo = (on: string) =>
      warningsIn(
        withChildren(
          `${items}, {id: all, role: Button, name: All}`,
          `vars: {tasks: [{id: 1}, {id: 2}]}\nreactions: [{on: {tool: click_element, ${on}}, set: [{id: state, name: Done}]}]`,
        ),
      )
    expect(reactingTo('target_id: all')).toEqual([
      '11 reactions[0].set[0].id: state is in every item of tasks; change the data, or name one, such as task-1.state',
    ])
    for (const on of ['target_id: done', 'target_id: log', 'target_id: task-1.done', 'role: Button'])
      expect(reactingTo(on)).toEqual([])
  })

  it('[SC72] point out conditions of oracles that no record fits', () => {
    const expecting = (entry: string) =>
      warningsIn(
        withChildren(
          '{role: Text, name: x}',
          `vars: {orders: [{id: 1, total: 2}, {id: 2, total: 3}], note: x}
params: {wanted: 7}
oracles: {success: [{kind: any, of: [{kind: changes, exactly: [${entry}]}]}]}`,
        ),
      )
    const at = '12 oracles.success[0].of[0].exactly'
    const fits = (name: string) => `no record of orders fits ${name} when the scenario starts`
    expect(expecting('{var: orders, where: row.id == 9, change: {total: 1}}')).toEqual([
      `${at}[0].where: ${fits('row.id == 9')}`,
    ])
    expect(expecting('{var: orders, where: row.id == wanted, change: {total: 1}}')).toEqual([
      `${at}[0].where: ${fits('row.id == 7')}`,
    ])
    expect(expecting('{var: orders, removed: row.total > 5}')).toEqual([`${at}[0].removed: ${fits('row.total > 5')}`])
    for (const entry of [
      '{var: orders, where: row.id == 2, change: {total: 1}}',
      '{var: orders, where: string(row.id) == note, change: {total: 1}}',
      '{var: orders, where: row.id == 1, change: {total: 9}}, {var: orders, where: row.total == 9, change: {id: 4}}',
      '{var: orders, appended: {id: 3, total: 4}}',
    ])
      expect([entry, expecting(entry)]).toEqual([entry, []])
  })

  it('[SC73] point out names to ignore that are no variables', () => {
    const oracle = '{kind: changes, exactly: [], ignore: [ordres, orders, "ord*", /documents/x]}'
    expect(
      warningsIn(withChildren('{role: Text, name: x}', `vars: {orders: [{id: 1}]}\noracles: {success: [${oracle}]}`)),
    ).toEqual(['11 oracles.success[0].ignore[0]: there is no variable "ordres"; did you mean "orders"?'])
  })

  it('[SC62] report unknown keys', () => {
    const text = withChildren(
      '{role: Edit, id: field, name: Field}',
      `reactions: [{on: {tool: press_key, text_regex: entr}, transition_to: only}, {on: {tool: press_key, text_regex: 'f.*'}, transition_to: only}]
solution:
  - {call: press_key, with: {keys: retrun}}
  - {call: press_key, with: {keys: ctrl+a}}
  - {call: key_into_element, with: {element_id: field, keys: contrl+s}}`,
    )
    expect(warningsIn(text)).toEqual([
      expect.stringMatching(/^10 reactions\[0\]\.on\.text_regex: there is no key "entr".*enter/),
      expect.stringMatching(/^12 solution\[0\]\.with\.keys: there is no key "retrun".*return/),
      expect.stringMatching(/^14 solution\[2\]\.with\.keys: there is no key "contrl".*control|ctrl/),
    ])
  })

  it('[SC67] point out controls that no word names', () => {
    const text = withChildren(
      [
        '{role: Edit}',
        '{role: Button, name: " "}',
        '{role: Button, icon: save}',
        '{role: Edit, placeholder: Find}',
        '{role: Pane, layout: {arrange: row}, children: [{role: Text, name: "City:"}, {role: Edit}, {role: Slider}]}',
        '{role: Spinner, hidden: true}',
        '{role: ComboBox, name: Colour, children: [{role: Edit}, {role: ListItem, name: Red}]}',
      ].join(', '),
    )
    expect(warningsIn(text).map((warning) => warning.replace(/^.*tree\./, ''))).toEqual([
      'children[0].role: the Edit has no name that can be seen; give it one, or words that name it',
      'children[1].name: the Button has no name that can be seen; give it one, or words that name it',
      'children[4].children[2].role: the Slider has no name that can be seen; give it one, or words that name it',
    ])
  })

  it('[SC69] point out fields whose bounds leave no room for their name', () => {
    const at = (y: number) => `bounds: {x: 20, y: ${y}, width: 200, height: 30}`
    const text = withChildren(
      [
        `{role: ComboBox, name: Size, value: Big, ${at(200)}}`,
        `{role: ComboBox, name: Colour, value: Red, ${at(230)}}`,
        `{role: Edit, name: City, value: Paris, ${at(260)}}`,
        `{role: Edit, name: Street, ${at(290)}}`,
        '{role: ComboBox, name: Region, value: Europe}',
      ].join(', '),
    )
    expect(warningsIn(text).map((warning) => warning.replace(/^.*tree\./, ''))).toEqual([
      'children[1].name: the ComboBox "Colour" has no room for its name; leave out its bounds, or put a Text beside it',
      'children[2].name: the Edit "City" has no room for its name; leave out its bounds, or put a Text beside it',
    ])
  })

  it('[SC63] point out windows that no monitor shows', () => {
    const window = (uid: string, bounds: string, more = '') => `{uid: ${uid}, bounds: ${bounds}${more}}`
    const text = `
monitors: [{bounds: {x: 0, y: 0, width: 800, height: 600}}, {bounds: {x: -800, y: 0, width: 800, height: 600}}]
states:
  only:
    windows:
      - ${window('a', '{x: -700, y: 20, width: 300, height: 200}')}
      - ${window('b', '{x: 900, y: 20, width: 300, height: 200}')}
      - ${window('c', '{x: 900, y: 20, width: 300, height: 200}', ', state: maximized')}
reactions: [{on: {tool: press_key}, set: [{window: a, bounds: {x: 0, y: 700, width: 300, height: 200}}]}]`
    const message = 'the window is outside of every monitor: 800 × 600 at 0,0 and 800 × 600 at -800,0'
    expect(warningsIn(text)).toEqual([
      `7 states.only.windows[1].bounds: ${message}`,
      `9 reactions[0].set[0].bounds: ${message}`,
    ])
  })

  it('[SC64] point out dialogs behind a window that is listed before them', () => {
    const dialog = (more: string) =>
      `{uid: d, title: Sure, bounds: {x: 50, y: 50, width: 100, height: 80}, tree: {role: Dialog, name: Sure}${more}}`
    const windows = (...listed: string[]) =>
      `states:\n  only:\n    windows:\n${listed.map((each) => `      - ${each}\n`).join('')}`
    const main = '{uid: m, title: Main, bounds: {x: 0, y: 0, width: 400, height: 300}}'
    expect(warningsIn(windows(main, dialog('')))).toEqual([
      '5 states.only.windows[1]: the dialog "Sure" lies behind the window "Main"; list it first, or give it modal_to: m',
    ])
    expect(warningsIn(windows(main, dialog(', modal_to: m')))).toEqual([])
    expect(warningsIn(windows(dialog(''), main))).toEqual([])
  })

  it('[SC65] point out selectors that no element of any state can fit', () => {
    const text = withChildren(
      '{role: Button, id: save, name: Save}, {role: Text, id: said, name: Nothing yet}, {role: CheckBox, name: Agree}',
      `reactions:
  - {on: {tool: click_element, target_id: save}, set: [{id: said, name: Done}, {id: root, append: [{role: Toast, name: "Saved {save.name}"}]}]}
solution:
  - {call: click_element, with: {selector: 'Button "Svae"'}}
  - {call: click_element, with: {selector: 'CheckBox[selected=true]'}}
  - {call: drag, with: {from: {selector: 'Window/Buton'}, to: {x: 1, y: 1}}}
oracles:
  success:
    - {kind: element_exists, selector: 'Text "Done"'}
    - {kind: element_exists, selector: 'Toast "Saved Save"'}
  failure:
    - {kind: element_exists, selector: 'Dialog "Sure?"'}`,
    )
    expect(warningsIn(text)).toEqual([
      '13 solution[0].with.selector: no element of any state fits Button[name="Svae"]; did you mean "Save"?',
      '15 solution[2].with.from.selector: no element of any state fits Buton; did you mean "Button"?',
      '21 oracles.failure[0].selector: no element of any state fits Dialog[name="Sure?"]',
    ])
  })

  it('[SC65] accept elements that a run of the scenario has shown', () => {
    const text = withChildren(
      '{role: Edit, id: field, name: Field}',
      `oracles: {success: [{kind: element_absent, selector: 'Edit "Save as"'}]}`,
    )
    const { scenario, warnings } = checkScenario(text)
    const [field] = scenario.states.get('only')!.windows[0]!.tree.children
    expect(warnings([])).toHaveLength(1)
    expect(warnings([{ ...field!, name: 'Save as' }])).toEqual([])
  })

  it('[SC70] point out numbers outside of their range, and days that are none', () => {
    const text = withChildren(
      [
        '{role: Slider, name: A, value_now: 300, value_max: 100}',
        '{role: Spinner, name: B, value_now: 0, value_min: 1}',
        '{role: Slider, name: C, value_now: 5, value_max: 5}',
        '{role: DatePicker, name: D, value: 14.3.2024}',
        '{role: DatePicker, name: E, value: 2024-02-30}',
        '{role: DatePicker, name: F, value: 2024-02-29}',
      ].join(', '),
    )
    expect(warningsIn(text).map((warning) => warning.replace(/^.*children/, ''))).toEqual([
      '[0].value_now: 300 is more than value_max, 100',
      '[1].value_now: 0 is less than value_min, 1',
      '[3].value: "14.3.2024" is not a day; write it like 2024-03-12',
      '[4].value: "2024-02-30" is not a day; write it like 2024-03-12',
    ])
  })

  it('[SC66] point out braces that are not filled', () => {
    const set = (texts: readonly string[]) => texts.map((text) => `{id: sum, name: "${text}"}`).join(', ')
    const text = withChildren(
      '{role: Spinner, id: n, name: Count, value_now: 1}, {role: Text, id: sum, name: "0"}',
      `reactions:
  - on: {tool: click_element}
    set: [${set(['{n.value + 3}', '{n.value}', '{ n.value }', '{n}', "{'a': 1}", '{{n.value + 3}}', '{text}'])}]`,
    )
    expect(warningsIn(text).map((warning) => warning.replace(/^\d+ reactions\[0\]\./, ''))).toEqual([
      expect.stringMatching(/^set\[0\]\.name: \{n\.value \+ 3\} stays as it is: .* without arithmetic$/),
      expect.stringMatching(/^set\[2\]\.name: \{ n\.value \} stays as it is/),
      'set[3].name: {n} stays as it is; did you mean "{n.value}"?',
      'set[6].name: {text} stays as it is: only an event with a text_regex fills it',
    ])
  })
})
