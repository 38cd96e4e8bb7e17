import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compile } from './compile-cache.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-compiled-'))
  file = join(folder, 'program.cjs')
  writeFileSync(file, SCRIPT)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const SCRIPT = `const greeting = exports
const functions = [${Array.from({ length: 99 }, (_, n) => `() => 'number ' + ${n}`)}]
return greeting + ' ' + functions.map((each) => each()).join()`

const kept = () => join(folder, 'kept')
const files = () => readdirSync(kept()).map((name) => join(kept(), name))

describe('the compile cache', () => {
  it('is used by the next process with the same results', () => {
    const first = compile(file, kept(), 'serve')
    expect(first.cached).toBe(false)
    const said = first.run('hello')
    expect(said).toMatch(/^hello number 0,.*number 98$/)
    first.save()
    const second = compile(file, kept(), 'serve')
    expect(second.cached).toBe(true)
    expect(second.run('hello')).toBe(said)
  })

  it('is separate for each key', () => {
    compile(file, kept(), 'serve').save()
    expect(compile(file, kept(), 'validate').cached).toBe(false)
  })

  it('is rewritten only when clearly more code is compiled', () => {
    const first = compile(file, kept(), 'serve')
    first.save()
    const little = readFileSync(files()[0]!)
    first.run('hello')
    first.save()
    const more = readFileSync(files()[0]!)
    expect(more.length).toBeGreaterThan(little.length)
    const second = compile(file, kept(), 'serve')
    second.save()
    expect(readFileSync(files()[0]!)).toEqual(more)
  })

  it.each([
    ['damaged', (bytes: Buffer) => bytes.fill(0x5a, bytes.length >> 1, (bytes.length >> 1) + 4)],
    ['cut short', (bytes: Buffer) => bytes.subarray(0, 100)],
    ['empty', () => Buffer.of()],
  ])('is ignored when it is %s', (_, spoil) => {
    compile(file, kept(), 'serve').save()
    writeFileSync(files()[0]!, spoil(readFileSync(files()[0]!)))
    const next = compile(file, kept(), 'serve')
    expect(next.cached).toBe(false)
    expect(next.run('hello')).toMatch(/^hello number 0/)
    next.save()
    expect(compile(file, kept(), 'serve').cached).toBe(true)
  })

  it('is ignored when the length of the script changed', () => {
    compile(file, kept(), 'serve').save()
    writeFileSync(file, SCRIPT.replace('number', 'count'))
    const next = compile(file, kept(), 'serve')
    expect(next.cached).toBe(false)
    expect(next.run('hello')).toMatch(/^hello count 0/)
  })

  it('stays empty without a writable folder', () => {
    for (const nowhere of [join(file, 'kept'), undefined]) {
      const program = compile(file, nowhere, 'serve')
      program.save()
      expect(program.run('hello')).toMatch(/^hello/)
      expect(readdirSync(folder)).toEqual(['program.cjs'])
    }
  })
})
