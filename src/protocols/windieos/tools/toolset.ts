import type { Toolbox } from '../../../agent/tools/toolbox.ts'
import type { FailureLog } from '../errors.ts'
import type { UserSettings } from '../users/settings.ts'
import { type AgentDefinition, type AsideEvent, type ClientTool, RUNTIME_ROLE } from '../wire.ts'
import { allTools, type Manifest, type OfferedTool, offeredTools, validateDefinition } from './definition.ts'

/** What a client asked its agent to be, and the tools that come of it. */
export class Toolset {
  readonly #backend: Toolbox
  readonly #logFailure: FailureLog
  #definition: AgentDefinition | undefined
  #manifest: Manifest = { accepted: [], rejected: [] }
  /** What was last worked out, and for which settings; every event of a turn asks for it. */
  #offer: { readonly config: UserSettings; readonly tools: readonly OfferedTool[] } | undefined

  constructor(backend: Toolbox, logFailure: FailureLog) {
    this.#backend = backend
    this.#logFailure = logFailure
  }

  get definition(): AgentDefinition | undefined {
    return this.#definition
  }

  /** Whether the client carries out the tool calls of others. */
  get isRuntime(): boolean {
    return this.#definition?.metadata?.role === RUNTIME_ROLE
  }

  /** The tools that the client brought along and that were taken. */
  get accepted(): readonly ClientTool[] {
    return this.#manifest.accepted
  }

  /** Whether the client itself carries a tool out. */
  provides(tool: string): boolean {
    return this.#manifest.accepted.some(({ name }) => name === tool)
  }

  define(definition: AgentDefinition | undefined): void {
    this.#definition = definition
    this.#offer = undefined
    this.#manifest = validateDefinition(definition, this.#backend.list())
    for (const { name, reason } of this.#manifest.rejected)
      this.#logFailure('TOOL_VALIDATION_ERROR', `${name}: ${reason}`)
  }

  /** The tools of the client's sessions, as they are with these settings. */
  offered(config: UserSettings): readonly OfferedTool[] {
    if (this.#offer?.config === config) return this.#offer.tools
    const { definition, accepted } = this
    const tools = offeredTools({ definition, accepted, backend: this.#backend.list(), config })
    this.#offer = { config, tools }
    return tools
  }

  /** What became of the tools that the client brought along. */
  manifestEvent(): AsideEvent {
    const { accepted, rejected } = this.#manifest
    return {
      type: 'client-tool-manifest',
      payload: {
        accepted: accepted.map(({ name, description, execution_target }) => ({ name, description, execution_target })),
        rejected: [...rejected],
      },
    }
  }

  /** The tools that run here. */
  catalogEvent(config: UserSettings): AsideEvent {
    const offered = new Set(this.offered(config).map(({ name }) => name))
    const remote_tools = allTools({ accepted: this.accepted, backend: this.#backend.list() })
      .filter(({ where }) => where === 'backend')
      .map(({ name, description }) => ({
        name,
        description,
        enabled: offered.has(name),
        available: true,
        reason_unavailable: null,
      }))
    return { type: 'remote-tool-catalog', payload: { remote_tools } }
  }
}
