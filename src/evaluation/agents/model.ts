import type { EnvironmentVariables } from '../../base/host.ts'
import { AGENT_LIMITS, formatAgentEvent, runOnSession } from '../../compose/reference-agent.ts'
import { AgentCrash, type AgentKind, type EvaluatedAgent, NoResult } from './agent.ts'
import { hashOfTexts } from './content.ts'

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
export const modelKind: AgentKind = {
  written: '"model NAME"',
  read: (name) => (/^model(\s|$)/.test(name) ? name.slice('model'.length).trim() : undefined),
  open: (model, { environment }) => modelAgent(model === '' ? undefined : model, environment),
  hash: (model, environment) =>
    hashOfTexts([
      model === '' ? (environment.BACKLOT_MODEL?.trim() ?? '') : model,
      environment.BACKLOT_MODEL_DIALECT ?? '',
    ]),
}
