import { type Agent, type AgentOptions, createAgent } from '../../../src/agent/engine.ts'
import type { Model } from '../../../src/agent/models/model.ts'
import { builtinScript } from '../../../src/agent/script/builtin-script.ts'
import { parseScript } from '../../../src/agent/script/script.ts'
import { cannedTools, scriptedModel } from '../../../src/agent/script/scripted-model.ts'
import type { ProtocolListener, ProtocolServer } from '../../../src/protocols/protocol.ts'

/** A protocol served on a free port, with an agent that runs the built-in script. */
export interface TestServer extends ProtocolServer {
  readonly agent: Agent
  /** Unexpected internal errors. */
  readonly bugs: readonly unknown[]
}

/** Options of the agent. */
export interface TestServerOptions extends Omit<AgentOptions, 'model'> {
  /** A script that precedes the built-in one. */
  readonly script?: unknown
  /** Replaces the scripts. */
  readonly model?: Model
}

/** Serves the protocol that `protocolOf` creates for an agent. */
export async function serve(
  protocolOf: (agent: Agent, onBug: (cause: unknown) => void) => ProtocolListener,
  { script, model, ...options }: TestServerOptions = {},
): Promise<TestServer> {
  const scripts = [...(script === undefined ? [] : [parseScript(script)]), builtinScript]
  const bugs: unknown[] = []
  const onBug = (cause: unknown) => bugs.push(cause)
  const agent = createAgent({
    openToolbox: () => cannedTools(scripts.flatMap(({ tools }) => tools)),
    onBug,
    ...options,
    model: model ?? scriptedModel(...scripts),
  })
  const server = await protocolOf(agent, onBug).listen({ port: 0 })
  return { ...server, agent, bugs }
}
