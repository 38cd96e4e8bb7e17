import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { PACKAGE } from '../compose/package.ts'
import { AGENT_PROTOCOLS, SESSION_PROTOCOLS } from './registry.ts'

const REGISTRY = 'src/protocols/registry.ts'
/** Tests, the bench and the fuzzer name protocols one by one. The page of the viewer has a configuration of its own. */
const LEFT_OUT = /\.(test|suite|real|long|wine)\.ts$|^src\/(bench|fuzz|test-support|viewer\/app)(\/|$)/
/** Folders that no import rule lets see the registry or a protocol other than their own. */
const OUT_OF_SIGHT =
  /^(conformance|src\/(base|desktop|scenario|paint|adapters|perception|stores|observer|agent|viewer|protocols\/[\w-]+))\//
const COMPILER_MS = 400_000

/** The errors of the compiler about copies of the program, each without one protocol and in a folder of its name. */
async function compileCopies(): Promise<readonly string[]> {
  const copies = mkdtempSync(join(tmpdir(), 'backlot-registry-'))
  onTestFinished(() => rmSync(copies, { recursive: true }), COMPILER_MS)
  for (const { name } of [...AGENT_PROTOCOLS, ...SESSION_PROTOCOLS]) copyWithout(name, join(copies, name))
  symlinkSync(join(PACKAGE, 'node_modules'), join(copies, 'node_modules'))
  writeFileSync(join(copies, 'package.json'), '{"type":"module"}')
  const { compilerOptions } = JSON.parse(readFileSync(join(PACKAGE, 'tsconfig.json'), 'utf8'))
  const { tsBuildInfoFile: _, ...options } = compilerOptions
  const config = { compilerOptions: { ...options, incremental: false }, include: ['*/src'] }
  writeFileSync(join(copies, 'tsconfig.json'), JSON.stringify(config))
  const compiler = resolve(PACKAGE, 'node_modules/typescript/bin/tsc')
  const outcome = await promisify(execFile)(process.execPath, [compiler, '--noEmit', '--pretty', 'false'], {
    cwd: copies,
  }).catch((error: { stdout: string }) => error)
  return outcome.stdout.split('\n').filter((line) => line !== '')
}

function copyWithout(name: string, copy: string): void {
  for (const folder of ['src', 'conformance'])
    cpSync(join(PACKAGE, folder), join(copy, folder), {
      recursive: true,
      filter: (path) => !LEFT_OUT.test(relative(PACKAGE, path)),
    })
  for (const path of readdirSync(copy, { recursive: true, encoding: 'utf8' }))
    if (path.endsWith('.ts') && OUT_OF_SIGHT.test(path)) prepend(join(copy, path), '// @ts-nocheck\n')
  rmSync(join(copy, 'src/protocols', name), { recursive: true })
  writeFileSync(join(copy, REGISTRY), registryWithout(name))
}

const prepend = (path: string, text: string): void => writeFileSync(path, text + readFileSync(path, 'utf8'))

/** The registry without the import and the entry of a protocol. */
function registryWithout(name: string): string {
  const text = readFileSync(join(PACKAGE, REGISTRY), 'utf8')
  const [line = '', imported = ''] = new RegExp(`import \\{ (\\w+) \\} from './${name}/index.ts'\n`).exec(text) ?? []
  const entry = new RegExp(`\n  ${imported},.*`)
  expect([line, entry.test(text)]).toEqual([expect.stringContaining('import'), true])
  return text.replace(line, '').replace(entry, '')
}

it(
  '[PRO28] compiles without the folder and the entry of any one protocol',
  async () => {
    expect(await compileCopies()).toEqual([])
  },
  COMPILER_MS,
)
