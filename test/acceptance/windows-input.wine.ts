import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { centerOf } from '../../src/desktop/model/geometry.ts'
import { waitUntil } from '../support/linux/test-desktop.ts'
import { sharedWindowsDesktop } from '../support/mswindows/shared-windows.ts'
import { elementsOf, type ProgramWindow, type WindowsDesktop } from '../support/mswindows/windows-desktop.ts'

// Input into real programs under Wine, over HTTP. The last text in the status bar of the form says what it received.

const TEXT = 'The quick fox ~{}[]@# — Zażółć gęślą éñß — 漢字かな — 😀🎬'

let desktop: WindowsDesktop
let form: ProgramWindow
beforeAll(async () => {
  desktop = await sharedWindowsDesktop()
  form = await desktop.launchForm()
})
beforeEach(() => ask('bring_to_foreground', { window_uid: form.uid }))

const ask = (tool: string, args: object = {}) => desktop.ask(tool, args)
/** Calls a tool on an element of the form. */
const on = (tool: string, role: string, name: string, args: object = {}) =>
  ask(tool, { window_uid: form.uid, selector: `${role}[name="${name}"]`, ...args })
const textOf = async (role: string, name: string) => (await form.element(role, name)).value
const numberOf = async (role: string, name: string) =>
  ((await form.element(role, name)) as { readonly value_now?: number }).value_now
const status = async () => elementsOf(await form.tree()).find(({ role }) => role === 'StatusBar')!.name
const uidsOfWindows = async (): Promise<readonly string[]> =>
  (await ask('list_windows')).windows.map((each: { readonly window_uid: string }) => each.window_uid)
const done = { ok: true, changed: true }
/** The open windows of menus and drop-down lists, by the elements in them. */
const popupWith = (name: string) =>
  waitUntil(`a menu with ${name} is open`, async () => {
    const { windows } = await ask('list_windows')
    for (const { window_uid, popup_of } of windows) {
      if (popup_of === undefined) continue
      const { tree } = await ask('get_window_structure', { window_uid })
      if (tree && elementsOf(tree).some((element) => element.name === name)) return window_uid as string
    }
    return undefined
  })
const choose = async (name: string) =>
  ask('click_element', { window_uid: await popupWith(name), selector: `MenuItem[name="${name}"]` })

describe('text', () => {
  let notepad: ProgramWindow | undefined
  afterAll(() => notepad?.end())

  it('[MS4] of all scripts is in the field when the receipt says that it is typed', async () => {
    await on('focus_element', 'Edit', 'First name')
    expect(await ask('type_text', { text: TEXT })).toMatchObject(done)
    expect(await textOf('Edit', 'First name')).toBe(TEXT)
    expect(await ask('press_key', { keys: 'shift+home' })).toMatchObject({ ok: true })
    expect(await ask('type_text', { text: 'Ada' })).toMatchObject(done)
    expect(await textOf('Edit', 'First name')).toBe('Ada')
    expect(await on('set_value', 'Edit', 'First name', { value: TEXT })).toMatchObject(done)
    expect([await textOf('Edit', 'First name'), await status()]).toEqual([TEXT, `name ${TEXT}`])
  })

  it('[MS4] goes into notepad, which saves it where the common dialog says', async () => {
    mkdirSync(join(desktop.machine.drive, 'desk'), { recursive: true })
    notepad = await desktop.launch(/Notepad$/, 'notepad')
    const lines = `${TEXT}\n\tsecond line`
    expect(await ask('type_text', { text: lines })).toMatchObject(done)
    expect(await valueOfNotepad(notepad)).toBe(lines)
    const { new_dialogs } = await ask('press_key', { keys: 'ctrl+s', settle_ms: 5000 })
    expect(new_dialogs).toMatchObject([{ title: 'Save As' }])
    const inDialog = (tool: string, selector: string, args: object = {}) =>
      ask(tool, { window_uid: new_dialogs[0].window_uid, selector, ...args })
    const path = 'C:\\desk\\notes é.txt'
    expect(await inDialog('set_value', 'ComboBox[name="File name"]', { value: path })).toMatchObject(done)
    const utf8 = { option_name: 'Unicode (UTF-8)' }
    expect(await inDialog('select_option', 'ComboBox[name="Encoding"]', utf8)).toMatchObject(done)
    expect(await inDialog('click_element', 'Button[name="Save"]')).toMatchObject(done)
    const saved = await waitUntil('the file is saved', () => readSaved(join(desktop.machine.drive, 'desk/notes é.txt')))
    expect(saved.replace(/^\ufeff/, '')).toBe(lines.replaceAll('\n', '\r\n'))
    expect((await ask('list_windows')).windows[0].title).toBe('notes é.txt - Notepad')
  })
})

const valueOfNotepad = async (notepad: ProgramWindow) =>
  elementsOf(await notepad.tree()).find(({ role }) => role === 'Document')!.value

