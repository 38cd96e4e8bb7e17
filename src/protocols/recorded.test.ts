import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import * as z from 'zod'
import { manualClock } from '../../test/support/base/manual-clock.ts'
import { serve } from '../../test/support/protocols/serve.ts'
import type { Agent } from '../agent/engine.ts'
import { builtinScript } from '../agent/script/builtin-script.ts'
import { cannedTools } from '../agent/script/scripted-model.ts'
import { seededIds } from '../base/ids.ts'
import { seededRandom } from '../base/random.ts'
import { PACKAGE } from '../compose/package.ts'
import { modelFreeServices } from '../perception/open-perception.ts'
import { memoryStore } from '../stores/memory.ts'
import { agentWebkitApi } from './agent-webkit/routes.ts'
import { agentWebkit } from './agent-webkit/server.ts'
import { cortaskApi } from './cortask/routes.ts'
import { cortask } from './cortask/server.ts'
import type { ApiDescription } from './http/document.ts'
import { naviApi } from './navi/routes.ts'
import { navi } from './navi/server.ts'
import type { ProtocolListener } from './protocol.ts'
import { windieosApi } from './windieos/routes.ts'
import { windieos } from './windieos/server.ts'

// Conversations as they went over the wire, in fixtures/wire: every frame fits the protocol, and said again to a new server
// they go the same way, byte for byte. `WIRE=update` records the messages of the servers again.

const FOLDER = join(PACKAGE, 'fixtures', 'wire')
const UPDATES = process.env.WIRE === 'update'
/** Long enough for a server on this machine to send its messages when their number is unknown. */
const QUIET_MS = 300

/** One line of a recording; a stray is a frame of a client that fits nothing. */
const Line = z.union([
  z.strictObject({ about: z.string(), script: z.unknown().optional() }),
  z.strictObject({ client: z.unknown() }),
  z.strictObject({ stray: z.unknown() }),
  z.strictObject({ server: z.unknown() }),
])
type Line = z.infer<typeof Line>

/** A client of a server, over any transport. */
interface Talk {
  sendMessage(frame: unknown): void
  /** Everything the server has said. */
  readonly received: readonly unknown[]
}

const dataFolder = mkdtempSync(join(tmpdir(), 'recorded-'))
afterAll(() => rmSync(dataFolder, { recursive: true }))

const textOf = (frame: unknown): string => (typeof frame === 'string' ? frame : JSON.stringify(frame))

async function overSocket(url: string): Promise<Talk> {
  const socket = new WebSocket(url.replace('http', 'ws'))
  const received: unknown[] = []
  socket.on('message', (data) => received.push(JSON.parse(String(data))))
  await once(socket, 'open')
  return { received, sendMessage: (frame) => socket.send(textOf(frame)) }
}

async function overEvents(url: string): Promise<Talk> {
  const { session_id } = (await post(`${url}/sessions`, '{}')) as { session_id: string }
  const stream = await fetch(`${url}/sessions/${session_id}/stream`)
  const received: unknown[] = []
  void (async () => {
    let rest = ''
    for await (const piece of stream.body!.pipeThrough(new TextDecoderStream())) {
      const frames = (rest + piece).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) {
        const read = /^id: (\d+)\nevent: (\w+)\ndata: (.*)$/s.exec(frame)
        if (read) received.push({ id: Number(read[1]), event: read[2], data: JSON.parse(read[3]!) })
      }
    }
  })().catch(() => {})
  return { received, sendMessage: (frame) => void post(`${url}/sessions/${session_id}/input`, textOf(frame)) }
}

async function post(url: string, body: string): Promise<unknown> {
  const answer = await fetch(url, { method: 'POST', body })
  return answer.status === 204 ? undefined : answer.json()
}

interface Spoken {
  readonly api: ApiDescription
  protocol(agent: Agent, onBug: (cause: unknown) => void): ProtocolListener
  open(url: string): Promise<Talk>
}

