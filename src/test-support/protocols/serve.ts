import { type Agent, type AgentOptions, createAgent } from '../../agent/engine.ts'
import type { Model } from '../../agent/models/model.ts'
import { cannedTools, scriptedModel } from '../../agent/models/scripted.ts'
import { builtinScript } from '../../agent/script/builtin-script.ts'
import { parseScript } from '../../agent/script/script.ts'
import type { Protocol, ProtocolServer } from '../../protocols/protocol.ts'

/** A protocol served on a free port, by an agent that plays the built-in script. */
export interface TestServer extends ProtocolServer {
  readonly agent: Agent
  /** Throws that nobody caused. */
  readonly bugs: readonly unknown[]
}

export interface TestServerOptions extends Omit<AgentOptions, 'model'> {
  /** Lines to play before the built-in ones. */
  readonly script?: unknown
  /** In place of scripts. */
  readonly model?: Model
}

/** Serves what `protocolOf` makes of an agent. */
export async function serve(
  protocolOf: (agent: Agent, onBug: (cause: unknown) => void) => Protocol,
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
