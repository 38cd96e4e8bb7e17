import type { Toolbox } from '../../agent/toolbox.ts'
import { catalogueOf, type Manifest, manifestOf, type Offered, offeredTools } from './definition.ts'
import type { Journal } from './errors.ts'
import type { Config } from './settings.ts'
import { type AgentDefinition, type AsideEvent, type ClientTool, RUNTIME_ROLE } from './wire.ts'

/** What a client asked its agent to be, and the tools that come of it. */
export class Toolset {
  readonly #backend: Toolbox
  readonly #journal: Journal
  #definition: AgentDefinition | undefined
  #manifest: Manifest = { accepted: [], rejected: [] }
  /** What was last worked out, and for which settings; every event of a turn asks for it. */
  #offer: { readonly config: Config; readonly tools: readonly Offered[] } | undefined

  constructor(backend: Toolbox, journal: Journal) {
    this.#backend = backend
    this.#journal = journal
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
  brings(tool: string): boolean {
    return this.#manifest.accepted.some(({ name }) => name === tool)
  }

  define(definition: AgentDefinition | undefined): void {
    this.#definition = definition
    this.#offer = undefined
    this.#manifest = manifestOf(definition, this.#backend.list())
    for (const { name, reason } of this.#manifest.rejected) this.#journal('TOOL_VALIDATION_ERROR', `${name}: ${reason}`)
  }

  /** The tools of the client's sessions, as they are with these settings. */
  offered(config: Config): readonly Offered[] {
    if (this.#offer?.config === config) return this.#offer.tools
    const { definition, accepted } = this
    const tools = offeredTools({ definition, accepted, backend: this.#backend.list(), config })
    this.#offer = { config, tools }
    return tools
  }

  /** What became of the tools that the client brought along. */
  judged(): AsideEvent {
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
  remote(config: Config): AsideEvent {
    const offered = new Set(this.offered(config).map(({ name }) => name))
    const remote_tools = catalogueOf({ accepted: this.accepted, backend: this.#backend.list() })
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
