import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { quoted } from '../../../base/strings.ts'
import type { ClientHost, CommandResult } from '../contract.ts'
import { CONTRACTS, findContract, type RegisteredContract } from '../contracts.ts'

/**
 * Writes a program into a folder for the front of a PATH, which calls this one with a contract, and the address of its
 * server into a file that only the user can read. Nothing is installed elsewhere.
 */
export function writeShim(
  words: readonly string[],
  chosen: { readonly contract: RegisteredContract; readonly version: string },
  { environment, program, workingFolder }: ClientHost,
): CommandResult {
  const [folder, ...more] = words
  const { contract, version } = chosen.contract.program ? chosen : defaultShim()
  if (folder === undefined || more.length > 0) return contract.fail(WRONG_USAGE, { argv: words, version })
  const at = resolve(workingFolder, folder)
  const settings = join(at, 'desk.json')
  const name = contract.program ?? 'backlot-desk'
  const choice = version === '' ? contract.name : `${contract.name}@${version}`
  mkdirSync(at, { recursive: true })
  const { BACKLOT_URL: url, BACKLOT_SESSION: session, BACKLOT_TOKEN: token } = environment
  writeFileSync(settings, `${JSON.stringify({ url, session, token })}\n`, { mode: 0o600 })
  chmodSync(settings, 0o600)
  const command = [...program, '--contract', choice]
  writeProgram(join(at, name), command, `export BACKLOT_DESK_FILE=${quoted(settings)}`)
  const batch = [...program.map((word) => `"${word}"`), '--contract', choice].join(' ')
  writeFileSync(join(at, `${name}.cmd`), `@set "BACKLOT_DESK_FILE=${settings}"\r\n@${batch} %*\r\n`)
  return { stdout: `${join(at, name)}\nput it first: PATH=${quoted(at)}:$PATH\n`, stderr: '', exit: 0 }
}

const WRONG_USAGE = { kind: 'usage', message: 'name one folder: backlot desk --shim FOLDER' } as const

/** The first contract of another program, in its default version. */
function defaultShim() {
  const { name } = CONTRACTS.find(({ program }) => program !== undefined) ?? CONTRACTS[0]!
  return findContract(name)!
}

/** Writes a shell program that passes its arguments to a command, after one line of its own. */
export function writeProgram(path: string, command: readonly string[], line = ':'): void {
  writeFileSync(path, `#!/bin/sh\n${line}\nexec ${command.map(quoted).join(' ')} "$@"\n`)
  chmodSync(path, 0o755)
}
