import type OpenAI from 'openai'
import { isPicture, noteOfFile } from '../history/attachments.ts'
import type { ChatMessage, ImageContent, ModelContext } from '../history/history.ts'
import type { ToolDescription } from '../tools/toolbox.ts'

/** A message of OpenAI's chat completions. */
export type Param = OpenAI.ChatCompletionMessageParam

export const offered = ({ name, description, input }: ToolDescription): OpenAI.ChatCompletionTool => ({
  type: 'function',
  function: { name, description, parameters: { ...input } },
})

/** Returns the messages of a conversation. The summary of its older part follows the system prompt. */
export function promptOf(systemPrompt: string | undefined, { summary, messages }: ModelContext): Param[] {
  const system = [systemPrompt, summary?.text].filter((part) => part !== undefined && part !== '').join('\n\n')
  return [...(system === '' ? [] : [{ role: 'system' as const, content: system }]), ...historyMessages(messages)]
}

/** Endpoints accept images only in user messages, so images of tools follow the results of all calls. */
const toolImages = (images: readonly ImageContent[]): readonly Param[] =>
  images.length === 0 ? [] : [userMessage('What the tools show:', images)]

/** The text and images of a user message. */
function userMessage(text: string, images: readonly ImageContent[]): Param {
  if (images.length === 0) return { role: 'user', content: text }
  const others = images.filter(({ mimeType }) => !isPicture(mimeType))
  if (others.length > 0) {
    const described = [text, ...others.map((image) => noteOfFile(image))].join('\n')
    const pictures = images.filter(({ mimeType }) => isPicture(mimeType))
    return userMessage(described, pictures)
  }
  const pictures = images.map(({ mimeType, base64 }) => ({
    type: 'image_url' as const,
    image_url: { url: `data:${mimeType};base64,${base64}` },
  }))
  return { role: 'user', content: [{ type: 'text', text }, ...pictures] }
}

/** Converts earlier messages. Endpoints refuse calls without results and results without calls, so a missing result is empty. */
function historyMessages(messages: ModelContext['messages']): Param[] {
  const answered = new Set(messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : [])))
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []))
  const made = new Set(calls.map(({ id }) => id))
  return messages.flatMap((message, index): Param[] => {
    const lost = message.role === 'assistant' ? message.calls.filter((call) => !answered.has(call.id)) : []
    const isStray = message.role === 'tool' && !made.has(message.callId)
    return [
      isStray ? userMessage(`${message.tool}: ${message.text}`, []) : toParam(message),
      ...lost.map((call): Param => ({ role: 'tool', tool_call_id: call.id, content: '' })),
      ...(messages[index + 1]?.role === 'tool' ? [] : toolImages(picturesUpTo(messages, index))),
    ]
  })
}

/** Returns the images of the results that end at a message. */
function picturesUpTo(messages: ModelContext['messages'], index: number): readonly ImageContent[] {
  const message = messages[index]
  return message?.role === 'tool' ? [...picturesUpTo(messages, index - 1), ...(message.images ?? [])] : []
}

function toParam(message: ChatMessage): Param {
  switch (message.role) {
    case 'user':
      return userMessage(message.modelText ?? message.text, message.images ?? [])
    case 'assistant':
      return {
        role: 'assistant',
        content: message.text === '' ? null : message.text,
        ...(message.calls.length === 0
          ? {}
          : {
              tool_calls: message.calls.map(({ id, tool, args }) => ({
                id,
                type: 'function' as const,
                function: { name: tool, arguments: JSON.stringify(args) },
              })),
            }),
      }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text }
  }
}
