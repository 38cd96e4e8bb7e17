import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUNDLED_PROGRAM } from '../../../test/support/cli/bundled-program.ts'
import { startPrivateDesktop } from '../../../test/support/linux/private-desktop.ts'
import {
  fixturePath,
  type LinuxTestDesktop,
  PYTHON,
  startTestDesktop,
  type TestWindow,
  waitUntil,
} from '../../../test/support/linux/test-desktop.ts'
import { countNodes, walk } from '../../desktop/model/element.ts'
import { checkLinux } from './doctor.ts'
import { openLinuxComputer } from './linux.ts'
import { openDisplay } from './x11/display.ts'

let testDesktop: LinuxTestDesktop
let form: TestWindow

beforeAll(async () => {
  testDesktop = await startTestDesktop()
  form = await testDesktop.launch(/^Form$/, PYTHON, fixturePath('gtk-form.py'))
})
afterAll(() => testDesktop?.close())

const failure = (act: Promise<unknown>): Promise<{ code: string }> =>
  act.then(
    () => ({ code: 'none' }),
    (error) => error,
  )

describe('an application that is stopped', () => {
  it('[LX38] fails with Timeout, and others answer meanwhile', async () => {
    const other = await testDesktop.launch(/^Other$/, PYTHON, fixturePath('gtk-form.py'), '--title', 'Other')
    other.process.kill('SIGSTOP')
    await testDesktop.computer.perform({ type: 'activate', window: form.uid })
    const ends: unknown[] = []
    await Promise.all([
      failure(Promise.resolve(testDesktop.computer.tree(other.uid))).then(({ code }) => ends.push(code)),
      Promise.resolve(testDesktop.computer.tree(form.uid)).then((tree) => ends.push(tree!.name)),
    ])
    expect(ends).toEqual(['Form', 'Timeout'])
    const target = { window: other.uid, element: 'e1' }
    const invoke = async () => testDesktop.computer.perform({ type: 'invoke', target, at: { x: 1, y: 1 } })
    expect(await failure(invoke())).toMatchObject({ code: 'Timeout' })
    other.process.kill('SIGCONT')
    await other.waitForText('nothing yet')
    other.process.kill('SIGKILL')
  })
})

describe('an application that is killed', () => {
  it('[LX38] fails with WindowGone', async () => {
    const other = await testDesktop.launch(/^Other$/, PYTHON, fixturePath('gtk-form.py'), '--title', 'Other')
    other.process.kill('SIGKILL')
    await waitUntil('its window is gone', async () =>
      (await testDesktop.computer.windows()).every(({ uid }) => uid !== other.uid),
    )
    const attempts = [
      () => testDesktop.computer.screenshot({ window: other.uid }),
      () => testDesktop.computer.perform({ type: 'activate', window: other.uid }),
      () =>
        testDesktop.computer.perform({
          type: 'invoke',
          target: { window: other.uid, element: 'e1' },
          at: { x: 0, y: 0 },
        }),
    ]
    for (const attempt of attempts)
      expect(await failure((async () => attempt())())).toMatchObject({ code: 'WindowGone' })
    expect(await testDesktop.computer.tree(other.uid)).toBeUndefined()
  })

  it('[LX38] during a call does not affect the next one', async () => {
    const other = await testDesktop.launch(/^Other$/, PYTHON, fixturePath('gtk-form.py'), '--title', 'Other')
    const reading = failure((async () => testDesktop.computer.tree(other.uid))())
    other.process.kill('SIGKILL')
    const { code } = await reading
    expect(['none', 'Timeout', 'WindowGone']).toContain(code)
    expect((await form.tree()).name).toBe('Form')
  })
})

