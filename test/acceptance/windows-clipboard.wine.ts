import { beforeAll, expect, it } from 'vitest'
import { sharedWindowsDesktop } from '../support/mswindows/shared-windows.ts'
import type { ProgramWindow, WindowsDesktop } from '../support/mswindows/windows-desktop.ts'

// The clipboard of a Windows desktop, between the tools and a real program, under Wine.

let desktop: WindowsDesktop
let notepad: ProgramWindow
beforeAll(async () => {
  desktop = await sharedWindowsDesktop()
  notepad = await desktop.launch(/Notepad/, 'notepad')
}, 180_000)

/** Generous, because Wine is slow on a busy machine. */
const MAX_TEST_MS = 120_000
const TEXT = 'Grüße, 漢字 and 🎉\nsecond line\n\nfourth\tline'

const read = async () => (await desktop.ask('get_clipboard')).text
const press = async (keys: string) =>
  expect(await desktop.ask('key_into_element', { window_uid: notepad.uid, selector: 'Document', keys })).toMatchObject({
    ok: true,
  })
const textOfNotepad = async () => (await notepad.tree()).children.find(({ role }) => role === 'Document')?.value

it('[MS11] get_clipboard returns what set_clipboard has set', { timeout: MAX_TEST_MS }, async () => {
  for (const text of [TEXT, 'plain', '', 'a\r\nb']) {
    expect(await desktop.ask('set_clipboard', { text })).toMatchObject({ ok: true, via: 'behaviour' })
    expect(await read()).toBe(text.replaceAll('\r\n', '\n'))
  }
})

it('[MS12] a program pastes what set_clipboard has set', { timeout: MAX_TEST_MS }, async () => {
  await desktop.ask('set_clipboard', { text: TEXT })
  await press('ctrl+v')
  expect(await textOfNotepad()).toBe(TEXT)
})

it('[MS13] get_clipboard returns what a program has copied', { timeout: MAX_TEST_MS }, async () => {
  const text = 'copied\n漢字 🎉 éàü\nend'
  expect(
    await desktop.ask('set_value', { window_uid: notepad.uid, selector: 'Document', value: text, clear_first: true }),
  ).toMatchObject({ ok: true })
  await press('ctrl+a')
  await press('ctrl+c')
  expect(await read()).toBe(text)
})

it('announces the clipboard and not files', async () => {
  const { unsupported } = await desktop.ask('get_capabilities')
  expect([unsupported.clipboard, typeof unsupported.files]).toEqual([undefined, 'string'])
})
