import type * as z from 'zod'
import { ENGINE_TOOLS } from '../../../agent/engine-tools.ts'
import type { ToolDescription } from '../../../agent/toolbox.ts'
import { problemWords } from '../../../base/external-values.ts'
import type { UserSettings } from '../users/settings.ts'
import { type AgentDefinition, ClientTool } from '../wire.ts'
import { CAPABILITY_OF, LOCAL_TOOLS } from './tools.ts'

/** Agent definitions: they narrow the server's tools, and add tools that the client executes. */

/** A tool of a session, and its executor. */
export interface OfferedTool extends ToolDescription {
  readonly where: 'client' | 'backend'
}

/** The accepted and rejected tools of a client. */
export interface Manifest {
  readonly accepted: readonly ClientTool[]
  readonly rejected: readonly { readonly name: string; readonly reason: string }[]
}

const BUILT_IN = new Map(LOCAL_TOOLS.map((tool) => [tool.name, tool]))

/** Names that clients may not use, because tools of the server have them. */
export const reservedNames = (backend: readonly ToolDescription[]): ReadonlySet<string> =>
  new Set(
    ['web_search', ...backend.map(({ name }) => name), ...ENGINE_TOOLS.map(({ name }) => name)].filter(
      (name) => !BUILT_IN.has(name),
    ),
  )

/** Validates the tools of a client one by one (WindieOS document, "client-tool-manifest"). */
export function validateManifest(tools: readonly unknown[], reserved: ReadonlySet<string>): Manifest {
  const accepted = new Map<string, ClientTool>()
  const rejected: { name: string; reason: string }[] = []
  for (const [index, entry] of tools.entries()) {
    const read = ClientTool.safeParse(entry)
    const name = nameOf(entry) ?? `tool_${index}`
    const reason = read.success ? rejectionReason(read.data, reserved, accepted) : issueOf(read.error.issues[0]!)
    if (!read.success || reason !== undefined) rejected.push({ name, reason: reason ?? 'is not a tool' })
    else accepted.set(read.data.name, read.data)
  }
  return { accepted: [...accepted.values()], rejected }
}

/** The accepted tools of a definition. */
export const acceptedTools = (
  definition: AgentDefinition,
  backend: readonly ToolDescription[],
): readonly ClientTool[] => validateDefinition(definition, backend).accepted

/** The accepted and rejected tools of a definition. */
export const validateDefinition = (
  definition: AgentDefinition | undefined,
  backend: readonly ToolDescription[],
): Manifest => validateManifest(definition?.tools?.client_manifest?.tools ?? [], reservedNames(backend))

function rejectionReason(tool: ClientTool, reserved: ReadonlySet<string>, accepted: ReadonlyMap<string, ClientTool>) {
  if (reserved.has(tool.name)) return 'reserved backend tool names cannot be overridden'
  if (accepted.has(tool.name)) return 'another tool has this name already'
  if (tool.execution_target === 'backend') return 'only the tools of the backend run there'
  return undefined
}

const nameOf = (entry: unknown): string | undefined => {
  const name = (entry as { readonly name?: unknown } | null | undefined)?.name
  return typeof name === 'string' && name !== '' ? name : undefined
}

const issueOf = (issue: z.core.$ZodIssue) => `${issue.path.map(String).join('.') || 'tool'}: ${problemWords(issue)}`

/** The inputs that select the tools of a session. */
export interface ToolSelection {
  readonly definition: AgentDefinition | undefined
  readonly accepted: readonly ClientTool[]
  /** The tools that run in the server. */
  readonly backend: readonly ToolDescription[]
  readonly config: Pick<UserSettings, 'interaction_mode' | 'browser_automation_enabled'>
}

/** All tools, before any narrowing. */
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
  const clientTools = new Set(accepted.map(({ name }) => name))
  const remote = new Set(tools?.enabled_remote_tools ?? [])
  const available = tools?.available_tools ? new Set(tools.available_tools) : undefined
  const disabled = new Set(tools?.disabled_tools ?? [])
  const capabilities = new Set<string>(tools?.disabled_capabilities ?? [])
  if (!config.browser_automation_enabled) capabilities.add('browser')

  const wanted = ({ name, where }: OfferedTool): boolean => {
    const own = where === 'backend' ? remote.has(name) : clientTools.has(name)
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
    // Chat mode must not act on the machine.
    if (config.interaction_mode === 'chat' && tool.where === 'client') return false
    const capability = CAPABILITY_OF.get(tool.name)
    if (disabled.has(tool.name) || (capability !== undefined && capabilities.has(capability))) return false
    return wanted(tool)
  })
}

/** Built-in tools always use the server's schema, even if a client provides them. */
const fromClient = ({ name, description, schema }: ClientTool): OfferedTool => ({
  ...(BUILT_IN.get(name) ?? { name, description, input: schema }),
  where: 'client',
})
