import { once } from 'node:events'
import { WebSocket } from 'ws'
import { createTestbed, type TestbedOptions } from '../../../src/compose/testbed.ts'
import { onCleanup } from './cleanup.ts'

type Json = Readonly<Record<string, unknown>>

/** Serves OpenEnv over a testbed until the cleanup. */
export async function serveOpenenv(
  options: TestbedOptions = {},
  tokens: { readonly token?: string; readonly harnessToken?: string } = {},
) {
  const bugs: unknown[] = []
  const testbed = await createTestbed({ report: (bug) => bugs.push(bug), scenario: 'login', ...options })
  onCleanup(() => testbed.close())
  const { url } = await testbed.serveProtocol('openenv', { port: 0, ...tokens })
  return { testbed, url, bugs }
}

/** A client that sends one frame at a time, and waits for its answer. */
export async function connectOpenenv(url: string, path = '/ws', headers: Readonly<Record<string, string>> = {}) {
  const socket = new WebSocket(url.replace('http', 'ws') + path, { headers })
  // A refused client gets its frame right after the handshake.
  const frames: Json[] = []
  let wake = () => {}
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)))
    wake()
  })
  onCleanup(() => socket.terminate())
  await once(socket, 'open')
  const next = async (): Promise<Json> => {
    while (frames.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    return frames.shift()!
  }
  const send = (frame: unknown) => {
    socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
    return next()
  }
  const play = async (type: 'reset' | 'step' | 'state', data?: Json) =>
    (await send({ type, ...(data && { data }) })).data as Json
  return { socket, next, send, play }
}

/** The step that fills in the form of the scenario `login`, whose user differs with the seed. */
export const fillLogin = ({ observation }: Json) => ({
  actions: [
    {
      tool: 'set_value',
      args: { selector: 'Edit "Username"', value: /as (\w+)\./.exec(String((observation as Json).task))![1] },
    },
    { tool: 'set_value', args: { selector: 'Edit "Password"', value: 'x' } },
  ],
})
/** The step that signs in. */
export const CLICK_LOGIN = { tool: 'click_element', args: { selector: 'Button "Login"' } }

/** Plays the scenario `login` on as many connections at once. Returns the reward and the seed of each. */
export const playLoginAtOnce = (url: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, seed) => {
      const { play } = await connectOpenenv(url)
      await play('step', fillLogin(await play('reset', { seed, observe: 'none' })))
      const { reward } = await play('step', CLICK_LOGIN)
      return [reward, (await play('state')).seed]
    }),
  )
