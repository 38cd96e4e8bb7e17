import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { computerSuite } from '../../../../../test/support/adapters/computer.suite.ts'
import { packageVersions } from '../../../../../test/support/linux/debian-testing.ts'
import { FORM, formFixture, TEXT_OF_MANY_SCRIPTS } from '../../../../../test/support/linux/form-fixture.ts'
import { startKdeTestDesktop } from '../../../../../test/support/linux/kde-desktop.ts'
import { dragBetween, openChromium } from '../../../../../test/support/linux/programs.ts'
import {
  fixturePath,
  type LinuxTestDesktop,
  PYTHON,
  type TestWindow,
  waitUntil,
} from '../../../../../test/support/linux/test-desktop.ts'
import type { Action } from '../../../../desktop/input/action.ts'
import { centerOf, encloses, type Point } from '../../../../desktop/model/geometry.ts'
import { checkLinux, repairLinux } from '../../doctor.ts'
import { openLinuxComputer } from '../../linux.ts'
import { mayTakePictures } from './kwin-pictures.ts'

const testing = inject('debianTesting')
const isMissing = 'reason' in testing

const CLICK = { type: 'click', button: 'left', count: 1 } as const
const ASCII = 'Hello, World! {"a": [1,2]} ~`^|\\ @#$%&*()_+=<>?/;:'

