import { describe, expect, it } from 'vitest'
import { problemLines, withLines } from '../../../test/support/scenario/problems.ts'
import { parseScenario } from '../load/load.ts'
import { TOOL_NAMES } from '../tools.ts'

// Rules such as [SC3] are stated in ../SPEC.md.

describe('references in a scenario file', () => {
  it('[SC3] reports names that nothing defines', () => {
    const text = withLines(
      'initial_state: strat',
      'reactions:',
      '  - on: {tool: click_element, target_id: gone}',
      '    when: [{id: feild, value: x}]',
      '    set: [{id: field, window: mian, value: x}]',
      '    transition_to: don',
    )
    expect(problemLines(text)).toEqual([
      '14:16 initial_state: there is no state "strat"; did you mean "start"? The states are start, done',
      '16:42 reactions[0].on.target_id: no window has an element "gone"',
      '17:17 reactions[0].when[0].id: no window has an element "feild"; did you mean "field"?',
      '18:31 reactions[0].set[0].window: no state has a window "mian"; did you mean "main"?',
      '19:20 reactions[0].transition_to: there is no state "don"; did you mean "done"? The states are start, done',
    ])
  })

  it("[SC6] accepts reactions to elements of the desktop's dialogs", () => {
    const on = (window: string) =>
      problemLines(withLines(`reactions: [{on: {tool: scroll, window: ${window}, target_id: accept}}]`))
    expect(on('main/save-as')).toEqual([])
    expect(on('mian/save-as')).toEqual(['14:41 reactions[0].on.window: no state has a window "mian/save-as"'])
  })

  it('[SC6] rejects windows and ids in oracles that no state has', () => {
    const text = withLines(
      'reactions:',
      '  - on: {tool: click_element, target_id: go}',
      '    set: [{id: root, append: [{id: toast}]}]',
      'oracles:',
      '  success:',
      '    - {kind: window_exists, window_uid: mian}',
      '    - {kind: element_exists, selector: \'[id="feild"]\', window_uid: nope}',
      '    - {kind: element_exists, selector: \'Text[id="toast"]\', window_uid: main}',
      '  failure:',
      '    - {kind: text_visible, regex: x, window_uid: mai}',
      '    - {kind: window_exists, window_uid: main/save-as}',
      '    - {kind: element_absent, selector: \'[id="field.month"]//[id="toast~2"]//[id="accept"]//[id~="f.*"]\'}',
    )
    expect(problemLines(text)).toEqual([
      '19:41 oracles.success[0].window_uid: no state has a window "mian"; did you mean "main"?',
      '20:40 oracles.success[1].selector: no window has an element "feild"; did you mean "field"?',
      '20:68 oracles.success[1].window_uid: no state has a window "nope"',
      '23:50 oracles.failure[0].window_uid: no state has a window "mai"; did you mean "main"?',
    ])
  })

  /** The problems of a condition of a scenario with a table of orders. */
  const inCondition = (condition: string) =>
    problemLines(withOrders(`    when: [{expression: ${JSON.stringify(condition)}}]`))
  const withOrders = (...more: readonly string[]) =>
    [
      'vars: {orders: [{id: 1, total: 2.5}], people: [{name: Ann}], note: x}',
      'states:',
      '  list:',
      '    windows:',
      '      - uid: app',
      '        tree:',
      '          role: Window',
      '          children:',
      '            - {id: staff, role: List, name: Staff, children: [{id: ann, role: ListItem, name: Ann}]}',
      '            - {id: orders, role: Table, name: Orders, rows: orders, columns: [{field: id}, {field: total}]}',
      '            - {id: people, role: List, name: People, rows: people, label: "{{ row.name }}"}',
      '            - {repeat: [a, b], role: Button, id: "pick_{{ item }}", name: "{{ item }}"}',
      '            - {id: shown, role: Text, name: "{{ value(\'shown\') }}"}',
      'reactions:',
      '  - on: {tool: double_click_element, target_id: orders}',
      '    set:',
      '      - {id: staff, append: [{id: "new_{{ note }}", role: ListItem, name: x}]}',
      '      - {open: {uid: more, title: More, tree: {role: Window, children: [{id: inside, role: Edit, name: x}]}}}',
      ...more,
    ].join('\n')

  it('[SC50] reports ids and selectors in expressions that nothing has', () => {
    const in1 = '19:25 reactions[0].when[0].expression: in'
    const none = 'no window has an element'
    const wrong: readonly (readonly [condition: string, message: string])[] = [
      ['selected("staf") != ""', `${none} "staf"; did you mean "staff"?`],
      ['value("shwn") == ""', `${none} "shwn"; did you mean "shown"?`],
      ['name("gone") == ""', `${none} "gone"`],
      ['cell_name("ordrs") == "A1"', `${none} "ordrs"; did you mean "orders"?`],
      ['cell_text("ordrs") == "A1"', `${none} "ordrs"; did you mean "orders"?`],
      ['note == "" || exists("pick_c")', `${none} "pick_c"; did you mean "pick_a"?`],
      [`count('[id="stafff"]') > 0`, `${none} "stafff"; did you mean "staff"?`],
      ['count("Button[") > 0', 'selector, column 8: expected a key'],
    ]
    for (const [condition, message] of wrong)
      expect(inCondition(condition)).toEqual([expect.stringContaining(`${in1} ${condition}: ${message}`)])
    expect(problemLines(withOrders().replace("value('shown')", "value('shon')"))).toEqual([
      `13:45 states.list.windows[0].tree.children[5].name: in value('shon'): ${none} "shon"; did you mean "shown"?`,
    ])
    expect(problemLines(withOrders(`      - {id: shown, name: "{{ value('shon') }}"}`))).toEqual([
      `19:27 reactions[0].set[2].name: in value('shon'): ${none} "shon"; did you mean "shown"?`,
    ])
  })

  it('[SC52] reports states, ids and windows that expressions compare', () => {
    const at = '19:25 reactions[0].when[0].expression: in'
    const wrong: readonly (readonly [condition: string, message: string])[] = [
      ['state == "lst"', 'there is no state "lst"; did you mean "list"? The states are list'],
      ['"lst" != state', 'there is no state "lst"; did you mean "list"? The states are list'],
      ['state in ["list", "lst"]', 'there is no state "lst"; did you mean "list"? The states are list'],
      ['event.target == "staf"', 'no window has an element "staf"; did you mean "staff"?'],
      ['event.from == "staf"', 'no window has an element "staf"; did you mean "staff"?'],
      ['event.window == "ap"', 'no state has a window "ap"; did you mean "app"?'],
    ]
    for (const [condition, message] of wrong) expect(inCondition(condition)).toEqual([`${at} ${condition}: ${message}`])
    for (const condition of [
      ...['state == "list"', 'event.target == "orders.row-1"', 'event.window != "more"', 'event.from == ""'],
      ...['note == "lst"', 'event.text == "staf"', 'event.window == "app/save-as"'],
    ])
      expect([condition, inCondition(condition)]).toEqual([condition, []])
  })

  it('[SC51] accepts ids that are made while it runs', () => {
    for (const condition of [
      ...[
        'ann',
        'pick_b',
        'new_one',
        'inside',
        'orders.row-1',
        'orders.row-7.total',
        'orders.header.id',
        'root',
        'root.2',
      ],
      ...['accept', 'shown.menu.copy', 'files/a.txt'],
    ].map((id) => `exists("${id}")`))
      expect([condition, inCondition(condition)]).toEqual([condition, []])
    expect(inCondition('exists("pick_" + note) && count("Button") > 0 && ["x"].exists(id, value(id) == "")')).toEqual(
      [],
    )
  })

  it('[SC53] reports fields that the records of a table do not have', () => {
    const set = (field: string, on = '') =>
      problemLines(withOrders(`      - {var: note, to: "{{ string(${field}) }}"}`).replace(', target_id: orders', on))
    const at = '19:25 reactions[0].set[2].to: in'
    expect(set('event.row.totl', ', target_id: orders')).toEqual([
      `${at} string(event.row.totl): records of orders have no field "totl"; did you mean "total"? They have id, total`,
    ])
    expect(set("event.row['name']", ', target_id: orders')).toEqual([
      `${at} string(event.row['name']): records of orders have no field "name"; they have id, total`,
    ])
    expect(set('event.row.nam')).toEqual([
      `${at} string(event.row.nam): records of orders, people have no field "nam"; did you mean "name"? They have id, total, name`,
    ])
    for (const field of ['event.row.total', "event.row['id']", 'event.from_row.name', 'has(event.row.id)'])
      expect([field, set(field)]).toEqual([field, []])
  })

  it('[SC54] reports a misspelt role where a key needs one', () => {
    const wrong = (element: string) =>
      problemLines(
        `vars: {note: x, orders: [{id: 1}]}\nstates: {a: {windows: [{uid: w, tree: {children: [${element}]}}]}}`,
      )
    const at = 'there is no role'
    expect(wrong('{role: ComboBoxx, name: A, bind: note}')).toEqual([
      `2:58 : ${at} "ComboBoxx"; did you mean "ComboBox"?`,
    ])
    for (const [element, near] of [
      ['{role: Buton, name: A, look: primary}', '"Buton"; did you mean "Button"?'],
      ['{role: Tabel, name: A, rows: orders, columns: [{field: id}]}', '"Tabel"; did you mean "Table"?'],
      ['{role: Imag, name: A, chart: bar}', '"Imag"; did you mean "Image"?'],
      ['{role: Imag, name: A, src: a.png}', '"Imag"; did you mean "Image"?'],
    ] as const)
      expect(wrong(element)).toEqual([`2:58 states.a.windows[0].tree.children[0].role: ${at} ${near}`])
  })

  it('[SC55] reports a field that a variable does not have', () => {
    const bound = (bind: string) =>
      problemLines(
        `vars: {note: x, form: {centre: a, to: {name: x}}}\nstates: {a: {windows: [{uid: w, tree: {children: [{role: Edit, name: A, bind: ${bind}}]}}]}}`,
      )
    const at = '2:79 states.a.windows[0].tree.children[0].bind:'
    expect(bound('form.center')).toEqual([`${at} form has no field "center"; did you mean "centre"?`])
    expect(bound('form.to.zip')).toEqual([`${at} form.to has no field "zip"; its fields are name`])
    expect(bound('note.x')).toEqual([`${at} note has no fields, and "note.x" names one`])
    expect(bound('fom.centre')).toEqual([`${at} there is no variable "fom"; did you mean "form"?`])
  })

  it('[SC3] reports duplicate ids, uids and keys', () => {
    const text = 'states: {a: {windows: [{uid: w, tree: {children: [{id: x}, {id: x}]}}, {uid: w}]}}'
    expect(problemLines(text)).toEqual([
      '1:65 states.a.windows[0].tree.children[1].id: another element of this window has the id "x"',
      '1:78 states.a.windows[1].uid: another window of this state has the uid "w"',
    ])
    expect(problemLines('states: {a: }\nstates: {b: }')).toEqual([
      '2:1 : not valid YAML: this key stands twice in its map; keys must be unique',
    ])
  })

  it('[SC3] reports patterns and selectors that do not compile, and reactions that cannot happen', () => {
    const text = withLines(
      'reactions:',
      '  - {on: {tool: type_text, text_regex: "(a"}, transition_to: done}',
      '  - {on: {tool: click_element, text_regex: a}, transition_to: done}',
      '  - {on: {tool: click_elemnt}, transition_to: done}',
    )
    expect(problemLines(text.replace(/ {2}- \{on: \{tool: click_elemnt.*$/m, ''))).toEqual([
      expect.stringMatching(/^15:40 reactions\[0\]\.on\.text_regex: the pattern "\(a" is not valid RE2/),
      '16:32 reactions[1].on.text_regex: click_element has no text; type_text, press_key, set_value, select_option, webmcp_call do',
    ])
    expect(problemLines(text)).toEqual([
      expect.stringMatching(/^15:40 .*not valid RE2/),
      expect.stringMatching(/^16:32 .*click_element has no text/),
      expect.stringMatching(/^17:17 reactions\[2\]\.on\.tool: .*did you mean "click_element"\?$/),
    ])
    expect(problemLines(withLines('oracles: {success: [{kind: element_exists, selector: "Button["}]}'))).toEqual([
      expect.stringMatching(/^14:54 oracles\.success\[0\]\.selector: /),
    ])
  })

  it('[SC3] reports entries without content and timers with both times or none', () => {
    const text = withLines(
      'timers:',
      '  - {transition_to: done}',
      '  - {after_ms: 5, every_ms: 50, set: [{id: field}]}',
      '  - {after_ms: {between: [9, 3]}, when: [{id: field}]}',
    )
    expect(problemLines(text)).toEqual([
      '15:5 timers[0]: expected either after_ms or every_ms',
      '16:5 timers[1]: expected either after_ms or every_ms',
      '16:39 timers[1].set[0]: changes nothing',
      '17:26 timers[2].after_ms.between: the first number must not be greater than the second',
      '17:42 timers[2].when[0]: has no condition; add for example value or enabled',
    ])
  })

  it('[SC3] reports unknown tools', () => {
    const text = withLines('solution: [{call: click_elemnt}]', 'faults: [{on: {tool: get_screenshoot}, code: Timeout}]')
    expect(problemLines(text)).toEqual([
      `14:19 solution[0].call: expected one of ${TOOL_NAMES.length} names, found "click_elemnt"; did you mean "click_element"?`,
      `15:22 faults[0].on.tool: expected one of ${TOOL_NAMES.length} names, found "get_screenshoot"; did you mean "get_screenshot"?`,
    ])
  })

  it('[SC3] reports reversed ranges, unknown shortcuts and icons, and an empty `in`', () => {
    const text = withLines(
      'timers:',
      '  - {in: [], every_ms: 10, set: [{id: go, append: [{value_min: 2, value_max: 1}]}]}',
      '  - {every_ms: 10, set: [{id: go, value_min: 2, value_max: 1}]}',
      '  - {every_ms: 10, set: [{id: go, keyboard_shortcut: Ctrl+Delte}, {id: go, icon: trahs}]}',
    )
    expect(problemLines(text)).toEqual([
      '15:64 timers[0].set[0].append[0].value_min: must not be greater than value_max',
      '16:46 timers[1].set[0].value_min: must not be greater than value_max',
      expect.stringMatching(
        /^17:54 timers\[2\]\.set\[0\]\.keyboard_shortcut: there is no key "Delte"; near names are delete/,
      ),
      '17:82 timers[2].set[1].icon: expected one of 65 names, found "trahs"; did you mean "trash"?',
    ])
    const fine = '{value_min: 1, value_max: 1, keyboard_shortcut: Ctrl+Shift++, icon: chevron-up}'
    expect(problemLines(withLines(`timers: [{every_ms: 10, set: [{id: go, append: [${fine}]}]}]`))).toEqual([])
    expect(
      problemLines(
        withLines('reactions: [{in: [], on: {tool: scroll}}]', 'faults: [{in: [], on: {tool: scroll}, code: Timeout}]'),
      ),
    ).toEqual([
      '14:18 reactions[0].in: lists no states; omit it to match all states',
      '15:15 faults[0].in: lists no states; omit it to match all states',
    ])
  })

  it('[SC3] reports invalid paths and missing files', () => {
    const text = [
      'files: {a.txt: x, /b: text, /b/c: x, /docs/: ~}',
      'states:',
      '  a:',
      '    windows:',
      '      - tree:',
      '          children:',
      '            - {id: list, role: List, folder: /dosc}',
      '            - {id: body, role: Document, file: /c}',
      '            - {role: Button, file_command: {does: delete, element: body}}',
      '            - {role: Button, file_command: {does: save, element: bdy}}',
      'timers:',
      '  - {every_ms: 10, when: [{path: /b}], set: [{path: /b}, {path: c, remove: true}]}',
    ].join('\n')
    expect(problemLines(text)).toEqual([
      '1:9 files."a.txt": expected the path from the root, "/a.txt"',
      '1:19 files."/b": is a file and cannot hold others',
      '1:38 files."/docs/": expected the path from the root, "/docs"',
      '7:46 states.a.windows[0].tree.children[0].folder: there is no folder "/dosc" in files; did you mean "/docs"?',
      '8:48 states.a.windows[0].tree.children[1].file: there is no file "/c" in files; did you mean "/b"?',
      '9:68 states.a.windows[0].tree.children[2].file_command.element: the element "body" shows no folder; give it one',
      '10:66 states.a.windows[0].tree.children[3].file_command.element: the window has no element "bdy"; did you mean "body"?',
      '12:27 timers[0].when[0]: has no condition; add exists, text or text_regex',
      '12:46 timers[0].set[0]: expected one of text, copy_to, move_to and remove',
      '12:65 timers[0].set[1].path: expected the path from the root, "/c"',
    ])
  })

  it('[SC3] reports windows that wait for each other, and monitors of impossible size', () => {
    const windows = '{uid: a, modal_to: b}, {uid: b, modal_to: c}, {uid: c, modal_to: b}, {uid: d, modal_to: a}'
    expect(problemLines(`states: {s: {windows: [${windows}]}}`)).toEqual([
      '1:66 states.s.windows[1].modal_to: these windows wait for each other: b, c',
    ])
    expect(problemLines(withLines('monitors: [{bounds: {x: 0, y: 0, width: 16384, height: 16384}}]'))).toEqual([
      '14:21 monitors[0].bounds: has 268435456 pixels; at most 100000000 are allowed',
    ])
    const primary = '{primary: true, bounds: {x: 0, y: 0, width: 9, height: 9}}'
    expect(problemLines(withLines(`monitors: [${primary}, ${primary}]`))).toEqual([
      '14:82 monitors[1].primary: another monitor, monitors[0], is the primary one',
    ])
    expect(problemLines(withLines('monitors: [{bounds: {x: 0, y: 0, width: 0, height: 100000}}]'))).toEqual([
      '14:41 monitors[0].bounds.width: expected at least 1, found 0',
      '14:52 monitors[0].bounds.height: expected at most 16384, found 100000',
    ])
  })

  it('[SC59] rejects patterns that are too large together, before they are compiled', () => {
    const text = (count: number) => `
states: {a: {windows: [{uid: w, title: W, bounds: {x: 0, y: 0, width: 200, height: 100}, tree: {role: Window}}]}}
oracles:
  success:
${Array.from({ length: count }, (_, at) => `    - {kind: text_visible, regex: "(?:.{0,900}x){1}${at}"}`).join('\n')}
`
    expect(parseScenario(text(5)).oracles?.success).toHaveLength(5)
    const startedMs = performance.now()
    expect(() => parseScenario(text(500))).toThrow('compile to too many instructions together')
    expect(performance.now() - startedMs).toBeLessThan(20_000)
  })
})
