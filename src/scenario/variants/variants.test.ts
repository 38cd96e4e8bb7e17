import { describe, expect, it } from 'vitest'
import { Fault } from '../../base/fault.ts'
import { nodeById, walk } from '../../desktop/model/element.ts'
import { centerOf } from '../../desktop/model/geometry.ts'
import { withShell } from '../../desktop/shell/shell.ts'
import { parseScenario } from '../load/load.ts'
import { startScenario, stepScenario } from '../run/step.ts'
import type { Scenario } from '../scenario.ts'
import { variantsOf, withSeed, withVariant } from '../seeds.ts'
import { AXES, parseChoices } from './axes.ts'
import type { AuthoredChoices } from './axis.ts'

const FILE = `
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
const file = parseScenario(FILE, { file: 'letters.yaml' })

const varied = (variant: AuthoredChoices, seed?: number) => withVariant(file, variant, seed)
const windowIn = (scenario: Scenario, uid = 'app') =>
  [...scenario.states.values()][0]!.windows.find((window) => window.uid === uid)!
const namesIn = (scenario: Scenario) => [...walk(windowIn(scenario).tree)].map(({ name }) => name)
const argumentsIn = ({ solutions }: Scenario, index: number): Readonly<Record<string, unknown>> => {
  const placed = solutions[0]!.steps[index]!
  return placed.kind === 'call' ? placed.step.with : {}
}
const elementIn = (scenario: Scenario, id: string) => [...walk(windowIn(scenario).tree)].find((node) => node.id === id)!

function faultOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof Fault) return `${error.code}: ${error.message}`
    throw error
  }
  return 'none'
}

describe('choices', () => {
  it('[VAR1] without choices it is the value of the file', () => {
    expect(withVariant(file, {})).toBe(file)
    expect(file.variant).toBeUndefined()
    expect(file.projection).toBeUndefined()
  })

  it.each([
    ['theme=drak', 'BadRequest: theme=drak: expected light or dark; did you mean "dark"?'],
    ['them=dark', 'BadRequest: unknown axis "them"; did you mean "theme"?'],
    ['scale=3', 'BadRequest: scale=3: expected a number from 0.75 to 2'],
    ['resolution=big', 'BadRequest: resolution=big: expected WIDTHxHEIGHT, each from 320 to 7680, such as 1920x1080'],
    ['dark', 'BadRequest: "dark" is not AXIS=VALUE, such as theme=dark'],
  ])('[VAR2] explains %s', (choice, message) => {
    expect(faultOf(() => parseChoices([choice]))).toBe(message)
  })

  it('[VAR2] refuses an axis that is chosen twice', () => {
    expect(faultOf(() => parseChoices(['theme=dark', 'theme=light']))).toBe(
      'BadRequest: theme is chosen twice, as dark and as light',
    )
  })

  it('[VAR3] gives the same variant for the same choices and seed', () => {
    const choices = { window_position: 'random', order: 'shuffled', synonyms: 'random' }
    const again = withVariant(parseScenario(FILE, { file: 'letters.yaml' }), choices, 5)
    expect(again.states).toEqual(varied(choices, 5).states)
    const [alone, together] = [varied({ order: 'shuffled' }, 5), varied(choices, 5)]
    expect(elementIn(alone, 'list').children.map(({ name }) => name)).toEqual(
      elementIn(together, 'list').children.map(({ name }) => name),
    )
  })

  it('[VAR4] [VAR5] warns of an axis that does not apply, with the reason', () => {
    const scenario = varied({ overlap: 'cascaded', data: 3, locale: 'fr' })
    expect(scenario.variantWarnings).toEqual([
      'data does not apply: the scenario draws no parameters',
      'locale does not apply: locales has no fr; it has de, he',
      'overlap does not apply: The windows are compared side by side.',
    ])
    expect(scenario.states).toEqual(file.states)
  })

  it('[VAR5] reports an unknown axis of invariant', () => {
    expect(faultOf(() => parseScenario(FILE.replace('{overlap:', '{overlaps:'), { file: 'letters.yaml' }))).toContain(
      'there is no axis "overlaps"; did you mean "overlap"?',
    )
  })

  it('[VAR10] of the style change sizes, and samples do not make any', () => {
    const styled = varied({ style: 'windows' })
    expect(styled.style).toBe('windows')
    expect(varied({ style: 'backlot' }).style).toBeUndefined()
    expect(windowIn(varied({ style: 'backlot' }))).toEqual(windowIn(file))
    expect(namesIn(styled)).toEqual(namesIn(file))
    expect(variantsOf(file, 200).some((choices) => 'style' in choices)).toBe(false)
  })

  it('[VAR6] draws samples from a seed, of what applies', () => {
    const many = variantsOf(file, 60, 4)
    expect(variantsOf(file, 5, 4)).toEqual(many.slice(0, 5))
    expect(variantsOf(file, 5, 5)).not.toEqual(many.slice(0, 5))
    expect(many.every((choices) => Object.keys(choices).length > 0)).toBe(true)
    const axes = new Set(many.flatMap((choices) => Object.keys(choices)))
    expect([...axes].sort()).toEqual(
      AXES.map(({ name }) => name)
        .filter((name) => !['overlap', 'style', 'data', 'wording'].includes(name))
        .sort(),
    )
    for (const choices of many) expect(withVariant(file, choices, 4).variantWarnings).not.toContain('does not apply')
  })

  it('[VAR7] draws the variant of a run from its seed', () => {
    const first = varied({ window_position: 'random' }, 1)
    expect(windowIn(withSeed(first, 2)).bounds).toEqual(windowIn(varied({ window_position: 'random' }, 2)).bounds)
    expect(windowIn(withSeed(first, 2)).bounds).not.toEqual(windowIn(first).bounds)
  })
})

describe('places', () => {
  it('[VAR13] warns of texts that are cut in fixed bounds', () => {
    expect(varied({ text_size: 1.6 }).variantWarnings).toEqual([
      'text_size=1.6: these texts have fixed bounds and are cut: "A long name"',
    ])
  })

  it('[VAR14] keeps windows on a smaller monitor, in their relative place', () => {
    const scenario = varied({ resolution: '1024x768' })
    expect(scenario.monitors[0]!.bounds).toEqual({ x: 0, y: 0, width: 1024, height: 768 })
    expect(windowIn(scenario).bounds).toEqual({ x: 136, y: 110, width: 480, height: 360 })
    expect(scenario.variantWarnings).toEqual([])
  })

  it('[VAR15] makes a window smaller that does not fit, and says so', () => {
    const scenario = varied({ resolution: '400x320' })
    expect(windowIn(scenario).bounds).toMatchObject({ x: 0, width: 400 })
    expect(scenario.variantWarnings).toEqual([
      'resolution=400x320: the window app does not fit and is smaller; its content scrolls',
    ])
  })

  it('[VAR17] moves what is written in the pixels of a window, and its dialogs', () => {
    const scenario = varied({ window_position: 'top-left' })
    expect(windowIn(scenario).bounds).toEqual({ x: 0, y: 32, width: 480, height: 360 })
    expect(windowIn(scenario, 'ask').bounds).toEqual({ x: 40, y: 72, width: 200, height: 120 })
    expect(elementIn(scenario, 'fixed').bounds).toEqual({ x: 360, y: 312, width: 100, height: 28 })
    expect(scenario.reactions[1]!.set).toEqual([{ id: 'fixed', bounds: { x: 100, y: 212, width: 10, height: 10 } }])
    expect(argumentsIn(scenario, 1)).toEqual({ x: 100, y: 112 })
  })

  const SCREENS = `
