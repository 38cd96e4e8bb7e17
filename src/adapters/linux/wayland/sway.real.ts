import { spawnSync } from 'node:child_process'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { computerSuite } from '../../../../test/support/adapters/computer.suite.ts'
import { FORM, formFixture, TEXT_OF_MANY_SCRIPTS } from '../../../../test/support/linux/form-fixture.ts'
import { dragBetween, openChromium, openFirefox } from '../../../../test/support/linux/programs.ts'
import {
  fixturePath,
  type LinuxTestDesktop,
  PYTHON,
  startTestDesktop,
  type TestWindow,
  waitUntil,
} from '../../../../test/support/linux/test-desktop.ts'
import { centerOf, encloses } from '../../../desktop/model/geometry.ts'
import { querySelectorAll } from '../../../desktop/tree/select.ts'

const CLICK = { type: 'click', button: 'left', count: 1 } as const

computerSuite('a sway desktop', () => formFixture(startTestDesktop({ session: 'sway' })))

let testDesktop: LinuxTestDesktop
beforeAll(async () => {
  testDesktop = await startTestDesktop({ session: 'sway', width: 1280, height: 900 })
})
afterEach(() => testDesktop.endPrograms())
afterAll(() => testDesktop?.close())

const swaymsg = (command: string): void => {
  const { status, stdout } = spawnSync('swaymsg', [command], { env: testDesktop.desktop.env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`swaymsg ${command}: ${stdout}`)
}
const perform = async (...[action]: Parameters<LinuxTestDesktop['computer']['perform']>) =>
  testDesktop.computer.perform(action)

describe('programs on sway', () => {
  const page = `file://${fixturePath('page.html')}`
  const programs: readonly (readonly [string, () => Promise<TestWindow>, string])[] = [
    ['GTK 3', () => testDesktop.launch(/^Form$/, ...FORM), 'Edit "First name"'],
    ['Qt 6', () => testDesktop.launch(/^Qt form$/, PYTHON, fixturePath('qt-form.py')), 'Edit "First name"'],
    ['GTK 4', () => testDesktop.launch(/Text Editor/, 'gnome-text-editor'), 'Document'],
    ['Firefox', () => openFirefox(testDesktop, /Demo page.*Firefox/, page), 'Edit "Name"'],
    ['Chromium', () => openChromium(testDesktop, /Demo page - Chromium/, page), 'Edit "Name"'],
    ['Xwayland', () => testDesktop.launch(/^Form$/, 'env', 'GDK_BACKEND=x11', ...FORM), 'Edit "First name"'],
  ]

  it.each(programs)(
    '[LX48] [LX51] [LX53] %s has its elements where the pointer hits them, and takes any script',
    async (_, open, field) => {
      const window = await open()
      await window.clickCentre(field)
      await waitUntil('the field has the keyboard', async () => (await window.element(field)).focused)
      await perform({ type: 'key', keys: 'ctrl+a' })
      await perform({ type: 'type', text: TEXT_OF_MANY_SCRIPTS })
      await window.waitForValue(field, TEXT_OF_MANY_SCRIPTS)
    },
  )

  it('[LX48] Xwayland and Wayland programs are in one list, with decoration', async () => {
    await testDesktop.launch(/^One$/, ...FORM, '--title', 'One')
    const two = await testDesktop.launch(/^Two$/, 'env', 'GDK_BACKEND=x11', ...FORM, '--title', 'Two')
    const windows = await testDesktop.computer.windows()
    expect(windows.map(({ title, focused }) => [title, focused])).toEqual([
      ['Two', true],
      ['One', false],
    ])
    const { bounds } = await two.element('Button "Greet"')
    expect(encloses(windows[0]!.bounds, bounds)).toBe(true)
  })

  it('[LX49] windows are raised, minimised, brought back, maximised and closed', async () => {
    const one = await testDesktop.launch(/^One$/, ...FORM, '--title', 'One')
    const two = await testDesktop.launch(/^Two$/, ...FORM, '--title', 'Two')
    const titles = async () => (await testDesktop.computer.windows()).map(({ title }) => title)
    const away = async () =>
      (await testDesktop.computer.hiddenWindows!()).map(({ title, state, workspace }) => [title, state, workspace])
    await one.activate()
    expect(await titles()).toEqual(['One', 'Two'])
    await perform({ type: 'window', window: one.uid, to: 'minimize' })
    expect([await titles(), await away()]).toEqual([['Two'], [['One', 'minimized', undefined]]])
    await one.activate()
    expect(await titles()).toEqual(['One', 'Two'])
    await perform({ type: 'window', window: one.uid, to: 'maximize' })
    expect((await testDesktop.computer.windows())[0]!.bounds).toMatchObject({ x: 0, width: 1280 })
    await perform({ type: 'window', window: one.uid, to: 'restore' })
    await perform({ type: 'window', window: two.uid, to: 'close' })
    await waitUntil('it is closed', async () => (await titles()).length === 1)
  })

  it('[LX50] a picture of a window shows what is visible, and is refused where it is covered', async () => {
    const one = await testDesktop.launch(/^One$/, ...FORM, '--title', 'One')
    const { bounds } = await testDesktop.window(/^One$/)
    const picture = await testDesktop.computer.screenshot({ window: one.uid })
    expect([picture.width, picture.height]).toEqual([bounds.width, bounds.height])
    const screen = await testDesktop.computer.screenshot({ screen: true })
    expect([screen.width, screen.height]).toEqual([1280, 900])
    const at = ((bounds.y + 300) * 1280 + bounds.x + 200) * 4
    const inside = (300 * bounds.width + 200) * 4
    expect([...screen.pixels().subarray(at, at + 4)]).toEqual([...picture.pixels().subarray(inside, inside + 4)])
    await testDesktop.launch(/^Two$/, ...FORM, '--title', 'Two')
    await expect((async () => testDesktop.computer.screenshot({ window: one.uid }))()).rejects.toMatchObject({
      code: 'WindowOccluded',
    })
  })

  it('[LX54] [LX55] menus are in the tree of their window; the one that is meant opens, and its items can be clicked', async () => {
    const form = await testDesktop.launch(/^Form$/, ...FORM)
    for (const [menu, item, seen] of [
      ['File', 'Save', 'saved'],
      ['Help', 'About', 'about'],
    ]) {
      await form.perform(`MenuItem "${menu}"`, CLICK)
      await waitUntil('the menu is open', async () => !(await form.element(`MenuItem "${item}"`)).traits?.hidden)
      await form.clickCentre(`MenuItem "${item}"`)
      await form.waitForText(seen!)
    }
  })

  it.each([
    ['the border of sway', []],
    ['a title bar of its own', ['--title-bar']],
  ])('[LX58a] the items of a context menu of GTK 3 with %s are where they can be clicked', async (_, args) => {
    const menus = await testDesktop.launch(/^Menus$/, PYTHON, fixturePath('gtk-menus.py'), ...args)
    const open = async (right = 0) => {
      const { bounds } = await menus.element('Text "Right-click here"')
      const at =
        right === 0 ? centerOf(bounds) : { x: bounds.x + bounds.width - right, y: bounds.y + bounds.height - 5 }
      await perform({ type: 'click', at, button: 'right', count: 1 })
      await waitUntil(
        'the menu is open',
        async () => querySelectorAll(await menus.tree(), 'MenuItem "Copy area"').length > 0,
      )
      // GTK ignores a click within half a second after the press that has opened a menu.
      await new Promise((resolve) => setTimeout(resolve, 600))
      return at
    }
    const isShown = (name: string) =>
      waitUntil(`${name} is shown`, async () => !(await menus.element(`MenuItem "${name}"`)).traits?.hidden)
    await open()
    await menus.clickCentre('MenuItem "Copy area"')
    await menus.waitForText('Copy area chosen')
    await open()
    await menus.clickCentre('MenuItem "More"')
    await isShown('Flip area')
    await menus.clickCentre('MenuItem "Flip area"')
    await menus.waitForText('Flip area chosen')
    // In the corner of the screen the menu opens to the left of the press and above it.
    swaymsg('[title=Menus] move absolute position 950 750')
    await waitUntil('it has moved', async () => (await testDesktop.window(/^Menus$/)).bounds.x >= 948)
    const at = await open(8)
    const { bounds } = await menus.element('Menu MenuItem "Copy area"')
    expect([bounds.x + bounds.width <= at.x, bounds.y + bounds.height <= at.y]).toEqual([true, true])
    await menus.clickCentre('MenuItem "Copy area"')
    await waitUntil('the menu is closed', async () => querySelectorAll(await menus.tree(), 'MenuItem').length === 0)
  })

  it('[LX58a] an item of a context menu of GTK 3 runs a dialog that can be answered', async () => {
    const menus = await testDesktop.launch(/^Menus$/, PYTHON, fixturePath('gtk-menus.py'))
    await menus.perform('Text "Right-click here"', { type: 'click', button: 'right', count: 1 })
    await menus.perform('MenuItem "Ask first"', CLICK)
    const dialog = await testDesktop.window(/^Question$/)
    await waitUntil('the program answers', async () => {
      try {
        return (await testDesktop.computer.tree(dialog.uid)) !== undefined
      } catch {
        return false
      }
    })
    const yes = querySelectorAll((await testDesktop.computer.tree(dialog.uid))!, 'Button "Yes"')[0]!.element
    await perform({ ...CLICK, target: { window: dialog.uid, element: yes.id }, at: centerOf(yes.bounds) })
    await menus.waitForText('answered')
  })

  it('[LX68b] a tooltip of Qt is in the tree of its window, where it is drawn', async () => {
    const form = await testDesktop.launch(/^Qt form$/, PYTHON, fixturePath('qt-form.py'))
    const { bounds } = await form.element('Slider "Volume"')
    const at = centerOf(bounds)
    await perform({ type: 'hover', at: { x: at.x - 4, y: at.y }, forMs: 0 })
    await perform({ type: 'hover', at, forMs: 900 })
    const tip = await form.element('ToolTip "How loud it is"')
    expect([tip.bounds.x > at.x, tip.bounds.y > at.y, tip.bounds.y < at.y + 60]).toEqual([true, true, true])
    const picture = await testDesktop.computer.screenshot({ area: tip.bounds })
    // A tooltip has a background of its own, which its letters interrupt.
    expect(new Set(picture.pixels()).size).toBeGreaterThan(2)
    await perform({ type: 'hover', at: { x: 5, y: 5 }, forMs: 0 })
    await waitUntil('it is gone', async () => querySelectorAll(await form.tree(), 'ToolTip').length === 0)
  })

  it('[LX28] drags what another program takes', async () => {
    const source = await testDesktop.launch(/^Source$/, PYTHON, fixturePath('gtk-drag.py'), 'Source')
    const target = await testDesktop.launch(/^Target$/, PYTHON, fixturePath('gtk-drag.py'), 'Target')
    swaymsg('[title=Target] move absolute position 700 500')
    await waitUntil('it has moved', async () => (await testDesktop.window(/^Target$/)).bounds.x === 700)
    await dragBetween(testDesktop, source, target)
  })

  it('[LX50] [LX54] a resized and scaled output is captured and clicked in logical pixels', async () => {
    const form = await testDesktop.launch(/^Form$/, ...FORM)
    const sizeIs = (width: number, height: number) =>
      waitUntil(`the screen is ${width}×${height}`, async () => {
        const picture = await testDesktop.computer.screenshot({ screen: true })
        return picture.width === width && picture.height === height
      })
    try {
      swaymsg('output * resolution 1600x1200')
      await sizeIs(1600, 1200)
      await form.clickCentre('CheckBox "Agree"')
      await form.waitForText('agree True')
      swaymsg('output * scale 2')
      await sizeIs(800, 600)
      await form.clickCentre('CheckBox "Agree"')
      await form.waitForText('agree False')
    } finally {
      swaymsg('output * scale 1, output * resolution 1280x900')
      await sizeIs(1280, 900)
    }
  })

  it('[LX59] the clipboard is read and replaced', async () => {
    const form = await testDesktop.launch(/^Form$/, ...FORM)
    await form.perform('Edit "First name"', { type: 'focus' })
    await perform({ type: 'set_clipboard', text: 'ze schowka 日本 😀' })
    await perform({ type: 'key', keys: 'ctrl+v' })
    await form.waitForValue('Edit "First name"', 'ze schowka 日本 😀')
    await perform({ type: 'key', keys: 'ctrl+a' })
    await perform({ type: 'type', text: 'copied' })
    await perform({ type: 'key', keys: 'ctrl+a' })
    await perform({ type: 'key', keys: 'ctrl+c' })
    await waitUntil('it is copied', async () => (await testDesktop.computer.readClipboard!()) === 'copied')
  })

  it('[LX51] refuses characters that no key types, and text that would reach another window', async () => {
    const form = await testDesktop.launch(/^Form$/, ...FORM)
    const other = await testDesktop.launch(/^Other$/, ...FORM, '--title', 'Other')
    await form.perform('Edit "First name"', { type: 'focus' })
    const type = async (text: string, keyboardWindow?: string) =>
      testDesktop.computer.perform({ type: 'type', text }, { keyboardWindow })
    await expect(type('a\u0000b')).rejects.toMatchObject({ code: 'BadRequest' })
    await expect(type('x', other.uid)).rejects.toMatchObject({ code: 'WindowOccluded' })
    expect((await form.element('Edit "First name"')).value).toBe('')
    await testDesktop.endPrograms()
    await expect(type('lost')).rejects.toMatchObject({ code: 'WindowGone' })
  })

  it('[LX63] a program of Qt 5 under Xwayland has its elements at every start', { retry: 0 }, async () => {
    for (let start = 0; start < 4; start++) {
      const kcalc = await testDesktop.launch(/KCalc/, 'kcalc')
      await kcalc.element('Button "4"')
      await testDesktop.endPrograms()
    }
  })

  it('[LX57] an item of a menu of Qt under Xwayland is chosen', async () => {
    const menus = await testDesktop.launch(
      /^Qt menus$/,
      'env',
      'QT_QPA_PLATFORM=xcb',
      PYTHON,
      fixturePath('qt-menus.py'),
    )
    await menus.perform('MenuItem "Settings"', CLICK)
    await waitUntil('the menu is open', async () => !(await menus.element('MenuItem "Reset"')).traits?.hidden)
    await menus.clickCentre('MenuItem "Reset"')
    await menus.waitForText('Reset chosen')
  })

  it('[LX62] reports a program that does not answer as a timeout; it receives the text when it continues', async () => {
    const form = await testDesktop.launch(/^Form$/, ...FORM)
    await form.perform('Edit "First name"', { type: 'focus' })
    form.process.kill('SIGSTOP')
    await expect(perform({ type: 'type', text: 'late' })).rejects.toMatchObject({ code: 'Timeout' })
    form.process.kill('SIGCONT')
    await form.waitForValue('Edit "First name"', 'late')
  })
})
