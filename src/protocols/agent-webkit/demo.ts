import type { DemoClient } from '../protocol.ts'

type Message = Readonly<Record<string, unknown>>

/** The demo client: sends a message and reads the server-sent events of its turn. */
export const demoClient: DemoClient = async (url, request, report) => {
  const { session_id } = (await post(`${url}/sessions`, {})) as { session_id: string }
  const session = `${url}/sessions/${session_id}`
  const stream = await fetch(`${session}/stream`)
  report('asked', request)
  await post(`${session}/input`, { type: 'user_message', content: request })
  let answer = ''
  for await (const { event, data } of framesOf(stream)) {
    if (event === 'tool_use') report('tool', `${data.tool_name} ${JSON.stringify(data.input)}`)
    if (event === 'permission_request') {
      report('permission', `${data.tool_name}? — allowed`)
      const { correlation_id } = data
      await post(`${session}/input`, { type: 'permission_response', correlation_id, behavior: 'allow' })
    }
    if (event === 'message_complete') answer = textOf(data) || answer
    if (event === 'result') break
  }
  report('answer', answer)
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
