import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** A protocol that can be served. */
export interface Protocol {
  /** Fails when the port is taken. */
  listen(at?: Address): Promise<ProtocolServer>
}

export interface Address {
  /** Loopback by default. */
  readonly host?: string
  /** 0 takes a free one, which is the default here; the registry has the port that each document names. */
  readonly port?: number
}

/** A protocol being served. */
export interface ProtocolServer {
  /** Its base URL, without a trailing slash. */
  readonly url: string
  /** Ends every connection, then the server. */
  close(): Promise<void>
}

export const LOOPBACK = '127.0.0.1'

/** How many events a session's own log keeps: little, since each wire keeps what it needs for those who come back. */
export const LOG_CAPACITY = 100

/** Listens and returns the server with its URL. `end` closes whatever keeps connections open. */
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
