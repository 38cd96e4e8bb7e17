import { describe, expect, it } from 'vitest'
import {
  eventsOfType,
  eventTypes,
  nextRequest,
  openScriptedSession,
} from '../../test/support/agent/scripted-session.ts'
import type { TracedEvent } from '../observer/trace/sidecar-files.ts'
import { createAgent } from './engine.ts'
import { contextLength } from './history/history.ts'
import { DEFAULT_PROFILE } from './profiles.ts'
import { builtinScript, PHRASES } from './script/builtin-script.ts'
import { parseScript } from './script/script.ts'
import { cannedTools, scriptedModel } from './script/scripted-model.ts'
import type { Toolbox } from './toolbox.ts'

// Rules such as [AG1] are stated in SPEC.md beside this file.

const say = (...texts: string[]) => ({
  pace: { characters: [99, 99], ms: [0, 0] },
  turns: [{ steps: texts.map((text) => ({ say: text })) }],
})

describe('runs', () => {
  it('[AG11] records what it takes and emits, and disturbs no run when that fails', async () => {
    const recorded: TracedEvent[] = []
    const record = (event: TracedEvent) => {
      recorded.push(event)
      if (event.name === 'run_started') throw new Error('full')
    }
    const { session, bugs } = openScriptedSession(say('Hello.'), {
      protocol: 'navi',
      tools: { ...cannedTools([]), record },
    })
    const run = session.send({ text: 'Hi', images: [{ mimeType: 'image/png', base64: 'AA==' }] })
    await run.ended
    session.selectModel('other')
    expect(recorded.map(({ direction, name }) => `${direction} ${name}`)).toEqual([
      'in user_message',
      'out run_started',
      'out message_start',
      'out message_end',
      'out run_ended',
      'in select_model',
    ])
    const about = { protocol: 'navi', conversation: session.id }
    expect(recorded[0]).toEqual({
      ...about,
      ...{ direction: 'in', name: 'user_message' },
      content: { run: run.id, message: 'Hi', images: 1 },
    })
    expect(recorded[3]!.content).toMatchObject({ run: run.id, message: 'Hello.', because: 'end' })
    expect(recorded.filter(({ endsRun }) => endsRun).map(({ name }) => name)).toEqual(['run_ended'])
    expect(bugs).toHaveLength(1)
  })

  it('[AG1] answers messages one after another', async () => {
    const { session, events } = openScriptedSession()
    const runs = [session.send({ text: 'use two tools' }), session.send({ text: 'second' })]
    await Promise.all(runs.map((run) => run.ended))
    const order = events.map((event) => event.runId)
    expect(order).toEqual(
      [...order].sort((one, other) => runs.findIndex((r) => r.id === one) - runs.findIndex((r) => r.id === other)),
    )
    expect(eventsOfType(events, 'run_ended').map((event) => event.text)).toEqual([
      'Two results: Sunny, 22 degrees (first) and contents of README.md',
      'You said: second',
    ])
  })

  it('[AG2] refuses messages beyond the queue limit', () => {
    const { session } = openScriptedSession(say('x'), { queueLimit: 2 })
    for (const text of ['live', 'first', 'second']) session.send({ text })
    expect(() => session.send({ text: 'third' })).toThrow(expect.objectContaining({ code: 'Busy' }))
    session.close()
  })

  it('[AG10] ends a run whose listener fails, and notifies the other listeners', async () => {
    const { session, events, bugs } = openScriptedSession(say('x'))
    session.listen(() => {
      throw new Error('deaf')
    })
    expect((await session.send({ text: 'go' }).ended).outcome).toBe('finished')
    expect(eventsOfType(events, 'run_ended')).toHaveLength(1)
    expect(bugs).toHaveLength(events.length)
    expect(bugs).toContainEqual(new Error('deaf'))
    session.close()
  })

  it('[AG12] refuses a text that is too long', () => {
    const { session } = openScriptedSession(say('x'))
    expect(() => session.send({ text: 'é'.repeat(5 * 1024 * 1024 + 1) })).toThrow(
      expect.objectContaining({ code: 'TooLarge', message: 'the text of a message has at most 10485760 bytes' }),
    )
    session.close()
  })

  describe('[AG3] [AG59] plays to exactly one end', () => {
    it.each(PHRASES.map((phrase) => phrase.say.replace('PROFILE', 'admin')))('%j', async (text) => {
      const { session, events, clock } = openScriptedSession()
      session.listen((event) => {
        if (event.type === 'permission_request' || event.type === 'hook_request')
          session.decidePermission(event.requestId, { allowed: true })
        if (event.type === 'question') session.answer(event.requestId, { answers: { name: 'x' }, text: 'x' })
      })
      session.send({ text: 'hello' })
      const run = session.send({ text })
      while (!run.over) await clock.advance(1000)
      const ofRun = eventTypes(events.filter((event) => event.runId === run.id))
      expect(ofRun.filter((type) => type === 'run_ended')).toHaveLength(1)
      expect(ofRun.slice(ofRun.indexOf('run_ended') + 1).filter((type) => type !== 'context_compressed')).toEqual([])
    })
  })

  it('[AG4] ends at once when stopped, and emits no further events', async () => {
    const { session, events, clock } = openScriptedSession()
    const run = session.send({ text: 'answer slowly' })
    await clock.advance(120)
    const before = events.length
    expect(session.stop()).toBe(true)
    expect(eventTypes(events.slice(before))).toEqual(['message_end', 'run_ended'])
    expect(eventsOfType(events, 'run_ended')).toMatchObject([{ outcome: 'stopped', text: 'slow slow ' }])
    await clock.advance(60_000)
    expect(events).toHaveLength(before + 2)
    expect(await run.ended).toMatchObject({ outcome: 'stopped' })
    expect(session.stop()).toBe(false)
  })

  it('[AG5] continues with the next message after a stop', async () => {
    const { session, events } = openScriptedSession()
    const [first, second, third] = ['answer slowly', 'dropped', 'kept'].map((text) => session.send({ text }))
    session.stop(second!.id)
    session.stop(first!.id)
    await third!.ended
    expect(eventsOfType(events, 'run_ended').map(({ runId, outcome }) => [runId, outcome])).toEqual([
      [second!.id, 'stopped'],
      [first!.id, 'stopped'],
      [third!.id, 'finished'],
    ])
  })

  it('[AG6] does not reveal unexpected internal errors', async () => {
    const agent = createAgent({
      model: {
        name: 'broken',
        // biome-ignore lint/correctness/useYield: it throws before its first step.
        run: async function* () {
          throw new Error('secret path')
        },
      },
    })
    const session = agent.open()
    const run = session.send({ text: 'hello' })
    expect((await run.ended).outcome).toBe('failed')
    expect(JSON.stringify(session.log.held())).not.toContain('secret')
    expect(session.log.held().map((entry) => entry.event)).toContainEqual(
      expect.objectContaining({ type: 'error', code: 'Internal', fatal: true }),
    )
  })

  it.each([
    ['message', 0, 'failed'],
    ['message with calls', 1, 'failed'],
    ['first result', 2, 'failed'],
    ['answer', 4, 'failed'],
    ['summary', 5, 'finished'],
  ])('[AG9] ends a run whose %s cannot be stored, and continues', async (_what, writes, outcome) => {
    let left = writes
    const keep = () => {
      if (left-- <= 0) throw new Error('the disk is full')
    }
    const keeper = { message: keep, summary: keep, profile: keep }
    const tools = [{ call: 'web_search' }, { call: 'read_file' }]
    const script = [{ calls: tools }, { compress: true }, { say: '{{message}}' }]
    const { session, events, bugs } = openScriptedSession(script, { historyStore: keeper })
    expect((await session.send({ text: 'hello' }).ended).outcome).toBe(outcome)
    expect(eventTypes(events).filter((type) => type.startsWith('run_'))).toEqual(['run_started', 'run_ended'])
    expect(bugs).toContainEqual(new Error('the disk is full'))
    expect(session.running).toBe(false)
    left = 100
    expect((await session.send({ text: 'once more' }).ended).text).toBe('once more')
  })

  it('[AG9] can be stopped while the store fails', async () => {
    let full = false
    const keep = () => {
      if (full) throw new Error('the disk is full')
    }
    const { session, clock, bugs } = openScriptedSession(builtinScript, {
      historyStore: { message: keep, summary: keep, profile: keep },
    })
    const run = session.send({ text: 'answer slowly' })
    await clock.advance(120)
    full = true
    expect(session.stop()).toBe(true)
    expect([(await run.ended).outcome, bugs]).toEqual(['stopped', [new Error('the disk is full')]])
  })

  it('[AG7] continues when a tool throws', async () => {
    const tools: Toolbox = {
      list: () => [{ name: 'bad', description: '', input: {} }],
      call: () => Promise.reject(new Error('boom')),
    }
    const { session, events, bugs } = openScriptedSession([{ call: 'bad' }, { say: 'All the same.' }], { tools })
    await session.send({ text: 'go' }).ended
    expect(eventsOfType(events, 'tool_result')).toMatchObject([{ ok: false, text: 'a bug on our side' }])
    expect(eventsOfType(events, 'run_ended')).toMatchObject([{ outcome: 'finished', text: 'All the same.' }])
    expect(bugs).toEqual([new Error('boom')])
  })

  it('[AG8] ends everything when closed', async () => {
    const { session, events } = openScriptedSession()
    const runs = ['run a command', 'waits'].map((text) => session.send({ text }))
    await nextRequest(session, 'permission_request')
    session.close()
    expect(await Promise.all(runs.map(async (run) => (await run.ended).outcome))).toEqual(['stopped', 'stopped'])
    expect(session.log.closed).toBe(true)
    expect(eventTypes(events).at(-1)).toBe('run_ended')
    expect(() => session.send({ text: 'more' })).toThrow(expect.objectContaining({ code: 'SessionNotFound' }))
  })
})

