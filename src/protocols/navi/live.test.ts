import { afterEach, describe, expect, it } from 'vitest'
import { cleanUp } from '../../../test/support/protocols/cleanup.ts'
import { startNaviSession } from '../../../test/support/protocols/navi.ts'
import { checkEventOrder } from '../../../test/support/protocols/navi-grammar.ts'
import type { Model, ModelStep } from '../../agent/models/model.ts'

// Facts such as [N-S1] are listed in facts.ts.

afterEach(cleanUp)

/** A place in a model's steps where it waits for the test. */
function gate() {
  let [open, arrive] = [() => {}, () => {}]
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const reached = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const pass = () => {
    arrive()
    return opened
  }
  return { open, reached, pass }
}

/** A model that decides while it speaks, as real ones do; a string among its steps is a gate. */
function speaking(...steps: readonly (ModelStep | string)[]) {
  const gates = new Map(steps.filter((step) => typeof step === 'string').map((name) => [name, gate()]))
  const model: Model = {
    name: 'speaking',
    async *run() {
      for (const step of steps)
        if (typeof step === 'string') await gates.get(step)!.pass()
        else yield step
    },
  }
  return { model, open: (name: string) => gates.get(name)!.open(), reached: (name: string) => gates.get(name)!.reached }
}

const think = (text: string) => ({ do: 'think' as const, text })
const say = (text: string) => ({ do: 'say' as const, text })
const look: ModelStep = { do: 'call', calls: [{ tool: 'web_search', args: { query: 'x' } }] }
const messagesOf = (answer: readonly [number, unknown]) =>
  (answer[1] as { messages: Record<string, unknown>[] }).messages

describe('a model that decides while it speaks', () => {
  it('[N-S1] [N-V2] [N-V8] streams thoughts and text as deltas', async () => {
    const { model, open } = speaking(think('Hm'), 'one', think('.'), 'two', say('Hel'), 'three', say('lo'))
    const { client } = await startNaviSession({}, { model })
    client.sendMessage('go')
    await client.until('thinking_delta')
    open('one')
    await client.read((message) => message.type === 'thinking_delta' && message.delta === '.')
    open('two')
    await client.until('stream_delta')
    open('three')
    await client.until('stream_end')
    expect(client.received).toEqual([
      { type: 'stream_start' },
      { type: 'thinking_delta', delta: 'Hm' },
      { type: 'thinking_delta', delta: '.' },
      { type: 'thinking_end' },
      { type: 'stream_delta', delta: 'Hel' },
      { type: 'stream_delta', delta: 'lo' },
      { type: 'stream_end', content: 'Hello', context_tokens: expect.any(Number), max_context_tokens: 65_536 },
    ])
  })

  it('[N-S2] [N-G9] streams the text before a tool call as well, and its content is the sum of all pieces', async () => {
    const { model } = speaking(think('Where?'), say('Let me '), say('look.'), look, think('Ah.'), say('Here.'))
    const { client } = await startNaviSession({}, { model })
    client.sendMessage('go')
    const end = await client.until('stream_end')
    expect(end).toMatchObject({ content: 'Let me look.\n\nHere.' })
    expect(client.answer()).toBe('Let me look.\n\nHere.')
    const shape = ['thinking_delta', 'thinking_end', 'stream_delta']
    expect(client.types()).toEqual(['stream_start', ...shape, 'tool_started', 'tool_call', ...shape, 'stream_end'])
    expect(checkEventOrder(client.received, 'live')).toEqual([])
  })

  it('[N-S2] ends a thought before the tool call that follows it', async () => {
    const { model } = speaking(think('I must look.'), look, say('Here.'))
    const { client } = await startNaviSession({}, { model })
    client.sendMessage('go')
    await client.until('stream_end')
    expect(client.types().slice(0, 4)).toEqual(['stream_start', 'thinking_delta', 'thinking_end', 'tool_started'])
    expect(checkEventOrder(client.received, 'live')).toEqual([])
  })

  it('[N-S2] leaves blanks between two texts as the model wrote them', async () => {
    const { model } = speaking(say('Looking. '), look, say('Here.'))
    const { client } = await startNaviSession({}, { model })
    client.sendMessage('go')
    expect(await client.until('stream_end')).toMatchObject({ content: 'Looking. Here.' })
  })

  it('[N-S3] stores the text that the client has read when stopped in mid-answer', async () => {
    const { model } = speaking(say('One '), say('two'), 'never')
    const { client, call, id } = await startNaviSession({}, { model })
    client.sendMessage('go')
    await client.read((message) => message.type === 'stream_delta' && message.delta === 'two')
    await call('POST', `/sessions/${id}/stop`)
    await client.until('stream_stopped')
    expect(client.answer()).toBe('One two')
    expect(messagesOf(await call('GET', `/sessions/${id}`)).at(-1)).toMatchObject({ content: 'One two' })
  })

  it('[N-S3] sends held-back text as a thought when stopped before a tool call', async () => {
    const held = { closing: false } as const
    const { model, reached } = speaking({ ...think('First'), ...held }, { ...say('I look.'), ...held }, 'never')
    const { client, call, id } = await startNaviSession({}, { model })
    client.sendMessage('go')
    await reached('never')
    await call('POST', `/sessions/${id}/stop`)
    await client.until('stream_stopped')
    expect(client.received).toEqual([
      { type: 'stream_start' },
      { type: 'turn_thinking', thinking: 'First\n\nI look.', is_subagent: false },
      { type: 'stream_stopped' },
    ])
    expect(messagesOf(await call('GET', `/sessions/${id}`)).at(-1)).toMatchObject({ content: 'I look.' })
  })

  it('[N-S4] sends the partial answer, then the error when cut off', async () => {
    const { model } = speaking(say('Half '), { do: 'fail', code: 'Timeout', message: 'cut off', fatal: true })
    const { client, call, id } = await startNaviSession({}, { model })
    client.sendMessage('go')
    await client.until('error')
    expect(client.received).toEqual([
      { type: 'stream_start' },
      { type: 'stream_delta', delta: 'Half ' },
      { type: 'error', message: 'cut off' },
    ])
    expect(messagesOf(await call('GET', `/sessions/${id}`)).at(-1)).toMatchObject({ content: 'Half ' })
  })
})

