import type * as z from 'zod'
import { ENGINE_TOOLS } from '../../agent/engine-tools.ts'
import type { Toolbox, ToolDescription } from '../../agent/toolbox.ts'
import { problemWords } from '../../base/external-values.ts'
import type { FailureLog } from './errors.ts'
import type { UserSettings } from './settings.ts'
import { type AgentDefinition, type AsideEvent, ClientTool, RUNTIME_ROLE } from './wire.ts'

/** Descriptions of the tools that clients execute on their machine. */

const number = (description: string) => ({ type: 'number', description })
const string = (description: string) => ({ type: 'string', description })
const choice = (...options: readonly string[]) => ({ type: 'string', enum: options })

const tool = (
  name: string,
  description: string,
  properties: Readonly<Record<string, unknown>> = {},
  required: readonly string[] = [],
): ToolDescription => ({ name, description, input: { type: 'object', properties, required } })

const at = { x: number('Pixels from the left edge of the screen'), y: number('Pixels from its upper edge') }

/** The built-in client tools. */
export const LOCAL_TOOLS: readonly ToolDescription[] = [
  tool(
    'mouse_control',
    'Move the pointer, click, or drag.',
    {
      action: choice('click', 'double_click', 'right_click', 'move', 'drag'),
      ...at,
      to_x: number('Where a drag ends'),
      to_y: number('Where a drag ends'),
    },
    ['action', 'x', 'y'],
  ),
  tool(
    'keyboard_control',
    'Type text, or press a key or a chord.',
    { action: choice('type', 'press'), text: string('What to type'), keys: string('A key or a chord, such as ctrl+s') },
    ['action'],
  ),
  tool('screenshot', 'Take a picture of the screen.'),
  tool(
    'scroll_control',
    'Turn the wheel.',
    { direction: choice('up', 'down'), amount: number('Notches of the wheel; 3 when left out'), ...at },
    ['direction'],
  ),
  tool('switch_window', 'Bring a window to the front.', { title: string('Some of its title') }, ['title']),
  tool('wait', 'Let time pass.', { seconds: number('How long') }, ['seconds']),
  tool('get_open_windows', 'List the windows, the front one first.'),
  tool('get_system_stats', 'Tell how busy the machine is.'),
  tool('open_app', 'Start a program.', { name: string('Its name') }, ['name']),
  tool('run_shell_command', 'Run a command and read its output.', { command: string('The command line') }, ['command']),
  tool('process', 'List or end processes.', { action: choice('list', 'kill'), pid: number('Which one') }, ['action']),
  tool('read_file', 'Read a text file.', { path: string('Where it is') }, ['path']),
  tool(
    'replace',
    'Replace text in a file.',
    { path: string('Where it is'), old_text: string('What stands there'), new_text: string('What is to stand there') },
    ['path', 'old_text', 'new_text'],
  ),
  tool(
    'browser',
    'Drive a web browser.',
    { action: choice('open', 'read', 'click', 'type'), url: string('An address') },
    ['action'],
  ),
]

/** The capabilities that tools need, if they can be disabled. */
const CAPABILITY_OF: ReadonlyMap<string, string> = new Map([
  ['web_search', 'web_search'],
  ['browser', 'browser'],
])

/** Returns whether a tool controls the desktop. */
export const isComputerUse = (name: string): boolean =>
  ['mouse_control', 'keyboard_control', 'screenshot', 'scroll_control', 'switch_window', 'wait'].includes(name)

/** A tool in the flat format of HTTP (WindieOS document, "prompt-preview"). */
export const flatTool = ({ name, description, input }: ToolDescription) => ({
  type: 'function' as const,
  name,
  description,
  parameters: { ...input },
})

/** A tool in the nested format of the socket (WindieOS document, "tool-schemas"). */
export const nestedTool = ({ name, description, input }: ToolDescription) => ({
  type: 'function' as const,
  function: { name, description, parameters: { ...input } },
})

/** Agent definitions: they narrow the server's tools, and add tools that the client executes. */

/** A tool of a session, and its executor. */
export interface OfferedTool extends ToolDescription {
  readonly where: 'client' | 'backend'
}

/** The accepted and rejected tools of a client. */
interface Manifest {
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
const validateDefinition = (definition: AgentDefinition | undefined, backend: readonly ToolDescription[]): Manifest =>
  validateManifest(definition?.tools?.client_manifest?.tools ?? [], reservedNames(backend))

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
