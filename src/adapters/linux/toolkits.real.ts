import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../base/random.ts'
import { type Element, walk } from '../../desktop/model/element.ts'
import { centerOf, contains, intersect, translate } from '../../desktop/model/geometry.ts'
import { querySelectorAll } from '../../desktop/selector/select.ts'
import { drawBoxes, hasContent, sampleRandomly, visibleElements } from '../../test-support/linux/bounding-boxes.ts'
import { openChromium, openFirefox, openLibreOffice, type ProgramOptions } from '../../test-support/linux/programs.ts'
import { type BoxMatch, differenceFrom, readReference } from '../../test-support/linux/reference-tree.ts'
import {
  fixturePath,
  type LinuxTestDesktop,
  PYTHON,
  startTestDesktop,
  type TestWindow,
  waitUntil,
} from '../../test-support/linux/test-desktop.ts'

let testDesktop: LinuxTestDesktop

beforeAll(async () => {
  testDesktop = await startTestDesktop({ width: 1280, height: 900 })
})
// A later test would mistake windows of a failed test for its own.
afterEach(async () => {
  for (const { pid } of await testDesktop.computer.windows()) if (pid > 1) process.kill(pid, 'SIGKILL')
  await waitUntil('all windows are gone', async () => (await testDesktop.computer.windows()).length === 0)
})
afterAll(() => testDesktop?.close())

const home = () => testDesktop.desktop.env.HOME!
const page = `file://${fixturePath('page.html')}`

const office = (title: RegExp, kind: 'writer' | 'calc') => openLibreOffice(testDesktop, title, kind)
const firefox = (options?: ProgramOptions) => openFirefox(testDesktop, /Demo page.*Firefox/, page, options)
const chromium = (options?: ProgramOptions) => openChromium(testDesktop, /Demo page - Chromium/, page, options)

/** Roles whose boxes always show something: letters, a border, a tick. */
const DRAWN: ReadonlySet<string> = new Set(['Button', 'CheckBox', 'Edit', 'ComboBox', 'MenuItem', 'Heading', 'Link'])

/** Rows are made up of cells, which the reference client does not read in sheets and long tables. */
const NOT_COMPARED: ReadonlySet<string> = new Set(['DataItem', 'Cell'])

const SAMPLE_SIZE = 20

interface MatchOptions {
  readonly boxes?: BoxMatch
  readonly seed?: number
}

/**
 * Compares twenty random elements of a window with its picture and with what the reference client reads, and draws the
 * boxes of all elements to `reports/boxes`.
 */
async function matchesPicture(
  name: string,
  opened: TestWindow,
  title: string,
  { boxes = 'same', seed = 22 }: MatchOptions = {},
): Promise<void> {
  await testDesktop.computer.perform({ type: 'activate', window: opened.uid })
  const window = (await testDesktop.computer.windows()).find(({ uid }) => uid === opened.uid)!
  const tree = await opened.tree()
  const shown = visibleElements(tree)
  const picture = await testDesktop.computer.screenshot({ window: opened.uid })
  await drawBoxes(name, picture, window.bounds, shown)
  const known = readReference(testDesktop.desktop.env, title)
  const compared = shown.slice(1).filter(({ role }) => !NOT_COMPARED.has(role))
  const sample = sampleRandomly(compared, SAMPLE_SIZE, seededRandom(seed))
  expect(sample.length).toBeGreaterThan(10)
  const isEmpty = ({ role, bounds }: Element) =>
    DRAWN.has(role) && !hasContent(picture, translate(bounds, -window.bounds.x, -window.bounds.y))
  expect({
    outside: sample.filter(({ bounds }) => !intersect(bounds, window.bounds)).map(({ name }) => name),
    empty: sample.filter(isEmpty).map(({ role, name }) => `${role} ${name}`),
    unlike: sample.flatMap((element) => differenceFrom(known, element, boxes) ?? []),
  }).toEqual({ outside: [], empty: [], unlike: [] })
}

const end = async ({ uid, process: started }: TestWindow): Promise<void> => {
  const window = (await testDesktop.computer.windows()).find((each) => each.uid === uid)
  started.kill('SIGKILL')
  // Some programs are started by a script that ends when they do.
  if (window && window.pid !== started.pid) process.kill(window.pid, 'SIGKILL')
  await waitUntil('its window is gone', async () =>
    (await testDesktop.computer.windows()).every((window) => window.uid !== uid),
  )
}