describe('a socket that connects during a run', () => {
  it('[N-S5] receives the run from its start with joined deltas, then continues live', async () => {
    const { model, open } = speaking(say('One '), look, say('two '), say('three '), 'later', say('four'))
    const { client, connect, id } = await startNaviSession({}, { model })
    client.sendMessage('go')
    await client.read((message) => message.type === 'stream_delta' && message.delta === 'three ')
    const reloaded = await connect(id)
    await reloaded.until('tool_call')
    open('later')
    await Promise.all([client.until('stream_end'), reloaded.until('stream_end')])
    expect(reloaded.received).toEqual([
      { type: 'stream_start' },
      { type: 'stream_delta', delta: 'One ' },
      expect.objectContaining({ type: 'tool_started' }),
      expect.objectContaining({ type: 'tool_call' }),
      { type: 'stream_delta', delta: 'two three ' },
      { type: 'stream_delta', delta: 'four' },
      client.received.at(-1),
    ])
    expect(client.answer()).toBe('One two three four')
    expect(client.received.filter(({ type }) => type === 'stream_start')).toHaveLength(1)
  })

  it('[N-S5] loses no event to a dead socket that is still open', async () => {
    const { model, open } = speaking(say('One '), 'asleep', say('two '), 'awake', say('three'))
    const { client, connect, id } = await startNaviSession({}, { model })
    client.sendMessage('go')
    await client.until('stream_delta')
    client.socket.pause()
    open('asleep')
    const back = await connect(id)
    await back.read((message) => message.type === 'stream_delta' && message.delta.includes('two '))
    open('awake')
    expect(await back.until('stream_end')).toMatchObject({ content: 'One two three' })
    expect(back.answer()).toBe('One two three')
  })

  it('[N-S5] receives a run that was started over HTTP', async () => {
    const { model, open } = speaking(say('One '), 'later', say('two'))
    const { client, connect, call, id } = await startNaviSession({}, { model })
    const asked = call('POST', `/sessions/${id}/messages`, { content: 'go' })
    await client.until('stream_delta')
    const late = await connect(id)
    await late.until('stream_delta')
    open('later')
    await late.until('stream_end')
    expect(late.answer()).toBe('One two')
    expect(await asked).toEqual([200, { role: 'assistant', content: 'One two' }])
  })
})

describe('a socket that connects after a run', () => {
  it('[N-S6] receives no run whose end was read', async () => {
    const { client, connect, id } = await startNaviSession()
    client.sendMessage('hello')
    await client.until('stream_end')
    client.socket.close()
    await client.closed
    const next = await connect(id)
    const from = next.received.length
    next.sendMessage('again')
    await next.until('stream_end', from)
    expect(next.types()).toEqual(['stream_start', 'stream_delta', 'stream_end'])
    expect(next.answer()).toBe('You said: again')
  })

  it('[N-S6] reads all of one that ended on a dead socket, and the one after it does not', async () => {
    const { model, open } = speaking(say('One '), 'asleep', say('two'))
    const { client, connect, call, id } = await startNaviSession({}, { model })
    client.sendMessage('go')
    await client.until('stream_delta')
    client.socket.pause()
    open('asleep')
    await expect.poll(async () => messagesOf(await call('GET', `/sessions/${id}`)).length).toBe(2)
    const back = await connect(id)
    expect(await back.until('stream_end')).toMatchObject({ content: 'One two' })
    expect(back.received[0]).toEqual({ type: 'stream_start' })
    back.socket.close()
    await back.closed
    const third = await connect(id)
    third.send('not a message')
    await third.until('error')
    expect(third.types()).toEqual(['error'])
  })

  it('[N-S6] receives no run that was answered over HTTP', async () => {
    const { client, connect, call, id } = await startNaviSession()
    client.socket.close()
    await client.closed
    await call('POST', `/sessions/${id}/messages`, { content: 'hello' })
    const page = await connect(id)
    page.send('not a message')
    await page.until('error')
    expect(page.types()).toEqual(['error'])
  })
})
