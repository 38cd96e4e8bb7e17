import { withFaults } from '../../compose/verify/verify.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import type { EpisodeScenarios } from '../episode/scenarios.ts'
import type { LoadedSuite } from '../suite/load-suite.ts'
import { episodesOf, type PlannedEpisode } from '../suite/task.ts'
import { type AuditCheck, auditTask } from './audit-task.ts'

/** A task that was audited in one seed and variant. */
export interface AuditedEpisode extends Pick<PlannedEpisode, 'task' | 'seed' | 'variant'> {
  readonly checks: readonly AuditCheck[]
}

/** The result of the audit of a suite, as `audit.json` has it. */
export interface SuiteAudit {
  readonly format: 'backlot-audit-1'
  readonly suite: { readonly name: string; readonly version: string }
  readonly backlot: string
  /** Whether every task in every seed and variant was audited. */
  readonly complete: boolean
  readonly findings: readonly AuditFinding[]
  readonly episodes: readonly AuditedEpisode[]
}

/** A check that failed. */
export interface AuditFinding extends Pick<AuditedEpisode, 'task' | 'seed' | 'variant'> {
  readonly check: AuditCheck['name']
  readonly message: string
  /** The shortest sequence of calls that shows it; null where `message` describes a change of a solution. */
  readonly calls: NonNullable<AuditCheck['calls']> | null
  /** The request over HTTP that shows it. */
  readonly request: NonNullable<AuditCheck['request']> | null
  /** How to repair or to allow it. */
  readonly fix: string
}

/** The parts of an audit. */
export interface AuditOptions {
  readonly suite: LoadedSuite
  readonly scenarios: EpisodeScenarios
  /** The version of the package. */
  readonly version: string
  /** Ends the audit before the next episode. */
  readonly signal: AbortSignal
  readonly onProgress?: (done: number, planned: number, last: AuditedEpisode | undefined) => void
}

/** Audits each task of a suite once in each of its seeds and variants. */
export async function auditSuite({ suite, scenarios, version, signal, onProgress }: AuditOptions): Promise<SuiteAudit> {
  const planned = episodesOf(suite.tasks.map((task) => ({ ...task, runs: 1 })))
  const episodes: AuditedEpisode[] = []
  onProgress?.(0, planned.length, undefined)
  for (const episode of planned) {
    if (signal.aborted) break
    const { task, seed, variant } = episode
    const checks = await auditTask(await disturbed(scenarios, episode))
    episodes.push({ task, seed, variant, checks })
    onProgress?.(episodes.length, planned.length, episodes.at(-1))
  }
  return {
    format: 'backlot-audit-1',
    suite: { name: suite.name, version: suite.version },
    backlot: version,
    complete: episodes.length === planned.length,
    findings: episodes.flatMap(findingsOf),
    episodes,
  }
}

/** The scenario of an episode with its faults. */
async function disturbed(scenarios: EpisodeScenarios, episode: PlannedEpisode): Promise<Scenario> {
  const scenario = await scenarios.of(episode)
  return episode.faults.length === 0 ? scenario : withFaults(scenario, episode.faults)
}

const findingsOf = ({ task, seed, variant, checks }: AuditedEpisode): readonly AuditFinding[] =>
  checks.flatMap(({ name, passed, message, calls, request }) =>
    passed
      ? []
      : [
          {
            task,
            seed,
            variant,
            check: name,
            message,
            calls: calls ?? null,
            request: request ?? null,
            fix: FIXES[name],
          },
        ],
  )

const allowed = (name: string): string => `or allow it with a reason: oracles: {allow: {${name}: …}}`

/** How a finding of each check is repaired. */
const FIXES: Readonly<Record<AuditCheck['name'], string>> = {
  solution: 'correct the solution or the oracles until every solution passes',
  repeats: 'draw everything random from the seed of the scenario',
  start: `let the oracles look at what the task changes, ${allowed('start')}`,
  idle: `let the oracles look at what the agent does and not at what time does, ${allowed('idle')}`,
  random: `let the oracles look at the whole outcome of the task, ${allowed('random')}`,
  omitted_step: `let the oracles look at what this step does, ${allowed('omitted_step')}`,
  other_value: `let the oracles compare with the value of the task, ${allowed('other_value')}`,
  side_effects: `let the oracles look at what must not change, such as with changes, ${allowed('side_effects')}`,
  flood: `let the oracles look at what must not change, such as with changes or at_most, ${allowed('flood')}`,
  edit: `let the oracles compare with the values of the task, ${allowed('edit')}`,
  close: `let the oracles require what the task leaves open or saved, ${allowed('close')}`,
  tools: `let the oracles require the outcome, and answers match as a whole, ${allowed('tools')}`,
  oracle: `keep expected values out of descriptions, hidden elements and errors, ${allowed('oracle')}`,
}
