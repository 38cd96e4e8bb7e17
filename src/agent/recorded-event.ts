import type { TracedEvent } from '../observer/trace/sidecar-files.ts'
import type { AgentEvent } from './events.ts'
import type { UserInput } from './run/run-context.ts'

/** What the engine takes or emits, as the trace of the desktop behind a conversation shows it. */
export type EngineEvent = Omit<TracedEvent, 'protocol' | 'conversation'>

/** A message of the user. Images are counted. The text is a `message`, because traces hide typed text by its name. */
export const inputEvent = (runId: string, { text, modelText, systemPrompt, images = [] }: UserInput): EngineEvent => ({
  direction: 'in',
  name: 'user_message',
  content: {
    run: runId,
    message: text,
    ...(modelText !== undefined && { model_message: modelText }),
    ...(systemPrompt !== undefined && { system_prompt: systemPrompt }),
    ...(images.length > 0 && { images: images.length }),
  },
})

/** An event that the engine emits. Undefined for the pieces of a message, since its end has the whole. */
export function outputEvent(event: AgentEvent): EngineEvent | undefined {
  if (event.type === 'text_delta' || event.type === 'thinking_delta' || event.type === 'tool_call_delta')
    return undefined
  const { type, runId, atMs: _, subagent, ...body } = event
  return {
    direction: 'out',
    name: type,
    content: { run: runId, ...(subagent && { subagent }), ...withMessage(body) },
    ...(type === 'run_ended' && { endsRun: true }),
  }
}

/** The text of a tool result is in its output. Other texts are messages. */
function withMessage(body: object): object {
  if (!('text' in body)) return body
  const { text, ...rest } = body
  return 'output' in rest ? rest : { ...rest, message: text }
}
