import { seededRandom, split } from '../../base/random.ts'
import { isNamed } from '../../base/strings.ts'
import { RANDOM_STEPS, randomAction } from '../../compose/verify/random-agent.ts'
import { isAction, type RecordedSolution, recordSolution } from '../../compose/verify/recorded-solution.ts'
import { type Check, checkFinding, findIdle, verifyScenario } from '../../compose/verify/verify.ts'
import type { AgentRequest } from '../../protocols/probe.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import type { WeakOracle } from '../../scenario/schema/oracles.ts'
import {
  type AdversaryKnowledge,
  type AdversaryProgram,
  closePrograms,
  editPrograms,
  findOpenHarnessTool,
  floodPrograms,
  toolPrograms,
} from '../adversaries/adversaries.ts'
import {
  type AdversaryCall,
  isSolved,
  type OnOutcome,
  openAttempt,
  shrinkCalls,
  shrinkToAnswer,
} from '../adversaries/attempt.ts'
import { findAccessLeak } from './open-doors.ts'
import { checkPackTask, PACK_CHECKS, type PackCheckName, type PackSubject, SCREEN_CHECKS } from './pack-checks.ts'
import { type AuditSecrets, secretIn, secretsOf } from './secrets.ts'

/** The result of a check of an audit. */
export interface AuditCheck extends Omit<Check, 'name'> {
  readonly name: Check['name'] | PackCheckName | 'shell'
  /** The calls that show the finding, without those that it does not need. */
  readonly calls?: readonly AdversaryCall[] | undefined
  /** The request over HTTP that shows it. */
  readonly request?: AgentRequest | undefined
}

/** What an adversary has found. */
interface AdversaryFinding {
  readonly message: string
  readonly calls?: readonly AdversaryCall[]
  readonly request?: AgentRequest
}

type AdversaryName = Extract<WeakOracle, 'flood' | 'edit' | 'close' | 'tools'>

/**
 * The adversaries that act, in the order of the table. A new adversary is one row. The answers to those that open what
 * they find are not watched, because programs show the same fact in several places.
 */
const ADVERSARIES: Readonly<
  Record<
    AdversaryName,
    {
      readonly programs: (knowledge: AdversaryKnowledge) => readonly AdversaryProgram[]
      readonly by: string
      readonly isWatched: boolean
    }
  >
> = {
  flood: { programs: floodPrograms, by: 'pressing controls without regard to the task', isWatched: false },
  edit: { programs: editPrograms, by: 'the same text in every field and any option', isWatched: true },
  close: { programs: closePrograms, by: 'closing windows and dismissing dialogs', isWatched: false },
  tools: { programs: toolPrograms, by: 'calling every tool, or ending the run with any text', isWatched: true },
}

/** Longer than any task waits. */
const LONG_IDLE_MS = 600_000

/**
 * Audits a task in one seed and variant: all checks of `backlot test`, a long wait, and the adversaries. Everything that an
 * adversary does, it does as an agent.
 * @param pack With it, the checks of a published pack are made too; with `isLean`, only those that depend on the screen.
 */
