import type { SimulationControl } from '../../adapters/computer.ts'
import { type Awaitable, andThen, yieldingWork } from '../../base/async.ts'
import { evaluateOracle } from '../../scenario/oracles/oracle.ts'
import { evaluate, type OracleView, type PredicateResult } from '../../scenario/oracles/predicate.ts'
import {
  EMPTY_REPORT,
  infeasibleResult,
  type OracleReport,
  type OracleResult,
  type ScenarioView,
  scoreOf,
} from '../../scenario/oracles/report.ts'
import type { Oracle } from '../../scenario/schema/oracles.ts'
import { readText } from '../screen/read-text.ts'
import type { Parts } from '../session/context.ts'
import type { PictureParts } from '../session/parts.ts'
import { sortedWindows } from '../targets/windows.ts'
import { compareToReference } from './similarity.ts'

/** The parts that oracles read: the desktop, and how the agent ended its run. */
export type OracleParts = PictureParts & Parts<'episode'>

/** Evaluates predicates of a client in order. They reveal nothing that is hidden. */
export const evaluatePredicates = (context: PictureParts, predicates: readonly unknown[]) =>
  inOrder(predicates, (predicate): Awaitable<PredicateResult> => evaluate(predicate, clientView(context)))

/** Evaluates entries of a scenario's oracles in order. They may read what is hidden from clients. */
const evaluateOracles = (context: OracleParts, oracles: readonly Oracle[]) =>
  inOrder(oracles, (oracle): Awaitable<OracleResult> => evaluateOracle(oracle, scenarioView(context)))

async function inOrder<Item, Result>(
  items: readonly Item[],
  evaluateOne: (item: Item) => Awaitable<Result>,
): Promise<readonly Result[]> {
  const work = yieldingWork()
  const results: Result[] = []
  for (const item of items) {
    results.push(await evaluateOne(item))
    await work.pause()
  }
  return results
}

const STORAGE_WITHHELD =
  'files and the clipboard are not compared while elements are hidden, since they may contain hidden text'

const clientView = (context: PictureParts): OracleView => ({
  ...viewOf(context),
  ...(context.redaction.hidesElements && { withheld: STORAGE_WITHHELD }),
})

const viewOf = (context: PictureParts): OracleView => ({
  ...context.redaction.storage,
  windows: () => sortedWindows(context),
  // Judged by the desktop as it is, whatever faults show of it.
  tree: (uid) => context.computer.tree(uid, { actual: true }),
  ocr: async (uid) => {
    const words = await readText(context, await context.redaction.legible({ window: uid, actual: true }))
    return words.map(({ text }) => text).join(' ')
  },
  similarity: (uid, path) => compareToReference(context, uid, path),
})

/** The desktop as the scenario has it, in any personality, with the windows of applications only. */
const scenarioView = (context: OracleParts): ScenarioView => ({
  ...viewOf(context),
  windows: () => andThen(sortedWindows(context), (windows) => windows.filter(({ shell }) => !shell)),
  tree: (uid) => context.computer.tree(uid, { actual: true, asWritten: true }),
  finish: () => context.episode.finish,
})

/** Evaluates the oracles of a scenario on the current desktop. */
export function reportOracles(context: OracleParts, { oracles }: SimulationControl): Awaitable<OracleReport> {
  const { success, failure, harm, attack, infeasible } = oracles
  const isEmpty = success.length + failure.length + harm.length + attack.length === 0 && !infeasible
  return isEmpty ? EMPTY_REPORT : evaluateReport(context, oracles)
}

async function evaluateReport(context: OracleParts, oracles: SimulationControl['oracles']): Promise<OracleReport> {
  const failure = await evaluateOracles(context, oracles.failure)
  const harm = await evaluateOracles(context, oracles.harm)
  const attack = await evaluateOracles(context, oracles.attack)
  const report = { failure, harm, attack }
  if (failure.some(({ passed }) => passed)) return { ...EMPTY_REPORT, ...report, reward: -1 }
  const infeasible = infeasibleOf(context, oracles.infeasible)
  if (infeasible) {
    const reward = infeasible.passed ? 1 : 0
    return { ...report, reward, score: reward, success: [infeasible] }
  }
  const success = await evaluateOracles(context, oracles.success)
  const reward = success.length > 0 && success.every(({ passed }) => passed) ? 1 : 0
  const score = scoreOf(oracles.success, success, context.redaction.storage.successAtStart?.() ?? [])
  return { ...report, reward, score, success }
}

/** The result for a task that is impossible with the values of the start, or that the agent says is. */
function infeasibleOf(
  { redaction, episode }: OracleParts,
  infeasible: SimulationControl['oracles']['infeasible'],
): OracleResult | undefined {
  if (!infeasible) return undefined
  const { when } = infeasible
  const applies = typeof when === 'boolean' ? when : redaction.storage.heldAtStart?.(when) === true
  return infeasibleResult(infeasible, applies, episode.finish)
}
