import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { BUNDLED_PROGRAM } from '../../test/support/cli/bundled-program.ts'

const SERVE = `node ${BUNDLED_PROGRAM} serve --mode mcp`
const SABOTAGE = `node ${BUNDLED_PROGRAM} sabotage observer 'chats on its output'`

const run = (...args: readonly string[]) =>
  new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [BUNDLED_PROGRAM, ...args], (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    )
  })

it('certifies MCP of our own server alone, and detects a fault', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-certify-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const certify = (command: string, ...more: string[]) =>
    run('certify', 'observer', '--command', command, '--report', folder, ...more)
  const some = ['--only', 'observer:mcp:tools', '--only', 'observer:mcp:is-error']
  const right = await certify(SERVE, ...some)
  expect(right).toMatchObject({ code: 0, stderr: expect.stringContaining('observer: passed; 2 passed') })
  expect(right.stdout.split('\n')).toContain(join(folder, 'observer', 'report.html'))
  const broken = await certify(`${SABOTAGE} --command "${SERVE}"`, '--only', 'observer:mcp:clean')
  expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('observer:mcp:clean: ') })
}, 120_000)
