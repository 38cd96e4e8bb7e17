import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { WebSocket } from 'ws'
import type { MemorySession } from '../../compose/memory-session.ts'
import { VERSION } from '../../compose/package.ts'
import { createFastifyApp, oneSession } from '../../compose/rest-app.ts'
import { toolsFor } from '../../observer/registry.ts'
import type { DoorDefinition } from '../../protocols/door.ts'
import type { HarnessAccess } from '../../protocols/http/guard.ts'
import { observerProtocol } from '../../protocols/observer-rest/index.ts'
import {
  type AccessProbe,
  AGENT_TOKEN,
  type AgentRequest,
  bodyOf,
  isRefusal,
  type LoadProbes,
  type ProbeAnswer,
  type ProbeContext,
  type RawAnswer,
  type SendRequest,
} from '../../protocols/probe.ts'
import { LOOPBACK, type SessionProtocol } from '../../protocols/protocol.ts'
import { OBSERVER_DOORS, SESSION_PROTOCOLS } from '../../protocols/registry.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { openAttempt } from '../adversaries/attempt.ts'
import { plausibleArguments } from '../adversaries/controls.ts'
import { type AuditSecrets, secretIn } from './secrets.ts'

/** A request that shows an agent what only the harness may know. */
export interface AccessLeak {
  readonly request: AgentRequest
  readonly message: string
}

const HARNESS_TOKEN = 'token-of-the-harness-that-no-agent-has'

/**
 * Asks for the oracle with the token of an agent: with everything that is for the harness, with guessed harness tokens, and
 * in what agents may read at the start.
 * @param access How a server knows the harness; by default by a token that agents do not have.
 * @param ways The ways to a desktop; by default all of the registry.
 */
export async function findAccessLeak(
  scenario: Scenario,
  secrets: AuditSecrets,
  access: HarnessAccess = { harnessToken: HARNESS_TOKEN },
  ways: readonly AccessWay[] = ACCESS_WAYS,
): Promise<AccessLeak | undefined> {
  for (const way of ways)
    for (const probe of await way.loadProbes()) {
      const served = await serveAttempt(scenario, access, way)
      try {
        const found = await findOpening(probe, served, secrets)
        if (found) return found
      } finally {
        await served.close()
      }
    }
  return undefined
}

async function findOpening(
  { refused, allowed, exchange, isRefused = isRefusal }: AccessProbe,
  { context, send }: Awaited<ReturnType<typeof serveAttempt>>,
  { answers, oracles }: AuditSecrets,
): Promise<AccessLeak | undefined> {
  const ask = async (request: AgentRequest): Promise<ProbeAnswer> => {
    if (exchange) return exchange(request, send)
    const answer = await send(request)
    return { status: answer.status, body: bodyOf(answer) }
  }
  for (const request of refused(context))
    if (!isRefused(await ask(request)))
      return { request, message: `${request.method} ${request.path} is not refused to agents` }
  for (const request of allowed(context)) {
    const found = secretIn((await ask(request)).body, [...answers, ...oracles])
    if (found !== undefined)
      return { request, message: `${request.method} ${request.path} shows agents ${JSON.stringify(found)}` }
  }
  return undefined
}

/** A desktop that is served to agents. */
interface ServedDesktop {
  readonly send: SendRequest
  readonly close: () => Promise<void>
}

/** A way by which agents reach a desktop, with its probes. */
export interface AccessWay {
  readonly loadProbes: LoadProbes
  readonly serve: (desktop: MemorySession, access: HarnessAccess) => Promise<ServedDesktop>
}

/** The observer's port, where a door is served beside its own routes. */
export const onObserver = (loadProbes: LoadProbes, doors: readonly DoorDefinition[] = OBSERVER_DOORS): AccessWay => ({
  loadProbes,
  serve: async (desktop, access) => {
    const app = await createFastifyApp(desktop, { token: AGENT_TOKEN, ...access }, doors)
    let listening: Promise<string> | undefined
    const send: SendRequest = async (request) => {
      if (request.method !== 'SOCKET') return injected(app, request)
      listening ??= app.listen({ host: LOOPBACK, port: 0 })
      await listening
      return sendOverSocket((app.server.address() as AddressInfo).port, request)
    }
    return { send, close: () => app.close() }
  },
})

