import type { SyntheticComputer } from '../../adapters/synthetic/synthetic.ts'
import { drawInteger, type Random, seededRandom, split } from '../../base/random.ts'
import { type Element, walk } from '../../desktop/model/element.ts'
import { centerOf, isEmptyRect } from '../../desktop/model/geometry.ts'
import { call } from '../../observer/call.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { memorySession } from '../memory-session.ts'
import { checkSuccess } from './solution-run.ts'

/** The number of actions of a random agent. */
export const RANDOM_STEPS = 30

/** Clicks, types and presses keys at random. Returns whether the scenario is then solved. */
export async function actRandomly(scenario: Scenario, seed: number): Promise<boolean> {
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

/** A random action on what applications show, the same in every style, and the generator after it. */
export function randomAction(computer: SyntheticComputer, random: Random): [string, Record<string, unknown>, Random] {
  const [kind, afterKind] = drawInteger(random, 0, 9)
  if (kind === 0) {
    const [index, next] = drawInteger(afterKind, 0, KEYS.length - 1)
    return ['press_key', { keys: KEYS[index] }, next]
  }
  if (kind <= 2) {
    const [index, next] = drawInteger(afterKind, 0, WORDS.length - 1)
    return ['type_text', { text: WORDS[index] }, next]
  }
  const elements = computer.windows().flatMap(({ uid, shell }) => (shell ? [] : clickable(computer.tree(uid))))
  if (elements.length === 0) return ['press_key', { keys: 'enter' }, afterKind]
  const [index, next] = drawInteger(afterKind, 0, elements.length - 1)
  const { x, y } = centerOf(elements[index]!.bounds)
  return ['click_at', { x, y }, next]
}

const clickable = (tree: Element | undefined): readonly Element[] =>
  tree ? [...walk(tree)].filter((node) => node.children.length === 0 && node.enabled && !isEmptyRect(node.bounds)) : []
