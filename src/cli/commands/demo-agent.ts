import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import WebSocket from 'ws'
import { createTestbed } from '../../testbed.ts'

type Message = Readonly<Record<string, unknown>>

const REQUEST = 'Please log in as alice.'

/** A scripted agent is asked twice at once, over SSE and over a WebSocket, each on a desktop of its own. */
export async function demoAgent(): Promise<boolean> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'backlot-demo-'))
  const testbed = await createTestbed({ scenario: 'login', ownDesktops: true, dataFolder })
  try {
    const webkit = await testbed.serveBackend('agent-webkit', { port: 0 })
    const cortask = await testbed.serveBackend('cortask', { port: 0 })
    say(`agent-webkit (SSE) on ${webkit.url}, Cortask (WebSocket) on ${cortask.url.replace('http', 'ws')}/ws\n`)
    const answers = await Promise.all([askOverSse(webkit.url), askOverWebSocket(cortask.url)])
    const passed = answers.every((answer) => answer.includes('I am logged in'))
    say(passed ? '\nBoth agents asked for permission and are logged in.' : '\nNOT logged in.')
    return passed
  } finally {
    await testbed.close()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

/** Asks over agent-webkit; resolves to the text of the answer. */
async function askOverSse(url: string): Promise<string> {
  const tell = teller('SSE')
  const { session_id } = (await post(`${url}/sessions`, {})) as { session_id: string }
  const session = `${url}/sessions/${session_id}`
  const stream = await fetch(`${session}/stream`)
  tell('asked', REQUEST)
  await post(`${session}/input`, { type: 'user_message', content: REQUEST })
  let answer = ''
  for await (const { event, data } of framesOf(stream)) {
    if (event === 'tool_use') tell('tool', `${data.tool_name} ${JSON.stringify(data.input)}`)
    if (event === 'permission_request') {
      tell('permission', `${data.tool_name}? — allowed`)
      const { correlation_id } = data
      await post(`${session}/input`, { type: 'permission_response', correlation_id, behavior: 'allow' })
    }
    if (event === 'message_complete') answer = textOf(data) || answer
    if (event === 'result') break
  }
  tell('answer', answer)
  await fetch(session, { method: 'DELETE' })
  return answer
}

async function post(url: string, body: Message): Promise<unknown> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}`)
  return reply.status === 204 ? undefined : reply.json()
}

async function* framesOf(stream: Response): AsyncGenerator<{ event: string; data: Message }> {
  let rest = ''
  for await (const piece of stream.body!.pipeThrough(new TextDecoderStream())) {
    const frames = (rest + piece).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const event = /^event: (.*)$/m.exec(frame)?.[1]
      const data = /^data: (.*)$/m.exec(frame)?.[1]
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) as Message }
    }
  }
}

function textOf({ message }: Message): string {
  const { content = [] } = message as { content?: readonly { type: string; text?: string }[] }
  return content.map(({ type, text = '' }) => (type === 'text' ? text : '')).join('')
}

/** Asks over Cortask; resolves to the text of the answer. */
async function askOverWebSocket(url: string): Promise<string> {
  const tell = teller('WS')
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  tell('asked', REQUEST)
  const send = (message: Message) => socket.send(JSON.stringify(message))
  send({ type: 'chat', sessionKey: 'demo', message: REQUEST, workspaceId: 'default' })
  const answer = await new Promise<string>((resolve, reject) => {
    let text = ''
    socket.on('message', (frame) => {
      const message = JSON.parse(String(frame)) as Message
      if (message.type === 'text_delta') text += message.text
      if (message.type === 'tool_result') tell('tool', `${message.toolName} ${JSON.stringify(message.toolArgs)}`)
      if (message.type === 'permission_request') {
        tell('permission', `${message.description}? — allowed`)
        send({ type: 'permission_response', requestId: message.requestId, approved: true })
      }
      if (message.type === 'done') resolve(text)
      if (message.type === 'error') reject(new Error(String(message.error)))
    })
    socket.once('close', () => reject(new Error('the socket closed')))
  })
  tell('answer', answer)
  socket.removeAllListeners('close').close()
  return answer
}

const teller = (wire: string) => (what: string, text: string) => say(`  ${wire.padEnd(4)} ${what.padEnd(11)} ${text}`)

const say = (line: string) => process.stdout.write(`${line}\n`)
