import WebSocket from 'ws'
import type { DemoClient } from '../protocol.ts'

type Message = Readonly<Record<string, unknown>>

/** The demo client: sends a message over the WebSocket. */
export const demoClient: DemoClient = async (url, request, report) => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  report('asked', request)
  const send = (message: Message) => socket.send(JSON.stringify(message))
  send({ type: 'chat', sessionKey: 'demo', message: request, workspaceId: 'default' })
  const answer = await new Promise<string>((resolve, reject) => {
    let text = ''
    socket.on('message', (frame) => {
      const message = JSON.parse(String(frame)) as Message
      if (message.type === 'text_delta') text += message.text
      if (message.type === 'tool_result') report('tool', `${message.toolName} ${JSON.stringify(message.toolArgs)}`)
      if (message.type === 'permission_request') {
        report('permission', `${message.description}? — allowed`)
        send({ type: 'permission_response', requestId: message.requestId, approved: true })
      }
      if (message.type === 'done') resolve(text)
      if (message.type === 'error') reject(new Error(String(message.error)))
    })
    socket.once('close', () => reject(new Error('the socket closed')))
  })
  report('answer', answer)
  socket.removeAllListeners('close').close()
  return answer
}
