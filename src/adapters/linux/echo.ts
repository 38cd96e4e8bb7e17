import { cardinals, type Display } from './display.ts'

/** Asks programs whether they have come to the end of what the X server sent them. */
export interface Echo {
  /**
   * True once the program of `window` has taken in everything sent to it so far (EWMH, "_NET_WM_PING"); false when it
   * does not say so within `withinMs`, as programs do that do not know the question.
   */
  from(window: number, withinMs: number): Promise<boolean>
}

const SUBSTRUCTURE_NOTIFY = 0x0008_0000

/** Programs send their answers to the root window, so one listener there hears them all. */
export async function openEcho(display: Display): Promise<Echo> {
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
    async from(window, withinMs) {
      // A program that does not know the question would be waited for in vain.
      if (!cardinals(await display.property(window, 'WM_PROTOCOLS')).includes(ping)) return false
      return new Promise((resolve) => {
        const number = ++last
        const finish = (answered: boolean) => {
          clearTimeout(timer)
          waiting.delete(number)
          resolve(answered)
        }
        const timer = setTimeout(finish, withinMs, false)
        waiting.set(number, () => finish(true))
        client.SendClientMessage(window, window, protocols, 32, [ping, number, window, 0, 0], 0)
      })
    },
  }
}
