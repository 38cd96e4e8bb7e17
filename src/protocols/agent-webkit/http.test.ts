import { once } from 'node:events'
import { connect as dial } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { manualClock } from '../../../test/support/base/manual-clock.ts'
import { serve, type TestServerOptions } from '../../../test/support/protocols/serve.ts'
import { PHRASES } from '../../agent/script/builtin-script.ts'
import { readAuth } from './auth.ts'
import { type AgentWebkitOptions, agentWebkit } from './server.ts'

// What an ordinary HTTP client sees, byte by byte. Facts such as [W-F1] are listed in facts.ts.

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function start(options: Omit<AgentWebkitOptions, 'agent'> = {}, play: TestServerOptions = {}) {
  const server = await serve((agent, onBug) => agentWebkit({ agent, onBug, ...options }), play)
  closers.push(server.close)
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(server.url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  const create = async (body: unknown = {}): Promise<string> => {
    const made = (await (await call('POST', '/sessions', body)).json()) as { session_id: string }
    return made.session_id
  }
  const input = (id: string, message: unknown) => call('POST', `/sessions/${id}/input`, message)
  const sendMessage = (id: string, content: string) => input(id, { type: 'user_message', content })
  return { server, call, create, input, sendMessage }
}

/** Reads a stream until its text fits, then leaves. */
async function readUntil(
  url: string,
  fits: (text: string) => boolean,
  headers: Record<string, string> = {},
): Promise<string> {
  const leaving = new AbortController()
  const response = await fetch(url, { headers, signal: leaving.signal })
  if (response.status !== 200) return `status ${response.status}`
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    if (fits(text)) break
  }
  leaving.abort()
  return text
}

const detail = async (response: Response) => [response.status, await response.json()]

