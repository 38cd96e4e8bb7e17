import { describe, expect, it } from 'vitest'
import {
  eventsOfType,
  eventTypes,
  nextRequest,
  openScriptedSession,
} from '../../test/support/agent/scripted-session.ts'
import { builtinScript } from './script/builtin-script.ts'
import type { Toolbox } from './toolbox.ts'

// Rules such as [AG24] are stated in SPEC.md beside this file.

describe('decisions', () => {
  it('[AG24] accepts one of a hundred decisions', async () => {
    const { session, events } = openScriptedSession()
    const run = session.send({ text: 'run a command' })
    const id = await nextRequest(session, 'permission_request')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, async (_, index) => session.decidePermission(id, { allowed: index === 0 })),
    )
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
    expect(
      outcomes.filter((outcome) => outcome.status === 'rejected' && outcome.reason.code === 'Conflict'),
    ).toHaveLength(99)
    await run.ended
    expect(eventsOfType(events, 'permission_decided')).toMatchObject([{ requestId: id, allowed: true, by: 'client' }])
  })

  it('[AG25] keeps a request open after an invalid decision', async () => {
    const { session } = openScriptedSession()
    const run = session.send({ text: 'ask me' })
    const id = await nextRequest(session, 'question')
    expect(() => session.decidePermission(id, { allowed: true })).toThrow(expect.objectContaining({ code: 'Conflict' }))
    session.answer(id, { answers: { framework: 'vue' }, text: 'vue' })
    expect((await run.ended).text).toBe('Your answers:\nvue')
  })

  it('[AG26] passes the reason of a denial to the model', async () => {
    const { session, events } = openScriptedSession()
    const run = session.send({ text: 'run a command' })
    session.decidePermission(await nextRequest(session, 'permission_request'), {
      allowed: false,
      message: 'not on a Friday',
    })
    expect((await run.ended).text).toBe('I did not run it: not on a Friday')
    expect(eventsOfType(events, 'tool_result')).toMatchObject([{ ok: false, text: 'not on a Friday' }])
    expect(eventsOfType(events, 'tool_started')).toEqual([])
  })

  it('[AG34] does not use changed arguments that a rule denies, in any mode', async () => {
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
    const { session } = openScriptedSession(script, {
      tools,
      permissions: { rules: [{ tool: 'look', target: 'secret', decision: 'deny' }] },
    })
    for (const args of [{ at: 'secret' }, { at: 'other' }]) {
      const run = session.send({ text: 'go' })
      session.decidePermission(await nextRequest(session, 'permission_request'), { allowed: true, args })
      const text = args.at === 'secret' ? 'look is not permitted with the changed arguments' : 'seen'
      expect((await run.ended).text).toBe(text)
    }
    expect(made).toEqual([{ at: 'other' }])
  })

  it.each(['ask', 'allow'] as const)(
    '[AG35] refuses a call that cannot be checked, if the client may %s',
    async (permissions) => {
      const long = 'x'.repeat(5_000_000)
      const steps = [{ call: 'look', with: { at: long }, as: 'r' }, { say: '{{results.r.text}}' }]
      const { session, bugs } = openScriptedSession(
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

  it('[AG67] marks calls that clients must not execute: malformed ones and those that a rule denies', async () => {
    const calls = [
      { call: 'look', with: { at: 1 } },
      { call: 'look', with: {}, problem: 'malformed' },
      { call: 'erase', with: {} },
    ]
    const { session, events } = openScriptedSession(
      { turns: [{ steps: [{ calls }] }], tools: ['look', 'erase'].map((name) => ({ name, result: 'done' })) },
      {
        capabilities: { permissions: 'allow' },
        permissions: { rules: [{ tool: 'erase', decision: 'deny' }] },
      },
    )
    await session.send({ text: 'go' }).ended
    const [end] = eventsOfType(events, 'message_end')
    expect(end!.refused).toEqual(end!.calls.slice(1).map(({ id }) => id))
  })

  it('[AG27] ends the run with a denial that interrupts', async () => {
    const { session, events } = openScriptedSession()
    const run = session.send({ text: 'run a command' })
    session.decidePermission(await nextRequest(session, 'permission_request'), { allowed: false, interrupt: true })
    expect(await run.ended).toMatchObject({ outcome: 'stopped' })
    expect(eventTypes(events).slice(-2)).toEqual(['permission_request', 'run_ended'])
  })

  it('[AG28] denies a request without a decision in time', async () => {
    const { session, events, clock } = openScriptedSession(builtinScript, {
      capabilities: { permissionTimeoutMs: 60_000 },
    })
    const run = session.send({ text: 'run a command' })
    await nextRequest(session, 'permission_request')
    await clock.advance(59_999)
    expect(eventsOfType(events, 'permission_decided')).toEqual([])
    await clock.advance(1)
    expect((await run.ended).text).toBe('I did not run it: no answer in time')
    expect(eventsOfType(events, 'permission_decided')).toMatchObject([{ allowed: false, by: 'timeout' }])
    expect(clock.sleepers).toBe(0)
  })

  it('[AG29] withdraws the requests of a stopped run', async () => {
    const { session } = openScriptedSession()
    session.send({ text: 'run a command' })
    const id = await nextRequest(session, 'permission_request')
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
  ] as const)('[AG30] in the mode %s a demanded permission is: %s', async (mode, expected) => {
    const { session, events } = openScriptedSession(builtinScript, { permissions: { mode } })
    const run = session.send({ text: 'run a command' })
    session.listen((event) => {
      if (event.type === 'permission_request') session.stop()
    })
    await run.ended
    const [result] = eventsOfType(events, 'tool_result')
    expect(result === undefined ? 'ask' : result.ok ? 'ran' : 'denied').toBe(expected)
  })

  it.each([
    ['run a command', 'The command ran: $ npm install: done'],
    ['ask the hook', 'The hook said: allowed.'],
    ['ask me', 'Your answers:\nthis client cannot answer questions'],
  ])('[AG38] does not wait at %j if the client cannot be asked', async (text, answer) => {
    const { session, clock } = openScriptedSession(builtinScript, {
      capabilities: { permissions: 'allow', questions: 'skip' },
    })
    const run = session.send({ text })
    await clock.advance(1000)
    expect([run.over, session.pendingRequests]).toEqual([true, []])
    expect((await run.ended).text).toBe(answer)
  })

  it('[AG30] never asks about a tool that is allowed', async () => {
    const { session } = openScriptedSession(builtinScript, {
      permissions: { rules: [{ tool: 'run_command', decision: 'allow' }] },
    })
    expect((await session.send({ text: 'run a command' }).ended).text).toBe('The command ran: $ npm install: done')
  })
})
