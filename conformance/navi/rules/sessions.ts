import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { assertAgree } from '../../compare/differences.ts'
import { assertStatus } from '../../probe/failure.ts'
import { changeStatus } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { AgentProfile, CreatedSession, PinResult, Reply, Session, SessionContext, SessionRow } from '../contract.ts'
import { sources } from '../document.ts'
import { connect, createSession, getMessages, onSuccessOf } from '../driver.ts'

const listed = async ({ http }: TestContext) => (await http.get('/sessions')).json(z.array(SessionRow))

const mine = async (context: TestContext, id: string) => (await listed(context)).find((row) => row.session_id === id)

const sendMessage = async ({ http }: TestContext, id: string, content: string) =>
  (await http.post(`/sessions/${id}/messages`, { content })).json(Reply)

const PREVIEW_LENGTH = 60
/** Milliseconds by which times differ that count seconds. */
const SECOND_MS = 1100

/** Sessions: creating, listing, showing, pinning and deleting them. */
export const sessionRules = defineRules('session', ['session:create'], {
  create: {
    level: 'MUST',
    text: 'POST /sessions answers 201 with a new session of the profile.',
    source: sources.rest,
    basis: { states: 'POST /sessions with profile_id answers 201 with session_id, profile_id and created_at.' },
    covers: ['N-E4'],
    check: async ({ http }) => {
      const [profile] = (await http.get('/agents/profiles')).json(z.array(AgentProfile).min(1))
      const answers = [1, 2].map(() => http.post('/sessions', { profile_id: profile!.id }))
      const created = (await Promise.all(answers)).map((answer) => {
        assertStatus(answer, 201)
        return answer.json(CreatedSession)
      })
      assert.notEqual(created[0]!.session_id, created[1]!.session_id)
      assert.equal(created[0]!.profile_id, profile!.id, 'the profile of the session')
    },
    sabotage: {
      'creates with 200': changeStatus(201, 200),
      'gives every session the same id': onSuccessOf('POST /sessions', (json) => {
        json.session_id = 'one'
      }),
    },
  },

  'unknown-profile': {
    level: 'MUST',
    text: 'A session for an unknown profile answers 404.',
    source: sources.rest,
    basis: { states: 'POST /sessions answers 404 when the profile is not found.' },
    covers: ['N-E4', 'N-X2'],
    check: async ({ http, random }) => {
      assertStatus(await http.post('/sessions', { profile_id: random.word(16) }), 404)
    },
    sabotage: {
      'creates for any profile': {
        changeRequest: (request) => {
          if (request.path === '/sessions' && request.method === 'POST')
            request.body = Buffer.from('{"profile_id":"secretary"}')
        },
      },
    },
  },

  malformed: {
    level: 'SHOULD',
    text: 'A body that is missing or mistyped answers 422.',
    source: sources.open,
    basis: { because: 'The document names no status for a body that is not as described.' },
    covers: ['N-X6'],
    pool: 'dangerous',
    check: async ({ http }) => {
      for (const raw of ['', '{', '[]', 'null', '{}', '{"profile_id":7}']) {
        const answer = await http.send({ method: 'POST', path: '/sessions', raw, deliberate: true })
        assertStatus(answer, 422, raw || '(empty)')
      }
    },
    sabotage: {
      'answers 400 to malformed bodies': changeStatus(422, 400),
    },
  },

  list: {
    level: 'MUST',
    text: 'Sessions are listed pinned first, then by their last activity.',
    source: sources.rest,
    basis: { states: 'Sessions are sorted by activity, pinned ones first.' },
    covers: ['N-E5', 'N-E8'],
    needs: ['session:create', 'message:answer'],
    check: async (context) => {
      const ids = [await createSession(context), await createSession(context), await createSession(context)]
      for (const id of ids) {
        await sendMessage(context, id, context.profile.phrase('hello'))
        await pause(20)
      }
      await context.http.patch(`/sessions/${ids[0]}/pin`, { pinned: true })
      const rows = await listed(context)
      const order = rows.map((row) => row.session_id).filter((id) => ids.includes(id))
      assert.deepEqual(order, [ids[0], ids[2], ids[1]], 'the order of the sessions')
      const firstLoose = rows.findIndex((row) => !row.pinned)
      assert.ok(
        rows.slice(firstLoose).every((row) => !row.pinned),
        'a pinned session comes after one that is not',
      )
    },
    sabotage: {
      'lists backwards': onSuccessOf('GET /sessions', (json) => {
        json.reverse()
      }),
    },
  },

  preview: {
    level: 'MUST',
    text: 'The preview is the end of the last message, of 60 characters at most, and message_count counts the messages.',
    source: sources.rest,
    basis: { states: 'preview is the last 60 characters of the last message, and message_count a number.' },
    covers: ['N-E5', 'N-A7', 'N-A8'],
    needs: ['session:create', 'message:answer'],
    check: async (context) => {
      const id = await createSession(context)
      // Its answer is longer than a preview.
      await sendMessage(context, id, context.profile.phrase(context.profile.has('long') ? 'long' : 'hello'))
      const messages = await getMessages(context, id)
      const row = await mine(context, id)
      assertAgree(
        { 'GET /sessions': row?.message_count, 'GET /sessions/{id}/messages': messages.length },
        'the number of messages',
      )
      const last = messages.findLast((item) => typeof item.content === 'string')?.content ?? ''
      assertAgree({ 'the preview': row?.preview, 'the last message': [...last].slice(-PREVIEW_LENGTH).join('') })
    },
    sabotage: {
      'previews one character too many': onSuccessOf('GET /sessions', (json) => {
        for (const one of json) if (one.preview.length >= PREVIEW_LENGTH) one.preview = `.${one.preview}`
      }),
      'previews the beginning': onSuccessOf('GET /sessions', (json) => {
        for (const one of json) one.preview = `${one.preview}…`
      }),
      'counts one message too many': onSuccessOf('GET /sessions', (json) => {
        for (const one of json) one.message_count++
      }),
    },
  },

  active: {
    level: 'MUST',
    text: 'A message moves last_active on.',
    source: sources.rest,
    basis: { states: 'Sessions are sorted by their activity, whose time is last_active.' },
    covers: ['N-E5', 'N-E6'],
    needs: ['session:create', 'message:answer'],
    check: async (context) => {
      const id = await createSession(context)
      const activeAt = async () => Date.parse((await context.http.get(`/sessions/${id}`)).json(Session).last_active)
      const before = await activeAt()
      await pause(SECOND_MS)
      await sendMessage(context, id, context.profile.phrase('hello'))
      assert.ok((await activeAt()) > before, 'last_active is as before the message')
    },
    sabotage: {
      'is active when it is created': onSuccessOf('GET /sessions/{session_id}', (json) => {
        json.last_active = json.created_at
      }),
    },
  },

  history: {
    level: 'MUST',
    text: 'A session shows its messages in order, each tool item after the assistant item that called it.',
    source: sources.rest,
    basis: { states: 'A session shows its messages; a tool message refers to the call it answers.' },
    covers: ['N-E6'],
    needs: ['session:create', 'flow:simple'],
    check: async (context) => {
      const { id, run } = await connect(context)
      const asked = context.profile.phrase('tool')
      await run(asked)
      const messages = await getMessages(context, id)
      assert.deepEqual({ role: messages[0]?.role, content: messages[0]?.content }, { role: 'user', content: asked })
      assert.equal(messages.at(-1)?.role, 'assistant', 'the role of the last message')
      const called = new Set<string>()
      for (const item of messages) {
        for (const { id: call } of item.tool_calls ?? []) called.add(call)
        if (item.role === 'tool')
          assert.ok(called.has(item.tool_call_id ?? ''), 'a tool item answers no call before it')
      }
      assert.ok(called.size > 0, 'prerequisite: the phrase "tool" used no tool')
    },
    sabotage: {
      'shows messages backwards': onSuccessOf('GET /sessions/{session_id}', (json) => {
        json.messages.reverse()
      }),
      'loses the last message': {
        alsoBreaks: ['message:answer'],
        ...onSuccessOf('GET /sessions/{session_id}', (json) => {
          json.messages.pop()
        }),
      },
    },
  },

  unknown: {
    level: 'MUST',
    text: 'The routes of an unknown session answer 404.',
    source: sources.errors,
    basis: { states: '404 means that the session was not found.' },
    covers: ['N-X2', 'N-E6', 'N-E7', 'N-E8', 'N-E9', 'N-E12', 'N-C9'],
    check: async ({ http, random }) => {
      const path = `/sessions/${random.word(16)}`
      const answers = [
        http.get(path),
        http.delete(path),
        http.patch(`${path}/pin`, { pinned: true }),
        http.get(`${path}/context`),
        http.post(`${path}/messages`, { content: 'hello' }),
      ]
      for (const answer of await Promise.all(answers)) assertStatus(answer, 404)
    },
    sabotage: {
      'answers 200 for what is unknown': changeStatus(404, 200),
    },
  },

  delete: {
    level: 'MUST',
    text: 'A deleted session no longer exists, and is not listed.',
    source: sources.rest,
    basis: { states: 'DELETE deletes the session and its files and answers 204.' },
    covers: ['N-E7'],
    check: async (context) => {
      const id = await createSession(context)
      assertStatus(await context.http.delete(`/sessions/${id}`), 204)
      assertStatus(await context.http.get(`/sessions/${id}`), 404)
      assert.equal(await mine(context, id), undefined, 'the deleted session in the list')
    },
    sabotage: {
      'keeps deleted sessions': {
        changeRequest: (request) => {
          if (request.method === 'DELETE') {
            request.path += '/pin'
            Object.assign(request, { method: 'PATCH', body: Buffer.from('{"pinned":false}') })
            request.headers['content-type'] = 'application/json'
          }
        },
        changeResponse: (response, request) => {
          if (request.path.endsWith('/pin') && request.headers['content-length'] === '16') {
            response.status = 204
            response.json = undefined
            response.body = Buffer.alloc(0)
          }
        },
      },
    },
  },

  pin: {
    level: 'MUST',
    text: 'Pinning is echoed and shown in the list, and can be undone.',
    source: sources.rest,
    basis: { states: 'PATCH pin with pinned answers with session_id and pinned.' },
    covers: ['N-E8'],
    check: async (context) => {
      const id = await createSession(context)
      for (const pinned of [true, false]) {
        const answer = await context.http.patch(`/sessions/${id}/pin`, { pinned })
        const details = answer.json(PinResult)
        assert.deepEqual({ session_id: details.session_id, pinned: details.pinned }, { session_id: id, pinned })
        assert.equal((await mine(context, id))?.pinned, pinned, 'pinned')
      }
    },
    sabotage: {
      'pins for ever': onSuccessOf('PATCH /sessions/{session_id}/pin', (json) => {
        json.pinned = true
      }),
      'shows nothing pinned': {
        alsoBreaks: ['session:list'],
        ...onSuccessOf('GET /sessions', (json) => {
          for (const one of json) one.pinned = false
        }),
      },
    },
  },

  context: {
    level: 'MUST',
    text: 'The context counts its messages.',
    source: sources.rest,
    basis: { states: 'context has message_count, total_chars and the context in the format of messages.' },
    covers: ['N-E9', 'N-B5'],
    check: async (context) => {
      const id = await createSession(context)
      await sendMessage(context, id, context.profile.phrase('hello'))
      const { message_count, context: items } = (await context.http.get(`/sessions/${id}/context`)).json(SessionContext)
      assertAgree({ message_count, 'the list of messages': items.length })
    },
    sabotage: {
      'counts the context wrongly': onSuccessOf('GET /sessions/{session_id}/context', (json) => {
        json.message_count++
      }),
    },
  },

  chars: {
    level: 'SHOULD',
    text: 'total_chars is the number of characters of all contents.',
    source: sources.open,
    basis: { because: 'The document does not specify which characters are counted.' },
    covers: ['N-E9'],
    check: async (context) => {
      const id = await createSession(context)
      await sendMessage(context, id, context.profile.phrase('hello'))
      const { total_chars, context: items } = (await context.http.get(`/sessions/${id}/context`)).json(SessionContext)
      const chars = items.map((item) => item.content ?? '')
      const counts = [chars.join('').length, [...chars.join('')].length]
      assert.ok(counts.includes(total_chars), `total_chars is ${total_chars}, the contents have ${counts[0]}`)
    },
    sabotage: {
      'counts characters wrongly': onSuccessOf('GET /sessions/{session_id}/context', (json) => {
        json.total_chars += 7
      }),
    },
  },

  survives: {
    level: 'MUST',
    text: 'Sessions survive a restart of the server.',
    source: sources.rest,
    basis: { states: 'A session stores its history and survives restarts of the server.' },
    covers: ['N-B1'],
    tier: 'full',
    unchecked: 'the suite cannot restart a server it did not start',
  },

  restart: {
    level: 'SHOULD',
    text: 'A restart during a run loses the run, and keeps the history up to the message.',
    source: sources.open,
    basis: { because: 'The document stores the history and does not cover runs.' },
    covers: ['N-C13'],
    tier: 'full',
    unchecked: 'the suite cannot restart a server it did not start',
  },
})

