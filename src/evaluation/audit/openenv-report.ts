import type { AuditedEpisode, SuiteAudit } from './audit.ts'
import type { AuditCheck } from './audit-task.ts'
import { isAllowedFinding, isSkippedCheck } from './format-audit.ts'

/** A check of OpenEnv's validation, with its result as a report has it. */
interface CheckResult {
  readonly check_id: string
  readonly status: 'pass' | 'fail' | 'skip' | 'error'
  readonly measured: Readonly<Record<string, unknown>>
  readonly evidence: readonly string[]
  readonly remediation: string | null
  readonly duration_s: 0
}

/** The checks of an audit that prove what a check of OpenEnv asks for. Checks of an audit that are not here are adversaries. */
const PROVEN_BY: Readonly<Record<string, readonly AuditCheck['name'][]>> = {
  'runtime.seed_control': ['repeats'],
  'runtime.episode_determinism': ['repeats'],
  'runtime.oracle_containment': ['oracle', 'shell'],
  'semantic.oracle_max': ['solution'],
  'semantic.floor_gap': ['start', 'idle', 'random'],
  'semantic.no_solution_leakage': ['oracle'],
  'semantic.verifier_determinism': ['repeats'],
  'semantic.replayability': ['solution', 'repeats'],
}
const BY_ADVERSARIES = 'semantic.canary_floor'

/** The other checks of both levels. They need a running server, its declarations or a container. */
const NOT_MEASURED = [
  'runtime.reward_well_formed',
  'runtime.rubric_introspectable',
  'runtime.observation_schema',
  'runtime.state_contract',
  'runtime.trajectory_record',
  'runtime.reward_attribution',
  'runtime.tool_declaration_accuracy',
  'runtime.task_declaration_accuracy',
  'runtime.network_policy',
  'runtime.host_containment',
  'runtime.resource_bounds',
  'runtime.episode_isolation',
  'semantic.verifier_portability',
  'semantic.resource_envelope',
]

const MAX_EVIDENCE = 20
const LEVELS = { runtime: 2, semantic: 3 }

/**
 * An audit as a report of OpenEnv's validation (RFC 008, schema 1, policy v1): the checks of the runtime and the semantic
 * level that the audit proves, and the others as skipped.
 */
export function openEnvReport(audit: SuiteAudit): object {
  const others = [...new Set(audit.episodes.flatMap(({ checks }) => checks.map(({ name }) => name)))].filter(
    (name) => !Object.values(PROVEN_BY).flat().includes(name),
  )
  const proven = { ...PROVEN_BY, [BY_ADVERSARIES]: others }
  const results = [
    ...Object.entries(proven).map(([id, names]) => resultOf(id, names, audit)),
    ...NOT_MEASURED.map((id) => skipped(id, 'an audit does not measure it; `openenv validate` does, on a server')),
  ].sort((a, b) => (a.check_id < b.check_id ? -1 : 1))
  return {
    report_schema_version: '1',
    target: audit.suite.name,
    source_digest: `backlot ${audit.backlot}, suite ${audit.suite.version || 'without a version'}`,
    signature: 'openenv.yaml',
    manifest: manifestOf(audit),
    policy_version: 'v1',
    lane: 'local',
    levels_run: Object.values(LEVELS),
    results,
    // Each check that an audit proves fails a report by this policy, and what is skipped is a warning.
    verdict: results.some(({ status }) => status === 'fail' || status === 'error') ? 'fail' : 'warn',
  }
}

function resultOf(id: string, names: readonly AuditCheck['name'][], audit: SuiteAudit): CheckResult {
  const { episodes, findings, unaudited = [] } = audit
  const made = episodes.flatMap((episode) =>
    episode.checks
      .filter((check) => names.includes(check.name) && !isSkippedCheck(check))
      .map((check) => ({ episode, check })),
  )
  const failed = findings.filter(({ check }) => names.includes(check))
  const evidence = [
    ...unaudited.map((each) => `${placeOf(each)}: not audited: ${each.message}`),
    ...failed.map((each) => `${placeOf(each)}: ${each.check}: ${each.message}`),
    ...made
      .filter(({ check }) => isAllowedFinding(check))
      .map(({ episode, check }) => `${placeOf(episode)}: ${check.name}: ${check.message}`),
  ]
  if (made.length === 0 && unaudited.length === 0) return skipped(id, 'no task has what it needs, such as a solution')
  return {
    check_id: id,
    status: failed.length > 0 ? 'fail' : unaudited.length > 0 || !audit.complete ? 'error' : 'pass',
    measured: { audit_checks: names, episodes: episodes.length, failed: failed.length },
    evidence: evidence.slice(0, MAX_EVIDENCE),
    remediation: failed[0]?.fix ?? null,
    duration_s: 0,
  }
}

const skipped = (id: string, reason: string): CheckResult => ({
  check_id: id,
  status: 'skip',
  measured: {},
  evidence: [reason],
  remediation: null,
  duration_s: 0,
})

const placeOf = ({ task, seed, variant }: Pick<AuditedEpisode, 'task' | 'seed' | 'variant'>): string =>
  [task, `seed ${seed}`, ...Object.entries(variant).map(([axis, value]) => `${axis}=${value}`)].join(', ')

/** What `backlot serve --protocols openenv` is, in the terms of OpenEnv. */
const manifestOf = ({ suite, backlot }: SuiteAudit) => ({
  manifest_schema_version: '1',
  name: suite.name,
  version: suite.version || backlot,
  signature: 'openenv.yaml',
  reward: { range: [-1, 1], oracle_tolerance: 0, floor_margin: 1, variance_tolerance: null },
  judge: null,
  resources: { cpu: 1, memory_mb: 1024, disk_mb: 512, episode_timeout_s: 60, gpus: 0, gpu_types: [] },
  task_distribution: null,
  network: { mode: 'public', allowed_hosts: [] },
  capabilities: {
    oracle: { form: 'script', location: 'validation/runtime.json' },
    verifier: { kind: 'reward_channel', entry: null },
    set_state: false,
    llm_judged: false,
    rubric_tree: false,
    task_api: true,
    canaries: null,
    declared_tools: [],
    declared_task_count: {},
  },
  types: { tags: ['gui'] },
})
