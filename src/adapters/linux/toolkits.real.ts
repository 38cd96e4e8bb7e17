import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { expectLikeReference, lookAt } from '../../../test/support/linux/bounding-boxes.ts'
import {
  fixturePath,
  type LinuxTestDesktop,
  PYTHON,
  startTestDesktop,
  waitUntil,
} from '../../../test/support/linux/test-desktop.ts'
import { walk } from '../../desktop/model/element.ts'
import { contains } from '../../desktop/model/geometry.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import { querySelectorAll } from '../../desktop/tree/select.ts'
import type { Computer } from '../computer.ts'
import { openLinuxComputer } from './linux.ts'

let testDesktop: LinuxTestDesktop

beforeAll(async () => {
  testDesktop = await startTestDesktop({ width: 1280, height: 900 })
})
afterEach(() => testDesktop.endPrograms())
afterAll(() => testDesktop?.close())

const home = () => testDesktop.desktop.env.HOME!

describe('programs of other toolkits', () => {
  it('[LX69] KCalc (Qt 5) has no window in its window, and checked menu items', async () => {
    const kcalc = await testDesktop.launch(/KCalc/, 'kcalc')
    await expectLikeReference(testDesktop, 'kcalc', kcalc, '', 'size')
    for (const key of ['4', '2']) await kcalc.perform(`Button "${key}"`, { type: 'click', button: 'left', count: 1 })
    await kcalc.element('Text "42"')
    expect(querySelectorAll(await kcalc.tree(), 'Window').length).toBe(1)
    expect((await kcalc.element('MenuItem "Simple Mode"')).selected).toBe(true)
  })

  it('[LX72] a GTK 4 editor has no class names, and one button for each', async () => {
    const editor = await testDesktop.launch(/Text Editor/, 'gnome-text-editor')
    await expectLikeReference(testDesktop, 'gnome-text-editor', editor, 'Text Editor', 'size')
    const tree = await editor.tree()
    expect([...walk(tree)].filter(({ name }) => /^(Gtk|Adw|Editor)[A-Z]/.test(name)).map(({ name }) => name)).toEqual(
      [],
    )
    expect(querySelectorAll(tree, 'Button Button').length).toBe(0)
  })

  it('[LX68] a terminal has the output of its commands', async () => {
    const terminal = await testDesktop.launch(/Terminal/, 'xfce4-terminal', '--disable-server')
    await expectLikeReference(testDesktop, 'xfce4-terminal', terminal, 'Terminal')
    await testDesktop.computer.perform({ type: 'activate', window: terminal.uid })
    await testDesktop.computer.perform({ type: 'type', text: 'echo $((6*7)) żółw\n' })
    await waitUntil('the answer is there', async () =>
      (await terminal.element('Document')).value?.includes('\n42 żółw'),
    )
  })

  it('[LX65] Thunar has rows for its files', async () => {
    const thunar = await testDesktop.launch(/Thunar/, 'thunar', home())
    await expectLikeReference(testDesktop, 'thunar', thunar, 'Thunar')
    await thunar.element('Table DataItem Cell')
  })

  it('[LX77] Tk has no tree, but a process and a screenshot', async () => {
    const script = join(home(), 'tk.py')
    writeFileSync(script, 'import tkinter\nroot = tkinter.Tk()\nroot.title("Tk demo")\nroot.mainloop()\n')
    const child = testDesktop.desktop.start(PYTHON, script)
    const window = await testDesktop.window(/^Tk demo$/)
    expect(window).toMatchObject({ pid: child.pid, process: expect.stringContaining('python3') })
    expect(await testDesktop.computer.tree(window.uid)).toBeUndefined()
    expect((await testDesktop.computer.screenshot({ window: window.uid })).width).toBe(window.bounds.width)
  })
})

describe.each(['PyQt5', 'PyQt6'])('a form of %s', (binding) => {
  it('[LX23] [LX24] has text that is outside of the keyboard layout, and typed at intervals', async () => {
    const form = await testDesktop.launch(/^Qt form$/, PYTHON, fixturePath('qt-form.py'), binding)
    await form.perform('Edit "First name"', { type: 'focus' })
    const text = 'Zażółć über 日本 😀'
    await testDesktop.computer.perform({ type: 'type', text })
    await form.waitForText(text)
    await form.perform('Edit "First name"', { type: 'clear_text' })
    await testDesktop.computer.perform({ type: 'type', text, intervalMs: 5 })
    await form.waitForText(text)
    expect((await form.element('Edit "First name"')).value).toBe(text)
  })
})

