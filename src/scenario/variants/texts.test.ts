import { describe, expect, it } from 'vitest'
import {
  argumentsIn,
  elementIn,
  faultOf,
  file,
  LETTERS,
  namesIn,
  varied,
  windowIn,
} from '../../../test/support/scenario/letters.ts'
import { nodeById, walk } from '../../desktop/model/element.ts'
import { centerOf } from '../../desktop/model/geometry.ts'
import { withShell } from '../../desktop/shell/shell.ts'
import { parseScenario } from '../load/load.ts'
import { startScenario, stepScenario } from '../run/step.ts'
import type { Scenario } from '../scenario.ts'
import { variantsOf, withVariant } from '../seeds.ts'
import { parseChoices } from './axes.ts'
import type { AuthoredChoices } from './axis.ts'

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
    const text = LETTERS.replace('  de: {Save:', "  de: {'{{ kind }}': '{{ kind }}!', Save:")
    const { variantWarnings } = withVariant(parseScenario(text), { locale: 'de' })
    expect(text).not.toBe(LETTERS)
    expect(variantWarnings).toEqual(['locale=de: no translation of "A long name", "Not saved.", "Files", "Ask"'])
  })

  it('[VAR22a] translates a template with signs beside it as it stands, and no other text with it', () => {
    const text = LETTERS.replace(
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
    const text = LETTERS.replace('oracles:', 'vars: {day: "2026-03-09"}\noracles:')
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
    const text = LETTERS.replace(
      'role: Button, name: Save}',
      'role: Button, name: Save, keyboard_shortcut: Ctrl+Shift+S}',
    )
    const { tree } = windowIn(withVariant(parseScenario(text), { locale: 'de' }))
    expect(nodeById(tree, 'save')!.keyboardShortcut).toBe('Strg+Umschalt+S')
  })

  it('[VAR38] translates the selectors of triggers and guards', () => {
    const text = LETTERS.replace(
      'target_name: Save}',
      `selector: 'Button "Save"'}, when: [{selector: 'Window "Letter"'}]`,
    )
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
    const text = LETTERS.replace('\n  he:', '\n  fr: {Save: Enregistrer}\n  he:')
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
      withVariant(parseScenario(LETTERS.replace('locales:', `locales:\n  xx: {Save: ${text}}`)), {
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
    const text = LETTERS.replace(
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
