import { describe, expect, it } from 'vitest'
import { realDesktop } from '../../../test/support/observer/real-desktop.ts'
import { REAL_DESKTOP_LIMITS } from '../../adapters/capabilities.ts'
import type { Action } from '../../desktop/input/action.ts'
import { openDesktop, type TestDesktop } from '../../testing.ts'

// Rules such as [OB99] are stated in src/observer/SPEC.md.

const DESK = `
clipboard: copied before
files:
  /home/ada/notes.txt: "ten PIN-123 apples\\n"
  /home/ada/PIN-456.txt: ""
  /home/ada/empty: ~
states:
  a:
    windows:
      - uid: mock:app
        title: App
        bounds: {x: 0, y: 0, width: 800, height: 600}
        tree:
          role: Window
          name: App
          children:
            - {role: Edit, name: Notes, id: notes, value: "", bounds: {x: 20, y: 100, width: 300, height: 30}}
            - {role: List, name: Files, id: list, folder: /home/ada/empty, bounds: {x: 20, y: 200, width: 300, height: 200}}
`
const desk = (redaction: object = {}) => openDesktop({ scenario: DESK, config: { redaction } })
const notes = async (on: TestDesktop) =>
  ((await on.call('get_window_structure', { scope: 'notes' })).tree as { value: string }).value
const paste = (on: TestDesktop) => on.call('key_into_element', { element_id: 'notes', keys: 'ctrl+v' })

describe('the clipboard', () => {
  it('[OB99] is read, replaced and pasted', async () => {
    const on = desk()
    expect(await on.call('get_clipboard')).toMatchObject({ text: 'copied before', untrusted: true })
    expect(await on.call('set_clipboard', { text: 'Grüße\r\nan alle' })).toMatchObject({
      action: 'set_clipboard',
      length: 14,
    })
    expect(await on.call('get_clipboard')).toMatchObject({ text: 'Grüße\nan alle' })
    await on.call('set_clipboard', { text: 'one line' })
    await paste(on)
    expect(await notes(on)).toBe('one line')
  })

  it('[OB99] is checked only in a dry run, and refuses control characters', async () => {
    const on = desk()
    await on.call('set_clipboard', { text: 'x', dry_run: true })
    expect(await on.tryCall('set_clipboard', { text: 'a\u0007b' })).toMatchObject({
      error: { code: 'BadRequest', message: 'the clipboard holds text, and U+0007 at 1 is none' },
    })
    expect(await on.call('get_clipboard')).toMatchObject({ text: 'copied before' })
  })

  it('[OB99] is part of forks, rewinds and replays', async () => {
    const on = openDesktop({ scenario: DESK, config: { tracing: { redact_keys: [] } } })
    await on.call('trace_start')
    await on.call('set_clipboard', { text: 'first' })
    const fork = on.session.fork('fork')
    await on.call('set_clipboard', { text: 'second' })
    await on.call('write_disk_file', { path: '/a.txt', content: 'kept' })
    expect(fork.computer.simulation?.stepCount).toBe(1)
    const { path } = await on.call('trace_stop')
    await on.call('session_rewind', { to_step: 1 })
    expect(await on.call('get_clipboard')).toMatchObject({ text: 'first' })
    const again = openDesktop({ scenario: DESK, files: { 'trace.jsonl': String(on.artifacts.get(path)) } })
    const { replay_id } = await again.call('replay_start', { path: 'trace.jsonl', mode: 'verify' })
    for (let row = 0; row < 3; row++) await again.call('replay_step', { replay_id })
    expect(await again.call('replay_status', { replay_id })).toMatchObject({ finished: true, divergences: [] })
    expect(await again.call('get_clipboard')).toMatchObject({ text: 'second' })
    expect(await again.call('read_disk_file', { path: '/a.txt' })).toMatchObject({ content: 'kept' })
  })

  it('[OB99] [OB103] is pasted but not read while elements are hidden', async () => {
    const on = desk({ element_name_patterns: ['Secret'] })
    await on.call('set_clipboard', { text: 'mine' })
    await paste(on)
    expect(await notes(on)).toBe('mine')
    for (const [tool, args] of [
      ['get_clipboard', {}],
      ['list_disk_files', {}],
      ['read_disk_file', { path: '/home/ada/notes.txt' }],
    ] as const)
      expect(await on.tryCall(tool, args)).toMatchObject({ error: { code: 'PermissionDenied' } })
  })
})

