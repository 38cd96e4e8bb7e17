import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The folders with a table of roles, and their imports. */
const FOLDERS = ['base', 'desktop', 'scenario', 'paint', 'perception']
const TABLE = 'src/desktop/model/role-table.ts'
const FIRST_ROW = 'export const ROLE_TABLE = {\n'
const COMPILER_MS = 180_000

/** The compiler errors for a copy of these folders whose role table has one more row. */
async function compileWith(row: string): Promise<readonly string[]> {
  const copy = mkdtempSync(join(tmpdir(), 'backlot-role-'))
  onTestFinished(() => rmSync(copy, { recursive: true }))
  for (const folder of FOLDERS)
    cpSync(join(ROOT, 'src', folder), join(copy, 'src', folder), {
      recursive: true,
      filter: (path) => !/\.(test|suite|real|long|wine)\.ts$/.test(path),
    })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const table = readFileSync(join(copy, TABLE), 'utf8')
  expect(table).toContain(FIRST_ROW)
  writeFileSync(join(copy, TABLE), table.replace(FIRST_ROW, `${FIRST_ROW}  ${row},\n`))
  const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'))
  const { tsBuildInfoFile: _, ...options } = compilerOptions
  writeFileSync(
    join(copy, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...options, incremental: false }, include: ['src'] }),
  )
  writeFileSync(join(copy, 'package.json'), '{"type":"module"}')
  const compiler = resolve(ROOT, 'node_modules/typescript/bin/tsc')
  const outcome = await promisify(execFile)(process.execPath, [compiler, '--noEmit', '--pretty', 'false'], {
    cwd: copy,
  }).catch((error: { stdout: string }) => error)
  return outcome.stdout.split('\n').filter((line) => line.startsWith('src/'))
}

const fileOf = (line: string): string => line.slice(0, line.indexOf('('))

describe.concurrent('adding a role', () => {
  it(
    '[R1] does not compile before every table has a row for it',
    async () => {
      const row = `gauge: { spellings: 'Gauge', focus: 'never', popup: 'never', container: 'none', item: 'none',
        label: 'name', caption: 'field', captions: 'none', text: 'none', purpose: 'display only', words: [], noun: '', verbs: [],
        sketch: { draw: 'box', label: 'plain', parts: 'merged' }, is: [] }`
      const errors = await compileWith(row)
      expect([...new Set(errors.map(fileOf))].sort()).toEqual([
        'src/desktop/widgets/widgets.ts',
        'src/paint/widgets/catalogue.ts',
        'src/scenario/layout/style.ts',
        'src/scenario/personalities/personalities.ts',
      ])
      for (const error of errors) expect(error).toContain('gauge')
    },
    COMPILER_MS,
  )

  it(
    '[R2] does not compile before its row answers every question of the desktop',
    async () => {
      const errors = await compileWith(`gauge: { spellings: 'Gauge' }`)
      const own = errors.filter((line) => fileOf(line) === TABLE).join('\n')
      for (const field of ['focus', 'popup', 'container', 'item']) expect(own).toContain(field)
    },
    COMPILER_MS,
  )
})
