import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createTestbed, type RestServer, type Testbed } from '../../compose/testbed.ts'
import { call } from '../../observer/call.ts'

// Rules such as [REST14] are stated in README.md beside this file.

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

async function served(options: { readonly token?: string } = {}): Promise<{ server: RestServer; testbed: Testbed }> {
  const testbed = await createTestbed()
  const server = await testbed.serveRest({ port: 0, ...options })
  opened.push(testbed, server)
  return { server, testbed }
}

const addressOf = ({ url }: RestServer, below = '') => `${url.replace('http', 'ws')}${below}/api/session/socket`

/** A client that sends one message at a time and waits for its response. */
async function talk(address: string) {
  const socket = new WebSocket(address)
  await once(socket, 'open')
  opened.push({ close: () => socket.terminate() })
  const sendMessage = async (message: unknown) => {
    const heard = once(socket, 'message')
    socket.send(typeof message === 'string' ? message : JSON.stringify(message))
    return JSON.parse(String((await heard)[0]))
  }
  return { socket, sendMessage }
}

/** The status of a socket that is not let in. */
const statusOf = (address: string, headers: Record<string, string> = {}): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(address, { headers })
    socket.once('open', () => reject(new Error('it was let in')))
    socket.once('unexpected-response', (_request, { statusCode }) => resolve(statusCode))
    socket.on('error', () => {})
  })

interface Message {
  readonly ok: boolean
  readonly step_id?: number
  readonly error?: { readonly code: string }
  readonly id?: unknown
}

const BOX = { element_id: 'root.6' }
const press = { tool: 'click_element', args: BOX }
const boxes = { tool: 'find_element', args: { selector: 'CheckBox' } }