/** The port of a protocol over the session. */
export const onItsPort = ({ loadProbes, create }: SessionProtocol): AccessWay => ({
  loadProbes,
  serve: async ({ session }, access) => {
    const protocol = await create({
      session,
      sessions: oneSession(session),
      access: { hosts: [], origins: [], token: AGENT_TOKEN, ...access },
      version: VERSION,
      livePage: () => undefined,
      onBug: (bug) => {
        throw bug
      },
    })
    const server = await protocol.listen({ host: LOOPBACK, port: 0 })
    const send: SendRequest = (request) =>
      request.method === 'SOCKET'
        ? sendOverSocket(Number(new URL(server.url).port), request)
        : fetched(server.url, request)
    return { send, close: () => server.close() }
  },
})

/** All ways by which agents reach a desktop, from the registry. */
export const ACCESS_WAYS: readonly AccessWay[] = [
  onObserver(observerProtocol.loadProbes),
  ...OBSERVER_DOORS.map(({ loadProbes }) => onObserver(loadProbes)),
  ...SESSION_PROTOCOLS.map(onItsPort),
]

/** Opens a scenario behind a way to it, for an agent. */
async function serveAttempt(
  scenario: Scenario,
  access: HarnessAccess,
  { serve }: AccessWay,
): Promise<ServedDesktop & { readonly context: ProbeContext }> {
  const { desktop } = openAttempt(scenario)
  const agentTools = toolsFor('agent')
  const names = new Set(agentTools.map(({ name }) => name))
  const windows = desktop.computer.windows().map(({ uid }) => uid)
  const context: ProbeContext = {
    scenario: scenario.name,
    sessionId: desktop.session.id,
    harnessTools: toolsFor('harness').flatMap(({ name }) => (names.has(name) ? [] : [name])),
    looks: [
      ...agentTools
        .filter(({ kind, name }) => kind === 'look' && !name.startsWith('wait'))
        .map((tool) => ({ tool: tool.name, args: plausibleArguments(tool, undefined) })),
      ...windows.map((window_uid) => ({ tool: 'get_window_structure', args: { window_uid } })),
    ],
  }
  return { ...(await serve(desktop, access)), context }
}

/** The headers of an agent with its token. */
const AGENT_HEADERS = { host: 'localhost', authorization: `Bearer ${AGENT_TOKEN}` }

async function injected(app: FastifyInstance, { method, path, body, headers }: AgentRequest): Promise<RawAnswer> {
  const reply = await app.inject({
    method: method as 'GET' | 'POST' | 'DELETE',
    url: path,
    headers: { ...AGENT_HEADERS, ...headers },
    ...(body !== undefined && { payload: body as object }),
  })
  return { status: reply.statusCode, headers: reply.headers, text: reply.body }
}

async function fetched(url: string, { method, path, body, headers }: AgentRequest): Promise<RawAnswer> {
  const isJson = typeof body === 'object'
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: AGENT_HEADERS.authorization,
      ...(isJson && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : String(body) }),
  })
  return { status: reply.status, headers: Object.fromEntries(reply.headers), text: await reply.text() }
}

/** Sends a message over a new connection. A refused handshake is answered by its status. */
function sendOverSocket(port: number, { path, body, headers }: AgentRequest): Promise<RawAnswer> {
  const socket = new WebSocket(`ws://${LOOPBACK}:${port}${path}`, { headers: { ...AGENT_HEADERS, ...headers } })
  return new Promise<RawAnswer>((resolve, reject) => {
    socket.on('open', () => socket.send(JSON.stringify(body)))
    socket.on('message', (data) => resolve({ status: 200, headers: {}, text: String(data) }))
    socket.on('unexpected-response', (_, response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0, headers: {}, text: '' })
    })
    socket.on('close', (code) => reject(new Error(`the WebSocket ${path} closed with ${code} before its answer`)))
    socket.on('error', reject)
  }).finally(() => socket.terminate())
}
