import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { fromPixels } from '../paint/picture.ts'
import { openaiVision } from './openai-vision.ts'

// Rules such as [PC15] are stated in SPEC.md beside this file.

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

type Handler = (request: IncomingMessage, reply: ServerResponse, body: string) => void

/** An endpoint for one test, with the paths of its requests. */
async function serve(handler: Handler, settings: { timeoutMs?: number; key?: string } = {}) {
  const asked: string[] = []
  server = createServer(async (request, reply) => {
    asked.push(request.url ?? '')
    let body = ''
    for await (const piece of request) body += piece
    handler(request, reply, body)
  })
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { timeoutMs = 5000, key } = settings
  return { asked, vision: openaiVision({ baseUrl, model: 'm', key, maxTokens: 10, temperature: 0, timeoutMs }) }
}

const picture = (width = 4, height = 2) => fromPixels(width, height, new Uint8Array(width * height * 4).fill(255))

const say = (reply: ServerResponse, value: unknown, status = 200) =>
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

const ANSWER = { choices: [{ message: { content: 'a login form' } }], usage: { total_tokens: 42 } }

it('[PC15] tries the second path when the first does not exist, and remembers it', async () => {
  const { asked, vision } = await serve((request, reply) =>
    request.url === '/v1/chat/completions' ? say(reply, ANSWER) : say(reply, {}, 404),
  )
  expect(await vision.describe(picture(), 'what is it?')).toEqual({ text: 'a login form', tokens: 42 })
  await vision.describe(picture(), 'and now?')
  expect(asked).toEqual(['/api/v1/chat/completions', '/v1/chat/completions', '/v1/chat/completions'])
})

it('[PC16] sends the key, the question and a picture of limited size', async () => {
  let received: { authorization: string | undefined; body: string } | undefined
  const { vision } = await serve(
    (request, reply, body) => {
      received = { authorization: request.headers.authorization, body }
      say(reply, ANSWER)
    },
    { key: 'k3y' },
  )
  await vision.describe(picture(3200, 20), 'what is it?')
  const sent = JSON.parse(received!.body)
  const [question, image] = sent.messages[0].content
  const png = Buffer.from(image.image_url.url.replace('data:image/png;base64,', ''), 'base64')
  expect({ authorization: received!.authorization, model: sent.model, question, width: png.readUInt32BE(16) }).toEqual({
    authorization: 'Bearer k3y',
    model: 'm',
    question: { type: 'text', text: 'what is it?' },
    width: 1600,
  })
})

it('[PC16] follows no redirect', async () => {
  const { asked, vision } = await serve((_request, reply) => reply.writeHead(302, { location: '/elsewhere' }).end())
  await expect(vision.describe(picture(), 'x')).rejects.toMatchObject({ code: 'PlatformUnsupported' })
  expect(asked).toEqual(['/api/v1/chat/completions'])
})

it.each<[string, Handler]>([
  ['a server error', (_request, reply) => say(reply, { error: 'no' }, 500)],
  ['text that is not JSON', (_request, reply) => reply.end('<html>')],
  ['an answer without text', (_request, reply) => say(reply, { choices: [] })],
  ['an answer without end', (_request, reply) => reply.end(Buffer.alloc(1024 * 1024 + 1, 'x'))],
])('[PC17] answers PlatformUnsupported to %s, without the key', async (_what, handler) => {
  const { vision } = await serve(handler, { key: 'k3y' })
  const error = await vision.describe(picture(), 'x').catch((thrown) => thrown)
  expect(error).toMatchObject({ code: 'PlatformUnsupported' })
  expect(JSON.stringify([error.message, error.context])).not.toContain('k3y')
})

it('[PC17] answers Timeout when no response arrives in time', async () => {
  const { vision } = await serve(() => {}, { timeoutMs: 50 })
  await expect(vision.describe(picture(), 'x')).rejects.toMatchObject({ code: 'Timeout' })
})
