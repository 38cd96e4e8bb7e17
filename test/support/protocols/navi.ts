import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_PROFILES } from '../../../src/agent/profiles-file.ts'
import { type NaviOptions, navi } from '../../../src/protocols/navi/server.ts'
import { Outgoing } from '../../../src/protocols/navi/wire.ts'
import { memoryStore } from '../../../src/stores/memory.ts'
import { onCleanup } from './cleanup.ts'
import { serve, type TestServerOptions } from './serve.ts'
import { connectSocket } from './socket-client.ts'

/** Test support for the protocol: a server per test, and clients that validate every frame. */

export async function startNavi(options: Partial<NaviOptions> = {}, play: TestServerOptions = {}) {
  const dataFolder = options.dataFolder ?? mkdtempSync(join(tmpdir(), 'navi-'))
  onCleanup(() => rmSync(dataFolder, { recursive: true, force: true }))
  const store = options.store ?? memoryStore()
  const server = await serve((agent, onBug) => navi({ agent, onBug, ...options, store, dataFolder }), {
    profiles: DEFAULT_PROFILES.profiles,
    ...play,
  })
  onCleanup(server.close)
  const call = async (method: string, path: string, body?: unknown): Promise<[number, unknown]> => {
    const response = await fetch(server.url + path, {
      method,
      ...(body === undefined
        ? {}
        : { body: body instanceof FormData || typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return [response.status, text === '' ? undefined : JSON.parse(text)]
  }
  const create = async (profile_id = 'secretary'): Promise<string> => {
    const [, made] = await call('POST', '/sessions', { profile_id })
    return (made as { session_id: string }).session_id
  }
  const upload = (id: string, name: string, content: string | Uint8Array<ArrayBuffer>, field = 'file') => {
    const form = new FormData()
    form.append(field, new Blob([content], { type: 'text/plain' }), name)
    return call('POST', `/sessions/${id}/files`, form)
  }
  return { server, dataFolder, call, create, upload, connect: (id: string) => connect(server.url, id) }
}

async function connect(url: string, id: string) {
  const client = await connectSocket(url, `/ws/sessions/${id}`, Outgoing)
  onCleanup(() => client.socket.terminate())
  const { received, send } = client
  return {
    ...client,
    sendMessage: (content: string, more: Record<string, unknown> = {}) => send({ type: 'message', content, ...more }),
    types: () =>
      received
        .map(({ type }) => type)
        .filter((type, index, all) => type !== all[index - 1] || !type.endsWith('_delta')),
    answer: () => received.map((message) => (message.type === 'stream_delta' ? message.delta : '')).join(''),
  }
}

/** Starts a server and a session with a connected socket. */
export async function startNaviSession(
  options: Partial<NaviOptions> = {},
  play: TestServerOptions = {},
  profile = 'secretary',
) {
  const started = await startNavi(options, play)
  const id = await started.create(profile)
  return { ...started, id, client: await started.connect(id) }
}
