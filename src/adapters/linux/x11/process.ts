import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Display } from './display.ts'

/** The minor opcode of XResQueryClientIds, which the X library lacks (X-Resource 1.2). */
const QUERY_CLIENT_IDS = 4
const LOCAL_CLIENT_PID = 2
const REPLY_HEADER_BYTES = 24
/** The kernel truncates program names to this length. */
const COMM_BYTES = 15

/** The process of a window, from the X server. 0 when unknown, as for a process on another machine. */
export async function pidOfClient(display: Display, window: number): Promise<number> {
  const { client } = display
  const resource = await display.tryRequest<{ present: number; majorOpcode: number }>((done) =>
    client.QueryExtension('X-Resource', done),
  )
  if (!resource?.present) return 0
  const pid = await display.tryRequest<number>((done) => {
    const request = Buffer.alloc(16)
    request.writeUInt8(resource.majorOpcode, 0)
    request.writeUInt8(QUERY_CLIENT_IDS, 1)
    request.writeUInt16LE(4, 2)
    request.writeUInt32LE(1, 4)
    request.writeUInt32LE(window, 8)
    request.writeUInt32LE(LOCAL_CLIENT_PID, 12)
    client.seq_num++
    client.replies[client.seq_num] = [parseClientPid, done]
    client.pack_stream.put(request)
    client.pack_stream.submit(true)
  })
  return pid ?? 0
}

/** The reply of XResQueryClientIds, without its first eight bytes. */
export function parseClientPid(reply: Buffer): number {
  const hasPid = reply.length >= REPLY_HEADER_BYTES + 16 && reply.readUInt32LE(0) > 0
  const bytes = hasPid ? reply.readUInt32LE(REPLY_HEADER_BYTES + 8) : 0
  return bytes >= 4 ? reply.readUInt32LE(REPLY_HEADER_BYTES + 12) : 0
}

/** The name of a process. Empty when it has exited or cannot be read. */
export function processName(pid: number, read: (path: string) => string = readText): string {
  if (pid === 0) return ''
  try {
    const name = read(`/proc/${pid}/comm`).trim()
    if (Buffer.byteLength(name) < COMM_BYTES) return name
    // The command line has the full name of a truncated one, unless the program changed its name.
    const command = basename(read(`/proc/${pid}/cmdline`).split('\0')[0] ?? '')
    return command.startsWith(name) ? command : name
  } catch {
    return ''
  }
}

const readText = (path: string): string => readFileSync(path, 'utf8')
