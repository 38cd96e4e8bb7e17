import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { assertAgree } from '../../compare/differences.ts'
import { assertStatus, assertSuccess, parseAs } from '../../probe/failure.ts'
import type { SseEvent } from '../../probe/sse.ts'
import { changeStatus, eventNameOf, onEvent } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { ProxiedRequest, SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { Questions } from '../contract.ts'
import { sources } from '../document.ts'
import {
  type Client,
  connect,
  eventIdOf,
  eventsNamed,
  outcomeOf,
  parseEvent,
  permissionResponse,
  SETTLE_MS,
  subscribe,
} from '../driver.ts'
import {
  alsoSend,
  answerInputWith,
  answerWith,
  changeInput,
  dropAfter,
  isInput,
  loseEvents,
  repeatEvent,
  swapWithNextEvent,
} from '../sabotage.ts'

const isUseOf = (id: string) => (seen: SseEvent) =>
  seen.event === 'tool_use' && parseEvent(seen, 'tool_use').tool_use_id === id

/** Some servers announce a tool only when it may run. */
async function answered(client: Client, asked: SseEvent, id: string): Promise<SseEvent> {
  await client.postInput(permissionResponse(asked))
  return client.stream.until('a tool_use with the id of the request', isUseOf(id))
}

/** The first option of every question, as the official client sends it. */
function answerOf(asked: SseEvent) {
  const { correlation_id, questions } = parseEvent(asked, 'ask_user_question')
  const read = Questions.safeParse(Array.isArray(questions) ? { questions } : questions)
  const answers = (read.data?.questions ?? []).map(({ question, options }) => ({
    question,
    selectedOptions: options.slice(0, 1).map((option) => option.label),
  }))
  return { type: 'question_response', correlation_id, answers }
}

async function askQuestion(context: TestContext) {
  const client = await connect(context)
  return { talk: client, asked: await client.sendUntil(context.profile.phrase('question'), 'ask_user_question') }
}

const isHookReply = (request: ProxiedRequest) =>
  isInput(request) && /"correlation_id":"[^"]*hook/.test(request.body.toString())

const asksTwice = (frame: string): readonly string[] => {
  if (eventNameOf(frame) !== 'ask_user_question') return [frame]
  const { correlation_id } = JSON.parse(/^data: ?(.*)$/m.exec(frame)![1]!)
  const data = { correlation_id, tool_name: 'AskUserQuestion', input: {}, context: {} }
  return [`id: 0\nevent: permission_request\ndata: ${JSON.stringify(data)}`, frame]
}

