import { describe, expect, it } from 'vitest'
import { refusalOf } from '../../../test/support/scenario/problems.ts'
import { type Element, nodeById } from '../../desktop/model/element.ts'
import { startScenario, stepScenario } from '../run/step.ts'
import { parseScenario } from './load.ts'

// Rules such as [SC33] are stated in SPEC.md of the folder above.

const scenario = (children: string, more = ''): string => `
states:
  only:
    windows:
      - uid: app
        bounds: {x: 0, y: 0, width: 500, height: 400}
        tree: {role: Window, name: App, children: [${children}]}
${more}`

const rootOf = (text: string): Element => parseScenario(text).states.get('only')!.windows[0]!.tree

const problems = (children: string): readonly string[] => refusalOf(scenario(children)).split('\n')

describe('looks of elements', () => {
  it('[SC33] are traits, which change neither role nor name', () => {
    const looks = ['primary', 'destructive', 'flat', 'breadcrumb']
    const buttons = looks.map((look) => `{id: ${look}, role: Button, name: Save, look: ${look}}`)
    const root = rootOf(scenario(buttons.join(', ')))
    for (const look of looks)
      expect(nodeById(root, look)).toMatchObject({ role: 'Button', name: 'Save', traits: { look } })
  })

  it('[SC35] make a link bold and a document a web page', () => {
    const root = rootOf(
      scenario(
        '{role: Document, id: page, name: Shop, look: page, children: [{id: home, role: Hyperlink, name: Shop, look: primary}]}',
      ),
    )
    expect([nodeById(root, 'page')!.traits?.look, nodeById(root, 'home')!.traits?.look]).toEqual(['page', 'primary'])
  })

  it('[SC35a] number the lines of a document and let them scroll sideways, as the data say', () => {
    const page = `{id: page, role: Document, name: Log, value: a, line_numbers: '{{ plain }}', wrap: '{{ !plain }}'}`
    const more = 'vars: {plain: true}\nreactions: [{on: {keys: F1}, set: [{var: plain, to: false}]}]'
    const run = startScenario(parseScenario(scenario(page, more)), { atMs: 0 })
    const next = stepScenario(run, { type: 'action', action: { type: 'key', keys: 'F1' } }).run
    const traitsAt = (at: typeof run) => nodeById(at.desktop.windows[0]!.tree, 'page')!.traits
    expect(traitsAt(run)).toMatchObject({ lineNumbers: true, wrap: false })
    expect(traitsAt(next)).toMatchObject({ lineNumbers: false, wrap: true })
  })

  it('[SC36] follow the data', () => {
    const button = `{id: star, role: Button, name: Star, look: '{{ starred ? "primary" : "flat" }}'}`
    const more = 'vars: {starred: true}\nreactions: [{on: {keys: F1}, set: [{var: starred, to: false}]}]'
    const run = startScenario(parseScenario(scenario(button, more)), { atMs: 0 })
    const next = stepScenario(run, { type: 'action', action: { type: 'key', keys: 'F1' } }).run
    const lookOf = (at: typeof run) => nodeById(at.desktop.windows[0]!.tree, 'star')!.traits?.look
    expect([lookOf(run), lookOf(next)]).toEqual(['primary', 'flat'])
  })

  it('[SC37] describe an element by its lines and its count, also after a change', () => {
    const items = [
      String.raw`{id: mail, role: ListItem, name: Ana, subtitle: "Lunch\nOn Friday", badge: 2}`,
      '{id: own, role: ListItem, name: Bob, subtitle: Lunch, description: His own}',
      '{id: dot, role: ListItem, name: Cem, badge: dot}',
    ]
    const more = `reactions:
  - {on: {keys: F1}, set: [{id: mail, badge: "{own.name} 3"}, {id: own, subtitle: Dinner}]}`
    const run = startScenario(parseScenario(scenario(`{role: List, children: [${items.join(', ')}]}`, more)), {
      atMs: 0,
    })
    const described = (at: typeof run) =>
      ['mail', 'own', 'dot'].map((id) => nodeById(at.desktop.windows[0]!.tree, id)!.description)
    expect(described(run)).toEqual(['Lunch, On Friday, 2', 'His own', null])
    const after = stepScenario(run, { type: 'action', action: { type: 'key', keys: 'F1' } }).run
    expect(described(after)).toEqual(['Lunch, On Friday, Bob 3', 'His own', null])
  })

  it('[SC38] describe a window by the line below its title, which may follow data', () => {
    const more = (role: string) => `vars: {unread: 3}
states:
  only:
    windows:
      - tree: {role: ${role}, subtitle: "{{ unread }} unread", children: [{id: more, role: Button, name: More}]}
reactions:
  - {on: {keys: F1}, set: [{var: unread, to: 4}]}`
    const run = startScenario(parseScenario(more('Window')), { atMs: 0 })
    const { run: after } = stepScenario(run, { type: 'action', action: { type: 'key', keys: 'F1' } })
    const shown = [run, after].map(({ desktop }) => desktop.windows[0]!.tree)
    expect(shown.map(({ description, traits }) => [description, traits?.subtitle])).toEqual([
      ['3 unread', '3 unread'],
      ['4 unread', '4 unread'],
    ])
    expect(() => parseScenario(more('Pane'))).toThrow('can have subtitle, and this is a Pane')
  })

  it('[SC39] give a button without words a tooltip that shows while the pointer rests on it', () => {
    const buttons = [
      '{id: reply, role: Button, name: Reply, icon: reply, icon_only: true}',
      '{id: del, role: Button, name: Delete, icon: trash, icon_only: true, description: Delete the message}',
    ]
    const run = startScenario(parseScenario(scenario(`{role: ToolBar, children: [${buttons.join(', ')}]}`)), {
      atMs: 0,
    })
    const tips = ['reply.tip', 'del.tip'].map((id) => nodeById(run.desktop.windows[0]!.tree, id)!)
    expect(tips.map(({ role, name }) => [role, name])).toEqual([
      ['ToolTip', 'Reply'],
      ['ToolTip', 'Delete the message'],
    ])
    const { x, y } = nodeById(run.desktop.windows[0]!.tree, 'reply')!.bounds
    const at = { x: x + 4, y: y + 4 }
    const hovered = stepScenario(run, { type: 'action', action: { type: 'hover', at, forMs: 600 } }).run
    const shown = nodeById(hovered.desktop.windows[0]!.tree, 'reply.tip')!
    expect(shown.expanded).toBe(true)
    expect(shown.bounds.width).toBeGreaterThan(30)
  })

  it('[SC40] make an item as high as its content', () => {
    const items = [
      '{id: plain, role: ListItem, name: Ana}',
      '{id: two, role: ListItem, name: Ana, subtitle: Lunch}',
      String.raw`{id: three, role: ListItem, name: Ana, subtitle: "Lunch\nOn Friday"}`,
      '{id: disc, role: ListItem, name: Ana, avatar: Ana}',
    ]
    const root = rootOf(scenario(`{role: List, children: [${items.join(', ')}]}`))
    const heights = ['plain', 'two', 'three', 'disc'].map((id) => nodeById(root, id)!.bounds.height)
    expect(heights).toEqual([28, 50, 68, 28])
  })

  it('[SC34] give a table the rows and the header of a spreadsheet', () => {
    const more = (style: string) => `vars: {orders: [{id: 1, name: Ada}, {id: 2, name: Bob}]}\nstyle: ${style}`
    const table = (look: string) =>
      `{id: t, role: Spreadsheet, name: T, rows: orders, key: id, height: 200${look}, columns: [{field: id}, {field: name}]}`
    const heights = (look: string, style: string) => {
      const run = startScenario(parseScenario(scenario(table(look), more(style))), { atMs: 0 })
      const [header, row] = nodeById(run.desktop.windows[0]!.tree, 't')!.children
      return [header!.bounds.height, row!.bounds.height]
    }
    expect(heights(', look: spreadsheet', 'windows')).toEqual([28, 26])
    expect(heights(', look: spreadsheet', 'macos')).toEqual([24, 22])
    expect(heights('', 'windows')).toEqual([30, 36])
    expect(problems('{role: List, name: A, look: spreadsheet}').join()).toContain(
      'only Table can have the look spreadsheet',
    )
  })

  it.each([
    ['{role: Edit, name: A, look: primary}', 'only Button, Link can have the look primary, and this is a Edit'],
    ['{role: Button, name: A, unread: true}', 'only ListItem, TreeItem can have unread, and this is a Button'],
    ['{role: Text, name: A, avatar: Ada}', 'only Image, ListItem, Button can have avatar, and this is a Text'],
    ['{role: Button, name: A, icon_only: true}', 'a button that shows its icon alone needs an icon'],
    ['{role: Button, name: A, subtitle: B}', 'only a button with the look card has lines below its name'],
    ['{role: Window, name: A, subtitle: B}', 'only the root element of a window has a line below the title'],
    ['{role: Button, name: A, look: primry}', 'did you mean "primary"?'],
    ['{role: Edit, name: Note, line_numbers: true}', 'only Document can have line_numbers'],
    ['{role: Text, name: Note, wrap: false}', 'only Document can have wrap'],
  ])('[SC41] on other roles are errors: %s', (child, message) => {
    const found = problems(child)
    expect(found.filter((line) => line.includes(message))).toHaveLength(1)
  })
})
