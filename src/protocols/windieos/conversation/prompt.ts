import type { ChatMessage } from '../../../agent/history/history.ts'
import type { ToolDescription } from '../../../agent/toolbox.ts'
import type { AgentDefinition } from '../wire.ts'

/** The model's input: the system prompt, and user messages with their context. */

const DEFAULT_OPENING = 'You are an assistant who works on a computer together with the person who owns it.'

/** The parts of a system prompt. */
export interface PromptParts {
  /** The profile's description of the agent. */
  readonly opening: string | undefined
  readonly definition: AgentDefinition | undefined
  readonly tools: readonly ToolDescription[]
  /** Overrides the workspace of the definition. */
  readonly workspacePath?: string | null | undefined
  readonly layers?: readonly { readonly content: string; readonly priority?: number | undefined }[] | null | undefined
  /** The instructions of the workspace, as messages with a text. */
  readonly instructions?: readonly unknown[] | null | undefined
}

/** The system prompt of a session, followed by the client's layers and the instructions of its workspace. */
export function systemPrompt(prompting: PromptParts): string {
  const { opening = DEFAULT_OPENING, definition, tools, workspacePath, layers, instructions } = prompting
  const prompt = definition?.system_prompt
  const runtime = definition?.runtime
  const own = prompt?.mode === 'replace' && prompt.content ? prompt.content : opening
  const workspace = workspacePath || runtime?.workspace_path
  const facts = [
    runtime?.operating_system && `Operating system: ${runtime.operating_system}`,
    workspace && `Workspace: ${workspace}`,
    tools.length > 0 && `Tools: ${tools.map(({ name }) => name).join(', ')}`,
  ].filter((line) => typeof line === 'string' && line !== '')
  const added = [...(definition?.prompt_layers ?? []), ...(definition?.agents_md ?? []), ...(layers ?? [])]
    .toSorted((one, other) => (one.priority ?? 0) - (other.priority ?? 0))
    .map(({ content }) => content)
  const guidance = (instructions ?? []).map((message) => (message as { readonly content?: unknown } | null)?.content)
  return [own, facts.join('\n'), ...added, ...guidance]
    .filter((part) => typeof part === 'string' && part !== '')
    .join('\n\n')
}

/** A message as transparency events show it. */
export interface FullMessage {
  readonly content: string
  readonly query: string
  readonly injectedContext: string
  readonly activeWindow: string | null
  readonly hasMemory: boolean
}

/** A user message with the context that the client added. Without context, the message in its tags. */
export function fullMessage(text: string, content: string | null | undefined): FullMessage {
  const full = content ? content : `<user_query>\n${escaped(text)}\n</user_query>`
  const context = rangeOf(full, 'system_context')
  const injectedContext = context ? full.slice(...context) : ''
  return {
    content: full,
    query: text,
    injectedContext,
    activeWindow: inside(injectedContext, 'active_window') ?? null,
    hasMemory: ['episodic_memory', 'semantic_memory'].some((tag) => !/^(?:None)?$/.test(inside(full, tag) ?? '')),
  }
}

/** Returns whether the client added context to the user's text. */
export function hasExtraContext(content: string): boolean {
  const [start, end] = rangeOf(content, 'user_query') ?? [0, 0]
  return (content.slice(0, start) + content.slice(end)).trim() !== ''
}

/** The user's text in a message with context. */
export const extractQuery = (content: string): string => unescaped(inside(content, 'user_query') ?? content)

function inside(text: string, tag: string): string | undefined {
  const range = rangeOf(text, tag)
  return range && text.slice(range[0] + tag.length + 2, range[1] - tag.length - 3).trim()
}

/** The range of the first element with a tag. The search is linear, regardless of the number of opening tags. */
function rangeOf(text: string, tag: string): readonly [number, number] | undefined {
  const start = text.indexOf(`<${tag}>`)
  const end = start < 0 ? -1 : text.indexOf(`</${tag}>`, start)
  return end < 0 ? undefined : [start, end + tag.length + 3]
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** A stored message as an entry of a client's history. */
export function historyEntry(message: ChatMessage) {
  switch (message.role) {
    case 'user':
      return { role: 'user', message_type: 'user_query', content: message.text }
    case 'assistant':
      return { role: 'assistant', message_type: 'assistant_response', content: message.text }
    case 'tool':
      return { role: 'tool', message_type: 'tool_output', content: message.text }
  }
}
