import { kindOf } from '../../desktop/model/role.ts'
import type { ReportProblem } from '../load/problem.ts'
import type { WrittenScenario } from '../schema/scenario.ts'
import { forEachElement } from '../schema/visit.ts'

/** Reports looks that the role of an element does not have. */
export function checkLooks(scenario: WrittenScenario, complain: ReportProblem): void {
  forEachElement(scenario, ({ role = '', name, rich }, path) => {
    if (rich === undefined) return
    if (kindOf(role) !== 'text' || role.toLowerCase() === 'heading')
      complain([...path, 'rich'], `only a Text has formatted text, and this is a ${role || 'Unknown'}`, true)
    if (name !== undefined) complain([...path, 'name'], 'rich gives the text its name; leave one of them out', true)
  })
}