monitors: [{bounds: {x: 0, y: 0, width: 1280, height: 800}, primary: true}, {bounds: {x: 1280, y: 0, width: 800, height: 600}}]
states:
  a:
    windows:
      - {uid: near, bounds: {x: 400, y: 100, width: 300, height: 200}}
      - uid: far
        bounds: {x: 1300, y: 40, width: 400, height: 300}
        tree: {children: [{id: plan, role: Pane, height: 40}, {id: map, bounds: {x: 1320, y: 200, width: 90, height: 40}}]}
windows: [{uid: ask, modal_to: far, bounds: {x: 1320, y: 60, width: 200, height: 100}}]
reactions:
  - {on: {tool: click_element, target_id: plan, region: {x: 60, y: 0, width: 30, height: 40}}, set: [{open: ask}]}
  - {on: {tool: click_element, target_id: map, region: {x: 60, y: 0, width: 30, height: 40}}, set: [{open: ask}]}
  - {on: {tool: click_element, region: {x: 410, y: 110, width: 30, height: 40}}, set: [{open: ask}]}
`
  const screens = (variant: AuthoredChoices) => withVariant(parseScenario(SCREENS), variant)
  const corners = ({ states, windows }: Scenario) =>
    [...states.get('a')!.windows, ...windows.values()].map(({ bounds: { x, y } }) => [x, y])

  it('[VAR16] leaves windows and dialogs on other monitors in their place there', () => {
    const kept = [
      [1300, 40],
      [1320, 60],
    ]
    expect(corners(screens({ window_position: 'top-left' }))).toEqual([[0, 32], ...kept])
    expect(corners(screens({ overlap: 'stacked' }))).toEqual([[400, 100], ...kept])
    const wider = kept.map(([x, y]) => [x! + 640, y])
    expect(corners(screens({ resolution: '1920x1080' }))).toEqual([[661, 150], ...wider])
  })

  it('[VAR18] moves regions of the screen, but not those of elements', () => {
    const regionsIn = ({ reactions }: Scenario) => reactions.map(({ on }) => [on.region!.x, on.region!.width])
    const moved = screens({ window_position: 'top-left' })
    expect(regionsIn(moved)).toEqual([
      [60, 30],
      [60, 30],
      [10, 30],
    ])
    // Texts are twice as large in half as many pixels. Only layouts keep their size.
    expect(regionsIn(screens({ text_size: 2 }))).toEqual([
      [60, 30],
      [30, 15],
      [205, 15],
    ])
  })

  it('[VAR20] adds a monitor with negative coordinates', () => {
    const { monitors } = varied({ monitors: 'left' })
    expect(monitors.map(({ bounds, primary }) => [bounds.x, primary])).toEqual([
      [0, true],
      [-1280, false],
    ])
  })

  it('[VAR21] adds windows behind those of the scenario', () => {
    const scenario = varied({ distractors: 2 })
    const { windows } = scenario.states.get('open')!
    expect(windows.slice(0, 2).map(({ uid }) => uid)).toEqual(['app', 'ask'])
    expect(windows).toHaveLength(4)
    const own = new Set(namesIn(scenario))
    const added = windows.slice(2).flatMap(({ tree }) => [...walk(tree)].map(({ name }) => name))
    expect(added.filter((name) => own.has(name))).toEqual([])
  })
})

describe('texts', () => {
  it('[VAR22] [VAR23] [VAR38] translates texts, and what names them', () => {
    const scenario = varied({ locale: 'de' })
    expect(namesIn(scenario).slice(0, 5)).toEqual([
      'Brief',
      'Speichern',
      'A long name',
      'Summe 1.234,50 am 02.03.2026',
      'Not saved.',
    ])
    expect(windowIn(scenario).title).toBe('Brief')
    expect(scenario.task).toBe('Sichere den Brief.')
    expect(scenario.reactions[0]).toMatchObject({
      on: { target_name: 'Speichern' },
      set: [{ id: 'status', name: 'it ist gesichert.' }],
    })
    expect(argumentsIn(scenario, 2)).toEqual({ selector: 'Window[name="Brief"]' })
    expect(scenario.variantWarnings).toEqual([
      'locale=de: no translation of "A long name", "Not saved.", "Files", "Ask"',
    ])
  })

  it('[VAR22a] translates a template that is a whole text, and no other text with it', () => {
    const text = FILE.replace('  de: {Save:', "  de: {'{{ kind }}': '{{ kind }}!', Save:")
    const { variantWarnings } = withVariant(parseScenario(text), { locale: 'de' })
    expect(text).not.toBe(FILE)
    expect(variantWarnings).toEqual(['locale=de: no translation of "A long name", "Not saved.", "Files", "Ask"'])
  })

  it('[VAR22a] translates a template with signs beside it as it stands, and no other text with it', () => {
    const text = FILE.replace(
      '  de: {Save:',
      "  de: {'{{ one }}, {{ two }}': '{{ two }}, {{ one }}', 'Well, it is': 'Nun, ja', Save:",
    )
    const names = namesIn(
      withVariant(parseScenario(text.replace('name: Not saved.', 'name: "a, b"')), { locale: 'de' }),
    )
    expect(names).toContain('a, b')
  })

  it('[VAR22b] names words in templates that have no translation, and neither data nor colours', () => {
    const live = parseScenario(`