describe('an application that is killed while its tree is read', () => {
  it.each([40, 150, 400])('[LX40] after %i ms affects neither the server nor other programs', async (afterMs) => {
    const many = await testDesktop.launch(
      /^Many$/,
      PYTHON,
      fixturePath('gtk-form.py'),
      '--title',
      'Many',
      '--labels',
      '3000',
    )
    await testDesktop.computer.perform({ type: 'hover', at: { x: 1, y: 799 }, forMs: 0 })
    const reading = failure((async () => testDesktop.computer.tree(many.uid))())
    setTimeout(() => many.process.kill('SIGKILL'), afterMs)
    expect(['none', 'Timeout', 'WindowGone']).toContain((await reading).code)
    await waitUntil('it is gone', async () =>
      (await testDesktop.computer.windows()).every(({ title }) => title !== 'Many'),
    )
    expect((await form.tree()).name).toBe('Form')
  })
})

describe('an application with ten thousand elements', () => {
  it('[LX64] is read only where it is in view', async () => {
    const many = await testDesktop.launch(
      /^Many$/,
      PYTHON,
      fixturePath('gtk-form.py'),
      '--title',
      'Many',
      '--labels',
      '10000',
    )
    const tree = await many.tree()
    expect(countNodes(tree)).toBeLessThan(1000)
    expect([...walk(tree)].map(({ traits }) => traits?.childCount)).toContain(100)
    many.process.kill('SIGKILL')
    await waitUntil('it is gone', async () =>
      (await testDesktop.computer.windows()).every(({ title }) => title !== 'Many'),
    )
  })
})

describe('typing', () => {
  it('[LX23] stops when another window takes the keyboard, and types nothing into it', async () => {
    await testDesktop.computer.perform({ type: 'activate', window: form.uid })
    await form.perform('Edit "First name"', { type: 'clear_text' })
    await form.perform('Edit "First name"', { type: 'focus' })
    const typing = failure(
      (async () => testDesktop.computer.perform({ type: 'type', text: 'abcdefgh'.repeat(400) + 'ż'.repeat(5) }))(),
    )
    const thief = await testDesktop.launch(/^Thief$/, PYTHON, fixturePath('gtk-form.py'), '--title', 'Thief')
    await testDesktop.computer.perform({ type: 'activate', window: thief.uid })
    const { code } = await typing
    expect((await thief.element('Edit "First name"')).value).toBe('')
    expect(['WindowOccluded', 'none']).toContain(code)
    thief.process.kill('SIGKILL')
    await waitUntil('it is gone', async () =>
      (await testDesktop.computer.windows()).every(({ title }) => title !== 'Thief'),
    )
  })

  it.each(['abort', 'close'] as const)('[LX23] ends immediately on %s, with nothing held down', async (end) => {
    await testDesktop.computer.perform({ type: 'activate', window: form.uid })
    const other = await openLinuxComputer(testDesktop.desktop.env)
    const dragging = failure(
      (async () =>
        other.perform({
          type: 'drag',
          from: { x: 2, y: 790 },
          to: { x: 900, y: 790 },
          modifiers: ['shift'],
          durationMs: 20_000,
        }))(),
    )
    const display = await openDisplay(testDesktop.desktop.display)
    const SHIFT_AND_LEFT_BUTTON = 0x101
    const held = async () => {
      const { keyMask } = await display.request<{ keyMask: number }>((done) =>
        display.client.QueryPointer(display.root, done),
      )
      return keyMask & SHIFT_AND_LEFT_BUTTON
    }
    await waitUntil('the drag is under way', async () => (await held()) === SHIFT_AND_LEFT_BUTTON)
    const startMs = performance.now()
    await other[end]?.()
    expect((await dragging).code).toBe('PermissionDenied')
    // Long before the end of the drag.
    expect(performance.now() - startMs).toBeLessThan(10_000)
    expect((await failure((async () => other.perform({ type: 'type', text: 'no' }))())).code).not.toBe('none')
    expect(await held()).toBe(0)
    display.close()
    await other.close()
    await form.perform('Edit "First name"', { type: 'clear_text' })
    await form.perform('Edit "First name"', { type: 'focus' })
    await testDesktop.computer.perform({ type: 'type', text: 'small' })
    expect((await form.element('Edit "First name"')).value).toBe('small')
  })

  it('[LX38] ends when the program that is typed into hangs', async () => {
    const hanging = await testDesktop.launch(/^Hanging$/, PYTHON, fixturePath('gtk-form.py'), '--title', 'Hanging')
    await hanging.perform('Edit "First name"', { type: 'focus' })
    const typing = failure(
      (async () => testDesktop.computer.perform({ type: 'type', text: 'abcdefgh'.repeat(1000) }))(),
    )
    await waitUntil('typing has begun', async () => (await hanging.element('Edit "First name"')).value !== '')
    hanging.process.kill('SIGSTOP')
    expect(await typing).toMatchObject({ code: 'Timeout', message: expect.stringContaining('typed') })
    hanging.process.kill('SIGKILL')
    await waitUntil('it is gone', async () =>
      (await testDesktop.computer.windows()).every(({ title }) => title !== 'Hanging'),
    )
  })

  it('[LX23] waits for a modifier that a person holds down, then reports it', async () => {
    const display = await openDisplay(testDesktop.desktop.display)
    const test = (await display.extension<import('x11').TestExtension>('xtest'))!
    const CONTROL = 37
    test.FakeInput(test.KeyPress, CONTROL, 0, display.root, 0, 0)
    await display.sync()
    const error = await failure((async () => testDesktop.computer.perform({ type: 'type', text: 'q' }))())
    test.FakeInput(test.KeyRelease, CONTROL, 0, display.root, 0, 0)
    await display.sync()
    display.close()
    expect(error.code).toBe('Timeout')
  })
})

