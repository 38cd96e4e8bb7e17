import { describe, expect, it } from 'vitest'
import { computerSuite } from '../../../test/support/adapters/computer.suite.ts'
import { FORM_SCENARIO } from '../../../test/support/adapters/form-scenario.ts'
import { virtualClock } from '../../base/clock.ts'
import { Fault } from '../../base/fault.ts'
import { nodeById } from '../../desktop/model/element.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import { parseScenario } from '../../scenario/load/load.ts'
import { HistoryBudget } from './step-history.ts'
import { createSyntheticComputer, type SyntheticComputer } from './synthetic.ts'

computerSuite('a synthetic computer', async () => {
  const computer = createSyntheticComputer({ scenario: parseScenario(FORM_SCENARIO), clock: virtualClock() })
  return { computer, until: async (read) => read(), close: async () => computer.close() }
})

const TIMED = `
states:
  before: {windows: [{uid: w, tree: {children: [{id: f, role: Edit, value: ""}]}}]}
  after: {windows: [{uid: w, title: After}]}
timers: [{in: before, after_ms: 1000, transition_to: after}]
`

const hash = (computer: SyntheticComputer): string => treeHash(computer.desktop.windows[0]!.tree)

const write = (computer: SyntheticComputer, text: string) =>
  computer.perform({
    type: 'set_value',
    value: text,
    clearFirst: true,
    at: { x: 1, y: 1 },
    target: { window: 'w', element: 'f' },
  })

