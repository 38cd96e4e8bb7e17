import { describe, expect, it } from 'vitest'
import { seededIds } from '../base/ids.ts'
import { seededRandom } from '../base/random.ts'
import type { TracedEvent } from '../observer/trace/sidecar-files.ts'
import { manualClock } from '../test-support/base/manual-clock.ts'
import { type AgentSessionOptions, createAgent } from './engine.ts'
import type { AgentEvent } from './events.ts'
import { contextLength } from './history/history.ts'
import { cannedTools, scriptedModel } from './models/scripted.ts'
import { DEFAULT_PROFILE } from './profiles/profiles.ts'
import { builtinScript, PHRASES } from './script/builtin-script.ts'
import { parseScript } from './script/script.ts'
import type { AgentSession } from './session.ts'
import type { Toolbox } from './tools/toolbox.ts'

// Rules such as [R1] are stated in SPEC.md beside this file.

interface Setting extends AgentSessionOptions {
  readonly tools?: Toolbox
}

function open(script: unknown = builtinScript, { tools, ...options }: Setting = {}) {
  const read = parseScript(script)
  const clock = manualClock()
  const bugs: unknown[] = []
  const agent = createAgent({
    model: scriptedModel(read),
    openToolbox: () => tools ?? cannedTools([...read.tools, ...builtinScript.tools]),
    clock,
    ids: seededIds(seededRandom(1)),
    profiles: [DEFAULT_PROFILE, { ...DEFAULT_PROFILE, id: 'admin', name: 'Administrator', max_context_tokens: 1000 }],
    onBug: (cause) => bugs.push(cause),
  })
  const session = agent.open(options)
  const events: AgentEvent[] = []
  session.listen((event) => events.push(event))
  return { session, clock, events, bugs }
}

const say = (...texts: string[]) => ({
  pace: { characters: [99, 99], ms: [0, 0] },
  turns: [{ steps: texts.map((text) => ({ say: text })) }],
})
const types = (events: readonly AgentEvent[]) => events.map((event) => event.type)
const of = <T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T) =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type)

/** Returns the first request of a session's agent. */
function request(session: AgentSession, type: 'permission_request' | 'question' | 'hook_request'): Promise<string> {
  return new Promise((resolve) => {
    const stop = session.listen((event) => {
      if (event.type !== type) return
      stop()
      resolve(event.requestId)
    })
  })
}