name: words
vars: {count: 2, sent: false, letters: [{id: a, name: Anna}]}
locales: {de: {Letters: Briefe, '{{ count }} letters': '{{ count }} Briefe'}}
states:
  open:
    windows:
      - uid: app
        title: Letters
        bounds: {x: 100, y: 100, width: 400, height: 300}
        tree:
          role: Window
          name: Letters
          children:
            - {role: Text, name: '{{ count }} letters'}
            - {role: Text, name: '{{ sent ? "Sent" : "Draft" }}'}
            - {role: Text, rich: '[{{ count }}]({{ sent ? "accent" : "muted" }})'}
            - {role: Text, name: '{{ letters.filter(l, l.name == "Anna").map(l, l.name).join("and") }}'}
            - {role: List, name: Letters, children: [{repeat: letters, as: letter, id: letter, role: ListItem, name: "{{ letter.name }}"}]}
`)
    expect(withVariant(live, { locale: 'de' }).variantWarnings).toEqual([
      `locale=de: no translation of ${JSON.stringify('{{ sent ? "Sent" : "Draft" }}')}`,
    ])
  })

  it('[VAR23] keeps the numbers in expressions of live templates', () => {
    const text = `
locales: {de: {'{{ price > 0.5 ? "Dear" : "Cheap" }}': '{{ price > 0.5 ? "Teuer" : "Billig" }}'}}
vars: {price: 2.5}
states: {a: {windows: [{uid: app, title: '{{ price * 2.5 }}', bounds: {x: 0, y: 0, width: 300, height: 200}, tree: {role: Window, name: '{{ price > 0.5 ? "Dear" : "Cheap" }}'}}]}}
`
    const { desktop } = startScenario(withVariant(parseScenario(text), { locale: 'de' }), { atMs: 0 })
    expect(desktop.windows.map(({ title, tree }) => [title, tree.name])).toEqual([['6,25', 'Teuer']])
  })

  it('[VAR23] [VAR23a] keeps numbers and dates of data in expressions, and finds rows with them', () => {
    const text = FILE.replace('oracles:', 'vars: {day: "2026-03-09"}\noracles:')
      .replace(
        '{kind: element_exists, selector: \'Window/Button "Save"\'}',
        `{kind: expression, expression: 'day == "2026-03-09"'}`,
      )
      .replace(`'Button "Save"'}}`, `'Row[name*="Note 2026-03-09"]'}}`)
    const { oracles, ...scenario } = withVariant(parseScenario(text), { locale: 'de' })
    expect(JSON.stringify(oracles)).toContain('day == \\"2026-03-09\\"')
    expect(argumentsIn(scenario as Scenario, 0)).toEqual({
      selector: 'Row[name~=".*(Note 2026-03-09|Note 09\\\\.03\\\\.2026).*"]',
    })
  })

  it('[VAR22c] translates what a page asks in a dialog', () => {
    const { reactions } = withVariant(
      parseScenario(`
