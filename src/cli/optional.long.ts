import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUNDLED_PROGRAM } from '../../test/support/cli/bundled-program.ts'

// The program in a folder from which no package is found.

let folder: string
let program: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-bare-'))
  cpSync(dirname(BUNDLED_PROGRAM), folder, { recursive: true })
  program = join(folder, basename(BUNDLED_PROGRAM))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** What a server that cannot start writes to standard error. */
const said = (...args: readonly string[]): Promise<string> =>
  errorsOf('serve', '--mode', 'inspect', '--data', folder, ...args)

/** What a command that fails writes to standard error. */
async function errorsOf(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
  })
  let text = ''
  for await (const part of child.stderr) text += String(part)
  return text
}

describe('the command line without optional packages', () => {
  it('[BA2] [BA3] keeps history in memory with a notice even with --quiet, and names the package of WindieOS in one sentence', async () => {
    const text = await said('--protocols', 'navi,windieos', '--navi-port', '0', '--windieos-port', '0', '--quiet')
    expect(text.split('\n').slice(2)).toEqual([
      'main: history is kept in memory and lost at the end; to keep it on disk, run: npm install libsql@0.5',
      'backlot: the WindieOS protocol needs the optional package gpt-tokenizer; run: npm install gpt-tokenizer@4',
      '',
    ])
  })

  it('[BA3] names the packages of a queue in one sentence', async () => {
    expect(await errorsOf('worker', '--queue', 'redis://127.0.0.1:1')).toBe(
      'backlot: a queue of episodes needs the optional package bullmq; run: npm install bullmq@6 ioredis@5\n',
    )
  })

  it('[BA3] names the packages of the linux adapter in one sentence', async () => {
    expect(await said('--adapter', 'linux', '--port', '0')).toBe(
      'backlot: the linux adapter needs the optional package dbus-native; run: npm install x11@4 dbus-native@0.13\n',
    )
  })
})
