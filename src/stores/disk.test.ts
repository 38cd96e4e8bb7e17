import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { diskFolder, diskOutput, isUnsafeOnWindows } from './disk.ts'
import type { FileKind } from './folder.ts'

let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'backlot-'))
  mkdirSync(join(base, 'open'))
  mkdirSync(join(base, 'open-too'))
  writeFileSync(join(base, 'open', 'a.txt'), 'a')
  writeFileSync(join(base, 'open-too', 'b.txt'), 'b')
  writeFileSync(join(base, 'secret.txt'), 'secret')
})
afterEach(() => rmSync(base, { recursive: true }))

const open = () => diskFolder([join(base, 'open')])

describe('a folder', () => {
  it('reads files below its roots, by relative and absolute paths', async () => {
    expect(await open().readText('a.txt', 'any')).toBe('a')
    expect(await open().readText(join(base, 'open', 'a.txt'), 'any')).toBe('a')
    expect(await open().readText('./x/../a.txt', 'any')).toBe('a')
  })

  it('reports the same error for outside, missing and non-file paths', async () => {
    symlinkSync(join(base, 'secret.txt'), join(base, 'open', 'link.txt'))
    symlinkSync('/', join(base, 'open', 'root'))
    const paths = [
      join(base, 'secret.txt'),
      join(base, 'missing.txt'),
      join(base, 'open-too', 'b.txt'),
      '../secret.txt',
      '../open/../secret.txt',
      'link.txt',
      'root/etc/hostname',
      '/etc/hostname',
      '/etc/no-such-file',
      'missing.txt',
      '.',
      '',
      'a.txt\0.png',
    ]
    for (const path of paths)
      await expect(open().readText(path, 'any')).rejects.toMatchObject({
        code: 'BadRequest',
        message: `${JSON.stringify(path)} names no file below the folders this server may read`,
      })
  })

  it('reads only files with an ending of their kind, and no hidden ones', async () => {
    mkdirSync(join(base, 'open', '.hidden'))
    mkdirSync(join(base, 'open', 'deep'))
    for (const name of ['a.yaml', 'B.YML', 'deep/c.yaml', '.netrc', '.x.yaml', '.hidden/d.yaml', 'id_rsa', 'k.json'])
      writeFileSync(join(base, 'open', name), 'text')
    symlinkSync(join(base, 'open', 'id_rsa'), join(base, 'open', 'key.yaml'))
    symlinkSync(join(base, 'open', '.x.yaml'), join(base, 'open', 'x.yaml'))
    const read = async (path: string, kind: FileKind) =>
      open()
        .readText(path, kind)
        .catch(({ message }) => message)
    for (const path of ['a.yaml', 'B.YML', 'deep/c.yaml', join(base, 'open', 'a.yaml'), 'a', 'deep/c'])
      expect([path, await read(path, 'scenario')]).toEqual([path, 'text'])
    for (const path of ['.netrc', '.x.yaml', '.hidden/d.yaml', 'id_rsa', 'k.json', 'key.yaml', 'x.yaml', 'x', 'none'])
      expect(await read(path, 'scenario')).toBe(
        `${JSON.stringify(path)} names no file that ends in .yaml, .yml below the folders this server may read`,
      )
    expect(await read('a.yaml', 'trace')).toContain('names no file that ends in .jsonl')
    expect(await read('a.yaml', 'picture')).toContain('names no file that ends in .png, .jpg, .jpeg')
  })

  it('reads below a hidden root if the operator configures it', async () => {
    mkdirSync(join(base, '.traces'))
    writeFileSync(join(base, '.traces', 't.jsonl'), 'rows')
    expect(await diskFolder([join(base, '.traces')]).readText('t.jsonl', 'trace')).toBe('rows')
  })

  it('accepts a root created later', async () => {
    const folder = diskFolder([join(base, 'traces')])
    await expect(folder.readText('t.jsonl', 'trace')).rejects.toMatchObject({ code: 'BadRequest' })
    const file = diskOutput(join(base, 'traces')).lines('t.jsonl')
    file.append('one')
    expect(await folder.readText(file.path, 'trace')).toBe('one\n')
  })
})

describe('an output directory', () => {
  it('appends to an existing file', async () => {
    const lines = () => diskOutput(join(base, 'open')).lines('log')
    lines().append('one')
    lines().append('two')
    expect(await open().readText('log', 'any')).toBe('one\ntwo\n')
  })

  it('writes lines to an absolute path', async () => {
    const file = join(base, 'open', 'audit.log')
    diskOutput(join(base, 'open-too')).lines(file).append('one')
    expect(await open().readText('audit.log', 'any')).toBe('one\n')
  })

  it('creates missing folders', async () => {
    diskOutput(join(base, 'open')).subdirectory('x').writeBytes('y/z.bin', Buffer.from('z'))
    expect(await open().readText('x/y/z.bin', 'any')).toBe('z')
  })
})

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
