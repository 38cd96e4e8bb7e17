import { describe, expect, it } from 'vitest'
import { shareOf } from '../../../.ci/share.ts'
import { lockScenario } from '../../../test/support/evaluation/lock.ts'
import { realClock } from '../../base/clock.ts'
import { galleryNames } from '../../compose/gallery.ts'
import { recordSolution } from '../../compose/verify/recorded-solution.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { loadSuite } from '../suite/load-suite.ts'
import { type AuditedEpisode, auditSuite, auditWorker, type SuiteAudit } from './audit.ts'
import { auditTask } from './audit-task.ts'
import { auditTable } from './format-audit.ts'
import { findAccessLeak } from './open-doors.ts'
import { secretsOf } from './secrets.ts'

// Rules such as [EV75] are stated in README.md of the evaluation.

const MINUTES = 600_000

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
    '[EV75] [EV76] [EV77] [EV78] [EV80] [EV87] names a planted hole, with the calls that show it: %s',
    { timeout: MINUTES },
    async (task, check, seed, calls) => {
      const { findings } = await audited('fixtures/audit/holes.yaml', task)
      const found = findings.find((each) => each.check === check)
      expect([found?.task, found?.seed, found?.calls?.map(({ tool }) => tool)]).toEqual([task, seed, calls])
      if (check === 'flood') expect(found?.fix).toContain('oracles: {allow: {flood: …}}')
    },
  )

  it.each(shareOf(HOLES))(
    '[EV75] [EV76] [EV77] [EV78] [EV79] [EV80] finds nothing in the same task without its hole: %s',
    { timeout: MINUTES },
    async (task) => {
      const { findings, episodes, complete } = await audited('fixtures/audit/repaired.yaml', task)
      expect(findings).toEqual([])
      expect([complete, episodes.length]).toEqual([true, task === 'nothing-to-do' ? 4 : 1])
    },
  )
})

it.each(shareOf(galleryNames()))(
  '[EV75] [EV88] finds nothing in the gallery that its scenarios do not allow: %s',
  { timeout: MINUTES },
  async (name) => expect((await audited(`scenarios/${name}.yaml`)).findings).toEqual([]),
)

describe('[EV80] the oracle', () => {
  const secretsIn = async (scenario: Scenario) =>
    secretsOf(scenario, [await recordSolution(scenario, scenario.solutions[0]!)])

  it('is found in the description of a field, and nowhere without it', async () => {
    const found = async (scenario: Scenario) => findAccessLeak(scenario, await secretsIn(scenario))
    expect(await found(lockScenario('Four digits'))).toBeUndefined()
    expect((await found(lockScenario('Not 4931 but 4930')))?.message).toMatch(
      /^POST \/api\/tool\/\w+ shows agents "4930"$/,
    )
  })

  it('is not behind a token that can be guessed, over any door', async () => {
    const open = await findAccessLeak(
      lockScenario('Four digits'),
      { answers: [], oracles: [] },
      { harnessToken: 'harness' },
    )
    expect(open?.request).toMatchObject({ path: expect.stringMatching(/^\/api\/tool\//) })
    const all = await findAccessLeak(lockScenario('Four digits'), { answers: [], oracles: [] }, { harnessOnly: true })
    expect(all?.message).toMatch(/is not refused to agents$/)
  })
})

it('[EV88] a finding is allowed with a reason', async () => {
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
