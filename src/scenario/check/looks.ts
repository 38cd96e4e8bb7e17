import { isDataPoint } from '../../desktop/model/chart.ts'
import { kindOf } from '../../desktop/model/role.ts'
import type { ReportProblem } from '../load/problem.ts'
import type { KeyPath } from '../load/source.ts'
import type { WrittenElement } from '../schema/element.ts'
import type { WrittenScenario } from '../schema/scenario.ts'
import { forEachElement } from '../schema/visit.ts'

/** Reports looks that the role of an element does not have. */
export function checkLooks(scenario: WrittenScenario, complain: ReportProblem): void {
  forEachElement(scenario, (element, path) => {
    const { role = '', name, rich, chart } = element
    if (chart !== undefined) checkChart(element, path, complain)
    if (rich === undefined) return
    if (kindOf(role) !== 'text' || role.toLowerCase() === 'heading')
      complain([...path, 'rich'], `only a Text has formatted text, and this is a ${role || 'Unknown'}`, true)
    if (name !== undefined) complain([...path, 'name'], 'rich gives the text its name; leave one of them out', true)
  })
}

function checkChart(
  { role = '', chart, src, children = [] }: WrittenElement,
  path: KeyPath,
  complain: ReportProblem,
): void {
  if (kindOf(role) !== 'image')
    complain([...path, 'chart'], `only an Image or a Chart draws a chart, and this is a ${role || 'Unknown'}`, true)
  if (src !== undefined) complain([...path, 'src'], 'chart draws the picture; leave one of them out', true)
  children.forEach((point, index) => {
    const here = [...path, 'children', index]
    if (!isDataPoint(point.role ?? ''))
      complain([...here, 'role'], `the children of a chart are its values; expected the role DataPoint`)
    if (point.value_now === undefined) complain(here, 'expected value_now, the number that the chart draws')
    else if (chart === 'pie' && point.value_now < 0)
      complain([...here, 'value_now'], 'expected a number that is not negative in a pie')
  })
}
