import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSyntheticComputer, type SyntheticComputer } from '../../src/adapters/synthetic/synthetic.ts'
import { virtualClock } from '../../src/base/clock.ts'
import { Fault } from '../../src/base/fault.ts'
import { hitTest } from '../../src/desktop/hit.ts'
import type { Desktop, Window } from '../../src/desktop/model/desktop.ts'
import { type Element, walk } from '../../src/desktop/model/element.ts'
import { contains, type Point } from '../../src/desktop/model/geometry.ts'
import { applyTreeChanges, diffTrees } from '../../src/desktop/tree/diff.ts'
import { treeHash } from '../../src/desktop/tree/hash.ts'
import { createSubtreePredicates } from '../../src/desktop/tree/visibility.ts'
import { shownBounds } from '../../src/desktop/visible-bounds.ts'
import { withoutUndefined } from '../../src/scenario/build-window.ts'
import { parseScenario } from '../../src/scenario/load/load.ts'
import type { Scenario } from '../../src/scenario/scenario.ts'
import { anyAction, everything, point } from '../support/desktop/anything.ts'

/** Two states with every control, a reaction to one of them, and timers that alternate between the states. */
function everyControl(): Scenario {
  const { windows, monitors, files } = everything()
  const story = parseScenario(
    [
      'states: {here: ~, there: ~}',
      'timers:',
      '  - {in: here, after_ms: {between: [900, 4000]}, transition_to: there}',
      '  - {in: there, after_ms: 700, transition_to: here}',
    ].join('\n'),
  )
  const renamed = windows.map((window) => ({ ...window, title: `${window.title} (there)` }))
  return {
    ...story,
    monitors,
    files,
    states: new Map([
      ['here', { windows, optional: [], positions: new Map() }],
      ['there', { windows: renamed, optional: [], positions: new Map() }],
    ]),
    reactions: [
      { on: { tool: 'click_element', target_id: 'ok' }, set: [{ id: 'name', value: 'pressed' }] },
      { on: { tool: 'click_element', target_id: 'ask' }, set: [{ id: 'sure', hidden: false }] },
    ],
  }
}

/** `expect` is slower than a step, so it is called only to report a failure. */
function demandSame(actual: string, expected: string | undefined): void {
  if (actual !== expected) expect(actual).toBe(expected)
}

/** An action, a lapse of time, or a rewind to an earlier step. */
const anything = () =>
  fc.oneof(
    { weight: 30, arbitrary: anyAction().map((make) => ({ do: make }) as const) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 3000 }).map((ms) => ({ wait: ms }) as const) },
    { weight: 1, arbitrary: fc.nat().map((back) => ({ back }) as const) },
  )

const markOf = (computer: SyntheticComputer): string =>
  computer.desktop.windows.map(({ uid, tree }) => `${uid} ${treeHash(tree)}`).join('\n')

/** The hash as documented, computed from the tree alone. */
function hashAnew(tree: Element): string {
  const sha = createHash('sha1')
  for (const { role, name, value, bounds, enabled, children } of walk(tree)) {
    const { x, y, width, height } = bounds
    for (const field of [role, name, value ?? '', `${x},${y},${width},${height}`, enabled ? 'E' : 'D', children.length])
      sha.update(`${field}\0`)
  }
  return `sha1:${sha.digest('hex')}`
}

const holdsFocus = createSubtreePredicates()('any', ({ focused }) => focused)

const focusedIn = (on: Desktop): readonly string[] =>
  on.windows.flatMap(({ uid, tree }) => focusedBelow(tree).map(({ id }) => `${uid} ${id}`))

const focusedBelow = (node: Element): readonly Element[] =>
  holdsFocus(node) ? [...(node.focused ? [node] : []), ...node.children.flatMap(focusedBelow)] : []

/** New parts must be plain data in whole pixels. The rest was checked before. */
function demandPlain(on: Desktop, seen: WeakSet<object>): void {
  for (const window of on.windows) {
    const waiting: Element[] = [window.tree]
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      if (seen.has(node)) continue
      seen.add(node)
      const { children, ...fields } = node
      const own = withoutUndefined(fields)
      const { x, y, width, height } = node.bounds
      if (![x, y, width, height].every(Number.isInteger)) expect(node.bounds).toBe('whole pixels')
      if (!isDeepStrictEqual(JSON.parse(JSON.stringify(own)), own))
        expect(JSON.parse(JSON.stringify(own))).toStrictEqual(own)
      waiting.push(...children)
    }
  }
}

/** The element that is hit at a point is visible there, within its clipping containers. */
function demandSeen(on: Desktop, at: Point): void {
  const hit = hitTest(on, at)
  if (!hit || !('element' in hit) || hit.path.length === 0) return
  const shown = shownBounds(hit.window.tree, hit.path)
  if (!shown || !contains(shown, at)) expect(shown).toEqual(at)
}

function demandDiffs(before: readonly Window[], after: readonly Window[]): void {
  for (const { uid, tree } of after) {
    const old = before.find((window) => window.uid === uid)?.tree
    if (!old || old === tree) continue
    const rebuilt = applyTreeChanges(old, diffTrees(old, tree))
    const left = diffTrees(rebuilt, tree)
    if (left.length > 0) expect(left).toEqual([])
  }
}

it('[DT54] 200 runs of 200 steps on every control: valid, correctly hashed, compared and rewound', () => {
  const scenario = everyControl()
  fc.assert(
    fc.property(
      fc.array(anything(), { minLength: 200, maxLength: 200 }),
      fc.array(point(), { minLength: 200, maxLength: 200 }),
      (doings, points) => {
        const clock = virtualClock()
        const computer = createSyntheticComputer({ scenario, clock })
        const marks = [markOf(computer)]
        const seen = new WeakSet<object>()
        doings.forEach((doing, turn) => {
          const before = computer.desktop
          const mark = markOf(computer)
          if ('do' in doing) {
            try {
              computer.perform(doing.do(before))
              marks[computer.stepCount] = markOf(computer)
            } catch (error) {
              expect(error).toBeInstanceOf(Fault)
              expect([markOf(computer), computer.desktop]).toEqual([mark, before])
            }
          } else if ('wait' in doing) clock.advance(doing.wait)
          else {
            const step = doing.back % (computer.stepCount + 1)
            computer.rewind(step)
            demandSame(markOf(computer), marks[step])
          }
          const now = computer.desktop
          const active = now.windows.find(({ uid }) => uid === now.active)
          demandSame(focusedIn(now).join(), active?.focus === undefined ? '' : `${active.uid} ${active.focus}`)
          demandPlain(now, seen)
          demandDiffs(before.windows, now.windows)
          demandSeen(now, points[turn]!)
          if (turn % 20 === 0) for (const { tree } of now.windows) demandSame(treeHash(tree), hashAnew(tree))
        })
        expect(JSON.parse(JSON.stringify(computer.desktop))).toEqual(computer.desktop)
      },
    ),
    { numRuns: 200 },
  )
}, 120_000)
