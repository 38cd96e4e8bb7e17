import { describePlace } from '../../../scenario/solution.ts'
import type { ReplaceCall } from '../../play-solution.ts'
import { differenceOf } from './content.ts'
import { endOf, isAction, type RecordedSolution } from './recording.ts'

/** Of longer solutions, this many steps are left out, at equal distances. */
const MAX_OMITTED = 60

/**
 * Finds a step without which the solution still passes, although the run ends differently: the oracles do not look at what
 * the step does.
 */
export async function findOmittedStep({
  scenario,
  solution,
  calls,
  end,
}: RecordedSolution): Promise<string | undefined> {
  const actions = calls.flatMap((call, index) => (isAction(call) ? [index] : []))
  const every = Math.max(1, Math.ceil(actions.length / MAX_OMITTED))
  for (const omitted of actions.filter((_, position) => position % every === 0)) {
    const replace: ReplaceCall = (call, index) => (index === omitted ? undefined : call)
    const without = await endOf(scenario, solution, () => replace)
    const difference = without.passed ? differenceOf(end.content, without.content) : undefined
    if (difference === undefined) continue
    const { tool, place } = calls[omitted]!
    return `the oracles pass without ${describePlace(place)} (${tool}), although the run then ends differently: ${difference}`
  }
  return undefined
}
