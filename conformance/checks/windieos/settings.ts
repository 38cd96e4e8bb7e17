import assert from 'node:assert/strict'
import { type Client, connect, parsePayload } from '../../windieos/driver.ts'
import { check } from '../check.ts'

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

check('windieos:settings:load', async (context) => {
  const config = await load(await connect(context, { user_id: `user-${context.random.word(12)}` }))
  for (const key of KEYS) assert.ok(key in config, `${key} is missing`)
})

check('windieos:settings:update', async (context) => {
  const client = await connect(context, { user_id: `user-${context.random.word(12)}` })
  const before = await load(client)
  const wanted = {
    wakeword_enabled: !before.wakeword_enabled,
    include_query_screenshot: !before.include_query_screenshot,
  }
  assert.deepEqual([...(await update(client, wanted))].sort(), Object.keys(wanted).sort())
  const { wakeword_enabled, include_query_screenshot } = await load(client)
  assert.deepEqual({ wakeword_enabled, include_query_screenshot }, wanted)
})

check('windieos:settings:secret', async (context) => {
  const client = await connect(context, { user_id: `user-${context.random.word(12)}` })
  const api_key = `sk-${context.random.word(24)}`
  await update(client, { provider_api_keys: { openai: { enabled: true, api_key } } })
  const { provider_api_keys } = await load(client)
  assert.deepEqual([provider_api_keys.openai?.enabled, provider_api_keys.openai?.api_key], [true, ''])
  assert.ok(!JSON.stringify(client.socket.messages).includes(api_key), 'the key is returned')
})

check('windieos:settings:invalid', async (context) => {
  const client = await connect(context, { user_id: `user-${context.random.word(12)}` })
  const before = await load(client)
  const id = client.send('update-settings', { wakeword_enabled: !before.wakeword_enabled, model_mode: 'sideways' })
  const { message } = parsePayload(await client.nextResponse(id, 'error'), 'error')
  assert.match(message, /Failed to update settings/)
  assert.deepEqual(await load(client), before, 'a part of the update was applied')
})

check('windieos:settings:models', async (context) => {
  const client = await connect(context)
  parsePayload(await client.nextResponse(client.send('list-models'), 'models-listed'), 'models-listed')
})

check('windieos:wakeword:greeting', async (context) => {
  const client = await connect(context, { user_id: `user-${context.random.word(12)}` })
  client.send('wakeword-detected')
  parsePayload(await client.nextMessage('wakeword-greeting'), 'wakeword-greeting')
  const types = client.socket.messages.map((one) => one.type)
  assert.ok(types.indexOf('wakeword-activated') < types.indexOf('wakeword-greeting'), types.join(', '))
})

check('windieos:wakeword:same', async (context) => {
  const client = await connect(context, { user_id: `user-${context.random.word(12)}` })
  client.send('wakeword-detected')
  const activated = await client.nextMessage('wakeword-activated')
  const handshakeError = parsePayload(await client.nextMessage('wakeword-greeting'), 'wakeword-greeting')
  assert.deepEqual(
    [parsePayload(activated, 'wakeword-activated').greeting, parsePayload(activated, 'wakeword-activated').status],
    [handshakeError.text, 'listening'],
  )
})

check('windieos:wakeword:speech', async (context) => {
  const client = await connect(context, { user_id: `user-${context.random.word(12)}` })
  await update(client, { speech_mode_enabled: true })
  client.send('wakeword-detected')
  const chunk = parsePayload(await client.nextMessage('audio-chunk'), 'audio-chunk')
  assert.equal(Buffer.from(chunk.audio, 'base64').length % 2, 0, 'PCM16 has two bytes for each sample')
  const types = client.socket.messages.map((one) => one.type)
  assert.ok(types.indexOf('wakeword-greeting') < types.indexOf('audio-chunk'), types.join(', '))
})
