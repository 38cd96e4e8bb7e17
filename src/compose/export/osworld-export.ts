import { type IdSource, seededIds, systemIds } from '../../base/ids.ts'
import { seededRandom } from '../../base/random.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { withVariant } from '../../scenario/seeds.ts'
import { memorySession } from '../memory-session.ts'
import { loadScenario } from '../preview.ts'
import { type ProofOptions, plannedRuns } from '../variants.ts'
import { type OsworldTask, osworldTask } from './osworld-task.ts'

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
