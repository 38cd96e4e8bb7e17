import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** A protocol that can be served. */
export interface Protocol {
  /** Also the name of its flag and of its folder. */
  readonly name: string
  /** The port its document names. */
  readonly port: number
  /** Fails when the port is taken. */
  listen(at?: Address): Promise<ProtocolServer>
}

export interface Address {
  /** Loopback unless told otherwise. */
  readonly host?: string
  /** 0 for any free one. */
  readonly port?: number
}

/** A protocol being served. */
export interface ProtocolServer {
  readonly name: string
  /** Where, without a slash at its end. */
  readonly url: string
  /** Ends every connection, then the server. */
  close(): Promise<void>
}

export const LOOPBACK = '127.0.0.1'

/** How many events a session's own log keeps: little, since each wire keeps what it needs for those who come back. */
export const LOG_CAPACITY = 100

/** Listens, and tells where. `end` ends what keeps connections open. */
export async function listen(
  protocol: { readonly name: string; readonly port: number },
  app: FastifyInstance,
  { host = LOOPBACK, port = protocol.port }: Address = {},
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
    name: protocol.name,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: async () => {
      await end()
      app.server.closeAllConnections()
      await app.close()
    },
  }
}
