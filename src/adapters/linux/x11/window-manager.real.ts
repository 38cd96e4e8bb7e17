import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  fixture,
  type Opened,
  PYTHON,
  startTrial,
  type Trial,
  until,
} from '../../../test-support/linux/test-desktop.ts'
import { examineLinux } from '../doctor/doctor.ts'

const verdictOn = async ({ desktop }: Trial) =>
  (await examineLinux(desktop.env)).find(({ subject }) => subject === 'window manager')

describe.each([
  ['xfwm4', { verdict: 'good', found: expect.stringContaining('Xfwm4') }],
  ['twm', { verdict: 'note', found: expect.stringContaining('EWMH') }],
  ['none', { verdict: 'note', found: expect.stringContaining('none') }],
] as const)('a desktop with the window manager %s', (windowManager, finding) => {
  let trial: Trial
  let first: Opened
  beforeAll(async () => {
    trial = await startTrial({ windowManager })
    first = await trial.open(/^First$/, PYTHON, fixture('gtk-form.py'), '--title', 'First')
  })
  afterAll(() => trial?.close())

  it('[B7] [B8] lists its first window, with its tree and its frame', async () => {
    const [info] = await trial.computer.windows()
    expect(info).toMatchObject({ title: 'First', pid: first.process.pid, process: 'python3' })
    const { bounds } = await first.element('Button "Greet"')
    expect(info!.bounds.y).toBeLessThan(bounds.y)
    expect(await trial.computer.windows()).toHaveLength(1)
  })

  it('[B8] gives windows the keyboard in turn, and types into the one that has it', async () => {
    const second = await trial.open(/^Second$/, PYTHON, fixture('gtk-form.py'), '--title', 'Second')
    for (const [window, text] of [
      [first, 'one'],
      [second, 'two'],
      [first, 'three'],
    ] as const) {
      await trial.computer.perform({ type: 'activate', window: window.uid })
      expect((await trial.computer.windows())[0]).toMatchObject({ uid: window.uid, focused: true })
      await window.do('Edit "First name"', { type: 'clear_text' })
      await window.do('Edit "First name"', { type: 'focus' })
      await trial.computer.perform({ type: 'type', text })
      await until('the text is there', async () => (await window.element('Edit "First name"')).value === text)
    }
    expect((await second.element('Edit "First name"')).value).toBe('two')
    await trial.computer.perform({ type: 'window', window: second.uid, to: 'close' })
    await until('it is closed', async () => (await trial.computer.windows()).length === 1)
  })

  it('[B10] is described by the doctor as it is', async () => {
    expect(await verdictOn(trial)).toMatchObject(finding)
  })
})

describe('a desktop without any window', () => {
  it('[B11] takes no text, which would go nowhere, but shortcuts of the window manager', async () => {
    const trial = await startTrial()
    try {
      const type = async () => trial.computer.perform({ type: 'type', text: 'lost' })
      await expect(type()).rejects.toMatchObject({ code: 'WindowGone' })
      const press = async (keys: string) => trial.computer.perform({ type: 'key', keys })
      await expect(press('a')).rejects.toMatchObject({ code: 'WindowGone' })
      await press('alt+tab')
    } finally {
      await trial.close()
    }
  })
})