export async function auditTask(
  scenario: Scenario,
  pack?: Pick<PackSubject, 'episode' | 'scenarios' | 'clock' | 'ocr'> & { readonly isLean?: boolean },
): Promise<readonly AuditCheck[]> {
  const isLean = pack?.isLean === true
  const verified = [...(await verifyScenario(scenario, { onlySolutions: isLean }))]
  const idle = verified.findIndex(({ name, passed }) => name === 'idle' && passed)
  if (idle >= 0 && !scenario.oracles.allow.idle && (await findIdle(scenario, LONG_IDLE_MS)) !== undefined)
    verified[idle] = {
      name: 'idle',
      passed: false,
      message: `doing nothing for ${LONG_IDLE_MS / 1000} s passes the success oracles`,
    }
  const recorded: RecordedSolution[] = []
  const isSolvable = verified.some(({ name, passed }) => name === 'solution' && passed)
  if (isSolvable) for (const solution of scenario.solutions) recorded.push(await recordSolution(scenario, solution))
  const checks: AuditCheck[] = []
  for (const check of verified) {
    const calls = check.passed ? undefined : await evidenceOf(check.name, scenario, recorded)
    checks.push({ ...check, ...(calls && { calls }) })
  }
  if (pack && isLean)
    return [
      ...checks,
      ...LEFT_OUT.map((name): AuditCheck => ({ name, passed: true, message: LEAN })),
      ...(await checkPackTask({ ...pack, scenario, recorded }, SCREEN_CHECKS)),
    ]
  const secrets = await secretsOf(scenario, recorded)
  const leaks = new LeakWatch(secrets)
  const knowledge = knowledgeOf(scenario, recorded)
  for (const name of Object.keys(ADVERSARIES) as AdversaryName[]) {
    const { programs, by, isWatched } = ADVERSARIES[name]
    const found =
      (name === 'tools' ? await openTool(scenario) : undefined) ??
      (await findPaid(scenario, programs(knowledge), by, isWatched ? leaks.onOutcome : undefined))
    checks.push(adversaryCheck(scenario, name, found, `${by} does not pass`))
  }
  const leaked = (await leaks.finding(scenario)) ?? (await accessLeakOf(scenario, secrets))
  checks.push(adversaryCheck(scenario, 'oracle', leaked, 'agents cannot ask for the oracle'))
  if (pack) checks.push(...(await checkPackTask({ ...pack, scenario, recorded })))
  return checks
}

const LEAN = 'not checked, because --lean makes this check without variants only'

/** What a lean audit does not make: everything that looks at the data rather than at the screen. */
const LEFT_OUT: readonly AuditCheck['name'][] = [
  ...(['start', 'idle', 'random', 'omitted_step', 'other_value', 'side_effects'] as const),
  ...(Object.keys(ADVERSARIES) as AdversaryName[]),
  'oracle',
  ...PACK_CHECKS.filter((name) => !SCREEN_CHECKS.includes(name)),
]

function adversaryCheck(
  scenario: Scenario,
  name: WeakOracle,
  found: AdversaryFinding | undefined,
  otherwise: string,
): AuditCheck {
  const { calls, request } = found ?? {}
  return {
    ...checkFinding(scenario, name, found?.message, otherwise),
    ...(calls && { calls }),
    ...(request && { request }),
  }
}

/** Plays programs until one of them is paid. */
async function findPaid(
  scenario: Scenario,
  programs: readonly AdversaryProgram[],
  by: string,
  onOutcome: OnOutcome | undefined,
): Promise<AdversaryFinding | undefined> {
  for (const program of programs) {
    const attempt = openAttempt(scenario, onOutcome)
    // A task that is solved at the start is the finding of another check.
    if (await isSolved(attempt)) return undefined
    for await (const _ of program(attempt))
      if (await isSolved(attempt)) {
        const calls = await shrinkCalls(scenario, attempt.calls)
        return { message: `the oracles pass by ${by}`, calls }
      }
  }
  return undefined
}

async function openTool(scenario: Scenario): Promise<AdversaryFinding | undefined> {
  const open = await findOpenHarnessTool(scenario)
  return open && { message: `the harness tool ${open.calls[0]!.tool} is not refused to agents`, calls: open.calls }
}

async function accessLeakOf(scenario: Scenario, secrets: AuditSecrets): Promise<AdversaryFinding | undefined> {
  const open = await findAccessLeak(scenario, secrets)
  return open && { message: open.message, request: open.request }
}

/** Remembers the first answer to an adversary that has a secret in it. */
class LeakWatch {
  readonly #answers: readonly string[]
  #found: { readonly secret: string; readonly message: string; readonly calls: readonly AdversaryCall[] } | undefined

  constructor({ answers }: AuditSecrets) {
    this.#answers = answers
  }

