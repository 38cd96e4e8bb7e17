import { setTimeout as pause } from 'node:timers/promises'
import { openConversation } from './conversation.ts'
import type { ClientSuite, Flow, ScriptedServer } from './flow.ts'
import { type Endpoint, type Host, startHost } from './host.ts'
import { type PlayedFlow, type PlayOptions, playFlow } from './play-flow.ts'

/** A server on a fixed port that plays the flows in order with any client that connects. */
export interface ClientListener {
  readonly host: Host
  /** Waits for a client without a time limit, and plays the flow with it. */
  play(flow: Flow<ScriptedServer>, options: PlayOptions): Promise<PlayedFlow>
}

/** Milliseconds to wait for late actions of a client after a flow. */
const SETTLE_MS = 1500

/** Milliseconds in which a client notices that its connections are closed. */
const NOTICE_MS = 100

/** Listens for clients that a person connects. `print` receives a line about each flow before it starts. */
export async function listenForClients(
  suite: ClientSuite,
  port: number,
  print: (line: string) => void,
): Promise<ClientListener> {
  let endpoint: Endpoint | undefined
  const host = await startHost(() => endpoint, port)
  return {
    host,
    async play(flow, options) {
      const { text, token, timeoutMs } = options
      const conversation = openConversation(options)
      const server = suite.open({ flowContext: conversation, flow: flow.name, text, token })
      let hasBegun = false
      endpoint = beginning(server, () => {
        hasBegun = true
        conversation.notifyChange()
      })
      const address = server.address?.(host.url)
      if (address !== undefined) print(`the command of the server is ${address}`)
      print(`next: ${flow.name}: ${flow.description} Let the client send: ${text}`)
      await conversation.until(() => hasBegun || undefined, MAX_WAIT_MS)
      const timer = setTimeout(() => conversation.end(), timeoutMs)
      const trouble = await playFlow(flow, server, conversation)
      await conversation.pause(SETTLE_MS)
      clearTimeout(timer)
      conversation.end()
      endpoint = undefined
      host.drop()
      await pause(NOTICE_MS)
      await server.dispose?.()
      const { assessments, frames } = conversation
      const exit = { code: undefined, output: '' }
      return { flow: flow.name, assessments, frames, reached: server.reached, exit, ...trouble }
    },
  }
}

/** The maximum delay of a timer. */
const MAX_WAIT_MS = 2 ** 31 - 1

/** Wraps an endpoint to report its first request or connection. */
const beginning = (server: ScriptedServer, begins: () => void): Endpoint => ({
  request(request, response, body) {
    server.request(request, response, body)
    begins()
  },
  ...(server.raw && {
    raw(socket) {
      server.raw!(socket)
      begins()
    },
  }),
  ...(server.connected && {
    refuses: (request) => server.refuses?.(request),
    connected(socket, request) {
      server.connected!(socket, request)
      begins()
    },
  }),
})
