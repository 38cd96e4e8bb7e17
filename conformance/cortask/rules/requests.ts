import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { notOffered } from '../../probe/failure.ts'
import type { SocketMessage } from '../../probe/websocket.ts'
import { closeOnFrame, onClientMessage, onMessage, repeatMessages } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { JsonMessage, SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { sources } from '../document.ts'
import { type Client, connect, createClient, getWorkspaceId, ownMessages, parseEvent, SETTLE_MS } from '../driver.ts'
import { dropClientMessages, errorFor, isPermissionRequest } from '../sabotage.ts'

/** A run that waits for a permission. */
async function askPermission(context: TestContext) {
  const client = await connect(context)
  const key = client.chat(context.profile.phrase('permission'))
  const { requestId } = parseEvent(await client.nextEvent('permission_request'), 'permission_request')
  return { client, key, requestId }
}

const answer = (client: Client, requestId: string, approved: unknown) =>
  client.socket.sendRaw(JSON.stringify({ type: 'permission_response', requestId, approved }))

/** Whether the tools of a finished run failed. */
const failedTools = (client: Client, key: string) =>
  client
    .eventsOf(key)
    .filter((one) => one.type === 'tool_result')
    .map((one) => parseEvent(one, 'tool_result').isError === true)

/** A run that waits for answers. */
async function askQuestions(context: TestContext) {
  const client = await connect(context)
  const key = client.chat(context.profile.phrase('question'))
  const { requestId, data } = parseEvent(await client.nextEvent('questionnaire_request'), 'questionnaire_request')
  const responses = Object.fromEntries(
    data.questions.map(({ id, type, options }): [string, string | string[]] => {
      const values = options?.map((option) => option.value) ?? ['anything']
      return [id, type === 'multiple' ? values.slice(0, 2) : values[0]!]
    }),
  )
  return { client, key, requestId, responses }
}

/** Drops messages of a type on all sockets except the first. */
const dropOnLaterSockets = (type: string): SabotageBehavior => {
  let sockets = 0
  return {
    interceptSocket: (wire) => {
      const isFirst = sockets++ === 0
      return isFirst ? {} : (dropClientMessages(type).interceptSocket?.(wire) ?? {})
    },
  }
}

/** Answers messages of a type with an error, but on the first socket. */
const refusesLater = (type: string): SabotageBehavior => {
  let sockets = 0
  return {
    interceptSocket: (wire) => {
      const isFirst = sockets++ === 0
      const refuse = onClientMessage((message, { sendToClient }) => {
        if (isFirst || message.type !== type) return
        sendToClient(errorFor(''))
        return false
      })
      return refuse.interceptSocket?.(wire) ?? {}
    },
  }
}

/** Requests for permission. */
export const permissionRules = defineRules('permission', ['permission:request'], {
  request: {
    level: 'MUST',
    text: 'A permission is requested before the tool has a result, and the run waits for the answer.',
    source: sources.outgoing,
    basis: { states: 'permission_request asks for approval before a sensitive action continues.' },
    covers: ['C-V7', 'C-R2'],
    check: async (context) => {
      const { client, key } = await askPermission(context)
      await pause(SETTLE_MS)
      assert.ok(
        !client.eventsOf(key).some((one) => one.type === 'tool_result' || one.type === 'done'),
        'the run does not wait',
      )
    },
    sabotage: {
      'never asks': repeatMessages('permission_request', 0),
    },
  },

  'after-start': {
    level: 'SHOULD',
    text: 'A permission is requested after the tool_call_start of its call.',
    source: sources.gateway,
    basis: { because: 'Only the order links a request to its call, and the document does not define the order.' },
    covers: ['C-R2'],
    check: async (context) => {
      const { client } = await askPermission(context)
      const types = client.socket.messages.map((one) => one.type)
      const started = types.indexOf('tool_call_start')
      assert.ok(started >= 0 && started < types.indexOf('permission_request'), 'no tool call has begun')
    },
    sabotage: {
      'asks before it starts': startsLate(),
    },
  },

  approve: {
    level: 'MUST',
    text: 'After an approval, the tool runs and the run continues to its done.',
    source: sources.incoming,
    basis: { states: 'permission_response with approved true lets the action continue.' },
    covers: ['C-M3'],
    check: async (context) => {
      const { client, key, requestId } = await askPermission(context)
      client.socket.send({ type: 'permission_response', requestId, approved: true })
      assert.equal((await client.end(key)).type, 'done', 'the end of the run')
      const failed = failedTools(client, key)
      assert.ok(failed.length > 0 && !failed.includes(true), `an approved tool failed or did not run: ${failed.join()}`)
    },
    sabotage: {
      'calls successes failures': onMessage('tool_result', (message) => {
        message.isError = true
      }),
    },
  },

  deny: {
    level: 'MUST',
    text: 'After a denial the tool does not succeed, and the run comes to an end.',
    source: sources.incoming,
    basis: { states: 'The action needs approval to proceed; done and error end a run.' },
    covers: ['C-R3', 'C-M3'],
    check: async (context) => {
      const { client, key, requestId } = await askPermission(context)
      client.socket.send({ type: 'permission_response', requestId, approved: false })
      await client.end(key)
      assert.ok(!failedTools(client, key).includes(false), 'a denied tool succeeded')
    },
    sabotage: {
      'calls failures successes': {
        alsoBreaks: ['permission:denied-result'],
        ...onMessage('tool_result', (message) => {
          message.isError = false
        }),
      },
    },
  },

  'denied-result': {
    level: 'SHOULD',
    text: 'A denial produces a tool_result with isError, and the run continues to its done.',
    source: sources.gateway,
    basis: { because: 'The document does not specify how a denial is shown; the gateway shows a failed tool.' },
    covers: ['C-R3'],
    check: async (context) => {
      const { client, key, requestId } = await askPermission(context)
      client.socket.send({ type: 'permission_response', requestId, approved: false })
      assert.equal((await client.end(key)).type, 'done', 'the end of the run')
      assert.deepEqual(failedTools(client, key), [true], 'whether each tool failed')
    },
    sabotage: {
      'hides what was denied': hidesFailures(),
    },
  },

  'not-boolean': {
    level: 'SHOULD',
    text: 'Any value other than true denies.',
    source: sources.judgement,
    basis: { because: 'approved is a boolean; an unclear answer should not run anything.' },
    covers: ['C-R3', 'C-M3', 'C-A14'],
    pool: 'dangerous',
    check: async (context) => {
      for (const approved of ['true', 1, null, undefined]) {
        const { client, key, requestId } = await askPermission(context)
        answer(client, requestId, approved)
        assert.equal((await client.end(key)).type, 'done', 'the end of the run')
        assert.deepEqual(failedTools(client, key), [true], `${JSON.stringify(approved)} approves`)
      }
    },
    sabotage: {
      'takes anything for a yes': onClientMessage((message) => {
        if (message.type === 'permission_response') message.approved = Boolean(message.approved)
      }),
    },
  },

  unknown: {
    level: 'SHOULD',
    text: 'An answer to an unknown request, or a second answer, has no effect.',
    source: sources.gateway,
    basis: {
      because: 'The document does not specify the effect of an answer without a request; the gateway ignores it.',
    },
    covers: ['C-X7'],
    check: async (context) => {
      const { client, key, requestId } = await askPermission(context)
      client.socket.send({ type: 'permission_response', requestId: context.random.word(16), approved: true })
      client.socket.send({ type: 'questionnaire_response', requestId: context.random.word(16), responses: {} })
      await pause(SETTLE_MS)
      assert.ok(!client.eventsOf(key).some((one) => one.type === 'tool_result'), 'an unknown answer lets the tool run')
      client.socket.send({ type: 'permission_response', requestId, approved: false })
      client.socket.send({ type: 'permission_response', requestId, approved: true })
      await client.end(key)
      await pause(SETTLE_MS)
      assert.deepEqual(failedTools(client, key), [true], 'the second answer counts')
      assert.ok(!client.socket.messages.some((one) => one.type === 'error'), 'an error was sent')
    },
    sabotage: {
      'takes any id for that of the newest request': anyId(),
    },
  },

  'other-socket': {
    level: 'SHOULD',
    text: 'Any socket may answer a request.',
    source: sources.gateway,
    basis: { because: 'The document identifies requests by id only; the gateway accepts answers from any socket.' },
    covers: ['C-R6'],
    check: async (context) => {
      const { client, key, requestId } = await askPermission(context)
      const other = await connect(context)
      other.socket.send({ type: 'permission_response', requestId, approved: true })
      assert.equal((await client.end(key)).type, 'done', 'the end of the run')
    },
    sabotage: {
      'lets nobody else answer': dropOnLaterSockets('permission_response'),
    },
  },

  timeout: {
    level: 'MUST',
    text: 'After 60 seconds without an answer a permission is denied.',
    source: sources.outgoing,
    basis: { states: 'A request is denied automatically after 60 seconds.' },
    covers: ['C-R4', 'C-V7'],
    tier: 'full',
    pool: 'auxiliary',
    timeoutMs: 90_000,
    check: async (context) => {
      const scale = context.profile.has('time-scale') ? context.profile.known('time-scale', z.number().positive()) : 1
      const http = scale === 1 ? context.http : await context.auxiliary('fast')
      const socket = await context.socketAt(http.base.href, '/ws')
      const client = createClient(context, socket, await getWorkspaceId(context, http))
      const key = client.chat(context.profile.phrase('permission'))
      await client.nextEvent('permission_request')
      const askedAt = performance.now()
      const goesOn = (one: SocketMessage) =>
        one.sessionKey === key && ['tool_result', 'done', 'error'].includes(one.type)
      const after = socket.messages.length
      await socket.until('the denial', goesOn, { after, timeoutMs: 70_000 / scale + 5000 })
      const waitedMs = (performance.now() - askedAt) * scale
      assert.ok(waitedMs > 55_000, `it is denied after ${Math.round(waitedMs / 1000)} s already`)
      await client.end(key)
      assert.ok(!failedTools(client, key).includes(false), 'a tool without approval succeeded')
    },
    sabotage: {
      'waits for permission for ever': patient(),
    },
  },
})

/** Questionnaires. */
export const questionnaireRules = defineRules('questionnaire', ['questionnaire:answer'], {
  answer: {
    level: 'MUST',
    text: 'After the answer to a questionnaire, the run continues to its done.',
    source: sources.incoming,
    basis: { states: 'questionnaire_response submits answers by the ids of the questions.' },
    covers: ['C-M4', 'C-V8'],
    check: async (context) => {
      const { client, key, requestId, responses } = await askQuestions(context)
      await pause(SETTLE_MS)
      assert.ok(!client.eventsOf(key).some((one) => one.type === 'done'), 'the run does not wait')
      client.socket.send({ type: 'questionnaire_response', requestId, responses })
      assert.equal((await client.end(key)).type, 'done', 'the end of the run')
    },
    sabotage: {
      'never questions': repeatMessages('questionnaire_request', 0),
    },
  },

  extra: {
    level: 'SHOULD',
    text: 'Answers to questions that were not asked are ignored, and an empty answer skips the questionnaire.',
    source: sources.gateway,
    basis: { because: 'The document does not cover answers that were not asked for.' },
    covers: ['C-R5', 'C-M4'],
    check: async (context) => {
      const asked = await askQuestions(context)
      const extra = { ...asked.responses, [context.random.word()]: 'unasked' }
      asked.client.socket.send({ type: 'questionnaire_response', requestId: asked.requestId, responses: extra })
      assert.equal((await asked.client.end(asked.key)).type, 'done', 'the end of the run')
      const skipped = await askQuestions(context)
      skipped.client.socket.send({ type: 'questionnaire_response', requestId: skipped.requestId, responses: {} })
      assert.equal((await skipped.client.end(skipped.key)).type, 'done', 'the end of the run')
    },
    sabotage: {
      'needs an answer to every question': dropClientMessages(
        'questionnaire_response',
        ({ responses }) => Object.keys(responses ?? {}).length === 0,
      ),
    },
  },

  malformed: {
    level: 'SHOULD',
    text: 'An answer without responses does not break the run.',
    source: sources.gateway,
    basis: { because: 'The document requires responses, but does not specify the effect of an answer without them.' },
    covers: ['C-X13'],
    pool: 'dangerous',
    check: async (context) => {
      const { client, key, requestId, responses } = await askQuestions(context)
      client.socket.sendRaw(JSON.stringify({ type: 'questionnaire_response', requestId }))
      await pause(SETTLE_MS)
      client.socket.send({ type: 'questionnaire_response', requestId, responses })
      assert.equal((await client.end(key)).type, 'done', 'the end of the run')
    },
    sabotage: {
      'breaks at an answer without responses': closeOnFrame(
        1011,
        (_, message) => message?.type === 'questionnaire_response' && message.responses === undefined,
      ),
    },
  },

  reconnect: {
    level: 'SHOULD',
    text: 'When a questionnaire is answered after a reconnect, its run continues to its done on the new socket.',
    source: sources.behavior,
    basis: { because: 'The document keeps the questionnaire and aborts the runs of the client that went.' },
    covers: ['C-D4', 'C-A4'],
    pool: 'dangerous',
    check: async (context) => {
      const { client, key, requestId, responses } = await askQuestions(context)
      client.socket.terminate()
      const again = await connect(context)
      await pause(SETTLE_MS)
      again.socket.send({ type: 'questionnaire_response', requestId, responses })
      assert.equal((await again.end(key)).type, 'done', 'the end of the run')
    },
    sabotage: {
      'lets nobody come back to a questionnaire': dropOnLaterSockets('questionnaire_response'),
    },
  },

  kept: {
    level: 'MUST',
    text: 'A questionnaire outlives its socket: after a reconnect it can be submitted.',
    source: sources.behavior,
    basis: {
      states: 'Pending questionnaires are not denied on disconnect, so that the user can reconnect and submit.',
    },
    covers: ['C-D1', 'C-D4', 'C-A4'],
    pool: 'dangerous',
    check: async (context) => {
      const { client, requestId, responses } = await askQuestions(context)
      client.socket.terminate()
      const again = await connect(context)
      await pause(SETTLE_MS)
      const after = again.socket.messages.length
      again.socket.send({ type: 'questionnaire_response', requestId, responses })
      await pause(SETTLE_MS)
      const answers = ownMessages(again.socket).filter((one) => again.socket.messages.indexOf(one) >= after)
      const refusal = answers.find((one) => one.type === 'error')
      assert.equal(refusal, undefined, `the answer is refused: ${JSON.stringify(refusal)}`)
      await again.run(context.profile.phrase('hello'))
      // The document also aborts the run of a client that disconnects, so no answer proves neither case.
      if (answers.length === 0) notOffered('nothing shows whether a questionnaire outlived its socket')
    },
    sabotage: {
      'refuses answers of those who come back': refusesLater('questionnaire_response'),
    },
  },
})

function anyId(): SabotageBehavior {
  return {
    interceptSocket: (wire) => {
      let newest: unknown
      const { fromClient } = onClientMessage((message) => {
        if (message.type === 'permission_response') message.requestId = newest
      }).interceptSocket!(wire)
      return {
        ...(fromClient && { fromClient }),
        fromServer: (message) => {
          if (isPermissionRequest(message)) newest = message.requestId
          return [message]
        },
      }
    },
  }
}

/** Sends no events of a run between a request and its answer. */
function patient(): SabotageBehavior {
  return {
    interceptSocket: () => {
      let waits = false
      return {
        fromClient: (one) => {
          if (one.data.includes('permission_response')) waits = false
          return [one]
        },
        fromServer: (message) => {
          if (waits) return []
          waits = isPermissionRequest(message)
          return [message]
        },
      }
    },
  }
}

/** Starts a tool right after its permission request. */
function startsLate(): SabotageBehavior {
  return {
    changeMessages: () => {
      let held: JsonMessage[] = []
      return (message) => {
        if (message.type === 'tool_call_start') {
          held.push(message)
          return []
        }
        if (message.type !== 'permission_request' && message.type !== 'tool_result') return [message]
        const started = held
        held = []
        return message.type === 'tool_result' ? [...started, message] : [message, ...started]
      }
    },
  }
}

/** Sends no results of failed tools. */
function hidesFailures(): SabotageBehavior {
  return {
    changeMessages: () => (message) => (message.type === 'tool_result' && message.isError === true ? [] : [message]),
  }
}
