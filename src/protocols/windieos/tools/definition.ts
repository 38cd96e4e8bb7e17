import { ENGINE_TOOLS } from '../../../agent/tools/engine-tools.ts'
import type { ToolDescription } from '../../../agent/tools/toolbox.ts'
import type { UserSettings } from '../users/settings.ts'
import { type AgentDefinition, ClientTool } from '../wire.ts'
import { CAPABILITY_OF, LOCAL_TOOLS } from './tools.ts'

/** What comes of an agent definition: it narrows what the server has, and adds tools that its client carries out. */

/** A tool of a session, and who carries it out. */
export interface OfferedTool extends ToolDescription {
  readonly where: 'client' | 'backend'
}

export interface Manifest {
  readonly accepted: readonly ClientTool[]
  readonly rejected: readonly { readonly name: string; readonly reason: string }[]
}

const BUILT_IN = new Map(LOCAL_TOOLS.map((tool) => [tool.name, tool]))

/** Names that no client may take: those of tools that run here. */
export const reservedNames = (backend: readonly ToolDescription[]): ReadonlySet<string> =>
  new Set(
    ['web_search', ...backend.map(({ name }) => name), ...ENGINE_TOOLS.map(({ name }) => name)].filter(
      (name) => !BUILT_IN.has(name),
    ),
  )

/** Judges the tools of a client one by one (WindieOS document, "client-tool-manifest"). */
export function validateManifest(tools: readonly unknown[], reserved: ReadonlySet<string>): Manifest {
  const accepted = new Map<string, ClientTool>()
  const rejected: { name: string; reason: string }[] = []
  for (const [index, written] of tools.entries()) {
    const read = ClientTool.safeParse(written)
    const name = nameOf(written) ?? `tool_${index}`
    const reason = read.success ? objection(read.data, reserved, accepted) : issueOf(read.error.issues[0]!)
    if (!read.success || reason !== undefined) rejected.push({ name, reason: reason ?? 'is no tool' })
    else accepted.set(read.data.name, read.data)
  }
  return { accepted: [...accepted.values()], rejected }
}

/** The tools that a definition brings along and that are taken. */
export const acceptedTools = (
  definition: AgentDefinition,
  backend: readonly ToolDescription[],
): readonly ClientTool[] => validateDefinition(definition, backend).accepted

/** What becomes of the tools that a definition brings along. */
export const validateDefinition = (
  definition: AgentDefinition | undefined,
  backend: readonly ToolDescription[],
): Manifest => validateManifest(definition?.tools?.client_manifest?.tools ?? [], reservedNames(backend))

function objection(tool: ClientTool, reserved: ReadonlySet<string>, accepted: ReadonlyMap<string, ClientTool>) {
  if (reserved.has(tool.name)) return 'reserved backend tool names cannot be overridden'
  if (accepted.has(tool.name)) return 'another tool has this name already'
  if (tool.execution_target === 'backend') return 'only the tools of the backend run there'
  return undefined
}

const nameOf = (written: unknown): string | undefined => {
  const name = (written as { readonly name?: unknown } | null | undefined)?.name
  return typeof name === 'string' && name !== '' ? name : undefined
}

const issueOf = ({ path, message }: { readonly path: readonly PropertyKey[]; readonly message: string }) =>
  `${path.map(String).join('.') || 'tool'}: ${message}`

export interface ToolSelection {
  readonly definition: AgentDefinition | undefined
  readonly accepted: readonly ClientTool[]
  /** The tools that run here. */
  readonly backend: readonly ToolDescription[]
  readonly config: Pick<UserSettings, 'interaction_mode' | 'browser_automation_enabled'>
}

/** Every tool before anything is narrowed. */
export function allTools({ accepted, backend }: Pick<ToolSelection, 'accepted' | 'backend'>): readonly OfferedTool[] {
  const offered = new Map<string, OfferedTool>()
  for (const tool of backend) offered.set(tool.name, { ...tool, where: 'backend' })
  for (const tool of LOCAL_TOOLS) offered.set(tool.name, { ...tool, where: 'client' })
  for (const tool of accepted) offered.set(tool.name, fromClient(tool))
  return [...offered.values()]
}

/** The tools that a session's model may use. */
export function offeredTools({ definition, accepted, backend, config }: ToolSelection): readonly OfferedTool[] {
  const tools = definition?.tools
  const mode = tools?.mode ?? 'default'
  const brought = new Set(accepted.map(({ name }) => name))
  const remote = new Set(tools?.enabled_remote_tools ?? [])
  const available = tools?.available_tools ? new Set(tools.available_tools) : undefined
  const disabled = new Set(tools?.disabled_tools ?? [])
  const capabilities = new Set<string>(tools?.disabled_capabilities ?? [])
  if (!config.browser_automation_enabled) capabilities.add('browser')

  const wanted = ({ name, where }: OfferedTool): boolean => {
    const own = where === 'backend' ? remote.has(name) : brought.has(name)
    switch (mode) {
      case 'client_only':
        return own
      case 'explicit':
        return own || (available?.has(name) ?? false)
      case 'default':
        return available?.has(name) ?? (where === 'backend' || BUILT_IN.has(name))
      case 'default_plus_client':
        return own || (available?.has(name) ?? true)
    }
  }
  return allTools({ accepted, backend }).filter((tool) => {
    // Somebody who only chats has nothing done to the machine.
    if (config.interaction_mode === 'chat' && tool.where === 'client') return false
    const capability = CAPABILITY_OF.get(tool.name)
    if (disabled.has(tool.name) || (capability !== undefined && capabilities.has(capability))) return false
    return wanted(tool)
  })
}

/** Of a built-in tool the model reads our own schema, whoever brings it. */
const fromClient = ({ name, description, schema }: ClientTool): OfferedTool => ({
  ...(BUILT_IN.get(name) ?? { name, description, input: schema }),
  where: 'client',
})
