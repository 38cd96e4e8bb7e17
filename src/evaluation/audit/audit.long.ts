import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { EpisodeScenarios } from '../episode/scenarios.ts'
import { loadSuite } from '../suite/load-suite.ts'
import { auditSuite, type SuiteAudit } from './audit.ts'

// Rules such as [EV70] are stated in README.md of the evaluation.

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const MINUTES = 600_000
const folder = mkdtempSync(join(tmpdir(), 'backlot-audit-'))
afterAll(() => rmSync(folder, { recursive: true }))

const audited = async (...given: readonly string[]): Promise<SuiteAudit> =>
  auditSuite({
    suite: await loadSuite(given),
    scenarios: new EpisodeScenarios(),
    version: '0',
    signal: new AbortController().signal,
  })

/** The planted holes, each with the check that must name it. */
const HOLES = {
  'solved-at-start': 'start',
  'nothing-to-do': 'start',
  timer: 'idle',
  'any-text': 'edit',
  'close-window': 'close',
  'any-button': 'flood',
  'leaked-code': 'oracle',
  'skipped-step': 'omitted_step',
}

describe('the audit of the fixtures', () => {
  it('[EV70] [EV71] [EV72] [EV73] [EV75] [EV76] names each of eight planted holes, with the calls that show it', {
    timeout: MINUTES,
  }, async () => {
    const { findings } = await audited('fixtures/audit/holes.yaml')
    const found = (task: string, check: string) => findings.find((each) => each.task === task && each.check === check)
    for (const [task, check] of Object.entries(HOLES)) expect([task, check, found(task, check)?.check]).toContain(check)
    expect(Object.entries(HOLES).map(([task, check]) => [task, found(task, check)?.seed])).toEqual([
      ['solved-at-start', 1],
      ['nothing-to-do', 2],
      ['timer', 1],
      ['any-text', 1],
      ['close-window', 1],
      ['any-button', 1],
      ['leaked-code', 1],
      ['skipped-step', 1],
    ])
    expect(Object.entries(HOLES).map(([task, check]) => found(task, check)?.calls?.map(({ tool }) => tool))).toEqual([
      [],
      [],
      ['wait'],
      ['set_value', 'click_element'],
      ['press_key'],
      ['click_element'],
      ['click_element', 'get_window_structure'],
      ['click_element'],
    ])
    expect(found('any-button', 'flood')?.fix).toContain('oracles: {allow: {flood: …}}')
  })

  it('[EV70] [EV71] [EV72] [EV73] [EV74] [EV75] finds nothing in the same tasks without their holes', {
    timeout: MINUTES,
  }, async () => {
    const { findings, episodes, complete } = await audited('fixtures/audit/repaired.yaml')
    expect(findings).toEqual([])
    expect([complete, episodes.length]).toEqual([true, 11])
  })
})

describe('backlot eval --audit', () => {
  it('[EV78] exits with 1 and writes the findings', { timeout: MINUTES }, async () => {
    const run = (...args: readonly string[]) =>
      new Promise<{ code: number | null; text: string }>((resolve) => {
        const command = ['--import', 'tsx', join(ROOT, 'src/cli/main.ts'), 'eval', '--audit', ...args]
        const child = execFile(process.execPath, command, { cwd: ROOT }, (_error, stdout, stderr) =>
          resolve({ code: child.exitCode, text: `${stdout}${stderr}` }),
        )
      })
    const hole = await run('fixtures/audit/holes/timer.yaml', '--out', folder)
    expect([hole.code, hole.text]).toEqual([
      1,
      expect.stringMatching(/timer, seed 1: idle\n.*wait \{"duration_ms":60000\}/s),
    ])
    const written: SuiteAudit = JSON.parse(readFileSync(join(folder, 'audit.json'), 'utf8'))
    expect(written).toMatchObject({ format: 'backlot-audit-1', complete: true })
    expect(written.findings.map(({ check }) => check)).toContain('idle')
    expect((await run('fixtures/audit/repaired/timer.yaml', '--out', folder)).code).toBe(0)
    const both = await run('login', '--agent', 'noop')
    expect([both.code, both.text]).toEqual([1, expect.stringContaining('leave out --agent')])
  })
})

it('[EV70] [EV77] finds nothing in the gallery that its scenarios do not allow', { timeout: 2 * MINUTES }, async () => {
  expect((await audited('scenarios')).findings).toEqual([])
})