describe.skipIf(isMissing)('KDE of Debian testing', () => {
  computerSuite('a KDE desktop', () => formFixture(startKdeTestDesktop(testing)))

  let testDesktop: LinuxTestDesktop
  beforeAll(async () => {
    testDesktop = await startKdeTestDesktop(testing)
    const names = ['kwin-wayland', 'kwrite', 'gnome-calculator', 'libgtk-4-1', 'libqt6core6t64', 'chromium']
    const versions = await packageVersions('root' in testing ? testing.root : '', names)
    process.stdout.write(`desktops: ${JSON.stringify(versions)}\n`)
  })
  afterEach(() => testDesktop.endPrograms())
  afterAll(() => testDesktop?.close())

  const perform = async (action: Action) => testDesktop.computer.perform(action)
  const windows = async () => testDesktop.computer.windows()
  const titles = async () => (await windows()).map(({ title }) => title)
  const drag = (from: Point, to: Point) => perform({ type: 'drag', from, to, durationMs: 200, modifiers: [] })
  const refused = (act: () => unknown) =>
    (async () => act())().then(
      () => 'done',
      ({ code }) => code as string,
    )

  const page = `file://${fixturePath('page.html')}`
  const programs: readonly (readonly [string, () => Promise<TestWindow>, string, string])[] = [
    ['GTK 3', () => testDesktop.launch(/^Form$/, ...FORM), 'Edit "First name"', TEXT_OF_MANY_SCRIPTS],
    ['GTK 4', () => testDesktop.launch(/Text Editor/, 'gnome-text-editor'), 'Document', TEXT_OF_MANY_SCRIPTS],
    [
      'Qt 6',
      () => testDesktop.launch(/^Qt form$/, PYTHON, fixturePath('qt-form.py')),
      'Edit "First name"',
      TEXT_OF_MANY_SCRIPTS,
    ],
    ['Chromium', () => openChromium(testDesktop, /Demo page - Chromium/, page), 'Edit "Name"', 'ASCII only'],
    [
      'Xwayland',
      () => testDesktop.launch(/^Form$/, 'env', 'GDK_BACKEND=x11', ...FORM),
      'Edit "First name"',
      'ASCII only',
    ],
  ]

  it.each(programs)(
    '[LX63b] [LX63e] %s has its elements where the pointer hits them, and takes any script',
    async (_, open, field, text) => {
      const window = await open()
      await window.activate()
      await window.clickCentre(field)
      await waitUntil('the field has the keyboard', async () => (await window.element(field)).focused)
      await perform({ type: 'key', keys: 'ctrl+a' })
      await perform({ type: 'type', text })
      await window.waitForValue(field, text)
      await perform({ type: 'key', keys: 'ctrl+a' })
      await perform({ type: 'key', keys: 'BackSpace' })
      await perform({ type: 'type', text: ASCII })
      await window.waitForValue(field, ASCII)
    },
  )

  it('[LX63e] refuses to type what Chromium and Xwayland drop, and pastes it', async () => {
    const chromium = await openChromium(testDesktop, /Demo page - Chromium/, page)
    await chromium.activate()
    await chromium.clickCentre('Edit "Name"')
    expect(await refused(() => perform({ type: 'type', text: 'aé' }))).toBe('PlatformUnsupported')
    expect((await chromium.element('Edit "Name"')).value).toBe('Ada')
    await perform({ type: 'key', keys: 'ctrl+a' })
    await perform({ type: 'set_clipboard', text: TEXT_OF_MANY_SCRIPTS })
    await perform({ type: 'key', keys: 'ctrl+v' })
    await chromium.waitForValue('Edit "Name"', TEXT_OF_MANY_SCRIPTS)
    const form = await testDesktop.launch(/^Form$/, 'env', 'GDK_BACKEND=x11', ...FORM)
    await form.activate()
    await form.clickCentre('Edit "First name"')
    expect(await refused(() => perform({ type: 'type', text: 'aé' }))).toBe('PlatformUnsupported')
    await perform({ type: 'key', keys: 'ctrl+v' })
    await form.waitForValue('Edit "First name"', TEXT_OF_MANY_SCRIPTS)
  })

  it('[LX63e] a calculator of Qt 6 and one of GTK 4 calculate with the pointer and with keys', async () => {
    const kcalc = await testDesktop.launch(/KCalc/, 'kcalc')
    await kcalc.activate()
    await perform({ type: 'type', text: '6*7' })
    await perform({ type: 'key', keys: 'Return' })
    await kcalc.waitForText('42')
    const calculator = await testDesktop.launch(/^Calculator$/, 'gnome-calculator')
    await calculator.activate()
    await calculator.clickCentre('Button "7"')
    await perform({ type: 'type', text: '*6' })
    await perform({ type: 'key', keys: 'Return' })
    await calculator.waitForText('42')
  })

  it('[LX63e] [LX63l] KWrite takes a text, which its copy has', async () => {
    const kwrite = await testDesktop.launch(/KWrite/, 'kwrite')
    await kwrite.activate()
    await kwrite.clickCentre('Button "New File"')
    await waitUntil('there is a document', async () => (await titles())[0]?.startsWith('Untitled'))
    const text = 'Zażółć Привет 日本語 Hello'
    await perform({ type: 'type', text })
    await perform({ type: 'key', keys: 'ctrl+a' })
    await perform({ type: 'key', keys: 'ctrl+c' })
    await waitUntil('it is copied', async () => (await testDesktop.computer.readClipboard!()) === text, 20_000)
  })

  it('[LX63e] types the same with caps lock on', async () => {
    const form = await testDesktop.launch(/^Form$/, ...FORM)
    await form.activate()
    await form.perform('Edit "First name"', { type: 'focus' })
    await perform({ type: 'key', keys: 'Caps_Lock' })
    try {
      await perform({ type: 'type', text: 'Ada é' })
      await form.waitForValue('Edit "First name"', 'Ada é')
    } finally {
      await perform({ type: 'key', keys: 'Caps_Lock' })
    }
  })

  it('[LX63e] refuses characters that no key types, and text that would reach another window', async () => {
    const form = await testDesktop.launch(/^Form$/, ...FORM)
    const other = await testDesktop.launch(/^Other$/, ...FORM, '--title', 'Other')
    await form.activate()
    await form.perform('Edit "First name"', { type: 'focus' })
    const type = (text: string, keyboardWindow?: string) =>
      refused(() => testDesktop.computer.perform({ type: 'type', text }, { keyboardWindow }))
    expect([await type('a\u0000b'), await type('\ud800'), await type('x', other.uid)]).toEqual([
      'BadRequest',
      'BadRequest',
      'WindowOccluded',
    ])
    expect((await form.element('Edit "First name"')).value).toBe('')
    await testDesktop.endPrograms()
    expect(await type('lost')).toBe('WindowGone')
  })

  it('[LX63b] [LX63c] windows are raised, minimised, brought back, maximised and closed', async () => {
    const one = await testDesktop.launch(/^One$/, ...FORM, '--title', 'One')
    const two = await testDesktop.launch(/^Two$/, 'env', 'GDK_BACKEND=x11', ...FORM, '--title', 'Two')
    const away = async () =>
      (await testDesktop.computer.hiddenWindows!()).map(({ title, state, workspace }) => [title, state, workspace])
    await one.activate()
    expect(await titles()).toEqual(['One', 'Two'])
    expect((await windows()).map(({ focused }) => focused)).toEqual([true, false])
    await two.activate()
    expect(await titles()).toEqual(['Two', 'One'])
    expect(encloses(await two.bounds(), (await two.element('Button "Greet"')).bounds)).toBe(true)
    await perform({ type: 'window', window: one.uid, to: 'minimize' })
    expect([await titles(), await away()]).toEqual([['Two'], [['One', 'minimized', undefined]]])
    await one.activate()
    expect(await titles()).toEqual(['One', 'Two'])
    const before = await one.bounds()
    await perform({ type: 'window', window: one.uid, to: 'maximize' })
    await waitUntil('it fills the screen', async () => (await one.bounds()).width === 1280)
    await perform({ type: 'window', window: one.uid, to: 'restore' })
    await waitUntil('it has its size again', async () => (await one.bounds()).width === before.width)
    await perform({ type: 'window', window: two.uid, to: 'close' })
    await waitUntil('it is closed', async () => (await titles()).join() === 'One')
    expect(await refused(() => perform({ type: 'window', window: two.uid, to: 'minimize' }))).toBe('WindowGone')
  })

  it('[LX63d] a window is moved by its title bar and resized by its corner', async () => {
    const qt = await testDesktop.launch(/^Qt form$/, PYTHON, fixturePath('qt-form.py'))
    await qt.activate()
    const before = await qt.bounds()
    const title = { x: before.x + 100, y: before.y + 15 }
    await drag(title, { x: title.x - 150, y: title.y + 60 })
    const moved = await qt.bounds()
    expect(moved).toEqual({ ...before, x: before.x - 150, y: before.y + 60 })
    const corner = { x: moved.x + moved.width, y: moved.y + moved.height }
    await drag(corner, { x: corner.x + 90, y: corner.y + 70 })
    await waitUntil('it is larger', async () => (await qt.bounds()).width > moved.width + 60)
    await qt.clickCentre('CheckBox "Agree"')
    await qt.waitForText('agree True')
  })

  it('[LX54] menus are in the tree of their window, and their items can be clicked', async () => {
    const form = await testDesktop.launch(/^Form$/, ...FORM)
    await form.activate()
    for (const [menu, item, seen] of [
      ['File', 'Save', 'saved'],
      ['Help', 'About', 'about'],
    ]) {
      await form.perform(`MenuItem "${menu}"`, CLICK)
      await waitUntil('the menu is open', async () => !(await form.element(`MenuItem "${item}"`)).traits?.hidden)
      await form.clickCentre(`MenuItem "${item}"`)
      await form.waitForText(seen!)
    }
    expect(await titles()).toEqual(['Form'])
  })

  it('[LX28] drags what another program takes', async () => {
    const source = await testDesktop.launch(/^Source$/, PYTHON, fixturePath('gtk-drag.py'), 'Source')
    const target = await testDesktop.launch(/^Target$/, PYTHON, fixturePath('gtk-drag.py'), 'Target')
    const { x, y } = await target.bounds()
    await target.activate()
    await drag({ x: x + 100, y: y + 20 }, { x: 200, y: 600 })
    await dragBetween(testDesktop, source, target)
  })

  it('[LX63f] [LX63g] tells where the pointer is, double-clicks, and turns the wheel by whole clicks', async () => {
    const qt = await testDesktop.launch(/^Qt form$/, PYTHON, fixturePath('qt-form.py'))
    await qt.activate()
    const at = centerOf((await qt.element('Text "nothing yet"')).bounds)
    await perform({ type: 'press', at, button: 'left' })
    expect(await testDesktop.computer.pointer!()).toMatchObject({ at, buttons: ['left'] })
    await perform({ type: 'release', at, button: 'left' })
    await qt.clickCentre('Edit "First name"')
    await perform({ type: 'type', text: 'one two' })
    const { bounds } = await qt.element('Edit "First name"')
    await perform({ ...CLICK, count: 2, at: { x: bounds.x + 10, y: centerOf(bounds).y } })
    await perform({ type: 'type', text: 'three' })
    await qt.waitForValue('Edit "First name"', 'three two')
    const count = centerOf((await qt.element('Spinner "Count"')).bounds)
    await perform({ ...CLICK, at: { x: count.x - 60, y: count.y } })
    await perform({ type: 'scroll', at: count, clicks: 3 })
    await qt.waitForText('count 3')
  })

  it('[LX63l] the clipboard is read and replaced', async () => {
    const form = await testDesktop.launch(/^Form$/, ...FORM)
    await form.activate()
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

  it('[LX62] reports a program that does not answer as a timeout; it receives the text when it continues', async () => {
    const form = await testDesktop.launch(/^Form$/, ...FORM)
    await form.activate()
    await form.perform('Edit "First name"', { type: 'focus' })
    form.process.kill('SIGSTOP')
    expect(await refused(() => perform({ type: 'type', text: 'late' }))).toBe('Timeout')
    form.process.kill('SIGCONT')
    await form.waitForValue('Edit "First name"', 'late')
  })

  it('[LX63h] tells in the doctor why there are no pictures', async () => {
    const checks = await checkLinux(testDesktop.desktop.env)
    const found = (subject: string) => checks.find((check) => check.subject === subject)
    expect(found('session')).toMatchObject({ verdict: 'good', found: expect.stringMatching(/KDE \(KWin\) \d/) })
    expect(found('pictures')).toMatchObject({ verdict: 'bad', found: expect.stringContaining('QPainter') })
    expect(found('pointer')).toMatchObject({ verdict: 'good' })
  })

  it('[LX39] connects again after KWin has ended', async () => {
    const other = await startKdeTestDesktop(testing)
    try {
      other.desktop.kill()
      await waitUntil('it is gone', async () => (await refused(() => other.computer.windows())) !== 'done')
      expect(await refused(() => other.computer.windows())).toBe('PlatformUnsupported')
    } finally {
      await other.close()
    }
  })
})

describe.skipIf(isMissing)('KDE that has permitted nothing', () => {
  let testDesktop: LinuxTestDesktop
  beforeAll(async () => {
    testDesktop = await startKdeTestDesktop(testing, { isPermitted: false })
  })
  afterAll(() => testDesktop?.close())

  it('[LX63i] [LX63j] [LX63k] has windows and own actions, and the rest once a person has agreed to a file', async () => {
    const { env } = testDesktop.desktop
    const form = await testDesktop.launch(/^Form$/, ...FORM)
    await form.perform('Button "Greet"', { type: 'invoke' })
    await form.waitForText('greeted')
    const { pointer, keyboard } = testDesktop.computer.info.supports
    const remedy = expect.stringContaining('backlot doctor --fix')
    expect([pointer, keyboard]).toEqual([remedy, remedy])
    const type = async () => testDesktop.computer.perform({ type: 'type', text: 'x' })
    await expect(type()).rejects.toMatchObject({ code: 'PlatformUnsupported', message: keyboard })
    const permission = async () => (await checkLinux(env)).find(({ subject }) => subject === 'permission of KWin')
    expect(await permission()).toMatchObject({ verdict: 'bad', fix: remedy })

    const file = join(env.HOME!, '.local/share/applications/backlot.desktop')
    const pictures = () => mayTakePictures(env.DBUS_SESSION_BUS_ADDRESS!, env.XDG_RUNTIME_DIR!)
    expect(await pictures()).toBe(false)
    await repairLinux(env, { confirm: async () => false, packageFolder: '' })
    expect(existsSync(file)).toBe(false)
    await repairLinux(env, { confirm: async () => true, packageFolder: '' })
    await waitUntil('KWin permits it', async () => (await permission())?.verdict === 'good')
    expect((await permission())?.found).toBe(`${file} permits ${process.execPath}`)

    expect(await pictures()).toBe(true)
    const permitted = await openLinuxComputer(env)
    try {
      await permitted.perform({ type: 'activate', window: form.uid })
      await form.perform('Edit "First name"', { type: 'focus' })
      await permitted.perform({ type: 'type', text: 'permitted' })
      await form.waitForText('name permitted')
    } finally {
      await permitted.close()
    }
  })
})