name: asks
vars: {order: 7}
locales: {de: {'Cancel the order {{ order }}?': 'Die Bestellung {{ order }} stornieren?'}}
states: {open: {windows: [{uid: browser, browser: a.test, bounds: {x: 40, y: 30, width: 800, height: 600}}]}}
sites: {a.test: {pages: {/: {title: A, children: [{id: cancel, role: Button, name: Cancel}], reactions: [{on: {tool: click_element, target_id: cancel}, set: [{browse: confirm, text: 'Cancel the order {{ order }}?'}]}]}}}}
`),
      { locale: 'de' },
    )
    expect(JSON.stringify(reactions)).toContain('Die Bestellung {{ order }} stornieren?')
  })

  it('[VAR31a] shows choices in another language, and keeps the texts of the data', () => {
    const scenario = withVariant(
      parseScenario(`
name: ways
vars: {way: Standard, kind: All, kinds: [All, Open], busy: false}
locales: {de: {Express: Eil, Standard: Normal, All: Alle, Open: Offen, '{{ kind_choice }}': '{{ kind_choice }}', Price: Preis}}
states:
  open:
    windows:
      - uid: w
        title: W
        bounds: {x: 40, y: 30, width: 600, height: 400}
        tree:
          children:
            - {id: way, role: ComboBox, name: Way, bind: way, children: [{role: ListItem, name: Standard}, {role: ListItem, name: Express}]}
            - {id: kind, role: ComboBox, name: Kind, bind: kind, children: [{repeat: kinds, as: kind_choice, role: ListItem, name: '{{ kind_choice }}'}]}
            - {id: price, role: Text, name: 'Price {{ way == "Express" ? "9.90" : "4.90" }}'}
solution:
  - {call: select_option, with: {element_id: way, option_name: Express}}
  - {call: select_option, with: {element_id: kind, option_name: Open}}
