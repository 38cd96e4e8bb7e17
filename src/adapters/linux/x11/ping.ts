import { cardinals, type Display } from './display.ts'

/** Asks programs whether they have processed all events of the X server. */
export interface WindowPing {
  /**
   * Pings the program of `window` (EWMH, "_NET_WM_PING"). Returns `answered` once it has processed all events so far,
   * `timeout` when it does not answer within `withinMs`, and `unsupported` when it does not know the protocol.
   */
  send(window: number, withinMs: number): Promise<'answered' | 'timeout' | 'unsupported'>
}

const SUBSTRUCTURE_NOTIFY = 0x0008_0000

/** Opens the ping. Programs send their answers to the root window, so one listener receives all of them. */
export async function openWindowPing(display: Display): Promise<WindowPing> {
  const { client, root } = display
  const [protocols, ping] = await Promise.all([display.atom('WM_PROTOCOLS'), display.atom('_NET_WM_PING')])
  const waiting = new Map<number, () => void>()
  // Window managers ping with timestamps. These small numbers never collide with them.
  let last = 0
  client.ChangeWindowAttributes(root, { eventMask: SUBSTRUCTURE_NOTIFY })
  client.on('event', ({ name, message_type, data }) => {
    if (name !== 'ClientMessage' || message_type !== protocols || data?.[0] !== ping) return
    waiting.get(data[1] ?? 0)?.()
  })
  return {
    async send(window, withinMs) {
      if (!cardinals(await display.property(window, 'WM_PROTOCOLS')).includes(ping)) return 'unsupported'
      return new Promise((resolve) => {
        const number = ++last
        const finish = (answer: 'answered' | 'timeout') => {
          clearTimeout(timer)
          waiting.delete(number)
          resolve(answer)
        }
        const timer = setTimeout(finish, withinMs, 'timeout')
        waiting.set(number, () => finish('answered'))
        client.SendClientMessage(window, window, protocols, 32, [ping, number, window, 0, 0], 0)
      })
    },
  }
}
