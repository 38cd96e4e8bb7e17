import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One answer of the endpoint: pieces of a chat completion, or a status. */
export type Reply = readonly unknown[] | number

/** An endpoint for tests that answers requests in turn; the last answer is given again. */
export async function endpoint(...replies: readonly Reply[]) {
  const requests: Record<string, unknown>[] = []
  const server = createServer(async (request, response) => {
    requests.push(JSON.parse(await textOf(request)))
    const reply = replies[Math.min(requests.length, replies.length) - 1] ?? 500
    if (typeof reply === 'number') return response.writeHead(reply).end('{"error":{"message":"secret"}}')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of reply) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
    response.end('data: [DONE]\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
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

const chunk = (delta: unknown) => ({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta }] })

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
