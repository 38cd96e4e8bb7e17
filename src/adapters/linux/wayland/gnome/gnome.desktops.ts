import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { packageVersions } from '../../../../../test/support/linux/debian-testing.ts'
import { startGnomeTestDesktop } from '../../../../../test/support/linux/gnome-desktop.ts'
import {
  fixturePath,
  type LinuxTestDesktop,
  PYTHON,
  type TestWindow,
  waitUntil,
} from '../../../../../test/support/linux/test-desktop.ts'
import { centerOf, encloses } from '../../../../desktop/model/geometry.ts'
import { querySelectorAll } from '../../../../desktop/tree/select.ts'
import { openBus } from '../../dbus.ts'
import { checkLinux } from '../../doctor.ts'
import { openLinuxComputer } from '../../linux.ts'
import { type GnomeShell, gnomeShellOn } from './gnome-shell.ts'

// Rules such as [GN1] are stated in README.md.

const testing = inject('debianTesting')
const SIZE = { width: 1280, height: 800 }
type Program = readonly [toolkit: string, title: RegExp, command: readonly [string, ...string[]], field: string]
const QT: Program = ['Qt 6', /^Qt form$/, [PYTHON, fixturePath('qt-form.py')], 'Edit "First name"']
const GTK4: Program = ['GTK 4', /Text Editor/, ['gnome-text-editor', '--standalone'], 'Document']
/** Polish, Russian, Greek, Japanese, Korean, Arabic, Hebrew, Thai, emoji with joiners, a flag, combining and rare ones. */
const SCRIPTS = 'Zażółć Привет Ωμέγα 日本語 한국어 مرحبا שלום สวัสดี 👩‍💻 🇵🇱 é 𝔘'
const ASCII = 'Hello, World! {"a": [1,2]} ~`^|\\ @#$%&*()_+=<>?/;:\''

