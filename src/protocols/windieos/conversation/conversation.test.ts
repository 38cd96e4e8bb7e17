import { afterEach, expect, it } from 'vitest'
import { cleanUp, onCleanup } from '../../../../test/support/protocols/cleanup.ts'
import { startWindieos, type TestClient } from '../../../../test/support/protocols/windieos.ts'
import type { Outgoing } from '../wire.ts'

// Facts such as [I-A1] are listed in facts.ts.

afterEach(cleanUp)

/** What the official client asks of a turn's events; anything else ends the turn there. */
function follow({ socket }: TestClient, turn: () => string) {
  const problems: string[] = []
  let last = 0
  const hear = (data: unknown) => {
    const event = JSON.parse(String(data)) as Outgoing
    if (event.conversation_ref === undefined) {
      if (event.type === 'error' && event.id === turn()) problems.push('the turn failed')
      return
    }
    if (event.type === 'error') return void problems.push('the turn failed')
    if (!event.event_id) problems.push(`${event.type} has no event_id`)
    if (event.turn_ref !== turn()) problems.push(`${event.type} is of the turn ${event.turn_ref}`)
    if (event.sequence !== last + 1) problems.push(`${event.type} is number ${event.sequence} after ${last}`)
    last = event.type === 'streaming-complete' ? 0 : (event.sequence ?? last)
  }
  socket.on('message', hear)
  onCleanup(() => socket.off('message', hear))
  return problems
}

it('[I-A1] [I-K12] a client that is as strict as the official one is content with every turn', async () => {
  const script = {
    turns: [
      {
        on: { text: 'use my tools' },
        steps: [
          { call: 'save_note', with: { text: 'hi' }, as: 'note' },
          {
            calls: [
              { call: 'save_note', with: { text: 'a' } },
              { call: 'save_note', with: { text: 'b' } },
            ],
          },
          { say: 'Noted: {{results.note.text}}' },
        ],
      },
    ],
  }
  const { client, post, get, upload } = await startWindieos({ auth: 'install' }, { script })
  const [, install] = await post('/api/install/register', { operating_system: 'Linux' })
  const token = String(install.install_token)
  const headers = { authorization: `Bearer ${token}` }
  expect((await get('/api/install/me', headers))[1].user_id).toBe(install.user_id)
  const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
  const save = { name: 'save_note', description: 'Save a note', execution_target: 'local_runtime', schema }
  const guest = await client({
    token,
    user: String(install.user_id),
    definition: {
      version: 1,
      tools: { mode: 'client_only', client_manifest: { version: 1, tools: [save] } },
      skills: [],
      plugins: [],
      runtime: { operating_system: 'Linux', workspace_path: '/project' },
      metadata: { client_capability_revision: 'r1' },
    },
  })
  let turn = ''
  const problems = follow(guest, () => turn)
  let answered = 0
  guest.socket.on('message', (data) => {
    const { type, payload } = JSON.parse(String(data)) as Outgoing
    if (type === 'tool-call') {
      answered += 1
      guest.sendMessage('tool-result', {
        request_id: payload.request_id,
        success: true,
        data: { output: 'saved' },
        error: null,
      })
    }
    if (type === 'tool-bundle') {
      const tools = payload.tools as readonly { readonly name: string }[]
      answered += tools.length
      guest.sendMessage('tool-bundle-result', {
        bundle_id: payload.bundle_id,
        status: 'success',
        step_results: tools.map(({ name }) => ({ tool: name, status: 'ok', output: 'saved' })),
      })
    }
  })
  const ask = async (text: string, more: object = {}) => {
    turn = guest.sendMessage('query', { text, conversation_ref: 'conv', ...more }, { user_id: install.user_id })
    return (await guest.ended(turn)).payload.final_response
  }
  guest.sendMessage('update-settings', { speech_mode_enabled: true, provider_api_keys: { openai: { api_key: 'sk' } } })
  expect((await post('/api/embeddings/', { text: 'hello', model_name: 'default' }, headers))[0]).toBe(200)
  expect(await ask('hello')).toBe('You said: hello')
  expect(
    (
      await post(
        '/api/semantic/title',
        { user_id: install.user_id, user_message: 'hello', assistant_message: 'x' },
        headers,
      )
    )[0],
  ).toBe(200)
  const [, shot] = await upload(new Uint8Array([1]), 'image/png', headers)
  expect(await ask('look at this', { screenshot_ref: shot.artifact_id })).toBe('I see 1 pictures.')
  expect(await ask('use my tools')).toBe('Noted: saved')
  guest.sendMessage('wakeword-detected')
  await guest.next('wakeword-greeting')
  expect(await ask('think it over')).toBe('I have thought it over.')
  guest.sendMessage('list-models')
  expect(await ask('stumble')).toBe('I am back on my feet.')
  expect([problems, answered]).toEqual([[], 3])
})
