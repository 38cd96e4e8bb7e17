import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PLAYS_ALL, shareOf } from '../../../.ci/share.ts'
import {
  BOARD,
  dataEdits,
  edits,
  playDataEdits,
  playEdits,
  screenOf,
} from '../../../test/support/scenario/live-edits.ts'
import { begin, click } from '../../../test/support/scenario/player.ts'
import { countNodes } from '../../desktop/model/element.ts'
import { checkFaults, FAULT_CATALOGUE } from '../faults/catalogue.ts'
import { parseScenario } from '../load/load.ts'
import { withInstances } from '../run/show-data.ts'
import { entriesOf, type ScenarioRun } from '../scenario-run.ts'

describe('elements that follow the data, in ten thousand edits, or a thousand in a share', () => {
  it('[CMP1] are after each edit what they are when made from the start', () => {
    expect.hasAssertions()
    fc.assert(
      fc.property(edits(50), (each) => playEdits(BOARD, each)),
      { numRuns: PLAYS_ALL ? 200 : 20, seed: 2 },
    )
  }, 600_000)
})

const guide = readFileSync(new URL('../../../docs/scenarios.md', import.meta.url), 'utf8')
const EXAMPLES = [
  'chat',
  'cart',
  'board',
  'planner',
  'week',
  'people',
  'thread',
  'notes',
  'drafts',
  'products',
  'mails',
].map((name) => {
  const [, yaml = ''] = new RegExp(`\`\`\`yaml\\n(name: ${name}\\n.*?)\`\`\``, 's').exec(guide) ?? []
  return [name, parseScenario(yaml)] as const
})

describe('the examples of the guide, in ten thousand edits each, or few in a share', () => {
  it.each(shareOf(EXAMPLES))(
    '[CMP1] show after each edit what is made from the start: %s',
    (_, scenario) => {
      expect.hasAssertions()
      fc.assert(
        fc.property(dataEdits(50), (each) => {
          playDataEdits(scenario, each)
        }),
        { numRuns: PLAYS_ALL ? 200 : 3, seed: 3 },
      )
    },
    3_600_000,
  )

  it.each(shareOf(EXAMPLES))(
    '[CMP1] show the same when the edits are made again: %s',
    (_, scenario) => {
      const [each] = fc.sample(dataEdits(100), { numRuns: 1, seed: 4 })
      const [once, again] = [playDataEdits(scenario, each!), playDataEdits(scenario, each!)]
      expect(screenOf(again)).toEqual(screenOf(once))
    },
    120_000,
  )
})

describe('[CMP1] the examples of the guide, with each fault', () => {
  it.each(shareOf(FAULT_CATALOGUE.map(({ id }) => id)))(
    'show what is made from the start: %s',
    (id) => {
      expect.hasAssertions()
      const [each] = fc.sample(dataEdits(20), { numRuns: 1, seed: 5 })
      for (const [, scenario] of EXAMPLES) playDataEdits(scenario, each!, checkFaults([id]))
    },
    300_000,
  )
})

describe('[CMP11] elements that follow the data without end', () => {
  const screen = (children: string, more = '') =>
    `vars: {many: 200, few: 4}
states: {open: {windows: [{uid: app, tree: {id: top, role: Window, name: App, children: [${children}]}}]}}
${more}`
  const nested = (inside: string) =>
    `{repeat: many, as: a, id: a, role: Pane, name: '', children: [{repeat: many, as: b, id: b, role: Text, name: '', ${inside}}]}`
  const count = (run: ScenarioRun) => countNodes(run.desktop.windows[0]!.tree)
  const problem = (run: ScenarioRun) => entriesOf(run.log).at(-1)?.fields?.reason
  const full = 'repeat: 10000 elements follow the data in the window app; no more are shown'

  it.each([
    ['a list in each item of a list', screen(nested('')), 1, full],
    [
      'a component that shows itself for each item',
      screen(
        '{use: tree}',
        "components: {tree: {element: {role: Pane, name: '', children: [{repeat: few, as: n, id: n, role: Pane, name: '', children: [{use: tree}]}]}}}",
      ),
      2,
      full,
    ],
  ])('are cut: %s', (_, yaml, others, why) => {
    const run = begin(yaml)
    expect([count(run), problem(run)]).toEqual([10_000 + others, why])
  })

  it('are not asked for without end when none is shown', () => {
    const run = begin(
      screen(nested(`children: [{repeat: many, as: c, id: c, role: Text, name: '', if: a + b + c < 0}]`)),
    )
    expect(problem(run)).toBe('repeat: conditions of 100000 elements were asked in the window app; no more are shown')
  })

  it('are shown again when there is room', () => {
    const above =
      "{repeat: some, as: x, id: x, role: Pane, name: '', children: [{repeat: many, as: y, id: y, role: Text, name: ''}]}"
    const run = begin(
      screen(
        `{id: none, role: Button, name: None}, ${above}, ${nested('')}`,
        'reactions: [{on: {tool: click_element, target_id: none}, set: [{var: some, to: 0}]}]',
      ).replace('few: 4', 'some: 30'),
    )
    const none = click(run, 'none')
    expect([count(run), count(none)]).toEqual([10_002, 10_002])
    expect(screenOf(withInstances(none.scenario.program!, none, none, () => true, true))).toEqual(screenOf(none))
  })
})
