import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { DEFAULT_CAST, readCast } from '../../agent/cast.ts'
import { manualClock } from '../../agent/deadline.ts'
import { diskFolder } from '../../stores/disk.ts'
import { memoryStore } from '../../stores/memory.ts'
import { type Play, serve } from '../harness.ts'
import { talk, upgrade } from '../talk.suite.ts'
import { grammar } from './grammar.ts'
import { type NaviOptions, navi } from './index.ts'
import { Item, Outgoing } from './wire.ts'

// Row ids such as [N-E1] are listed in rows.ts.

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function start(options: Partial<NaviOptions> = {}, play: Play = {}) {
  const dataFolder = options.dataFolder ?? mkdtempSync(join(tmpdir(), 'navi-'))
  closers.push(() => rmSync(dataFolder, { recursive: true, force: true }))
  const store = options.store ?? memoryStore()
  const server = await serve((agent, onBug) => navi({ agent, onBug, ...options, store, dataFolder }), {
    profiles: DEFAULT_CAST.profiles,
    ...play,
  })
  closers.push(server.close)
  const call = async (method: string, path: string, body?: unknown): Promise<[number, unknown]> => {
    const response = await fetch(server.url + path, {
      method,
      ...(body === undefined
        ? {}
        : { body: body instanceof FormData || typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return [response.status, text === '' ? undefined : JSON.parse(text)]
  }
  const create = async (profile_id = 'secretary'): Promise<string> => {
    const [, made] = await call('POST', '/sessions', { profile_id })
    return (made as { session_id: string }).session_id
  }
  const upload = (id: string, name: string, content: string | Uint8Array<ArrayBuffer>, field = 'file') => {
    const form = new FormData()
    form.append(field, new Blob([content], { type: 'text/plain' }), name)
    return call('POST', `/sessions/${id}/files`, form)
  }
  return { server, dataFolder, call, create, upload, connect: (id: string) => connect(server.url, id) }
}

async function connect(url: string, id: string) {
  const client = await talk(url, `/ws/sessions/${id}`, Outgoing)
  closers.push(() => client.socket.terminate())
  const { told, send } = client
  return {
    ...client,
    say: (content: string, more: Record<string, unknown> = {}) => send({ type: 'message', content, ...more }),
    types: () =>
      told.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1] || !type.endsWith('_delta')),
    answer: () => told.map((message) => (message.type === 'stream_delta' ? message.delta : '')).join(''),
  }
}

/** A session with a socket on it. */
async function meet(options: Partial<NaviOptions> = {}, play: Play = {}, profile = 'secretary') {
  const house = await start(options, play)
  const id = await house.create(profile)
  return { ...house, id, client: await house.connect(id) }
}

describe('a run', () => {
  it('[N-G1] [N-V1] [N-V2] [N-V3] [N-V8] [N-V9] [N-M1] [N-G8] [N-G9] [N-E13] streams thoughts and an answer', async () => {
    const { client } = await meet()
    client.say('think it over')
    const end = await client.until('stream_end')
    expect(client.types()).toEqual(['stream_start', 'thinking_delta', 'thinking_end', 'stream_delta', 'stream_end'])
    expect(client.answer()).toBe('I have thought it over.')
    expect(end).toEqual({
      type: 'stream_end',
      content: 'I have thought it over.',
      context_tokens: expect.any(Number),
      max_context_tokens: 65_536,
    })
  })

  it('[N-G8] has no thoughts where the profile thinks none', async () => {
    const { client } = await meet({}, {}, 'server_admin')
    client.say('think it over')
    await client.until('stream_end')
    expect(client.types()).toEqual(['stream_start', 'stream_delta', 'stream_end'])
  })

  it('[N-G2] [N-V4] [N-V6] [N-V7] [N-G7] tells its tools, thoughts first', async () => {
    const { client } = await meet()
    client.say('search the web')
    await client.until('stream_end')
    const args = { query: 'weather in Lisbon' }
    expect(client.told.slice(0, 4)).toEqual([
      { type: 'stream_start' },
      { type: 'turn_thinking', thinking: 'I should look this up.', is_subagent: false },
      { type: 'tool_started', tool: 'web_search', args, is_subagent: false },
      {
        type: 'tool_call',
        tool: 'web_search',
        args,
        result: 'Sunny, 22 degrees (weather in Lisbon)',
        success: true,
        is_subagent: false,
      },
    ])
    expect(client.types().slice(4)).toEqual(['stream_delta', 'stream_end'])
  })

  it('[N-G7] runs the tools of one turn one after the other', async () => {
    const { client } = await meet()
    client.say('use two tools')
    await client.until('stream_end')
    expect(client.types()).toEqual([
      'stream_start',
      'tool_started',
      'tool_call',
      'tool_started',
      'tool_call',
      'stream_delta',
      'stream_end',
    ])
  })

  it('[N-V7] tells of a tool that fails', async () => {
    const { client } = await meet()
    client.say('use a broken tool')
    expect(await client.until('tool_call')).toMatchObject({ success: false, result: 'the tool is broken on purpose' })
    await client.until('stream_end')
  })

  it('[N-V5] shows the plan of a profile that plans, and of no other', async () => {
    const planner = await meet()
    planner.client.say('make a plan')
    await planner.client.until('stream_end')
    expect(planner.client.types().slice(0, 3)).toEqual(['stream_start', 'plan_ready', 'tool_started'])
    expect(planner.client.told[1]).toMatchObject({
      plan: expect.stringMatching(/^## Plan\n\n\*\*Task:\*\* make a plan/),
    })
    const other = await meet({}, {}, 'server_admin')
    other.client.say('make a plan')
    await other.client.until('stream_end')
    expect(other.client.types()).not.toContain('plan_ready')
  })

  it('[N-G3] marks what a nested agent does', async () => {
    const { client, call, id } = await meet()
    client.say('delegate')
    await client.until('stream_end')
    const shown = client.told.filter(({ type }) => type !== 'stream_delta')
    expect(shown.map((message) => [message.type, 'is_subagent' in message ? message.is_subagent : undefined])).toEqual([
      ['stream_start', undefined],
      ['tool_started', false],
      ['turn_thinking', true],
      ['tool_started', true],
      ['tool_call', true],
      ['tool_call', false],
      ['stream_end', undefined],
    ])
    expect(await call('GET', `/sessions/${id}`)).toMatchObject([
      200,
      {
        messages: [
          { role: 'user' },
          { tool_calls: [{ name: 'spawn_agent' }] },
          { role: 'tool' },
          { role: 'assistant' },
        ],
      },
    ])
  })

  it('[N-G3] goes on when a nested agent fails', async () => {
    const { client } = await meet()
    client.say('delegate to nobody')
    expect(await client.until('tool_call')).toMatchObject({ tool: 'spawn_agent', success: false })
    await client.until('stream_end')
  })

  it('[N-G4] [N-V11] announces a switched profile before its tool_call, for the next message', async () => {
    const { client, call, id } = await meet()
    client.say('switch to server_admin')
    await client.until('stream_end')
    expect(client.types()).toEqual([
      'stream_start',
      'tool_started',
      'profile_switched',
      'tool_call',
      'stream_delta',
      'stream_end',
    ])
    expect(client.told[2]).toEqual({
      type: 'profile_switched',
      profile_id: 'server_admin',
      profile_name: 'Server Administrator',
    })
    expect(await call('GET', `/sessions/${id}`)).toMatchObject([200, { profile_id: 'server_admin' }])
  })

  it('[N-G4] cannot switch to a profile that does not exist', async () => {
    const { client } = await meet()
    client.say('switch to nobody')
    expect(await client.until('tool_call')).toMatchObject({ tool: 'switch_profile', success: false })
    await client.until('stream_end')
    expect(client.types()).not.toContain('profile_switched')
  })

  it('[N-V12] [N-G6] compresses a full context after the answer, and shows all messages as before', async () => {
    const { client, call, id } = await meet({}, {}, 'forgetful')
    for (let turn = 0; turn < 4; turn++) {
      const from = client.told.length
      client.say(`remember ${turn}: ${'many words '.repeat(60)}`)
      await client.until('stream_end', from)
    }
    const compressed = await client.until('context_compressed')
    const at = client.told.indexOf(compressed)
    const end = client.told[at - 1]
    expect(end).toMatchObject({ type: 'stream_end', max_context_tokens: 1000 })
    if (end?.type !== 'stream_end' || compressed.type !== 'context_compressed') throw new Error('unreachable')
    expect(end.context_tokens).toBeGreaterThanOrEqual(800)
    expect(compressed.messages_after).toBeLessThan(compressed.messages_before)
    const [, session] = await call('GET', `/sessions/${id}`)
    const [, context] = await call('GET', `/sessions/${id}/context`)
    expect(session).toMatchObject({ messages: { length: 8 } })
    expect(context).toMatchObject({
      context: [
        { role: 'system', is_summary: true },
        { role: 'user' },
        { role: 'assistant' },
        { role: 'user' },
        { role: 'assistant' },
      ],
    })
  })

  it.each(['fail halfway', 'fail at once'])('[N-V13] [N-G5] %s: the error is the last event', async (phrase) => {
    const { client } = await meet()
    client.say(phrase)
    await client.until('error')
    const from = client.told.length
    expect(client.told.at(-1)).toEqual({ type: 'error', message: expect.stringMatching(/^the model can/) })
    client.say('hello')
    await client.until('stream_end', from)
    expect(client.told[from]).toEqual({ type: 'stream_start' })
  })

  it('[N-V13] survives a recoverable error', async () => {
    const { client } = await meet()
    client.say('stumble')
    await client.until('stream_end')
    expect(client.types()).toEqual(['stream_start', 'error', 'stream_delta', 'stream_end'])
  })

  it.each([
    ...[
      'think it over',
      'search the web',
      'use two tools',
      'use a broken tool',
      'make a plan',
      'delegate',
      'delegate to nobody',
    ],
    ...[
      'switch to server_admin',
      'fill the context',
      'stumble',
      'spend tokens',
      'ask me',
      'may I',
      'run two commands',
      'answer at length',
    ],
  ])('[N-G1] [N-G2] [N-G5] [N-G6] %j follows the grammar', async (phrase) => {
    const { client } = await meet()
    client.say('hello')
    await client.until('stream_end')
    const from = client.told.length
    client.say(phrase)
    await client.until('stream_end', from)
    expect(grammar(client.told.slice(from))).toEqual([])
  })
})

describe('stop', () => {
  it('[N-E11] [N-V10] [N-G5] ends the run, keeps what was said, and works once', async () => {
    const { client, call, id } = await meet()
    client.say('answer slowly')
    await client.until('stream_delta')
    expect(await call('POST', `/sessions/${id}/stop`)).toEqual([200, { ok: true }])
    expect(await call('POST', `/sessions/${id}/stop`)).toEqual([200, { ok: false, reason: 'no active run' }])
    await client.until('stream_stopped')
    const from = client.told.length
    client.say('hello')
    await client.until('stream_end', from)
    expect(client.told[from]).toEqual({ type: 'stream_start' })
    expect(client.types().filter((type) => type === 'stream_end' || type === 'stream_stopped')).toEqual([
      'stream_stopped',
      'stream_end',
    ])
    const [, session] = await call('GET', `/sessions/${id}`)
    expect(session).toMatchObject({ messages: [{}, { content: expect.stringMatching(/^(slow )+$/) }, {}, {}] })
  })

  it('[N-E11] lets a waiting POST answer with what was said', async () => {
    const { client, call, id } = await meet()
    const asked = call('POST', `/sessions/${id}/messages`, { content: 'answer slowly' })
    await client.until('stream_delta')
    await call('POST', `/sessions/${id}/stop`)
    expect(await asked).toEqual([200, { role: 'assistant', content: expect.stringMatching(/^(slow )+$/) }])
  })

  it('[N-E11] breaks a loop of tools', async () => {
    const { client, call, id } = await meet()
    client.say('use tools slowly')
    await client.until('tool_call')
    await call('POST', `/sessions/${id}/stop`)
    await client.until('stream_stopped')
    expect(client.told.at(-1)).toEqual({ type: 'stream_stopped' })
  })

  it('[N-M1] cannot be asked for over the socket', async () => {
    const { client } = await meet()
    client.say('answer slowly')
    await client.until('stream_delta')
    client.send({ type: 'stop' })
    await client.until('error')
    const from = client.told.length
    await client.until('stream_delta', from)
    expect(client.types()).not.toContain('stream_stopped')
  })
})

describe('sockets', () => {
  it('[N-X5] at an unknown session are told so and closed with 4004', async () => {
    const { connect } = await start()
    const client = await connect('unknown')
    expect(await client.closed).toEqual([4004, 'Session not found'])
    expect(client.told).toEqual([{ type: 'error', message: 'Session not found' }])
  })

  it('all hear every run, whoever asked', async () => {
    const { client, connect, call, id } = await meet()
    const other = await connect(id)
    expect(await call('POST', `/sessions/${id}/messages`, { content: 'use two tools' })).toMatchObject([
      200,
      { role: 'assistant' },
    ])
    await Promise.all([client.until('stream_end'), other.until('stream_end')])
    expect(client.told).toEqual(other.told)
  })

  it('that come back are told what nobody heard, once', async () => {
    const { client, connect, call, id } = await meet(
      {},
      { script: [{ say: ['one ', 'two '] }, { call: 'todo', with: {} }, { delay: 300 }, { say: ['three ', 'four'] }] },
    )
    client.say('go')
    await client.until('tool_call')
    client.socket.close()
    await client.closed
    await expect
      .poll(async () => ((await call('GET', `/sessions/${id}`))[1] as { messages: unknown[] }).messages.length)
      .toBe(4)
    const back = await connect(id)
    await back.until('stream_end')
    expect(back.told.map(({ type }) => type)).toEqual(['stream_delta', 'stream_end'])
    expect(grammar([...client.told, ...back.told])).toEqual([])
    const third = await connect(id)
    third.say('again')
    await third.until('stream_end')
    expect(third.told[0]).toEqual({ type: 'stream_start' })
  })

  it('that come back during a run go on with it, dropped by the server or not', async () => {
    const { client, connect, id } = await meet()
    client.say('disconnect')
    await client.closed
    const back = await connect(id)
    expect(await back.until('stream_end')).toMatchObject({ content: 'Before the drop. After the drop.' })
    expect(client.answer() + back.answer()).toBe('Before the drop. After the drop.')
  })

  it('may be told the whole run again instead', async () => {
    const { client, connect, id } = await meet({ replay: 'run' })
    client.say('answer slowly')
    await client.until('stream_delta')
    const late = await connect(id)
    await late.until('stream_delta')
    expect(late.told[0]).toEqual({ type: 'stream_start' })
  })

  it('that ask during a run are told to wait, and the run is not disturbed', async () => {
    const { client, connect, id } = await meet()
    const other = await connect(id)
    client.say('use tools slowly')
    await other.until('tool_call')
    other.say('me too')
    expect(await other.until('error')).toEqual({ type: 'error', message: expect.stringContaining('busy') })
    expect(client.types()).not.toContain('error')
  })

  it.each([
    ['N-M1', 'not json'],
    ['N-M1', 'null'],
    ['N-M1', '[]'],
    ['N-M1', '{"type":"other","content":"x"}'],
    ['N-M2', '{"type":"message"}'],
    ['N-M2', '{"type":"message","content":"  "}'],
    ['N-M2', '{"type":"message","content":7}'],
    ['N-M3', '{"type":"message","content":"x","images":"a"}'],
    ['N-M4', '{"type":"message","content":"x","files":[7]}'],
  ])('[%s] [N-M1] [N-M2] answer %s with an error and no run', async (_row, frame) => {
    const { client, server } = await meet()
    client.send(frame)
    await client.until('error')
    client.say('still there?')
    await client.until('stream_end')
    expect(client.types()).toEqual(['error', 'stream_start', 'stream_delta', 'stream_end'])
    expect(server.bugs).toEqual([])
  })

  it('close an oversize frame with 1009 and leave others alone', async () => {
    const { client, connect, id } = await meet({ maxPayload: 1000 })
    const other = await connect(id)
    client.say('x'.repeat(2000))
    expect((await client.closed)[0]).toBe(1009)
    other.say('hello')
    await other.until('stream_end')
  })
})

describe('sessions', () => {
  it('[N-E4] [N-X2] [N-X6] are made for a profile', async () => {
    const { call } = await start()
    expect(await call('POST', '/sessions', { profile_id: 'secretary' })).toEqual([
      201,
      {
        session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        profile_id: 'secretary',
        created_at: expect.stringMatching(/\+00:00$/),
      },
    ])
    expect((await call('POST', '/sessions', { profile_id: 'nobody' }))[0]).toBe(404)
    for (const body of ['', '{', '[]', '{}', '{"profile_id":7}'])
      expect((await call('POST', '/sessions', body))[0]).toBe(422)
  })

  it('[N-E5] [N-E8] are listed pinned first, then by activity', async () => {
    const clock = manualClock(Date.UTC(2026, 3, 10, 18))
    const { call, create } = await start({}, { clock })
    const ids: string[] = []
    for (const text of ['first', 'second', 'x'.repeat(100)]) {
      const id = await create()
      ids.push(id)
      await clock.advance(1000)
      await call('POST', `/sessions/${id}/messages`, { content: text })
    }
    expect(await call('PATCH', `/sessions/${ids[0]}/pin`, { pinned: true })).toEqual([
      200,
      { session_id: ids[0], pinned: true },
    ])
    const [, list] = await call('GET', '/sessions')
    const item = (index: number, preview: string, pinned: boolean) => ({
      session_id: ids[index],
      profile_id: 'secretary',
      message_count: 2,
      preview,
      pinned,
      created_at: `2026-04-10T18:00:0${index}.000+00:00`,
      last_active: `2026-04-10T18:00:0${index + 1}.000+00:00`,
    })
    expect(list).toEqual([
      item(0, 'You said: first', true),
      item(2, 'x'.repeat(60), false),
      item(1, 'You said: second', false),
    ])
    expect((await call('PATCH', `/sessions/${ids[0]}/pin`, { pinned: 'yes' }))[0]).toBe(422)
  })

  it('[N-E6] [N-E9] show their messages, and what the model sees', async () => {
    const { client, call, id } = await meet()
    client.say('search the web')
    await client.until('stream_end')
    const [, session] = await call('GET', `/sessions/${id}`)
    const { messages } = session as { messages: Item[] }
    for (const message of messages) Item.parse(message)
    expect(messages).toMatchObject([
      { role: 'user', content: 'search the web' },
      { role: 'assistant', tool_calls: [{ name: 'web_search', arguments: { query: 'weather in Lisbon' } }] },
      {
        role: 'tool',
        content: 'Sunny, 22 degrees (weather in Lisbon)',
        tool_call_id: messages[1]!.tool_calls![0]!.id,
        name: 'web_search',
      },
      { role: 'assistant', content: 'The web says: Sunny, 22 degrees (weather in Lisbon)' },
    ])
    const total = messages.reduce((sum, message) => sum + (message.content?.length ?? 0), 0)
    expect(await call('GET', `/sessions/${id}/context`)).toEqual([
      200,
      { session_id: id, profile_id: 'secretary', message_count: 4, total_chars: total, context: messages },
    ])
  })

  it('[N-E7] go with their files and their sockets', async () => {
    const { client, call, id, upload, dataFolder } = await meet()
    await upload(id, 'a.txt', 'hello')
    client.say('answer slowly')
    await client.until('stream_delta')
    expect(await call('DELETE', `/sessions/${id}`)).toEqual([204, undefined])
    expect((await client.closed)[0]).toBe(4004)
    expect(existsSync(join(dataFolder, 'session_files', id))).toBe(false)
    expect((await call('GET', `/sessions/${id}`))[0]).toBe(404)
  })

  it.each([
    ['GET', ''],
    ['DELETE', ''],
    ['PATCH', '/pin'],
    ['GET', '/context'],
    ['POST', '/stop'],
    ['POST', '/messages'],
    ['POST', '/files'],
  ])('[N-X2] %s /sessions/unknown%s is 404', async (method, path) => {
    const { call } = await start()
    expect(await call(method, `/sessions/unknown${path}`, method === 'GET' ? undefined : '{}')).toEqual([
      404,
      { detail: 'Session not found' },
    ])
  })

  it('[N-E12] [N-X4] [N-X6] answer a message over HTTP when the run is over', async () => {
    const { call, create } = await start()
    const id = await create()
    const ask = (content: unknown) => call('POST', `/sessions/${id}/messages`, { content })
    expect(await ask('hello')).toEqual([200, { role: 'assistant', content: 'You said: hello' }])
    expect(await ask('fail halfway')).toEqual([500, { detail: 'the model cannot go on' }])
    expect((await ask(''))[0]).toBe(422)
    const both = await Promise.all([ask('one'), ask('two')])
    expect(both.map(([, body]) => (body as Item).content)).toEqual(['You said: one', 'You said: two'])
  })
})

describe('files', () => {
  it('[N-E10] [N-M4] are stored under their own name, or a numbered one, and named to the agent', async () => {
    const { client, call, id, upload, dataFolder } = await meet({}, { script: [{ say: '{{message}}' }] })
    const stored = (name: string, size: number) => ({
      name,
      size,
      path: `session_files/${id}/${name}`,
      content_type: 'text/plain',
    })
    expect(await upload(id, 'file.txt', 'hello')).toEqual([201, stored('file.txt', 5)])
    expect(await upload(id, 'file.txt', '')).toEqual([201, stored('file_1.txt', 0)])
    expect(await upload(id, 'file.txt', 'third')).toEqual([201, stored('file_2.txt', 5)])
    expect(readFileSync(join(dataFolder, 'session_files', id, 'file_2.txt'), 'utf8')).toBe('third')
    const files = ['file.txt', 'missing.txt', '../../secret'].map((name) => ({
      name,
      size: 1,
      path: `session_files/${id}/${name}`,
    }))
    client.say('read', { files })
    await client.until('stream_end')
    expect(client.answer()).toBe(`read\n\nAttached files:\n- session_files/${id}/file.txt`)
    const [, session] = await call('GET', `/sessions/${id}`)
    const [, context] = await call('GET', `/sessions/${id}/context`)
    expect([session, context]).toMatchObject([
      { messages: [{ content: 'read' }, {}] },
      { context: [{ content: client.answer() }, {}] },
    ])
  })

  it.each(['exe', 'dll', 'so', 'sh', 'bat', 'cmd', 'ps1', 'vbs', 'bin', 'elf', 'EXE', 'txt.Sh', 'exe.'])(
    '[N-X1] of the type .%s are blocked, and nothing of them is kept',
    async (extension) => {
      const { create, upload, dataFolder } = await start()
      const id = await create()
      expect((await upload(id, `a.${extension}`, 'x'))[0]).toBe(400)
      expect(existsSync(join(dataFolder, 'session_files', id))).toBe(false)
    },
  )

  it.each([
    ['../../escape.txt', 'escape.txt'],
    ['..\\..\\escape.txt', 'escape.txt'],
    ['/etc/passwd', 'passwd'],
    ['..', 'file'],
    ['...', 'file'],
    ['.hidden', '.hidden'],
    ['a.exe.txt', 'a.exe.txt'],
    [`${'n'.repeat(300)}.txt`, `${'n'.repeat(196)}.txt`],
  ])('[N-E10] called %s stay in their folder as %s', async (given, kept) => {
    const { create, upload, dataFolder } = await start()
    const id = await create()
    expect(await upload(id, given, 'x')).toMatchObject([201, { name: kept }])
    expect(readdirSync(join(dataFolder, 'session_files', id))).toEqual([kept])
  })

  it('[N-X3] over the limit are refused and leave nothing; exactly at it they are taken', async () => {
    const { create, upload, dataFolder } = await start({ uploadLimit: 100_000 })
    const id = await create()
    expect(await upload(id, 'fits.bin.txt', new Uint8Array(100_000))).toMatchObject([201, { size: 100_000 }])
    expect((await upload(id, 'large.txt', new Uint8Array(100_001)))[0]).toBe(413)
    expect(readdirSync(join(dataFolder, 'session_files', id))).toEqual(['fits.bin.txt'])
  })

  it('[N-X6] need a form with a file', async () => {
    const { create, upload, call } = await start()
    const id = await create()
    expect((await upload(id, 'a.txt', 'x', 'other'))[0]).toBe(422)
    expect((await call('POST', `/sessions/${id}/files`, '{}'))[0]).toBe(422)
  })

  it('[N-E10] go after a day without activity; the session stays', async () => {
    const clock = manualClock()
    const { create, upload, dataFolder, call } = await start({}, { clock })
    const id = await create()
    await upload(id, 'a.txt', 'x')
    await clock.advance(23 * 3_600_000)
    expect(existsSync(join(dataFolder, 'session_files', id))).toBe(true)
    await clock.advance(3_600_000)
    await expect.poll(() => existsSync(join(dataFolder, 'session_files', id))).toBe(false)
    expect((await call('GET', `/sessions/${id}`))[0]).toBe(200)
  })
})

describe('the rest', () => {
  it('[N-M3] takes pictures with and without a prefix and keeps them without', async () => {
    const { client, call, id } = await meet()
    client.say('look at this', { images: ['aGk=', 'data:image/jpeg;base64,aG8='] })
    expect(await client.until('stream_end')).toMatchObject({ content: 'I see 2 pictures.' })
    expect(await call('GET', `/sessions/${id}`)).toMatchObject([200, { messages: [{ images: ['aGk=', 'aG8='] }, {}] }])
  })

  it('[N-E1] [N-E2] [N-E3] tells of its health, its profiles and its tools', async () => {
    const cast = readCast(
      'profiles:\n  - {id: one, name: One, enabled_tools: [todo]}\ntools:\n  - {name: todo, description: Keep a list., result: noted}\n',
    )
    const { call } = await start(
      { tools: cast.tools.map(({ name, description, input }) => ({ name, description, input })) },
      { profiles: cast.profiles },
    )
    expect(await call('GET', '/health')).toEqual([200, { status: 'ok' }])
    expect(await call('GET', '/agents/profiles')).toEqual([
      200,
      [
        {
          id: 'one',
          name: 'One',
          description: '',
          enabled_tools: ['todo'],
          llm_backend: 'scripted',
          model: 'scripted',
        },
      ],
    ])
    expect(await call('GET', '/agents/tools')).toMatchObject([
      200,
      [
        { name: 'todo', description: 'Keep a list.' },
        { name: 'ask_user' },
        { name: 'spawn_agent' },
        { name: 'switch_profile' },
      ],
    ])
  })

  it('[N-E14] serves the client, which nobody may store', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'client-'))
    closers.push(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'index.html'), '<h1>Navi</h1>')
    const { server } = await start({ client: diskFolder([folder]) })
    const page = await fetch(`${server.url}/static/index.html`)
    expect([
      page.status,
      page.headers.get('cache-control'),
      page.headers.get('content-type'),
      await page.text(),
    ]).toEqual([200, 'no-store', 'text/html; charset=utf-8', '<h1>Navi</h1>'])
    for (const path of ['missing.js', '..%2f..%2fetc%2fpasswd', '%2fetc%2fpasswd'])
      expect((await fetch(`${server.url}/static/${path}`)).status).toBe(404)
  })

  it('[N-E13] refuses pages of foreign origins and other paths', async () => {
    const { server, create } = await start()
    const id = await create()
    const status = (path: string, origin: string) => upgrade(server.url, path, { origin })
    expect(await status(`/ws/sessions/${id}`, 'http://localhost:3000')).toBe(101)
    expect(await status(`/ws/sessions/${id}`, 'https://evil.example')).toBe(403)
    expect(await status('/ws', 'http://localhost:3000')).toBe(404)
  })
})
