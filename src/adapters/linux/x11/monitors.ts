import type { Monitor } from '../../../desktop/model/desktop.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'
import type { Display } from './display.ts'

/** The minor opcode of RRGetMonitors (RandR 1.5), which the X library lacks. */
const GET_MONITORS = 42
const MONITOR_BYTES = 24
const REPLY_HEADER_BYTES = 24

/** The monitors of the desktop, the primary one first. A server without RandR 1.5 has one monitor: the screen. */
export async function listMonitors(display: Display): Promise<readonly Monitor[]> {
  const { client, root } = display
  const randr = await display.tryRequest<{ present: number; majorOpcode: number }>((done) =>
    client.QueryExtension('RANDR', done),
  )
  const found = randr?.present
    ? await display.tryRequest<readonly RandrMonitor[]>((done) => {
        const request = Buffer.alloc(12)
        request.writeUInt8(randr.majorOpcode, 0)
        request.writeUInt8(GET_MONITORS, 1)
        request.writeUInt16LE(3, 2)
        request.writeUInt32LE(root, 4)
        request.writeUInt8(1, 8)
        client.seq_num++
        client.replies[client.seq_num] = [parseMonitors, done]
        client.pack_stream.put(request)
        client.pack_stream.submit(true)
      })
    : undefined
  const usable = found?.length ? found : [{ primary: true, bounds: await display.screen() }]
  const first = Math.max(
    0,
    usable.findIndex((monitor) => monitor.primary),
  )
  const ordered = [usable[first]!, ...usable.filter((_, index) => index !== first)]
  return ordered.map(({ bounds }, index) => ({ index, primary: index === 0, bounds, scaleFactor: 1 }))
}

interface RandrMonitor {
  readonly primary: boolean
  readonly bounds: Rect
}

/** The reply of RRGetMonitors (RandR protocol 1.5, "RRGetMonitors"), without its first eight bytes. */
export function parseMonitors(reply: Buffer): readonly RandrMonitor[] {
  const count = reply.readUInt32LE(4)
  const found: RandrMonitor[] = []
  let at = REPLY_HEADER_BYTES
  for (let index = 0; index < count; index++) {
    found.push({
      primary: reply.readUInt8(at + 4) === 1,
      bounds: {
        x: reply.readInt16LE(at + 8),
        y: reply.readInt16LE(at + 10),
        width: reply.readUInt16LE(at + 12),
        height: reply.readUInt16LE(at + 14),
      },
    })
    at += MONITOR_BYTES + reply.readUInt16LE(at + 6) * 4
  }
  return found
}
