import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { afterEach, describe, expect, it } from 'vitest'
import { type CuttableServer, cuttableServer, sendJson } from '../../../test/support/adapters/remote-desktop.ts'
import { SELF_SIGNED } from '../../../test/support/adapters/self-signed.ts'
import type { Computer } from '../computer.ts'
import { parseRemoteAddress } from './connection.ts'
import { openRemoteComputer } from './remote.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const BOUNDS = { x: 0, y: 0, width: 10, height: 10 }
const WINDOW = { index: 0, window_uid: 'w', title: 'W', bounds: BOUNDS, focused: true }

/** The answers of a small observer. */
const healthy: Answer = ({ url = '' }, response) => {
  if (url === '/api/healthz') return sendJson(response, { ok: true, adapter: 'Small', version: '1' })
  if (url === '/api/windows') return sendJson(response, { ok: true, windows: [WINDOW] })
  if (url === '/api/action') return sendJson(response, { success: true, action: 'type' })
  return sendJson(response, { error: 'no such page' }, 404)
}

/** A server that answers as `first`, and a function that changes the answers. */
async function served(first: Answer = healthy): Promise<CuttableServer & { answer(next: Answer): void }> {
  let current = first
  const server = await cuttableServer((request, response) => current(request, response))
  open.push(server)
  return {
    ...server,
    requests: server.requests,
    answer(next) {
      current = next
    },
  }
}

const TIMEOUTS = { helloMs: 2000, readMs: 300, actMs: 300 }

async function connected(url: string): Promise<Computer> {
  const computer = await openRemoteComputer({ url, timeouts: TIMEOUTS })
  open.push(computer)
  return computer
}

const destroyed: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
  response.write('{"ok":true,"windows":[')
  setImmediate(() => response.destroy())
}
const silent: Answer = () => {}
/** Sends one byte after the other, and never ends. */
const slow: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 20)
  response.on('close', () => clearInterval(timer))
}

const LOST = { code: 'Timeout', row: { retry: true }, remedy: 'list_windows', context: { connection: 'lost' } }

describe('a connection that is lost', () => {
  it('[RM12] is a fault to retry, and the next call after a restart connects again', async () => {
    const server = await served()
    const computer = await connected(server.url)
    await server.cut()
    await expect(computer.windows()).rejects.toMatchObject({
      ...LOST,
      message: `the other server, ${server.url}, is not running: the connection was refused; the next call connects again`,
    })
    await server.restart()
    expect(await computer.windows()).toMatchObject([{ uid: 'w' }])
  })

  it.each([
    ['destroyed', destroyed, 'closed the connection before it had answered'],
    ['silent', silent, 'did not answer within 0.3 s'],
    ['slow', slow, 'did not answer within 0.3 s'],
  ])('[RM12] is a fault to retry when an answer is %s', async (_, answer, what) => {
    const server = await served()
    const computer = await connected(server.url)
    server.answer(answer)
    await expect(computer.windows()).rejects.toMatchObject({ ...LOST, message: expect.stringContaining(what) })
    server.answer(healthy)
    expect(await computer.windows()).toMatchObject([{ uid: 'w' }])
  })

  it('[RM12] is not noticed by a read if only an idle connection was closed', async () => {
    const server = await served()
    const computer = await connected(server.url)
    await server.cut()
    await server.restart()
    expect(await computer.windows()).toMatchObject([{ uid: 'w' }])
  })

  it.each([
    ['destroyed', destroyed],
    ['silent', silent],
  ])('[RM13] during an action whose answer is %s is not repeated, and the fault says so', async (_, answer) => {
    const server = await served()
    const computer = await connected(server.url)
    server.answer(answer)
    await expect(computer.perform({ type: 'type', text: 'once' })).rejects.toMatchObject({
      ...LOST,
      message: expect.stringContaining('the action may have been performed: observe before you repeat it'),
    })
    expect(server.requests.filter((request) => request === 'POST /api/action')).toHaveLength(1)
  })

  it("[RM9] during an action ends at once with the operator's stop", async () => {
    const server = await served()
    const computer = await openRemoteComputer({ url: server.url })
    open.push(computer)
    const arrived = new Promise<void>((resolve) => server.answer(() => resolve()))
    const typing = computer.perform({ type: 'type', text: 'long' })
    await arrived
    server.answer(healthy)
    computer.abort?.({ closing: true })
    await expect(typing).rejects.toMatchObject({ code: 'PermissionDenied' })
  })
})

