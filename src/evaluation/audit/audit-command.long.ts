import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { BUNDLED_PROGRAM } from '../../../test/support/cli/bundled-program.ts'
import type { SuiteAudit } from './audit.ts'

// Rules such as [EV89] are stated in README.md of the evaluation.

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const MINUTES = 600_000
const folder = mkdtempSync(join(tmpdir(), 'backlot-audit-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('backlot eval --audit', () => {
  const start = (...args: readonly string[]) => {
    const command = [BUNDLED_PROGRAM, 'eval', '--audit', ...args]
    const child = spawn(process.execPath, command, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk))
    const ended = new Promise<{ code: number | null; text: string }>((resolve) =>
      child.on('close', (code) => resolve({ code, text })),
    )
    return { child, ended }
  }
  const run = (...args: readonly string[]) => start(...args).ended

  it('[EV89] exits with 1 and writes the findings', { timeout: MINUTES }, async () => {
    const hole = await run('fixtures/audit/holes/timer.yaml', '--out', folder)
    expect([hole.code, hole.text]).toEqual([
      1,
      expect.stringMatching(/timer, seed 1: idle\n.*wait \{"duration_ms":60000\}/s),
    ])
    const written: SuiteAudit = JSON.parse(readFileSync(join(folder, 'audit.json'), 'utf8'))
    expect(written).toMatchObject({ format: 'backlot-audit-1', complete: true })
    expect(written.findings.map(({ check }) => check)).toContain('idle')
    expect((await run('fixtures/audit/repaired/timer.yaml', '--out', folder)).code).toBe(0)
  })

  it('[EV91] prints the report of OpenEnv alone, and exits as with the table', { timeout: MINUTES }, async () => {
    const hole = await run('fixtures/audit/holes/timer.yaml', '--format', 'openenv', '--out', folder)
    const { verdict, results } = JSON.parse(hole.text) as {
      verdict: string
      results: { check_id: string; status: string }[]
    }
    expect([hole.code, verdict]).toEqual([1, 'fail'])
    expect(results).toContainEqual(expect.objectContaining({ check_id: 'semantic.floor_gap', status: 'fail' }))
  })

  it('[EV94] refuses flags of agents and of their runs', { timeout: MINUTES }, async () => {
    const { code, text } = await run('login', '--agent', 'noop', '--runs', '2', '--traces', 'all', '--max-steps', '9')
    expect([code, text]).toEqual([
      2,
      expect.stringContaining('leave out --agent and --runs and --max-steps and --traces'),
    ])
  })

  it('[EV92] writes the same with one worker and with two', { timeout: MINUTES }, async () => {
    const written = async (workers: string) => {
      const out = join(folder, workers)
      const { text } = await run(
        'fixtures/audit/repaired/timer.yaml',
        '--seeds',
        '1..3',
        '--workers',
        workers,
        '--out',
        out,
      )
      expect(text).toContain('2 of 3 audited')
      return readFileSync(join(out, 'audit.json'), 'utf8')
    }
    expect(await written('2')).toBe(await written('1'))
  })

  it('[EV93] ends with its processes on Ctrl-C', { timeout: MINUTES }, async () => {
    const { child, ended } = start('fixtures/audit/repaired.yaml', '--workers', '2', '--out', folder)
    await new Promise<void>((resolve) => child.stderr.once('data', () => resolve()))
    const children = execFileSync('pgrep', ['-P', String(child.pid), '-f', 'eval-worker'], { encoding: 'utf8' })
    child.kill('SIGINT')
    const { code, text } = await ended
    expect([code, text]).toEqual([130, expect.stringContaining('stopped; tasks that are not in the table')])
    const pids = children.trim().split('\n').map(Number)
    expect(pids).toHaveLength(2)
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    expect(JSON.parse(readFileSync(join(folder, 'audit.json'), 'utf8')).complete).toBe(false)
  })
})