function readSaved(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8') || undefined
  } catch {
    return undefined
  }
}

describe('receipts', () => {
  it('[MS5] report a change exactly when there is one', async () => {
    expect(await on('click_element', 'Button', 'Greet')).toMatchObject({ ...done, via: 'accessibility' })
    expect(await status()).toMatch(/^greeted /)
    const blank = { x: 655, y: 300 }
    await ask('click_at', blank)
    expect(await ask('click_at', blank)).toMatchObject({ ok: true, changed: false, via: 'pointer' })
    expect(await ask('press_key', { keys: 'f9' })).toMatchObject({ ok: true, changed: false })
    const opened = await on('click_element', 'Button', 'Delete all')
    expect(opened).toMatchObject({ ...done, new_dialogs: [{ title: 'Really?' }] })
    const { window_uid } = opened.new_dialogs[0]
    expect(await ask('click_element', { window_uid, selector: 'Button[name="No"]' })).toMatchObject(done)
    expect(await status()).toBe('answered -9')
  })

  it('[MS5] a window that is closed between finding and clicking is WindowGone', async () => {
    const { new_dialogs } = await on('click_element', 'Button', 'Delete all')
    const [{ window_uid }] = new_dialogs
    const found = await ask('find_element', { window_uid, selector: 'Button[name="Yes"]' })
    expect(found).toMatchObject({ ok: true })
    expect(await ask('click_element', { window_uid, selector: 'Button[name="No"]' })).toMatchObject({ ok: true })
    await waitUntil('the dialog is closed', async () => !(await uidsOfWindows()).includes(window_uid))
    const { element_id } = found
    const late = await ask('click_element', { window_uid, element_id })
    expect(late).toMatchObject({ ok: false, error: { code: 'WindowGone' } })
    const elsewhere = await ask('click_element', { window_uid: form.uid, element_id })
    expect(elsewhere).toMatchObject({ ok: false, error: { code: 'ElementNotFound' } })
    expect(await status()).toBe('answered -9')
  })
})

describe('the pointer', () => {
  it('[MS6] drags, double-clicks and turns the wheel', async () => {
    await on('set_value', 'Slider', 'Volume', { value: '3' })
    const { x, y } = centerOf((await form.element('Slider', 'Volume')).bounds)
    const thumb = { x: x - 32, y: y - 4 }
    expect(await ask('drag', { from: thumb, to: { x: thumb.x + 64, y: thumb.y } })).toMatchObject(done)
    expect(await numberOf('Slider', 'Volume')).toBe(7)
    const top = (await form.element('ListItem', 'Apple')).bounds.y
    const list = centerOf((await form.element('List', 'Fruits')).bounds)
    expect(await ask('scroll', { clicks: -1, ...list })).toMatchObject(done)
    expect((await form.element('ListItem', 'Apple')).bounds.y).toBeLessThan(top)
    expect(await ask('scroll', { clicks: 3, ...list })).toMatchObject(done)
    expect((await form.element('ListItem', 'Apple')).bounds.y).toBe(top)
    expect(await on('double_click_element', 'TreeItem', 'Documents')).toMatchObject(done)
    expect(await form.element('TreeItem', 'Letters')).toMatchObject({ selected: false })
  })
})

describe('primitive input', () => {
  it('[MS10] holds buttons and keys until they are released', async () => {
    await on('set_value', 'Slider', 'Volume', { value: '3' })
    const { x, y } = centerOf((await form.element('Slider', 'Volume')).bounds)
    expect(await ask('mouse_down', { x: x - 32, y: y - 4 })).toMatchObject({ ok: true })
    expect(await ask('get_pointer')).toMatchObject({ x: x - 32, y: y - 4, buttons: ['left'], keys: [] })
    await ask('move_pointer', { x: x + 32, y: y - 4 })
    expect(await ask('mouse_up')).toMatchObject({ ok: true })
    expect([await numberOf('Slider', 'Volume'), (await ask('get_pointer')).buttons]).toEqual([7, []])
    await on('set_value', 'Edit', 'First name', { value: 'abc' })
    await on('focus_element', 'Edit', 'First name')
    await ask('press_key', { keys: 'end' })
    await ask('key_down', { key: 'shift' })
    expect((await ask('get_pointer')).keys).toEqual(['shift'])
    await ask('press_keys', { keys: 'left', repeat: 2 })
    await ask('key_up', { key: 'shift' })
    expect(await ask('type_text', { text: 'X' })).toMatchObject(done)
    expect([await textOf('Edit', 'First name'), (await ask('get_pointer')).keys]).toEqual(['aX', []])
  })

  it('[MS10] reads the tree, with its menus, while an item of a table is held', async () => {
    const { x, y } = centerOf((await form.element('Cell', 'photo.png')).bounds)
    await ask('mouse_down', { x, y })
    await ask('move_pointer', { x: x + 30, y: y + 20 })
    expect(elementsOf(await form.tree())).toContainEqual(expect.objectContaining({ role: 'MenuItem', name: 'File' }))
    expect(await ask('mouse_up')).toMatchObject({ ok: true })
  })

  it('[MS10] clicks with modifiers and with the right button', async () => {
    const row = async (name: string) => centerOf((await form.element('Cell', name)).bounds)
    await ask('mouse_click', await row('photo.png'))
    await ask('mouse_click', { ...(await row('résumé.txt')), modifiers: ['ctrl'] })
    const rows = elementsOf(await form.tree()).filter(({ role }) => role === 'DataItem')
    expect(rows.map(({ selected }) => selected)).toEqual([true, true, false, false])
    const field = centerOf((await form.element('Edit', 'First name')).bounds)
    expect(await ask('mouse_click', { ...field, button: 'right' })).toMatchObject(done)
    expect(await choose('Select All')).toMatchObject({ ok: true })
    expect(await ask('type_text', { text: 'new' })).toMatchObject(done)
    expect(await textOf('Edit', 'First name')).toBe('new')
  })
})

