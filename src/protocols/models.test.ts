import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { ENDPOINT_BEHAVIOURS } from '../../test/support/agent/endpoint-behaviours.ts'
import {
  type EndpointReply,
  finishChunk,
  startModelEndpoint,
  textChunks,
  toolCallChunks,
} from '../../test/support/agent/model-endpoint.ts'
import { cleanUp, onCleanup } from '../../test/support/protocols/cleanup.ts'
import { serve, type TestServerOptions } from '../../test/support/protocols/serve.ts'
import { connectSocket } from '../../test/support/protocols/socket-client.ts'
import type { Agent } from '../agent/engine.ts'
import { endpointModel } from '../agent/models/model-client.ts'
import { DEFAULT_PROFILE } from '../agent/profiles.ts'
import type { Toolbox } from '../agent/toolbox.ts'
import { virtualClock } from '../base/clock.ts'
import { modelFreeServices } from '../perception/open-perception.ts'
import { memoryStore } from '../stores/memory.ts'
import { agentWebkit } from './agent-webkit/server.ts'
import { cortask } from './cortask/server.ts'
import { navi } from './navi/server.ts'
import type { ProtocolListener } from './protocol.ts'
import { windieos } from './windieos/server.ts'

afterEach(cleanUp)

/** Answers that cannot be used and come at once. */
const UNUSABLE = Object.entries({ ...ENDPOINT_BEHAVIOURS.unusable, ...ENDPOINT_BEHAVIOURS.statuses }).filter(
  ([name]) => !name.startsWith('an endless'),
)

interface Frame {
  readonly type: string
  readonly [field: string]: unknown
}
const AnyFrame = z.looseObject({ type: z.string() }) as z.ZodType<Frame>

/** The errors and questions that a client receives until the turn is over. */
interface Wire {
  readonly protocol: (agent: Agent, onBug: (cause: unknown) => void, folder: string) => ProtocolListener
  readonly play: (url: string, on: (asked: Frame) => unknown) => Promise<Heard>
}
interface Heard {
  readonly types: readonly string[]
  readonly errors: readonly string[]
  readonly ended: string
}

async function untilEnd(
  url: string,
  path: string,
  first: readonly unknown[],
  end: readonly string[],
  on: (asked: Frame) => unknown = () => {},
): Promise<Heard> {
  const { received, read, send, socket } = await connectSocket(url, path, AnyFrame)
  for (const message of first) send(message)
  const over = read(({ type }) => end.includes(type))
  for (let at = 0; ; at++) {
    const next = await Promise.race([read(() => true, at), over])
    const answer = on(next)
    if (answer) send(answer)
    if (end.includes(next.type)) break
  }
  const errors = received.filter(({ type }) => type === 'error')
  socket.terminate()
  return {
    types: received.map(({ type }) => type),
    errors: errors.map(({ error, message, payload }) => String(error ?? message ?? (payload as Frame)?.message)),
    ended: (await over).type,
  }
}

