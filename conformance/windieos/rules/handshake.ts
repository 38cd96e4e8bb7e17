import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { type AnyJson, closeOnFrame, onClientMessage, onMessage, repeatMessages } from '../../suite/behaviors.ts'
import { AUXILIARY_CHECK, defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import { RegisteredInstall } from '../contract.ts'
import { sources } from '../document.ts'
import { assertAlive, connect, createClient, handshakeMessage, parsePayload, TEN_MB } from '../driver.ts'

/** The message of the official client. */
const DEFINITION = {
  version: 1,
  tools: { mode: 'client_only' },
  skills: [],
  plugins: [],
  runtime: { operating_system: 'Linux', coordinate_methods: ['manual'] },
}

const REMOVED = ['operating_system', 'available_tools', 'available_coordinate_methods', 'requested_agent_policy']

const tool = (name: string, more: object = {}) => ({
  name,
  description: `Does ${name.slice(0, 20)}.`,
  execution_target: 'local_runtime',
  schema: { type: 'object', properties: {} },
  argument_resolution: 'passthrough',
  ...more,
})

const bringing = (tools: readonly object[]) => ({
  agent_definition: { version: 1, tools: { mode: 'default_plus_client', client_manifest: { version: 1, tools } } },
})

/** The handshake of a socket. */
export const handshakeRules = defineRules('handshake', {
  plain: {
    level: 'MUST',
    text: 'A handshake with a user_id alone is accepted, and so is one with the keys of the official client.',
    source: sources.handshake,
    basis: { states: 'A handshake has user_id, and agent_definition is optional.' },
    covers: ['W01', 'K01', 'K08', 'K12', 'C00', 'A48'],
    check: async (context) => {
      await assertAlive(await connect(context))
      await assertAlive(await connect(context, { agent_definition: DEFINITION }))
    },
    sabotage: {
      'knows no agents': closeOnFrame(1008, (_, message) => message?.agent_definition?.tools?.mode === 'client_only'),
    },
  },

  first: {
    level: 'MUST',
    text: 'A first frame that is not a handshake closes the socket with 1008.',
    source: sources.handshake,
    basis: { states: 'Handshake JSON or schema that is invalid closes the socket with 1008.' },
    covers: ['K01', 'K03', 'X1008'],
    pool: 'dangerous',
    check: async (context) => {
      const wrong = ['{"type":', 'null', '[]', '7', '{}', '{"id":"1","type":"list-models","payload":{}}']
      for (const raw of wrong) {
        const socket = await context.socket('/ws')
        socket.sendRaw(raw)
        assert.equal(await socket.closing(), 1008, `after ${raw}`)
      }
    },
    sabotage: {
      'closes with 1011': { changeCloseCode: (code) => (code === 1008 ? 1011 : code) },
    },
  },

  removed: {
    level: 'MUST',
    text: 'A handshake with a removed top-level field closes the socket with 1008.',
    source: sources.handshake,
    basis: { states: 'Removed top-level fields are rejected; an invalid schema closes with 1008.' },
    covers: ['K05', 'X1008', 'A05', 'A06'],
    pool: 'dangerous',
    check: async (context) => {
      for (const field of REMOVED) {
        const socket = await context.socket('/ws')
        socket.sendRaw(JSON.stringify(handshakeMessage({ [field]: field === 'operating_system' ? 'macOS' : [] })))
        assert.equal(await socket.closing(), 1008, `with ${field}`)
      }
    },
    sabotage: {
      'takes removed fields': onClientMessage((message) => {
        if (message.type !== 'handshake') return
        for (const field of ['operating_system', 'available_tools', 'available_coordinate_methods'])
          delete message[field]
      }),
    },
  },

  large: {
    level: 'MUST',
    text: 'A handshake of more than 64 KiB is read like a small one.',
    source: sources.handshake,
    basis: { states: 'Payloads of 64 KiB and more are parsed outside the event loop.' },
    covers: ['K07', 'L04'],
    pool: 'dangerous',
    check: async (context) => {
      const tools = Array.from({ length: 400 }, (_, at) => tool(`tool_${at}`, { description: 'x'.repeat(200) }))
      const client = await connect(context, bringing(tools))
      const { accepted } = parsePayload(await client.nextMessage('client-tool-manifest'), 'client-tool-manifest')
      assert.equal(accepted.length, tools.length, 'the number of accepted tools')
    },
    sabotage: {
      'hangs up at a large handshake': closeOnFrame(
        1009,
        ({ data }, message) => message?.type === 'handshake' && data.length > 64 * 1024,
      ),
    },
  },

  'at-once': {
    level: 'SHOULD',
    text: 'Messages right behind the handshake are answered.',
    source: sources.sdk,
    basis: { because: 'The document names the order of messages only; the official SDK does not wait.' },
    covers: ['K09'],
    check: async (context) => {
      const client = await connect(context)
      const ids = ['list-models', 'load-settings', 'list-models'].map((type) => client.send(type))
      await client.nextResponse(ids[0]!, 'models-listed')
      await client.nextResponse(ids[1]!, 'settings-loaded')
      await client.nextResponse(ids[2]!, 'models-listed')
    },
    sabotage: {
      'is deaf right after the handshake': deafAtFirst(),
    },
  },

  again: {
    level: 'SHOULD',
    text: 'A second handshake is answered with an error, and the socket stays.',
    source: sources.handshake,
    basis: { because: 'The document does not specify the response to a second handshake.' },
    covers: ['K10', 'A43'],
    pool: 'dangerous',
    check: async (context) => {
      const client = await connect(context)
      await assertAlive(client)
      const after = client.socket.messages.length
      client.socket.sendRaw(JSON.stringify(handshakeMessage()))
      await client.nextMessage('error', after)
      await assertAlive(client)
    },
    sabotage: {
      'shakes hands in silence again': shakesOnce(),
    },
  },

  'empty-user': {
    level: 'SHOULD',
    text: 'A handshake without a user_id, or with an empty one, closes the socket with 1008.',
    source: sources.handshake,
    basis: { because: 'The sample has a user_id; the document does not specify that it is required.' },
    covers: ['A04', 'K03'],
    pool: 'dangerous',
    check: async (context) => {
      for (const raw of ['{"type":"handshake"}', JSON.stringify(handshakeMessage({ user_id: '' }))]) {
        const socket = await context.socket('/ws')
        socket.sendRaw(raw)
        assert.equal(await socket.closing(), 1008, `after ${raw}`)
      }
    },
    sabotage: {
      'lets nobody in under no name': names('somebody'),
    },
  },

  huge: {
    level: 'SHOULD',
    text: 'A handshake over 10 MB closes the socket with 1008.',
    source: sources.handshake,
    basis: {
      because: 'The limit is that of messages; the document does not specify the response to a handshake over it.',
    },
    covers: ['A41'],
    pool: 'dangerous',
    check: async (context) => {
      const socket = await context.socket('/ws')
      socket.sendRaw(
        JSON.stringify(handshakeMessage({ agent_definition: { version: 1, name: 'x'.repeat(11 * 1024 * 1024) } })),
      )
      assert.equal(await socket.closing(), 1008, 'the code that closes the socket')
    },
    sabotage: {
      'hangs up at a huge handshake': closeOnFrame(
        1009,
        ({ data }) => data.length > TEN_MB && data.subarray(0, 100).includes('handshake'),
      ),
    },
  },

  token: {
    level: 'MUST',
    text: 'Where installs are authenticated a socket without a valid token is refused or closed.',
    source: sources.handshake,
    basis: { states: 'Hosted sockets must include a bearer token.' },
    covers: ['K02', 'K04'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const { base } = await context.auxiliary('hosted')
      const isRefused = (error: Error) =>
        /refused with HTTP 4/.test(error.message) ? undefined : Promise.reject(error)
      // Either the HTTP upgrade or the WebSocket handshake refuses the header.
      const socket = await context.socketAt(base.href, '/ws').catch(isRefused)
      if (!socket) return
      socket.send(handshakeMessage())
      await socket.closing()
    },
    sabotage: {
      'hides who needs a token': { changeCloseCode: () => undefined },
    },
  },

  'token-code': {
    level: 'SHOULD',
    text: 'A socket without a valid token is let in and closed with 1008.',
    source: sources.handshake,
    basis: { because: 'The document names 1008 for an invalid handshake, but no code for a token.' },
    covers: ['K04', 'X1008'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const { base } = await context.auxiliary('hosted')
      const socket = await context.socketAt(base.href, '/ws')
      socket.send(handshakeMessage())
      assert.equal(await socket.closing(), 1008, 'the code that closes the socket')
    },
    sabotage: {
      'closes with 4401 without a token': { changeCloseCode: (code) => (code === 1008 ? 4401 : code) },
    },
  },

  claim: {
    level: 'MUST',
    text: 'Where installs are authenticated another user_id in the handshake is ignored.',
    source: sources.handshake,
    basis: { states: 'user_id is derived from the token; a mismatching claim is ignored.' },
    covers: ['K06', 'A04'],
    ...AUXILIARY_CHECK,
    check: async (context) => {
      const http = await context.auxiliary('hosted')
      const { install_token } = (await http.post('/api/install/register', {})).json(RegisteredInstall)
      const headers = { authorization: `Bearer ${install_token}` }
      const socket = await context.socketAt(http.base.href, '/ws', { headers })
      socket.send(handshakeMessage({ user_id: 'somebody-else' }))
      await assertAlive(createClient(context, socket))
    },
    sabotage: {
      'hangs up at a claim': closeOnFrame(1008, (_, message) => message?.user_id === 'somebody-else'),
    },
  },
})

/** Tools that a client brings along. */
export const manifestRules = defineRules('manifest', ['handshake:plain'], {
  judged: {
    level: 'MUST',
    text: 'A client manifest is judged tool by tool; a reserved name is rejected with a reason.',
    source: sources.handshake,
    basis: {
      states: 'The manifest is validated and answered by client-tool-manifest with accepted and rejected tools.',
    },
    covers: ['S19', 'K11', 'K09'],
    check: async (context) => {
      const client = await connect(context, bringing([tool('read_note'), tool('web_search'), tool('save_note')]))
      const message = await client.nextMessage('client-tool-manifest')
      const { accepted, rejected } = parsePayload(message, 'client-tool-manifest')
      assert.deepEqual(accepted.map((one) => one.name).sort(), ['read_note', 'save_note'], 'the accepted tools')
      assert.deepEqual(
        rejected.map((one) => one.name),
        ['web_search'],
        'the rejected tools',
      )
      await assertAlive(client)
    },
    sabotage: {
      'accepts every tool': onMessage('client-tool-manifest', (message) => {
        message.payload.accepted.push(
          ...message.payload.rejected
            .splice(0)
            .map((one: AnyJson) => ({ name: one.name, description: 'x', execution_target: 'local_runtime' })),
        )
      }),
      'judges no manifest': repeatMessages('client-tool-manifest', 0),
    },
  },

  none: {
    level: 'SHOULD',
    text: 'Without a manifest no client-tool-manifest is sent.',
    source: sources.handshake,
    basis: { because: 'The document calls the event optional; it answers a manifest.' },
    covers: ['A52', 'S19'],
    check: async (context) => {
      const client = await connect(context)
      await assertAlive(client)
      const answered = client.socket.messages.filter((one) => one.type === 'client-tool-manifest')
      assert.deepEqual(answered, [], 'a manifest that was not sent is answered')
    },
    sabotage: {
      'judges a manifest nobody sent': {
        changeMessages: () => (message) =>
          message.type === 'remote-tool-catalog'
            ? [message, { id: 'manifest', type: 'client-tool-manifest', payload: { accepted: [], rejected: [] } }]
            : [message],
      },
    },
  },

  name: {
    level: 'SHOULD',
    text: 'A name of 96 characters is accepted and one of 97 rejected.',
    source: sources.laterDocuments,
    basis: { because: 'The document does not bound names; later documents do.' },
    covers: ['L15'],
    check: async (context) => {
      const [longest, tooLong] = [`a${'b'.repeat(95)}`, `a${'b'.repeat(96)}`]
      const client = await connect(context, bringing([tool(longest), tool(tooLong), tool('1st'), tool('ok')]))
      const { accepted } = parsePayload(await client.nextMessage('client-tool-manifest'), 'client-tool-manifest')
      assert.deepEqual(
        accepted.map((one) => one.name),
        [longest, 'ok'],
        'the accepted tools',
      )
    },
    sabotage: {
      'takes names of any length': onMessage('client-tool-manifest', ({ payload }) => {
        for (const { name } of payload.rejected)
          if (name.length > 96) payload.accepted.push({ name, description: 'x', execution_target: 'local_runtime' })
      }),
    },
  },

  catalog: {
    level: 'MAY',
    text: 'The tools that run in the backend are listed in remote-tool-catalog.',
    source: sources.handshake,
    basis: { because: 'The document calls remote-tool-catalog optional.' },
    covers: ['S20'],
    check: async (context) => {
      const client = await connect(context)
      const { payload } = await client.nextMessage('remote-tool-catalog')
      const { remote_tools } = z
        .looseObject({ remote_tools: z.array(z.looseObject({ name: z.string() })) })
        .parse(payload)
      assert.ok(remote_tools.length > 0, 'no tools are listed')
      await pause(50)
    },
    sabotage: {
      'has an empty catalog': onMessage('remote-tool-catalog', ({ payload }) => {
        payload.remote_tools = []
      }),
    },
  },
})

/** Assigns an id to clients without one. */
function names(user_id: string): SabotageBehavior {
  return onClientMessage((message) => {
    if (message.type === 'handshake' && message.user_id === '') message.user_id = user_id
  })
}

/** Drops messages before the first message of the server. */
function deafAtFirst(): SabotageBehavior {
  return {
    interceptSocket: () => {
      let hears = false
      return {
        fromClient: (one) => (hears || one.data.includes('"handshake"') ? [one] : []),
        fromServer: (message) => {
          hears = true
          return [message]
        },
      }
    },
  }
}

function shakesOnce(): SabotageBehavior {
  return {
    interceptSocket: (wire) => {
      let isShaken = false
      const { fromClient } = onClientMessage((message) => {
        if (message.type !== 'handshake') return
        if (isShaken) return false
        isShaken = true
      }).interceptSocket!(wire)
      return fromClient ? { fromClient } : {}
    },
  }
}
