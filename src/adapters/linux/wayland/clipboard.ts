import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { Fault } from '../../../base/fault.ts'
import type { SessionClipboard } from '../desktop-backend.ts'
import { connectPipe, writableEnd } from '../pipes.ts'
import type { WaylandConnection, WaylandObject } from './connection.ts'

type Manager = WaylandObject<'zwlr_data_control_manager_v1'>

const TEXT_TYPES = ['text/plain;charset=utf-8', 'UTF8_STRING', 'text/plain', 'STRING', 'TEXT']
const MAX_READ_MS = 1500
const MAX_CLIPBOARD_BYTES = 64 * 1024 * 1024

/** Two names of the same protocol: the older one is that of wlroots, the newer one that of all compositors. */
export const CLIPBOARD_INTERFACES = ['zwlr_data_control_manager_v1', 'ext_data_control_manager_v1'] as const
const MANAGER_VERSIONS = { zwlr_data_control_manager_v1: 2, ext_data_control_manager_v1: 1 } as const

/** Opens the clipboard of a compositor through data-control. Undefined when it does not offer that. */
export async function openWaylandClipboard(
  connection: WaylandConnection,
  folder: string,
): Promise<SessionClipboard | undefined> {
  const offered = CLIPBOARD_INTERFACES.find((name) =>
    connection.globals.some(({ interfaceName }) => interfaceName === name),
  )
  // The requests and events of both have the same names, opcodes and arguments.
  const manager = offered && (connection.bind(offered, MANAGER_VERSIONS[offered]) as Manager | undefined)
  const seat = manager && connection.bind('wl_seat', 1)
  if (!manager || !seat) return undefined
  const device = manager.send<'zwlr_data_control_device_v1'>('get_data_device', seat)
  const types = new Map<number, string[]>()
  let selected: WaylandObject<'zwlr_data_control_offer_v1'> | undefined
  let served = 0
  device.on('data_offer', (id) => {
    const offered: string[] = []
    types.set(id as number, offered)
    connection.object<'zwlr_data_control_offer_v1'>(id as number)?.on('offer', (type) => offered.push(type as string))
  })
  const select = (id: number) => {
    const offer = connection.object<'zwlr_data_control_offer_v1'>(id)
    for (const known of [...types.keys()]) {
      if (known === id) continue
      types.delete(known)
      // Events that have arrived are still handled when the compositor has ended.
      if (connection.ended) continue
      connection.object<'zwlr_data_control_offer_v1'>(known)?.send('destroy')
      connection.forget(known)
    }
    selected = offer
  }
  device.on('selection', (id) => select(id as number))
  // The primary selection is not the clipboard. Its offer is dropped with the next selection.
  await connection.sync()

  return {
    async read() {
      await connection.sync()
      const offer = selected
      if (!offer) return ''
      const type = TEXT_TYPES.find((each) => types.get(offer.id)?.includes(each))
      if (type === undefined) return ''
      // One end of a connection to a socket of this process is passed to the program that offers the text.
      const path = join(folder, `.backlot-clipboard-${process.pid}-${++served}`)
      const server = createServer()
      try {
        server.listen(path)
        await once(server, 'listening')
        const connected = once(server, 'connection')
        const handle = await connectPipe(path)
        offer.send('receive', type, { handle })
        const [socket] = (await connected) as [Socket]
        return await readAll(socket)
      } finally {
        server.close()
      }
    },
    async write(text) {
      const source = manager.send<'zwlr_data_control_source_v1'>('create_data_source')
      for (const type of TEXT_TYPES) source.send('offer', type)
      source.on('send', () => {
        // The pipe arrives with the same bytes, after the event was read.
        setImmediate(() => {
          const handle = connection.takeHandle()
          if (!handle) return
          writableEnd(handle)
            .on('error', () => {})
            .end(text)
        })
      })
      source.on('cancelled', () => {
        if (!connection.ended) source.send('destroy')
      })
      device.send('set_selection', source)
      await connection.sync()
    },
  }
}

/** Reads a text to its end. Throws `Timeout` when its program does not send it. */
function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    const end = (act: () => void) => {
      clearTimeout(timer)
      socket.destroy()
      act()
    }
    const timer = setTimeout(() => {
      end(() => reject(new Fault('Timeout', `the program of the clipboard has not answered for ${MAX_READ_MS} ms`)))
    }, MAX_READ_MS)
    socket.on('data', (bytes: Buffer) => {
      size += bytes.length
      parts.push(bytes)
      if (size > MAX_CLIPBOARD_BYTES)
        end(() => reject(new Fault('BadRequest', `the clipboard has more than ${MAX_CLIPBOARD_BYTES} bytes`)))
    })
    socket.on('error', () => {})
    socket.on('close', () => end(() => resolve(Buffer.concat(parts).toString('utf8'))))
  })
}