const WIRES: Readonly<Record<string, Wire>> = {
  'agent-webkit': {
    protocol: (agent, onBug) => agentWebkit({ agent, onBug }),
    play: async (url, on) => {
      const post = (path: string, body: unknown) => fetch(url + path, { method: 'POST', body: JSON.stringify(body) })
      const { session_id } = (await (await post('/sessions', {})).json()) as { session_id: string }
      await post(`/sessions/${session_id}/input`, { type: 'user_message', content: 'go' })
      const { body } = await fetch(`${url}/sessions/${session_id}/stream`)
      const errors: string[] = []
      let rest = ''
      for await (const part of body!) {
        rest += Buffer.from(part).toString()
        const frames = rest.split('\n\n')
        rest = frames.pop()!
        for (const frame of frames) {
          const [, type = '', json = '{}'] = /event: (\w+)\ndata: (.*)/.exec(frame) ?? []
          const data = JSON.parse(json)
          if (type === 'error') errors.push(`${data.code}: ${data.message}`)
          const answer = on({ ...data, type })
          if (answer) await post(`/sessions/${session_id}/input`, answer)
          if (type === 'result') return { types: [], errors, ended: data.subtype }
        }
      }
      return { types: [], errors, ended: 'nothing' }
    },
  },
  cortask: {
    protocol: (agent, onBug, rootPath) =>
      cortask({ agent, store: memoryStore(), workspaces: [{ id: 'w', name: 'W', rootPath }], onBug }),
    play: (url, on) =>
      untilEnd(url, '/ws', [{ type: 'chat', sessionKey: 's', message: 'go', workspaceId: 'w' }], ['done', 'error'], on),
  },
  navi: {
    protocol: (agent, onBug, dataFolder) => navi({ agent, store: memoryStore(), dataFolder, onBug }),
    play: async (url) => {
      const [profile] = (await (await fetch(`${url}/agents/profiles`)).json()) as { id: string }[]
      const made = await fetch(`${url}/sessions`, { method: 'POST', body: JSON.stringify({ profile_id: profile!.id }) })
      const { session_id } = (await made.json()) as { session_id: string }
      return untilEnd(url, `/ws/sessions/${session_id}`, [{ type: 'message', content: 'go' }], ['stream_end', 'error'])
    },
  },
  windieos: {
    protocol: (agent, onBug, dataFolder) =>
      windieos({
        agent,
        store: memoryStore(),
        dataFolder,
        ...modelFreeServices,
        backendTools: { list: () => [], call: async () => ({ ok: true, result: '' }) },
        logFailure: () => {},
        onBug,
      }),
    play: (url) =>
      untilEnd(
        url,
        '/ws',
        [
          { type: 'handshake', user_id: 'ada' },
          { id: 't', type: 'query', payload: { text: 'go', conversation_ref: 'c' } },
        ],
        ['streaming-complete', 'error'],
      ),
  },
}

/** Serves one protocol with a model whose endpoint sends `replies` in order. */
async function open(wire: Wire, replies: readonly EndpointReply[], play: TestServerOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'models-'))
  onCleanup(() => rmSync(folder, { recursive: true }))
  const server = await startModelEndpoint(...replies)
  onCleanup(server.close)
  const model = endpointModel({ baseUrl: server.baseUrl, model: 'm', clock: virtualClock() })
  const carriedOut: unknown[] = []
  const toolbox: Toolbox = {
    list: () => [{ name: 'click', description: '', input: { type: 'object' }, acts: true }],
    call: async (_name, args) => {
      carriedOut.push(args)
      return { ok: true, result: 'clicked' }
    },
  }
  const served = await serve((agent, onBug) => wire.protocol(agent, onBug, folder), {
    model,
    openToolbox: () => toolbox,
    askBeforeActs: true,
    ...play,
  })
  onCleanup(served.close)
  return { ...served, requests: server.requests, carriedOut }
}

describe.each(Object.entries(WIRES))('over %s', (name, wire) => {
  it('[AG69] [AG79] an unusable response is reported without quoting the endpoint', async () => {
    let reply: (typeof UNUSABLE)[number][1]['reply'] = () => {}
    const { url, bugs } = await open(wire, [(response) => reply(response)])
    for (const [title, behaviour] of UNUSABLE) {
      reply = behaviour.reply
      const { errors, ended } = await wire.play(url, () => undefined)
      expect([title, errors.length, ended]).toEqual([
        title,
        1,
        name === 'agent-webkit' ? 'error_during_execution' : 'error',
      ])
      expect(errors[0], title).toMatch(/the model|the conversation|content filter/)
      if (name === 'agent-webkit') expect(errors[0]).toMatch(new RegExp(`^${behaviour.fails}: `))
      if (behaviour.message) expect(errors[0]).toMatch(behaviour.message)
      expect(errors[0]).not.toContain('secret')
    }
    expect(bugs).toEqual([])
  })
})

