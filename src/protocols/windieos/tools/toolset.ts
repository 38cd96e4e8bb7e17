import type { Toolbox } from '../../../agent/toolbox.ts'
import type { FailureLog } from '../errors.ts'
import type { UserSettings } from '../users/settings.ts'
import { type AgentDefinition, type AsideEvent, type ClientTool, RUNTIME_ROLE } from '../wire.ts'
import { allTools, type Manifest, type OfferedTool, offeredTools, validateDefinition } from './definition.ts'

/** A client's agent definition, and the resulting tools. */
export class Toolset {
  readonly #backend: Toolbox
  readonly #logFailure: FailureLog
  #definition: AgentDefinition | undefined
  #manifest: Manifest = { accepted: [], rejected: [] }
  /** The cached tools for the latest settings. Every event of a turn reads them. */
  #cache: { readonly config: UserSettings; readonly tools: readonly OfferedTool[] } | undefined

  constructor(backend: Toolbox, logFailure: FailureLog) {
    this.#backend = backend
    this.#logFailure = logFailure
  }

  get definition(): AgentDefinition | undefined {
    return this.#definition
  }

  /** Whether the client executes the tool calls of other clients. */
  get isRuntime(): boolean {
    return this.#definition?.metadata?.role === RUNTIME_ROLE
  }

  /** The accepted tools of the client. */
  get accepted(): readonly ClientTool[] {
    return this.#manifest.accepted
  }

  /** Returns whether the client itself provides a tool. */
  provides(tool: string): boolean {
    return this.#manifest.accepted.some(({ name }) => name === tool)
  }

  /** Sets the definition and validates its tools. */
  define(definition: AgentDefinition | undefined): void {
    this.#definition = definition
    this.#cache = undefined
    this.#manifest = validateDefinition(definition, this.#backend.list())
    for (const { name, reason } of this.#manifest.rejected)
      this.#logFailure('TOOL_VALIDATION_ERROR', `${name}: ${reason}`)
  }

  /** The tools of the client's sessions under these settings. */
  offered(config: UserSettings): readonly OfferedTool[] {
    if (this.#cache?.config === config) return this.#cache.tools
    const { definition, accepted } = this
    const tools = offeredTools({ definition, accepted, backend: this.#backend.list(), config })
    this.#cache = { config, tools }
    return tools
  }

  /** The event that lists the accepted and rejected tools of the client. */
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

  /** The event that lists the tools of the server. */
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
