import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import * as z from 'zod'
import { importFile } from '../../base/optional.ts'
import type { Driver } from '../../compose/driver.ts'
import { SuiteError } from '../suite/load-suite.ts'
import type { EpisodeBudget } from '../suite/suite-file.ts'
import { type AgentKind, AgentUnavailable, type EvaluatedAgent, type ModelUsage, NoResult } from './agent.ts'
import { hashOfFiles } from './content.ts'

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
 * @throws An `AgentUnavailable` that says why it does not load, or what it lacks.
 */
export async function moduleAgent(path: string): Promise<EvaluatedAgent> {
  const { default: play } = await loaded(path)
  if (typeof play !== 'function')
    throw new AgentUnavailable(
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

/** A name that is the path of a module. */
export const moduleKind: AgentKind = {
  syntax: 'a JavaScript module',
  read: (name) => {
    if (!/\.[cm]?[jt]s$/.test(name) || /\s/.test(name)) return undefined
    if (!existsSync(name)) throw new SuiteError(`the agent ${name} does not exist`)
    return name
  },
  open: moduleAgent,
  hash: (file) => hashOfFiles([resolve(file)]),
}

async function loaded(path: string): Promise<{ readonly default?: unknown }> {
  try {
    return (await importFile(path)) as { readonly default?: unknown }
  } catch (error) {
    throw new AgentUnavailable(`the agent ${path} does not load: ${loadProblem(path, error)}`)
  }
}

/** Why a module does not load: the place of a syntax error, and what to do about a module in another format than its name says. */
function loadProblem(path: string, error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { name, message, stack = '' } = error
  const bare = path.replace(/\.[cm]?[jt]s$/, '')
  if ((error as NodeJS.ErrnoException).code === 'ERR_UNKNOWN_FILE_EXTENSION')
    return `this version of Node.js does not run TypeScript; compile it, or use the command "npx tsx ${path}"`
  if (/Unexpected token 'export'|Cannot use import statement outside a module/.test(message))
    return `it is an ES module, but its name and its package.json say CommonJS; rename it to ${bare}.mjs, or add "type": "module" to package.json`
  if (/(?:require|module|exports) is not defined in ES module scope/.test(message))
    return `it is CommonJS, but its name or its package.json says ES module; rename it to ${bare}.cjs, or use import and export`
  const [, place] = /^((?:file:\/\/)?\/?\S+:\d+)\n/.exec(stack) ?? []
  return name === 'SyntaxError' && place ? `${message} (${place.replace(/^file:\/\//, '')})` : message
}

/** Whether a module says with an error that an episode has no result. */
const saysNoResult = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 'NO_RESULT'

/** Runs a module. Rejects with an error that it throws outside of the promise that it returned, such as in a timer. */
async function untilUncaught<T>(run: () => Promise<T>): Promise<T> {
  let reject: (error: unknown) => void = () => {}
  const uncaught = new Promise<never>((_, rejects) => {
    reject = rejects
  })
  process.on('uncaughtException', reject)
  try {
    return await Promise.race([run(), uncaught])
  } catch (error) {
    throw saysNoResult(error) ? new NoResult((error as Error).message, '') : error
  } finally {
    process.off('uncaughtException', reject)
  }
}