/** Messages over REST. */
export const messageRules = defineRules('message', ['session:create'], {
  answer: {
    level: 'MUST',
    text: 'POST /messages answers with the whole reply, which is then the last message.',
    source: sources.rest,
    basis: { states: 'POST messages blocks until the loop ends, and answers with role assistant and content.' },
    covers: ['N-E12'],
    check: async (context) => {
      const id = await createSession(context)
      const reply = await sendMessage(context, id, context.profile.phrase('hello'))
      assert.ok(reply.content.length > 0, 'the reply is empty')
      const { messages, last_active, created_at } = (await context.http.get(`/sessions/${id}`)).json(Session)
      assertAgree({ 'the stored message': messages.at(-1)?.content, stream_end: reply.content }, 'the content')
      assert.ok(Date.parse(last_active) >= Date.parse(created_at), 'last_active is before created_at')
    },
    sabotage: {
      'replies something else': onSuccessOf('POST /sessions/{session_id}/messages', (json) => {
        json.content = 'something else'
      }),
    },
  },

  empty: {
    level: 'SHOULD',
    text: 'A message without content answers 422.',
    source: sources.open,
    basis: { because: 'The document requires non-empty text on the socket, but defines no status here.' },
    covers: ['N-E12', 'N-X6', 'N-C5'],
    pool: 'dangerous',
    check: async (context) => {
      const id = await createSession(context)
      for (const raw of ['{}', '{"content":""}', '{"content":7}']) {
        const answer = await context.http.send({
          method: 'POST',
          path: `/sessions/${id}/messages`,
          raw,
          deliberate: true,
        })
        assertStatus(answer, 422, raw)
      }
    },
    sabotage: {
      'answers to nothing': {
        changeRequest: (request) => {
          if (!request.path.endsWith('/messages') || JSON.parse(request.body.toString() || '{}').content) return
          request.body = Buffer.from('{"content":"hello"}')
        },
      },
    },
  },

  busy: {
    level: 'SHOULD',
    text: 'POST /messages during a run waits for it or answers 409; the run is not disturbed.',
    source: sources.open,
    basis: { because: 'The document does not specify the effect of a message during a run.' },
    covers: ['N-C4'],
    check: async (context) => {
      const { id, socket, sendText, nextEvent, path } = await connect(context)
      sendText(context.profile.phrase('endless'))
      await nextEvent('stream_delta')
      const hello = { content: context.profile.phrase('hello') }
      const waiting = context.http.post(`/sessions/${id}/messages`, hello, { timeoutMs: context.responseTimeoutMs * 3 })
      await pause(300)
      const ends = socket.messages.filter((one) => ['stream_end', 'stream_stopped', 'error'].includes(one.type))
      assert.deepEqual(ends, [], 'the run ended')
      await context.http.post(`${path}/stop`)
      const { status } = await waiting
      assert.ok(status === 200 || status === 409, `POST /messages answers ${status}`)
    },
    sabotage: {
      'answers 503 when it is busy': refusesDuringRuns(),
    },
  },

  failure: {
    level: 'MUST',
    text: 'When the agent fails POST /messages answers 500.',
    source: sources.errors,
    basis: { states: '500 means an internal error of the agent.' },
    covers: ['N-X4', 'N-C12'],
    tier: 'full',
    check: async (context) => {
      const id = await createSession(context)
      const answer = await context.http.post(`/sessions/${id}/messages`, { content: context.profile.phrase('error') })
      assertStatus(answer, 500)
    },
    sabotage: {
      'answers 502 for a failing agent': changeStatus(500, 502),
    },
  },
})

/** Refuses messages over REST while a socket of the server has a run. */
function refusesDuringRuns(): SabotageBehavior {
  let isRunning = false
  return {
    changeMessages: () => (message) => {
      if (message.type === 'stream_start') isRunning = true
      if (message.type === 'stream_end' || message.type === 'stream_stopped') isRunning = false
      return [message]
    },
    changeRequest: (request) => {
      if (isRunning && request.path.endsWith('/messages')) request.path = '/busy'
    },
    changeResponse: (response, request) => {
      if (request.path === '/busy') response.status = 503
    },
  }
}
