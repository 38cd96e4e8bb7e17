import type { ChatMessage } from '../../../agent/history/history.ts'
import type { ToolDescription } from '../../../agent/tools/toolbox.ts'
import type { AgentDefinition } from '../wire.ts'

/** What a model reads: the system prompt, and a person's message with what surrounds it. */

const OPENING = 'You are an assistant who works on a computer together with the person who owns it.'

/** What a system prompt is made of. */
export interface PromptParts {
  /** What the profile says of the agent. */
  readonly opening: string | undefined
  readonly definition: AgentDefinition | undefined
  readonly tools: readonly ToolDescription[]
  /** In place of the definition's own. */
  readonly workspacePath?: string | null | undefined
  readonly layers?: readonly { readonly content: string; readonly priority?: number | undefined }[] | null | undefined
  /** What is to be heeded in the workspace, as messages with a text each. */
  readonly instructions?: readonly unknown[] | null | undefined
}

/** The system prompt of a session, with the client's own layers behind it, and the instructions of its workspace. */
export function systemPrompt(prompting: PromptParts): string {
  const { opening = OPENING, definition, tools, workspacePath, layers, instructions } = prompting
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
  const heeded = (instructions ?? []).map((message) => (message as { readonly content?: unknown } | null)?.content)
  return [own, facts.join('\n'), ...added, ...heeded]
    .filter((part) => typeof part === 'string' && part !== '')
    .join('\n\n')
}

/** A message as it is shown for transparency. */
export interface FullMessage {
  readonly content: string
  readonly query: string
  readonly injectedContext: string
  readonly activeWindow: string | null
  readonly hasMemory: boolean
}

/** A person's message with the context that a client put around it; without any, the message alone in its tags. */
export function fullMessage(text: string, content: string | null | undefined): FullMessage {
  const full = content ? content : `<user_query>\n${escaped(text)}\n</user_query>`
  const context = placeOf(full, 'system_context')
  const injectedContext = context ? full.slice(...context) : ''
  return {
    content: full,
    query: text,
    injectedContext,
    activeWindow: inside(injectedContext, 'active_window') ?? null,
    hasMemory: ['episodic_memory', 'semantic_memory'].some((tag) => !/^(?:None)?$/.test(inside(full, tag) ?? '')),
  }
}

/** Whether a client says more to the model than the person did. */
export function hasExtraContext(content: string): boolean {
  const [start, end] = placeOf(content, 'user_query') ?? [0, 0]
  return (content.slice(0, start) + content.slice(end)).trim() !== ''
}

/** What the person asked, out of a message with context around it. */
export const extractQuery = (content: string): string => unescaped(inside(content, 'user_query') ?? content)

function inside(text: string, tag: string): string | undefined {
  const place = placeOf(text, tag)
  return place && text.slice(place[0] + tag.length + 2, place[1] - tag.length - 3).trim()
}

/** Where the first element with a tag begins and ends; searched for by hand, in one pass however often the tag is opened. */
function placeOf(text: string, tag: string): readonly [number, number] | undefined {
  const start = text.indexOf(`<${tag}>`)
  const end = start < 0 ? -1 : text.indexOf(`</${tag}>`, start)
  return end < 0 ? undefined : [start, end + tag.length + 3]
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** A stored message by role, kind and text, for histories that are handed to a client. */
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
