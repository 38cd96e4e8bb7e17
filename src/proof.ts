import { createHash } from 'node:crypto'
import type { SyntheticComputer } from './adapters/synthetic.ts'
import { drawInteger, type Random, seededRandom, split } from './base/random.ts'
import { type Element, walk } from './desktop/model/element.ts'
import { centerOf, isEmptyRect } from './desktop/model/geometry.ts'
import { treeHash } from './desktop/tree/hash.ts'
import { memorySession } from './memory-session.ts'
import { call } from './observer/call.ts'
import { evaluateOracles } from './observer/oracles/oracles.ts'
import type { Session } from './observer/session/session.ts'
import type { Scenario } from './scenario/scenario.ts'

/** Proving a scenario: that it can be solved, that it is not solved by doing nothing or by luck, and that it repeats. */

export interface Claim {
  readonly name: 'solution' | 'idle' | 'random' | 'repeats'
  readonly holds: boolean
  /** Why not, or what was tried. */
  readonly said: string
}

const RANDOM_AGENTS = 20
const RANDOM_STEPS = 30

/**
 * Proves a scenario: its solution succeeds, doing nothing and random actions do not, and a run repeats.
 * @param scenario A scenario with a solution and oracles.
 * @returns Each claim and whether it holds.
 * @example
 * const claims = await proveScenario(await openScenario('login'))
 */
export async function proveScenario(scenario: Scenario): Promise<readonly Claim[]> {
  const first = await playSolution(scenario)
  const second = await playSolution(scenario)
  const idle = await waitIdly(scenario, first.tookMs)
  const lucky: number[] = []
  for (let seed = 1; seed <= RANDOM_AGENTS; seed++) if (await playRandomly(scenario, seed)) lucky.push(seed)
  const different = first.marks.findIndex((mark, index) => mark !== second.marks[index])
  return [
    {
      name: 'solution',
      holds: first.failure === undefined,
      said: first.failure ?? `${scenario.solution.length} steps`,
    },
    {
      name: 'idle',
      holds: idle !== undefined,
      said: idle === undefined ? 'doing nothing passes the success oracles' : 'doing nothing does not pass',
    },
    {
      name: 'random',
      holds: lucky.length === 0,
      said:
        lucky.length === 0 ? `${RANDOM_AGENTS} random agents do not pass` : `random agents ${lucky.join(', ')} pass`,
    },
    {
      name: 'repeats',
      holds: different === -1,
      said: different === -1 ? 'the run repeats' : `the second run differs after step ${different}`,
    },
  ]
}

export interface Playthrough {
  /** After each step, the beginning first: the hashes of all trees and of the screen's pixels. */
  readonly marks: readonly string[]
  /** What went wrong; undefined when every step succeeded and the success oracles hold. */
  readonly failure: string | undefined
  /** How long it was under way, in the time of the scenario. */
  readonly tookMs: number
}

/** Plays the scenario's own solution. */
export async function playSolution(scenario: Scenario): Promise<Playthrough> {
  const { session, computer, clock } = memorySession(scenario)
  const marks = [await markOf(computer)]
  const startMs = clock.now()
  const ended = (failure: string | undefined) => ({ marks, failure, tookMs: clock.now() - startMs })
  if (scenario.solution.length === 0) return ended('there is no solution')
  for (const [index, step] of scenario.solution.entries()) {
    const { fault } = await call(session, step.call, step.with)
    if (fault) return ended(`step ${index + 1}, ${step.call}: ${fault.code}: ${fault.message}`)
    marks.push(await markOf(computer))
  }
  return ended(await judgeSuccess(session))
}

/** Does nothing for as long as the solution took; which oracle says that this was not enough. */
function waitIdly(scenario: Scenario, tookMs: number): Promise<string | undefined> {
  const { session, clock } = memorySession(scenario)
  clock.advance(tookMs)
  return judgeSuccess(session)
}

/** Which oracle says that the scenario did not end well; undefined when all say that it did. */
export async function judgeSuccess(session: Session): Promise<string | undefined> {
  const { success, failure } = session.computer.simulation!.oracles
  if (success.length === 0) return 'there is no success oracle'
  const missed = (await evaluateOracles(session.context, success)).find(({ passed }) => !passed)
  if (missed) return `success oracle ${missed.kind} does not hold: ${JSON.stringify(missed.observed)}`
  const met = (await evaluateOracles(session.context, failure)).find(({ passed }) => passed)
  return met && `failure oracle ${met.kind} holds: ${JSON.stringify(met.observed)}`
}

/** Clicks, types and presses at random; whether the success oracles hold in the end. */
async function playRandomly(scenario: Scenario, seed: number): Promise<boolean> {
  const { session, computer } = memorySession(scenario)
  let random = split(seededRandom(seed), 'random agent')
  for (let step = 0; step < RANDOM_STEPS; step++) {
    const [tool, args, next] = randomAction(computer, random)
    random = next
    await call(session, tool, args)
  }
  return (await judgeSuccess(session)) === undefined
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
