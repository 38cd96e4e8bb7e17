import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One response of the endpoint: chunks of a complete chat completion, a status, or any written bytes. */
export type EndpointReply = readonly unknown[] | number | ((response: ServerResponse) => unknown)

/** A test endpoint that returns its responses in order. The last response repeats. */
export async function startModelEndpoint(...replies: readonly EndpointReply[]) {
  const requests: Record<string, unknown>[] = []
  const headers: IncomingMessage['headers'][] = []
  const server = createServer(async (request, response) => {
    requests.push(JSON.parse(await textOf(request)))
    headers.push(request.headers)
    const reply = replies[Math.min(requests.length, replies.length) - 1] ?? 500
    if (typeof reply === 'number') return response.writeHead(reply).end('{"error":{"message":"secret"}}')
    if (typeof reply === 'function') return reply(response)
    streamChunks(...reply)(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    headers,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) text += String(part)
  return text
}

/** Writes a stream of chunks to its end. */
export const streamChunks =
  (...chunks: readonly unknown[]) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const one of chunks) response.write(`data: ${JSON.stringify(one)}\n\n`)
    response.end('data: [DONE]\n\n')
  }

export const completionChunk = (delta: unknown) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta }],
})

export const finishChunk = (finish_reason: string): unknown => ({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: {}, finish_reason }],
})

export const textChunks = (...texts: readonly string[]): unknown[] =>
  texts.map((content) => completionChunk({ content }))

export const reasoningChunk = (text: string): unknown => completionChunk({ reasoning_content: text })

export const usageChunk = (prompt_tokens: number, completion_tokens: number): unknown => ({
  id: 'c',
  choices: [],
  usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
})

/** A call whose arguments arrive in chunks. */
export const toolCallChunks = (index: number, id: string, name: string, ...pieces: readonly string[]): unknown[] => [
  completionChunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
  ...pieces.map((json) => completionChunk({ tool_calls: [{ index, function: { arguments: json } }] })),
]