oracles: {success: [{kind: expression, expression: 'way == "Express" && kind == "Open"'}]}
`),
      { locale: 'de' },
    )
    const start = startScenario(scenario, { atMs: 0 })
    const shown = (run: typeof start) =>
      ['way', 'kind', 'price'].map((id) => nodeById(run.desktop.windows[0]!.tree, id)!)
    expect(shown(start).map(({ value, name }) => value ?? name)).toEqual(['Normal', 'Alle', 'Price 4,90'])
    expect(shown(start).map(({ children }) => children.map(({ name }) => name))).toEqual([
      ['Normal', 'Eil'],
      ['Alle', 'Offen'],
      [],
    ])
    expect([0, 1].map((index) => argumentsIn(scenario, index).option_name)).toEqual(['Eil', 'Offen'])
    const select = (run: typeof start, id: string, name: string) => {
      const at = centerOf(nodeById(run.desktop.windows[0]!.tree, id)!.bounds)
      const target = { window: 'w', element: id }
      return stepScenario(run, { type: 'action', action: { type: 'select', target, at, option: { name } } }).run
    }
    const chosen = select(select(start, 'way', 'Eil'), 'kind', 'Offen')
    expect(chosen.data).toMatchObject({ way: 'Express', kind: 'Open' })
    expect(shown(chosen).map(({ value, name }) => value ?? name)).toEqual(['Eil', 'Offen', 'Price 9,90'])
  })

  it('[VAR31b] writes shortcuts with the names of keys in the language', () => {
    const text = FILE.replace('role: Button, name: Save}', 'role: Button, name: Save, keyboard_shortcut: Ctrl+Shift+S}')
    const { tree } = windowIn(withVariant(parseScenario(text), { locale: 'de' }))
    expect(nodeById(tree, 'save')!.keyboardShortcut).toBe('Strg+Umschalt+S')
  })

  it('[VAR38] translates the selectors of triggers and guards', () => {
    const text = FILE.replace('target_name: Save}', `selector: 'Button "Save"'}, when: [{selector: 'Window "Letter"'}]`)
    const drop = `  - {on: {tool: drop, from_selector: 'Button "Save"'}, set: [{id: status, name: Dropped.}]}`
    const { reactions } = withVariant(parseScenario(text.replace('oracles:', `${drop}\noracles:`)), { locale: 'de' })
    expect(reactions[0]).toMatchObject({
      on: { selector: 'Button[name~="Save|Speichern"]' },
      when: [{ selector: 'Window[name="Brief"]' }],
    })
    expect(reactions[2]).toMatchObject({ on: { from_selector: 'Button[name~="Save|Speichern"]' } })
  })

  it('[VAR38] finds cells by the title of their column, also where titles are longer', () => {
    const table = `
vars: {days: [{name: a}]}
states: {only: {windows: [{tree: {children: [{id: t, role: Table, rows: days, columns: [{field: name, title: Monday}]}]}}]}}
solution: [{call: click_element, with: {selector: 'Cell "Monday"'}}, {call: click_element, with: {selector: 'Cell "a"'}}]
`
    const scenario = withVariant(parseScenario(table), { locale: 'pseudo' })
    const names = [...walk(startScenario(scenario, { atMs: 0 }).desktop.windows[0]!.tree)].map(({ name }) => name)
    expect(names).toContain('Monday ‹lorem›')
    expect(argumentsIn(scenario, 0)).toEqual({ selector: 'Cell[name="Monday ‹lorem›"]' })
    expect(argumentsIn(scenario, 1)).toEqual({ selector: 'Cell "a"' })
  })

  it('[VAR33] leaves the data that reactions write', () => {
    const data = `
vars: {events: [{title: Lunch}]}
states: {only: {windows: [{tree: {children: [{id: t, role: Button, name: Lunch}]}}]}}
reactions: [{on: {tool: click_element, target_id: t}, set: [{var: events, append: {title: Lunch}}, {id: t, name: Lunch}]}]
`
    const [reaction] = withVariant(parseScenario(data), { locale: 'pseudo' }).reactions
    expect(reaction?.set).toEqual([
      { var: 'events', append: { title: 'Lunch' } },
      { id: 't', name: 'Lunch ‹lorem›' },
    ])
  })

  it('[VAR34] [VAR41] translates formulas and filters, and keeps selectors that expressions give', () => {
    const text = `
locales: {de: {Open: Offen, Go: Los}}
vars: {orders: [{id: 1, isOpen: true}]}
states:
  a:
    windows:
      - uid: app
        tree:
          role: Window
          children:
            - id: orders
              role: Table
              rows: orders
              key: id
              filter: 'row.isOpen && "Open".contains("Off")'
              columns: [{field: state, formula: 'row.isOpen ? "Open" : "?"'}]
            - {role: Button, name: Go}
solution: [{call: click_element, with: {selector: '{{ "Button" + string(orders[0].id) }}'}}]
`
    const scenario = withVariant(parseScenario(text), { locale: 'de' })
    const { desktop } = startScenario(scenario, { atMs: 0 })
    expect(nodeById(desktop.windows[0]!.tree, 'orders.row-1.state')?.value).toBe('Offen')
    expect(argumentsIn(scenario, 0)).toEqual({ selector: '{{ "Button" + string(orders[0].id) }}' })
  })

  it('[VAR35] keeps texts of the data in comparisons', () => {
    const text = `
