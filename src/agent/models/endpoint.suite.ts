import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One answer of the endpoint: pieces of a chat completion that is finished, a status, or whatever is written. */
export type Reply = readonly unknown[] | number | ((response: ServerResponse) => unknown)

/** An endpoint for tests that answers requests in turn; the last answer is given again. */
export async function endpoint(...replies: readonly Reply[]) {
  const requests: Record<string, unknown>[] = []
  const headers: IncomingMessage['headers'][] = []
  const server = createServer(async (request, response) => {
    requests.push(JSON.parse(await textOf(request)))
    headers.push(request.headers)
    const reply = replies[Math.min(requests.length, replies.length) - 1] ?? 500
    if (typeof reply === 'number') return response.writeHead(reply).end('{"error":{"message":"secret"}}')
    if (typeof reply === 'function') return reply(response)
    streamed(...reply)(response)
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
  for await (const chunk of request) text += String(chunk)
  return text
}

/** Writes a stream of pieces to its end. */
export const streamed =
  (...chunks: readonly unknown[]) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const one of chunks) response.write(`data: ${JSON.stringify(one)}\n\n`)
    response.end('data: [DONE]\n\n')
  }

export const chunk = (delta: unknown) => ({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta }] })

export const finish = (finish_reason: string): unknown => ({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: {}, finish_reason }],
})

export const said = (...texts: readonly string[]): unknown[] => texts.map((content) => chunk({ content }))

export const thought = (text: string): unknown => chunk({ reasoning_content: text })

export const used = (prompt_tokens: number, completion_tokens: number): unknown => ({
  id: 'c',
  choices: [],
  usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
})

/** A call whose arguments come in pieces. */
export const called = (index: number, id: string, name: string, ...pieces: readonly string[]): unknown[] => [
  chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
  ...pieces.map((json) => chunk({ tool_calls: [{ index, function: { arguments: json } }] })),
]
