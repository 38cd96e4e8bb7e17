import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openSummarizer } from './open-perception.ts'
import { extractiveSummarizer, openaiSummarizer } from './summarizers.ts'

// Rules such as [PC28] are stated in SPEC.md beside this file.

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** An endpoint with a fixed reply or status, and its received requests. */
async function endpoint(response: string | number, timeoutMs?: number) {
  const asked: { path: string; key: string | undefined; system: string; user: string }[] = []
  server = createServer(async (request, reply) => {
    let body = ''
    for await (const piece of request) body += piece
    const [system, user] = JSON.parse(body).messages
    const { authorization: key } = request.headers
    asked.push({ path: request.url ?? '', key, system: system.content, user: user.content })
    if (response === 0) return
    if (typeof response === 'number') return void reply.writeHead(response).end('{}')
    const answer = { choices: [{ index: 0, message: { role: 'assistant', content: response }, finish_reason: 'stop' }] }
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const more = timeoutMs === undefined ? {} : { timeoutMs }
  return { asked, baseUrl, summarizer: openaiSummarizer({ model: 'm', key: 's3cret', baseUrl, ...more }) }
}

describe('the summarizer behind an endpoint', () => {
  it.each([
    ['{"summary": "Tea.", "facts": ["Likes tea."]}', { summary: 'Tea.', facts: ['Likes tea.'] }],
    ['```json\n{"summary": "Tea."}\n```', { summary: 'Tea.', facts: [] }],
    ['They talked about tea.', { summary: 'They talked about tea.', facts: [] }],
    ['Use {braces} freely.', { summary: 'Use {braces} freely.', facts: [] }],
  ])('[PC28] summarizes %j', async (content, summary) => {
    const { summarizer, asked } = await endpoint(content)
    expect(await summarizer.summarize(['User: I like tea.', 'User: And cake.'])).toEqual(summary)
    expect(asked).toEqual([
      {
        path: '/v1/chat/completions',
        key: 'Bearer s3cret',
        system: expect.stringContaining('JSON'),
        user: 'Conversation 1:\nUser: I like tea.\n\nConversation 2:\nUser: And cake.',
      },
    ])
  })

  it('[PC28] returns a title of one line without quotation marks', async () => {
    const { summarizer } = await endpoint('"Green tea for beginners."\nI hope you like it.')
    expect(await summarizer.title('What about tea?', 'Well.')).toBe('Green tea for beginners')
  })

  it.each([
    [401, undefined, 'the model that summarizes answered 401'],
    [0, 50, 'the model that summarizes cannot be reached'],
    ['  ', undefined, 'the model that summarizes returned no text'],
  ])('[PC28] is unsupported for an endpoint that answers %j', async (content, timeoutMs, message) => {
    const { summarizer } = await endpoint(content, timeoutMs)
    const failure = await summarizer.title('a', 'b').catch((thrown) => thrown)
    expect(failure).toMatchObject({ code: 'PlatformUnsupported', message })
    expect(JSON.stringify({ ...failure, message })).not.toContain('s3cret')
  })
})

describe('the default summarizer', () => {
  it('[PC27] is the built-in one, unless a model is named', async () => {
    expect(openSummarizer({})).toBe(extractiveSummarizer)
    const environment = { WINDIEOS_SUMMARY_MODEL: 'small', OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:1' }
    expect(openSummarizer(environment).name).toBe('openai:small')
  })
})
