import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { closeOnFrame, onClientMessage } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import { sources } from '../document.ts'
import { assertAlive, connect, ownMessages, SETTLE_MS } from '../driver.ts'

/** Milliseconds in which a socket that was let in by mistake would have been closed. */
const REFUSAL_MS = 1000

const FOREIGN = [
  'https://evil.example',
  'http://localhost.evil.example',
  'http://evil.example:3777',
  'null',
  'http://127.0.0.1.evil.example',
]

const EXCESSIVE_BYTES = 100 * 1024 * 1024

/** Opening the socket. */
export const connectRules = defineRules('connect', {
  path: {
    level: 'MUST',
    text: 'The socket opens at /ws.',
    source: sources.connectionUrl,
    basis: { states: 'The connection URL is ws://localhost:3777/ws.' },
    covers: ['C-E1'],
    check: async (context) => {
      await context.socket('/ws')
    },
    sabotage: {
      'opens its socket elsewhere': movesTo((path) => (path === '/ws' ? '/socket' : path)),
    },
  },

  'other-path': {
    level: 'SHOULD',
    text: 'At any other path the handshake is refused; a query string does no harm.',
    source: sources.gateway,
    basis: { because: 'The document names one path; the gateway refuses others.' },
    covers: ['C-E1'],
    check: async (context) => {
      await context.socket(`/ws?page=${context.random.word()}`)
      for (const path of ['/', '/wss', `/${context.random.word()}`]) {
        const { refused } = await context.tryConnect(path)
        assert.ok(refused !== undefined && refused >= 400, `${path} is not refused`)
      }
    },
    sabotage: {
      'opens its socket everywhere': movesTo(() => '/ws'),
    },
  },

  silent: {
    level: 'SHOULD',
    text: 'The server sends nothing before it receives a message.',
    source: sources.gateway,
    basis: { because: 'The document lists no greeting.' },
    covers: ['C-E1', 'C-D3'],
    check: async (context) => {
      const socket = await context.socket('/ws')
      await pause(SETTLE_MS)
      assert.deepEqual(ownMessages(socket), [], 'the messages that this client got')
    },
  },

  'local-origin': {
    level: 'MUST',
    text: 'Connections without an Origin and from localhost or 127.0.0.1 at any port are let in.',
    source: sources.behavior,
    basis: { states: 'CORS is restricted to local origins, localhost and 127.0.0.1, by default.' },
    covers: ['C-E2'],
    check: async (context) => {
      await context.socket('/ws')
      for (const origin of [
        'http://localhost',
        'http://localhost:5173',
        'http://127.0.0.1:3777',
        'https://localhost:8443',
      ])
        await context.socket('/ws', { origin })
    },
    sabotage: {
      'lets no page in': {
        changeUpgrade: ({ headers }) => {
          if (headers.origin) headers.origin = 'https://evil.example'
        },
      },
    },
  },

  'foreign-origin': {
    level: 'MUST',
    text: 'A connection from any other Origin is refused, including one that only starts like a local one.',
    source: sources.behavior,
    basis: { states: 'CORS is restricted to local origins, localhost and 127.0.0.1, by default.' },
    covers: ['C-E2'],
    check: async (context) => {
      for (const origin of FOREIGN) {
        const opened = await context.tryConnect('/ws', { origin })
        // A server may refuse the handshake, or close the socket immediately.
        const closed = opened.refused ?? (await opened.socket.closing(REFUSAL_MS).catch(() => undefined))
        assert.ok(closed !== undefined, `the origin ${origin} is let in`)
        if (opened.refused !== undefined)
          assert.ok(closed >= 400 && closed < 500, `the origin ${origin} is refused with ${closed}`)
      }
    },
    sabotage: {
      'lets every page in': {
        changeUpgrade: ({ headers }) => {
          delete headers.origin
        },
      },
    },
  },

  refusal: {
    level: 'MAY',
    text: 'A foreign origin is refused at the handshake with 401.',
    source: sources.gateway,
    basis: { because: 'The document does not specify how; the gateway answers 401, and treats [::1] as foreign.' },
    covers: ['C-A11', 'C-A12'],
    unchecked: 'a page cannot see the status of a refused handshake, nor does the document list [::1]',
  },

  keepalive: {
    level: 'MAY',
    text: 'No message keeps a connection alive.',
    source: sources.gateway,
    basis: { because: 'The document has no such message.' },
    covers: ['C-A13'],
    unchecked: 'connect:silent and run:scope prove that nothing unsolicited is sent',
  },

  cors: {
    level: 'MUST',
    text: 'REST answers to a foreign Origin carry no permission for it.',
    source: sources.behavior,
    basis: { states: 'CORS is restricted to local origins, localhost and 127.0.0.1, by default.' },
    covers: ['C-E3'],
    check: async ({ http }) => {
      for (const origin of FOREIGN) {
        const answer = await http.get('/api/health', { headers: { origin } })
        const allowed = answer.headers['access-control-allow-origin']
        assert.ok(allowed !== '*' && allowed !== origin, `the origin ${origin} is allowed`)
      }
    },
    sabotage: {
      'allows every origin': {
        changeResponse: (answer) => {
          answer.headers['access-control-allow-origin'] = '*'
        },
      },
    },
  },

  port: {
    level: 'MAY',
    text: 'The server listens on 127.0.0.1:3777 by default.',
    source: sources.connectionUrl,
    basis: { because: 'Port 3777 is part of the connection URL in the document.' },
    covers: ['C-E4'],
    unchecked: 'the suite receives the address of the server as an option',
  },

  binary: {
    level: 'SHOULD',
    text: 'A binary frame that holds JSON is read like a text frame.',
    source: sources.gateway,
    basis: { because: 'Messages are JSON-encoded strings; the gateway reads binary frames too.' },
    covers: ['C-E1'],
    needs: ['chat:answer'],
    pool: 'dangerous',
    check: async (context) => {
      const client = await connect(context)
      const chat = {
        type: 'chat',
        sessionKey: 'binary',
        message: context.profile.phrase('hello'),
        workspaceId: client.workspaceId,
      }
      client.socket.sendRaw(Buffer.from(JSON.stringify(chat)))
      assert.equal((await client.end('binary')).type, 'done', 'the end of the run')
    },
    sabotage: {
      'hears no binary frames': { interceptSocket: () => ({ fromClient: (one) => (one.binary ? [] : [one]) }) },
    },
  },
})