describe('calls by WebSocket', () => {
  it('[REST14] answers a call as REST does, with its id', async () => {
    const { server } = await served()
    const { sendMessage } = await talk(addressOf(server))
    const answer = await sendMessage({ tool: 'list_windows', id: 7 })
    const { step_id, ...rest } = (await (await fetch(`${server.url}/api/windows`)).json()) as { step_id: number }
    expect(answer).toEqual({ ...rest, step_id: step_id - 1, id: 7 })
  })

  it('[REST14] answers a plain GET with 426', async () => {
    const { server } = await served()
    const reply = await fetch(addressOf(server).replace('ws', 'http'))
    expect([reply.status, reply.headers.get('upgrade'), await reply.text()]).toEqual([
      426,
      'websocket',
      expect.stringContaining('ws://'),
    ])
  })

  it('[REST14] answers trees and pictures in text frames with equal bytes for equal parts', async () => {
    const { server } = await served()
    const { socket } = await talk(addressOf(server))
    const step = { tool: 'session_step', args: { action: press, observe: 'tree', screenshot: true } }
    const heard = once(socket, 'message')
    socket.send(JSON.stringify([step, step, { tool: 'get_window_structure' }]))
    const [data, isBinary] = await heard
    expect(isBinary).toBe(false)
    const [first, second, shown] = JSON.parse(String(data))
    expect(second.observation.tree).toEqual(shown.tree)
    expect(first.observation.tree).not.toEqual(shown.tree)
    expect(Buffer.from(second.observation.screenshot_b64, 'base64').subarray(1, 4).toString()).toBe('PNG')
  })

  it('[REST15] sends raw pixels in binary frames after the answer, in the order of the calls', async () => {
    const { server } = await served()
    const { socket } = await talk(addressOf(server))
    const step = (screenshot_format: string, binary?: boolean) => ({
      tool: 'session_step',
      args: { action: press, observe: 'none', screenshot: true, screenshot_format },
      ...(binary !== undefined && { binary }),
    })
    const heard: { readonly data: Buffer; readonly isBinary: boolean }[] = []
    const isComplete = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer, isBinary: boolean) => {
        heard.push({ data, isBinary })
        if (heard.length === 3) resolve()
      })
    })
    socket.send(
      JSON.stringify([step('rgba', true), { tool: 'list_windows', binary: true }, step('rgb', true), step('rgba')]),
    )
    await isComplete
    expect(heard.map(({ isBinary }) => isBinary)).toEqual([false, true, true])
    const [first, , third, last] = JSON.parse(String(heard[0]!.data))
    const { width, height } = first.observation.screenshot
    expect([first, third].map(({ observation }) => observation.screenshot)).toEqual([
      { format: 'rgba', width, height, data: { frame: 0 } },
      { format: 'rgb', width, height, data: { frame: 1 } },
    ])
    // The third press leaves the box as the first did.
    expect(heard[1]!.data.toString('base64')).toBe(last.observation.screenshot.data)
    expect(heard[2]!.data).toHaveLength(width * height * 3)
  })

  it('[REST15] keeps nothing of the frames that it has sent', async () => {
    const { server } = await served()
    const { socket } = await talk(addressOf(server))
    const warnings: Error[] = []
    const warn = (warning: Error) => warnings.push(warning)
    process.on('warning', warn)
    opened.push({ close: () => process.off('warning', warn) })
    const args = { action: press, observe: 'none', screenshot: true, screenshot_format: 'rgba' }
    for (let sent = 0; sent < 12; sent++) {
      const frame = new Promise<void>((resolve) => {
        const read = (_: Buffer, isBinary: boolean) => {
          if (!isBinary) return
          socket.off('message', read)
          resolve()
        }
        socket.on('message', read)
      })
      socket.send(JSON.stringify({ tool: 'session_step', binary: true, args }))
      await frame
    }
    expect(warnings).toEqual([])
  })

  it('[REST14] makes the calls of a list in order, and answers each', async () => {
    const { sendMessage } = await talk(addressOf((await served()).server))
    const answers = await sendMessage([press, { tool: 'nothing', id: 'a' }, { args: {} }, 5, press, boxes])
    expect(answers.map(({ ok, step_id, error, id }: Message) => [ok, step_id, error?.code, id])).toEqual([
      [true, 1, undefined, undefined],
      [false, undefined, 'BadRequest', 'a'],
      [false, undefined, 'BadRequest', undefined],
      [false, undefined, 'BadRequest', undefined],
      [true, 2, undefined, undefined],
      [true, 3, undefined, undefined],
    ])
    expect(answers[2].error.message).toContain('tool')
  })

  it('[REST14] reaches other desktops, by path and by name', async () => {
    const { server, testbed } = await served()
    const reply = await fetch(`${server.url}/sessions`, { method: 'POST' })
    const { session_id, base_url } = (await reply.json()) as { session_id: string; base_url: string }
    const below = await talk(addressOf(server, base_url))
    const first = await talk(addressOf(server))
    await below.sendMessage(press)
    await first.sendMessage([{ ...press, session_id }, press])
    const received = await first.sendMessage([{ ...boxes, session_id: 'gone' }])
    expect([testbed.session.steps, received[0].error.code]).toEqual([1, 'SessionNotFound'])
    const listed = await fetch(`${server.url}/sessions`)
    const { sessions } = (await listed.json()) as { sessions: { session_id: string; step_count: number }[] }
    expect(sessions.find((each) => each.session_id === session_id)?.step_count).toBe(2)
  })

  it('[REST14] reports errors in a message and continues', async () => {
    const { sendMessage } = await talk(addressOf((await served()).server))
    const saying = async (message: unknown) => (await sendMessage(message)).error.message
    expect(await saying('{')).toContain('the message is not JSON')
    expect(await saying([])).toBe('a message has 1 to 1024 calls, not 0')
    expect(await saying(Array.from({ length: 1025 }, () => press))).toBe('a message has 1 to 1024 calls, not 1025')
    expect(await saying('null')).toContain('expected an object')
    expect((await sendMessage(press)).ok).toBe(true)
  })

  it('[REST14] applies the access rules of requests', async () => {
    const { server } = await served({ token: 'sesame' })
    const address = addressOf(server)
    expect(await statusOf(address)).toBe(401)
    expect(await statusOf(address, { authorization: 'Bearer sesame', origin: 'https://evil.example' })).toBe(403)
    expect(await statusOf(address, { authorization: 'Bearer sesame', host: 'evil.example' })).toBe(403)
    expect(await statusOf(`${address}s`, { authorization: 'Bearer sesame' })).toBe(404)
    const socket = new WebSocket(address, { headers: { authorization: 'Bearer sesame' } })
    opened.push({ close: () => socket.terminate() })
    await once(socket, 'open')
  })

  it('[REST16] closes on a message of more than 8 MiB', async () => {
    const { socket } = await talk(addressOf((await served()).server))
    socket.send(JSON.stringify({ tool: 'type_text', args: { text: 'x'.repeat(8 * 1024 * 1024) } }))
    expect((await once(socket, 'close'))[0]).toBe(1009)
  })

  it('[REST16] stops executing a list when its results reach 16 MiB', async () => {
    const { server, testbed } = await served()
    const { sendMessage } = await talk(addressOf(server))
    const answers = await sendMessage([...Array.from({ length: 200 }, () => ({ tool: 'get_screenshot' })), press])
    const refused = answers.filter(({ ok }: Message) => !ok)
    expect(refused.length).toBeGreaterThan(10)
    expect(answers.at(-1).error.code).toBe('TooLarge')
    expect([testbed.session.steps, testbed.session.lastActionId]).toEqual([201 - refused.length, null])
  })

  it('answers many messages in the order in which they came, and ends with the server', async () => {
    const { server } = await served()
    const { socket } = await talk(addressOf(server))
    const ids: unknown[] = []
    socket.on('message', (data) => ids.push(JSON.parse(String(data)).id))
    for (let id = 0; id < 300; id++) socket.send(JSON.stringify({ ...press, id }))
    while (ids.length < 300) await once(socket, 'message')
    expect(ids).toEqual(Array.from({ length: 300 }, (_, id) => id))
    const gone = once(socket, 'close')
    await server.close()
    await gone
  })
})

