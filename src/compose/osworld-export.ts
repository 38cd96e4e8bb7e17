import { createHash } from 'node:crypto'
import { type IdSource, seededIds, systemIds } from '../base/ids.ts'
import { seededRandom } from '../base/random.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { withVariant } from '../scenario/seeds.ts'
import type { VariantChoices } from '../scenario/variants/axis.ts'
import { memorySession } from './memory-session.ts'
import { loadScenario } from './preview.ts'
import { type ProofOptions, plannedRuns } from './variants.ts'

const SECRET_DIGITS = 32

/** The source of the secrets of tasks: the system, or a seed for tests. */
export const secretSource = (seed?: number): IdSource =>
  seed === undefined ? systemIds : seededIds(seededRandom(seed))

/** The seeds and variants in which a scenario is exported, and the source of secrets. */
export interface OsworldExportOptions extends Pick<ProofOptions, 'seeds' | 'variants' | 'variant'> {
  readonly secrets: IdSource
}

/**
 * The tasks of a scenario, or why it has none.
 * @param file A path, or a name in the gallery, which the server must know as well.
 * @throws A `Fault` `ScenarioInvalid` for a file that cannot be used.
 */
export async function osworldTasks(
  file: string,
  { secrets, ...options }: OsworldExportOptions,
): Promise<{ readonly tasks: readonly OsworldTask[] } | { readonly leftOut: string }> {
  const scenario = await loadScenario(file)
  const leftOut = whyLeftOut(scenario)
  if (leftOut !== undefined) return { leftOut }
  const tasks: OsworldTask[] = []
  for (const { seed, variant } of plannedRuns(scenario, options)) {
    const varied = withVariant(scenario, variant, seed)
    const instruction = varied.task?.trim() ?? ''
    const secret = secrets.hex(SECRET_DIGITS)
    tasks.push(
      osworldTask({ scenario: file, seed, variant, instruction, isInfeasible: isInfeasible(varied, seed), secret }),
    )
  }
  return { tasks }
}

function whyLeftOut({ task, oracles }: Scenario): string | undefined {
  if (task === undefined || task.trim() === '') return 'it has no task'
  if (oracles.success.length === 0 && !oracles.infeasible) return 'it has no oracles of success'
  if (needsAnswer(oracles.success)) return 'its oracles need an answer in words, which OSWorld does not pass on'
  return undefined
}

/** Whether an oracle, or one inside of it, is about the answer of the agent. */
function needsAnswer(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(needsAnswer)
  if (typeof part !== 'object' || part === null) return false
  return (part as { readonly kind?: unknown }).kind === 'answer' || Object.values(part).some(needsAnswer)
}

/** Whether the task is impossible with the values of the start. */
function isInfeasible(scenario: Scenario, seed: number): boolean {
  const { infeasible } = scenario.oracles
  if (!infeasible) return false
  if (typeof infeasible.when === 'boolean') return infeasible.when
  const { session } = memorySession(scenario, { seed })
  return session.context.redaction.storage.heldAtStart?.(infeasible.when) === true
}

/** The folder of the tasks in OSWorld, and their group in its index. */
export const OSWORLD_DOMAIN = 'backlot'

/** A scenario in one seed and variant, as a task. */
export interface ExportedScenario {
  /** The name or path by which the server loads the scenario. */
  readonly scenario: string
  readonly seed: number
  readonly variant: VariantChoices
  readonly instruction: string
  /** Whether the task is impossible with this seed. */
  readonly isInfeasible: boolean
  /** Known to the task and the server only, so that agents cannot ask for the score. */
  readonly secret: string
}

/** A task as OSWorld's runner reads it. */
export interface OsworldTask {
  readonly id: string
  readonly snapshot: string
  readonly instruction: string
  readonly source: string
  readonly config: readonly {
    readonly type: 'execute'
    readonly parameters: { readonly command: readonly string[] }
  }[]
  readonly trajectory: string
  readonly related_apps: readonly string[]
  readonly evaluator: Readonly<Record<string, unknown>>
  readonly proxy: boolean
  readonly fixed_ip: boolean
  readonly possibility_of_env_change: 'low'
}

/** The output of `backlot score` for a task that is done. */
const FULL_SCORE = '1.0'

function osworldTask(exported: ExportedScenario): OsworldTask {
  const { scenario, seed, variant, instruction, isInfeasible, secret } = exported
  const axes = Object.entries(variant).flatMap(([axis, value]) => ['--variant', `${axis}=${value}`])
  const select = ['backlot', 'select', '--scenario', scenario, '--seed', String(seed), ...axes, '--secret', secret]
  const score = {
    func: 'exact_match',
    result: { type: 'vm_command_line', command: ['backlot', 'score', '--secret', secret] },
    expected: { type: 'rule', rules: { expected: FULL_SCORE } },
  }
  return {
    id: idOf(exported),
    snapshot: OSWORLD_DOMAIN,
    instruction,
    source: OSWORLD_DOMAIN,
    config: [{ type: 'execute', parameters: { command: select } }],
    trajectory: 'trajectories/',
    related_apps: [OSWORLD_DOMAIN],
    evaluator: isInfeasible ? { func: 'infeasible', result: {}, expected: {} } : score,
    proxy: false,
    fixed_ip: false,
    possibility_of_env_change: 'low',
  }
}

/** The namespace of the ids: a UUID that stands for tasks of Backlot. */
const NAMESPACE = Buffer.from('6f0b1f0e8a544c0c9d0f2a6f1f3f7c55', 'hex')

/** A UUID of version 5 (RFC 9562, 5.5) from what makes the task. */
function idOf({ scenario, seed, variant }: ExportedScenario): string {
  const name = JSON.stringify([scenario, seed, Object.entries(variant).sort()])
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
