import assert from 'node:assert/strict'
import { check } from '../check.ts'
import { type Client, connect, read } from './client.ts'

const load = async (client: Client) =>
  read(await client.answer(client.say('load-settings'), 'settings-loaded'), 'settings-loaded').config
const update = async (client: Client, payload: object) =>
  read(await client.answer(client.say('update-settings', payload), 'settings-updated'), 'settings-updated').updated_keys

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

check('windieos:settings:load', async (bench) => {
  const config = await load(await connect(bench, { user_id: `user-${bench.random.word(12)}` }))
  for (const key of KEYS) assert.ok(key in config, `${key} is missing`)
})

check('windieos:settings:update', async (bench) => {
  const client = await connect(bench, { user_id: `user-${bench.random.word(12)}` })
  const before = await load(client)
  const wanted = {
    wakeword_enabled: !before.wakeword_enabled,
    include_query_screenshot: !before.include_query_screenshot,
  }
  assert.deepEqual([...(await update(client, wanted))].sort(), Object.keys(wanted).sort())
  const { wakeword_enabled, include_query_screenshot } = await load(client)
  assert.deepEqual({ wakeword_enabled, include_query_screenshot }, wanted)
})

check('windieos:settings:secret', async (bench) => {
  const client = await connect(bench, { user_id: `user-${bench.random.word(12)}` })
  const api_key = `sk-${bench.random.word(24)}`
  await update(client, { provider_api_keys: { openai: { enabled: true, api_key } } })
  const { provider_api_keys } = await load(client)
  assert.deepEqual([provider_api_keys.openai?.enabled, provider_api_keys.openai?.api_key], [true, ''])
  assert.ok(!JSON.stringify(client.socket.messages).includes(api_key), 'the key is told')
})

check('windieos:settings:invalid', async (bench) => {
  const client = await connect(bench, { user_id: `user-${bench.random.word(12)}` })
  const before = await load(client)
  const id = client.say('update-settings', { wakeword_enabled: !before.wakeword_enabled, model_mode: 'sideways' })
  const { message } = read(await client.answer(id, 'error'), 'error')
  assert.match(message, /Failed to update settings/)
  assert.deepEqual(await load(client), before, 'a part of the update was applied')
})

check('windieos:settings:models', async (bench) => {
  const client = await connect(bench)
  read(await client.answer(client.say('list-models'), 'models-listed'), 'models-listed')
})

check('windieos:wakeword:greeting', async (bench) => {
  const client = await connect(bench, { user_id: `user-${bench.random.word(12)}` })
  client.say('wakeword-detected')
  read(await client.next('wakeword-greeting'), 'wakeword-greeting')
  const types = client.socket.messages.map((one) => one.type)
  assert.ok(types.indexOf('wakeword-activated') < types.indexOf('wakeword-greeting'), types.join(', '))
})

check('windieos:wakeword:same', async (bench) => {
  const client = await connect(bench, { user_id: `user-${bench.random.word(12)}` })
  client.say('wakeword-detected')
  const activated = await client.next('wakeword-activated')
  const greeting = read(await client.next('wakeword-greeting'), 'wakeword-greeting')
  assert.deepEqual(
    [read(activated, 'wakeword-activated').greeting, read(activated, 'wakeword-activated').status],
    [greeting.text, 'listening'],
  )
})

check('windieos:wakeword:speech', async (bench) => {
  const client = await connect(bench, { user_id: `user-${bench.random.word(12)}` })
  await update(client, { speech_mode_enabled: true })
  client.say('wakeword-detected')
  const chunk = read(await client.next('audio-chunk'), 'audio-chunk')
  assert.equal(Buffer.from(chunk.audio, 'base64').length % 2, 0, 'PCM16 has two bytes for each sample')
  const types = client.socket.messages.map((one) => one.type)
  assert.ok(types.indexOf('wakeword-greeting') < types.indexOf('audio-chunk'), types.join(', '))
})