describe.skipIf('reason' in testing)('GNOME Shell', () => {
  let testDesktop: LinuxTestDesktop
  let shell: GnomeShell
  let closeBus: () => void

  beforeAll(async () => {
    const { root } = testing as { root: string }
    console.log(await packageVersions(root, ['gnome-shell', 'libgtk-4-1', 'libqt6core6t64', 'at-spi2-core']))
    testDesktop = await startGnomeTestDesktop(testing, SIZE)
    const bus = await openBus(testDesktop.desktop.env.DBUS_SESSION_BUS_ADDRESS!)
    closeBus = () => bus.close()
    shell = gnomeShellOn(bus)
  })
  afterEach(() => testDesktop.endPrograms())
  afterAll(async () => {
    closeBus?.()
    await testDesktop?.close()
  })

  const perform = async (...[action]: Parameters<LinuxTestDesktop['computer']['perform']>) =>
    testDesktop.computer.perform(action)
  const open = ([, title, [program, ...args]]: Program) => testDesktop.launch(title, program, ...args)
  const numberOf = ({ uid }: TestWindow) => Number(uid.slice('gnome:'.length))
  async function place(window: TestWindow, x: number, y: number, width: number, height: number): Promise<void> {
    expect(await shell.place(numberOf(window), { x, y, width, height })).toBe(true)
    await waitUntil('it is placed', async () => {
      const bounds = await window.bounds()
      return bounds?.x === x && bounds.y === y
    })
  }
  async function typeAnew(window: TestWindow, field: string, text: string): Promise<void> {
    await perform({ type: 'key', keys: 'ctrl+a' })
    await perform({ type: 'type', text })
    await window.waitForValue(field, text)
  }

  it.each([QT, GTK4])(
    '[GN1] [GN12] [GN13] %s has its elements where the pointer hits them, and takes text',
    async (...program) => {
      const [, , , field] = program
      const window = await open(program)
      await place(window, 140, 110, 700, 520)
      const bounds = (await window.bounds())!
      expect(encloses(bounds, (await window.element(field)).bounds)).toBe(true)
      await window.clickCentre(field)
      await typeAnew(window, field, ASCII)
      await typeAnew(window, field, SCRIPTS)
      for (let round = 0; round < 10; round++) await typeAnew(window, field, `a${round} ${SCRIPTS} b2`)
    },
  )

  it('[GN2] [GN3] windows are listed in order, raised, minimised, brought back, maximised, resized and closed', async () => {
    const qt = await open(QT)
    const gtk = await open(GTK4)
    const uids = async () => (await testDesktop.computer.windows()).map(({ uid }) => uid)
    const away = async () => (await testDesktop.computer.hiddenWindows!()).map(({ uid, state }) => [uid, state])
    await qt.activate()
    expect(await uids()).toEqual([qt.uid, gtk.uid])
    expect((await testDesktop.computer.windows()).map(({ focused }) => focused)).toEqual([true, false])
    await perform({ type: 'window', window: qt.uid, to: 'minimize' })
    expect([await uids(), await away()]).toEqual([[gtk.uid], [[qt.uid, 'minimized']]])
    await qt.activate()
    expect(await uids()).toEqual([qt.uid, gtk.uid])
    await perform({ type: 'window', window: gtk.uid, to: 'maximize' })
    await waitUntil('it fills the screen', async () => (await gtk.bounds())?.width === SIZE.width)
    await perform({ type: 'window', window: gtk.uid, to: 'restore' })
    await waitUntil('it is as before', async () => (await gtk.bounds())!.width < SIZE.width)
    await place(gtk, 60, 80, 720, 560)
    await waitUntil('it has the size', async () => (await gtk.bounds())!.width === 720)
    await perform({ type: 'window', window: qt.uid, to: 'close' })
    await waitUntil('it is closed', async () => (await uids()).length === 1)
  })

  it('[GN4] [GN5] pictures show the screen, an area and a window that is covered', async () => {
    const qt = await open(QT)
    await place(qt, 100, 100, 500, 400)
    await qt.activate()
    const screen = await testDesktop.computer.screenshot({ screen: true })
    expect([screen.width, screen.height]).toEqual([SIZE.width, SIZE.height])
    const bounds = (await qt.bounds())!
    const alone = await testDesktop.computer.screenshot({ window: qt.uid })
    expect([alone.width, alone.height]).toEqual([bounds.width, bounds.height])
    const area = await testDesktop.computer.screenshot({
      area: { x: bounds.x + 60, y: bounds.y + 60, width: 200, height: 150 },
    })
    const rgb = (picture: typeof alone, x: number, y: number) => [
      ...picture.pixels().subarray((y * picture.width + x) * 4, (y * picture.width + x) * 4 + 3),
    ]
    for (const [x, y] of [
      [5, 5],
      [100, 80],
      [190, 140],
    ] as const) {
      expect(rgb(area, x, y)).toEqual(rgb(alone, x + 60, y + 60))
      expect(rgb(screen, x + bounds.x + 60, y + bounds.y + 60)).toEqual(rgb(alone, x + 60, y + 60))
    }
    const gtk = await open(GTK4)
    await place(gtk, 90, 90, 800, 600)
    await gtk.activate()
    const covered = await testDesktop.computer.screenshot({ window: qt.uid })
    expect(rgb(covered, 160, 140)).toEqual(rgb(alone, 160, 140))
  })

  it('[GN6] the clipboard is read and replaced', async () => {
    const [, , , field] = GTK4
    const gtk = await open(GTK4)
    await gtk.clickCentre(field)
    await perform({ type: 'set_clipboard', text: 'ze schowka 日本 😀' })
    // The program brings back the text of its last run.
    await perform({ type: 'key', keys: 'ctrl+a' })
    await perform({ type: 'key', keys: 'ctrl+v' })
    await gtk.waitForValue(field, 'ze schowka 日本 😀')
    await typeAnew(gtk, field, 'copied')
    await perform({ type: 'key', keys: 'ctrl+a' })
    await perform({ type: 'key', keys: 'ctrl+c' })
    await waitUntil('it is copied', async () => (await testDesktop.computer.readClipboard!()) === 'copied')
  })

  it('[GN8] [GN9] clicks, double clicks and held keys arrive', async () => {
    const qt = await open(QT)
    await place(qt, 100, 100, 500, 420)
    await qt.clickCentre('CheckBox "Agree"')
    await qt.waitForText('agree True')
    await qt.clickCentre('Edit "First name"')
    await typeAnew(qt, 'Edit "First name"', 'one')
    const { bounds } = await qt.element('Edit "First name"')
    await perform({
      type: 'click',
      at: { x: bounds.x + 12, y: bounds.y + bounds.height / 2 },
      button: 'left',
      count: 2,
    })
    await perform({ type: 'type', text: 'two' })
    await qt.waitForValue('Edit "First name"', 'two')
    await perform({ type: 'key_down', key: 'shift' })
    await perform({ type: 'key', keys: 'home' })
    await perform({ type: 'key_up', key: 'shift' })
    await perform({ type: 'key', keys: 'delete' })
    await qt.waitForValue('Edit "First name"', '')
    const at = { x: 640, y: 700 }
    await perform({ type: 'hover', at, forMs: 0 })
    expect((await testDesktop.computer.pointer()).at).toEqual(at)
  })

  it('[GN14] [GN14a] refuses what is no text, and reports text that nothing has taken', async () => {
    const [, , , field] = QT
    const qt = await open(QT)
    await qt.clickCentre(field)
    await typeAnew(qt, field, 'kept')
    const type = async (text: string) => testDesktop.computer.perform({ type: 'type', text })
    await expect(type('a\u0000b')).rejects.toMatchObject({ code: 'BadRequest' })
    await qt.clickCentre('Button "Greet"')
    await expect(type('ab日本')).rejects.toMatchObject({ code: 'PlatformUnsupported' })
    expect((await qt.element(field)).value).toBe('kept')
  })

  it('[GN7] a person consents to the portal once, and the next start asks nobody', async () => {
    const told: string[] = []
    const openThroughPortal = () =>
      openLinuxComputer(testDesktop.desktop.env, { gnomeInput: 'portal', warn: (line) => told.push(line) })
    const opening = openThroughPortal()
    // What a person does: the test has pointer and keys of its own.
    const { uid } = await testDesktop.window(/^Remote Desktop$/)
    const click = async (selector: string) => {
      const found = await waitUntil(selector, async () => {
        const tree = await testDesktop.computer.tree(uid)
        return tree && querySelectorAll(tree, selector)[0]?.element
      })
      await perform({ type: 'click', at: centerOf(found.bounds), button: 'left', count: 1 })
    }
    await click('ToggleButton "MetaVendor"')
    await click('ToggleButton "Allow Remote Interaction"')
    await click('Button "Share"')
    const computer = await opening
    expect(told).toHaveLength(1)
    try {
      const [, , , field] = QT
      const qt = await open(QT)
      const { bounds } = await qt.element(field)
      await computer.perform({ type: 'click', at: centerOf(bounds), button: 'left', count: 1 })
      await computer.perform({ type: 'type', text: `portal ${SCRIPTS}` })
      await qt.waitForValue(field, `portal ${SCRIPTS}`)
      await computer.perform({ type: 'hover', at: { x: 640, y: 700 }, forMs: 0 })
      expect((await computer.pointer()).at).toEqual({ x: 640, y: 700 })
    } finally {
      await computer.close()
    }
    await (await openThroughPortal()).close()
    expect(told).toHaveLength(1)
  })

  it('[GN16] [GN17] [GN19] the doctor names the extension, the layout and the way of each ability', async () => {
    const checks = await checkLinux(testDesktop.desktop.env)
    const found = (subject: string) => checks.find((check) => check.subject === subject)
    expect(found('session')).toMatchObject({
      verdict: 'good',
      found: expect.stringMatching(/^Wayland, GNOME \(Mutter\) \d+/),
    })
    expect(found('extension of GNOME Shell')).toMatchObject({ verdict: 'good' })
    expect(found('keyboard layout')).toMatchObject({ verdict: 'good', found: expect.stringContaining('us') })
    expect(found('pictures of covered windows')).toMatchObject({ verdict: 'good' })
  })
})