it('[OB270] a fork is refused until it can be reached', async () => {
  const testbed = await createTestbed()
  opened.push(testbed)
  const fork = async () => (await call(testbed.session, 'session_fork', {})).body
  expect(await fork()).toMatchObject({ ok: false, error: { code: 'PlatformUnsupported' } })
  const { url } = await testbed.serveRest({ port: 0 })
  expect((await fetch(`${url}${(await fork()).base_url}/api/windows`)).status).toBe(200)
})

describe('a connection', () => {
  const sendMessage = async ({ url }: RestServer, text: string) => {
    const { port, hostname } = new URL(url)
    const socket = connect(Number(port), hostname)
    opened.push({ close: () => socket.destroy() })
    socket.write(text)
    const [answer] = await once(socket, 'data')
    const [head, body] = String(answer).split('\r\n\r\n')
    return { status: Number(head!.split(' ')[1]), body: JSON.parse(body!) }
  }

  it('[REST18] that is not HTTP gets the standard error shape', async () => {
    const { server } = await served()
    const { status, body } = await sendMessage(server, 'EHLO mail\r\n\r\n')
    expect(status).toBe(400)
    expect(body).toMatchObject({ ok: false, success: false, error: { code: 'BadRequest' } })
    const long = await sendMessage(server, `GET /api/windows HTTP/1.1\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`)
    expect([long.status, long.body.error.code]).toEqual([431, 'BadRequest'])
  })

  it('[REST18] may offer HTTP/2', async () => {
    const { server } = await served()
    const offer =
      'Host: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ'
    const { status, body } = await sendMessage(server, `GET /api/monitors HTTP/1.1\r\n${offer}\r\n\r\n`)
    expect([status, body.ok]).toEqual([200, true])
  })

  it('[OB7] receives no terminal control characters, not even in echoed text', async () => {
    const { server } = await served()
    const scenario = '\u001b[31mred\u0007'
    const reply = await fetch(`${server.url}/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ scenario }),
    })
    const { error } = (await reply.json()) as { error: { context: { path: string } } }
    expect(error.context.path).toBe('red')
  })
})
