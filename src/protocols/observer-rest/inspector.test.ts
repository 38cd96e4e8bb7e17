import { describe, expect, it } from 'vitest'
import { createRestApp, openDesktop, type TestDesktopOptions } from '../../testing.ts'

// Rules such as [REST28] are stated in README.md beside this file.

async function served(options: TestDesktopOptions = {}) {
  const desk = openDesktop({ scenario: 'login', ...options })
  const app = await createRestApp(desk)
  const send = async (method: 'GET' | 'POST', url: string, headers = {}, payload = {}) => {
    const sent = { method, url, headers: { host: '127.0.0.1:5001', ...headers } }
    const reply = await app.inject(method === 'POST' ? { ...sent, payload } : sent)
    return { status: reply.statusCode, body: reply.json() }
  }
  return { desk, send }
}

describe('the caller of a request', () => {
  it('[REST28] is a person where the harness says so', async () => {
    const { desk, send } = await served({ config: { logging: { audit: true } } })
    await desk.call('trace_start')
    expect((await send('POST', '/api/tool/click_at', { 'x-caller': 'person' }, { x: 5, y: 5 })).status).toBe(200)
    expect((await send('POST', '/api/session/advance', { 'x-caller': 'person' }, { ms: 100 })).status).toBe(200)
    await send('POST', '/api/tool/click_at', {}, { x: 5, y: 5 })
    await desk.call('trace_stop')
    const rows = [...desk.artifacts].flatMap(([path, text]) => (path.endsWith('trace.jsonl') ? String(text) : []))
    expect([...rows.join('').matchAll(/"caller":"(\w+)"/g)].map(([, caller]) => caller)).toEqual([
      'person',
      'person',
      'rest',
    ])
    const audit = [...desk.artifacts].flatMap(([path, text]) => (path.endsWith('audit.log') ? String(text) : []))
    expect(audit.join('')).toContain('caller=person tool=click_at')
  })

  it('[REST28] is refused where it is no known one, or where an agent says so', async () => {
    const { send } = await served()
    const unknown = await send('POST', '/api/tool/click_at', { 'x-caller': 'robot' }, { x: 5, y: 5 })
    expect(unknown).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('X-Caller') } } })
    const agents = await served({ audience: 'agent', harnessToken: 'judge' })
    const click = (headers: object) => agents.send('POST', '/api/tool/click_at', headers, { x: 5, y: 5 })
    expect((await click({ 'x-caller': 'person' })).status).toBe(403)
    expect((await click({ 'x-caller': 'person', 'x-harness-token': 'judge' })).status).toBe(200)
  })
})

const EXPLAIN = '/api/inspector/explain?tool=press_key&args=%7B%22keys%22:%22Enter%22%7D'

describe('the inspector', () => {
  const PATHS = ['/api/inspector/screen', '/api/inspector/select?selector=Button', EXPLAIN]

  it.each(PATHS)('[REST29] is for the harness: %s', async (path) => {
    const { send } = await served({ audience: 'agent', harnessToken: 'judge' })
    expect((await send('GET', path)).body).toMatchObject({ ok: false, error: { code: 'PermissionDenied' } })
    expect((await send('GET', path, { 'x-harness-token': 'judge' })).body).toMatchObject({ ok: true })
  })

  it.each([
    '/api/inspector/screen?calls_after=x',
    '/api/inspector/screen?calls_after=-1',
    '/api/inspector/select',
    '/api/inspector/select?selector=Button&element_id=root',
    '/api/inspector/explain',
    '/api/inspector/explain?call=1&tool=click_at',
    '/api/inspector/explain?call=7',
    '/api/inspector/explain?tool=list_windows',
    '/api/inspector/explain?tool=click_at&args=5',
    '/api/inspector/explain?tool=click_at&args=%7B',
    '/api/inspector/explain?tool=click_at&args=%7B%22x%22:%22a%22%7D',
  ])('[REST29] rejects %s', async (path) => {
    const { send } = await served()
    expect(await send('GET', path)).toMatchObject({ status: 400, body: { ok: false, error: { code: 'BadRequest' } } })
  })
})
