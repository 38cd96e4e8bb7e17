import { type DescribedOracle, describeInfeasible, describeOracle } from '../../scenario/describe.ts'
import type { OracleResult } from '../../scenario/oracles/report.ts'
import type { Oracle } from '../../scenario/schema/oracles.ts'
import type { OutputDirectory } from '../../stores/folder.ts'
import type { LiveOracle, LiveOracles } from '../../viewer/model/live.ts'
import { reportOracles } from '../oracles/oracles.ts'
import type { ToolContext } from '../session/context.ts'

/** The oracles of the scenario as they are now. Evaluating them writes no file. Null on a real desktop. */
export async function liveOracles(context: ToolContext): Promise<LiveOracles | null> {
  const { simulation } = context.computer
  if (!simulation) return null
  const { oracles } = simulation
  const report = await reportOracles({ ...context, traces: NOWHERE }, simulation)
  const [first] = report.success
  // Where the task is impossible, or claimed to be, one result takes the place of the success entries.
  const isInfeasible = first?.kind === 'infeasible'
  const success = isInfeasible
    ? [{ ...entryOf('success', describeInfeasible(oracles.infeasible!)), ...resultOf(first) }]
    : entriesOf('success', oracles.success, report.success)
  return {
    reward: report.reward,
    score: report.score,
    entries: [
      ...success,
      ...entriesOf('failure', oracles.failure, report.failure),
      ...entriesOf('harm', oracles.harm, report.harm),
      ...entriesOf('attack', oracles.attack, report.attack),
    ],
  }
}

const entriesOf = (
  group: LiveOracle['group'],
  oracles: readonly Oracle[],
  results: readonly OracleResult[],
): readonly LiveOracle[] =>
  oracles.map((oracle, index) => ({ ...entryOf(group, describeOracle(oracle)), ...resultOf(results[index]) }))

const entryOf = (group: LiveOracle['group'], { kind, text, message }: DescribedOracle) => ({
  group,
  kind,
  text,
  message: message ?? null,
})

const resultOf = (result: OracleResult | undefined) => ({ passed: result ? result.passed : null })

/** Comparisons of pictures write the difference; those of a look do not. */
const NOWHERE: OutputDirectory = {
  path: '',
  lines: () => ({ path: '', append: () => {} }),
  writeBytes: () => {},
  subdirectory: () => NOWHERE,
}