describe('messages and calls', () => {
  it('[AG14] splits texts and arguments into pieces that join to the whole', async () => {
    const { session, events } = openScriptedSession()
    await session.send({ text: 'search the web' }).ended
    const [calling, closing] = eventsOfType(events, 'message_end')
    const joined = (id: string) =>
      eventsOfType(events, 'text_delta')
        .filter((event) => event.messageId === id)
        .map((event) => event.text)
        .join('')
    expect(joined(closing!.messageId)).toBe('The web says: Sunny, 22 degrees (weather in Lisbon)')
    expect(
      JSON.parse(
        eventsOfType(events, 'tool_call_delta')
          .map((event) => event.json)
          .join(''),
      ),
    ).toEqual(calling!.calls[0]!.args)
    expect(eventsOfType(events, 'message_start').map((event) => event.closing)).toEqual([false, true])
  })

  it('[AG14] splits only between whole characters, including surrogate pairs', async () => {
    const command = `.${'🎬'.repeat(40)}`
    const { session, events } = openScriptedSession([{ call: 'run_command', with: { command } }, { say: command }])
    await session.send({ text: 'go' }).ended
    const pieces = [
      ...eventsOfType(events, 'tool_call_delta').map(({ json }) => json),
      ...eventsOfType(events, 'text_delta').map(({ text }) => text),
    ]
    expect(pieces.length).toBeGreaterThan(4)
    expect(pieces.filter((piece) => /\p{Surrogate}/u.test(piece))).toEqual([])
  })

  it('[AG15] emits results together and in order after the last', async () => {
    const gates = new Map<string, (answer: { ok: boolean; result: unknown }) => void>()
    const tools: Toolbox = {
      list: () => [],
      call: (name) => new Promise((resolve) => gates.set(name, resolve)),
    }
    const steps = [{ calls: [{ call: 'slow' }, { call: 'quick' }] }, { say: 'Done.' }]
    const { session, events, clock } = openScriptedSession(steps, {
      tools,
      capabilities: { parallel: 5, results: 'together' },
    })
    const run = session.send({ text: 'go' })
    await clock.advance(0)
    gates.get('quick')!({ ok: true, result: 2 })
    await clock.advance(0)
    expect(eventsOfType(events, 'tool_result')).toEqual([])
    gates.get('slow')!({ ok: true, result: 1 })
    await run.ended
    expect(eventsOfType(events, 'tool_result').map(({ tool, output }) => [tool, output])).toEqual([
      ['slow', 1],
      ['quick', 2],
    ])
  })

  it('[AG16] marks the events of a nested agent and stores only its result', async () => {
    const { session, events } = openScriptedSession()
    await session.send({ text: 'delegate' }).ended
    const nested = events.findIndex((event) => event.subagent)
    const last = events.findLastIndex((event) => event.subagent)
    expect([events[nested - 1], events[last + 1]]).toMatchObject([
      { type: 'tool_started', tool: 'spawn_agent' },
      { type: 'tool_result', tool: 'spawn_agent', text: 'Report: Sunny, 22 degrees (weather)' },
    ])
    expect(session.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  })

  it('[AG22] refuses a nested agent inside a nested agent', async () => {
    const { session, events } = openScriptedSession([
      { call: 'spawn_agent', with: { task: 'more' }, as: 'n' },
      { say: '{{results.n.text}}' },
    ])
    const run = session.send({ text: 'go' })
    await run.ended
    expect(eventsOfType(events, 'tool_result').map(({ subagent, ok }) => [subagent, ok])).toEqual([
      [true, false],
      [false, true],
    ])
    expect((await run.ended).text).toBe('a nested agent has no agents of its own')
  })

  it('[AG17] gives every call of a stopped run a result', async () => {
    const { session } = openScriptedSession()
    session.send({ text: 'run two commands' })
    await nextRequest(session, 'permission_request')
    session.stop()
    expect(session.messages.map((message) => [message.role, message.text])).toEqual([
      ['user', 'run two commands'],
      ['assistant', ''],
      ['tool', 'stopped'],
      ['tool', 'stopped'],
    ])
  })

  it('[AG18] answers as the new profile from the next message on', async () => {
    const { session, events } = openScriptedSession([
      { say: '{{profile}}' },
      { switch_profile: 'admin' },
      { say: 'still {{profile}}' },
    ])
    await session.send({ text: 'go' }).ended
    expect(eventsOfType(events, 'profile_switched')).toMatchObject([
      { profileId: 'admin', profileName: 'Administrator' },
    ])
    await session.send({ text: 'go' }).ended
    expect(eventsOfType(events, 'message_end').map((event) => event.text)).toEqual([
      'default',
      'still default',
      'admin',
      'still admin',
    ])
  })

  it('[AG19] measures usage against the window of the initial profile', async () => {
    const small = { ...DEFAULT_PROFILE, id: 'small', max_context_tokens: 100 }
    const model = scriptedModel(parseScript([{ switch_profile: 'small' }, { say: 'done' }]))
    const session = createAgent({ model, profiles: [DEFAULT_PROFILE, small] }).open()
    expect((await session.send({ text: 'go' }).ended).maxContextTokens).toBe(DEFAULT_PROFILE.max_context_tokens)
    expect((await session.send({ text: 'go' }).ended).maxContextTokens).toBe(100)
  })

  it('[AG18] a nested agent keeps the profile and model of its run after a switch', async () => {
    const read = parseScript({
      turns: [
        {
          on: { text: 'go' },
          steps: [
            { switch_profile: 'admin' },
            { call: 'spawn_agent', with: { task: 'who are you' }, as: 'n' },
            { say: '{{results.n.text}}' },
          ],
        },
        { steps: [{ say: '{{profile}}' }] },
      ],
    })
    const asked: unknown[] = []
    const model = scriptedModel(read)
    const agent = createAgent({
      model: (_profile, name) => {
        asked.push(name)
        return model
      },
      profiles: [DEFAULT_PROFILE, { ...DEFAULT_PROFILE, id: 'admin' }],
    })
    const session = agent.open()
    session.selectModel('old')
    session.listen(({ type }) => type === 'profile_switched' && session.selectModel('new'))
    expect([(await session.send({ text: 'go' }).ended).text, asked]).toEqual(['default', ['old']])
    expect([(await session.send({ text: 'who' }).ended).text, asked]).toEqual(['admin', ['old', 'new']])
  })

  it('[AG20] stops one call and continues', async () => {
    const tools: Toolbox = { list: () => [], call: () => new Promise(() => {}) }
    const { session, events } = openScriptedSession([{ call: 'endless' }, { say: 'Next.' }], { tools })
    const run = session.send({ text: 'go' })
    session.listen((event) => {
      if (event.type === 'tool_started') expect(session.stopTask(event.callId)).toBe(true)
    })
    await run.ended
    expect(eventsOfType(events, 'tool_result')).toMatchObject([{ ok: false, text: 'the task was stopped' }])
    expect(eventsOfType(events, 'run_ended')).toMatchObject([{ outcome: 'finished', text: 'Next.' }])
    expect(session.stopTask('nothing')).toBe(false)
  })
})

describe('context', () => {
  it('[AG39] [AG40] summarises the older messages of a full context', async () => {
    const { session, events } = openScriptedSession(say('A fairly long answer that takes some room. '.repeat(20)), {
      profileId: 'admin',
    })
    for (let turn = 0; turn < 12; turn++) await session.send({ text: `message ${turn}` }).ended
    const compressed = eventsOfType(events, 'context_compressed')
    expect(compressed.length).toBeGreaterThan(1)
    for (const event of compressed) expect(event.after).toBeLessThan(event.before)
    for (const end of eventsOfType(events, 'run_ended')) {
      const followed = compressed.some((event) => event.runId === end.runId)
      expect(followed).toBe(end.contextTokens >= 800)
    }
    expect(session.messages).toHaveLength(24)
    expect(contextLength(session.context)).toBeLessThan(24)
    expect(session.context.summary?.text).toMatch(/^Summary of the earlier conversation:\nuser: message \d\n/)
  })

  it('[AG47] drops messages that a summary covers if the protocol cannot show them', async () => {
    const answer = say('A fairly long answer that takes some room. '.repeat(20))
    const { session } = openScriptedSession(answer, { profileId: 'admin', keepsFullHistory: false })
    for (let turn = 0; turn < 50; turn++) await session.send({ text: `message ${turn}` }).ended
    expect(session.messages.length).toBeLessThan(10)
    expect(session.context.summary?.text).toContain('user: message 4')
  })
})
