import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { FORM, TEXT_OF_MANY_SCRIPTS } from '../../../../../test/support/linux/form-fixture.ts'
import { startGnomeTestDesktop } from '../../../../../test/support/linux/gnome-desktop.ts'
import { dragBetween, openChromium } from '../../../../../test/support/linux/programs.ts'
import {
  fixturePath,
  type LinuxTestDesktop,
  PYTHON,
  type TestWindow,
  waitUntil,
} from '../../../../../test/support/linux/test-desktop.ts'
import type { Action } from '../../../../desktop/input/action.ts'
import { centerOf } from '../../../../desktop/model/geometry.ts'
import { querySelectorAll } from '../../../../desktop/tree/select.ts'
import { openBus } from '../../dbus.ts'
import { gnomeShellOn } from './gnome-shell.ts'

// Rules such as [GN12] are stated in README.md, rules such as [LX28] in that of src/adapters/linux.

const testing = inject('debianTesting')
const CLICK = { type: 'click', button: 'left', count: 1 } as const
const ASCII = 'Hello, World! {"a": [1,2]} ~`^|\\ @#$%&*()_+=<>?/;:'
/** A busy program does not notice a drag that ends before it has noticed the press. */
const SLOW_MS = 2500
const PAGE = `file://${fixturePath('page.html')}`
const X11_FORM = ['env', 'GDK_BACKEND=x11', ...FORM] as const
const FORMS: readonly (readonly [toolkit: string, command: readonly [string, ...string[]]])[] = [
  ['GTK 3', FORM],
  ['Xwayland', X11_FORM],
]

describe.skipIf('reason' in testing)('programs in GNOME', () => {
  let testDesktop: LinuxTestDesktop
  beforeAll(async () => {
    testDesktop = await startGnomeTestDesktop(testing)
  })
  afterEach(() => testDesktop.endPrograms())
  afterAll(() => testDesktop?.close())

  const perform = async (action: Action) => testDesktop.computer.perform(action)
  const openForm = async (...command: readonly [string, ...string[]]) => {
    const form = await testDesktop.launch(/^Form$/, ...command)
    await form.activate()
    return form
  }

  const programs: readonly (readonly [string, () => Promise<TestWindow>, string, string])[] = [
    ['GTK 3', () => openForm(...FORM), 'Edit "First name"', TEXT_OF_MANY_SCRIPTS],
    ['Chromium', () => openChromium(testDesktop, /Demo page - Chromium/, PAGE), 'Edit "Name"', TEXT_OF_MANY_SCRIPTS],
    ['Xwayland', () => openForm(...X11_FORM), 'Edit "First name"', ASCII],
  ]
  it.each(programs)(
    '[GN1] [GN12] %s has its elements where the pointer hits them, and takes text',
    async (_, open, field, text) => {
      const window = await open()
      await window.activate()
      await window.clickCentre(field)
      await waitUntil('the field has the keyboard', async () => (await window.element(field)).focused)
      for (const each of [ASCII, text]) {
        await perform({ type: 'key', keys: 'ctrl+a' })
        await perform({ type: 'type', text: each })
        await window.waitForValue(field, each)
      }
    },
  )

  it('[GN14] refuses text that an X11 program does not take, and pastes it', async () => {
    const form = await openForm(...X11_FORM)
    await form.clickCentre('Edit "First name"')
    await waitUntil('it has the keyboard', async () => (await form.element('Edit "First name"')).focused)
    await expect((async () => perform({ type: 'type', text: 'a日' }))()).rejects.toMatchObject({
      code: 'PlatformUnsupported',
    })
    expect((await form.element('Edit "First name"')).value).toBe('')
    await perform({ type: 'set_clipboard', text: TEXT_OF_MANY_SCRIPTS })
    await perform({ type: 'key', keys: 'ctrl+v' })
    await form.waitForValue('Edit "First name"', TEXT_OF_MANY_SCRIPTS)
  })

  it('[GN11a] turns the wheel by whole clicks', async () => {
    const qt = await testDesktop.launch(/^Qt form$/, PYTHON, fixturePath('qt-form.py'))
    await qt.activate()
    const count = centerOf((await qt.element('Spinner "Count"')).bounds)
    await perform({ ...CLICK, at: { x: count.x - 60, y: count.y } })
    await perform({ type: 'scroll', at: count, clicks: 3 })
    await qt.waitForText('count 3')
  })

  it('[GN11c] a program gets the first press of a session', async () => {
    const other = await startGnomeTestDesktop(testing)
    try {
      const form = await other.launch(/^Form$/, ...FORM)
      const at = centerOf((await form.element('CheckBox "Agree"')).bounds)
      await other.computer.perform({ ...CLICK, at })
      await form.waitForText('agree True')
    } finally {
      await other.close()
    }
  })

  it('[LX28] drags what another program takes', async () => {
    const source = await testDesktop.launch(/^Source$/, PYTHON, fixturePath('gtk-drag.py'), 'Source')
    const target = await testDesktop.launch(/^Target$/, PYTHON, fixturePath('gtk-drag.py'), 'Target')
    const bus = await openBus(testDesktop.desktop.env.DBUS_SESSION_BUS_ADDRESS!)
    try {
      const at = { x: 60, y: 560, width: 300, height: 163 }
      expect(await gnomeShellOn(bus).place(Number(target.uid.slice('gnome:'.length)), at)).toBe(true)
    } finally {
      bus.close()
    }
    await waitUntil('it is moved', async () => (await target.bounds()).y === 560)
    await dragBetween(testDesktop, source, target, SLOW_MS)
  })

  it.each(FORMS)('[LX54] the items of menus of %s can be clicked', async (_, command) => {
    const form = await openForm(...command)
    for (const [menu, item, seen] of [
      ['File', 'Save', 'saved'],
      ['Help', 'About', 'about'],
    ] as const) {
      await form.perform(`MenuItem "${menu}"`, CLICK)
      await waitUntil('the menu is open', async () => !(await form.element(`MenuItem "${item}"`)).traits?.hidden)
      await form.perform(`MenuItem "${item}"`, CLICK)
      await form.waitForText(seen)
    }
  })

  it('[LX58a] an item of a context menu of GTK 3 is clicked where it is drawn', async () => {
    const form = await openForm(...FORM)
    await form.clickCentre('Edit "First name"')
    await perform({ type: 'type', text: 'cut me' })
    await form.waitForValue('Edit "First name"', 'cut me')
    await perform({ type: 'key', keys: 'ctrl+a' })
    await form.perform('Edit "First name"', { type: 'click', button: 'right', count: 1 })
    await waitUntil('the menu is open', async () =>
      querySelectorAll(await form.tree(), 'MenuItem:has-text("Cut")').some(({ element }) => !element.traits?.hidden),
    )
    await form.perform('MenuItem:has-text("Cut")', CLICK)
    await form.waitForValue('Edit "First name"', '')
    await waitUntil('it is in the clipboard', async () => (await testDesktop.computer.readClipboard!()) === 'cut me')
  })

  it('[GN11b] an item of a context menu of Qt is chosen by a key', async () => {
    const menus = await testDesktop.launch(/^Qt menus$/, PYTHON, fixturePath('qt-menus.py'))
    await menus.activate()
    await menus.perform('[name="Right-click here"]', { type: 'click', button: 'right', count: 1 })
    for (const keys of ['down', 'down', 'enter']) await perform({ type: 'key', keys })
    await menus.waitForText('Delete area chosen')
  })
})
