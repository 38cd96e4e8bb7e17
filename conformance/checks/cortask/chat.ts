import assert from 'node:assert/strict'
import * as z from 'zod'
import { check } from '../check.ts'
import { assertAlive, connect, read } from './client.ts'

check('cortask:chat:answer', async (bench) => {
  const client = await connect(bench)
  const events = await client.run(bench.profile.phrase('hello'))
  const texts = events.filter((one) => one.type === 'text_delta').map((one) => read(one, 'text_delta').text)
  assert.ok(texts.join('').length > 0, 'no text was streamed')
  assert.equal(events.filter((one) => one.type === 'done').length, 1)
  assert.equal(events.at(-1)!.type, 'done')
})

const KEYLESS = ['permission_request', 'questionnaire_request', 'channel:status', 'session:refresh']

check('cortask:chat:key', async (bench) => {
  const client = await connect(bench)
  const [first] = await client.run(bench.profile.phrase('tool'))
  const others = client.socket.messages.filter((one) => !KEYLESS.includes(one.type))
  for (const one of others) assert.equal(one.sessionKey, first!.sessionKey, `${one.type} has another sessionKey`)
})

check('cortask:chat:thinking', async (bench) => {
  const client = await connect(bench)
  const events = await client.run(bench.profile.phrase('think'))
  const thoughts = events.filter((one) => one.type === 'thinking_delta').map((one) => read(one, 'thinking_delta').text)
  assert.ok(thoughts.join('').length > 0, 'no thought was streamed')
})

check('cortask:chat:usage', async (bench) => {
  const client = await connect(bench)
  const { usage } = read((await client.run(bench.profile.phrase('hello'))).at(-1)!, 'done')
  assert.ok(Number.isInteger(usage.inputTokens) && Number.isInteger(usage.outputTokens))
})

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'
const ATTACHMENT = { mimeType: 'image/png', base64: PIXEL, name: 'pixel.png' }

check('cortask:chat:attachments', async (bench) => {
  const client = await connect(bench)
  const { profile } = bench
  const fileReferences = profile.has('workspace-file') ? [profile.known('workspace-file', z.string())] : []
  await client.run(profile.phrase('hello'), { attachments: [ATTACHMENT], fileReferences })
})

check('cortask:chat:references', async (bench) => {
  const client = await connect(bench)
  const fileReferences = ['no/such/file.txt', '../../../etc/passwd', '/etc/passwd']
  await client.run(bench.profile.phrase('hello'), { fileReferences })
})

check('cortask:chat:only-attachments', async (bench) => {
  const client = await connect(bench)
  await client.run('', { attachments: [ATTACHMENT] })
})

check(
  'cortask:chat:missing',
  async (bench) => {
    const client = await connect(bench)
    const { workspaceId } = client
    const hello = bench.profile.phrase('hello')
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
    await assertAlive(bench, client)
  },
  { lane: 'dangerous' },
)

check(
  'cortask:chat:missing-key',
  async (bench) => {
    const client = await connect(bench)
    const chat = { type: 'chat', message: bench.profile.phrase('hello'), workspaceId: client.workspaceId }
    client.socket.sendRaw(JSON.stringify(chat))
    const first = await client.socket.until('an answer', () => true)
    assert.equal(first.type, 'error')
  },
  { lane: 'dangerous' },
)

check('cortask:chat:workspace', async (bench) => {
  const client = await connect(bench)
  const sessionKey = client.chat(bench.profile.phrase('hello'), { workspaceId: bench.random.word(16) })
  assert.equal((await client.end(sessionKey)).type, 'error')
  await assertAlive(bench, client)
})