locales: {de: {Open: Offen, Daily: Täglich}}
vars: {orders: [{id: 1, status: Open}], often: Daily}
states:
  a:
    windows:
      - uid: app
        tree:
          role: Window
          children:
            - {role: Button, name: Open}
            - {role: ComboBox, name: Often, bind: often, children: [{role: ListItem, name: Daily}]}
oracles:
  success:
    - {kind: expression, expression: 'orders.exists(o, o.status == "Open" || o.status in ["Open", "Shut"])'}
    - {kind: expression, expression: 'often != "Daily"'}
`
    const { oracles } = withVariant(parseScenario(text), { locale: 'de' })
    expect(oracles.success.map((oracle) => 'expression' in oracle && oracle.expression)).toEqual([
      'orders.exists(o, o.status == "Open" || o.status in ["Open", "Shut"])',
      'often != "Daily"',
    ])
  })

  it('[VAR29] keeps the names of items that events have', () => {
    const text = `
vars: {opened: '', mails: [{id: 1, files: [a.txt]}]}
states:
  a:
    windows:
      - uid: app
        tree:
          role: Window
          children:
            - repeat: mails
              as: mail
              id: mail
              role: Pane
              name: Mail
              children: [{repeat: mail.files, as: file, id: file, role: Button, name: '{{ file }}'}]
reactions: [{on: {tool: click_element, target_id: file}, set: [{var: opened, to: '{{ event.items.mail.id }}: {{ event.items.file }}'}]}]
`
    const run = startScenario(withVariant(parseScenario(text), { locale: 'pseudo' }), { atMs: 0 })
    expect(nodeById(run.desktop.windows[0]!.tree, 'mail-1.file-a_txt')?.role).toBe('Button')
  })

  it('[VAR23] writes French numbers and dates', () => {
    const text = FILE.replace('\n  he:', '\n  fr: {Save: Enregistrer}\n  he:')
    const scenario = withVariant(parseScenario(text), { locale: 'fr' })
    expect(namesIn(scenario)).toContain('Total 1\u202f234,50 on 02/03/2026')
  })

  it('[VAR24] names months and weekdays in calendars and on the clock of the panel', () => {
    const text = [
      'panel: true',
      'start_time: 2026-03-02T10:00:00Z',
      'locales: {de: {Due: Fällig}, fr: {Due: Échéance}, ar: {Due: الاستحقاق}, ja: {Due: 期限}}',
      'states:',
      '  s: {windows: [{uid: w, tree: {children: [{id: due, role: DatePicker, name: Due, value: "2026-03-02"}]}}]}',
    ].join('\n')
    const shown = (locale?: string) => {
      const scenario = locale ? withVariant(parseScenario(text), { locale }) : parseScenario(text)
      const run = startScenario(scenario, { seed: 1, atMs: 0 })
      const due = nodeById(run.desktop.windows[0]!.tree, 'due')!
      const click = { type: 'click', at: centerOf(due.bounds), button: 'left', count: 1 } as const
      const { desktop } = stepScenario(run, { type: 'action', action: click }).run
      const names = ['month', 'Mo', 'We'].map((id) => nodeById(desktop.windows[0]!.tree, `due.${id}`)?.name)
      return [...names, desktop.dateNames?.clockDate]
    }
    expect([shown(), shown('de'), shown('fr'), shown('ar'), shown('ja')]).toEqual([
      ['March 2026', 'Mo', 'We', undefined],
      ['März 2026', 'Mo', 'Mi', 'd. M y'],
      ['mars 2026', 'lu', 'me', 'd M y'],
      ['مارس 2026', 'ن', 'ر', 'd M y'],
      ['3月 2026', '月', '水', 'Md日'],
    ])
  })

  it('[VAR27] makes labels longer, but not items', () => {
    const scenario = varied({ locale: 'pseudo' })
    expect(namesIn(scenario)).toContain('Save ‹lorem›')
    expect(namesIn(scenario)).toEqual(expect.arrayContaining(['a', 'b', 'c']))
    expect(scenario.oracles.success[0]).toEqual({
      kind: 'text_visible',
      regex: '^Saved it\\.( ‹[^›]*›)?$',
    })
  })

  const LIVE = `