describe('the files of the desktop', () => {
  it('[OB102] are listed at any depth', async () => {
    expect(await desk().call('list_disk_files', { path: '/home' })).toMatchObject({
      path: '/home',
      entries: [
        { path: '/home/ada', folder: true, size: 0 },
        { path: '/home/ada/PIN-456.txt', folder: false, size: 0 },
        { path: '/home/ada/empty', folder: true, size: 0 },
        { path: '/home/ada/notes.txt', folder: false, size: 19 },
      ],
    })
  })

  it('[OB102] are written with their folders, and shown in lists at once', async () => {
    const on = desk()
    const content = Buffer.from('naïve\n').toString('base64')
    await on.call('write_disk_file', { path: '/home/ada/empty/new.txt', content, encoding: 'base64' })
    expect(await on.call('read_disk_file', { path: '/home/ada/empty/new.txt' })).toMatchObject({
      content: 'naïve\n',
      size: 7,
    })
    expect(
      await on.call('read_disk_file', { path: '/home/ada/empty/../empty/new.txt', encoding: 'base64' }),
    ).toMatchObject({
      content,
      path: '/home/ada/empty/new.txt',
    })
    expect(await on.call('find_element', { selector: 'ListItem "new.txt"' })).toMatchObject({ ok: true })
  })

  it.each([
    [
      'write_disk_file',
      { path: '/b', content: 'AP8=', encoding: 'base64' },
      'content: files of a synthetic desktop hold text',
    ],
    ['write_disk_file', { path: '/b', content: '***', encoding: 'base64' }, 'content: it is not base64'],
    ['write_disk_file', { path: '/home/ada', content: '' }, '/home/ada is a folder'],
    ['write_disk_file', { path: '/home/ada/notes.txt/x/y', content: '' }, '/home/ada/notes.txt is a file'],
    ['write_disk_file', { path: 'notes.txt', content: '' }, 'path: "notes.txt" is not absolute'],
    ['read_disk_file', { path: '/home' }, 'path: /home is a folder'],
    ['read_disk_file', { path: '/none' }, 'path: there is no file /none'],
    ['list_disk_files', { path: '/home/ada/notes.txt' }, 'path: there is no folder'],
  ] as const)('[OB102] %s refuses %j', async (tool, args, message) => {
    expect(await desk().tryCall(tool, args)).toMatchObject({
      error: { code: 'BadRequest', message: expect.stringContaining(message) },
    })
  })

  it('[OB102] have a limit', async () => {
    const on = desk()
    const content = 'x'.repeat(1_000_000)
    for (let file = 0; file < 16; file++) await on.call('write_disk_file', { path: `/big/${file}`, content })
    expect(await on.tryCall('write_disk_file', { path: '/big/17', content })).toMatchObject({
      error: { code: 'TooLarge' },
    })
  })

  it('[OB103] are read without what text patterns hide', async () => {
    const on = desk({ ocr_text_patterns: ['PIN-[0-9]+'] })
    expect(await on.call('read_disk_file', { path: '/home/ada/notes.txt' })).toMatchObject({
      content: 'ten [REDACTED] apples\n',
    })
    expect(JSON.stringify(await on.call('list_disk_files'))).not.toContain('PIN-')
    await on.call('set_clipboard', { text: 'PIN-9' })
    expect(await on.call('get_clipboard')).toMatchObject({ text: '[REDACTED]' })
  })
})

it('[OB100] the clipboard of a real desktop that offers it is read and replaced, without redacted text', async () => {
  const done: Action[] = []
  const computer = {
    readClipboard: () => 'the PIN-1',
    perform: (action: Action) => {
      done.push(action)
      return { via: 'behaviour' as const }
    },
  }
  const { ask } = realDesktop(computer, { redaction: { ocr_text_patterns: ['PIN-\\d'] } })
  expect((await ask('get_clipboard', {})).body).toMatchObject({ text: 'the [REDACTED]', untrusted: true })
  expect((await ask('set_clipboard', { text: 'x' })).fault).toBeUndefined()
  expect(done).toEqual([{ type: 'set_clipboard', text: 'x' }])
  const hiding = realDesktop(computer, { redaction: { element_name_patterns: ['x'] } })
  expect((await hiding.ask('get_clipboard', {})).fault?.code).toBe('PermissionDenied')
})

it('[OB104] a real desktop offers clients neither clipboard nor files, and says why', async () => {
  const { ask } = realDesktop()
  for (const [tool, args, reason] of [
    ['get_clipboard', {}, REAL_DESKTOP_LIMITS.clipboard],
    ['set_clipboard', { text: 'x' }, REAL_DESKTOP_LIMITS.clipboard],
    ['list_disk_files', {}, REAL_DESKTOP_LIMITS.files],
    ['read_disk_file', { path: '/etc/hostname' }, REAL_DESKTOP_LIMITS.files],
    ['write_disk_file', { path: '/home/x', content: 'x' }, REAL_DESKTOP_LIMITS.files],
  ] as const)
    expect([tool, (await ask(tool, args)).fault]).toMatchObject([
      tool,
      { code: 'PlatformUnsupported', message: reason },
    ])
})
