import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { expect, it } from 'vitest'
import { storeSuite } from '../../test/support/stores/store.suite.ts'
import { memoryStore } from './memory.ts'
import { openStore } from './open-store.ts'
import { sqliteStore } from './sqlite.ts'

storeSuite('memory', 'with the process', () => ({ open: memoryStore }))

storeSuite('sqlite', 'longer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'store-'))
  return {
    open: () => sqliteStore(join(folder, 'deep', 'store.db')),
    end: () => rmSync(folder, { recursive: true }),
  }
})

it('[BA2] falls back to memory without the optional package, and prints the install command', async () => {
  const warnings: string[] = []
  const missing = async () => createRequire('/nowhere/program.js')('libsql')
  const store = await openStore('/nowhere/store.db', (line) => warnings.push(line), missing)
  store.put('kind', 'id', 1)
  expect(store.get('kind', 'id')).toBe(1)
  expect(warnings).toEqual([
    'history is kept in memory and lost at the end; to keep it on disk, run: npm install libsql@0.5',
  ])
})

it('reports why the database ended a transaction, for example on a full disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'store-'))
  const path = join(folder, 'store.db')
  const store = sqliteStore(path)
  const other = new Database(path)
  other.exec("CREATE TRIGGER full BEFORE INSERT ON record BEGIN SELECT RAISE(ROLLBACK, 'the disk is full'); END")
  expect(() => store.atomically(() => store.put('kind', 'id', 1))).toThrow('the disk is full')
  other.exec('DROP TRIGGER full')
  store.atomically(() => store.put('kind', 'id', 2))
  expect(store.get('kind', 'id')).toBe(2)
  other.close()
  store.close()
  rmSync(folder, { recursive: true })
})

it('keeps all completed writes of a killed process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'store-'))
  const path = join(folder, 'store.db')
  const program = `
    import { sqliteStore } from ${JSON.stringify(new URL('./sqlite.ts', import.meta.url).href)}
    const store = sqliteStore(${JSON.stringify(path)})
    for (;;) process.stdout.write(store.append('events', 'x'.repeat(500)) + '\\n')
  `
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const chunk of child.stdout) {
    output += String(chunk)
    if (output.split('\n').length > 200 && !child.killed) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  const last = Number(output.split('\n').at(-2))
  const store = sqliteStore(path)
  const numbers = store.read('events').map((entry) => entry.number)
  store.close()
  rmSync(folder, { recursive: true })
  expect(child.signalCode).toBe('SIGKILL')
  expect(numbers.length).toBeGreaterThanOrEqual(last)
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => index + 1))
})
