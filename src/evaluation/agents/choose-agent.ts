import { existsSync } from 'node:fs'
import { SuiteError } from '../suite/load-suite.ts'
import type { EvaluatedAgent } from './agent.ts'
import { noopAgent, randomAgent, replayAgent, solutionAgent } from './builtin.ts'
import { type CommandParts, commandAgent } from './command.ts'
import { modelAgent } from './model.ts'
import { moduleAgent } from './module.ts'

/** The agents that need nothing else. */
const BUILTIN: Readonly<Record<string, EvaluatedAgent>> = Object.fromEntries(
  [solutionAgent, noopAgent, randomAgent].map((agent) => [agent.name, agent]),
)

/**
 * Opens the agent that the operator names: `solution`, `noop`, `random`, `replay FILE`, `model NAME`, the path of a JavaScript module, or
 * a shell command.
 */
export async function openAgent(written: string, parts: CommandParts): Promise<EvaluatedAgent> {
  const name = written.trim()
  if (name === '')
    throw new SuiteError('name an agent: solution, noop, random, replay FILE, model NAME, a module or a command')
  if (Object.hasOwn(BUILTIN, name)) return BUILTIN[name]!
  if (/^model(\s|$)/.test(name)) return modelAgent(name.slice('model'.length).trim() || undefined, parts.environment)
  if (/^replay\s/.test(name)) return openReplay(name.slice('replay'.length).trim())
  if (/\.[cm]?[jt]s$/.test(name) && !/\s/.test(name)) {
    if (!existsSync(name)) throw new SuiteError(`the agent ${name} does not exist`)
    return moduleAgent(name)
  }
  return commandAgent(name, parts)
}

function openReplay(path: string): EvaluatedAgent {
  try {
    return replayAgent(path)
  } catch (error) {
    throw new SuiteError(`the trace ${path} cannot be read: ${(error as Error).message}`)
  }
}
