import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as z from 'zod'
import { memoryStore } from '../../stores/memory.ts'
import { onClose } from '../closing.suite.ts'
import { type Play, serve } from '../harness.ts'
import { talk } from '../talk.suite.ts'
import { type CortaskOptions, cortask } from './server.ts'
import { Outgoing } from './wire.ts'

/** What tests of this folder need: a server for one test, and clients that check every frame. */

/** A message with whatever fields it may have. */
export type Message = Outgoing & Readonly<Record<string, unknown>>

export async function start(options: Partial<CortaskOptions> = {}, play: Play = {}) {
  const rootPath = mkdtempSync(join(tmpdir(), 'workspace-'))
  onClose(() => rmSync(rootPath, { recursive: true }))
  const workspaces = [{ id: 'w', name: 'Workspace', rootPath }]
  const store = options.store ?? memoryStore()
  const server = await serve((agent, onBug) => cortask({ agent, workspaces, onBug, ...options, store }), play)
  onClose(server.close)
  const get = async (path: string, init?: RequestInit): Promise<[number, unknown]> => {
    const response = await fetch(`${server.url}/api${path}`, init)
    const text = await response.text()
    return [response.status, text === '' ? undefined : JSON.parse(text)]
  }
  return { server, rootPath, get, client: () => connect(server.url) }
}

async function connect(url: string) {
  const client = await talk(url, '/ws', Outgoing as z.ZodType<Message>)
  onClose(() => client.socket.terminate())
  const { told, send } = client
  return {
    ...client,
    chat: (message: string, more: Record<string, unknown> = {}) =>
      send({ type: 'chat', sessionKey: 's', message, workspaceId: 'w', ...more }),
    types: () => told.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]),
    text: () => told.map((message) => (message.type === 'text_delta' ? message.text : '')).join(''),
  }
}

export const idOf = (message: Message): string => String(message.requestId)
