import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTestbed, type Testbed } from '../../src/compose/testbed.ts'
import { call } from '../../src/observer/call.ts'
import { liveScreen } from '../../src/observer/inspection/live-screen.ts'
import { screenView } from '../../src/observer/screen/screen-trees.ts'
import {
  fixturePath,
  type LinuxTestDesktop,
  PYTHON,
  startTestDesktop,
  waitUntil,
} from '../support/linux/test-desktop.ts'

// Receipts of actions on real programs: rules of src/observer/SPEC.md and src/adapters/linux/README.md.

let testDesktop: LinuxTestDesktop
let testbed: Testbed

beforeAll(async () => {
  testDesktop = await startTestDesktop()
  testbed = await createTestbed({ adapter: 'linux', env: testDesktop.desktop.env })
})
afterEach(() => testDesktop.endPrograms())
afterAll(async () => {
  await testbed?.close()
  await testDesktop?.close()
})

// biome-ignore lint/suspicious/noExplicitAny: the result depends on the tool.
const ask = async (tool: string, args: unknown = {}): Promise<any> => (await call(testbed.session, tool, args)).body

describe('a program in front that hangs', () => {
  it('[LX42] [OB145] [OB146] [OB78] does not affect windows, input and trees of others', async () => {
    const form = await testDesktop.launch(/^Form$/, PYTHON, fixturePath('gtk-form.py'))
    const other = await testDesktop.launch(/^Other$/, PYTHON, fixturePath('gtk-form.py'), '--title', 'Other')
    await testDesktop.computer.perform({ type: 'activate', window: other.uid })
    other.process.kill('SIGSTOP')
    expect(await ask('bring_to_foreground', { window_uid: form.uid })).toMatchObject({ ok: true, changed: true })
    const field = await ask('click_element', { window_uid: form.uid, selector: 'Edit "First name"' })
    expect(field).toMatchObject({ ok: true, before: { tree_hash: expect.stringContaining('sha1:') } })
    expect(await ask('type_text', { text: 'still here' })).toMatchObject({ ok: true, changed: true })
    expect((await form.element('Edit "First name"')).value).toBe('still here')
    expect(await ask('get_screenshot', { window_uid: other.uid })).toMatchObject({ ok: true })
    await ask('bring_to_foreground', { window_uid: other.uid })
    const { bounds } = (await ask('list_windows')).windows[0]
    const taken = await ask('snapshot')
    expect(taken).toMatchObject({ summary: { windows: 2, trees: 1 }, trees_unavailable: [other.uid] })
    const { windows } = await screenView(testbed.session)
    expect(windows.map(({ tree }) => tree?.name)).toEqual([undefined, 'Form'])
    const seen = await liveScreen(testbed.session, {})
    expect(seen.windows?.find(({ uid }) => uid === other.uid)).toMatchObject({ unavailable: true })
    expect(seen.picture).toMatchObject({ data: expect.any(String) })
    const any_of = [{ type: 'text_visible', regex: 'still here' }]
    expect(await ask('wait_for', { window_uid: form.uid, any_of })).toMatchObject({ ok: true })
    const typed = await ask('press_key_and_observe', { keys: 'tab', window_uid: other.uid, settle_ms: 0 })
    expect(typed).toMatchObject({ ok: true, observation_unavailable: expect.any(String) })
    const blind = await ask('click_at', { x: bounds.x + 100, y: bounds.y + 10 })
    expect(blind).toMatchObject({ ok: true, before_unavailable: true })
  })
})

describe('a receipt', () => {
  it('[LX31] [OB76] waits for a late dialog as long as settle_ms allows, and not at all with 0', async () => {
    const form = await testDesktop.launch(/^Form$/, PYTHON, fixturePath('gtk-form.py'))
    await testDesktop.computer.perform({ type: 'activate', window: form.uid })
    const late = await ask('click_element', { selector: 'Button "Ask later"', settle_ms: 10_000 })
    expect(late.new_dialogs).toEqual([expect.objectContaining({ title: 'Really?' })])
    // It ends with the dialog, not with the limit.
    expect(late.duration_ms).toBeLessThan(9000)
    await testDesktop.computer.perform({ type: 'window', window: late.new_dialogs[0].window_uid, to: 'close' })
    await waitUntil('it is closed', async () => (await testDesktop.computer.windows()).length === 1)
    const hasty = await ask('press_key', { keys: 'tab', settle_ms: 0 })
    expect(hasty).toMatchObject({ ok: true, via: 'keyboard' })
    expect(hasty.duration_ms).toBeLessThan(1000)
  })

  it('[OB75] reports changed pixels of a window without a tree, once they are at rest', async () => {
    testDesktop.desktop.start(PYTHON, fixturePath('tk-form.py'))
    const { uid, bounds } = await testDesktop.window(/^Tk form/)
    const idle = await ask('wait_idle', { window_uid: uid, quiet_ms: 200 })
    expect(idle).toMatchObject({ ok: true, tree_hash: '' })
    expect(idle.elapsed_ms).toBeGreaterThanOrEqual(200)
    const at = { x: bounds.x + 60, y: bounds.y + Math.round(bounds.height * 0.35) }
    await ask('click_at', at)
    expect(await ask('type_text', { text: 'wide' })).toMatchObject({ ok: true, changed: true, via: 'keyboard' })
    await testDesktop.window(/^Tk form: wide$/)
    expect(await ask('press_key', { keys: 'f9' })).toMatchObject({ ok: true, changed: false })
  })

  it('[OB75] [LX30] sets a password and reports it', async () => {
    const form = await testDesktop.launch(/^Form$/, PYTHON, fixturePath('gtk-form.py'))
    await testDesktop.computer.perform({ type: 'activate', window: form.uid })
    const field = { selector: 'PasswordEdit "Password"' }
    expect(await ask('set_value', { ...field, value: 'secret' })).toMatchObject({ ok: true, changed: true })
    expect(await ask('set_value', { ...field, value: 'longer secret' })).toMatchObject({ ok: true, changed: true })
  })
})

describe('a menu of Qt', () => {
  it('[LX32] closes after one of its items was clicked or invoked', async () => {
    const menus = await testDesktop.launch(/^Qt menus$/, PYTHON, fixturePath('qt-menus.py'))
    await testDesktop.computer.perform({ type: 'activate', window: menus.uid })
    for (const [tool, text] of [
      ['click_element', 'Science Mode True'],
      ['invoke_element', 'Science Mode False'],
    ] as const) {
      expect(await ask('click_element', { window_uid: menus.uid, selector: '[name="Settings"]' })).toMatchObject({
        ok: true,
      })
      const item = { window_uid: menus.uid, selector: '[name="Science Mode"]' }
      await ask('wait_for', { window_uid: menus.uid, any_of: [{ type: 'element_appears', selector: item.selector }] })
      expect(await ask(tool, item)).toMatchObject({ ok: true, via: 'pointer' })
      await menus.waitForText(text)
      await waitUntil('the menu is closed', async () => (await testDesktop.computer.windows()).length === 1)
    }
    await ask('click_element', { window_uid: menus.uid, selector: 'Edit "Field"' })
    await ask('type_text', { text: 'keys work' })
    await menus.waitForText('text keys work')
  })
})
