import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished } from 'vitest'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * The compiler errors for a copy of paths below `src`, without tests, in which a text of a file is replaced. The paths include
 * what they import.
 */
export async function compileCopy(
  paths: readonly string[],
  file: string,
  [before, after]: readonly [before: string, after: string],
): Promise<readonly string[]> {
  const copy = mkdtempSync(join(tmpdir(), 'backlot-copy-'))
  onTestFinished(() => rmSync(copy, { recursive: true }))
  for (const path of paths)
    cpSync(join(ROOT, 'src', path), join(copy, 'src', path), {
      recursive: true,
      filter: (name) => !/\.(test|suite|real|long|wine|desktops)\.ts$/.test(name),
    })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const text = readFileSync(join(copy, file), 'utf8')
  expect(text).toContain(before)
  writeFileSync(join(copy, file), text.replace(before, after))
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

/** The file of a compiler error. */
export const fileOfError = (line: string): string => line.slice(0, line.indexOf('('))

/** The files that a recipe of CONTRIBUTING.md lists below its first step, sorted. */
export function filesInRecipe(title: string): readonly string[] {
  const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
  const recipe = page.slice(page.indexOf(`**${title}**`)).split('\n2. ', 1)[0]!
  return [...recipe.matchAll(/^ {3}- .*`(src\/[\w/.-]+)`$/gm)].map(([, file = '']) => file).sort()
}
