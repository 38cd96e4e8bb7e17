import type { ServerResponse } from 'node:http'
import { createAgentClient, type DeliveredEvent } from '@agent-webkit/core'
import { afterEach, expect, it } from 'vitest'
import { startModelEndpoint, textChunks } from '../../../test/support/agent/model-endpoint.ts'
import { manualClock } from '../../../test/support/base/manual-clock.ts'
import { serve } from '../../../test/support/protocols/serve.ts'
import { endpointModel } from '../../agent/models/model-client.ts'
import { agentWebkit } from './server.ts'

// What the official client reads of a model whose endpoint exceeds its limits. Facts such as [W-X9] are listed in facts.ts.

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const BETWEEN_MS = 60_000

const begin = (response: ServerResponse, ...pieces: readonly unknown[]) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const piece of pieces) response.write(`data: ${JSON.stringify(piece)}\n\n`)
}

it.each([
  ['falls silent', 'model_timeout', (response: ServerResponse) => begin(response, ...textChunks('Half '))],
  [
    'never ends',
    'model_too_large',
    (response: ServerResponse) =>
      begin(response, ...textChunks('Half ', ...Array<string>(11).fill('x'.repeat(100_000)))),
  ],
] as const)('[W-X9] ends a turn whose endpoint %s with %s, and answers the next', async (_what, code, reply) => {
  const clock = manualClock()
  const { baseUrl, close } = await startModelEndpoint(reply, textChunks('Back.'))
  closers.push(close)
  const model = endpointModel({ baseUrl, model: 'm', clock, timeouts: { betweenMs: BETWEEN_MS } })
  const server = await serve((agent, onBug) => agentWebkit({ agent, onBug }), { model, clock })
  closers.push(server.close)
  const session = await createAgentClient({ baseUrl: server.url }).createSession()
  const seen: DeliveredEvent[] = []
  await session.send('go')
  for await (const event of session.events()) {
    seen.push(event)
    if (code === 'model_timeout' && event.event === 'message_delta') await clock.advance(BETWEEN_MS)
    if (event.event === 'result') break
  }
  const [message, error, result] = seen.slice(-3)
  expect(message).toMatchObject({
    event: 'message_complete',
    data: { message: { content: [{ type: 'text', text: expect.stringMatching(/^Half /) }] } },
  })
  expect(error).toMatchObject({ event: 'error', data: { code } })
  expect(result).toMatchObject({ data: { is_error: true } })
  await session.send('again')
  for await (const event of session.events()) {
    if (event.event !== 'result' || event.id <= result!.id) continue
    expect(event.data).toMatchObject({ is_error: false, result: 'Back.' })
    break
  }
  expect(server.bugs).toEqual([])
})
