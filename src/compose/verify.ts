import { createHash } from 'node:crypto'
import type { SyntheticComputer } from '../adapters/synthetic.ts'
import { drawInteger, type Random, seededRandom, split } from '../base/random.ts'
import { type Element, walk } from '../desktop/model/element.ts'
import { centerOf, isEmptyRect } from '../desktop/model/geometry.ts'
import { treeHash } from '../desktop/tree/hash.ts'
import { call } from '../observer/call.ts'
import { reportOracles } from '../observer/oracles/oracles.ts'
import type { Session } from '../observer/session/session.ts'
import { explain } from '../scenario/oracles/oracle.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { memorySession } from './memory-session.ts'

/** Verifies a scenario: its solution passes, idle and random agents do not, and a run is reproducible. */

/** The result of one check of a scenario. */
export interface Check {
  readonly name: 'solution' | 'idle' | 'random' | 'repeats'
  readonly passed: boolean
  /** Why the check failed, or what it covered. */
  readonly message: string
}

const RANDOM_AGENTS = 20
const RANDOM_STEPS = 30

/**
 * Verifies that the solution of a scenario passes its oracles, that idle and random agents do not, and that a run repeats.
 * @param scenario A scenario with a solution and oracles.
 * @returns The result of each check.
 * @example
 * const checks = await verifyScenario(await loadScenario('login'))
 */
export async function verifyScenario(scenario: Scenario): Promise<readonly Check[]> {
  const first = await runSolution(scenario)
  const second = await runSolution(scenario)
  const idle = await waitIdly(scenario, first.durationMs)
  const lucky: number[] = []
  for (let seed = 1; seed <= RANDOM_AGENTS; seed++) if (await actRandomly(scenario, seed)) lucky.push(seed)
  const different = first.marks.findIndex((mark, index) => mark !== second.marks[index])
  return [
    {
      name: 'solution',
      passed: first.failure === undefined,
      message: first.failure ?? `${scenario.solution.length} steps`,
    },
    {
      name: 'idle',
      passed: idle !== undefined,
      message: idle === undefined ? 'doing nothing passes the success oracles' : 'doing nothing does not pass',
    },
    {
      name: 'random',
      passed: lucky.length === 0,
      message:
        lucky.length === 0 ? `${RANDOM_AGENTS} random agents do not pass` : `random agents ${lucky.join(', ')} pass`,
    },
    {
      name: 'repeats',
      passed: different === -1,
      message: different === -1 ? 'the run repeats' : `the second run differs after step ${different}`,
    },
  ]
}

/** A run of the solution of a scenario. */
export interface SolutionRun {
  /** The hashes of all trees and of the pixels of the screen, initially and after each step. */
  readonly marks: readonly string[]
  /** Undefined when every step succeeded and the oracles pass. */
  readonly failure: string | undefined
  /** Virtual time. */
  readonly durationMs: number
}

/** Runs the solution of a scenario on a desktop in memory. */
export async function runSolution(scenario: Scenario): Promise<SolutionRun> {
  const { session, computer, clock } = memorySession(scenario)
  const marks = [await markOf(computer)]
  const startMs = clock.now()
  const result = (failure: string | undefined) => ({ marks, failure, durationMs: clock.now() - startMs })
  if (scenario.solution.length === 0) return result('the scenario has no solution')
  for (const [index, step] of scenario.solution.entries()) {
    const { fault } = await call(session, step.call, step.with)
    if (fault) return result(`step ${index + 1}, ${step.call}: ${fault.code}: ${fault.message}`)
    marks.push(await markOf(computer))
  }
  return result(await checkSuccess(session))
}

/** Advances time by the duration of the solution without an action. Returns the oracle that then fails. */
function waitIdly(scenario: Scenario, durationMs: number): Promise<string | undefined> {
  const { session, clock } = memorySession(scenario)
  clock.advance(durationMs)
  return checkSuccess(session)
}

/** Returns why the scenario is not solved: the first success oracle that fails, or a failure oracle that passes. */
export async function checkSuccess(session: Session): Promise<string | undefined> {
  const simulation = session.computer.simulation!
  const { success, infeasible } = simulation.oracles
  if (success.length === 0 && !infeasible?.when) return 'the scenario has no success oracle'
  const report = await reportOracles(session.context, simulation)
  const met = report.failure.find(({ passed }) => passed)
  if (met) return `failure oracle ${explain(met)}`
  const missed = report.success.find(({ passed }) => !passed)
  return missed && `success oracle ${explain(missed)}`
}

/** Clicks, types and presses keys at random. Returns whether the scenario is then solved. */
async function actRandomly(scenario: Scenario, seed: number): Promise<boolean> {
  const { session, computer } = memorySession(scenario)
  let random = split(seededRandom(seed), 'random agent')
  for (let step = 0; step < RANDOM_STEPS; step++) {
    const [tool, args, next] = randomAction(computer, random)
    random = next
    await call(session, tool, args)
  }
  return (await checkSuccess(session)) === undefined
}

const KEYS = ['tab', 'enter', 'escape', 'down', 'up', 'space', 'ctrl+a', 'backspace'] as const
const WORDS = ['hello', '42', 'word', 'report', 'x'] as const

function randomAction(computer: SyntheticComputer, random: Random): [string, Record<string, unknown>, Random] {
  const [kind, afterKind] = drawInteger(random, 0, 9)
  if (kind === 0) {
    const [index, next] = drawInteger(afterKind, 0, KEYS.length - 1)
    return ['press_key', { keys: KEYS[index] }, next]
  }
  if (kind <= 2) {
    const [index, next] = drawInteger(afterKind, 0, WORDS.length - 1)
    return ['type_text', { text: WORDS[index] }, next]
  }
  const elements = computer.windows().flatMap(({ uid }) => clickable(computer.tree(uid)))
  if (elements.length === 0) return ['press_key', { keys: 'enter' }, afterKind]
  const [index, next] = drawInteger(afterKind, 0, elements.length - 1)
  const { x, y } = centerOf(elements[index]!.bounds)
  return ['click_at', { x, y }, next]
}

const clickable = (tree: Element | undefined): readonly Element[] =>
  tree ? [...walk(tree)].filter((node) => node.children.length === 0 && node.enabled && !isEmptyRect(node.bounds)) : []

async function markOf(computer: SyntheticComputer): Promise<string> {
  const trees = computer.windows().map(({ uid }) => `${uid} ${treeHash(computer.tree(uid)!)}`)
  const picture = await computer.screenshot({ screen: true })
  const pixels = createHash('sha256').update(picture.pixels()).digest('hex')
  return [...trees, `pixels ${pixels}`].join('\n')
}
