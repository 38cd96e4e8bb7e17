import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import type {
  ClientFrame,
  JsonMessage,
  ProxiedRequest,
  ProxiedResponse,
  Sabotage,
  SocketEnds,
  SocketInterceptor,
  UpgradeRequest,
} from '../suite/sabotage.ts'

/** A proxy that is listening. */
export interface OpenProxy {
  readonly url: string
  /** Whether the sabotage has changed anything. */
  readonly touched: boolean
  close(): Promise<void>
}

export interface ProxyOptions {
  /** The correct server. */
  readonly target: string
  readonly sabotage: Sabotage
  /** 0 selects a free port. */
  readonly port?: number
}

const MAX_PAYLOAD_BYTES = 256 * 1024 * 1024

/** Starts a proxy that breaks a server in one way. */
export async function openProxy({ target, sabotage: planned, port = 0 }: ProxyOptions): Promise<OpenProxy> {
  let touched = false
  const sabotage = watched(planned, () => {
    touched = true
  })
  const base = new URL(target)
  const agent = new http.Agent({ keepAlive: true })
  const sockets = new Set<WebSocket>()
  const server = http.createServer((request, response) => {
    pass(request, response, base, agent, sabotage).catch((error) => response.destroy(error as Error))
  })
  const acceptor = new WebSocketServer({ noServer: true, maxPayload: MAX_PAYLOAD_BYTES })
  server.on('upgrade', (request, socket, head) => bridge(request, socket, head, base, acceptor, sabotage, sockets))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    get touched() {
      return touched
    },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      for (const socket of sockets) socket.terminate()
      server.closeAllConnections()
      agent.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function pass(
  incoming: http.IncomingMessage,
  response: http.ServerResponse,
  base: URL,
  agent: http.Agent,
  sabotage: Sabotage,
): Promise<void> {
  const request: ProxiedRequest = {
    method: incoming.method ?? 'GET',
    path: incoming.url ?? '/',
    headers: { ...incoming.headers },
    body: await collect(incoming),
  }
  await sabotage.delayRequest?.(request)
  sabotage.changeRequest?.(request)
  delete request.headers['transfer-encoding']
  if (request.body.length > 0 || 'content-length' in request.headers)
    request.headers['content-length'] = String(request.body.length)
  const answered = await ask(request, base, agent, response)
  if ((answered.headers['content-type'] ?? '').startsWith('text/event-stream'))
    return passStream(answered, response, sabotage)
  const answer: ProxiedResponse = {
    status: answered.statusCode ?? 502,
    headers: { ...answered.headers },
    body: await collect(answered),
    json: undefined,
  }
  answer.json = parse(answer.body)
  const before = JSON.stringify(answer.json)
  sabotage.changeResponse?.(answer, request)
  if (JSON.stringify(answer.json) !== before) answer.body = Buffer.from(JSON.stringify(answer.json))
  for (const header of ['transfer-encoding', 'content-length', 'connection']) delete answer.headers[header]
  response.writeHead(answer.status, definedOnly(answer.headers)).end(answer.body)
}

function ask(
  request: ProxiedRequest,
  base: URL,
  agent: http.Agent,
  response: http.ServerResponse,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = http.request(
      {
        agent,
        hostname: base.hostname,
        port: base.port,
        method: request.method,
        path: request.path,
        headers: definedOnly(request.headers),
      },
      resolve,
    )
    outgoing.on('error', reject)
    // A client that leaves leaves the server as well.
    response.on('close', () => outgoing.destroy())
    outgoing.end(request.body)
  })
}

function passStream(answered: http.IncomingMessage, response: http.ServerResponse, sabotage: Sabotage): void {
  const { 'transfer-encoding': _, connection: __, ...headers } = answered.headers
  sabotage.changeStreamHeaders?.(headers)
  response.writeHead(answered.statusCode ?? 200, definedOnly(headers))
  response.flushHeaders()
  const change = sabotage.changeFrames?.() ?? ((frame: string) => [frame])
  let buffered = ''
  answered.setEncoding('utf8')
  answered.on('data', (text: string) => {
    buffered += text
    if (!buffered.slice(-text.length - 1).includes('\n\n')) return
    const frames = buffered.split('\n\n')
    buffered = frames.pop()!
    const sent = frames.flatMap((frame) => change(frame))
    if (sent.length > 0) response.write(sent.map((frame) => `${frame}\n\n`).join(''))
  })
  answered.on('error', () => response.destroy())
  answered.on('end', () => response.end())
}