describe('the stream', () => {
  it('[W-F1] [W-F4] [W-F5] writes three lines and a blank one for each event', async () => {
    const { server, create, sendMessage } = await start(
      {},
      { script: { pace: { characters: [99, 99], ms: [0, 0] }, turns: [{ steps: [{ say: 'Grüße\nan alle' }] }] } },
    )
    const id = await create()
    await sendMessage(id, 'go')
    const text = await readUntil(`${server.url}/sessions/${id}/stream`, (seen) => seen.includes('event: result'))
    const frames = text.split('\n\n').filter((frame) => frame !== '')
    expect(frames).toHaveLength(4)
    for (const [index, frame] of frames.entries()) {
      const [first, second, third, ...more] = frame.split('\n')
      expect([first, more]).toEqual([`id: ${index + 1}`, []])
      expect(second).toMatch(/^event: [a-z_]+$/)
      expect(third).toMatch(/^data: \{.*\}$/)
    }
    expect(frames[1]).toContain(String.raw`"text":"Grüße\nan alle"`)
    expect(text).not.toContain('\r')
  })

  it('[W-F3] has the headers of an unbuffered event stream', async () => {
    const { server, create } = await start()
    const leaving = new AbortController()
    const response = await fetch(`${server.url}/sessions/${await create()}/stream`, { signal: leaving.signal })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      connection: 'keep-alive',
      'x-accel-buffering': 'no',
    })
    leaving.abort()
  })

  it('[W-F3] may be read by a page that may call', async () => {
    const { call, create } = await start({ origins: ['https://app.example'] })
    const headers = { origin: 'https://app.example' }
    const response = await call('GET', `/sessions/${await create()}/stream`, undefined, headers)
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example')
    await response.body!.cancel()
  })

  it('[W-E6] is not opened by HEAD, which would never read it', async () => {
    const { call, create } = await start()
    expect((await call('HEAD', `/sessions/${await create()}/stream`)).status).toBe(405)
  })

  it('[W-F2] is kept alive by a comment every 15 s, and stays open', async () => {
    const clock = manualClock()
    const { server, create, sendMessage } = await start({}, { clock })
    const id = await create()
    const reading = readUntil(`${server.url}/sessions/${id}/stream`, (seen) => seen.includes('event: result'))
    while (clock.sleepers < 2) await new Promise((resolve) => setImmediate(resolve))
    await clock.advance(14_999)
    await clock.advance(1)
    await clock.advance(15_000)
    await sendMessage(id, 'still there?')
    const text = await reading
    expect(text.split('\n\n').filter((frame) => frame === ': keepalive')).toHaveLength(2)
    expect(text).toContain('event: result')
  })

  it('[W-X1] refuses a cursor with a sign', async () => {
    const { call, create } = await start()
    const response = await call('GET', `/sessions/${await create()}/stream`, undefined, { 'last-event-id': '+1' })
    expect(response.status).toBe(400)
  })

  it.each(['9007199254740993', '9'.repeat(400)])('[W-X1] [W-R3] waits at the cursor %s', async (cursor) => {
    const { call, create } = await start()
    const response = await call('GET', `/sessions/${await create()}/stream`, undefined, { 'last-event-id': cursor })
    expect(response.status).toBe(200)
    await response.body!.cancel()
  })

  it('[W-X1] reads 01 as 1', async () => {
    const { server, create, sendMessage } = await start()
    const id = await create()
    await sendMessage(id, 'hi')
    const text = await readUntil(`${server.url}/sessions/${id}/stream`, (seen) => seen.includes('event: '), {
      'last-event-id': '01',
    })
    expect(text.slice(0, 6)).toBe('id: 2\n')
  })

  it('[W-R1] stores a thousand events by default', async () => {
    const { server, create, sendMessage } = await start()
    const id = await create()
    await sendMessage(id, 'answer endlessly')
    const url = `${server.url}/sessions/${id}/stream`
    await readUntil(url, (seen) => seen.includes('event: result') || seen.includes('"evicted"'))
    let text = ''
    while (!text.includes('event: result'))
      text = await readUntil(url, (seen) => seen.includes('event: result') || seen.length > 300_000)
    expect(text.match(/^id: /gm)).toHaveLength(1000)
    expect(text.startsWith('id: 9004\n')).toBe(true)
  })

  it('[W-X2] [W-R2] [W-R3] [W-R4] resumes exactly where the ring allows', async () => {
    const { server, create, sendMessage, call } = await start(
      { ringSize: 5 },
      {
        script: { pace: { characters: [9, 9], ms: [0, 0] }, turns: [{ steps: [{ say: ['a', 'b', 'c', 'd', 'e'] }] }] },
      },
    )
    const id = await create()
    const url = `${server.url}/sessions/${id}/stream`
    await sendMessage(id, 'go')
    const whole = await readUntil(url, (seen) => seen.includes('event: result'))
    const held = whole
      .split(/(?=^id: )/m)
      .slice(-5)
      .join('')
    const from = (cursor: string) =>
      readUntil(url, (seen) => seen.includes('event: result'), { 'last-event-id': cursor })
    expect(held.match(/^id: \d+/gm)).toEqual(['id: 4', 'id: 5', 'id: 6', 'id: 7', 'id: 8'])
    expect(await from('2')).toBe('status 412')
    expect(await from('3')).toBe(held)
    expect(await from('0')).toBe(held)
    expect(await from('')).toBe(held)
    expect(await readUntil(url, (seen) => seen.includes('event: result'))).toBe(held)
    expect(await from('6')).toBe(
      held
        .split(/(?=^id: )/m)
        .slice(3)
        .join(''),
    )
    expect(await detail(await call('GET', `/sessions/${id}/stream`, undefined, { 'last-event-id': '1' }))).toEqual([
      412,
      { detail: 'event 2 is no longer held; the oldest is 4' },
    ])
  })

  it('[W-R3] waits at the newest cursor, and beyond it until the number comes', async () => {
    const { server, create, sendMessage } = await start()
    const id = await create()
    const url = `${server.url}/sessions/${id}/stream`
    const newest = readUntil(url, (seen) => seen.includes('event: result'), { 'last-event-id': '1' })
    const beyond = readUntil(url, (seen) => seen.includes('event: result'), { 'last-event-id': '4' })
    await sendMessage(id, 'a message of some length')
    expect((await newest).slice(0, 6)).toBe('id: 2\n')
    expect((await beyond).slice(0, 6)).toBe('id: 5\n')
  })

  it('[W-X9] sends an error to a subscriber that falls behind the buffer, and ends', async () => {
    const script = {
      tools: [{ name: 'read_all', result: 'x'.repeat(200_000) }],
      turns: [{ steps: [{ repeat: { times: 80, steps: [{ delay: 1 }, { call: 'read_all' }] } }, { say: 'Done.' }] }],
    }
    const { server, create, sendMessage } = await start({ ringSize: 10 }, { script })
    const id = await create()
    const { hostname, port } = new URL(server.url)
    const socket = dial(Number(port), hostname)
    await once(socket, 'connect')
    socket.write(`GET /sessions/${id}/stream HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`)
    await sendMessage(id, 'go')
    await readUntil(`${server.url}/sessions/${id}/stream`, (seen) => seen.includes('event: result'), {
      'last-event-id': '320',
    })
    let tail = ''
    for await (const chunk of socket) {
      tail = (tail + String(chunk)).slice(-2000)
      if (tail.endsWith('\r\n0\r\n\r\n')) break
    }
    expect(tail).toMatch(/\n\r\n[0-9a-f]+\r\nevent: error\ndata: \{"code":"evicted"/)
  })
})