const rolesOf = (tree: Element): ReadonlySet<string> => new Set([...walk(tree)].map(({ role }) => role))

describe('LibreOffice Calc', () => {
  it('[R2] is read without hanging, and shows the sum of a column', async () => {
    const calc = await office(/Calc/, 'calc')
    await matchesPicture('calc', calc, 'LibreOffice Calc', { boxes: 'size' })
    const cell = await calc.element('Cell "A1"')
    const at = { x: cell.bounds.x + 20, y: cell.bounds.y + 8 }
    await testDesktop.computer.perform({ type: 'click', at, button: 'left', count: 1 })
    await testDesktop.computer.perform({ type: 'type', text: '40\n2\n=SUM(A1:A2)\n' })
    await waitUntil('the sum is there', async () => (await calc.element('Cell "A3"')).value === '42')
    expect((await calc.element('Cell "A1"')).value).toBe('40')
    const table = await calc.element('Table')
    expect(table.traits?.childCount).toBe(1_048_576)
    expect(querySelectorAll(await calc.tree(), 'MenuItem "File"').length).toBe(1)
    await end(calc)
  }, 120_000)
})

describe('LibreOffice Writer', () => {
  it('[R5] reports typed text and its status bar', async () => {
    const writer = await office(/Writer/, 'writer')
    await matchesPicture('writer', writer, 'LibreOffice Writer', { boxes: 'size' })
    await testDesktop.computer.perform({ type: 'activate', window: writer.uid })
    await testDesktop.computer.perform({ type: 'type', text: 'Dear Zoë,\n本 😀' })
    await writer.waitForText('Dear Zoë,')
    await writer.waitForText('本 😀')
    await writer.waitForText('Page 1 of 1')
    await end(writer)
  }, 120_000)

  it('[R11] reports the position of its tool bar before its window was moved', async () => {
    const writer = await office(/Writer/, 'writer')
    const bold = await writer.element('ToggleButton "Bold"')
    const menu = await writer.element('MenuItem "File"')
    const at = { x: bold.bounds.x + 10, y: bold.bounds.y + 10 }
    expect(bold.bounds.y).toBeGreaterThan(menu.bounds.y + menu.bounds.height)
    await testDesktop.computer.perform({ type: 'click', at, button: 'left', count: 1 })
    await waitUntil('it is bold', async () => (await writer.element('ToggleButton "Bold"')).selected === true)
    await end(writer)
  }, 120_000)
})

describe.each([
  ['Firefox', 'firefox', firefox],
  ['Chromium', 'chromium', chromium],
] as const)('%s', (title, name, start) => {
  it('[R5] [R6] [R7] has the tree of a page as a person reads it', async () => {
    const browser = await start()
    await browser.element('Heading "Welcome"')
    await matchesPicture(name, browser, `Demo page ${title === 'Firefox' ? '—' : '-'}`, {
      boxes: name === 'firefox' ? 'same' : 'size',
    })
    const tree = await browser.tree()
    await browser.waitForText('Plain div text')
    expect([...rolesOf(tree)]).toEqual(expect.arrayContaining(['Heading', 'DataItem', 'Cell', 'Link']))
    expect((await browser.element('Edit "Name"')).value).toBe('Ada')
    expect(await browser.element('ComboBox "Colour"')).toMatchObject({ expanded: false, value: 'Red' })
    expect((await browser.element('CheckBox "Agree"')).selected).toBe(true)
    expect((await browser.element('Slider "Level"')).valueNow).toBe(20)
    expect((await browser.element('PasswordEdit')).traits?.secret).toBe(true)
    expect([...walk(tree)].some(({ value }) => value === 'line one\nline two')).toBe(true)
    expect(querySelectorAll(tree, 'Window').length).toBe(1)
    await end(browser)
  }, 120_000)
})

