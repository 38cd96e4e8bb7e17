import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** A protocol that can listen. */
export interface Protocol {
  /** Starts the server. Throws if the port is in use. */
  listen(at?: Address): Promise<ProtocolServer>
}

/** The address on which a server listens. */
export interface Address {
  /** Loopback by default. */
  readonly host?: string
  /** 0, the default, selects a free port. The registry has the documented port of each protocol. */
  readonly port?: number
}

/** A running server of a protocol. */
export interface ProtocolServer {
  /** Its base URL, without a trailing slash. */
  readonly url: string
  /** Closes every connection, then the server. */
  close(): Promise<void>
}

/** The default host. */
export const LOOPBACK = '127.0.0.1'

/** The event capacity of a session's own log. It is small, because each protocol stores the events that its clients resume from. */
export const LOG_CAPACITY = 100

/** Starts listening and returns the server with its URL. `end` closes everything that keeps connections open. */
export async function listen(
  app: FastifyInstance,
  { host = LOOPBACK, port = 0 }: Address = {},
  end: () => void | Promise<void> = () => {},
): Promise<ProtocolServer> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    await end()
    await app.close()
    throw error
  }
  const { port: bound } = app.server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: async () => {
      await end()
      app.server.closeAllConnections()
      await app.close()
    },
  }
}
