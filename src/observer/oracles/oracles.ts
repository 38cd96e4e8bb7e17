import type { SimulationControl } from '../../adapters/computer.ts'
import type { Awaitable } from '../../base/awaitable.ts'
import { yieldingWork } from '../../base/yielding.ts'
import { evaluate, type OracleView } from '../../scenario/oracle.ts'
import { readText } from '../screen/read-text.ts'
import type { PictureParts } from '../session/parts.ts'
import { sortedWindows } from '../targets/windows.ts'
import { compareToReference } from './similarity.ts'

/** The verdicts on predicates that a client asks for, in order. Nothing hidden can be guessed by them. */
export const evaluatePredicates = (context: PictureParts, predicates: readonly unknown[]) =>
  judgeBy(clientView(context), predicates)

/** The verdicts on the oracles of a scenario, in order. They may compare what is hidden from clients. */
export const evaluateOracles = (context: PictureParts, predicates: readonly unknown[]) =>
  judgeBy(viewOf(context), predicates)

async function judgeBy(view: OracleView, predicates: readonly unknown[]) {
  const work = yieldingWork()
  const results = []
  for (const predicate of predicates) {
    results.push(await evaluate(predicate, view))
    await work.pause()
  }
  return results
}

const WITHHELD = 'files and the clipboard are not compared while elements are hidden, since they may hold their texts'

const clientView = (context: PictureParts): OracleView => ({
  ...viewOf(context),
  ...(context.redaction.hidesElements && { withheld: WITHHELD }),
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

/** What a scenario's oracles say: 1 for success, -1 for failure, which counts first, 0 as long as it is open. */
export type Reward = 1 | -1 | 0

/** Judges the oracles of a scenario on the desktop as it is now. */
export function rewardOf(context: PictureParts, { oracles }: SimulationControl): Awaitable<Reward> {
  return oracles.success.length === 0 && oracles.failure.length === 0 ? 0 : askOracles(context, oracles)
}

async function askOracles(context: PictureParts, { success, failure }: SimulationControl['oracles']): Promise<Reward> {
  if ((await evaluateOracles(context, failure)).some(({ passed }) => passed)) return -1
  return success.length > 0 && (await evaluateOracles(context, success)).every(({ passed }) => passed) ? 1 : 0
}
