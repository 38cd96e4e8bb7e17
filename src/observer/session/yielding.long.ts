import { expect, it } from 'vitest'
import { openDesktop } from '../../testing.ts'
import { advanceTime } from '../desktop-context.ts'

// Rules such as [OB279] are stated in src/observer/SPEC.md.

const FORM = `
states:
  only:
    windows:
      - uid: mock:app
        title: App
        bounds: {x: 0, y: 0, width: 400, height: 300}
        tree: {role: Window, name: App, children: [{id: name, role: Edit, name: Name, value: ""}]}
`

/** A pattern that takes some milliseconds to compile, a different one for each number. */
const heavy = (number: number): string => `${'(?:.{0,990}x)'.repeat(4)}${number}`

/** How often other work runs until a call has completed. */
async function turnsDuring(answer: Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await answer
  isOver = true
  return turns
}

it('[OB279] yields between the predicates of a long list', async () => {
  const desk = openDesktop({ scenario: FORM })
  const predicate = Array.from({ length: 12 }, (_, number) => ({ kind: 'text_visible', regex: heavy(number) }))
  expect(await turnsDuring(desk.tryCall('assert_state', { predicate }))).toBeGreaterThan(3)
})

it('[OB279] yields between the conditions of a wait, and between its polls', async () => {
  const desk = openDesktop({ scenario: FORM })
  const any_of = Array.from({ length: 50 }, (_, number) => ({ type: 'text_visible', regex: heavy(100 + number) }))
  expect(await turnsDuring(desk.tryCall('wait_for' as string, { any_of, timeout_ms: 0 }))).toBeGreaterThan(3)
})

it('[OB279] fails a pattern that is too expensive for a text, and explains why', async () => {
  const desk = openDesktop({ scenario: FORM })
  await desk.call('set_value', { selector: 'Edit', value: 'ab'.repeat(50_000) })
  const { results } = await desk.call('assert_state', {
    predicate: [{ kind: 'text_visible', regex: '(?:[ab]?){500}[ab]{500}[cd]', mode: 'tree' }],
  })
  expect(results).toEqual([
    expect.objectContaining({ passed: false, observed: expect.stringContaining('BadRequest: a pattern of') }),
  ])
})

it('[OB280] returns the beginning of a long value in the result', async () => {
  const desk = openDesktop({ scenario: FORM })
  await desk.call('set_value', { selector: 'Edit', value: 'é'.repeat(20_000) })
  const { results } = await desk.call('assert_state', {
    predicate: [{ kind: 'value_equals', selector: 'Edit', expected: '' }],
  })
  expect(results).toEqual([expect.objectContaining({ observed: { actual: `${'é'.repeat(10_000)}…` } })])
})

/** Two states with transitions to each other. */
const DENSE = `
initial_state: a
states:
  a: {windows: [{uid: w, title: W, bounds: {x: 0, y: 0, width: 200, height: 100}, tree: {role: Window, name: A}}]}
  b: {windows: [{uid: w, title: W, bounds: {x: 0, y: 0, width: 200, height: 100}, tree: {role: Window, name: B}}]}
timers:
  - {in: a, after_ms: 1, transition_to: b}
  - {in: b, after_ms: 1, transition_to: a}
`

it('[OB281] yields between timers while time advances', async () => {
  const desk = openDesktop({ scenario: DENSE })
  const advance = desk.call('session_advance', { ms: 60_001 })
  expect(await turnsDuring(advance)).toBeGreaterThan(2)
  expect(await advance).toMatchObject({ now_ms: 60_001, state: 'b' })
  const wait = { any_of: [{ type: 'text_visible', regex: 'C' }], timeout_ms: 60_000, poll_ms: 60_000 }
  expect(await turnsDuring(desk.tryCall('wait_for' as string, wait))).toBeGreaterThan(2)
})

it('[OB282] stops time after too many timers, and continues from there', async () => {
  const desk = openDesktop({ scenario: DENSE })
  expect(await advanceTime(desk.session.context, 300, 200)).toBe(false)
  expect(await desk.call('session_advance', { ms: 100 })).toMatchObject({ now_ms: 300, state: 'a' })
})
