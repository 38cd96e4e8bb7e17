import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import zlib from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import * as z from 'zod'
import type { Contract } from '../contract/contract.ts'
import { quoteWord, runCommand } from './command.ts'
import { describeMismatch } from './failure.ts'
import { createRecorder } from './frame.ts'
import { createHttpProbe } from './http.ts'
import { openMcpClient } from './mcp.ts'
import { openStream } from './sse.ts'
import { openSocket } from './websocket.ts'

const contract: Contract = {
  protocol: 'navi',
  operations: {
    'GET /things/{id}': { covers: ['A'], source: 'here', responses: { 200: z.looseObject({ id: z.string() }) } },
    'GET /things/all': { covers: ['A'], source: 'here', responses: { 200: z.array(z.string()) } },
  },
  events: { tick: { covers: ['B'], source: 'here', schema: z.looseObject({ n: z.number() }) } },
  messages: { say: { covers: ['C'], source: 'here', schema: z.looseObject({ type: z.literal('say') }) } },
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function serve(listener: http.RequestListener): Promise<{ url: string; server: http.Server }> {
  const server = http.createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function probe(listener: http.RequestListener, token?: string) {
  const { url, server } = await serve(listener)
  const record = createRecorder()
  const client = createHttpProbe({ url, contract, recorder: record, responseTimeoutMs: 300, ...(token && { token }) })
  closing.push(() => client.close())
  return { client, record, url, server }
}

describe('the HTTP probe', () => {
  it('records requests and responses with their operation', async () => {
    const { client, record } = await probe((_, response) => response.end('{"id":"7"}'))
    await client.get('/things/7?x=1')
    await client.get('/things/all')
    expect(record.frames.map(({ direction, title, shape }) => [direction, title, shape])).toEqual([
      ['sent', 'GET /things/7?x=1', undefined],
      ['received', '200 to GET /things/7?x=1', 'GET /things/{id} 200'],
      ['sent', 'GET /things/all', undefined],
      ['received', '200 to GET /things/all', 'GET /things/all 200'],
    ])
  })

  it('sends the token, and never records it', async () => {
    let seen: string | undefined
    const { client, record } = await probe((request, response) => {
      seen = request.headers.authorization
      response.end('{}')
    }, 'geheim')
    await client.get('/things/1')
    expect(seen).toBe('Bearer geheim')
    expect(JSON.stringify(record.frames)).not.toContain('geheim')
  })

  it('sends a foreign Host', async () => {
    const { client } = await probe((request, response) => response.end(JSON.stringify({ host: request.headers.host })))
    const answer = await client.get('/', { headers: { Host: 'evil.example' } })
    expect(answer.json()).toEqual({ host: 'evil.example' })
  })

  it('uses a connection again, unless it was idle for more than a second', async () => {
    const { client, server } = await probe((_, response) => response.end('{}'))
    let connections = 0
    server.on('connection', () => connections++)
    const now = vi.spyOn(performance, 'now')
    closing.push(() => now.mockRestore())
    const counted: number[] = []
    for (const passedMs of [0, 900, 1900, 2901]) {
      now.mockReturnValue(10_000 + passedMs)
      await client.get('/things/1')
      counted.push(connections)
    }
    expect(counted).toEqual([1, 1, 1, 2])
  })

  it.each(['gzip', 'deflate', 'br'] as const)(
    'reads an answer in %s, with any spelling of its media type',
    async (coding) => {
      const coders = { gzip: zlib.gzipSync, deflate: zlib.deflateSync, br: zlib.brotliCompressSync }
      const { client } = await probe((_, response) => {
        response.writeHead(200, { 'Content-Type': 'Application/JSON ;Charset="UTF-8"', 'Content-Encoding': coding })
        response.end(coders[coding]('{"id":"7"}'))
      })
      const answer = await client.get('/things/7')
      expect(answer.json()).toEqual({ id: '7' })
      expect(answer.headers['content-type']).toBe('application/json; charset="utf-8"')
    },
  )

  it('sends a request again when the server has closed the idle connection meanwhile', async () => {
    let served = 0
    const { client } = await probe((request, response) => {
      served++
      response.end('"yes"')
      // Closed without a word after the answer has arrived, as any server may do.
      response.on('finish', () => setImmediate(() => request.socket.destroy()))
    })
    for (let time = 0; time < 5; time++) expect((await client.get('/things/7')).json()).toBe('yes')
    expect(served).toBe(5)
  })

  it('says where a value does not fit a shape, with what is there', () => {
    const shape = z.object({ windows: z.array(z.object({ title: z.string() })), count: z.int() })
    const value = { windows: [{ title: 2024 }] }
    const { error } = shape.safeParse(value)
    expect(describeMismatch(error!, value)).toBe(
      'windows[0].title is 2024: expected string; count is missing: expected number',
    )
  })

  it('fails on silence, broken JSON and a wrong shape', async () => {
    const { client } = await probe((request, response) => {
      if (request.url !== '/silent') response.end(request.url === '/html' ? '<html>' : '{"id":7}')
    })
    await expect(client.get('/silent')).rejects.toThrow('GET /silent: no answer within 300 ms')
    const html = await client.get('/html')
    expect(() => html.json()).toThrow('the answer to GET /html (200) is not JSON: <html>')
    const wrong = await client.get('/things/7')
    expect(() => wrong.json(z.looseObject({ id: z.string() }))).toThrow(/does not have the documented shape/)
  })
})

describe('the SSE probe', () => {
  it('reads frames that come in pieces, with ids, names, data and comments', async () => {
    const { client, record } = await probe((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const piece of ['id: 1\nev', 'ent: tick\ndata: {"n":1}\n', '\n: keep', 'alive\n\ndata: {"a":\ndata: 2}\n\n'])
        response.write(piece)
      response.end()
    })
    const stream = await openStream(client, contract, record, { path: '/s' }, 1000)
    await stream.end()
    expect(stream.events.map(({ id, event, data }) => ({ id, event, data }))).toEqual([
      { id: '1', event: 'tick', data: { n: 1 } },
      { id: undefined, event: 'message', data: { a: 2 } },
    ])
    expect(stream.comments).toEqual(['keepalive'])
    await expect(stream.until('more', () => false)).rejects.toThrow('the stream of /s ended before more')
  })

  const STREAM = ': hello\nid: 1\nevent: tick\n:between\ndata: {"n":1}\n\n\n: keepalive\n\ndata: {"a":\ndata: 2}\n\n'
  const spellings: Readonly<Record<string, (response: http.ServerResponse) => void>> = {
    'with a byte order mark': (response) => response.end(`\uFEFF${STREAM}`),
    'with lone CRs': (response) => response.end(STREAM.replaceAll('\n', '\r')),
    'with CR LF': (response) => response.end(STREAM.replaceAll('\n', '\r\n')),
    'with mixed ends of lines': (response) => response.end(STREAM.replace('\n', '\r').replace('1\n', '1\r\n')),
    'byte by byte, with CR LF': (response) => {
      for (const byte of Buffer.from(`\uFEFF${STREAM.replaceAll('\n', '\r\n')}`)) response.write(Buffer.of(byte))
      response.end()
    },
    'without the blank after colons': (response) => response.end(STREAM.replace(/^(\w+): /gm, '$1:')),
  }
  it.each(Object.keys(spellings))('reads a stream %s', async (spelling) => {
    const { client, record } = await probe((_, response) => {
      response.writeHead(200, { 'CONTENT-TYPE': 'Text/Event-Stream ;Charset=UTF-8' })
      spellings[spelling]!(response)
    })
    const stream = await openStream(client, contract, record, { path: '/s' }, 1000)
    await stream.end()
    expect(stream.events.map(({ id, event, data }) => ({ id, event, data }))).toEqual([
      { id: '1', event: 'tick', data: { n: 1 } },
      { id: undefined, event: 'message', data: { a: 2 } },
    ])
    expect(stream.comments).toEqual(['hello', 'between', 'keepalive'])
  })

  it.each(['gzip', 'deflate', 'br'] as const)(
    'reads an event of a stream in %s before the stream ends',
    async (coding) => {
      const coders = { gzip: zlib.createGzip, deflate: zlib.createDeflate, br: zlib.createBrotliCompress }
      const { client, record } = await probe((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': coding })
        const coder = coders[coding]()
        coder.pipe(response)
        coder.write('event: tick\ndata: {"n":1}\n\n')
        coder.flush()
      })
      const stream = await openStream(client, contract, record, { path: '/s' }, 1000)
      closing.push(() => stream.close())
      expect((await stream.until('an event', () => true)).data).toEqual({ n: 1 })
    },
  )

  it('reads as a stream what has to be one, and names the type in what it waits for', async () => {
    const { client, record } = await probe((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      response.write('event: tick\ndata: {"n":1}\n\n')
    })
    const streams: Contract = {
      ...contract,
      operations: { 'GET /s': { covers: ['A'], source: 'here', responses: { 200: 'sse' } } },
    }
    const stream = await openStream(client, streams, record, { path: '/s' }, 200)
    closing.push(() => stream.close())
    await stream.until('an event', () => true)
    await expect(stream.until('another', () => false)).rejects.toThrow(
      'waited 200 ms for another on the stream of /s, whose type is "text/plain"',
    )
  })

  it('keeps a refusal as an answer', async () => {
    const { client, record } = await probe((_, response) => response.writeHead(412).end('{"detail":"gone"}'))
    const stream = await openStream(client, contract, record, { path: '/s' }, 1000)
    expect([stream.status, stream.text]).toEqual([412, '{"detail":"gone"}'])
    await expect(stream.until('an event', () => true)).rejects.toThrow('answered 412 instead of a stream')
  })
})

describe('the WebSocket probe', () => {
  async function chat(onConnection: (socket: import('ws').WebSocket) => void) {
    const { server, url } = await serve((_, response) => response.end())
    const acceptor = new WebSocketServer({ server })
    acceptor.on('connection', onConnection)
    closing.push(() => acceptor.close())
    const record = createRecorder()
    const opened = await openSocket(url.replace('http', 'ws'), contract, record, {}, 500)
    if (opened.refused !== undefined) throw new Error('refused')
    closing.push(() => opened.socket.terminate())
    return { socket: opened.socket, record }
  }

  it('records messages, and finds earlier ones', async () => {
    const { socket, record } = await chat((server) => server.send('{"type":"tick","n":1}'))
    const first = await socket.until('a tick', (one) => one.type === 'tick')
    expect(await socket.until('the same', (one) => one.type === 'tick')).toBe(first)
    await expect(socket.until('another', (one) => one.type === 'tick', { after: 1 })).rejects.toThrow('waited 500 ms')
    expect(record.frames.at(-1)).toMatchObject({ title: 'tick', shape: 'event tick', value: { type: 'tick', n: 1 } })
  })

  it('reports the code and reason of a close, and fails pending waits', async () => {
    const { socket } = await chat((server) => server.close(4004, 'no such session'))
    const waiting = socket.until('a tick', (one) => one.type === 'tick')
    await expect(waiting).rejects.toThrow('the socket closed with 4004 (no such session) before a tick')
    expect(await socket.closing()).toBe(4004)
  })

  it('returns the status of a refused handshake', async () => {
    const { server, url } = await serve((_, response) => response.end())
    server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 401 No\r\nconnection: close\r\n\r\n'))
    expect(await openSocket(url.replace('http', 'ws'), contract, createRecorder(), {}, 500)).toEqual({ refused: 401 })
  })
})

describe('the MCP probe', () => {
  const script = `
    process.stdin.setEncoding('utf8').on('data', (text) => {
      for (const line of text.split('\\n').filter(Boolean)) {
        if (line === 'noise') { console.log('hello there'); continue }
        const { id, method } = JSON.parse(line)
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { method } }))
      }
    })`
  const command = `node --input-type=module -e "$(echo ${Buffer.from(script).toString('base64')} | base64 -d)"`

  it('matches responses to requests, and keeps lines that are not JSON-RPC', async () => {
    const mcp = await openMcpClient(command, createRecorder())
    closing.push(() => mcp.close())
    mcp.sendRaw('noise')
    const [one, two] = await Promise.all([mcp.request('first'), mcp.request('second')])
    expect([one.result, two.result]).toEqual([{ method: 'first' }, { method: 'second' }])
    expect(mcp.noise).toEqual(['hello there'])
    expect(await mcp.end()).toBe(0)
  })

  it('reports a process that exits before it answers', async () => {
    const mcp = await openMcpClient('echo broken >&2; exit 3', createRecorder())
    await expect(mcp.request('first')).rejects.toThrow(/exited with 3 before it answered first/)
  })
})

describe('a command line', () => {
  const run = (script: string, deadline?: AbortSignal) => {
    const recorder = createRecorder()
    return { recorder, ended: runCommand(`sh -c ${quoteWord(script)}`, [], recorder, deadline) }
  }
  const isRunning = (pid: string) =>
    /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', pid.trim()], { encoding: 'utf8' }).stdout)

  it('ends with its child processes at the deadline', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'backlot-command-'))
    closing.push(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'pid')
    const deadline = new AbortController()
    const { ended } = run(`trap '' TERM; sleep 1000 & echo $! > ${file}; wait`, deadline.signal)
    ended.catch(() => {})
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain('\n'))
    expect(isRunning(readFileSync(file, 'utf8'))).toBe(true)
    deadline.abort()
    await expect(ended).rejects.toThrow('did not end within 20 s')
    expect(isRunning(readFileSync(file, 'utf8'))).toBe(false)
  })

  it('does not wait for a child process that keeps its output', async () => {
    const { exit, stdout } = await run('sleep 1000 & echo $!; exit 3').ended
    closing.push(() => process.kill(Number(stdout), 'SIGKILL'))
    expect([exit, isRunning(stdout)]).toEqual([3, true])
  })

  it('fails when a signal ends it', async () => {
    await expect(runCommand("exec sh -c 'kill -9 $$'", [], createRecorder())).rejects.toThrow('was ended by a signal')
  })

  it('gets its words as they are', async () => {
    const words = ["it's", 'a b', '$HOME', '', 'plain/word-1.0']
    const { stdout } = await runCommand("printf '%s|'", words, createRecorder())
    expect(stdout).toBe(words.map((word) => `${word}|`).join(''))
  })
})
