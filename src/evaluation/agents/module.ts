import * as z from 'zod'
import { importFile } from '../../base/import-file.ts'
import type { Driver } from '../../compose/driver.ts'
import type { EpisodeBudget } from '../suite/budget.ts'
import type { EvaluatedAgent, ModelUsage } from './agent.ts'

/** The task of an episode, as a module gets it. */
export interface AgentTask {
  /** The task in words. */
  readonly text: string
  /** The name of the task in its suite. */
  readonly id: string
  /** The name of the episode. */
  readonly episode: string
  /** A seed for the agent's own randomness, which differs from run to run. */
  readonly seed: number
  readonly budget: EpisodeBudget
  /** Aborts when a limit is reached. */
  readonly signal: AbortSignal
}

/** The default export of a module that is evaluated. The usage that it returns is reported as is. */
export type AgentModule = (desktop: Driver, task: AgentTask) => Promise<{ readonly usage?: ModelUsage } | undefined>

/** What an agent reports about its model. */
export const ReportedUsage = z.object({
  input_tokens: z.int().min(0),
  output_tokens: z.int().min(0),
  cost_usd: z.number().min(0).nullable().default(null),
})

/**
 * Loads a module whose default export plays episodes: `(desktop, task) => …`.
 * @throws An error that says what the module lacks.
 */
export async function moduleAgent(path: string): Promise<EvaluatedAgent> {
  const loaded = (await importFile(path)) as { readonly default?: unknown }
  const { default: play } = loaded
  if (typeof play !== 'function')
    throw new Error(
      `${path} has no function as its default export; write export default async (desktop, task) => { … }`,
    )
  return {
    name: path,
    async play({ driver, episode, task, agentSeed, signal }) {
      const { id, task: taskId, budget } = episode
      const returned: unknown = await untilUncaught(() =>
        (play as AgentModule)(driver, { text: task, id: taskId, episode: id, seed: agentSeed, budget, signal }),
      )
      const usage = ReportedUsage.safeParse((returned as { usage?: unknown } | undefined)?.usage)
      return usage.success ? { usage: usage.data } : {}
    },
  }
}

/** Runs a module. Rejects with an error that it throws outside of the promise that it returned, such as in a timer. */
async function untilUncaught<T>(run: () => Promise<T>): Promise<T> {
  let reject: (error: unknown) => void = () => {}
  const uncaught = new Promise<never>((_, rejects) => {
    reject = rejects
  })
  process.on('uncaughtException', reject)
  try {
    return await Promise.race([run(), uncaught])
  } finally {
    process.off('uncaughtException', reject)
  }
}
