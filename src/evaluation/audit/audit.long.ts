import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { shareOf } from '../../../.ci/share.ts'
import { BUNDLED_PROGRAM } from '../../../test/support/cli/bundled-program.ts'
import { lockScenario } from '../../../test/support/evaluation/lock.ts'
import { realClock } from '../../base/clock.ts'
import { galleryNames } from '../../compose/gallery.ts'
import { recordSolution } from '../../compose/verify/recorded-solution.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { loadSuite } from '../suite/load-suite.ts'
import { type AuditedEpisode, auditSuite, auditWorker, type SuiteAudit } from './audit.ts'
import { auditTask } from './audit-task.ts'
import { auditTable } from './format-audit.ts'
import { findOpenDoor } from './open-doors.ts'
import { secretsOf } from './secrets.ts'

// Rules such as [EV70] are stated in README.md of the evaluation.

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const MINUTES = 600_000
const folder = mkdtempSync(join(tmpdir(), 'backlot-audit-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Audits a suite, or only the tasks that are named. */
const audited = async (given: string, ...names: readonly string[]): Promise<SuiteAudit> => {
  const suite = await loadSuite([given])
  const tasks = suite.tasks.filter(({ id }) => names.length === 0 || names.includes(id))
  expect(tasks.length).toBeGreaterThan(0)
  return auditSuite({
    suite: { ...suite, tasks },
    version: '0',
    openWorker: async () => auditWorker(),
    workers: 1,
    clock: realClock(),
    signal: new AbortController().signal,
  })
}

/** A planted hole: the task, the check that must name it, the seed and the calls that show it. */
const HOLES: readonly (readonly [task: string, check: string, seed: number, calls: readonly string[]])[] = [
  ['solved-at-start', 'start', 1, []],
  ['nothing-to-do', 'start', 2, []],
  ['timer', 'idle', 1, ['wait']],
  ['any-text', 'edit', 1, ['set_value', 'click_element']],
  ['close-window', 'close', 1, ['press_key']],
  ['any-button', 'flood', 1, ['click_element']],
  ['leaked-code', 'oracle', 1, ['click_element', 'get_window_structure']],
  ['skipped-step', 'omitted_step', 1, ['click_element']],
]

describe('the audit of the fixtures', () => {
  it.each(shareOf(HOLES))(
    '[EV70] [EV71] [EV72] [EV73] [EV75] [EV76] names a planted hole, with the calls that show it: %s',
    { timeout: MINUTES },
    async (task, check, seed, calls) => {
      const { findings } = await audited('fixtures/audit/holes.yaml', task)
      const found = findings.find((each) => each.check === check)
      expect([found?.task, found?.seed, found?.calls?.map(({ tool }) => tool)]).toEqual([task, seed, calls])
      if (check === 'flood') expect(found?.fix).toContain('oracles: {allow: {flood: …}}')
    },
  )

  it.each(shareOf(HOLES))(
    '[EV70] [EV71] [EV72] [EV73] [EV74] [EV75] finds nothing in the same task without its hole: %s',
    { timeout: MINUTES },
    async (task) => {
      const { findings, episodes, complete } = await audited('fixtures/audit/repaired.yaml', task)
      expect(findings).toEqual([])
      expect([complete, episodes.length]).toEqual([true, task === 'nothing-to-do' ? 4 : 1])
    },
  )
})

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

  it('[EV78] exits with 1 and writes the findings', { timeout: MINUTES }, async () => {
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

  it('[EV78b] prints the report of OpenEnv alone, and exits as with the table', { timeout: MINUTES }, async () => {
    const hole = await run('fixtures/audit/holes/timer.yaml', '--format', 'openenv', '--out', folder)
    const { verdict, results } = JSON.parse(hole.text) as {
      verdict: string
      results: { check_id: string; status: string }[]
    }
    expect([hole.code, verdict]).toEqual([1, 'fail'])
    expect(results).toContainEqual(expect.objectContaining({ check_id: 'semantic.floor_gap', status: 'fail' }))
  })

  it('[EV79b] refuses flags of agents and of their runs', { timeout: MINUTES }, async () => {
    const { code, text } = await run('login', '--agent', 'noop', '--runs', '2', '--traces', 'all', '--max-steps', '9')
    expect([code, text]).toEqual([
      2,
      expect.stringContaining('leave out --agent and --runs and --max-steps and --traces'),
    ])
  })

  it('[EV79] writes the same with one worker and with two', { timeout: MINUTES }, async () => {
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

  it('[EV79a] ends with its processes on Ctrl-C', { timeout: MINUTES }, async () => {
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

it.each(shareOf(galleryNames()))(
  '[EV70] [EV77] finds nothing in the gallery that its scenarios do not allow: %s',
  { timeout: MINUTES },
  async (name) => expect((await audited(`scenarios/${name}.yaml`)).findings).toEqual([]),
)

describe('[EV75] the oracle', () => {
  const secretsIn = async (scenario: Scenario) =>
    secretsOf(scenario, [await recordSolution(scenario, scenario.solutions[0]!)])

  it('is found in the description of a field, and nowhere without it', async () => {
    const found = async (scenario: Scenario) => findOpenDoor(scenario, await secretsIn(scenario))
    expect(await found(lockScenario('Four digits'))).toBeUndefined()
    expect((await found(lockScenario('Not 4931 but 4930')))?.message).toMatch(
      /^POST \/api\/tool\/\w+ shows agents "4930"$/,
    )
  })

  it('is not behind a token that can be guessed, over any door', async () => {
    const open = await findOpenDoor(
      lockScenario('Four digits'),
      { answers: [], oracles: [] },
      { harnessToken: 'harness' },
    )
    expect(open?.request).toMatchObject({ path: expect.stringMatching(/^\/api\/tool\//) })
    const all = await findOpenDoor(lockScenario('Four digits'), { answers: [], oracles: [] }, { harnessOnly: true })
    expect(all?.message).toMatch(/is not refused to agents$/)
  })
})

it('[EV77] a finding is allowed with a reason', async () => {
  const scenario = lockScenario('The code is 4930', '  allow: {oracle: the hint is part of the task}')
  const checks = await auditTask(scenario)
  expect(checks.filter(({ passed }) => !passed)).toEqual([])
  expect(checks.find(({ name }) => name === 'oracle')?.message).toMatch(
    /^allowed, because the hint is part of the task: the answer of /,
  )
  const episode: AuditedEpisode = { task: 'lock', seed: 1, variant: {}, checks }
  const audit = { format: 'backlot-audit-1', suite: { name: 'one', version: '' }, backlot: '0' } as const
  const table = auditTable({ ...audit, complete: true, findings: [], episodes: [episode] })
  expect(table).toMatch(
    /^task .* oracle +shell\nlock .* a +–\n\n1 of 1 tasks without a finding; 1 findings allowed \(a\)$/,
  )
})
