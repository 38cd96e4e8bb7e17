import { expect, it } from 'vitest'
import { openDesktop, type TestDesktopOptions } from '../../testing.ts'
import { liveFile } from './live-screen.ts'

// Rules such as [OB295] are stated in SPEC.md of the observer.

const SCENARIO = `
files: {/home/ada/notes.txt: "call 555-1234", /home/ada/pictures: ~}
states: {a: {windows: [{uid: w, title: W, tree: {role: Window, name: W}}]}}
`

const read = (path: string, config: TestDesktopOptions['config'] = {}) =>
  liveFile(openDesktop({ scenario: SCENARIO, config }).session.context, path)

it('[OB295] a file has its text, redacted', () => {
  expect(read('/home/ada/../ada/notes.txt')).toEqual({
    ok: true,
    path: '/home/ada/notes.txt',
    content: 'call 555-1234',
  })
  const redaction = { enabled: true, ocr_text_patterns: ['\\d{3}-\\d{4}'] }
  expect(read('/home/ada/notes.txt', { redaction }).content).toBe('call [REDACTED]')
})

it('[OB295] a file is refused where it does not exist or is denied', () => {
  const refused = (path: string, config?: TestDesktopOptions['config']) => {
    try {
      read(path, config)
      return undefined
    } catch (thrown) {
      return (thrown as { readonly code?: string }).code
    }
  }
  expect([refused('/none'), refused('/home/ada/pictures'), refused('notes.txt')]).toEqual(Array(3).fill('BadRequest'))
  expect(refused('/home/ada/notes.txt', { actions: { deny: ['read_disk_file'] } })).toBe('PermissionDenied')
})