/** Requests for permission. */
export const permissionRules = defineRules('permission', ['permission:request'], {
  request: {
    level: 'MUST',
    text: 'A permission_request carries the tool_use_id of the tool it asks for as correlation_id, and its name.',
    source: sources.messages,
    basis: { states: 'permission_request has correlation_id, which is the tool_use_id, tool_name, input and context.' },
    covers: ['W-V6'],
    needs: ['turn:tool'],
    check: async (context) => {
      const client = await connect(context)
      const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
      const { correlation_id, tool_name } = parseEvent(asked, 'permission_request')
      const use = await client.stream
        .until('a tool_use with the id of the request', isUseOf(correlation_id), context.responseTimeoutMs / 4)
        .catch(() => answered(client, asked, correlation_id))
      assertAgree({ 'the permission_request': tool_name, 'the tool_use': parseEvent(use, 'tool_use').tool_name })
    },
    sabotage: {
      'asks under another id': onEvent('permission_request', (data) => {
        data.correlation_id = `c-${data.correlation_id}`
      }),
      'asks for another tool': onEvent('permission_request', (data) => {
        data.tool_name = 'other'
      }),
      'never asks for permission': repeatEvent('permission_request', 0),
    },
  },

  'after-use': {
    level: 'SHOULD',
    text: 'A permission_request comes once, after the tool_use it asks for.',
    source: sources.reference,
    basis: { because: 'The document ties the two by id and does not order them.' },
    covers: ['W-V6', 'W-T1'],
    check: async (context) => {
      const client = await connect(context)
      const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
      const { correlation_id } = parseEvent(asked, 'permission_request')
      const details = client.stream.events.slice(0, client.stream.events.indexOf(asked))
      assert.ok(details.some(isUseOf(correlation_id)), 'no tool_use with that id comes before the request')
      await pause(SETTLE_MS)
      assert.equal(
        eventsNamed(client.stream.events, 'permission_request').length,
        1,
        'the permission is requested twice',
      )
    },
    sabotage: {
      'asks before it announces the tool': swapWithNextEvent('tool_use'),
    },
  },

  updated: {
    level: 'MUST',
    text: 'An allow may bring updated_input and updated_permissions.',
    source: sources.messages,
    basis: { states: 'With allow a permission_response may have updated_input and updated_permissions.' },
    covers: ['W-M3'],
    needs: ['turn:result'],
    check: async (context) => {
      const client = await connect(context)
      const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
      const { input } = parseEvent(asked, 'permission_request')
      const answer = await client.postInput(
        permissionResponse(asked, { behavior: 'allow', updated_input: input, updated_permissions: [] }),
      )
      assertSuccess(answer)
      await client.nextEvent('result', asked)
    },
    sabotage: {
      'takes no input of somebody else': answerInputWith(400, '"updated_input"'),
    },
  },

  waits: {
    level: 'MUST',
    text: 'The turn waits until a permission is answered.',
    source: sources.events,
    basis: { states: 'permission_request awaits a permission_response.' },
    covers: ['W-V6'],
    check: async (context) => {
      const client = await connect(context)
      const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
      await pause(500)
      const after = client.eventsSince(asked).map((seen) => seen.event)
      assert.ok(!after.includes('result') && !after.includes('tool_result'), `the turn continues: ${after.join(', ')}`)
    },
    sabotage: {
      'does not wait for permission': alsoSend('permission_request', 'tool_result'),
    },
  },

  allow: {
    level: 'MUST',
    text: 'After allow the tool runs and the turn ends with its result.',
    source: sources.messages,
    basis: { states: 'behavior allow lets the tool run, with updated_input if given.' },
    covers: ['W-M3', 'W-V6'],
    needs: ['turn:result'],
    check: async (context) => {
      const client = await connect(context)
      const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
      const answer = await client.postInput(permissionResponse(asked))
      assertSuccess(answer)
      const result = await client.nextEvent('tool_result', asked)
      const { tool_use_id, is_error } = parseEvent(result, 'tool_result')
      assertAgree({
        'the tool_result': tool_use_id,
        'the permission_request': parseEvent(asked, 'permission_request').correlation_id,
      })
      assert.equal(is_error, false, 'is_error')
      await client.nextEvent('result', asked)
    },
    sabotage: {
      'calls a taken reply a conflict': allConflicts(),
      'denies what was allowed': flipDecision('allow', 'deny'),
      'calls successes errors': onEvent('tool_result', (data) => {
        data.is_error = true
      }),
    },
  },

  deny: {
    level: 'MUST',
    text: 'After deny the tool does not succeed, and the turn ends with a result.',
    source: sources.messages,
    basis: { states: 'behavior deny refuses the tool; result is the end of a turn.' },
    covers: ['W-M3', 'W-T4'],
    needs: ['turn:result'],
    check: async (context) => {
      const client = await connect(context)
      const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
      assertSuccess(await client.postInput(permissionResponse(asked, { behavior: 'deny', message: 'no' })))
      const result = await client.nextEvent('result', asked)
      const between = client.eventsSince(asked).filter((seen) => eventIdOf(seen) < eventIdOf(result))
      for (const seen of eventsNamed(between, 'tool_result')) {
        const { tool_use_id, is_error } = parseEvent(seen, 'tool_result')
        if (tool_use_id === parseEvent(asked, 'permission_request').correlation_id)
          assert.equal(is_error, true, 'is_error')
      }
    },
    sabotage: {
      'runs what was denied': flipDecision('deny', 'allow'),
      'calls errors successes': onEvent('tool_result', (data) => {
        data.is_error = false
      }),
    },
  },

  'deny-goes-on': {
    level: 'SHOULD',
    text: 'After deny without interrupt, the agent responds to it.',
    source: sources.reference,
    basis: {
      because: 'Only deny with interrupt aborts the turn; the document does not specify the effect of the other form.',
    },
    covers: ['W-T4'],
    needs: ['turn:result'],
    check: async (context) => {
      const client = await connect(context)
      const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
      await client.postInput(permissionResponse(asked, { behavior: 'deny', message: 'no' }))
      await client.nextEvent('result', asked)
      assert.ok(
        eventsNamed(client.eventsSince(asked), 'message_complete').length > 0,
        'the agent does not respond to the refusal',
      )
    },
    sabotage: {
      'says nothing to a refusal': dropAfter(/"is_error":true/, 'message_complete'),
    },
  },

  'deny-interrupt': {
    level: 'MUST',
    text: 'Deny with interrupt ends the turn without another assistant message.',
    source: sources.messages,
    basis: { states: 'interrupt with deny aborts the turn in flight.' },
    covers: ['W-T4', 'W-M3'],
    needs: ['turn:result'],
    check: async (context) => {
      const client = await connect(context)
      const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
      assertStatus(await client.postInput(permissionResponse(asked, { behavior: 'deny', interrupt: true })), 204)
      await client.nextEvent('result', asked)
      await pause(SETTLE_MS)
      assert.deepEqual(eventsNamed(client.eventsSince(asked), 'message_complete'), [], 'the message_complete events')
      assert.equal(eventsNamed(client.eventsSince(asked), 'result').length, 1, 'the number of result events')
    },
    sabotage: {
      'goes on after deny with interrupt': forget('interrupt'),
    },
  },

  'allow-interrupt': {
    level: 'MAY',
    text: 'Interrupt sent with allow, which a client must not do, does not abort the turn.',
    source: sources.messages,
    basis: { because: 'The document forbids it to clients, but does not specify the reaction of a server.' },
    covers: ['W-T5', 'W-D9'],
    needs: ['turn:result'],
    check: async (context) => {
      const client = await connect(context)
      const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
      const answer = await client.postInput(permissionResponse(asked, { behavior: 'allow', interrupt: true }))
      if (answer.status === 400) return
      assertSuccess(answer)
      assert.equal(parseEvent(await client.nextEvent('tool_result', asked), 'tool_result').is_error, false, 'is_error')
    },
    sabotage: {
      'denies what comes with an interrupt': changeInput((message) => {
        if (message.behavior === 'allow' && message.interrupt)
          Object.assign(message, { behavior: 'deny', interrupt: false })
      }),
    },
  },

  second: {
    level: 'MUST',
    text: 'A second reply to the same permission answers 409.',
    source: sources.races,
    basis: { states: 'The first reply wins; later ones for the same correlation_id get 409.' },
    covers: ['W-X4'],
    needs: ['turn:result'],
    check: async (context) => {
      const client = await connect(context)
      const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
      assertSuccess(await client.postInput(permissionResponse(asked)))
      assertStatus(await client.postInput(permissionResponse(asked)), 409)
      assertStatus(await client.postInput(permissionResponse(asked, { behavior: 'deny', message: 'no' })), 409)
      const result = await client.nextEvent('result', asked)
      assertStatus(await client.postInput(permissionResponse(asked)), 409, 'after the turn')
      await pause(SETTLE_MS)
      assert.equal(
        eventsNamed(client.eventsSince(asked), 'tool_result').length,
        1,
        `the tool ran twice before #${result.id}`,
      )
    },
    sabotage: {
      'takes every second reply': { alsoBreaks: ['permission:race', 'question:second'], ...changeStatus(409, 204) },
    },
  },

  'never-asked': {
    level: 'SHOULD',
    text: 'A reply to a correlation_id that was never issued answers 409.',
    source: sources.reference,
    basis: { because: 'The document covers replies after another reply; the reference server answers 409 here too.' },
    covers: ['W-X4'],
    check: async (context) => {
      const client = await connect(context)
      const message = { type: 'permission_response', correlation_id: context.random.word(), behavior: 'allow' }
      assertStatus(await client.postInput(message), 409)
    },
    sabotage: {
      'answers 404 for what was never asked': answersUnasked(404),
    },
  },

  race: {
    level: 'MUST',
    text: 'Of many simultaneous replies exactly one answers 204 and all others 409.',
    source: sources.races,
    basis: { states: 'The first reply wins; later ones for the same correlation_id get 409.' },
    covers: ['W-T9', 'W-X4'],
    needs: ['turn:result'],
    check: async (context) => {
      const client = await connect(context)
      const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, index) =>
          client.postInput(permissionResponse(asked, { behavior: index % 2 === 0 ? 'allow' : 'deny' })),
        ),
      )
      const statuses = answers.map(outcomeOf).sort()
      assert.deepEqual(statuses, [204, ...Array.from({ length: 23 }, () => 409)], 'the statuses')
      await client.nextEvent('result', asked)
    },
  },

  'wrong-kind': {
    level: 'SHOULD',
    text: 'A question_response to a permission answers 409 and leaves it pending.',
    source: sources.races,
    basis: {
      because:
        'The document assigns a reply type to each kind of request, but does not specify the effect of the other type.',
    },
    covers: ['W-D8'],
    check: async (context) => {
      const client = await connect(context)
      const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
      const { correlation_id } = parseEvent(asked, 'permission_request')
      const wrong = await client.postInput({ type: 'question_response', correlation_id, answers: [] })
      assertStatus(wrong, 409)
      assertSuccess(await client.postInput(permissionResponse(asked)), 'the permission is no longer pending')
    },
    sabotage: {
      'takes an answer for a permission': takesAnswers(),
    },
  },

  behavior: {
    level: 'SHOULD',
    text: 'A behavior other than allow and deny answers 400.',
    source: sources.messages,
    basis: { because: 'behavior is allow or deny; the document names no status for others.' },
    covers: ['W-D9'],
    pool: 'dangerous',
    check: async (context) => {
      const client = await connect(context)
      const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
      const raw = JSON.stringify(permissionResponse(asked, { behavior: context.random.word() }))
      const answer = await context.http.send({ method: 'POST', path: `${client.path}/input`, raw, deliberate: true })
      assertStatus(answer, 400)
    },
    sabotage: {
      'takes any behavior for a no': changeStatus(400, 204, ({ body }) => body.includes('"behavior"')),
    },
  },

  'late-subscriber': {
    level: 'MUST',
    text: 'A subscriber that joins while a permission is pending receives it and may answer.',
    source: sources.stream,
    basis: { states: 'Any number of clients may subscribe, and events are replayed; any subscriber may reply.' },
    covers: ['W-R6'],
    needs: ['turn:result'],
    check: async (context) => {
      const client = await connect(context)
      const asked = await client.sendUntil(context.profile.phrase('permission'), 'permission_request')
      client.stream.close()
      const late = await subscribe(context, client.id, 0)
      const seen = await late.nextEvent('permission_request')
      assertAgree({ 'the later subscriber': seen.data, 'the first subscriber': asked.data })
      assertSuccess(await late.postInput(permissionResponse(seen)))
      await late.nextEvent('result', seen)
    },
    sabotage: {
      'hides what it asked from those who come later': loseEvents(
        (frame, _, stream) => stream > 0 && eventNameOf(frame) === 'permission_request',
      ),
    },
  },
})

