import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createTestbed, type ServeOptions, type TestbedOptions } from '../../compose/testbed.ts'

// Rules such as [REST19] are stated in README.md beside this file, those with Q in SPEC.md of the observer.

const closers: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of closers.splice(0).reverse()) await each.close()
})

type Body = Readonly<Record<string, unknown>>
type Headers = Readonly<Record<string, string>>

async function served(options: TestbedOptions, serving: ServeOptions = {}) {
  const testbed = await createTestbed(options)
  const { url } = await testbed.serveRest({ port: 0, ...serving })
  closers.push(testbed)
  const ask = async (method: string, path: string, body?: Body, headers: Headers = {}) => {
    const reply = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    return { status: reply.status, body: (text === '' ? {} : JSON.parse(text)) as Body }
  }
  return { testbed, url, ask }
}

const TOKEN = { 'x-harness-token': 'judge' }

describe('a server for agents', () => {
  it('[OB273] [REST19] offers harness tools and sessions to callers with the harness token only', async () => {
    const { ask } = await served({ tools: 'agent' }, { harnessToken: 'judge' })
    expect((await ask('POST', '/api/session/reset', {})).status).toBe(403)
    expect((await ask('POST', '/api/tool/session_reset', {})).status).toBe(403)
    expect((await ask('POST', '/api/session/reset', {}, { 'x-harness-token': 'guess' })).status).toBe(403)
    expect((await ask('POST', '/api/session/reset', {}, TOKEN)).status).toBe(200)
    expect((await ask('GET', '/api/windows')).status).toBe(200)
    for (const [method, path] of [
      ['POST', '/sessions'],
      ['GET', '/sessions'],
    ] as const) {
      expect([path, (await ask(method, path)).status]).toEqual([path, 403])
      expect([path, (await ask(method, path, undefined, TOKEN)).body.ok]).toEqual([path, true])
    }
    const names = async (headers?: Headers) => (await ask('GET', '/api/tools', undefined, headers)).body.tools
    expect(await names()).not.toContain('session_reset')
    expect(await names(TOKEN)).toContain('session_reset')
  })

  it('[OB273] never shows the token, and creates one for each session', async () => {
    const { ask } = await served({ tools: 'agent' }, { harnessToken: 'judge' })
    const opened = (await ask('POST', '/sessions', {}, TOKEN)).body
    expect(opened).toMatchObject({ audience: 'agent', harness_token: expect.stringMatching(/^[0-9a-f]{32}$/) })
    const own = { 'x-harness-token': String(opened.harness_token) }
    const reset = (headers?: Headers) => ask('POST', `${opened.base_url}/api/session/reset`, {}, headers)
    expect([(await reset()).status, (await reset(own)).status, (await reset(TOKEN)).status]).toEqual([403, 200, 200])
    expect((await ask('POST', '/api/session/reset', {}, own)).status).toBe(403)
    const listed = JSON.stringify((await ask('GET', '/sessions', undefined, TOKEN)).body)
    expect(listed).not.toContain(String(opened.harness_token))
    expect((await ask('DELETE', String(opened.base_url))).status).toBe(403)
    expect((await ask('DELETE', String(opened.base_url), undefined, own)).status).toBe(204)
  })

  it('[REST20] serves every tool on the port of the harness', async () => {
    const { testbed, ask } = await served({ tools: 'agent' })
    const harness = await testbed.serveRest({ port: 0, harnessOnly: true })
    expect((await ask('POST', '/api/session/reset', {})).status).toBe(403)
    const reset = await fetch(`${harness.url}/api/session/reset`, { method: 'POST' })
    expect(reset.status).toBe(200)
  })
})

describe('a session for an agent', () => {
  it('[OB273] has a token on a server for all, whose other sessions stay open to all', async () => {
    const { ask } = await served({})
    const { body } = await ask('POST', '/sessions', { audience: 'agent' })
    const { base_url, harness_token } = body as Readonly<Record<string, string>>
    const headers = { 'x-harness-token': harness_token! }
    expect((await ask('POST', `${base_url}/api/session/reset`, {})).status).toBe(403)
    expect((await ask('POST', `${base_url}/api/session/reset`, {}, headers)).status).toBe(200)
    expect((await ask('POST', '/api/session/reset', {})).status).toBe(200)
    expect((await ask('POST', '/sessions', {})).body).toMatchObject({ audience: 'all' })
    expect((await ask('POST', '/sessions', { audience: 'nobody' })).status).toBe(400)
  })

  it('[OB273] keeps its harness tools from sockets that do not have the token', async () => {
    const { url, ask } = await served({})
    const { base_url, session_id, harness_token } = (await ask('POST', '/sessions', { audience: 'agent' }))
      .body as Readonly<Record<string, string>>
    const reset = async (path: string, headers: Headers, call: Body) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}${path}/api/session/socket`, { headers })
      closers.push({ close: () => socket.terminate() })
      await once(socket, 'open')
      socket.send(JSON.stringify({ tool: 'session_reset', ...call }))
      return JSON.parse(String((await once(socket, 'message'))[0])).ok
    }
    expect(await reset(base_url!, {}, {})).toBe(false)
    expect(await reset('', {}, { session_id })).toBe(false)
    expect(await reset('', {}, {})).toBe(true)
    expect(await reset(base_url!, { 'x-harness-token': harness_token! }, {})).toBe(true)
  })
})
