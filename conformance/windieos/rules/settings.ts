import assert from 'node:assert/strict'
import { type AnyJson, onClientMessage, onMessage, repeatMessages, swapWithNext } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import { sources } from '../document.ts'
import { type Client, connect, parsePayload } from '../driver.ts'

const load = async (client: Client) =>
  parsePayload(await client.nextResponse(client.send('load-settings'), 'settings-loaded'), 'settings-loaded').config

const update = async (client: Client, payload: object) =>
  parsePayload(
    await client.nextResponse(client.send('update-settings', payload), 'settings-updated'),
    'settings-updated',
  ).updated_keys

const KEYS = [
  'model_mode',
  'model_provider',
  'selected_model_id',
  'interaction_mode',
  'speech_mode_enabled',
  'wakeword_enabled',
  'wakeword_stt_enabled',
  'browser_automation_enabled',
  'include_query_screenshot',
  'provider_api_keys',
]

/** Settings. */
export const settingsRules = defineRules('settings', {
  load: {
    level: 'MUST',
    text: 'load-settings answers with the configuration under the id of the request.',
    source: sources.settings,
    basis: { states: 'load-settings is answered by settings-loaded with the configuration.' },
    covers: ['C03', 'S08'],
    needs: ['handshake:plain'],
    check: async (context) => {
      const config = await load(await connect(context, { user_id: `user-${context.random.word(12)}` }))
      for (const key of KEYS) assert.ok(key in config, `${key} is missing`)
    },
    sabotage: {
      'loads half the settings': onMessage('settings-loaded', (message) => {
        delete message.payload.config.wakeword_enabled
      }),
    },
  },

  update: {
    level: 'MUST',
    text: 'update-settings names the keys it changed, and the next load shows them.',
    source: sources.settings,
    basis: { states: 'update-settings is answered by settings-updated with updated_keys, and applies to the session.' },
    covers: ['C04', 'S09', 'A36'],
    needs: ['settings:load'],
    check: async (context) => {
      const client = await connect(context, { user_id: `user-${context.random.word(12)}` })
      const before = await load(client)
      const wanted = {
        wakeword_enabled: !before.wakeword_enabled,
        include_query_screenshot: !before.include_query_screenshot,
      }
      assert.deepEqual([...(await update(client, wanted))].sort(), Object.keys(wanted).sort(), 'the updated settings')
      const { wakeword_enabled, include_query_screenshot } = await load(client)
      assert.deepEqual({ wakeword_enabled, include_query_screenshot }, wanted, 'the settings')
    },
    sabotage: {
      'says it updated nothing': onMessage('settings-updated', (message) => {
        message.payload.updated_keys = []
      }),
      'shows old settings': onMessage('settings-loaded', (message) => {
        message.payload.config.wakeword_enabled = true
      }),
    },
  },

  secret: {
    level: 'MUST',
    text: 'An API key is never returned; other values are.',
    source: sources.settings,
    basis: { states: 'api_key is redacted to an empty string; enabled is preserved.' },
    covers: ['S08', 'C04', 'A47'],
    needs: ['settings:load'],
    check: async (context) => {
      const client = await connect(context, { user_id: `user-${context.random.word(12)}` })
      const api_key = `sk-${context.random.word(24)}`
      await update(client, { provider_api_keys: { openai: { enabled: true, api_key } } })
      const { provider_api_keys } = await load(client)
      assert.deepEqual(
        { enabled: provider_api_keys.openai?.enabled, api_key: provider_api_keys.openai?.api_key },
        { enabled: true, api_key: '' },
      )
      assert.ok(!JSON.stringify(client.socket.messages).includes(api_key), 'the key is returned')
    },
    sabotage: {
      'tells its secrets': onMessage('settings-loaded', (message) => {
        for (const one of Object.values(message.payload.config.provider_api_keys) as AnyJson[]) one.api_key = 'sk-1'
      }),
    },
  },

  'kept-key': {
    level: 'SHOULD',
    text: 'An empty api_key sent back keeps the stored key.',
    source: 'good sense; the document leaves it open',
    basis: { because: 'The document redacts keys; a client that sends back what it read should not lose them.' },
    covers: ['A38'],
    unchecked: 'a stored key is never returned',
  },

  invalid: {
    level: 'SHOULD',
    text: 'An update with a wrong value is refused whole, with the text the official client looks for.',
    source: sources.settings,
    basis: { because: 'Values are validated; the document does not specify that an update is refused whole.' },
    covers: ['C04', 'E01', 'A37'],
    needs: ['settings:load'],
    check: async (context) => {
      const client = await connect(context, { user_id: `user-${context.random.word(12)}` })
      const before = await load(client)
      const id = client.send('update-settings', { wakeword_enabled: !before.wakeword_enabled, model_mode: 'sideways' })
      const { message } = parsePayload(await client.nextResponse(id, 'error'), 'error')
      assert.match(message, /Failed to update settings/)
      assert.deepEqual(await load(client), before, 'a part of the update was applied')
    },
    sabotage: {
      'refuses settings in other words': onMessage('error', (message) => {
        message.payload.message = 'no'
      }),
    },
  },

  models: {
    level: 'MUST',
    text: 'list-models answers with local, online and vision models.',
    source: sources.settings,
    basis: { states: 'list-models is answered by models-listed with local, online and vision.' },
    covers: ['C05', 'S10'],
    needs: ['handshake:plain'],
    check: async (context) => {
      const client = await connect(context)
      parsePayload(await client.nextResponse(client.send('list-models'), 'models-listed'), 'models-listed')
    },
    sabotage: {
      'lists no models': repeatMessages('models-listed', 0),
    },
  },
})