/** Questions to the user. */
export const questionRules = defineRules('question', ['question:request'], {
  request: {
    level: 'MUST',
    text: 'A question carries the tool_use_id of a tool_use of AskUserQuestion as correlation_id.',
    source: sources.messages,
    basis: { states: 'ask_user_question has questions and the tool_use_id of AskUserQuestion as correlation_id.' },
    covers: ['W-V7'],
    needs: ['turn:tool'],
    check: async (context) => {
      const { talk: client, asked } = await askQuestion(context)
      const { correlation_id } = parseEvent(asked, 'ask_user_question')
      const isUse = (seen: SseEvent) =>
        seen.event === 'tool_use' && parseEvent(seen, 'tool_use').tool_use_id === correlation_id
      const use = await client.stream
        .until('a tool_use with the id of the question', isUse, context.responseTimeoutMs / 4)
        .catch(async () => {
          // Some servers announce a tool only with its result.
          await client.postInput(answerOf(asked))
          return client.stream.until('a tool_use with the id of the question', isUse)
        })
      assert.equal(parseEvent(use, 'tool_use').tool_name, 'AskUserQuestion', 'tool_name')
    },
    sabotage: {
      'questions under another id': onEvent('ask_user_question', (data) => {
        data.correlation_id = `q-${data.correlation_id}`
      }),
      'asks questions as another tool': onEvent('tool_use', (data) => {
        if (data.tool_name === 'AskUserQuestion') data.tool_name = 'Ask'
      }),
    },
  },

  alone: {
    level: 'SHOULD',
    text: 'A question comes after its tool_use, and no permission is asked for it.',
    source: sources.reference,
    basis: { because: 'The document does not order them; asking for leave to ask would ask twice.' },
    covers: ['W-V7'],
    check: async (context) => {
      const { talk: client, asked } = await askQuestion(context)
      const { correlation_id } = parseEvent(asked, 'ask_user_question')
      const before = client.stream.events.slice(0, client.stream.events.indexOf(asked))
      assert.ok(
        eventsNamed(before, 'tool_use').some((seen) => parseEvent(seen, 'tool_use').tool_use_id === correlation_id),
        'no tool_use with that id comes before the question',
      )
      assert.deepEqual(eventsNamed(client.stream.events, 'permission_request'), [], 'the permission_request events')
    },
    sabotage: {
      'asks for leave to ask': { changeFrames: () => (frame) => asksTwice(frame) },
    },
  },

  form: {
    level: 'SHOULD',
    text: 'questions is the input of AskUserQuestion: questions with options that have labels.',
    source: sources.client,
    basis: { because: 'The document names the field and not its form; the official client reads this one.' },
    covers: ['W-V7'],
    tier: 'sdk',
    check: async (context) => {
      const { asked } = await askQuestion(context)
      parseAs(Questions, parseEvent(asked, 'ask_user_question').questions, 'questions')
    },
    sabotage: {
      'asks a bare list of questions': onEvent('ask_user_question', (data) => {
        data.questions = data.questions.questions
      }),
    },
  },

  answer: {
    level: 'MUST',
    text: 'A question_response answers 204, and the turn continues to its result.',
    source: sources.messages,
    basis: { states: 'question_response has correlation_id and answers.' },
    covers: ['W-M4', 'W-V7'],
    needs: ['turn:result'],
    check: async (context) => {
      const { talk: client, asked } = await askQuestion(context)
      const answer = await client.postInput(answerOf(asked))
      assertSuccess(answer)
      await client.nextEvent('result', asked)
    },
    sabotage: {
      'takes no answer to a question': answerInputWith(409, '"question_response"'),
    },
  },

  second: {
    level: 'MUST',
    text: 'A second answer to the same question answers 409.',
    source: sources.races,
    basis: { states: 'The first reply wins; later ones for the same correlation_id get 409.' },
    covers: ['W-X4', 'W-M4'],
    check: async (context) => {
      const { talk: client, asked } = await askQuestion(context)
      const answers = await Promise.all([1, 2, 3, 4].map(() => client.postInput(answerOf(asked))))
      assert.deepEqual(answers.map(outcomeOf).sort(), [204, 409, 409, 409], 'the statuses, sorted')
    },
  },
})

