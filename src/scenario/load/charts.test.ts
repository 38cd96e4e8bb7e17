import { describe, expect, it } from 'vitest'
import { appScenario, refusalOf } from '../../../test/support/scenario/problems.ts'
import { nodeById } from '../../desktop/model/element.ts'
import { BACKLOT_METRICS } from '../../desktop/style/backlot.ts'
import { layOutWindow } from '../layout/layout.ts'
import { startScenario, stepScenario } from '../run/step.ts'
import { parseScenario } from './load.ts'

// Rules such as [SC32] are stated in SPEC.md of the folder above.

const scenario = appScenario(500, 400)

const chart = (...points: string[]) =>
  `{id: chart, role: Chart, name: Sales, chart: bar, children: [${points.join(', ')}]}`
const FIRST = '{id: first, role: DataPoint, name: First, value_now: 10}'

describe('charts of a scenario', () => {
  it('[SC32] have an element for each value, where it is drawn', () => {
    const window = parseScenario(
      scenario(chart(FIRST, FIRST.replaceAll('first', 'second').replace('10', '5'))),
    ).states.get('only')!.windows[0]!
    const [first, second] = ['first', 'second'].map((id) => nodeById(window.tree, id)!.bounds)
    expect(first!.y + first!.height).toBe(second!.y + second!.height)
    expect(Math.abs(first!.height - 2 * second!.height)).toBeLessThanOrEqual(1)
    expect(layOutWindow(window, BACKLOT_METRICS)).toBe(window)
  })

  it('[SC32] follow the data', () => {
    const live = chart(FIRST, '{id: live, role: DataPoint, name: Live, value_now: "{{ count * 2 }}"}')
    const more = 'vars: {count: 5}\nreactions: [{on: {tool: press_key, text_regex: F1}, set: [{var: count, to: 10}]}]'
    const run = startScenario(parseScenario(scenario(live, more)), { atMs: 0 })
    const heights = (at: typeof run) =>
      ['first', 'live'].map((id) => nodeById(at.desktop.windows[0]!.tree, id)!.bounds.height)
    const [before, equal] = heights(run)
    expect(before).toBe(equal)
    const after = stepScenario(run, { type: 'action', action: { type: 'key', keys: 'F1' } }).run
    const [first, twice] = heights(after)
    expect(Math.abs(twice! - 2 * first!)).toBeLessThanOrEqual(1)
  })

  it('[SC45] with other children, without numbers or on other roles are errors', () => {
    expect(refusalOf(scenario(chart('{role: Text, name: a, value_now: 1}')))).toContain('expected the role DataPoint')
    expect(refusalOf(scenario(chart('{role: DataPoint, name: a}')))).toContain('expected value_now')
    const pie = chart('{role: DataPoint, name: a, value_now: -1}').replace('bar', 'pie')
    expect(refusalOf(scenario(pie))).toContain('not negative in a pie')
    expect(refusalOf(scenario('{role: Button, name: a, chart: bar}'))).toContain(
      'only an Image or a Chart draws a chart',
    )
  })
})
