import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTestbed, type Testbed } from '../../src/compose/testbed.ts'
import { call } from '../../src/observer/call.ts'
import { openChromium, openFirefox, openLibreOffice } from '../support/linux/programs.ts'
import {
  fixturePath,
  type LinuxTestDesktop,
  PYTHON,
  type TestWindow,
  waitUntil,
} from '../support/linux/test-desktop.ts'

// Typical tasks on real desktops, completed with the tools for agents only, each at the first attempt.

// biome-ignore lint/suspicious/noExplicitAny: the result depends on the tool.
type Answer = any

/** How newer releases of KCalc name their keys. */
const WORDS: Readonly<Record<string, string>> = {
  '1': 'One',
  '2': 'Two',
  '3': 'Three',
  '4': 'Four',
  '×': 'Multiply',
  '+': 'Add',
  '=': 'Equals',
}

/** What a task needs of a desktop, which not every desktop of the tests has. */
export type TaskNeed =
  | 'LibreOffice'
  | 'Firefox'
  | 'Thunar'
  | 'Mousepad'
  | 'a terminal'
  | 'pictures'
  | 'a second monitor'

export interface TasksOptions {
  /** Starts the desktop. */
  readonly open: (size: { readonly width: number; readonly height: number }) => Promise<LinuxTestDesktop>
  /** How pointer and keys of GNOME are driven. */
  readonly gnomeInput?: 'mutter'
  /** What the desktop does not have. Tasks that need it are left out, and docs/real-desktops.md tells why. */
  readonly without?: readonly TaskNeed[]
}