describe('input', () => {
  it.each([
    ['a block of an unknown kind', { type: 'user_message', content: [{ type: 'video' }] }],
    ['no answers', { type: 'question_response', correlation_id: 'x' }],
    [
      'answers nested without end',
      `{"type":"question_response","correlation_id":"x","answers":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    ],
  ])('[W-X3] [W-E3] refuses %s', async (_name, message) => {
    const { create, input, sendMessage, server } = await start()
    const id = await create()
    const response = await input(id, message)
    expect(await detail(response)).toEqual([400, { detail: expect.any(String) }])
    expect((await sendMessage(id, 'still fine')).status).toBe(204)
    expect(server.bugs).toEqual([])
  })

  it('[W-X7] refuses the message after 128 waiting ones', async () => {
    const { create, sendMessage } = await start()
    const id = await create()
    await sendMessage(id, 'run a command')
    const statuses: number[] = []
    for (let sent = 0; sent < 128; sent++) statuses.push((await sendMessage(id, 'wait')).status)
    expect(new Set(statuses)).toEqual(new Set([204]))
    const refused = await sendMessage(id, 'too much')
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      503,
      '1',
      { detail: '128 messages are waiting already; wait for an answer', code: 'backpressure' },
    ])
  })

  it('[W-T5] counts an approval with interrupt as an approval', async () => {
    const { server, create, input, sendMessage } = await start()
    const id = await create()
    await sendMessage(id, 'run a command')
    const url = `${server.url}/sessions/${id}/stream`
    const asked = await readUntil(url, (seen) => /permission_request\ndata: .*\n\n/.test(seen))
    const correlation_id = /"correlation_id":"([^"]+)"/.exec(asked)![1]
    const reply = { type: 'permission_response', correlation_id, behavior: 'allow', interrupt: true }
    expect((await input(id, reply)).status).toBe(204)
    expect(await readUntil(url, (seen) => seen.includes('event: result'))).toContain('"subtype":"success"')
  })

  it('refuses a body over the limit and stays up', async () => {
    const { create, input, sendMessage } = await start({ bodyLimit: 1000 })
    const id = await create()
    expect((await input(id, { type: 'user_message', content: 'x'.repeat(2000) })).status).toBe(413)
    expect((await sendMessage(id, 'small')).status).toBe(204)
  })

  it('does not disconnect a client that is still sending a too large body', async () => {
    const { server } = await start({ bodyLimit: 1000 })
    const { port, hostname } = new URL(server.url)
    const socket = dial(Number(port), hostname)
    socket.write(`POST /sessions HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: 2000000\r\n\r\n`)
    const [refusal] = await once(socket, 'data')
    expect(String(refusal)).toMatch(/^HTTP\/1.1 413 /)
    socket.end('x'.repeat(2_000_000))
    const [hadError] = await once(socket, 'close')
    expect(hadError).toBe(false)
  })
})

const image = (media_type: string, data: string) => ({ type: 'image', source: { type: 'base64', media_type, data } })

describe('sessions', () => {
  it('[W-E1] are made from an object whose keys are all optional', async () => {
    const { call } = await start()
    const made = await call('POST', '/sessions', { model: null, permission_mode: 'plan', cwd: '/', other: [1] })
    expect(await detail(made)).toEqual([
      200,
      { session_id: expect.stringMatching(/^[0-9a-f-]{36}$/), protocol_version: '1.0' },
    ])
    expect(await detail(await call('POST', '/sessions', { model: 7 }))).toEqual([
      422,
      { detail: [{ loc: ['body', 'model'], msg: expect.any(String), type: 'value_error' }] },
    ])
    expect((await call('POST', '/sessions', '')).status).toBe(200)
    expect((await call('POST', '/sessions', 'null')).status).toBe(422)
  })

  it('[W-E1] [W-M5] name a permission mode that does not exist', async () => {
    const { call, create } = await start()
    const [status, body] = await detail(await call('POST', '/sessions', { permission_mode: 'acceptEdit' }))
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringMatching(/permission_mode.*acceptEdits/)])
    const id = await create()
    const input = { type: 'set_permission_mode', mode: 'zzz' }
    expect(await detail(await call('POST', `/sessions/${id}/input`, input))).toEqual([
      400,
      { detail: expect.stringMatching(/^mode: expected one of default, acceptEdits/) },
    ])
  })

  it.each([
    ['', /a message needs content/],
    [[], /a message needs content/],
    [[{ type: 'text', text: '' }], /a message needs content/],
    [[image('text/plain', 'aGk=')], /content\[0\]\.source\.media_type: expected the type of an image/],
    [[image('image/png', '!!')], /content\[0\]\.source\.data: expected base64/],
    [[image('image/png', '')], /content\[0\]\.source\.data: expected base64/],
  ])('[W-M1] refuse the content %j', async (content, problem) => {
    const { call, create } = await start()
    const id = await create()
    const answer = await call('POST', `/sessions/${id}/input`, { type: 'user_message', content })
    expect(await detail(answer)).toEqual([400, { detail: expect.stringMatching(problem) }])
  })

  it('[W-X5] [W-E4] are unknown under an id of any length', async () => {
    const { call, sendMessage } = await start()
    const long = 'x'.repeat(5000)
    expect((await sendMessage(long, 'hi')).status).toBe(404)
    expect((await call('GET', `/sessions/${long}/stream`)).status).toBe(404)
    expect((await call('DELETE', `/sessions/${long}`)).status).toBe(204)
  })

  it('[W-T7] are removed without input and streams, and kept by an open stream', async () => {
    const clock = manualClock()
    const { call, create, server } = await start({}, { clock })
    const [lonely, watched] = [await create(), await create()]
    const leaving = new AbortController()
    const stream = await fetch(`${server.url}/sessions/${watched}/stream`, { signal: leaving.signal })
    await clock.advance(330_000)
    expect(stream.status).toBe(200)
    const input = (id: string) => call('POST', `/sessions/${id}/input`, { type: 'interrupt' })
    expect([(await input(lonely)).status, (await input(watched)).status]).toEqual([404, 204])
    leaving.abort()
  })

  it('[W-T6] end every live stream with a final done', async () => {
    const { server, create, sendMessage, call } = await start()
    const id = await create()
    await sendMessage(id, 'answer slowly')
    const whole = (async () => (await fetch(`${server.url}/sessions/${id}/stream`)).text())()
    await readUntil(`${server.url}/sessions/${id}/stream`, (seen) => seen.includes('message_delta'))
    await call('DELETE', `/sessions/${id}`)
    const text = await whole
    expect(text.endsWith('event: done\ndata: {}\n\n')).toBe(true)
    expect(text).not.toMatch(/event: (?:message_complete|result)/)
  })
})

it('[W-T6] a server without a store ends every stream with done', async () => {
  const { server, create, sendMessage } = await start()
  const ids = [await create(), await create()]
  await sendMessage(ids[0]!, 'answer slowly')
  const streams = await Promise.all(ids.map((id) => fetch(`${server.url}/sessions/${id}/stream`)))
  const whole = streams.map((stream) => stream.text())
  await server.close()
  for (const seen of await Promise.all(whole)) expect(seen.endsWith('event: done\ndata: {}\n\n')).toBe(true)
})

it('[W-E1] creates a session without a body, since every field is optional', async () => {
  const { call } = await start()
  const made = await call('POST', '/sessions')
  expect([made.status, await made.json()]).toEqual([200, { session_id: expect.any(String), protocol_version: '1.0' }])
})

it('[W-V2] [W-V3] a thought is sent when it is over, and stands before the text of its message', async () => {
  const { server, create, sendMessage } = await start({}, { script: [{ think: ['Hm', '.'] }, { say: ['Yes'] }] })
  const id = await create()
  await sendMessage(id, 'go')
  const text = await readUntil(`${server.url}/sessions/${id}/stream`, (seen) => seen.includes('event: result'))
  const data = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []))
  expect(data.slice(1, 3).map(({ delta }) => delta)).toEqual([
    { type: 'thinking', thinking: 'Hm.' },
    { type: 'text', text: 'Yes' },
  ])
  expect(data[3].message.content).toEqual([
    { type: 'thinking', thinking: 'Hm.' },
    { type: 'text', text: 'Yes' },
  ])
})

describe('the door', () => {
  it('[W-X6] asks for the token first of all', async () => {
    const { call } = await start({ auth: { disabled: false, token: 'secret' } })
    const status = async (authorization: string | undefined, path = '/sessions/unknown/input', body = '{') =>
      detail(await call('POST', path, body, authorization === undefined ? {} : { authorization }))
    expect(await status(undefined)).toEqual([401, { detail: 'Missing bearer token' }])
    expect(await status('Basic secret')).toEqual([401, { detail: 'Missing bearer token' }])
    expect((await status('bearer secret'))[0]).toBe(404)
    expect(await status('Bearer wrong')).toEqual([401, { detail: 'Invalid token' }])
    expect((await status('Bearer  secret '))[0]).toBe(404)
    expect((await status('Bearer secret', '/sessions', '{}'))[0]).toBe(200)
    expect((await call('POST', '/sessions?token=secret', '{}')).headers.get('www-authenticate')).toBe(null)
  })

  it.each([
    ['POST', '/%73essions'],
    ['GET', '/s%65ssions/unknown/stream'],
    ['POST', '/%73essions/unknown/input'],
    ['DELETE', '/%73essions/unknown'],
  ])('[W-X6] asks for the token of %s %s', async (method, path) => {
    const { call } = await start({ auth: { disabled: false, token: 'secret' } })
    const response = await call(method, path, method === 'POST' ? '{}' : undefined)
    expect(await detail(response)).toEqual([401, { detail: 'Missing bearer token' }])
  })

  it('[W-X6] rejects every caller when a token is required but not set', async () => {
    const { call } = await start({ auth: { disabled: false, token: undefined } })
    expect((await call('POST', '/sessions', '{}', { authorization: 'Bearer undefined' })).status).toBe(401)
  })

  it.each([
    [{}, { disabled: true }],
    [{ AGENT_WEBKIT_TOKEN: 't' }, { disabled: false, token: 't' }],
    [{ AGENT_WEBKIT_TOKEN: 't', AGENT_WEBKIT_NO_AUTH: '1' }, { disabled: true }],
  ])('[W-X6] reads the environment %j', (environment, auth) => {
    expect(readAuth(environment)).toEqual(auth)
  })

  it('[W-E5] shows the components to everyone, if there are any', async () => {
    const components = [{ name: 'chart', description: 'A chart.', schema: { type: 'object' } }]
    const auth = { disabled: false, token: 'secret' } as const
    const { call } = await start({ components, auth })
    expect(await detail(await call('GET', '/genui/schema'))).toEqual([
      200,
      {
        version: '1.0',
        server_name: 'genui',
        prefix: 'render_',
        tools: [
          {
            name: 'mcp__genui__render_chart',
            short_name: 'chart',
            raw_tool_name: 'render_chart',
            description: 'A chart.',
            schema: { type: 'object' },
          },
        ],
      },
    ])
    expect((await (await start()).call('GET', '/genui/schema')).status).toBe(404)
  })

  it('[W-E6] refuses other paths and other methods', async () => {
    const { call } = await start()
    expect(await detail(await call('GET', '/nowhere'))).toEqual([404, { detail: 'Not Found' }])
    expect(await detail(await call('PUT', '/sessions', '{}'))).toEqual([405, { detail: 'Method Not Allowed' }])
    const preflight = await call('OPTIONS', '/sessions', undefined, { origin: 'http://localhost:3000' })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([405, null])
  })

  it('accepts only pages of configured and local origins', async () => {
    const { call } = await start({ origins: ['https://app.example'] })
    const from = async (origin: string) => {
      const reply = await call('POST', '/sessions', '{}', { origin })
      return [reply.status, reply.headers.get('access-control-allow-origin')]
    }
    expect(await from('https://app.example')).toEqual([200, 'https://app.example'])
    expect(await from('http://localhost:5173')).toEqual([200, 'http://localhost:5173'])
    expect(await from('http://localhost.attacker.example')).toEqual([403, null])
    expect((await call('OPTIONS', '/sessions', undefined, { origin: 'https://app.example' })).status).toBe(204)
  })

  it('allows pages of configured origins to send the token', async () => {
    const { call } = await start({ origins: ['https://app.example'], auth: { disabled: false, token: 'secret' } })
    const preflight = await call('OPTIONS', '/sessions', undefined, { origin: 'https://app.example' })
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'authorization, content-type, last-event-id',
    ])
  })

  it('refuses foreign host names', async () => {
    const { server } = await start()
    const { port, hostname } = new URL(server.url)
    const socket = dial(Number(port), hostname)
    socket.write('GET / HTTP/1.1\r\nhost: rebound.example\r\nconnection: close\r\n\r\n')
    const [chunk] = await once(socket, 'data')
    socket.destroy()
    expect(String(chunk)).toMatch(/^HTTP\/1.1 403 /)
  })

  it('lists the phrase of each flow at its root', async () => {
    const { call } = await start()
    expect(await detail(await call('GET', '/'))).toMatchObject([200, { protocol: 'agent-webkit', phrases: PHRASES }])
  })
})