describe('a synthetic computer', () => {
  it('applies elapsed time to each reading', () => {
    const clock = virtualClock(0)
    const computer = createSyntheticComputer({ scenario: parseScenario(TIMED), clock })
    clock.advance(999)
    expect(computer.state).toBe('before')
    clock.advance(1)
    expect(computer.windows()[0]!.title).toBe('After')
  })

  it('neither lists nor captures minimised windows', async () => {
    const computer = createSyntheticComputer({ scenario: parseScenario(FORM_SCENARIO), clock: virtualClock() })
    computer.perform({ type: 'window', window: 'form', to: 'minimize' })
    expect(computer.windows().map(({ uid, focused }) => [uid, focused])).toEqual([['other', true]])
    expect(computer.tree('form')).toBeUndefined()
    await expect(computer.screenshot({ window: 'form' })).rejects.toThrow(Fault)
  })

  it('rewinds to any step, including its clock', () => {
    const clock = virtualClock(0)
    const computer = createSyntheticComputer({ scenario: parseScenario(TIMED), clock })
    const hashes = [hash(computer)]
    for (const text of ['one', 'two', 'three']) {
      clock.advance(300)
      write(computer, text)
      hashes.push(hash(computer))
    }
    clock.advance(300)
    expect(computer.state).toBe('after')
    for (const number of [3, 1, 0]) {
      computer.rewind(number)
      expect([hash(computer), computer.steps.length, computer.state]).toEqual([hashes[number], number, 'before'])
    }
    clock.advance(999)
    expect(computer.state).toBe('before')
    clock.advance(1)
    expect(computer.state).toBe('after')
  })

  it('replays steps whose runs were not kept, with their times and planned faults', () => {
    const clock = virtualClock(0)
    const scenario = parseScenario(
      `${TIMED}faults:\n  - {on: {tool: get_screenshot}, skip: 4, times: 3, code: Timeout}\n`,
    )
    const computer = createSyntheticComputer({ scenario, clock })
    const runs = [computer.run]
    for (let number = 1; number <= 11; number++) {
      clock.advance(170)
      computer.countToolCall('get_screenshot')
      if (number % 2 === 1) computer.perform({ type: 'hover', at: { x: number, y: 5 }, forMs: 0 })
      else computer.perform({ type: 'key', keys: 'tab' })
      runs.push(computer.run)
    }
    for (const [number, run] of runs.entries()) expect(computer.fork({ atStep: number }).run).toEqual(run)
  })

  it('is independent of its fork', () => {
    const computer = createSyntheticComputer({ scenario: parseScenario(TIMED), clock: virtualClock(0) })
    write(computer, 'one')
    write(computer, 'two')
    const late = computer.fork()
    const early = computer.fork({ atStep: 1 })
    expect([hash(late) === hash(computer), early.steps.length]).toEqual([true, 1])
    write(late, 'three')
    write(computer, 'four')
    expect([late, early, computer].map((each) => each.desktop.windows[0]!.tree.children[0]!.value)).toEqual([
      'three',
      'one',
      'four',
    ])
    expect([late, computer].map(({ steps }) => steps.length)).toEqual([3, 3])
  })

  it('resets', () => {
    const computer = createSyntheticComputer({ scenario: parseScenario(TIMED), clock: virtualClock(0) })
    const first = hash(computer)
    write(computer, 'one')
    computer.reset(7)
    expect([hash(computer), computer.seed, computer.steps]).toEqual([first, 7, []])
  })

  it('resets to its initial state, including its clock', () => {
    const [clock, scenario] = [virtualClock(0), parseScenario(TIMED)]
    const computer = createSyntheticComputer({ scenario, clock })
    const first = computer.run
    write(computer, 'one')
    clock.advance(600_000)
    computer.reset()
    expect(computer.run).toEqual(first)
    clock.advance(600_000)
    computer.reset(7)
    expect(computer.run).toEqual(createSyntheticComputer({ scenario, clock: virtualClock(0), seed: 7 }).run)
  })

  it('starts another scenario from its beginning', () => {
    const computer = createSyntheticComputer({ scenario: parseScenario(TIMED), clock: virtualClock(0) })
    write(computer, 'one')
    computer.startScenario(parseScenario(FORM_SCENARIO))
    expect([computer.state, computer.states, computer.steps]).toEqual(['only', ['only'], []])
  })

  it('keeps its latest steps and the start, however long it runs', () => {
    const computer = createSyntheticComputer({ scenario: parseScenario(TIMED), clock: virtualClock(0) })
    const first = hash(computer)
    for (let number = 1; number <= 20_001; number++)
      computer.perform({ type: 'hover', at: { x: number % 700, y: 5 }, forMs: 0 })
    expect([computer.stepCount, computer.steps.length]).toEqual([20_001, 10_001])
    expect(() => computer.rewind(10_000)).toThrow('there is no step 10000; the steps are 0 and 10001 to 20001')
    computer.rewind(15_000)
    expect([computer.stepCount, computer.desktop.pointer.x]).toEqual([15_000, 15_000 % 700])
    computer.rewind(0)
    expect([hash(computer), computer.stepCount]).toEqual([first, 0])
  })

  describe('with large steps', () => {
    const EDITOR = `states: {a: {windows: [{uid: w, title: W, tree: {role: Window, children: [{id: e, role: Document, value: ""}]}}]}}`
    const target = { window: 'w', element: 'e' }
    const editor = (historyBudget = new HistoryBudget(1_000_000, 300_000)) =>
      createSyntheticComputer({ scenario: parseScenario(EDITOR), clock: virtualClock(0), historyBudget })
    const write = (computer: ReturnType<typeof editor>, value: string) =>
      computer.perform({ type: 'set_value', target, at: { x: 0, y: 0 }, value, clearFirst: true })
    const textOf = (computer: ReturnType<typeof editor>) => nodeById(computer.tree('w')!, 'e')!.value!
    const filler = 'x'.repeat(1000)

    it('keeps as many of the latest steps as fit in its memory, and the start', () => {
      const computer = editor()
      for (let number = 1; number <= 200; number++) write(computer, `${number} ${filler}`)
      expect(computer.stepCount).toBe(200)
      expect(computer.steps.length).toBeGreaterThan(10)
      expect(computer.steps.length).toBeLessThan(100)
      const oldest = computer.steps[0]!.number
      expect(() => computer.rewind(oldest - 1)).toThrow(`the steps are 0 and ${oldest} to 200`)
      for (const number of [198, oldest + 3, oldest]) {
        computer.rewind(number)
        expect(textOf(computer)).toMatch(new RegExp(`^${number} x`))
      }
      for (let number = oldest + 1; number <= 300; number++) write(computer, `${number}`)
      computer.rewind(290)
      expect(textOf(computer)).toBe('290')
      computer.rewind(0)
      expect([computer.stepCount, textOf(computer)]).toEqual([0, ''])
    })

    it('counts the copies of a long text that many small steps make', () => {
      const computer = editor()
      write(computer, 'x'.repeat(5000))
      for (let number = 2; number <= 200; number++) computer.perform({ type: 'type', text: 'y' })
      expect(computer.steps.length).toBeLessThan(100)
      computer.rewind(199)
      expect(textOf(computer)).toHaveLength(5198)
    })

    it('counts the variables of the run', () => {
      const scenario = parseScenario(`
vars: {notes: []}
states: {a: {windows: [{uid: w, title: W, tree: {role: Window, children: [{id: add, role: Button, name: Add}]}}]}}
reactions:
  - on: {tool: click_element, target_id: add}
    set: [{var: notes, append: "{{ size(notes) }} ${filler}"}]
`)
      const historyBudget = new HistoryBudget(1_000_000, 300_000)
      const computer = createSyntheticComputer({ scenario, clock: virtualClock(0), historyBudget })
      const click = { type: 'invoke', target: { window: 'w', element: 'add' }, at: { x: 0, y: 0 } } as const
      for (let number = 1; number <= 400; number++) computer.perform(click)
      expect(computer.run.data.notes).toHaveLength(400)
      expect(computer.steps.length).toBeLessThan(300)
      computer.rewind(399)
      expect(computer.run.data.notes).toHaveLength(399)
    })

    it('shares its memory with the other computers of a server, and releases it', () => {
      const historyBudget = new HistoryBudget(400_000)
      const [one, other] = [editor(historyBudget), editor(historyBudget)]
      for (let number = 0; number < 100; number++) write(one, `${number}${filler}`)
      expect(one.steps.length).toBeGreaterThan(10)
      const big = 'x'.repeat(60_000)
      write(other, `a${big}`)
      expect(other.steps).toEqual([])
      expect(() => other.rewind(1)).toThrow('only step 0 is kept')
      const fork = one.fork()
      one.close()
      fork.close()
      write(other, `b${big}`)
      write(other, 'c')
      other.rewind(2)
      expect(textOf(other)[0]).toBe('b')
    })

    it('keeps the steps of a fork when it discards its own', () => {
      const one = editor()
      for (let number = 1; number <= 30; number++) write(one, `${number}`)
      const other = one.fork()
      for (let number = 31; number <= 100; number++) write(other, 'x'.repeat(10_000))
      one.rewind(7)
      expect(textOf(one)).toBe('7')
    })
  })

  it('refuses steps that do not exist', () => {
    const computer = createSyntheticComputer({ scenario: parseScenario(TIMED), clock: virtualClock(0) })
    expect(() => computer.rewind(1)).toThrow('there is no step 1; the steps are 0 to 0')
    expect(() => computer.fork({ atStep: -1 })).toThrow(Fault)
  })
})