name: counter
start_time: 2026-03-02T09:00:00Z
vars: {count: 1}
locales: {de: {"Count: {{ count }}": "Anzahl: {{ count }}", "Reset to {{ count }}.": "Auf {{ count }} gesetzt.", "Add": "Mehr"}}
states:
  only:
    windows:
      - uid: app
        tree:
          role: Window
          children:
            - {id: shown, role: Text, name: "Count: {{ count }}"}
            - {role: Text, name: "{{ start_time }}"}
            - {id: add, role: Button, name: Add}
            - {id: status, role: Text, name: Ready.}
reactions:
  - on: {tool: click_element, target_id: add}
    set: [{var: count, to: "{{ count + 1 }}"}, {id: status, name: "Reset to {{ count }}."}, {id: add, name: "Now {{ count }}.50"}]
`
  const afterClick = (variant: AuthoredChoices) => {
    const scenario = withVariant(parseScenario(LIVE), variant)
    const run = startScenario(scenario, { atMs: 0 })
    const tree = () => run.desktop.windows[0]!.tree
    const at = [...walk(tree())].find(({ id }) => id === 'add')!.bounds
    const click = { type: 'click', at: { x: at.x + 5, y: at.y + 5 }, button: 'left', count: 1 } as const
    const later = stepScenario(run, { type: 'action', action: click }).run
    return [run, later].map(({ desktop }) => [...walk(desktop.windows[0]!.tree)].map(({ name }) => name).slice(1))
  }

  it('[VAR30] translates live templates, and leaves changing fields to the data', () => {
    expect(afterClick({ locale: 'de' })).toEqual([
      ['Anzahl: 1', '02.03.2026', 'Mehr', 'Ready.'],
      ['Anzahl: 2', '02.03.2026', 'Now 2,50', 'Auf 2 gesetzt.'],
    ])
    const [before, after] = afterClick({ locale: 'pseudo' })
    expect(before).toEqual(['Count: 1', '2026-03-02', 'Add ‹lorem›', 'Ready. ‹lorem›'])
    expect(after?.slice(0, 2)).toEqual(['Count: 2', '2026-03-02'])
    expect(after?.[3]).toMatch(/^Reset to 2\. ‹.*›$/)
  })

  it('[VAR45] starts the clock at another time', () => {
    expect(afterClick({ date: '2027-12-31' })[0]).toContain('2027-12-31')
    const plain = withVariant(file, { date: '2027-12-31T23:58:00Z' })
    expect(startScenario(plain, { atMs: 0 }).desktop.nowMs).toBe(Date.UTC(2027, 11, 31, 23, 58))
    expect(faultOf(() => parseChoices(['date=soon']))).toContain('expected a date or a time in UTC')
  })

  it('[VAR32] warns of letters without glyphs', () => {
    const warningOf = (text: string) =>
      withVariant(parseScenario(FILE.replace('locales:', `locales:\n  xx: {Save: ${text}}`)), {
        locale: 'xx',
      }).variantWarnings?.find((each) => each.includes('glyphs'))
    expect(warningOf('ไทย')).toBe(
      'locale=xx: no glyphs for "ไ" (no font has them); pictures show boxes, the tree has the texts',
    )
    expect(warningOf('저장')).toContain('no glyphs for "저" (run: npm install @fontsource-variable/noto-sans-kr@5)')
    expect([warningOf('保存する'), warningOf('שמור'), warningOf('حفظ')]).toEqual([undefined, undefined, undefined])
    expect(varied({ locale: 'he' }).projection?.mirror).toBe(1280)
  })

  it('[VAR25] gives the bars and notifications of a style the language', () => {
    const text = `
name: shell
style: windows
panel: true
start_time: 2026-03-02T10:05:00Z
locales: {de: {Send: Senden}, ja: {Send: 送信}, pl: {Send: Wyślij}}
states: {only: {windows: [{uid: app, tree: {children: [{id: send, role: Button, name: Send}]}}]}}
reactions: [{on: {tool: click_element, target_id: send}, set: [{toast: Sent, title: Mail}]}]
`
    const shown = (locale: string, id: string) => {
      const run = startScenario(withVariant(parseScenario(text), { locale }), { atMs: 0 })
      const send = nodeById(run.desktop.windows[0]!.tree, 'send')!
      const click = { type: 'click', at: centerOf(send.bounds), button: 'left', count: 1 } as const
      const desktop = withShell(stepScenario(run, { type: 'action', action: click }).run.desktop)
      const windows = [...desktop.windows, ...desktop.shell!.windows]
      return windows.map(({ tree }) => nodeById(tree, id)?.name).find((name) => name !== undefined)
    }
    const textsIn = (locale: string) =>
      ['shell.search', 'shell.bell', 'shell.clock', 'notification-close'].map((id) => shown(locale, id))
    expect(textsIn('de')).toEqual(['Suchen', 'Mitteilungen', '10:05  2.3.2026', 'Schließen'])
    expect(textsIn('ja')).toEqual(['検索', '通知', '10:05  2026/3/2', '閉じる'])
    expect(textsIn('pl')).toEqual(['Search', 'Notifications', '10:05  3/2/2026', 'Close'])
  })

  it('[VAR26] translates the names of applications and of people whose initials are shown', () => {
    const text = `
