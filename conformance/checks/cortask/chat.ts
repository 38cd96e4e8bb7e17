import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertAlive, connect, parseEvent } from '../../cortask/driver.ts'
import { check } from '../check.ts'

check('cortask:chat:answer', async (context) => {
  const client = await connect(context)
  const events = await client.run(context.profile.phrase('hello'))
  const texts = events.filter((one) => one.type === 'text_delta').map((one) => parseEvent(one, 'text_delta').text)
  assert.ok(texts.join('').length > 0, 'no text was streamed')
  assert.equal(events.filter((one) => one.type === 'done').length, 1)
  assert.equal(events.at(-1)!.type, 'done')
})

const KEYLESS = ['permission_request', 'questionnaire_request', 'channel:status', 'session:refresh']

check('cortask:chat:key', async (context) => {
  const client = await connect(context)
  const [first] = await client.run(context.profile.phrase('tool'))
  const others = client.socket.messages.filter((one) => !KEYLESS.includes(one.type))
  for (const one of others) assert.equal(one.sessionKey, first!.sessionKey, `${one.type} has another sessionKey`)
})

check('cortask:chat:thinking', async (context) => {
  const client = await connect(context)
  const events = await client.run(context.profile.phrase('think'))
  const thoughts = events
    .filter((one) => one.type === 'thinking_delta')
    .map((one) => parseEvent(one, 'thinking_delta').text)
  assert.ok(thoughts.join('').length > 0, 'no thought was streamed')
})

check('cortask:chat:usage', async (context) => {
  const client = await connect(context)
  const { usage } = parseEvent((await client.run(context.profile.phrase('hello'))).at(-1)!, 'done')
  assert.ok(Number.isInteger(usage.inputTokens) && Number.isInteger(usage.outputTokens))
})

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'
const ATTACHMENT = { mimeType: 'image/png', base64: PIXEL, name: 'pixel.png' }

check('cortask:chat:attachments', async (context) => {
  const client = await connect(context)
  const { profile } = context
  const fileReferences = profile.has('workspace-file') ? [profile.known('workspace-file', z.string())] : []
  await client.run(profile.phrase('hello'), { attachments: [ATTACHMENT], fileReferences })
})

check('cortask:chat:references', async (context) => {
  const client = await connect(context)
  const fileReferences = ['no/such/file.txt', '../../../etc/passwd', '/etc/passwd']
  await client.run(context.profile.phrase('hello'), { fileReferences })
})

check('cortask:chat:only-attachments', async (context) => {
  const client = await connect(context)
  await client.run('', { attachments: [ATTACHMENT] })
})

check(
  'cortask:chat:missing',
  async (context) => {
    const client = await connect(context)
    const { workspaceId } = client
    const hello = context.profile.phrase('hello')
    const wrong = [
      { workspaceId },
      { message: hello },
      { message: 7, workspaceId },
      { message: hello, workspaceId: [] },
      { message: hello, workspaceId, attachments: 'none' },
    ]
    for (const [at, fields] of wrong.entries()) {
      const sessionKey = `missing-${at}`
      client.socket.sendRaw(JSON.stringify({ type: 'chat', sessionKey, ...fields }))
      const end = await client.end(sessionKey)
      assert.equal(end.type, 'error', `${JSON.stringify(fields)} ends with ${end.type}`)
    }
    await assertAlive(context, client)
  },
  { pool: 'dangerous' },
)

check(
  'cortask:chat:missing-key',
  async (context) => {
    const client = await connect(context)
    const chat = { type: 'chat', message: context.profile.phrase('hello'), workspaceId: client.workspaceId }
    client.socket.sendRaw(JSON.stringify(chat))
    const first = await client.socket.until('an answer', () => true)
    assert.equal(first.type, 'error')
  },
  { pool: 'dangerous' },
)

check('cortask:chat:workspace', async (context) => {
  const client = await connect(context)
  const sessionKey = client.chat(context.profile.phrase('hello'), { workspaceId: context.random.word(16) })
  assert.equal((await client.end(sessionKey)).type, 'error')
  await assertAlive(context, client)
})