  readonly onOutcome: OnOutcome = (outcome, { calls }) => {
    if (this.#found) return
    const secret = secretIn(outcome.body, this.#answers)
    const last = calls.at(-1)
    if (secret === undefined || !last) return
    const kind = outcome.fault ? 'error' : 'answer'
    const message = `the ${kind} of ${last.tool} has ${JSON.stringify(secret)}, which the solution enters and no screen shows before`
    this.#found = { secret, message, calls: [...calls] }
  }

  /** The finding with the calls that it needs. */
  async finding(scenario: Scenario): Promise<AdversaryFinding | undefined> {
    if (!this.#found) return undefined
    const { secret, message, calls } = this.#found
    const isShown: Parameters<typeof shrinkToAnswer>[2] = ({ body }) => secretIn(body, [secret]) !== undefined
    return { message, calls: await shrinkToAnswer(scenario, calls, isShown) }
  }
}

function knowledgeOf(scenario: Scenario, recorded: readonly RecordedSolution[]): AdversaryKnowledge {
  const acting = recorded
    .map(({ calls }) => calls.filter(isAction))
    .reduce<RecordedSolution['calls'] | undefined>(
      (shortest, calls) => (shortest && shortest.length <= calls.length ? shortest : calls),
      undefined,
    )
  const values = recorded.flatMap(({ calls }) =>
    calls.flatMap(({ args }) => [args.text, args.value].filter((value) => typeof value === 'string')),
  )
  const taskValues = [...new Set(values)].filter((value) => value !== '' && isNamed(scenario.task, value))
  return { acting: acting ?? [], taskValues }
}

/** `wait` takes at most a minute. */
const MAX_WAIT_MS = 60_000
const IDLE_MS = [0, 1000, 5000, 30_000, MAX_WAIT_MS, 300_000, 600_000]
/** The seeds of the random agents of `backlot test`. */
const MAX_RANDOM_SEED = 20

/** The calls that show what a check of `backlot test` has found. Undefined where its message describes the change. */
async function evidenceOf(
  name: Check['name'],
  scenario: Scenario,
  recorded: readonly RecordedSolution[],
): Promise<readonly AdversaryCall[] | undefined> {
  if (name === 'start') return []
  if (name === 'idle') return waitsOf(await idleMsOf(scenario))
  if (name === 'random') return randomCalls(scenario)
  if (name === 'omitted_step') return shortestSolution(scenario, recorded)
  return undefined
}

/** The first of the durations that solves the scenario; undefined without one. */
export async function idleMsOf(scenario: Scenario): Promise<number | undefined> {
  for (const ms of IDLE_MS) if ((await findIdle(scenario, ms)) !== undefined) return ms
  return undefined
}

const waitsOf = (ms: number | undefined): readonly AdversaryCall[] | undefined =>
  ms === undefined
    ? undefined
    : Array.from({ length: Math.ceil(ms / MAX_WAIT_MS) }, () => ({
        tool: 'wait',
        args: { duration_ms: Math.min(ms, MAX_WAIT_MS) },
      }))

async function randomCalls(scenario: Scenario): Promise<readonly AdversaryCall[] | undefined> {
  for (let seed = 1; seed <= MAX_RANDOM_SEED; seed++) {
    const attempt = openAttempt(scenario)
    let random = split(seededRandom(seed), 'random agent')
    for (let step = 0; step < RANDOM_STEPS; step++) {
      const [tool, args, next] = randomAction(attempt.desktop.computer, random)
      random = next
      await attempt.call(tool, args)
    }
    if (await isSolved(attempt)) return shrinkCalls(scenario, attempt.calls)
  }
  return undefined
}

/** The calls of the first solution without those that it does not need. */
async function shortestSolution(
  scenario: Scenario,
  [first]: readonly RecordedSolution[],
): Promise<readonly AdversaryCall[] | undefined> {
  if (!first) return undefined
  const calls = first.calls.map(({ tool, args }) => ({ tool, args }))
  const shrunk = await shrinkCalls(scenario, calls)
  return shrunk.length < calls.length ? shrunk : undefined
}
