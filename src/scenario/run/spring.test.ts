import { describe, expect, it } from 'vitest'
import { act, at, begin, element } from '../../../test/support/scenario/player.ts'
import { walk } from '../../desktop/model/element.ts'
import type { Point } from '../../desktop/model/geometry.ts'
import { centerOf } from '../../desktop/model/geometry.ts'
import { type DesktopStyle, SHELL_STYLES, styleMetrics } from '../../desktop/style/style.ts'
import { panelOf } from '../../desktop/windows/panel.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import { runAt } from './elapse.ts'

const FILING = `
panel: true
vars:
  chosen: inbox
  letters: [{id: 1, title: Bill, folder: ''}]
files: {/home/a.txt: a, /home/sub: ~, /other/deep/b.txt: b}
states:
  open:
    windows:
      - uid: letters
        title: Letters
        bounds: {x: 0, y: 0, width: 600, height: 500}
        frame: none
        tree:
          role: Window
          layout: {arrange: row}
          children:
            - role: Pane
              name: Letters
              grow: 1
              children: [{repeat: letters, as: letter, id: letter, role: Button, name: '{{ letter.title }}: {{ letter.folder }}', drag: letter}]
            - id: folders
              role: Tree
              name: Folders
              grow: 1
              children:
                - id: money
                  role: TreeItem
                  name: Money
                  children: [{id: taxes, role: TreeItem, name: Taxes, accept: letter}]
            - role: Pane
              name: Right
              grow: 1
              children:
                - id: places
                  role: TabControl
                  name: Places
                  height: 120
                  bind: chosen
                  children:
                    - {id: first, role: TabItem, name: inbox, children: [{role: Pane, name: One}]}
                    - {id: second, role: TabItem, name: archive, children: [{id: page, role: Pane, name: Two, accept: letter}]}
                - {id: own, role: List, name: Own, folder: /home, height: 100}
                - {id: list, role: List, name: Files, folder: /other, height: 100}
      - uid: back
        title: Back
        bounds: {x: 700, y: 0, width: 400, height: 400}
        state: minimized
        tree: {role: Window, children: [{id: drawer, role: Pane, name: Drawer, height: 200, accept: letter}]}
reactions:
  - {on: {tool: drop, target_id: taxes, from_id: letter}, set: [{var: event.from_item.folder, to: taxes}]}
  - {on: {tool: drop, target_id: page, from_id: letter}, set: [{var: event.from_item.folder, to: archive}]}
  - {on: {tool: drop, target_id: drawer, from_id: letter}, set: [{var: event.from_item.folder, to: drawer}]}
`
const press = (run: ScenarioRun, id: string): ScenarioRun =>
  act(run, { type: 'press', at: at(run, id), button: 'left' }).run
const move = (run: ScenarioRun, to: Point): ScenarioRun => act(run, { type: 'hover', at: to, forMs: 0 }).run
const wait = (run: ScenarioRun, ms: number): ScenarioRun => runAt(run, run.nowMs + ms)
const release = (run: ScenarioRun): ScenarioRun =>
  act(run, { type: 'release', at: run.desktop.pointer, button: 'left' }).run
const folderOf = ({ data }: ScenarioRun): unknown => (data.letters as readonly { folder: string }[])[0]!.folder
const over = (run: ScenarioRun, id: string): ScenarioRun => move(run, at(run, id))

/** The styles whose bars have buttons of windows. Those of GNOME are in its overview only. */
const WITH_TASKS = SHELL_STYLES.filter((style) =>
  styleMetrics(style).shell?.bars.some(({ kind }) => kind === 'taskbar' || kind === 'dock'),
)

/** The same windows, of two programs, on a desktop with the bars of a style. */
const inStyle = (style: DesktopStyle): string =>
  FILING.replace('panel: true', `style: ${style}`)
    .replace('title: Letters', 'title: Letters\n        process: letters')
    .replace('title: Back', 'title: Back\n        process: back')

describe('a drag that rests', () => {
  it('[SC214] opens a closed item of a tree, in which it then drops', () => {
    const run = over(press(begin(FILING), 'letter-1'), 'money')
    expect([element(wait(run, 499), 'money').expanded, element(run, 'money').expanded]).toEqual([undefined, undefined])
    const opened = wait(run, 500)
    expect(element(opened, 'money').expanded).toBe(true)
    expect(folderOf(release(over(opened, 'taxes')))).toBe('taxes')
  })

  it('[SC214] [SC216] selects a tab, writes its variable, and drops on its page', () => {
    const opened = wait(over(press(begin(FILING), 'letter-1'), 'second'), 600)
    expect(opened.data.chosen).toBe('archive')
    expect(folderOf(release(over(opened, 'page')))).toBe('archive')
  })

  it('[SC214] shows a folder of another list, which takes the file', () => {
    const run = wait(over(press(begin(FILING), 'own/a.txt'), 'list/deep'), 500)
    expect(element(run, 'list').children.map(({ name }) => name)).toEqual(['b.txt'])
    const dropped = release(over(run, 'list/b.txt'))
    expect(element(dropped, 'list').children.map(({ name }) => name)).toEqual(['a.txt', 'b.txt'])
    expect(element(dropped, 'own').children.map(({ name }) => name)).toEqual(['sub'])
  })

  it('[SC214] brings the window of a button in the panel to the front', () => {
    const run = press(begin(FILING), 'letter-1')
    const button = panelOf(run.desktop)!.buttons.find(({ window }) => window === 'back')!
    const shown = wait(move(run, centerOf(button.bounds)), 500)
    expect(shown.desktop.active).toBe('back')
    expect(folderOf(release(over(shown, 'drawer')))).toBe('drawer')
  })

  it.each(WITH_TASKS)('[SC214] brings the window of a button in the bar of %s to the front', (style) => {
    const run = press(begin(inStyle(style)), 'letter-1')
    const button = run.desktop
      .shell!.windows.filter(({ shell }) => shell === 'bar')
      .flatMap(({ tree }) => [...walk(tree)])
      .find(({ traits: { shellCommand: command } = {} }) => command?.does === 'task' && command.window === 'back')!
    const shown = wait(move(run, centerOf(button.bounds)), 500)
    expect(shown.desktop.active).toBe('back')
    expect(folderOf(release(over(shown, 'drawer')))).toBe('drawer')
  })

  it('[SC214] opens at once when a move says how long it rests', () => {
    const held = press(begin(FILING), 'letter-1')
    const run = act(held, { type: 'hover', at: at(held, 'money'), forMs: 800 }).run
    expect(element(run, 'money').expanded).toBe(true)
  })

  it('[SC215] opens nothing in its own list of files, nothing that is not below it, and nothing without a drag', () => {
    const own = wait(over(press(begin(FILING), 'own/a.txt'), 'own/sub'), 600)
    expect(element(own, 'own').children).toHaveLength(2)
    const passed = over(over(press(begin(FILING), 'letter-1'), 'money'), 'letter-1')
    expect(element(wait(passed, 600), 'money').expanded).toBe(undefined)
    const plain = wait(over(begin(FILING), 'money'), 600)
    expect(element(plain, 'money').expanded).toBe(undefined)
    const item = wait(over(press(begin(FILING), 'places'), 'money'), 600)
    expect(element(item, 'money').expanded).toBe(undefined)
  })
})
