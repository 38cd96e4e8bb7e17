import { expect, it } from 'vitest'
import { isUnsafeOnWindows } from './windows-path.ts'

it.each([
  '\\\\server\\share\\a.yaml',
  '//server/share/a.yaml',
  '\\\\?\\C:\\a.yaml',
  '\\\\.\\pipe\\a.yaml',
  '\\/server/share/a.yaml',
  'C:a.yaml',
  'a.yaml:stream',
  'C:\\desk\\a.yaml::$DATA',
  'C:\\desk\\con',
  'NUL.yaml',
  'folder/aux.yaml',
  'com1.yaml',
  'LPT¹.yaml',
  'con .yaml',
  'CONIN$',
  'a.yaml.',
  'a.yaml ',
  '.../a.yaml',
])('%j may be something else than a file on Windows', (path) => {
  expect(isUnsafeOnWindows(path)).toBe(true)
})

it.each([
  'a.yaml',
  'C:\\desk\\a.yaml',
  'c:/desk/a.yaml',
  '..\\a.yaml',
  './folder/../a.yaml',
  'console.yaml',
  'nullable/com10.yaml',
  'a b.yaml',
])('%j is a file on Windows', (path) => {
  expect(isUnsafeOnWindows(path)).toBe(false)
})