it.each<[string, RegExp, string, string, string, ...string[]]>([
  ['GTK 3', /^Menus$/, 'Edit "Field"', 'At most ten letters', 'gtk-menus.py'],
  ['Qt 5', /^Qt form$/, 'Slider "Volume"', 'How loud it is', 'qt-form.py', 'PyQt5'],
  ['Qt 6', /^Qt form$/, 'Slider "Volume"', 'How loud it is', 'qt-form.py', 'PyQt6'],
])('[LX68a] an element of %s is described by its tooltip', async (_, title, selector, text, program, ...args) => {
  const form = await testDesktop.launch(title, PYTHON, fixturePath(program), ...args)
  expect((await form.element(selector)).description).toBe(text)
})

it('[LX68a] buttons of GTK 4 are described by their tooltips', async () => {
  const calculator = await testDesktop.launch(/^Calculator$/, 'gnome-calculator')
  const described = async (selector: string) => (await calculator.element(selector)).description
  // The menu button "Basic" is a button in a button, of which the outer one has the tooltip.
  expect([await described('Button "×"'), await described('Button "Basic"')]).toEqual(['Multiply [*]', 'Mode selection'])
})

describe('ten thousand rows', () => {
  it.each([
    ['GTK 3', /^Rows$/, 'gtk-rows.py'],
    ['Qt 6', /^Qt rows$/, 'qt-rows.py'],
  ])(
    '[LX64] [LX36] of a table of %s are read where they are in view, and chosen where they are not',
    async (_, title, program) => {
      const rows = await testDesktop.launch(title, PYTHON, fixturePath(program))
      const tree = await rows.tree()
      const table = await rows.element('Table')
      expect(table.traits?.childCount).toBe(10_000)
      expect([...walk(tree)].length).toBeLessThan(200)
      const first = querySelectorAll(tree, 'DataItem')[0]!.element
      expect(first.children.map(({ name }) => name)).toEqual(['name 0', 'size 0', 'kind 0'])
      await rows.perform('Table', { type: 'select', option: { index: 7000 } })
      if (program === 'gtk-rows.py') await rows.waitForText('chosen name 7000')
      const [seen] = querySelectorAll(await rows.tree(), 'DataItem[selected=true]')
      if (program === 'gtk-rows.py') expect(seen!.element.children[0]!.name).toBe('name 7000')
    },
  )
})

describe('programs that measure in larger pixels', () => {
  const gtk = [PYTHON, fixturePath('gtk-form.py')]
  const qt = [PYTHON, fixturePath('qt-form.py')]
  it.each<[string, string, RegExp, readonly string[], string, string]>([
    ['GTK 3', 'GDK_SCALE=2', /^Form$/, gtk, 'CheckBox "Agree"', 'agree True'],
    ['GTK 4', 'GDK_SCALE=2', /^Calculator$/, ['gnome-calculator'], 'Button "7"', 'Document = 7'],
    ['Qt 6', 'QT_SCALE_FACTOR=1.5', /^Qt form$/, qt, 'Button "Greet"', 'greeted'],
    ['Qt 6', 'QT_SCREEN_SCALE_FACTORS=2', /^Qt form$/, qt, 'Button "Greet"', 'greeted'],
  ])(
    '[LX73] %s with %s report the position where their elements are drawn',
    async (toolkit, setting, title, command, selector, expected) => {
      const opened = await testDesktop.launch(title, 'env', setting, ...command)
      const name = `${setting}-${toolkit}`.replaceAll(/\W/g, '-')
      const { window, hasContent } = await lookAt(testDesktop, name, opened)
      const element = await opened.element(selector)
      const { bounds } = element
      // A control of more than the usual size.
      expect(bounds.height).toBeGreaterThan(30)
      expect(contains(window.bounds, { x: bounds.x + bounds.width, y: bounds.y + bounds.height })).toBe(true)
      expect(hasContent(element)).toBe(true)
      const at = { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 }
      await testDesktop.computer.perform({ type: 'activate', window: opened.uid })
      await testDesktop.computer.perform({ type: 'click', at, button: 'left', count: 1 })
      await waitUntil(`the window shows ${expected}`, async () =>
        [...walk(await opened.tree())].some(({ role, name, value }) => [name, `${role} = ${value}`].includes(expected)),
      )
    },
  )
})

describe('trees', () => {
  it('[LX71] [LX79] of a GTK 4 program have the same hash when another server reads them', async () => {
    const calculator = await testDesktop.launch(/^Calculator$/, 'gnome-calculator')
    const { computer, desktop } = testDesktop
    const hashOf = async (reader: Computer) => treeHash((await reader.tree(calculator.uid))!)
    // Meanwhile the program may go on loading, which changes its tree.
    await waitUntil('three servers read the same', async () => {
      const hashes = [await hashOf(computer)]
      for (let server = 0; server < 2; server++) {
        const other = await openLinuxComputer(desktop.env)
        hashes.push(await hashOf(other), await hashOf(other))
        await other.close()
      }
      return new Set(hashes).size === 1
    })
  })
})