/** Frames that are no message. */
export const brokenRules = defineRules('broken', ['chat:answer'], {
  'not-json': {
    level: 'SHOULD',
    text: 'A frame that is not JSON is answered with an error, and the socket stays.',
    source: sources.gateway,
    basis: { because: 'All messages are JSON; the document does not specify the response to others.' },
    covers: ['C-X1'],
    pool: 'dangerous',
    check: async (context) => {
      const client = await connect(context)
      for (const [at, raw] of ['{"type":', 'chat', '{"type":"chat",}'].entries()) {
        client.socket.sendRaw(raw)
        const answer = await client.nextEvent('error', at)
        assert.equal(answer.type, 'error', 'the type of the answer')
      }
      await assertAlive(context, client)
    },
  },

  null: {
    level: 'SHOULD',
    text: 'null and other values that are not objects do not crash the server.',
    source: sources.judgement,
    basis: { because: 'The document does not cover such frames; none of them should crash the server.' },
    covers: ['C-X3', 'C-X2', 'C-A8'],
    pool: 'dangerous',
    check: async (context) => {
      const client = await connect(context)
      for (const raw of ['null', '[]', '7', '"chat"', 'true', '[{"type":"chat"}]']) {
        client.socket.sendRaw(raw)
        // A server that dies of it has closed the socket before the chat, so that the frame is named and not the chat.
        await pause(50)
        await assertAlive(context, client)
      }
      await assertAlive(context, await connect(context))
    },
    sabotage: {
      'hangs up at what is no object': closeOnFrame(
        1011,
        ({ data }, message) => message === undefined && data.length < 100,
      ),
    },
  },

  'unknown-type': {
    level: 'SHOULD',
    text: 'A message of an unknown type is ignored or answered with an error; the socket stays.',
    source: sources.gateway,
    basis: { because: 'The document does not specify the response to an unknown type.' },
    covers: ['C-X2', 'C-A10'],
    pool: 'dangerous',
    check: async (context) => {
      const client = await connect(context)
      client.socket.sendRaw(JSON.stringify({ type: context.random.word() }))
      client.socket.sendRaw('{}')
      await pause(SETTLE_MS)
      assert.ok(
        ownMessages(client.socket).every((one) => one.type === 'error'),
        'it is answered as if it were known',
      )
      await assertAlive(context, client)
    },
    sabotage: {
      'is done with what it does not know': onClientMessage((message, { sendToClient }) => {
        if (message.type === 'chat') return
        sendToClient({ type: 'done', sessionKey: '', usage: { inputTokens: 0, outputTokens: 0 } })
      }),
    },
  },

  huge: {
    level: 'SHOULD',
    text: 'A frame that is too large at most closes its socket with 1009; other clients are not affected.',
    source: sources.gateway,
    basis: { because: 'The document sets no limit; one client should not disturb others.' },
    covers: ['C-X11', 'C-X12', 'C-A8'],
    tier: 'full',
    pool: 'dangerous',
    timeoutMs: 30_000,
    check: async (context) => {
      const [loud, quiet] = [await connect(context), await connect(context)]
      loud.socket.sendRaw(JSON.stringify({ type: 'chat', message: 'A'.repeat(110 * 1024 * 1024) }))
      const code = await loud.socket.closing(6000).catch(() => undefined)
      assert.ok(code === undefined || code === 1009, `the socket closes with ${code}`)
      await pause(SETTLE_MS)
      await assertAlive(context, quiet)
    },
    sabotage: {
      'breaks at a huge frame': closeOnFrame(1011, ({ data }) => data.length > EXCESSIVE_BYTES),
    },
  },
})

function movesTo(path: (path: string) => string): SabotageBehavior {
  return {
    changeUpgrade: (handshake) => {
      const [before = ''] = handshake.path.split('?')
      handshake.path = path(before)
    },
  }
}
