import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { builtinScript } from '../../../src/agent/script/builtin-script.ts'
import { cannedTools } from '../../../src/agent/script/scripted-model.ts'
import { modelFreeServices } from '../../../src/perception/open-perception.ts'
import { loudnessTranscriber } from '../../../src/perception/transcribers.ts'
import type { LogCode } from '../../../src/protocols/windieos/errors.ts'
import { windieosApi } from '../../../src/protocols/windieos/routes.ts'
import { type WindieosOptions, windieos } from '../../../src/protocols/windieos/server.ts'
import { Outgoing } from '../../../src/protocols/windieos/wire.ts'
import { memoryStore } from '../../../src/stores/memory.ts'
import { onCleanup } from './cleanup.ts'
import { serve, type TestServerOptions } from './serve.ts'
import { connectSocket } from './socket-client.ts'

/** Test support for the protocol: a server per test, and clients that validate every frame. */

/** Starts a server with the built-in script, whose `web_search` runs on the server. */
export async function startWindieos(options: Partial<WindieosOptions> = {}, play: TestServerOptions = {}) {
  const dataFolder = mkdtempSync(join(tmpdir(), 'windieos-'))
  onCleanup(() => rmSync(dataFolder, { recursive: true }))
  const logged: LogCode[] = []
  const server = await serve(
    (agent, onBug) =>
      windieos({
        agent,
        store: memoryStore(),
        dataFolder,
        ...modelFreeServices,
        transcriber: loudnessTranscriber(['open the last invoice']),
        backendTools: cannedTools(builtinScript.tools),
        logFailure: (code) => logged.push(code),
        onBug,
        ...options,
      }),
    play,
  )
  onCleanup(server.close)
  const { url } = server
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return checked(method, path, response)
  }
  return {
    server,
    url,
    dataFolder,
    logged,
    get: (path: string, headers?: Record<string, string>) => ask('GET', path, undefined, headers),
    post: (path: string, body?: unknown, headers?: Record<string, string>) => ask('POST', path, body, headers),
    upload: async (file: Uint8Array, type = 'image/png', headers: Record<string, string> = {}) => {
      const form = new FormData()
      form.append('file', new Blob([file as Uint8Array<ArrayBuffer>], { type }), 'artifact.bin')
      const response = await fetch(`${url}/api/artifacts/`, { method: 'POST', body: form, headers })
      return checked('POST', '/api/artifacts', response)
    },
    client: (hello: ClientOptions = {}) => connectWindieos(url, hello),
  }
}

/** Reads a response and checks that the protocol lists it. */
async function checked(method: string, path: string, response: Response): Promise<[number, JsonBody]> {
  const body = (await response.json()) as JsonBody
  const [plain = ''] = path.split('?')
  const operation = windieosApi.operations.find(
    (one) => one.method.toUpperCase() === method && patternOf(one.path).test(plain),
  )
  if (!operation) return [response.status, body]
  const schema = operation.responses[response.status]
  if (!(schema instanceof z.ZodType))
    throw new Error(`${method} ${path} answers ${response.status}, which is not listed`)
  schema.parse(body)
  return [response.status, body]
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`)

/** A response body. */
export type JsonBody = Readonly<Record<string, unknown>>

export interface ClientOptions {
  readonly user?: string
  readonly definition?: unknown
  readonly token?: string
  /** Replaces the handshake. */
  readonly handshake?: unknown
}

let messages = 0

/** Connects a client and sends the handshake. */
export async function connectWindieos(
  url: string,
  { user = 'user-123', definition, token, handshake }: ClientOptions = {},
) {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const client = await connectSocket(url, '/ws', Outgoing as unknown as z.ZodType<Outgoing>, headers)
  onCleanup(() => client.socket.terminate())
  const { send, received, read } = client
  send(
    handshake ?? {
      type: 'handshake',
      user_id: user,
      ...(definition !== undefined && { agent_definition: definition }),
    },
  )
  /** Sends a message and returns its id. */
  const sendMessage = (type: string, payload: unknown = {}, more: Readonly<Record<string, unknown>> = {}): string => {
    const id = `turn_${++messages}`
    send({ id, type, payload, ...more })
    return id
  }
  /** Sends a query, waits for the end of the turn and returns its events. */
  const query = async (text: string, more: Readonly<Record<string, unknown>> = {}) => {
    const id = sendMessage('query', { text, conversation_ref: 'conv', ...more })
    await ended(id)
    return turn(id)
  }
  const ended = (id: string) =>
    read(
      ({ type, turn_ref, ...message }) =>
        (turn_ref === id && type === 'streaming-complete') || (message.id === id && type === 'error'),
    )
  const turn = (id: string) => received.filter(({ turn_ref }) => turn_ref === id)
  return {
    ...client,
    sendMessage,
    query,
    turn,
    ended,
    /** The reply to a message, by its id. */
    reply: (id: string) => read((message) => message.id === id),
    next: (type: Outgoing['type'], from = 0) => read((message) => message.type === type, from),
  }
}

export type TestClient = Awaited<ReturnType<typeof connectWindieos>>

/** The types of events in order, without consecutive duplicates. */
export const distinctTypes = (events: readonly Outgoing[]): readonly string[] =>
  events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1])
