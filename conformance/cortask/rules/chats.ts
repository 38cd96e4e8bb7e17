import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertAgree } from '../../compare/differences.ts'
import { onClientMessage, onMessage, repeatMessages } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import { sources } from '../document.ts'
import { assertAlive, connect, parseEvent } from '../driver.ts'
import { fixField, refuseChats } from '../sabotage.ts'

const KEYLESS = ['permission_request', 'questionnaire_request', 'channel:status', 'session:refresh']

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

const ATTACHMENT = { mimeType: 'image/png', base64: PIXEL, name: 'pixel.png' }

/** The message chat and what answers it. */
export const chatRules = defineRules('chat', ['chat:answer'], {
  answer: {
    level: 'MUST',
    text: 'A chat is answered with text_delta events and ends with one done.',
    source: sources.incoming,
    basis: {
      states: 'chat starts or continues a conversation; text_delta streams the response and done completes the run.',
    },
    covers: ['C-M1', 'C-V2', 'C-V9'],
    check: async (context) => {
      const client = await connect(context)
      const events = await client.run(context.profile.phrase('hello'))
      const texts = events.filter((one) => one.type === 'text_delta').map((one) => parseEvent(one, 'text_delta').text)
      assert.ok(texts.join('').length > 0, 'no text was streamed')
      assert.equal(events.filter((one) => one.type === 'done').length, 1, 'the number of done events')
      assert.equal(events.at(-1)!.type, 'done', 'the last event')
    },
    sabotage: {
      'ends another session': { alsoBreaks: ['chat:key'], ...fixField('done', 'sessionKey', 'other') },
      'never says done': repeatMessages('done', 0),
      'says done twice': repeatMessages('done', 2),
      'says done before the end': { alsoBreaks: ['run:order'], ...early('done') },
      'says nothing': repeatMessages('text_delta', 0),
    },
  },

  key: {
    level: 'MUST',
    text: 'Every event of a run carries the sessionKey of its chat, except the two requests.',
    source: sources.outgoing,
    basis: { states: 'Every event of a run has sessionKey, except permission_request and questionnaire_request.' },
    covers: ['C-V1', 'C-V2', 'C-V3', 'C-V6', 'C-V9', 'C-A5'],
    check: async (context) => {
      const client = await connect(context)
      const [first] = await client.run(context.profile.phrase('tool'))
      const others = client.socket.messages.filter((one) => !KEYLESS.includes(one.type))
      for (const one of others)
        assertAgree({
          [`the sessionKey of ${one.type}`]: one.sessionKey,
          'the sessionKey of the first event': first!.sessionKey,
        })
    },
    sabotage: {
      'answers for another session': fixField('text_delta', 'sessionKey', 'other'),
    },
  },

  thinking: {
    level: 'MUST',
    text: 'Reasoning is streamed as thinking_delta, before the done.',
    source: sources.outgoing,
    basis: { states: 'thinking_delta streams the reasoning of the model.' },
    covers: ['C-V1'],
    tier: 'full',
    check: async (context) => {
      const client = await connect(context)
      const events = await client.run(context.profile.phrase('think'))
      const thoughts = events
        .filter((one) => one.type === 'thinking_delta')
        .map((one) => parseEvent(one, 'thinking_delta').text)
      assert.ok(thoughts.join('').length > 0, 'no thought was streamed')
    },
    sabotage: {
      'hides its thoughts': repeatMessages('thinking_delta', 0),
    },
  },

  usage: {
    level: 'MUST',
    text: 'done reports the tokens of the whole run, as counted.',
    source: sources.outgoing,
    basis: { states: 'done has usage with inputTokens and outputTokens.' },
    covers: ['C-V9'],
    check: async (context) => {
      const client = await connect(context)
      const usageOf = async (purpose: string) =>
        parseEvent((await client.run(context.profile.phrase(purpose))).at(-1)!, 'done').usage
      const [hello, tool] = [await usageOf('hello'), await usageOf('tool')]
      for (const { inputTokens, outputTokens } of [hello, tool]) {
        assert.ok(Number.isInteger(inputTokens) && Number.isInteger(outputTokens), 'a number of tokens is no integer')
        assert.ok(inputTokens > 0 && outputTokens > 0, `a run with text has ${inputTokens} and ${outputTokens} tokens`)
      }
      assert.notDeepEqual(tool, hello, 'a run with a tool has the same tokens as one without')
    },
    sabotage: {
      'counts no tokens': onMessage('done', (message) => {
        message.usage = { inputTokens: 0, outputTokens: 0 }
      }),
      'always counts the same tokens': onMessage('done', (message) => {
        message.usage = { inputTokens: 120, outputTokens: 40 }
      }),
      'counts half tokens': onMessage('done', (message) => {
        message.usage.inputTokens += 0.5
      }),
    },
  },

  attachments: {
    level: 'MUST',
    text: 'A chat may carry attachments, and a list of file references.',
    source: sources.incoming,
    basis: { states: 'attachments and fileReferences are optional fields of a chat.' },
    covers: ['C-M1', 'C-R14'],
    check: async (context) => {
      const client = await connect(context)
      const { profile } = context
      const fileReferences = profile.has('workspace-file') ? [profile.known('workspace-file', z.string())] : []
      await client.run(profile.phrase('hello'), { attachments: [ATTACHMENT], fileReferences })
    },
    sabotage: {
      'knows no files': refuseChats((chat) => 'fileReferences' in chat),
    },
  },

  references: {
    level: 'SHOULD',
    text: 'References to files that do not exist or lie outside the workspace do not end a chat.',
    source: sources.gateway,
    basis: { because: 'The document covers files of the workspace only; the gateway ignores others.' },
    covers: ['C-R14'],
    check: async (context) => {
      const client = await connect(context)
      const fileReferences = ['no/such/file.txt', '../../../etc/passwd', '/etc/passwd']
      await client.run(context.profile.phrase('hello'), { fileReferences })
    },
    sabotage: {
      'ends at a file that is not there': refuseChats(({ fileReferences }) =>
        fileReferences?.includes('no/such/file.txt'),
      ),
    },
  },

  'only-attachments': {
    level: 'SHOULD',
    text: 'With attachments the message may be empty.',
    source: sources.page,
    basis: { because: 'The document requires message; the page sends an empty one along with attachments.' },
    covers: ['C-M1'],
    check: async (context) => {
      const client = await connect(context)
      await client.run('', { attachments: [ATTACHMENT] })
    },
    sabotage: {
      'needs words': refuseChats((chat) => chat.message === ''),
    },
  },

  missing: {
    level: 'SHOULD',
    text: 'A chat with a missing or mistyped message or workspaceId is answered with an error, and the socket stays open.',
    source: sources.incoming,
    basis: { because: 'The document requires the fields, but does not specify the response to a chat without them.' },
    covers: ['C-X4', 'C-X5', 'C-M1', 'C-A9'],
    pool: 'dangerous',
    check: async (context) => {
      const client = await connect(context)
      const { workspaceId } = client
      const hello = context.profile.phrase('hello')
      const wrong = [
        { workspaceId },
        { message: hello },
        { message: 7, workspaceId },
        { message: hello, workspaceId: [] },
        { message: hello, workspaceId, attachments: 'none' },
      ]
      for (const [at, fields] of wrong.entries()) {
        const sessionKey = `missing-${at}`
        client.socket.sendRaw(JSON.stringify({ type: 'chat', sessionKey, ...fields }))
        const end = await client.end(sessionKey)
        assert.equal(end.type, 'error', `${JSON.stringify(fields)} ends with ${end.type}`)
      }
      await assertAlive(context, client)
    },
    sabotage: {
      'makes up what is missing': onClientMessage((message) => {
        if (message.type === 'chat' && typeof message.message !== 'string') message.message = 'hello'
      }),
    },
  },

  'missing-key': {
    level: 'SHOULD',
    text: 'A chat without sessionKey is answered with an error.',
    source: sources.incoming,
    basis: { because: 'The document requires sessionKey, but does not specify the response to a chat without it.' },
    covers: ['C-X6', 'C-A9'],
    pool: 'dangerous',
    check: async (context) => {
      const client = await connect(context)
      const chat = { type: 'chat', message: context.profile.phrase('hello'), workspaceId: client.workspaceId }
      client.socket.sendRaw(JSON.stringify(chat))
      const first = await client.socket.until('an answer', () => true)
      assert.equal(first.type, 'error', 'the type of the answer')
    },
    sabotage: {
      'makes up a session': onClientMessage((message) => {
        if (message.type === 'chat') message.sessionKey ??= 'none'
      }),
    },
  },

  workspace: {
    level: 'SHOULD',
    text: 'A chat in an unknown workspace is answered with an error for its sessionKey.',
    source: sources.incoming,
    basis: { because: 'The document requires workspaceId, but does not specify the response to an unknown one.' },
    covers: ['C-X4', 'C-V10'],
    check: async (context) => {
      const client = await connect(context)
      const sessionKey = client.chat(context.profile.phrase('hello'), { workspaceId: context.random.word(16) })
      assert.equal((await client.end(sessionKey)).type, 'error', 'the end of the run')
      await assertAlive(context, client)
    },
  },
})

function early(type: string): SabotageBehavior {
  return {
    changeMessages: () => {
      let details = false
      return (message) => {
        if (message.type === type) return details ? [] : [message]
        if (message.type !== 'text_delta' || details) return [message]
        details = true
        return [{ type: 'done', sessionKey: message.sessionKey, usage: { inputTokens: 0, outputTokens: 0 } }, message]
      }
    },
  }
}
