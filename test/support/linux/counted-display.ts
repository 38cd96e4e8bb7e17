import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'

/** A display that passes everything to another one and counts the requests of all clients. */
export interface CountedDisplay {
  readonly name: string
  /** The number of requests so far. */
  readonly requests: number
  close(): void
}

const FIRST_PORT = 6000
/** Where X servers have their local sockets, on every machine. */
export const X_SOCKETS = join('/', 'tmp', '.X11-unix')

/** Opens a display over TCP in front of a local one, such as `:5`. */
export async function countRequestsTo(display: string): Promise<CountedDisplay> {
  let requests = 0
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const target = connect(join(X_SOCKETS, `X${display.slice(1)}`))
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => [client, target].forEach((each) => void each.destroy()))
    }
    const count = requestCounter()
    client.on('data', (bytes: Buffer) => {
      requests += count(bytes)
    })
    client.pipe(target).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    name: `127.0.0.1:${(server.address() as AddressInfo).port - FIRST_PORT}`,
    get requests() {
      return requests
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Returns a function that counts the requests that are complete with the next bytes (X protocol, "Request format"). */
function requestCounter(): (bytes: Buffer) => number {
  let rest = Buffer.alloc(0)
  let isSetUp = false
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    let complete = 0
    for (let length = lengthOf(rest, isSetUp); length > 0 && rest.length >= length; length = lengthOf(rest, isSetUp)) {
      rest = rest.subarray(length)
      if (isSetUp) complete++
      isSetUp = true
    }
    return complete
  }
}

const padded = (length: number): number => (length + 3) & ~3

/** The length of the first message of a client. 0 when it is not known yet. */
function lengthOf(bytes: Buffer, isSetUp: boolean): number {
  if (bytes.length < 12) return isSetUp && bytes.length >= 4 ? bytes.readUInt16LE(2) * 4 : 0
  if (!isSetUp) return 12 + padded(bytes.readUInt16LE(6)) + padded(bytes.readUInt16LE(8))
  const words = bytes.readUInt16LE(2)
  return (words === 0 ? bytes.readUInt32LE(4) : words) * 4
}
