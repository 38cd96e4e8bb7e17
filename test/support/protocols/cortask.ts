import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as z from 'zod'
import { type CortaskOptions, cortask } from '../../../src/protocols/cortask/server.ts'
import { Outgoing } from '../../../src/protocols/cortask/wire.ts'
import { memoryStore } from '../../../src/stores/memory.ts'
import { onCleanup } from './cleanup.ts'
import { serve, type TestServerOptions } from './serve.ts'
import { connectSocket } from './socket-client.ts'

/** Test support for the protocol: a server per test, and clients that validate every frame. */

/** A message with any further fields. */
export type CortaskMessage = Outgoing & Readonly<Record<string, unknown>>

export async function startCortask(options: Partial<CortaskOptions> = {}, play: TestServerOptions = {}) {
  const rootPath = mkdtempSync(join(tmpdir(), 'workspace-'))
  onCleanup(() => rmSync(rootPath, { recursive: true }))
  const workspaces = [{ id: 'w', name: 'Workspace', rootPath }]
  const store = options.store ?? memoryStore()
  const server = await serve((agent, onBug) => cortask({ agent, workspaces, onBug, ...options, store }), play)
  onCleanup(server.close)
  const get = async (path: string, init?: RequestInit): Promise<[number, unknown]> => {
    const response = await fetch(`${server.url}/api${path}`, init)
    const text = await response.text()
    return [response.status, text === '' ? undefined : JSON.parse(text)]
  }
  return { server, rootPath, get, client: () => connect(server.url) }
}

async function connect(url: string) {
  const client = await connectSocket(url, '/ws', Outgoing as z.ZodType<CortaskMessage>)
  onCleanup(() => client.socket.terminate())
  const { received, send } = client
  return {
    ...client,
    chat: (message: string, more: Record<string, unknown> = {}) =>
      send({ type: 'chat', sessionKey: 's', message, workspaceId: 'w', ...more }),
    types: () => received.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]),
    text: () => received.map((message) => (message.type === 'text_delta' ? message.text : '')).join(''),
  }
}

export const requestIdOf = (message: CortaskMessage): string => String(message.requestId)
