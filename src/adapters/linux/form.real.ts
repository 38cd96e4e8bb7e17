import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  fixturePath,
  type LinuxTestDesktop,
  PYTHON,
  startTestDesktop,
  type TestWindow,
  waitUntil,
} from '../../../test/support/linux/test-desktop.ts'
import { centerOf } from '../../desktop/model/geometry.ts'

let testDesktop: LinuxTestDesktop

beforeAll(async () => {
  testDesktop = await startTestDesktop()
})
afterAll(() => testDesktop?.close())

describe('a GTK 3 form', () => {
  let form: TestWindow
  beforeAll(async () => {
    form = await testDesktop.launch(/^Form$/, PYTHON, fixturePath('gtk-form.py'))
  })

  it('[LX14] has normalised roles, screen bounds, values and states', async () => {
    const button = await form.element('Button "Forbidden"')
    const [window] = await testDesktop.computer.windows()
    expect(button).toMatchObject({ role: 'Button', name: 'Forbidden', enabled: false, identifier: 'push button' })
    expect(window!.bounds.x).toBeLessThan(button.bounds.x)
    expect(window!.bounds.y + window!.bounds.height).toBeGreaterThan(button.bounds.y + button.bounds.height)
    expect((await form.element('ComboBox "Colour"')).value).toBe('Red')
    expect((await form.element('Spinner "Count"')).valueMax).toBe(100)
  })

  it('[LX14] marks password fields as secret and closed menus as hidden', async () => {
    expect((await form.element('PasswordEdit "Password"')).traits).toEqual({ secret: true })
    const item = await form.element('MenuItem "Save"')
    expect(item).toMatchObject({ traits: { hidden: true }, keyboardShortcut: 'Ctrl+S' })
  })

  it('[LX18] is filled without pointer and keyboard', async () => {
    const first = await form.perform('Edit "First name"', { type: 'set_value', value: 'Ada 👩‍🔬', clearFirst: true })
    await form.waitForText('name Ada 👩‍🔬')
    const agree = await form.perform('CheckBox "Agree"', { type: 'click', button: 'left', count: 1 })
    await form.waitForText('agree True')
    const colour = await form.perform('ComboBox "Colour"', { type: 'select', option: { name: 'Blue' } })
    await form.waitForText('colour Blue')
    const count = await form.perform('Spinner "Count"', { type: 'set_value', value: '42', clearFirst: true })
    await form.waitForText('count 42')
    const large = await form.perform('RadioButton "Large"', { type: 'invoke' })
    expect((await form.element('RadioButton "Large"')).selected).toBe(true)
    expect([first, agree, colour, count, large].map(({ via }) => via)).toEqual(Array(5).fill('accessibility'))
    expect((await form.element('ComboBox "Colour"')).value).toBe('Blue')
    expect((await form.element('CheckBox "Agree"')).selected).toBe(true)
  })

  it('[LX18] selects by index and refuses unknown options', async () => {
    await form.perform('List "Fruits"', { type: 'select', option: { index: 2 } })
    await form.waitForText('fruit 2')
    await expect(
      form.perform('ComboBox "Colour"', { type: 'select', option: { name: 'Mauve' } }),
    ).rejects.toMatchObject({
      code: 'ElementNotFound',
      context: { options: ['Red', 'Green', 'Blue'] },
    })
  })

  it('[LX18] focuses a field and types into it', async () => {
    await form.perform('Edit "First name"', { type: 'clear_text' })
    await form.perform('Edit "First name"', { type: 'focus' })
    expect((await form.element('Edit "First name"')).focused).toBe(true)
    await testDesktop.computer.perform({ type: 'type', text: 'Grace' })
    expect((await form.element('Edit "First name"')).value).toBe('Grace')
  })

  it('[LX18] refuses disabled elements, and values for elements without one', async () => {
    await expect(form.perform('Button "Forbidden"', { type: 'invoke' })).rejects.toMatchObject({
      code: 'ElementDisabled',
    })
    await expect(
      form.perform('Button "Greet"', { type: 'set_value', value: 'x', clearFirst: true }),
    ).rejects.toMatchObject({
      code: 'PatternUnsupported',
    })
  })

  it('[LX23] responds to a chord', async () => {
    await testDesktop.computer.perform({ type: 'activate', window: form.uid })
    await testDesktop.computer.perform({ type: 'key', keys: 'ctrl+s' })
    await form.waitForText('saved')
  })

  it('[LX3] lists an open menu above its window, and its items can be clicked', async () => {
    const file = await form.element('MenuItem "File"')
    await testDesktop.computer.perform({ type: 'click', at: centerOf(file.bounds), button: 'left', count: 1 })
    const item = await waitUntil('the menu is open', async () => {
      const save = await form.element('MenuItem "Save"')
      return save.traits?.hidden ? undefined : save
    })
    const [front] = await testDesktop.computer.windows()
    expect(front!.popupOf).toBe(form.uid)
    await testDesktop.computer.perform({ type: 'click', at: centerOf(item.bounds), button: 'left', count: 1 })
    await waitUntil('the menu is closed', async () =>
      (await testDesktop.computer.windows()).every((info) => !info.popupOf),
    )
    await form.waitForText('saved')
  })

  it('[LX3] [LX20] opens a dialog as a separate window, which can be answered while its button waits', async () => {
    const before = (await testDesktop.computer.windows()).map(({ uid }) => uid)
    await form.perform('Button "Delete all"', { type: 'click', button: 'left', count: 1 })
    const dialog = await waitUntil('a dialog is open', async () =>
      (await testDesktop.computer.windows()).find(({ uid, focused }) => focused && !before.includes(uid)),
    )
    expect(dialog).toMatchObject({ title: 'Really?', focused: true })
    const tree = await waitUntil('the dialog has a tree', () => testDesktop.computer.tree(dialog.uid))
    expect(tree.role).toBe('Dialog')
    await testDesktop.computer.perform({ type: 'window', window: dialog.uid, to: 'close' })
    await waitUntil('the dialog is closed', async () => (await testDesktop.computer.windows()).length === before.length)
  })
})

describe('a Qt 6 form', () => {
  let form: TestWindow
  beforeAll(async () => {
    form = await testDesktop.launch(/^Qt form$/, PYTHON, fixturePath('qt-form.py'))
  })

  it('[LX14] has a Window as root and marks hidden and secret elements', async () => {
    const tree = await form.tree()
    expect(tree.role).toBe('Window')
    expect((await form.element('PasswordEdit')).traits).toEqual({ secret: true })
    expect((await form.element('ListItem "Blue"')).traits).toEqual({ hidden: true })
  })

  it('[LX18] [LX21] [LX37] is filled by values, toggles and selection', async () => {
    await form.perform('Edit "First name"', { type: 'set_value', value: 'Żaneta', clearFirst: true })
    await form.waitForText('name Żaneta')
    await form.perform('CheckBox "Agree"', { type: 'click', button: 'left', count: 1 })
    await form.waitForText('agree True')
    await form.perform('Spinner "Count"', { type: 'set_value', value: '7', clearFirst: true })
    await form.waitForText('count 7')
    await form.perform('ComboBox', { type: 'select', option: { name: 'Green' } })
    await form.waitForText('colour Green')
    await form.perform('ComboBox[name="10 pt"]', { type: 'select', option: { name: '14 pt' } })
    await form.waitForText('size 14 pt')
    await form.perform('Button "Greet"', { type: 'invoke' })
    await form.waitForText('greeted')
  })
})
