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

describe('the compiled code of a script', () => {
  it('is taken over by the next process, and does the same', () => {
    const first = compile(file, kept(), 'serve')
    expect(first.known).toBe(false)
    const said = first.run('hello')
    expect(said).toMatch(/^hello number 0,.*number 98$/)
    first.keep()
    const second = compile(file, kept(), 'serve')
    expect(second.known).toBe(true)
    expect(second.run('hello')).toBe(said)
  })

  it('is kept for each word by itself', () => {
    compile(file, kept(), 'serve').keep()
    expect(compile(file, kept(), 'validate').known).toBe(false)
  })

  it('is written again only when clearly more is compiled', () => {
    const first = compile(file, kept(), 'serve')
    first.keep()
    const little = readFileSync(files()[0]!)
    first.run('hello')
    first.keep()
    const more = readFileSync(files()[0]!)
    expect(more.length).toBeGreaterThan(little.length)
    const second = compile(file, kept(), 'serve')
    second.keep()
    expect(readFileSync(files()[0]!)).toEqual(more)
  })

  it.each([
    ['damaged', (bytes: Buffer) => bytes.fill(0x5a, bytes.length >> 1, (bytes.length >> 1) + 4)],
    ['cut short', (bytes: Buffer) => bytes.subarray(0, 100)],
    ['empty', () => Buffer.of()],
  ])('is passed over when it is %s', (_, spoil) => {
    compile(file, kept(), 'serve').keep()
    writeFileSync(files()[0]!, spoil(readFileSync(files()[0]!)))
    const next = compile(file, kept(), 'serve')
    expect(next.known).toBe(false)
    expect(next.run('hello')).toMatch(/^hello number 0/)
    next.keep()
    expect(compile(file, kept(), 'serve').known).toBe(true)
  })

  it('is passed over when the script has changed its length', () => {
    compile(file, kept(), 'serve').keep()
    writeFileSync(file, SCRIPT.replace('number', 'count'))
    const next = compile(file, kept(), 'serve')
    expect(next.known).toBe(false)
    expect(next.run('hello')).toMatch(/^hello count 0/)
  })

  it('is not kept where nothing can be written, or nowhere is named', () => {
    for (const nowhere of [join(file, 'kept'), undefined]) {
      const program = compile(file, nowhere, 'serve')
      program.keep()
      expect(program.run('hello')).toMatch(/^hello/)
      expect(readdirSync(folder)).toEqual(['program.cjs'])
    }
  })
})
