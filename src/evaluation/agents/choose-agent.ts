import type { EnvironmentVariables } from '../../base/host.ts'
import { AGENT_LIMITS, formatAgentEvent, runOnSession } from '../../compose/reference-agent.ts'
import { SuiteError } from '../suite/load-suite.ts'
import { AgentCrash, type AgentKind, type AgentServices, type EvaluatedAgent, NoResult } from './agent.ts'
import { copycatKind, floodKind, refuseKind, treeGreedyKind } from './baselines.ts'
import { noopKind, randomKind, replayKind, solutionKind } from './builtin.ts'
import { commandKind } from './command.ts'
import { hashOfTexts } from './content.ts'
import { moduleKind } from './module.ts'

/**
 * The reference agent with a model. Without a name it has that of `BACKLOT_MODEL`; the endpoint and its key are in the
 * environment, as for `backlot agent`.
 */
export const modelAgent = (model: string | undefined, environment: EnvironmentVariables): EvaluatedAgent => ({
  name: model === undefined ? 'model' : `model ${model}`,
  async play({ desktop, task, episode, signal }) {
    const lines: string[] = []
    const { outcome, text, inputTokens, outputTokens, costUsd } = await runOnSession(desktop.session, {
      model,
      task,
      environment,
      signal,
      maxSteps: episode.budget.max_steps ?? AGENT_LIMITS.maxSteps,
      maxTokens: episode.budget.tokens ?? AGENT_LIMITS.maxTokens,
      report: (event) => lines.push(formatAgentEvent(event)),
    })
    const log = lines.map((line) => `${line}\n`).join('')
    if (outcome === 'unavailable') throw new NoResult(text, log)
    if (outcome === 'failed') throw new AgentCrash(text, log)
    return { usage: { input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costUsd }, log }
  },
})

/** Without a name, the model is that of `BACKLOT_MODEL`. */
const modelKind: AgentKind = {
  syntax: '"model NAME"',
  read: (name) => (/^model(\s|$)/.test(name) ? name.slice('model'.length).trim() : undefined),
  open: (model, { environment }) => modelAgent(model === '' ? undefined : model, environment),
  hash: (model, environment) =>
    hashOfTexts([
      model === '' ? (environment.BACKLOT_MODEL?.trim() ?? '') : model,
      environment.BACKLOT_MODEL_DIALECT ?? '',
    ]),
}

/** All kinds of agents. A name is of the first kind that reads it. */
export const AGENT_KINDS: readonly AgentKind[] = [
  solutionKind,
  noopKind,
  randomKind,
  refuseKind,
  treeGreedyKind,
  copycatKind,
  floodKind,
  replayKind,
  modelKind,
  moduleKind,
  commandKind,
]

/** The agents of this program, which every worker plays. */
export const BUILTIN_AGENTS: readonly string[] = AGENT_KINDS.flatMap(({ syntax, isBuiltin }) =>
  isBuiltin ? [syntax] : [],
)

/** What the operator may write after `--agent`, in words. */
export const AGENT_CHOICES: string = AGENT_KINDS.map(({ syntax }) => syntax)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ', or ')

/** The kind of an agent by its name, and the part of the name that matters. */
function kindOfAgent(given: string): readonly [AgentKind, string] {
  const name = given.trim()
  if (name !== '')
    for (const kind of AGENT_KINDS) {
      const argument = kind.read(name)
      if (argument !== undefined) return [kind, argument]
    }
  throw new SuiteError(`name an agent: ${AGENT_CHOICES}`)
}

/**
 * Opens the agent that the operator names.
 * @throws A `SuiteError` for a wrong name, and an `AgentUnavailable` for an agent that does not load.
 */
export async function openAgent(name: string, parts: AgentServices): Promise<EvaluatedAgent> {
  const [kind, argument] = kindOfAgent(name)
  return kind.open(argument, parts)
}

/**
 * A SHA-256 of what an agent consists of: a module or the files that a command names, with the files that they import below
 * their folder; a replayed trace; the name and dialect of a model. Null for agents of this program and without files.
 */
export function agentHash(name: string, environment: EnvironmentVariables): string | null {
  const [kind, argument] = kindOfAgent(name)
  return kind.hash(argument, environment)
}
