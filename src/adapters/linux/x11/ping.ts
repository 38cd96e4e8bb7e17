import { cardinals, type Display } from './display.ts'

/** Asks programs whether they have come to the end of what the X server sent them. */
export interface WindowPing {
  /**
   * Asks whether the program of `window` has taken in everything sent to it so far (EWMH, "_NET_WM_PING"): `silent` when
   * it does not say so within `withinMs`, `deaf` when it does not know the question.
   */
  send(window: number, withinMs: number): Promise<'heard' | 'silent' | 'deaf'>
}

const SUBSTRUCTURE_NOTIFY = 0x0008_0000

/** Programs send their answers to the root window, so one listener there hears them all. */
export async function openWindowPing(display: Display): Promise<WindowPing> {
  const { client, root } = display
  const [protocols, ping] = await Promise.all([display.atom('WM_PROTOCOLS'), display.atom('_NET_WM_PING')])
  const waiting = new Map<number, () => void>()
  // Window managers ask the same question with times as numbers; these are from long before the server started.
  let last = 0
  client.ChangeWindowAttributes(root, { eventMask: SUBSTRUCTURE_NOTIFY })
  client.on('event', ({ name, message_type, data }) => {
    if (name !== 'ClientMessage' || message_type !== protocols || data?.[0] !== ping) return
    waiting.get(data[1] ?? 0)?.()
  })
  return {
    async send(window, withinMs) {
      if (!cardinals(await display.property(window, 'WM_PROTOCOLS')).includes(ping)) return 'deaf'
      return new Promise((resolve) => {
        const number = ++last
        const finish = (answer: 'heard' | 'silent') => {
          clearTimeout(timer)
          waiting.delete(number)
          resolve(answer)
        }
        const timer = setTimeout(finish, withinMs, 'silent')
        waiting.set(number, () => finish('heard'))
        client.SendClientMessage(window, window, protocols, 32, [ping, number, window, 0, 0], 0)
      })
    },
  }
}