/** Joins a client and the server, socket to socket. */
function bridge(
  request: http.IncomingMessage,
  socket: Duplex,
  head: Buffer,
  base: URL,
  acceptor: WebSocketServer,
  sabotage: Sabotage,
  sockets: Set<WebSocket>,
): void {
  const handshake: UpgradeRequest = { path: request.url ?? '/', headers: { ...request.headers } }
  sabotage.changeUpgrade?.(handshake)
  const { origin, authorization } = handshake.headers
  const behind = new WebSocket(`ws://${base.host}${handshake.path}`, {
    maxPayload: MAX_PAYLOAD_BYTES,
    perMessageDeflate: false,
    headers: definedOnly({ origin, authorization }),
  })
  sockets.add(behind)
  // Messages of the server wait here until the client is connected.
  const early: { readonly data: Buffer; readonly binary: boolean }[] = []
  let closedWith: number | undefined
  const hold = (data: Buffer, binary: boolean) => void early.push({ data, binary })
  behind.on('message', hold)
  behind.once('close', (code) => {
    closedWith = code
  })
  behind.on('unexpected-response', (_, answered) => {
    socket.end(
      `HTTP/1.1 ${answered.statusCode} ${answered.statusMessage}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
    )
  })
  behind.on('error', () => socket.destroy())
  behind.on('open', () => {
    acceptor.handleUpgrade(request, socket, head, (front) => {
      sockets.add(front)
      const sendToClient = (message: JsonMessage) => front.send(JSON.stringify(message))
      const interceptor = sabotage.interceptSocket?.({
        sendToClient,
        sendToServer: (message) => behind.send(JSON.stringify(message)),
        close: (code) => front.close(code),
      })
      const change =
        sabotage.changeMessages?.(sendToClient) ?? interceptor?.fromServer ?? ((message: JsonMessage) => [message])
      const speak = (data: Buffer, binary: boolean) => {
        const message = parse(data)
        if (binary || typeof message !== 'object' || message === null) return front.send(data, { binary })
        for (const sent of change(message as JsonMessage)) sendToClient(sent)
      }
      const close = (code: number) => {
        const wrong = sabotage.changeCloseCode ? sabotage.changeCloseCode(code) : code
        if (wrong === undefined) return
        // 1005 and 1006 stand for a connection that closed without a code.
        if (wrong === 1005 || wrong === 1006) front.terminate()
        else front.close(wrong)
      }
      behind.off('message', hold)
      for (const { data, binary } of early) speak(data, binary)
      behind.on('message', (data, binary) => speak(data as Buffer, binary))
      if (closedWith !== undefined) return close(closedWith)
      behind.on('close', close)
      front.on('message', (data, binary) => {
        const said = { data: data as Buffer, binary }
        for (const one of interceptor?.fromClient?.(said) ?? [said]) behind.send(one.data, { binary: one.binary })
      })
      front.on('close', (code) => {
        interceptor?.onClientClosed?.()
        if (code === 1006) behind.terminate()
        else behind.close()
      })
      front.on('error', () => behind.terminate())
    })
  })
}

function collect(message: http.IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', () => resolve(Buffer.concat(chunks)))
    message.on('error', reject)
  })
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

const definedOnly = (headers: Record<string, string | string[] | undefined>): Record<string, string | string[]> =>
  Object.fromEntries(Object.entries(headers).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))

/** Wraps a sabotage to report its changes. */
function watched(sabotage: Sabotage, touch: () => void): Sabotage {
  const compare = <T>(value: T, change: (value: T) => void) => {
    const before = JSON.stringify(value)
    change(value)
    if (JSON.stringify(value) !== before) touch()
  }
  // Bodies of hundreds of megabytes pass, so they are compared as bytes.
  const compareWhole = <T extends { body: Buffer }>(value: T, change: (value: T) => void) => {
    const { body: bodyBefore, ...rest } = value
    const before = JSON.stringify(rest)
    change(value)
    const { body, ...after } = value
    if (JSON.stringify(after) !== before || !body.equals(bodyBefore)) touch()
  }
  const list =
    <T>(change: (item: T) => readonly T[]) =>
    (item: T): readonly T[] => {
      const before = JSON.stringify([item])
      const sent = change(item)
      if (JSON.stringify(sent) !== before) touch()
      return sent
    }
  const {
    changeRequest: request,
    delayRequest,
    changeResponse: answer,
    changeFrames,
    changeMessages: messages,
    interceptSocket,
    changeStreamHeaders: streamHeaders,
    changeUpgrade: upgrade,
    changeCloseCode: closeCode,
  } = sabotage
  return {
    ...sabotage,
    ...(request && { changeRequest: (response: ProxiedRequest) => compareWhole(response, request) }),
    ...(delayRequest && {
      delayRequest: (delayed: ProxiedRequest) => {
        const wait = delayRequest(delayed)
        if (wait) touch()
        return wait
      },
    }),
    ...(answer && {
      changeResponse: (response: ProxiedResponse, asked: ProxiedRequest) =>
        compareWhole(response, (one) => answer(one, asked)),
    }),
    ...(changeFrames && { changeFrames: () => list(changeFrames()) }),
    ...(messages && {
      changeMessages: (sendToClient: (message: JsonMessage) => void) =>
        list(
          messages((message) => {
            touch()
            sendToClient(message)
          }),
        ),
    }),
    ...(streamHeaders && {
      changeStreamHeaders: (headers: ProxiedRequest['headers']) => compare(headers, streamHeaders),
    }),
    ...(interceptSocket && { interceptSocket: (wire: SocketEnds) => watchInterceptor(interceptSocket, wire, touch) }),
    ...(upgrade && { changeUpgrade: (handshake: UpgradeRequest) => compare(handshake, upgrade) }),
    ...(closeCode && {
      changeCloseCode: (code: number) => {
        const other = closeCode(code)
        if (other !== code) touch()
        return other
      },
    }),
  }
}

function watchInterceptor(
  interceptor: NonNullable<Sabotage['interceptSocket']>,
  wire: SocketEnds,
  touch: () => void,
): SocketInterceptor {
  const touching =
    <T>(act: (what: T) => void) =>
    (what: T) => {
      touch()
      act(what)
    }
  const inner = interceptor({
    sendToClient: touching(wire.sendToClient),
    sendToServer: touching(wire.sendToServer),
    close: touching(wire.close),
  })
  const { fromClient, fromServer } = inner
  return {
    ...inner,
    ...(fromClient && {
      fromClient: (said: ClientFrame) => {
        const sent = fromClient(said)
        if (sent.length !== 1 || sent[0] !== said) touch()
        return sent
      },
    }),
    ...(fromServer && {
      fromServer: (message: JsonMessage) => {
        const before = JSON.stringify([message])
        const sent = fromServer(message)
        if (JSON.stringify(sent) !== before) touch()
        return sent
      },
    }),
  }
}