describe('a window manager that hangs', () => {
  it('[LX22] holds a click back, which is reported and not overtaken by keys', async () => {
    const own = await startTestDesktop()
    try {
      const editor = await own.launch(/Mousepad/, 'mousepad', '--disable-server')
      await editor.perform('Document', { type: 'set_value', value: 'right', clearFirst: true })
      const { bounds } = await editor.element('Document')
      const at = { x: bounds.x + 1, y: bounds.y + 10 }
      process.kill(own.desktop.pids.windowManager, 'SIGSTOP')
      const click = async () => own.computer.perform({ type: 'click', at, button: 'left', count: 1 })
      expect(await failure(click())).toMatchObject({ code: 'Timeout' })
      process.kill(own.desktop.pids.windowManager, 'SIGCONT')
      await click()
      await own.computer.perform({ type: 'type', text: 'up' })
      expect((await editor.element('Document')).value).toBe('upright')
    } finally {
      await own.close()
    }
  })
})

describe('a window manager that was killed', () => {
  it('[LX1] [LX9] leaves windows that can be listed, raised and closed, and the doctor reports it', async () => {
    const own = await startTestDesktop()
    try {
      const early = await own.launch(/^Early$/, PYTHON, fixturePath('gtk-form.py'), '--title', 'Early')
      process.kill(own.desktop.pids.windowManager, 'SIGKILL')
      await own.launch(/^Late$/, PYTHON, fixturePath('gtk-form.py'), '--title', 'Late')
      expect((await own.computer.windows()).map(({ title }) => title).sort()).toEqual(['Early', 'Late'])
      const refused = { code: 'PlatformUnsupported', message: expect.stringContaining('window manager') }
      for (const to of ['minimize', 'maximize', 'restore'] as const)
        expect(await failure((async () => own.computer.perform({ type: 'window', window: early.uid, to }))())).toEqual(
          expect.objectContaining(refused),
        )
      await own.computer.perform({ type: 'activate', window: early.uid })
      expect((await own.computer.windows())[0]).toMatchObject({ title: 'Early', focused: true })
      const findings = await checkLinux(own.desktop.env)
      expect(findings.find(({ subject }) => subject === 'window manager')).toMatchObject({ verdict: 'note' })
      await own.computer.perform({ type: 'window', window: early.uid, to: 'close' })
      await waitUntil('it is closed', async () => (await own.computer.windows()).length === 1)
    } finally {
      await own.close()
    }
  })
})

