import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  fixturePath,
  type LinuxTestDesktop,
  PYTHON,
  startTestDesktop,
  type TestWindow,
  waitUntil,
} from '../../../../test/support/linux/test-desktop.ts'
import { checkLinux } from '../doctor.ts'

const verdictOn = async ({ desktop }: LinuxTestDesktop) =>
  (await checkLinux(desktop.env)).find(({ subject }) => subject === 'window manager')

describe.each([
  ['xfwm4', { verdict: 'good', found: expect.stringContaining('Xfwm4') }],
  ['twm', { verdict: 'note', found: expect.stringContaining('EWMH') }],
  ['none', { verdict: 'note', found: expect.stringContaining('none') }],
] as const)('a desktop with the window manager %s', (windowManager, finding) => {
  let testDesktop: LinuxTestDesktop
  let first: TestWindow
  beforeAll(async () => {
    testDesktop = await startTestDesktop({ windowManager })
    first = await testDesktop.launch(/^First$/, PYTHON, fixturePath('gtk-form.py'), '--title', 'First')
  })
  afterAll(() => testDesktop?.close())

  it('[LX7] [LX8] lists its first window, with its tree and its frame', async () => {
    const [info] = await testDesktop.computer.windows()
    expect(info).toMatchObject({ title: 'First', pid: first.process.pid, process: 'python3' })
    const { bounds } = await first.element('Button "Greet"')
    expect(info!.bounds.y).toBeLessThan(bounds.y)
    expect(await testDesktop.computer.windows()).toHaveLength(1)
  })

  it('[LX8] focuses windows in turn, and types into the focused one', async () => {
    const second = await testDesktop.launch(/^Second$/, PYTHON, fixturePath('gtk-form.py'), '--title', 'Second')
    for (const [window, text] of [
      [first, 'one'],
      [second, 'two'],
      [first, 'three'],
    ] as const) {
      await testDesktop.computer.perform({ type: 'activate', window: window.uid })
      expect((await testDesktop.computer.windows())[0]).toMatchObject({ uid: window.uid, focused: true })
      await window.perform('Edit "First name"', { type: 'clear_text' })
      await window.perform('Edit "First name"', { type: 'focus' })
      await testDesktop.computer.perform({ type: 'type', text })
      await waitUntil('the text is there', async () => (await window.element('Edit "First name"')).value === text)
    }
    expect((await second.element('Edit "First name"')).value).toBe('two')
    await testDesktop.computer.perform({ type: 'window', window: second.uid, to: 'close' })
    await waitUntil('it is closed', async () => (await testDesktop.computer.windows()).length === 1)
  })

  it('[LX43] is described correctly by the doctor', async () => {
    expect(await verdictOn(testDesktop)).toMatchObject(finding)
  })
})

describe('a desktop without any window', () => {
  it('[LX33] refuses text, which would be lost, but accepts shortcuts of the window manager', async () => {
    const testDesktop = await startTestDesktop()
    try {
      const type = async () => testDesktop.computer.perform({ type: 'type', text: 'lost' })
      await expect(type()).rejects.toMatchObject({ code: 'WindowGone' })
      const press = async (keys: string) => testDesktop.computer.perform({ type: 'key', keys })
      await expect(press('a')).rejects.toMatchObject({ code: 'WindowGone' })
      await press('alt+tab')
    } finally {
      await testDesktop.close()
    }
  })
})
