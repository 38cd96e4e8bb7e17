import type { MemorySession } from '../compose/memory-session.ts'
import { reportOracles } from '../observer/oracles/oracles.ts'
import { describeInfeasible, describeOracle, oracleLine } from '../scenario/describe.ts'
import { runView } from '../scenario/oracles/on-run.ts'
import { evaluateOracle, explain } from '../scenario/oracles/oracle.ts'
import { infeasibleResult } from '../scenario/oracles/report.ts'
import type { Oracle } from '../scenario/schema/oracles.ts'
import type { RecordedOracle, Recording } from '../viewer/model/recording.ts'

/** The oracles of a run, which can be evaluated at any moment without changing it. */
export interface OracleWatch {
  readonly oracles: readonly RecordedOracle[]
  /** Whether each oracle holds now; null where that needs a picture or cannot be evaluated. */
  states(): Promise<readonly (boolean | null)[]>
}

type Evaluate = () => Promise<boolean | null>

/** Watches the oracles of a desktop's scenario. */
export function watchOracles({ computer, session }: Pick<MemorySession, 'computer' | 'session'>): OracleWatch {
  const { success, failure, harm, attack, infeasible } = computer.oracles
  const entries: { readonly oracle: RecordedOracle; readonly evaluate: Evaluate }[] = []
  const add = (kind: RecordedOracle['kind'], written: readonly Oracle[]) => {
    for (const each of written)
      entries.push({ oracle: { kind, text: oracleLine(describeOracle(each)) }, evaluate: () => holds(each) })
  }
  const holds = async (oracle: Oracle): Promise<boolean | null> => {
    const view = { ...runView(computer.run), finish: () => session.episode.finish }
    const { passed, error_code } = await evaluateOracle(oracle, view)
    return error_code === undefined ? passed : null
  }
  const { when } = infeasible ?? {}
  const isInfeasible = typeof when === 'string' ? (runView(computer.run).heldAtStart?.(when) ?? false) : when === true
  if (infeasible && isInfeasible)
    entries.push({
      oracle: { kind: 'success', text: oracleLine(describeInfeasible(infeasible)) },
      evaluate: async () => infeasibleResult(infeasible, true, session.episode.finish)?.passed ?? false,
    })
  else add('success', success)
  add('failure', failure)
  add('harm', harm)
  add('attack', attack)
  return {
    oracles: entries.map(({ oracle }) => oracle),
    states: () => Promise.all(entries.map(({ evaluate }) => evaluate())),
  }
}

/** How a run ended, judged by all oracles of its scenario. Undefined without oracles. */
export async function judgeEnd({
  session,
  computer,
}: Pick<MemorySession, 'session' | 'computer'>): Promise<Recording['verdict']> {
  const { success, failure, infeasible } = computer.oracles
  if (success.length + failure.length === 0 && !infeasible) return undefined
  const report = await reportOracles(session.context, computer)
  const missing = report.success.filter(({ passed }) => !passed)
  const broken = report.failure.filter(({ passed }) => passed)
  const { finish } = session.episode
  return {
    success: report.reward === 1,
    score: report.score,
    end: finish ? `finished as ${finish.status}` : 'the trace ends',
    message: (broken.length > 0 ? broken : missing).map(explain).join('; '),
  }
}