const SPOKEN: Readonly<Record<string, Spoken>> = {
  'agent-webkit': {
    api: agentWebkitApi,
    protocol: (agent, onBug) => agentWebkit({ agent, onBug }),
    open: overEvents,
  },
  cortask: {
    api: cortaskApi,
    protocol: (agent, onBug) => {
      const workspaces = [{ id: 'w', name: 'w', rootPath: dataFolder }]
      return cortask({ agent, onBug, store: memoryStore(), workspaces })
    },
    open: (url) => overSocket(`${url}/ws`),
  },
  navi: {
    api: naviApi,
    protocol: (agent, onBug) => navi({ agent, onBug, store: memoryStore(), dataFolder }),
    open: async (url) => {
      const { session_id } = (await post(`${url}/sessions`, '{"profile_id":"default"}')) as { session_id: string }
      return overSocket(`${url}/ws/sessions/${session_id}`)
    },
  },
  windieos: {
    api: windieosApi,
    protocol: (agent, onBug) =>
      windieos({
        agent,
        onBug,
        dataFolder,
        store: memoryStore(),
        ...modelFreeServices,
        backendTools: cannedTools(builtinScript.tools),
      }),
    open: (url) => overSocket(`${url}/ws`),
  },
}

/** Sends the lines to a new server and returns them with its messages. The recording gives the number to wait for. */
async function saidAgain({ protocol, open }: Spoken, lines: readonly Line[]): Promise<readonly Line[]> {
  const [opening, ...rest] = lines
  const script = opening && 'script' in opening ? opening.script : undefined
  const ids = seededIds(seededRandom(1))
  const clock = manualClock(Date.UTC(2026, 0, 2, 3, 4, 5))
  const server = await serve(protocol, { ids, clock, ...(script !== undefined && { script }) })
  const talk = await open(server.url)
  const again: Line[] = [opening!]
  let heard = 0
  const listen = async (expected: number) => {
    if (UPDATES) await sleep(QUIET_MS)
    else while (talk.received.length < heard + expected) await sleep(1)
    for (const server of talk.received.slice(heard)) again.push({ server })
    heard = talk.received.length
  }
  /** The number of server messages before the client sends again. */
  const serverLines = (from: number): number => {
    const next = rest.slice(from).findIndex((line) => !('server' in line))
    return next < 0 ? rest.length - from : next
  }
  await listen(serverLines(0))
  for (const [index, line] of rest.entries()) {
    if (!('client' in line || 'stray' in line)) continue
    talk.sendMessage('client' in line ? line.client : line.stray)
    again.push(line)
    await listen(serverLines(index + 1))
  }
  await server.close()
  expect(server.bugs).toEqual([])
  return again
}

/** What a client may say, and what a server. */
function schemasOf({ operations, channels }: ApiDescription) {
  const input = operations.filter(({ path }) => path.endsWith('/input')).flatMap(({ body }) => body ?? [])
  return {
    client: [...channels.flatMap(({ toServer }) => Object.values(toServer)), ...input],
    server: Object.assign({}, ...channels.map(({ toClient }) => toClient)) as Readonly<Record<string, z.ZodType>>,
  }
}

const fits = (schema: z.ZodType | undefined, value: unknown): boolean => schema?.safeParse(value).success ?? false

describe.each(Object.keys(SPOKEN))('%s', (name) => {
  const spoken = SPOKEN[name]!
  const schemas = schemasOf(spoken.api)

  it.each(readdirSync(join(FOLDER, name)))('goes as it went in %s, and every frame fits', async (file) => {
    const path = join(FOLDER, name, file)
    const written = readFileSync(path, 'utf8').trimEnd().split('\n')
    const lines = written.map((line) => Line.parse(JSON.parse(line)))
    const again = (await saidAgain(spoken, lines)).map((line) => JSON.stringify(line))
    if (UPDATES) writeFileSync(path, `${again.join('\n')}\n`)
    else expect(again).toEqual(written)
    const misfits = lines.filter((line) => {
      if ('client' in line) return !schemas.client.some((schema) => fits(schema, line.client))
      if ('stray' in line) return schemas.client.some((schema) => fits(schema, line.stray))
      if (!('server' in line)) return false
      const { type, event, data } = line.server as { type?: string; event?: string; data?: unknown }
      return !(event === undefined ? fits(schemas.server[type!], line.server) : fits(schemas.server[event], data))
    })
    expect(misfits).toEqual([])
  })

  it('has client and server messages of every recorded direction', () => {
    const all = readdirSync(join(FOLDER, name)).flatMap((file) => readFileSync(join(FOLDER, name, file), 'utf8'))
    expect([all.some((text) => text.includes('{"client":')), all.some((text) => text.includes('{"server":'))]).toEqual([
      true,
      true,
    ])
  })
})
