import type { SimulationControl } from '../../adapters/computer.ts'
import type { Awaitable } from '../../base/awaitable.ts'
import { yieldingWork } from '../../base/yielding.ts'
import { evaluate, type OracleView } from '../../scenario/oracle.ts'
import { readText } from '../screen/read-text.ts'
import type { PictureParts } from '../session/parts.ts'
import { sortedWindows } from '../targets/windows.ts'
import { compareToReference } from './similarity.ts'

/** Evaluates predicates of a client in order. They reveal nothing that is hidden. */
export const evaluatePredicates = (context: PictureParts, predicates: readonly unknown[]) =>
  evaluateAll(clientView(context), predicates)

/** Evaluates the oracles of a scenario in order. They may read what is hidden from clients. */
export const evaluateOracles = (context: PictureParts, predicates: readonly unknown[]) =>
  evaluateAll(viewOf(context), predicates)

async function evaluateAll(view: OracleView, predicates: readonly unknown[]) {
  const work = yieldingWork()
  const results = []
  for (const predicate of predicates) {
    results.push(await evaluate(predicate, view))
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
  tree: (uid) => context.computer.tree(uid),
  ocr: async (uid) => {
    const words = await readText(context, await context.redaction.legible({ window: uid }))
    return words.map(({ text }) => text).join(' ')
  },
  similarity: (uid, path) => compareToReference(context, uid, path),
})

/** The reward of a scenario's oracles: -1 when a failure oracle holds, else 1 for success, else 0. */
export type Reward = 1 | -1 | 0

/** Evaluates the oracles of a scenario on the current desktop. */
export function rewardOf(context: PictureParts, { oracles }: SimulationControl): Awaitable<Reward> {
  return oracles.success.length === 0 && oracles.failure.length === 0 ? 0 : evaluateReward(context, oracles)
}

async function evaluateReward(
  context: PictureParts,
  { success, failure }: SimulationControl['oracles'],
): Promise<Reward> {
  if ((await evaluateOracles(context, failure)).some(({ passed }) => passed)) return -1
  return success.length > 0 && (await evaluateOracles(context, success)).every(({ passed }) => passed) ? 1 : 0
}