describe('a call that must not be made', () => {
  const click = (args: string) => [
    [...toolCallChunks(0, 'a', 'mouse_control', args), finishChunk('tool_calls')],
    [...textChunks('Done.'), finishChunk('stop')],
  ]
  const ask = (url: string) =>
    untilEnd(
      url,
      '/ws',
      [
        { type: 'handshake', user_id: 'ada' },
        { id: 't', type: 'query', payload: { text: 'go', conversation_ref: 'c' } },
      ],
      ['streaming-complete', 'error'],
    )

  it.each([
    ['is unfinished', '{"action": "click", "x": ', []],
    ['is denied by a rule', '{"action":"click","x":1,"y":2}', [{ tool: 'mouse_*', target: 'click', decision: 'deny' }]],
    ['may not be asked about', '{"action":"click","x":1,"y":2}', [{ tool: '*', decision: 'ask' }]],
  ] as const)('[AG67] since it %s does not reach a client of windieos', async (_, args, permissions) => {
    const profiles = [{ ...DEFAULT_PROFILE, permissions: [...permissions] }]
    const { url, requests } = await open(WIRES.windieos!, click(args), { profiles })
    const { types, ended } = await ask(url)
    expect(ended).toBe('streaming-complete')
    expect(types).not.toContain('tool-call')
    expect(requests[1]!.messages).toContainEqual({
      role: 'tool',
      tool_call_id: 'a',
      content: expect.stringMatching(/nothing was done|not permitted|this protocol has no permission requests/),
    })
  })

  it('[AG64] is not made over any protocol', async () => {
    for (const [name, wire] of Object.entries(WIRES)) {
      const { url, carriedOut } = await open(wire, [
        [...toolCallChunks(0, 'a', 'click', '{"scenario": '), finishChunk('tool_calls')],
        [...textChunks('Done.'), finishChunk('stop')],
      ])
      expect([name, (await wire.play(url, () => undefined)).errors, carriedOut]).toEqual([name, [], []])
    }
  })
})

describe('a real model that acts', () => {
  it.each([
    ['agent-webkit', 'success'],
    ['cortask', 'done'],
  ])('[AG36] asks the user for permission over %s, with the arguments', async (name, end) => {
    const wire = WIRES[name]!
    const call = [...toolCallChunks(0, 'a', 'click', '{"selector":"Button \\"Delete\\""}'), finishChunk('tool_calls')]
    const { url, requests } = await open(wire, [call, [...textChunks('Done.'), finishChunk('stop')]])
    const asked: Frame[] = []
    const { ended } = await wire.play(url, (frame) => {
      if (frame.type !== 'permission_request') return undefined
      asked.push(frame)
      return name === 'cortask'
        ? { type: 'permission_response', requestId: frame.requestId, approved: false }
        : { type: 'permission_response', correlation_id: frame.correlation_id, behavior: 'deny', message: 'No.' }
    })
    expect(ended).toBe(end)
    expect(asked).toHaveLength(1)
    expect(JSON.stringify(asked[0])).toContain('Delete')
    expect(requests[1]!.messages).toContainEqual({
      role: 'tool',
      tool_call_id: 'a',
      content: name === 'cortask' ? 'the person did not permit this' : 'No.',
    })
  })

  it('[AG91] reads texts attached over cortask, and is shown pictures only', async () => {
    const wire = WIRES.cortask!
    const { url, requests } = await open(wire, [[...textChunks('Seen.'), finishChunk('stop')]])
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const attachments = [
      { mimeType: 'application/pdf', base64: base64('%PDF-1.7'), name: 'a.pdf' },
      { mimeType: 'text/plain', base64: base64('Buy milk.'), name: 'b.txt' },
      { mimeType: 'image/png', base64: 'aGk=', name: 'c.png' },
      { mimeType: 'image/svg+xml', base64: 'aGk=', name: 'd.svg' },
    ]
    const chat = { type: 'chat', sessionKey: 's', message: 'see', workspaceId: 'w', attachments }
    await untilEnd(url, '/ws', [chat], ['done', 'error'])
    expect(requests[0]!.messages).toEqual([
      {
        role: 'user',
        content: [
          {
            type: 'text',
            text: [
              'see',
              '[Attached file a.pdf (application/pdf, 8 bytes): its contents cannot be shown]',
              '[Attached file b.txt (text/plain, 9 bytes)]\nBuy milk.\n[Attached file without a name (image/svg+xml, 2 bytes)]\nhi',
            ].join('\n\n'),
          },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
        ],
      },
    ])
  })
})