describe('connections', () => {
  it('[LX39] to an accessibility bus that exited are reopened', async () => {
    const own = await startTestDesktop()
    try {
      await own.launch(/^Form$/, PYTHON, fixturePath('gtk-form.py'))
      const bus = await pidOf(own, 'accessibility.conf')
      process.kill(bus, 'SIGKILL')
      await waitUntil('the bus is gone', () => !isAlive(bus))
      expect((await own.computer.windows()).length).toBe(1)
      const calls = await failure((async () => own.computer.tree((await own.computer.windows())[0]!.uid))())
      expect(['PlatformUnsupported', 'none']).toContain(calls.code)
      // Programs look for the bus when they start, so it is a new one that can be read again.
      const next = await own.launch(/^Next$/, PYTHON, fixturePath('gtk-form.py'), '--title', 'Next')
      await next.perform('Button "Greet"', { type: 'invoke' })
      await next.waitForText('greeted')
    } finally {
      await own.close()
    }
  })

  it('[LX39] to an accessibility bus that hangs time out, and the doctor reports it', async () => {
    const own = await startTestDesktop()
    try {
      process.kill(await pidOf(own, 'at-spi2-registryd'), 'SIGSTOP')
      const { status, stdout } = spawnSync(process.execPath, [BUNDLED_PROGRAM, 'doctor'], {
        env: own.desktop.env,
        timeout: 20_000,
      })
      expect([status, stdout.toString()]).toEqual([1, expect.stringContaining('it hangs')])
      process.kill(await pidOf(own, 'at-spi2-registryd'), 'SIGCONT')
    } finally {
      await own.close()
    }
  })

  it.each(['x11', 'sway'] as const)(
    '[LX39] to a display of %s that ended are refused with the cause',
    async (session) => {
      const own = await startTestDesktop({ session })
      try {
        process.kill(own.desktop.pids.server, 'SIGKILL')
        await waitUntil('the server is gone', () => !isAlive(own.desktop.pids.server))
        const error = await failure((async () => own.computer.windows())())
        expect(error.code).toBe('PlatformUnsupported')
      } finally {
        await own.close()
      }
    },
  )

  it('[LX39] to several displays keep their names apart', async () => {
    const own = await startPrivateDesktop()
    const one = await openDisplay(testDesktop.desktop.display)
    const other = await openDisplay(own.display)
    try {
      // A server numbers names in the order in which it first hears them.
      expect(await one.atom('HEARD_EARLY')).toBeLessThan(await one.atom('HEARD_LATE'))
      expect(await other.atom('HEARD_LATE')).toBeLessThan(await other.atom('HEARD_EARLY'))
    } finally {
      one.close()
      other.close()
      await own.close()
    }
  })

  it('[LX39] without a display are refused with the remedy', async () => {
    const none = failure(openLinuxComputer({}))
    const wayland = failure(openLinuxComputer({ XDG_SESSION_TYPE: 'wayland' }))
    const wrong = failure(openLinuxComputer({ DISPLAY: ':54321' }))
    expect(await none).toMatchObject({ code: 'PlatformUnsupported', message: expect.stringContaining('DISPLAY') })
    expect(await wayland).toMatchObject({ code: 'PlatformUnsupported', message: expect.stringContaining('D-Bus') })
    expect(await wrong).toMatchObject({ code: 'PlatformUnsupported', message: expect.stringContaining(':54321') })
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** The program with this command that the buses of this desktop started. */
async function pidOf(own: LinuxTestDesktop, words: string): Promise<number> {
  const { readdirSync, readFileSync } = await import('node:fs')
  const home = own.desktop.env.HOME!
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8')
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8')
      if (command.includes(words) && environment.includes(`HOME=${home}\0`)) return Number(name)
    } catch {
      // It ended while we looked.
    }
  }
  throw new Error(`this desktop has no ${words}`)
}
