import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Computer } from '../../../src/adapters/computer.ts'
import { openRemoteComputer, type RemoteOptions } from '../../../src/adapters/remote/remote.ts'
import { createTestbed, type ServeOptions, type Testbed, type TestbedOptions } from '../../../src/compose/testbed.ts'

/** A desktop that one server serves, and the computer that drives it from another place. */
export interface RemoteDesktop {
  readonly other: Testbed
  readonly url: string
  readonly computer: Computer
  /** What the operator was told. */
  readonly warnings: readonly string[]
  close(): Promise<void>
}

/** Serves a desktop on a free port, and opens it from there. */
export async function remoteDesktop(
  options: TestbedOptions,
  served: ServeOptions = {},
  opened: Partial<RemoteOptions> = {},
): Promise<RemoteDesktop> {
  const other = await createTestbed({ env: {}, ...options })
  const { url } = await other.serveRest({ port: 0, ...served })
  const warnings: string[] = []
  const computer = await openRemoteComputer({ url, warn: (line) => warnings.push(line), ...opened })
  return {
    other,
    url,
    computer,
    warnings,
    async close() {
      await computer.close()
      await other.close()
    },
  }
}

/** An HTTP server whose process can be killed and started again on its port. */
export interface CuttableServer {
  readonly url: string
  /** The requests so far, as `METHOD /path`. */
  readonly requests: readonly string[]
  /** Ends all connections and stops listening. */
  cut(): Promise<void>
  restart(): Promise<void>
  close(): Promise<void>
}

/** Starts a server that answers with a function, which may be changed between requests. */
export async function cuttableServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<CuttableServer> {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  let port = 0
  let server: Server | undefined
  const restart = async () => {
    const fresh = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`)
      answer(request, response)
    })
    fresh.on('connection', (socket) => sockets.add(socket.on('close', () => sockets.delete(socket))))
    await new Promise<void>((ready) => fresh.listen(port, '127.0.0.1', ready))
    port = (fresh.address() as AddressInfo).port
    server = fresh
  }
  const cut = async () => {
    const ending = server
    server = undefined
    for (const socket of sockets) socket.destroy()
    if (ending) await new Promise<void>((closed) => ending.close(() => closed()))
  }
  await restart()
  return { url: `http://127.0.0.1:${port}`, requests, cut, restart, close: cut }
}

/** Sends a JSON object. */
export function sendJson(response: ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
