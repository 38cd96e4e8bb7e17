import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  fixturePath,
  type LinuxTestDesktop,
  PYTHON,
  startTestDesktop,
  waitUntil,
} from '../../../../test/support/linux/test-desktop.ts'
import { querySelectorAll } from '../../../desktop/tree/select.ts'
import type { Computer } from '../../computer.ts'
import { openLinuxComputer } from '../linux.ts'

let testDesktop: LinuxTestDesktop
let computer: Computer
let uid: string

beforeAll(async () => {
  testDesktop = await startTestDesktop()
  await testDesktop.launch(/^Form$/, PYTHON, fixturePath('gtk-form.py'))
  // The same desktop as it is seen from a session that has nothing of X11.
  const { DISPLAY: _, ...env } = testDesktop.desktop.env
  computer = await openLinuxComputer({ ...env, XDG_SESSION_TYPE: 'wayland' })
  uid = (await computer.windows())[0]!.uid
})
afterAll(async () => {
  await computer?.close()
  await testDesktop?.close()
})

const element = async (selector: string) =>
  waitUntil(`${selector} is there`, async () => querySelectorAll((await computer.tree(uid))!, selector)[0]?.element)

describe('a Wayland desktop', () => {
  it('[LX15] has windows with trees', async () => {
    expect(await computer.windows()).toMatchObject([{ title: 'Form', pid: expect.any(Number) }])
    expect((await element('Button "Greet"')).enabled).toBe(true)
  })

  it("[LX15] performs the elements' own actions", async () => {
    const at = { x: 0, y: 0 }
    const target = async (selector: string) => ({ at, target: { window: uid, element: (await element(selector)).id } })
    const value = { type: 'set_value', value: 'Ada', clearFirst: true } as const
    await computer.perform({ ...value, ...(await target('Edit "First name"')) })
    expect((await element('Edit "First name"')).value).toBe('Ada')
    await computer.perform({ type: 'invoke', ...(await target('Button "Greet"')) })
    await element('Text "greeted"')
    await computer.perform({ type: 'select', option: { name: 'Green' }, ...(await target('ComboBox "Colour"')) })
    await element('Text "colour Green"')
  })

  it('[LX15] refuses screenshots, pointer, keys and windows with the remedy', async () => {
    const refused = { code: 'PlatformUnsupported', message: expect.stringContaining('sway') }
    const attempts = [
      () => computer.screenshot({ screen: true }),
      () => computer.perform({ type: 'type', text: 'x' }),
      () => computer.perform({ type: 'scroll', clicks: 1 }),
      () => computer.perform({ type: 'press', at: { x: 1, y: 1 }, button: 'left' }),
      () => computer.perform({ type: 'key_down', key: 'ctrl' }),
      () => computer.pointer(),
      () => computer.perform({ type: 'activate', window: uid }),
      () => computer.perform({ type: 'click', at: { x: 1, y: 1 }, button: 'left', count: 1 }),
    ]
    for (const attempt of attempts) await expect((async () => attempt())()).rejects.toMatchObject(refused)
  })
})