describe('runs', () => {
  it('[R22] records what it takes and emits, and disturbs no run when that fails', async () => {
    const recorded: TracedEvent[] = []
    const record = (event: TracedEvent) => {
      recorded.push(event)
      if (event.name === 'run_started') throw new Error('full')
    }
    const { session, bugs } = open(say('Hello.'), { protocol: 'navi', tools: { ...cannedTools([]), record } })
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

  it('[R1] answers messages one after another', async () => {
    const { session, events } = open()
    const runs = [session.send({ text: 'use two tools' }), session.send({ text: 'second' })]
    await Promise.all(runs.map((run) => run.ended))
    const order = events.map((event) => event.runId)
    expect(order).toEqual(
      [...order].sort((one, other) => runs.findIndex((r) => r.id === one) - runs.findIndex((r) => r.id === other)),
    )
    expect(of(events, 'run_ended').map((event) => event.text)).toEqual([
      'Two results: Sunny, 22 degrees (first) and contents of README.md',
      'You said: second',
    ])
  })

  it('[R2] refuses messages beyond the queue limit', () => {
    const { session } = open(say('x'), { queueLimit: 2 })
    for (const text of ['live', 'first', 'second']) session.send({ text })
    expect(() => session.send({ text: 'third' })).toThrow(expect.objectContaining({ code: 'Busy' }))
    session.close()
  })

  it('[R21] ends a run whose listener fails, and notifies the other listeners', async () => {
    const { session, events, bugs } = open(say('x'))
    session.listen(() => {
      throw new Error('deaf')
    })
    expect((await session.send({ text: 'go' }).ended).outcome).toBe('finished')
    expect(of(events, 'run_ended')).toHaveLength(1)
    expect(bugs).toHaveLength(events.length)
    expect(bugs).toContainEqual(new Error('deaf'))
    session.close()
  })

  it('[R20] refuses a text that is too long', () => {
    const { session } = open(say('x'))
    expect(() => session.send({ text: 'é'.repeat(5 * 1024 * 1024 + 1) })).toThrow(
      expect.objectContaining({ code: 'TooLarge', message: 'the text of a message has at most 10485760 bytes' }),
    )
    session.close()
  })

  describe('[R3] [S5] plays to exactly one end', () => {
    it.each(PHRASES.map((phrase) => phrase.say.replace('PROFILE', 'admin')))('%j', async (text) => {
      const { session, events, clock } = open()
      session.listen((event) => {
        if (event.type === 'permission_request' || event.type === 'hook_request')
          session.decidePermission(event.requestId, { allowed: true })
        if (event.type === 'question') session.answer(event.requestId, { answers: { name: 'x' }, text: 'x' })
      })
      session.send({ text: 'hello' })
      const run = session.send({ text })
      while (!run.over) await clock.advance(1000)
      const ofRun = types(events.filter((event) => event.runId === run.id))
      expect(ofRun.filter((type) => type === 'run_ended')).toHaveLength(1)
      expect(ofRun.slice(ofRun.indexOf('run_ended') + 1).filter((type) => type !== 'context_compressed')).toEqual([])
    })
  })

  it('[R4] ends at once when stopped, and emits no further events', async () => {
    const { session, events, clock } = open()
    const run = session.send({ text: 'answer slowly' })
    await clock.advance(120)
    const before = events.length
    expect(session.stop()).toBe(true)
    expect(types(events.slice(before))).toEqual(['message_end', 'run_ended'])
    expect(of(events, 'run_ended')).toMatchObject([{ outcome: 'stopped', text: 'slow slow ' }])
    await clock.advance(60_000)
    expect(events).toHaveLength(before + 2)
    expect(await run.ended).toMatchObject({ outcome: 'stopped' })
    expect(session.stop()).toBe(false)
  })

  it('[R5] continues with the next message after a stop', async () => {
    const { session, events } = open()
    const [first, second, third] = ['answer slowly', 'dropped', 'kept'].map((text) => session.send({ text }))
    session.stop(second!.id)
    session.stop(first!.id)
    await third!.ended
    expect(of(events, 'run_ended').map(({ runId, outcome }) => [runId, outcome])).toEqual([
      [second!.id, 'stopped'],
      [first!.id, 'stopped'],
      [third!.id, 'finished'],
    ])
  })

  it('[R6] does not reveal unexpected internal errors', async () => {
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
  ])('[R9] ends a run whose %s cannot be stored, and continues', async (_what, writes, outcome) => {
    let left = writes
    const keep = () => {
      if (left-- <= 0) throw new Error('the disk is full')
    }
    const keeper = { message: keep, summary: keep, profile: keep }
    const tools = [{ call: 'web_search' }, { call: 'read_file' }]
    const script = [{ calls: tools }, { compress: true }, { say: '{{message}}' }]
    const { session, events, bugs } = open(script, { historyStore: keeper })
    expect((await session.send({ text: 'hello' }).ended).outcome).toBe(outcome)
    expect(types(events).filter((type) => type.startsWith('run_'))).toEqual(['run_started', 'run_ended'])
    expect(bugs).toContainEqual(new Error('the disk is full'))
    expect(session.running).toBe(false)
    left = 100
    expect((await session.send({ text: 'once more' }).ended).text).toBe('once more')
  })

  it('[R9] can be stopped while the store fails', async () => {
    let full = false
    const keep = () => {
      if (full) throw new Error('the disk is full')
    }
    const { session, clock, bugs } = open(builtinScript, {
      historyStore: { message: keep, summary: keep, profile: keep },
    })
    const run = session.send({ text: 'answer slowly' })
    await clock.advance(120)
    full = true
    expect(session.stop()).toBe(true)
    expect([(await run.ended).outcome, bugs]).toEqual(['stopped', [new Error('the disk is full')]])
  })

  it('[R7] continues when a tool throws', async () => {
    const tools: Toolbox = {
      list: () => [{ name: 'bad', description: '', input: {} }],
      call: () => Promise.reject(new Error('boom')),
    }
    const { session, events, bugs } = open([{ call: 'bad' }, { say: 'All the same.' }], { tools })
    await session.send({ text: 'go' }).ended
    expect(of(events, 'tool_result')).toMatchObject([{ ok: false, text: 'a bug on our side' }])
    expect(of(events, 'run_ended')).toMatchObject([{ outcome: 'finished', text: 'All the same.' }])
    expect(bugs).toEqual([new Error('boom')])
  })

  it('[R8] ends everything when closed', async () => {
    const { session, events } = open()
    const runs = ['run a command', 'waits'].map((text) => session.send({ text }))
    await request(session, 'permission_request')
    session.close()
    expect(await Promise.all(runs.map(async (run) => (await run.ended).outcome))).toEqual(['stopped', 'stopped'])
    expect(session.log.closed).toBe(true)
    expect(types(events).at(-1)).toBe('run_ended')
    expect(() => session.send({ text: 'more' })).toThrow(expect.objectContaining({ code: 'SessionNotFound' }))
  })
})

describe('messages and calls', () => {
  it('[M1] splits texts and arguments into pieces that join to the whole', async () => {
    const { session, events } = open()
    await session.send({ text: 'search the web' }).ended
    const [calling, closing] = of(events, 'message_end')
    const joined = (id: string) =>
      of(events, 'text_delta')
        .filter((event) => event.messageId === id)
        .map((event) => event.text)
        .join('')
    expect(joined(closing!.messageId)).toBe('The web says: Sunny, 22 degrees (weather in Lisbon)')
    expect(
      JSON.parse(
        of(events, 'tool_call_delta')
          .map((event) => event.json)
          .join(''),
      ),
    ).toEqual(calling!.calls[0]!.args)
    expect(of(events, 'message_start').map((event) => event.closing)).toEqual([false, true])
  })

  it('[M1] splits only between whole characters, including surrogate pairs', async () => {
    const command = `.${'🎬'.repeat(40)}`
    const { session, events } = open([{ call: 'run_command', with: { command } }, { say: command }])
    await session.send({ text: 'go' }).ended
    const pieces = [
      ...of(events, 'tool_call_delta').map(({ json }) => json),
      ...of(events, 'text_delta').map(({ text }) => text),
    ]
    expect(pieces.length).toBeGreaterThan(4)
    expect(pieces.filter((piece) => /\p{Surrogate}/u.test(piece))).toEqual([])
  })

  it('[M2] emits results together and in order after the last', async () => {
    const gates = new Map<string, (answer: { ok: boolean; result: unknown }) => void>()
    const tools: Toolbox = {
      list: () => [],
      call: (name) => new Promise((resolve) => gates.set(name, resolve)),
    }
    const steps = [{ calls: [{ call: 'slow' }, { call: 'quick' }] }, { say: 'Done.' }]
    const { session, events, clock } = open(steps, { tools, capabilities: { parallel: 5, results: 'together' } })
    const run = session.send({ text: 'go' })
    await clock.advance(0)
    gates.get('quick')!({ ok: true, result: 2 })
    await clock.advance(0)
    expect(of(events, 'tool_result')).toEqual([])
    gates.get('slow')!({ ok: true, result: 1 })
    await run.ended
    expect(of(events, 'tool_result').map(({ tool, output }) => [tool, output])).toEqual([
      ['slow', 1],
      ['quick', 2],
    ])
  })

  it('[M3] marks the events of a nested agent and stores only its result', async () => {
    const { session, events } = open()
    await session.send({ text: 'delegate' }).ended
    const nested = events.findIndex((event) => event.subagent)
    const last = events.findLastIndex((event) => event.subagent)
    expect([events[nested - 1], events[last + 1]]).toMatchObject([
      { type: 'tool_started', tool: 'spawn_agent' },
      { type: 'tool_result', tool: 'spawn_agent', text: 'Report: Sunny, 22 degrees (weather)' },
    ])
    expect(session.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  })

  it('[M8] refuses a nested agent inside a nested agent', async () => {
    const { session, events } = open([
      { call: 'spawn_agent', with: { task: 'more' }, as: 'n' },
      { say: '{{results.n.text}}' },
    ])
    const run = session.send({ text: 'go' })
    await run.ended
    expect(of(events, 'tool_result').map(({ subagent, ok }) => [subagent, ok])).toEqual([
      [true, false],
      [false, true],
    ])
    expect((await run.ended).text).toBe('a nested agent has no agents of its own')
  })

  it('[M4] gives every call of a stopped run a result', async () => {
    const { session } = open()
    session.send({ text: 'run two commands' })
    await request(session, 'permission_request')
    session.stop()
    expect(session.messages.map((message) => [message.role, message.text])).toEqual([
      ['user', 'run two commands'],
      ['assistant', ''],
      ['tool', 'stopped'],
      ['tool', 'stopped'],
    ])
  })

  it('[M5] answers as the new profile from the next message on', async () => {
    const { session, events } = open([
      { say: '{{profile}}' },
      { switch_profile: 'admin' },
      { say: 'still {{profile}}' },
    ])
    await session.send({ text: 'go' }).ended
    expect(of(events, 'profile_switched')).toMatchObject([{ profileId: 'admin', profileName: 'Administrator' }])
    await session.send({ text: 'go' }).ended
    expect(of(events, 'message_end').map((event) => event.text)).toEqual([
      'default',
      'still default',
      'admin',
      'still admin',
    ])
  })

  it('[M5a] measures usage against the window of the initial profile', async () => {
    const small = { ...DEFAULT_PROFILE, id: 'small', max_context_tokens: 100 }
    const model = scriptedModel(parseScript([{ switch_profile: 'small' }, { say: 'done' }]))
    const session = createAgent({ model, profiles: [DEFAULT_PROFILE, small] }).open()
    expect((await session.send({ text: 'go' }).ended).maxContextTokens).toBe(DEFAULT_PROFILE.max_context_tokens)
    expect((await session.send({ text: 'go' }).ended).maxContextTokens).toBe(100)
  })

  it('[M5] a nested agent keeps the profile and model of its run after a switch', async () => {
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

  it('[M6] stops one call and continues', async () => {
    const tools: Toolbox = { list: () => [], call: () => new Promise(() => {}) }
    const { session, events } = open([{ call: 'endless' }, { say: 'Next.' }], { tools })
    const run = session.send({ text: 'go' })
    session.listen((event) => {
      if (event.type === 'tool_started') expect(session.stopTask(event.callId)).toBe(true)
    })
    await run.ended
    expect(of(events, 'tool_result')).toMatchObject([{ ok: false, text: 'the task was stopped' }])
    expect(of(events, 'run_ended')).toMatchObject([{ outcome: 'finished', text: 'Next.' }])
    expect(session.stopTask('nothing')).toBe(false)
  })
})

describe('decisions', () => {
  it('[D1] accepts one of a hundred decisions', async () => {
    const { session, events } = open()
    const run = session.send({ text: 'run a command' })
    const id = await request(session, 'permission_request')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, async (_, index) => session.decidePermission(id, { allowed: index === 0 })),
    )
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
    expect(
      outcomes.filter((outcome) => outcome.status === 'rejected' && outcome.reason.code === 'Conflict'),
    ).toHaveLength(99)
    await run.ended
    expect(of(events, 'permission_decided')).toMatchObject([{ requestId: id, allowed: true, by: 'client' }])
  })

  it('[D2] keeps a request open after an invalid decision', async () => {
    const { session } = open()
    const run = session.send({ text: 'ask me' })
    const id = await request(session, 'question')
    expect(() => session.decidePermission(id, { allowed: true })).toThrow(expect.objectContaining({ code: 'Conflict' }))
    session.answer(id, { answers: { framework: 'vue' }, text: 'vue' })
    expect((await run.ended).text).toBe('Your answers:\nvue')
  })

  it('[D3] passes the reason of a denial to the model', async () => {
    const { session, events } = open()
    const run = session.send({ text: 'run a command' })
    session.decidePermission(await request(session, 'permission_request'), {
      allowed: false,
      message: 'not on a Friday',
    })
    expect((await run.ended).text).toBe('I did not run it: not on a Friday')
    expect(of(events, 'tool_result')).toMatchObject([{ ok: false, text: 'not on a Friday' }])
    expect(of(events, 'tool_started')).toEqual([])
  })

  it('[D7f] does not use changed arguments that a rule denies, in any mode', async () => {
    const script = {
      turns: [
        {
          steps: [
            { call: 'look', with: { at: 'list' }, as: 'r', ask_permission: 'Look' },
            { say: '{{results.r.text}}' },
          ],
        },
      ],
    }
    const made: unknown[] = []
    const tools: Toolbox = {
      list: () => [{ name: 'look', description: '', input: {}, acts: true }],
      call: async (_name, args) => {
        made.push(args)
        return { ok: true, result: 'seen' }
      },
    }
    const { session } = open(script, {
      tools,
      permissions: { rules: [{ tool: 'look', target: 'secret', decision: 'deny' }] },
    })
    for (const args of [{ at: 'secret' }, { at: 'other' }]) {
      const run = session.send({ text: 'go' })
      session.decidePermission(await request(session, 'permission_request'), { allowed: true, args })
      const text = args.at === 'secret' ? 'look is not permitted with the changed arguments' : 'seen'
      expect((await run.ended).text).toBe(text)
    }
    expect(made).toEqual([{ at: 'other' }])
  })

  it.each(['ask', 'allow'] as const)(
    '[D7g] refuses a call that cannot be checked, if the client may %s',
    async (permissions) => {
      const long = 'x'.repeat(5_000_000)
      const steps = [{ call: 'look', with: { at: long }, as: 'r' }, { say: '{{results.r.text}}' }]
      const { session, bugs } = open(
        { turns: [{ steps }] },
        {
          tools: {
            list: () => [{ name: 'look', description: '', input: {} }],
            call: async () => ({ ok: true, result: 'seen' }),
          },
          capabilities: { permissions },
          permissions: { rules: [{ tool: '*', target: '(?i)delete', decision: 'deny' }] },
        },
      )
      const { text } = await session.send({ text: 'go' }).ended
      expect(text).toMatch(/^the permission rules cannot be checked for look: a pattern .* is too much work/)
      expect(bugs).toEqual([])
    },
  )

  it('[E1c] marks calls that clients must not execute: malformed ones and those that a rule denies', async () => {
    const calls = [
      { call: 'look', with: { at: 1 } },
      { call: 'look', with: {}, problem: 'malformed' },
      { call: 'erase', with: {} },
    ]
    const { session, events } = open(
      { turns: [{ steps: [{ calls }] }], tools: ['look', 'erase'].map((name) => ({ name, result: 'done' })) },
      {
        capabilities: { permissions: 'allow' },
        permissions: { rules: [{ tool: 'erase', decision: 'deny' }] },
      },
    )
    await session.send({ text: 'go' }).ended
    const [end] = of(events, 'message_end')
    expect(end!.refused).toEqual(end!.calls.slice(1).map(({ id }) => id))
  })

  it('[D4] ends the run with a denial that interrupts', async () => {
    const { session, events } = open()
    const run = session.send({ text: 'run a command' })
    session.decidePermission(await request(session, 'permission_request'), { allowed: false, interrupt: true })
    expect(await run.ended).toMatchObject({ outcome: 'stopped' })
    expect(types(events).slice(-2)).toEqual(['permission_request', 'run_ended'])
  })

  it('[D5] denies a request without a decision in time', async () => {
    const { session, events, clock } = open(builtinScript, { capabilities: { permissionTimeoutMs: 60_000 } })
    const run = session.send({ text: 'run a command' })
    await request(session, 'permission_request')
    await clock.advance(59_999)
    expect(of(events, 'permission_decided')).toEqual([])
    await clock.advance(1)
    expect((await run.ended).text).toBe('I did not run it: no answer in time')
    expect(of(events, 'permission_decided')).toMatchObject([{ allowed: false, by: 'timeout' }])
    expect(clock.sleepers).toBe(0)
  })

  it('[D6] withdraws the requests of a stopped run', async () => {
    const { session } = open()
    session.send({ text: 'run a command' })
    const id = await request(session, 'permission_request')
    session.stop()
    await new Promise((resolve) => setImmediate(resolve))
    expect(session.pendingRequests).toEqual([])
    expect(() => session.decidePermission(id, { allowed: true })).toThrow(expect.objectContaining({ code: 'Conflict' }))
  })

  it.each([
    ['default', 'ask'],
    ['acceptEdits', 'ask'],
    ['bypassPermissions', 'ran'],
    ['auto', 'ran'],
    ['dontAsk', 'denied'],
    ['plan', 'denied'],
  ] as const)('[D7] in the mode %s a demanded permission is: %s', async (mode, expected) => {
    const { session, events } = open(builtinScript, { permissions: { mode } })
    const run = session.send({ text: 'run a command' })
    session.listen((event) => {
      if (event.type === 'permission_request') session.stop()
    })
    await run.ended
    const [result] = of(events, 'tool_result')
    expect(result === undefined ? 'ask' : result.ok ? 'ran' : 'denied').toBe(expected)
  })

  it.each([
    ['run a command', 'The command ran: $ npm install: done'],
    ['ask the hook', 'The hook said: allowed.'],
    ['ask me', 'Your answers:\nthis client cannot answer questions'],
  ])('[D8] does not wait at %j if the client cannot be asked', async (text, answer) => {
    const { session, clock } = open(builtinScript, { capabilities: { permissions: 'allow', questions: 'skip' } })
    const run = session.send({ text })
    await clock.advance(1000)
    expect([run.over, session.pendingRequests]).toEqual([true, []])
    expect((await run.ended).text).toBe(answer)
  })

  it('[D7] never asks about a tool that is allowed', async () => {
    const { session } = open(builtinScript, { permissions: { rules: [{ tool: 'run_command', decision: 'allow' }] } })
    expect((await session.send({ text: 'run a command' }).ended).text).toBe('The command ran: $ npm install: done')
  })
})

describe('context', () => {
  it('[C1] [C2] summarises the older messages of a full context', async () => {
    const { session, events } = open(say('A fairly long answer that takes some room. '.repeat(20)), {
      profileId: 'admin',
    })
    for (let turn = 0; turn < 12; turn++) await session.send({ text: `message ${turn}` }).ended
    const compressed = of(events, 'context_compressed')
    expect(compressed.length).toBeGreaterThan(1)
    for (const event of compressed) expect(event.after).toBeLessThan(event.before)
    for (const end of of(events, 'run_ended')) {
      const followed = compressed.some((event) => event.runId === end.runId)
      expect(followed).toBe(end.contextTokens >= 800)
    }
    expect(session.messages).toHaveLength(24)
    expect(contextLength(session.context)).toBeLessThan(24)
    expect(session.context.summary?.text).toMatch(/^Summary of the earlier conversation:\nuser: message \d\n/)
  })

  it('[C3] drops messages that a summary covers if the protocol cannot show them', async () => {
    const answer = say('A fairly long answer that takes some room. '.repeat(20))
    const { session } = open(answer, { profileId: 'admin', keepsFullHistory: false })
    for (let turn = 0; turn < 50; turn++) await session.send({ text: `message ${turn}` }).ended
    expect(session.messages.length).toBeLessThan(10)
    expect(session.context.summary?.text).toContain('user: message 4')
  })
})