name: names
style: windows
apps: [{name: Mail, icon: mail}, {name: Chess}]
locales: {ja: {Mail: メール, Bob Hartmann: 服部 太郎}}
states: {only: {windows: [{tree: {children: [{role: Image, name: Sender, avatar: Bob Hartmann}]}}]}}
reactions: [{on: {tool: press_key}, set: [{toast: Sent, avatar: Bob Hartmann}]}]
`
    const { states, reactions, apps } = withVariant(parseScenario(text), { locale: 'ja' })
    expect(apps?.map(({ name }) => name)).toEqual(['メール', 'Chess'])
    expect(states.get('only')!.windows[0]!.tree.children[0]!.traits?.avatar).toBe('服部 太郎')
    expect(reactions[0]!.set).toMatchObject([{ avatar: '服部 太郎' }])
  })

  it('[VAR36] replaces labels by synonyms, but not in the task', () => {
    const scenario = varied({ synonyms: 'random' })
    const [, label] = namesIn(scenario)
    expect(['Store', 'Keep']).toContain(label)
    expect(scenario.task).toBe('Save the letter.')
  })

  it('[VAR37] says the task in other words, of which samples choose one', () => {
    const text = FILE.replace(
      'synonyms:',
      'params: {who: {pick: [Ada]}}\nwordings: {short: "Save it, {{ who }}.", de: Sichere ihn.}\nsynonyms:',
    )
    const scenario = parseScenario(text)
    expect(withVariant(scenario, { wording: 'short' }).task).toBe('Save it, Ada.')
    const other = withVariant(scenario, { wording: 'de' })
    expect([other.task, namesIn(other)]).toEqual(['Sichere ihn.', namesIn(scenario)])
    expect(withVariant(scenario, { wording: 'fr' }).variantWarnings).toEqual([
      'wording does not apply: wordings has no fr; it has short, de',
    ])
    const chosen = new Set(variantsOf(scenario, 40).flatMap(({ wording }) => wording ?? []))
    expect(chosen).toEqual(new Set(['short', 'de']))
  })

  it('[VAR39] finds both a label of the desktop and the new text', () => {
    expect(argumentsIn(varied({ synonyms: 'random' }), 0).selector).toMatch(/^Button\[name~="Save\|(Store|Keep)"\]$/)
  })

  it('[VAR40] finds a label of the shell in the language, and that of the table', () => {
    const text = (selector: string) => `
name: search
locales: {de: {Search: Nachschlagen}, pl: {Search: Szukaj}}
states: {only: {windows: [{uid: app, tree: {children: [{id: go, role: Button, name: Search}]}}]}}
solution: [{call: click_element, with: {selector: '${selector}'}}]
`
    const selectorOf = (selector: string, locale: string) =>
      argumentsIn(withVariant(parseScenario(text(selector)), { locale }), 0).selector
    expect(selectorOf('Button "Search"', 'de')).toBe('Button[name~="Suchen|Nachschlagen"]')
    expect(selectorOf('Button "Search"', 'pl')).toBe('Button[name="Szukaj"]')
    expect(selectorOf('Button "Battery"', 'de')).toBe('Button[name~="Akku|Battery"]')
    expect(selectorOf('Button "Battery"', 'pl')).toBe('Button "Battery"')
  })

  it('[VAR43] shuffles lists, and keeps ids that are named by position', () => {
    const items = elementIn(varied({ order: 'shuffled' }), 'list').children
    expect(items.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c'])
    expect(items.map(({ name }) => name)).not.toEqual(['a', 'b', 'c'])
    expect(items.find(({ name }) => name === 'b')?.id).toBe('root.4.1')
  })

  it('[VAR44] draws parameters from another seed', () => {
    const text = `
name: drawn
params: {number: {between: [1, 1000000]}}
states: {only: {windows: [{uid: app, title: "{{ number }}"}]}}
`
    const drawn = parseScenario(text)
    const other = withVariant(drawn, { data: 9 })
    expect(windowIn(other).title).toBe(windowIn(withVariant(drawn, {}, 9)).title)
    expect(windowIn(other).title).not.toBe(windowIn(drawn).title)
    expect(other.seed).toBe(drawn.seed)
  })
})