/** An agent that completes typical tasks on a private desktop. */
export function tasksSuite(
  session: 'x11' | 'sway' | 'kde' | 'gnome',
  { open, gnomeInput, without = [] }: TasksOptions,
): void {
  const task = (need: TaskNeed) => it.skipIf(without.includes(need))
  let testDesktop: LinuxTestDesktop
  let testbed: Testbed

  /** Calls a tool that must succeed. Retries while the program is too busy to answer. */
  const ask = (tool: string, args: unknown = {}): Promise<Answer> =>
    waitUntil(`${tool} is done`, async () => {
      const { body, fault }: Answer = await call(testbed.session, tool, args)
      const again = body.error?.recoverable && tool !== 'type_text' && tool !== 'press_key'
      if (fault && !again) throw new Error(`${tool} ${JSON.stringify(args)}: ${fault.code}: ${fault.message}`)
      return fault ? undefined : body
    })
  const front = ({ uid }: TestWindow) => ask('bring_to_foreground', { window_uid: uid })
  /** Large programs go on loading after their window has opened. */
  const isAtRest = ({ uid }: TestWindow) => ask('wait_idle', { window_uid: uid, timeout_ms: 30_000 })
  const press = (keys: string, more: object = {}) => ask('press_key', { keys, ...more })
  const type = (text: string) => ask('type_text', { text })
  /** Types all text of the field or document that has the keyboard, again from its start when a busy program has not taken it. */
  const typeAll = (text: string) =>
    waitUntil('the text is typed', async () => {
      const { fault } = await call(testbed.session, 'press_key', { keys: 'ctrl+a' })
      return !fault && !(await call(testbed.session, 'type_text', { text })).fault
    })
  const home = () => testDesktop.desktop.env.HOME!
  /** The window that shows an open menu: its own on X11. On Wayland a menu is no window of the session. */
  const menuOf = ({ uid: of }: TestWindow) =>
    waitUntil('the menu is open', async () =>
      (await testDesktop.computer.windows()).find(({ uid, popupOf }) => (session === 'x11' ? popupOf : uid) === of),
    )
  /** Adds a monitor on the right. Returns its left edge and the width of all monitors. */
  async function addMonitor(): Promise<{ readonly left: number; readonly width: number }> {
    const run = (program: string, ...args: readonly string[]) => {
      const { status, stderr, stdout } = spawnSync(program, args, { env: testDesktop.desktop.env })
      expect(status, `${program}: ${stdout}${stderr}`).toBe(0)
    }
    if (session === 'sway') {
      run('swaymsg', 'output HEADLESS-2 resolution 640x900 position 1280 0')
      run('swaymsg', 'create_output')
      return { left: 1280, width: 1920 }
    }
    run('xrandr', '--setmonitor', 'M0', '640/100x900/100+0+0', 'screen')
    run('xrandr', '--setmonitor', 'M1', '640/100x900/100+640+0', 'none')
    return { left: 640, width: 1280 }
  }

  describe(`an agent on ${session}`, { retry: 0 }, () => {
    beforeAll(async () => {
      testDesktop = await open({ width: 1280, height: 900 })
      testbed = await createTestbed({ adapter: 'linux', env: testDesktop.desktop.env, gnomeInput })
    })
    afterEach(() => testDesktop.endPrograms())
    afterAll(async () => {
      await testbed?.close()
      await testDesktop?.close()
    })

    task('LibreOffice')('[LX47] writes a letter with Writer and saves it', async () => {
      const writer = await openLibreOffice(testDesktop, /Writer/, 'writer')
      await front(writer)
      await isAtRest(writer)
      await typeAll('Dear Zoë,\nthe meeting is at 5 – 本 😀.\n')
      await writer.waitForText('the meeting is at 5 – 本 😀.')
      const file = join(home(), 'letter-zoë.odt')
      const { new_dialogs } = await press('ctrl+shift+s', { settle_ms: 10_000 })
      expect(new_dialogs).toHaveLength(1)
      await typeAll(file)
      await press('enter')
      await waitUntil('the letter is saved', () => existsSync(file))
      await waitUntil('the letter can be read', () => {
        const read = 'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read("content.xml").decode())'
        const { stdout, status } = spawnSync(PYTHON, ['-c', read, file], { env: testDesktop.desktop.env })
        return status === 0 && stdout.toString().includes('the meeting is at 5 – 本 😀.')
      })
    })

    it.runIf(without.includes('LibreOffice'))('[LX47] writes a letter with KWrite and saves it', async () => {
      const file = join(home(), 'letter-zoë.txt')
      writeFileSync(file, '')
      const kwrite = await testDesktop.launch(/letter/, 'kwrite', file)
      await front(kwrite)
      await isAtRest(kwrite)
      await typeAll('Dear Zoë,\nthe meeting is at 5 – 本 😀.\n')
      await press('ctrl+s')
      await waitUntil('the letter is saved', () => readFileSync(file, 'utf8').includes('the meeting is at 5 – 本 😀.'))
    })

    task('LibreOffice')('[LX47] reads a sum that Calc has computed', async () => {
      const calc = await openLibreOffice(testDesktop, /Calc/, 'calc')
      await front(calc)
      await isAtRest(calc)
      const { bounds } = await ask('find_element', { window_uid: calc.uid, selector: 'Cell "A1"' })
      await ask('click_at', { x: bounds.x + 20, y: bounds.y + 8 })
      await type('40\n2\n=SUM(A1:A2)\n')
      await ask('wait_for', {
        window_uid: calc.uid,
        any_of: [{ type: 'element_appears', selector: 'Cell[name="A3"][value="42"]' }],
        timeout_ms: 20_000,
      })
    })

    const browsers = [
      ['Firefox', openFirefox],
      ['Chromium', openChromium],
    ] as const
    it.each(browsers.filter(([name]) => name === 'Chromium' || !without.includes(name)))(
      '[LX47] signs in on a page in %s',
      async (_, open) => {
        const sent: Record<string, string>[] = []
        const page = `<title>Sign in</title><form action="/done"><label>Name <input name="name"></label>
      <label>Password <input type="password" name="secret"></label>
      <label><input type="checkbox" name="stay"> Stay</label><button>Sign in</button></form>`
        const server = createServer(({ url = '' }, reply) => {
          const { pathname, searchParams } = new URL(url, 'http://localhost')
          if (pathname === '/done') sent.push(Object.fromEntries(searchParams))
          reply.setHeader('content-type', 'text/html; charset=utf-8')
          reply.end(pathname === '/done' ? '<title>Welcome</title><h1>Welcome</h1>' : page)
        })
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        try {
          const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
          const browser = await open(testDesktop, /Sign in/, url)
          await front(browser)
          const window_uid = browser.uid
          await browser.element('Button "Sign in"')
          if (session === 'kde') {
            // Chromium drops what KWin types outside of ASCII, and the fault names this way.
            await ask('click_element', { window_uid, selector: 'Edit "Name"' })
            await ask('set_clipboard', { text: 'Zoë' })
            await press('ctrl+v')
          } else
            expect(await ask('set_value', { window_uid, selector: 'Edit "Name"', value: 'Zoë' })).toMatchObject({
              changed: true,
            })
          const secret = await ask('set_value', { window_uid, selector: 'PasswordEdit', value: 'open sesame' })
          expect(secret).toMatchObject({ changed: true })
          await ask('click_element', { window_uid, selector: 'CheckBox' })
          await ask('click_element', { window_uid, selector: 'Button "Sign in"' })
          await waitUntil('the form is sent', () => sent.length > 0)
          expect(sent).toEqual([{ name: 'Zoë', secret: 'open sesame', stay: 'on' }])
          await testDesktop.window(/Welcome/)
        } finally {
          server.close()
        }
      },
    )

    task('Thunar')('[LX47] renames a file in Thunar', async () => {
      const folder = join(home(), 'papers')
      mkdirSync(folder)
      writeFileSync(join(folder, 'old name.txt'), 'text')
      const thunar = await testDesktop.launch(/papers/, 'thunar', folder)
      await front(thunar)
      await press('ctrl+a')
      const { new_dialogs } = await press('f2', { settle_ms: 5000 })
      const window_uid = new_dialogs[0].window_uid
      await ask('set_value', { window_uid, selector: 'Edit', value: 'new-ä-😀.txt' })
      await ask('click_element', { window_uid, selector: 'Button "Rename"' })
      await waitUntil('the file is renamed', () => readdirSync(folder).join() === 'new-ä-😀.txt')
    })

    it('[LX47] calculates', async () => {
      const calculator = await testDesktop.launch(/KCalc/, 'kcalc')
      const window_uid = calculator.uid
      await front(calculator)
      const nameOf = (key: string) => (session === 'kde' || session === 'gnome' ? WORDS[key] : undefined) ?? key
      for (const key of '12×(3+4)=')
        await ask('click_element', { window_uid, selector: `Button[name="${nameOf(key)}"]` })
      await ask('wait_for', { window_uid, any_of: [{ type: 'text_visible', regex: '^84$' }], timeout_ms: 10_000 })
    })

    task('a terminal')('[LX47] runs a command in a terminal and waits for what it prints', async () => {
      const terminal = await testDesktop.launch(/Terminal/, 'xfce4-terminal', '--disable-server')
      await front(terminal)
      await type('sleep 1; echo "answer $((6*7))"\n')
      const window_uid = terminal.uid
      await ask('wait_for', { window_uid, any_of: [{ type: 'text_visible', regex: 'answer 42' }], timeout_ms: 15_000 })
    })

    it('[LX47] answers a dialog', async () => {
      const form = await testDesktop.launch(/^Form$/, PYTHON, fixturePath('gtk-form.py'))
      await front(form)
      const asked = await ask('click_element', { window_uid: form.uid, selector: 'Button "Delete all"' })
      expect(asked.new_dialogs).toEqual([expect.objectContaining({ title: 'Really?' })])
      const { window_uid } = asked.new_dialogs[0]
      await ask('click_element', { window_uid, selector: 'Button "No"' })
      await form.waitForText('answered -9')
    })

    task('pictures')('[LX47] chooses from a context menu of Qt', async () => {
      const menus = await testDesktop.launch(/^Qt menus$/, PYTHON, fixturePath('qt-menus.py'))
      const window_uid = menus.uid
      await front(menus)
      await ask('right_click_element', { window_uid, selector: '[name="Right-click here"]' })
      // Qt does not expose such menus, so their text is read from pixels.
      const menu = await menuOf(menus)
      // A picture of a window is without its menus in GNOME, where the screen is read instead.
      const [part, { x, y }] =
        session === 'gnome'
          ? [{ bbox: { x: 0, y: 0, width: 1280, height: 900 } }, { x: 0, y: 0 }]
          : [{ window_uid: menu.uid }, menu.bounds]
      const { bbox } = await waitUntil('the item can be read', async () =>
        (await ask('get_ocr', part)).words.find(({ text }: Answer) => text.startsWith('Delete')),
      )
      await ask('click_at', { x: x + bbox.x + 5, y: y + bbox.y + 5 })
      await menus.waitForText('Delete area chosen')
    })

    it('[LX47] chooses from a context menu of GTK', async () => {
      const hasMousepad = !without.includes('Mousepad')
      const selector = hasMousepad ? 'Document' : 'Edit "First name"'
      const editor = hasMousepad
        ? await testDesktop.launch(/Mousepad/, 'mousepad', '--disable-server')
        : await testDesktop.launch(/^Form$/, PYTHON, fixturePath('gtk-form.py'))
      const window_uid = editor.uid
      await front(editor)
      await ask('focus_element', { window_uid, selector })
      await type('cut me')
      await ask('right_click_element', { window_uid, selector })
      await menuOf(editor)
      for (const item of ['Select All', 'Cut']) {
        if (item === 'Cut') await ask('right_click_element', { window_uid, selector })
        await ask('click_element', { window_uid, selector: `MenuItem:has-text("${item}")` })
      }
      await waitUntil('the text is cut', async () => (await editor.element(selector)).value === '')
      await press('ctrl+v')
      await waitUntil('the text is pasted', async () => (await editor.element(selector)).value === 'cut me')
    })

    it('[LX47] finds one of ten thousand rows and chooses it', async () => {
      const rows = await testDesktop.launch(/^Rows$/, PYTHON, fixturePath('gtk-rows.py'))
      const window_uid = rows.uid
      await front(rows)
      await ask('select_option', { window_uid, selector: 'Table', option_index: 7000 })
      await rows.waitForText('chosen name 7000')
    })

    task('a second monitor')('[LX47] uses a second monitor', async () => {
      const { left, width } = await addMonitor()
      const form = await testDesktop.launch(/^Form$/, PYTHON, fixturePath('gtk-form.py'))
      await front(form)
      const { bounds } = (await testDesktop.computer.windows()).find(({ uid }) => uid === form.uid)!
      await ask('drag', {
        from: { x: bounds.x + Math.round(bounds.width / 2), y: bounds.y + 8 },
        to: { x: left + 320, y: bounds.y + 8 },
      })
      const moved = await waitUntil('it is on the second monitor', async () =>
        (await ask('list_windows')).windows.find(({ monitor_index }: Answer) => monitor_index === 1),
      )
      const picture = await ask('get_screenshot')
      expect(picture).toMatchObject({ width, height: 900 })
      const field = await ask('find_element', { window_uid: moved.window_uid, selector: 'Edit "First name"' })
      expect(field.bounds.x).toBeGreaterThan(left)
      await ask('click_at', { x: field.bounds.x + 20, y: field.bounds.y + 8 })
      await type('over here')
      await waitUntil('the text is there', async () => (await form.element('Edit "First name"')).value === 'over here')
    })
  })
}