describe('programs of other toolkits', () => {
  it('[R6] KCalc (Qt 5) has no window in its window, and checked menu items', async () => {
    const kcalc = await testDesktop.launch(/KCalc/, 'kcalc')
    await matchesPicture('kcalc', kcalc, '', { boxes: 'size' })
    for (const key of ['4', '2']) await kcalc.perform(`Button "${key}"`, { type: 'click', button: 'left', count: 1 })
    await kcalc.element('Text "42"')
    expect(querySelectorAll(await kcalc.tree(), 'Window').length).toBe(1)
    expect((await kcalc.element('MenuItem "Simple Mode"')).selected).toBe(true)
    await end(kcalc)
  }, 60_000)

  it('[R9] a GTK 4 editor has no class names, and one button for each', async () => {
    const editor = await testDesktop.launch(/Text Editor/, 'gnome-text-editor')
    await matchesPicture('gnome-text-editor', editor, 'Text Editor', { boxes: 'size' })
    const tree = await editor.tree()
    expect([...walk(tree)].filter(({ name }) => /^(Gtk|Adw|Editor)[A-Z]/.test(name)).map(({ name }) => name)).toEqual(
      [],
    )
    expect(querySelectorAll(tree, 'Button Button').length).toBe(0)
    await end(editor)
  }, 60_000)

  it('[R5] a terminal has the output of its commands', async () => {
    const terminal = await testDesktop.launch(/Terminal/, 'xfce4-terminal', '--disable-server')
    await matchesPicture('xfce4-terminal', terminal, 'Terminal')
    await testDesktop.computer.perform({ type: 'activate', window: terminal.uid })
    await testDesktop.computer.perform({ type: 'type', text: 'echo $((6*7)) żółw\n' })
    await waitUntil('the answer is there', async () =>
      (await terminal.element('Document')).value?.includes('\n42 żółw'),
    )
    await end(terminal)
  }, 60_000)

  it('[R2] Thunar has rows for its files', async () => {
    const thunar = await testDesktop.launch(/Thunar/, 'thunar', home())
    await matchesPicture('thunar', thunar, 'Thunar')
    await thunar.element('Table DataItem Cell')
    await end(thunar)
  }, 60_000)

  it('[R13] Tk has no tree, but a process and a screenshot', async () => {
    const script = join(home(), 'tk.py')
    writeFileSync(script, 'import tkinter\nroot = tkinter.Tk()\nroot.title("Tk demo")\nroot.mainloop()\n')
    const child = testDesktop.desktop.start(PYTHON, script)
    const window = await testDesktop.window(/^Tk demo$/)
    expect(window).toMatchObject({ pid: child.pid, process: expect.stringContaining('python3') })
    expect(await testDesktop.computer.tree(window.uid)).toBeUndefined()
    expect((await testDesktop.computer.screenshot({ window: window.uid })).width).toBe(window.bounds.width)
    child.kill('SIGKILL')
  }, 60_000)
})

describe('ten thousand rows', () => {
  it.each([
    ['GTK 3', /^Rows$/, 'gtk-rows.py'],
    ['Qt 6', /^Qt rows$/, 'qt-rows.py'],
  ])(
    '[R1] [R19] of a table of %s are read where they are in view, and chosen where they are not',
    async (_, title, program) => {
      const rows = await testDesktop.launch(title, PYTHON, fixturePath(program))
      const startMs = performance.now()
      const tree = await rows.tree()
      expect(performance.now() - startMs).toBeLessThan(3000)
      const table = await rows.element('Table')
      expect(table.traits?.childCount).toBe(10_000)
      expect([...walk(tree)].length).toBeLessThan(200)
      const first = querySelectorAll(tree, 'DataItem')[0]!.element
      expect(first.children.map(({ name }) => name)).toEqual(['name 0', 'size 0', 'kind 0'])
      await rows.perform('Table', { type: 'select', option: { index: 7000 } })
      if (program === 'gtk-rows.py') await rows.waitForText('chosen name 7000')
      const [seen] = querySelectorAll(await rows.tree(), 'DataItem[selected=true]')
      if (program === 'gtk-rows.py') expect(seen!.element.children[0]!.name).toBe('name 7000')
      await end(rows)
    },
    90_000,
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
    '[R10] %s with %s report the position where their elements are drawn',
    async (toolkit, setting, title, command, selector, expected) => {
      const opened = await testDesktop.launch(title, 'env', setting, ...command)
      const window = (await testDesktop.computer.windows()).find(({ uid }) => uid === opened.uid)!
      const tree = await opened.tree()
      const picture = await testDesktop.computer.screenshot({ window: opened.uid })
      await drawBoxes(`${setting}-${toolkit}`.replaceAll(/\W/g, '-'), picture, window.bounds, visibleElements(tree))
      const { bounds } = await opened.element(selector)
      // A control of more than the usual size.
      expect(bounds.height).toBeGreaterThan(30)
      expect(contains(window.bounds, { x: bounds.x + bounds.width, y: bounds.y + bounds.height })).toBe(true)
      expect(hasContent(picture, translate(bounds, -window.bounds.x, -window.bounds.y))).toBe(true)
      const at = { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 }
      await testDesktop.computer.perform({ type: 'activate', window: opened.uid })
      await testDesktop.computer.perform({ type: 'click', at, button: 'left', count: 1 })
      await waitUntil(`the window shows ${expected}`, async () =>
        [...walk(await opened.tree())].some(({ role, name, value }) => [name, `${role} = ${value}`].includes(expected)),
      )
      await end(opened)
    },
    60_000,
  )
})