describe('a server that is no observer', () => {
  const html: Answer = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>')
  }
  const page404: Answer = (_, response) => {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<html>not found</html>')
  }
  const status =
    (code: number, body: object): Answer =>
    (_, response) =>
      sendJson(response, body, code)
  const firstVersion: Answer = ({ url = '' }, response) =>
    sendJson(response, url === '/api/windows' ? { windows: [{ index: 0, title: 'W' }] } : { adapter: 'Old' })

  it.each<[string, Answer, string, string]>([
    ['a web page', html, 'PlatformUnsupported', 'sent a web page; the URL must be that of an observer'],
    ['404', page404, 'PlatformUnsupported', 'has no GET /api/healthz'],
    ['another JSON object', status(200, { ok: true }), 'PlatformUnsupported', 'without an adapter'],
    ['a list', status(200, [] as object), 'PlatformUnsupported', 'sent no JSON object'],
    ['401', status(401, { error: 'who are you?' }), 'PermissionDenied', 'put it into BACKLOT_REMOTE_TOKEN'],
    ['403', status(403, { error: 'not from here' }), 'PermissionDenied', 'refuses this client: not from here'],
    ['500', status(500, { error: 'broken' }), 'PlatformUnsupported', 'failed: broken'],
    ['version 1', firstVersion, 'PlatformUnsupported', 'lists windows without window_uid'],
  ])('[RM2] is refused at the start: %s', async (_, answer, code, message) => {
    const server = await served(answer)
    await expect(openRemoteComputer({ url: server.url, timeouts: TIMEOUTS })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    })
  })

  it('[RM2] is refused at the start: nothing answers', async () => {
    const server = await served(silent)
    await expect(openRemoteComputer({ url: server.url, timeouts: { helloMs: 200 } })).rejects.toMatchObject({
      code: 'PlatformUnsupported',
      message: `the other server, ${server.url}, did not answer within 0.2 s`,
    })
    await server.cut()
    await expect(openRemoteComputer({ url: server.url })).rejects.toMatchObject({
      code: 'PlatformUnsupported',
      message: `the other server, ${server.url}, is not running: the connection was refused`,
    })
  })

  it('[RM2] is refused at the start: an unknown host, a reserved port, and https on a port of http', async () => {
    const server = await served()
    const refused = (url: string) => openRemoteComputer({ url }).catch((error: Error) => error.message)
    expect(await refused('http://no-such-host.invalid:5001')).toMatch(/cannot be found/)
    expect(await refused('http://127.0.0.1:6000')).toMatch(/a port that is reserved for another service/)
    expect(await refused(server.url.replace('http:', 'https:'))).toMatch(/does not speak TLS/)
  })
})

describe('malformed answers', () => {
  it.each([
    ['windows', '/api/windows', { windows: [{ window_uid: 'w', bounds: 'wide' }] }, 'a malformed list of windows'],
    ['windows', '/api/windows', { windows: new Array(1001).fill(WINDOW) }, 'a malformed list of windows'],
    ['trees', '/api/structure', { window_uid: 'w', tree: { id: 'root', role: 'Window' } }, 'a malformed tree'],
    ['monitors', '/api/monitors', { monitors: [{}] }, 'a malformed list of monitors'],
    ['pictures', '/api/screenshot', { window_uid: 'w', data: 'R0lGODdh' }, 'no PNG where a picture was expected'],
  ] as const)('[RM10] of %s are faults of the other server', async (what, path, answer, message) => {
    const server = await served()
    const computer = await connected(server.url)
    server.answer((request, response) =>
      request.url?.startsWith(path) ? sendJson(response, answer) : healthy(request, response),
    )
    const read = {
      windows: () => computer.windows(),
      trees: () => computer.tree('w'),
      monitors: () => computer.monitors(),
      pictures: () => computer.screenshot({ window: 'w' }),
    }[what]
    await expect((async () => read())()).rejects.toMatchObject({
      code: 'PlatformUnsupported',
      message: expect.stringContaining(message),
    })
  })
})

describe('the URL of the other server', () => {
  it.each([
    ['http://desk:5001', { base: 'http://desk:5001', server: 'http://desk:5001', exposed: true }],
    ['https://desk/', { base: 'https://desk', server: 'https://desk', exposed: false }],
    ['http://[::1]:5001', { base: 'http://[::1]:5001', server: 'http://[::1]:5001', exposed: false }],
    [
      'http://127.0.0.1:5001/sessions/s-1/',
      { base: 'http://127.0.0.1:5001/sessions/s-1', server: 'http://127.0.0.1:5001', exposed: false },
    ],
    [
      'https://desk/behind/proxy',
      { base: 'https://desk/behind/proxy', server: 'https://desk/behind/proxy', exposed: false },
    ],
  ])('[RM2] %s is accepted', (text, address) => {
    expect(parseRemoteAddress(text)).toEqual(address)
  })

  it.each([
    ['desk', 'is not a URL; give one such as http://host:5001'],
    ['ws://desk:5001', 'give a URL of http or https'],
    ['file:///etc/passwd', 'give a URL of http or https'],
    ['http://desk:5001/?token=x', 'it has a query or a fragment'],
  ])('[RM2] %s is refused', (text, message) => {
    expect(() => parseRemoteAddress(text)).toThrow(
      expect.objectContaining({ code: 'BadRequest', message: expect.stringContaining(message) }),
    )
  })

  it('[RM2] with credentials is refused, without repeating them', () => {
    const refused = (() => {
      try {
        return parseRemoteAddress('http://ada:lovelace@desk:5001')
      } catch (thrown) {
        return thrown as Error
      }
    })()
    expect(refused).toMatchObject({ code: 'BadRequest', message: expect.stringContaining('BACKLOT_REMOTE_TOKEN') })
    expect((refused as Error).message).not.toMatch(/ada|lovelace/)
  })
})

describe('a URL of https', () => {
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  afterEach(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
  })

  it('[RM2] is used with a trusted certificate only', async () => {
    const server = createServer(SELF_SIGNED, ({ url }, response) => {
      if (url === '/api/healthz') return sendJson(response, { ok: true, adapter: 'Small' })
      if (url === '/api/windows') return sendJson(response, { windows: [] })
      return sendJson(response, { error: 'no such page' }, 404)
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const url = `https://127.0.0.1:${(server.address() as { port: number }).port}`
    try {
      await expect(openRemoteComputer({ url })).rejects.toMatchObject({
        code: 'PlatformUnsupported',
        message: `the other server, ${url}, has a certificate that is not trusted; NODE_EXTRA_CA_CERTS=FILE trusts further ones`,
      })
      // Node reads NODE_EXTRA_CA_CERTS once, at its start.
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
      const computer = await openRemoteComputer({ url })
      expect(await computer.windows()).toEqual([])
      await computer.close()
    } finally {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    }
  })
})
