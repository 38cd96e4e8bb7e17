import type { ReportProblem } from '../load/problem.ts'
import type { WrittenScenario } from '../schema/scenario.ts'
import { AXES } from '../variants/axes.ts'

/** Reports axes of variants that do not exist. */
export function checkInvariant({ invariant = {} }: WrittenScenario, report: ReportProblem): void {
  const names = AXES.map(({ name }) => name)
  for (const name of Object.keys(invariant))
    if (!names.includes(name))
      report(
        ['invariant', name],
        (hint) =>
          `there is no axis ${JSON.stringify(name)}${hint(name, names) || `; the axes are ${names.join(', ')}`}`,
        true,
      )
}
