import { existsSync } from 'node:fs'
import type { EnvironmentVariables } from '../../base/environment-variables.ts'
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

/** What the operator has named. */
export type NamedAgent =
  | { readonly kind: 'builtin'; readonly agent: EvaluatedAgent }
  /** Without a name, the model is that of `BACKLOT_MODEL`. */
  | { readonly kind: 'model'; readonly model: string | undefined }
  | { readonly kind: 'replay'; readonly trace: string }
  | { readonly kind: 'module'; readonly file: string }
  | { readonly kind: 'command'; readonly command: string }

/**
 * Reads the name of an agent: `solution`, `noop`, `random`, `replay FILE`, `model NAME`, the path of a JavaScript module, or a
 * shell command. Throws a `SuiteError` for a module that does not exist, and without a name.
 */
export function namedAgent(written: string): NamedAgent {
  const name = written.trim()
  if (name === '')
    throw new SuiteError('name an agent: solution, noop, random, replay FILE, model NAME, a module or a command')
  if (Object.hasOwn(BUILTIN, name)) return { kind: 'builtin', agent: BUILTIN[name]! }
  if (/^model(\s|$)/.test(name)) return { kind: 'model', model: name.slice('model'.length).trim() || undefined }
  if (/^replay\s/.test(name)) return { kind: 'replay', trace: name.slice('replay'.length).trim() }
  if (!/\.[cm]?[jt]s$/.test(name) || /\s/.test(name)) return { kind: 'command', command: name }
  if (!existsSync(name)) throw new SuiteError(`the agent ${name} does not exist`)
  return { kind: 'module', file: name }
}

/**
 * Opens the agent that the operator names.
 * @throws A `SuiteError` for a wrong name, and an `AgentUnavailable` for an agent that does not load.
 */
export async function openAgent(written: string, parts: CommandParts): Promise<EvaluatedAgent> {
  const named = namedAgent(written)
  switch (named.kind) {
    case 'builtin':
      return named.agent
    case 'model':
      return modelAgent(named.model, parts.environment)
    case 'replay':
      return openReplay(named.trace)
    case 'module':
      return moduleAgent(named.file)
    case 'command':
      return commandAgent(named.command, parts)
  }
}

function openReplay(path: string): EvaluatedAgent {
  try {
    return replayAgent(path)
  } catch (error) {
    throw new SuiteError(`the trace ${path} cannot be read: ${(error as Error).message}`)
  }
}

/** The model that an agent uses by its name and the environment; undefined where that is not known. */
export const modelOf = (model: string | undefined, environment: EnvironmentVariables): string | undefined =>
  model ?? environment.BACKLOT_MODEL?.trim()