describe('menus', () => {
  it('[MS7] open as windows whose items are clicked, also those of submenus', async () => {
    expect(await on('click_element', 'MenuItem', 'File')).toMatchObject(done)
    expect((await form.element('MenuItem', 'File')).expanded).toBe(true)
    const file = await popupWith('New')
    const quit = await ask('click_element', { window_uid: file, selector: 'MenuItem[name="Quit"]' })
    expect(quit).toMatchObject({ ok: false, error: { code: 'ElementDisabled' } })
    expect(await choose('New')).toMatchObject(done)
    expect([await status(), await uidsOfWindows()]).toEqual(['new', [form.uid]])
    await on('click_element', 'MenuItem', 'View')
    await choose('Zoom')
    await choose('In')
    expect(await status()).toBe('zoom in')
    const before = (await form.element('Button', 'Wrap')).selected
    await on('click_element', 'MenuItem', 'View')
    await choose('Word wrap')
    expect((await form.element('Button', 'Wrap')).selected).toBe(!before)
    expect(await ask('press_key', { keys: 'ctrl+n' })).toMatchObject(done)
    expect(await status()).toBe('new')
  })
})

describe('controls', () => {
  it('[MS8] combo boxes and lists select by name, and open lists are clicked', async () => {
    expect(await on('select_option', 'ComboBox', 'Colour', { option_name: 'Blue' })).toMatchObject(done)
    expect([await textOf('ComboBox', 'Colour'), await status()]).toEqual(['Blue', 'colour Blue'])
    expect(await on('click_element', 'ComboBox', 'Colour')).toMatchObject(done)
    expect((await form.element('ComboBox', 'Colour')).expanded).toBe(true)
    expect(await on('click_element', 'ListItem', 'Green')).toMatchObject(done)
    expect([await textOf('ComboBox', 'Colour'), await status()]).toEqual(['Green', 'colour Green'])
    expect(await on('set_value', 'ComboBox', 'City', { value: 'Kraków' })).toMatchObject(done)
    expect(await textOf('ComboBox', 'City')).toBe('Kraków')
    expect(await on('select_option', 'List', 'Fruits', { option_name: 'Plum' })).toMatchObject(done)
    expect(await status()).toBe('fruit 10')
  })

  it('[MS8] check boxes, radio buttons, tabs, trees and tables change as clicked', async () => {
    expect(await on('click_element', 'CheckBox', 'Agree')).toMatchObject(done)
    expect([(await form.element('CheckBox', 'Agree')).selected, await status()]).toEqual([true, 'agree 1'])
    expect(await on('click_element', 'RadioButton', 'Large')).toMatchObject(done)
    expect([(await form.element('RadioButton', 'Small')).selected, await status()]).toEqual([false, 'size large'])
    expect(await on('click_element', 'TabItem', 'About')).toMatchObject(done)
    expect([(await form.element('TabItem', 'About')).selected, await status()]).toEqual([true, 'page 2'])
    expect(await on('click_element', 'DataItem', 'photo.png')).toMatchObject(done)
    expect([(await form.element('DataItem', 'photo.png')).selected, await status()]).toEqual([true, 'file 1'])
    expect(await on('invoke_element', 'TreeItem', 'Home')).toMatchObject(done)
    expect((await form.element('TreeItem', 'Home')).expanded).toBe(false)
    expect(await on('click_element', 'TreeItem', 'Network')).toMatchObject(done)
    expect((await form.element('TreeItem', 'Network')).selected).toBe(true)
    expect(await on('click_element', 'Button', 'Forbidden')).toMatchObject({ error: { code: 'ElementDisabled' } })
  })
})