/** Requests of hooks. */
export const hookRules = defineRules('hook', {
  answer: {
    level: 'MAY',
    text: 'A hook_decision_request is answered by a permission_response for its correlation_id.',
    source: sources.races,
    basis: { because: 'hook_decision_request is optional in version 1, and the document names no reply to it.' },
    covers: ['W-V8', 'W-D7'],
    tier: 'full',
    needs: ['turn:result'],
    check: async (context) => {
      const client = await connect(context)
      const asked = await client.sendUntil(context.profile.phrase('hook'), 'hook_decision_request')
      const { correlation_id } = parseEvent(asked, 'hook_decision_request')
      const message = { type: 'permission_response', correlation_id, behavior: 'allow' }
      assertSuccess(await client.postInput(message))
      assertStatus(await client.postInput(message), 409)
      await client.nextEvent('result', asked)
    },
    sabotage: {
      'takes no answer to a hook': answerWith(409, isHookReply),
    },
  },
})

/** Answers replies to ids that no stream has carried so. */
function answersUnasked(to: number): SabotageBehavior {
  const asked = new Set<string>()
  return {
    changeFrames: () => (frame) => {
      const id = /"correlation_id":"([^"]+)"/.exec(frame)?.[1]
      if (id !== undefined) asked.add(id)
      return [frame]
    },
    changeResponse: (response, request) => {
      const id = /"correlation_id":"([^"]+)"/.exec(request.body.toString())?.[1]
      if (response.status === 409 && id !== undefined && !asked.has(id)) response.status = to
    },
  }
}

function takesAnswers(): SabotageBehavior {
  return {
    changeRequest: (request) => {
      const text = request.body.toString()
      if (isInput(request) && text.includes('"question_response"') && text.includes('"answers":[]'))
        request.body = Buffer.from(
          text.replace('question_response', 'permission_response').replace('"answers":[]', '"behavior":"allow"'),
        )
    },
  }
}

function allConflicts(): SabotageBehavior {
  return {
    changeResponse: (response, request) => {
      if (isInput(request) && request.body.includes('permission_response') && response.status === 204) {
        response.status = 409
        response.headers['content-type'] = 'application/json'
        response.body = Buffer.from('{"detail":"late"}')
      }
    },
  }
}

function flipDecision(from: string, to: string): SabotageBehavior {
  return changeInput((message) => {
    if (message.type === 'permission_response' && message.behavior === from) message.behavior = to
  })
}

function forget(key: string): SabotageBehavior {
  return changeInput((message) => delete message[key])
}