describe('large programs that measure in larger pixels', () => {
  it.each<[string, () => Promise<TestWindow>, readonly string[]]>([
    ['Firefox-GDK_SCALE', () => firefox({ settings: ['GDK_SCALE=2'] }), ['Heading "Welcome"', 'Edit "Name"']],
    [
      'Chromium-force-device-scale-factor',
      () => chromium({ args: ['--force-device-scale-factor=2'] }),
      ['Heading "Welcome"', 'Edit "Name"'],
    ],
    [
      'Chromium-force-device-scale-factor-1.5',
      () => chromium({ args: ['--force-device-scale-factor=1.5'] }),
      ['Heading "Welcome"', 'Edit "Name"'],
    ],
    [
      'Writer-GDK_SCALE',
      () => openLibreOffice(testDesktop, /Writer/, 'writer', { settings: ['GDK_SCALE=2'] }),
      ['MenuItem "File"', 'Button "Print"'],
    ],
    [
      'Writer-SAL_FORCEDPI',
      () => openLibreOffice(testDesktop, /Writer/, 'writer', { settings: ['SAL_FORCEDPI=192'] }),
      ['MenuItem "File"', 'ToggleButton "Bold"'],
    ],
  ])(
    '[R10] [R10a] [L3a] %s have their boxes in the picture',
    async (name, start, selectors) => {
      const opened = await start()
      await testDesktop.computer.perform({ type: 'activate', window: opened.uid })
      for (const selector of selectors) await opened.element(selector)
      const window = (await testDesktop.computer.windows()).find(({ uid }) => uid === opened.uid)!
      expect(window.scaleFactor).toBe(1)
      const picture = await testDesktop.computer.screenshot({ window: opened.uid })
      const shown = visibleElements(await opened.tree())
      await drawBoxes(name, picture, window.bounds, shown)
      const inPicture = ({ bounds }: Element) => translate(bounds, -window.bounds.x, -window.bounds.y)
      const drawn = shown.filter(({ role, bounds }) => DRAWN.has(role) && intersect(bounds, window.bounds))
      expect(drawn.length).toBeGreaterThan(5)
      expect(drawn.filter((element) => !hasContent(picture, inPicture(element))).map(({ name }) => name)).toEqual([])
      for (const selector of selectors) {
        const element = await opened.element(selector)
        expect([selector, contains(window.bounds, centerOf(element.bounds))]).toEqual([selector, true])
        expect([selector, element.bounds.height]).toEqual([
          selector,
          expect.toSatisfy((height: number) => height >= 24),
        ])
      }
      await end(opened)
    },
    120_000,
  )
})

describe('trees', () => {
  it('[R8] [R15] of a GTK 4 program have the same hash when another server reads them', async () => {
    const { openLinuxComputer } = await import('./linux.ts')
    const { treeHash } = await import('../../desktop/tree/hash.ts')
    const calculator = await testDesktop.launch(/^Calculator$/, 'gnome-calculator')
    const hashes: string[] = []
    for (let server = 0; server < 3; server++) {
      const computer = await openLinuxComputer(testDesktop.desktop.env)
      hashes.push(treeHash((await computer.tree(calculator.uid))!), treeHash((await computer.tree(calculator.uid))!))
      await computer.close()
    }
    expect(new Set(hashes).size).toBe(1)
    await end(calculator)
  }, 60_000)
})
