import type OpenAI from 'openai'
import type { ImageContent } from '../../history/history.ts'
import type { ModelDialect, ModelPrompt } from '../dialect.ts'
import { type PromptTurn, promptTurns, systemTextOf } from '../turns.ts'
import { CompletionReader } from './openai-answer.ts'

type CompletionMessage = OpenAI.ChatCompletionMessageParam

/** OpenAI's chat completions, which many other endpoints implement too. */
export const openAiDialect: ModelDialect = {
  name: 'openai',
  defaultUrl: 'https://api.openai.com/v1',
  exampleUrl: 'http://127.0.0.1:11434/v1',
  urlVariable: 'OPENAI_BASE_URL',
  keyVariable: 'OPENAI_API_KEY',
  pastedPaths: ['/chat/completions'],
  path: () => '/chat/completions',
  headers: (key): Record<string, string> => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  body: ({ model, systemPrompt, context, tools }: ModelPrompt) => {
    const system = systemTextOf(systemPrompt, context)
    const messages = promptTurns(context, 'openai').flatMap(completionMessages)
    return {
      model,
      messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), ...messages],
      stream: true,
      stream_options: { include_usage: true },
      ...(tools.length > 0 && {
        tools: tools.map(({ name, description, input }) => ({
          type: 'function',
          function: { name, description, parameters: { ...input } },
        })),
      }),
    }
  },
  openReader: () => new CompletionReader(),
}

function completionMessages(turn: PromptTurn): CompletionMessage[] {
  if (turn.role === 'user') return [userMessage(turn.text, turn.images)]
  const { text, calls } = turn
  const images = calls.flatMap(({ result }) => result.images)
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ id, tool, args }) => ({
          id,
          type: 'function' as const,
          function: { name: tool, arguments: JSON.stringify(args) },
        })),
      }),
    },
    ...calls.map(({ id, result }) => ({ role: 'tool' as const, tool_call_id: id, content: result.text })),
    // Endpoints accept images only in user messages, so images of tools follow the results of all calls.
    ...(images.length === 0 ? [] : [userMessage('What the tools show:', images)]),
  ]
}

function userMessage(text: string, images: readonly ImageContent[]): CompletionMessage {
  if (images.length === 0) return { role: 'user', content: text }
  const pictures = images.map(({ mimeType, base64 }) => ({
    type: 'image_url' as const,
    image_url: { url: `data:${mimeType};base64,${base64}` },
  }))
  return { role: 'user', content: [{ type: 'text', text }, ...pictures] }
}