/** Rehydrating a conversation. */
export const rehydrateRules = defineRules('rehydrate', {
  silent: {
    level: 'MUST',
    text: 'A history is restored without a reply, even with a screenshot that no longer exists.',
    source: 'WindieOS API reference, rehydrate-conversation',
    basis: { states: 'Success has no event, and a screenshot that is not found does not fail the rest.' },
    covers: ['C02', 'E09', 'A40'],
    needs: ['query:stream'],
    check: async (context) => {
      const client = await connect(context)
      const conversation_ref = `conv-${context.random.word(12)}`
      const messages = [
        { role: 'user', content: 'Earlier prompt', message_type: 'user_query', screenshot_ref: 'gone.jpg' },
        { role: 'assistant', content: 'Earlier reply', message_type: 'assistant_response' },
      ]
      const id = client.send('rehydrate-conversation', { conversation_ref, messages, rehydrate_mode: 'replace' })
      const { end } = await client.runTurn(context.profile.phrase('hello'), { conversation_ref })
      assert.equal(end.type, 'streaming-complete', 'the end of the run')
      assert.ok(!client.socket.messages.some((one) => one.id === id), 'it is answered')
    },
    sabotage: {
      'says that a history is back': onClientMessage((message, { sendToClient }) => {
        if (message.type === 'rehydrate-conversation') sendToClient({ id: message.id, type: 'rehydrated', payload: {} })
      }),
    },
  },

  failure: {
    level: 'MUST',
    text: 'A history that is malformed is answered with an error.',
    source: 'WindieOS API reference, rehydrate-conversation',
    basis: { states: 'A failure is a standard error event.' },
    covers: ['C02', 'E08'],
    pool: 'dangerous',
    check: async (context) => {
      const client = await connect(context)
      const messages = [{ role: 'nobody', content: 7 }]
      const id = client.send('rehydrate-conversation', { conversation_ref: 'c', messages })
      parsePayload(await client.nextResponse(id, 'error'), 'error')
    },
    sabotage: {
      'puts any history back': onClientMessage((message) => {
        if (message.type === 'rehydrate-conversation') message.payload = { ...message.payload, messages: [] }
      }),
    },
  },
})

/** Wake words. */
export const wakewordRules = defineRules('wakeword', ['handshake:plain'], {
  greeting: {
    level: 'MUST',
    text: 'A wakeword is answered with wakeword-activated and then wakeword-greeting.',
    source: sources.voice,
    basis: { states: 'wakeword-activated comes first, then wakeword-greeting.' },
    covers: ['C08', 'S12', 'S13'],
    check: async (context) => {
      const client = await connect(context, { user_id: `user-${context.random.word(12)}` })
      client.send('wakeword-detected')
      parsePayload(await client.nextMessage('wakeword-greeting'), 'wakeword-greeting')
      const types = client.socket.messages.map((one) => one.type)
      assert.ok(types.indexOf('wakeword-activated') < types.indexOf('wakeword-greeting'), types.join(', '))
    },
    sabotage: {
      'greets before it is there': swapWithNext('wakeword-activated'),
    },
  },

  same: {
    level: 'SHOULD',
    text: 'wakeword-activated has the text of the greeting and the status listening.',
    source: sources.voice,
    basis: { because: 'It is so in the samples, and stated nowhere.' },
    covers: ['S12', 'S13'],
    check: async (context) => {
      const client = await connect(context, { user_id: `user-${context.random.word(12)}` })
      client.send('wakeword-detected')
      const activated = await client.nextMessage('wakeword-activated')
      const handshakeError = parsePayload(await client.nextMessage('wakeword-greeting'), 'wakeword-greeting')
      assert.deepEqual(
        {
          greeting: parsePayload(activated, 'wakeword-activated').greeting,
          status: parsePayload(activated, 'wakeword-activated').status,
        },
        { greeting: handshakeError.text, status: 'listening' },
      )
    },
    sabotage: {
      'greets in other words': onMessage('wakeword-greeting', (message) => {
        message.payload.text += '!'
      }),
    },
  },

  speech: {
    level: 'MUST',
    text: 'With speech enabled, the greeting follows as PCM16 audio.',
    source: sources.voice,
    basis: { states: 'audio-chunk messages follow when speech mode streams: base64 PCM16 with a sample rate.' },
    covers: ['S02'],
    tier: 'full',
    check: async (context) => {
      const client = await connect(context, { user_id: `user-${context.random.word(12)}` })
      await update(client, { speech_mode_enabled: true })
      client.send('wakeword-detected')
      const chunk = parsePayload(await client.nextMessage('audio-chunk'), 'audio-chunk')
      assert.equal(Buffer.from(chunk.audio, 'base64').length % 2, 0, 'PCM16 has two bytes for each sample')
      const types = client.socket.messages.map((one) => one.type)
      assert.ok(types.indexOf('wakeword-greeting') < types.indexOf('audio-chunk'), types.join(', '))
    },
    sabotage: {
      'greets in silence': repeatMessages('audio-chunk', 0),
    },
  },
})
