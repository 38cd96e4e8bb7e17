import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { parseAs } from '../../probe/failure.ts'
import { closeOnFrame, onClientMessage, onMessage } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { ErrorFrame } from '../contract.ts'
import { sources } from '../document.ts'
import { changeCode, clientOf, connect } from '../driver.ts'

const provoke = async (context: TestContext, frame: string | Readonly<Record<string, unknown>>) =>
  (await (await connect(context)).provoke(frame)).code

/** A server may clean up the environment before it counts the session as ended. */
const [FREEING_TRIES, FREEING_MS] = [10, 300]

/** Bad frames, and connections without an environment. */
export const errorRules = defineRules('error', {
  json: {
    level: 'MUST',
    text: 'A frame that is not JSON gets INVALID_JSON.',
    source: sources.types,
    basis: { states: 'Invalid JSON gets the code INVALID_JSON.' },
    covers: ['OE-C1', 'OE-F3'],
    check: async (context) =>
      assert.equal(await provoke(context, '{"type": '), 'INVALID_JSON', 'the code of the error'),
    sabotage: { 'calls broken JSON invalid': changeCode('INVALID_JSON', 'VALIDATION_ERROR') },
  },

  type: {
    level: 'MUST',
    text: 'A frame of an unknown type, or without one, gets UNKNOWN_TYPE.',
    source: sources.types,
    basis: { states: 'A type that is none of the known ones gets the code UNKNOWN_TYPE.' },
    covers: ['OE-C2'],
    check: async (context) => {
      assert.equal(await provoke(context, { type: 'nothing-of-this-name' }), 'UNKNOWN_TYPE', 'the code of the error')
      assert.equal(await provoke(context, { data: {} }), 'UNKNOWN_TYPE', 'the code of the error')
    },
    sabotage: { 'calls unknown types invalid': changeCode('UNKNOWN_TYPE', 'VALIDATION_ERROR') },
  },

  missing: {
    level: 'MUST',
    text: 'A step without data gets VALIDATION_ERROR.',
    source: sources.types,
    basis: { states: 'The data of a step is required; what does not validate gets the code VALIDATION_ERROR.' },
    covers: ['OE-C3'],
    check: async (context) =>
      assert.equal(await provoke(context, { type: 'step' }), 'VALIDATION_ERROR', 'the code of the error'),
    sabotage: {
      'calls invalid frames failures': {
        ...changeCode('VALIDATION_ERROR', 'EXECUTION_ERROR'),
        alsoBreaks: ['error:surplus'],
      },
    },
  },

  surplus: {
    level: 'MUST',
    text: 'A frame with a further field gets VALIDATION_ERROR.',
    source: sources.types,
    basis: { states: 'Messages forbid further fields.' },
    covers: ['OE-C3'],
    check: async (context) =>
      assert.equal(await provoke(context, { type: 'state', surplus: 1 }), 'VALIDATION_ERROR', 'the code of the error'),
    sabotage: {
      'ignores further fields': onClientMessage((message) => {
        delete message.surplus
      }),
    },
  },

  object: {
    level: 'SHOULD',
    text: 'A frame that is JSON but not an object gets an error, and the connection goes on.',
    source: sources.open,
    basis: { because: 'The document does not cover it; a client that sends one mistake should not lose its episode.' },
    covers: ['OE-B8'],
    check: async (context) => {
      const client = await connect(context)
      await client.provoke('7')
      await client.state()
    },
    sabotage: { 'hangs up on numbers': closeOnFrame(1011, ({ data }) => data.toString() === '7') },
  },

  continues: {
    level: 'MUST',
    text: 'After an error frame the connection answers.',
    source: sources.socket,
    basis: { states: 'After an error the server receives the next message.' },
    covers: ['OE-B8'],
    needs: ['error:type'],
    check: async (context) => {
      const client = await connect(context)
      await client.provoke({ type: 'nothing-of-this-name' })
      await client.state()
    },
    sabotage: {
      'hangs up after errors': {
        interceptSocket: ({ close }) => {
          let failed = false
          return {
            fromServer: (message) => {
              failed ||= message.type === 'error'
              return [message]
            },
            fromClient: (frame) => {
              if (!failed) return [frame]
              close(1011)
              return []
            },
          }
        },
        alsoBreaks: ['error:object'],
      },
    },
  },

  session: {
    level: 'MUST',
    text: 'A connection for a session that does not exist gets SESSION_ERROR, and is closed.',
    source: sources.socket,
    basis: { states: 'A connection may name a session; any failure of it gets the code SESSION_ERROR.' },
    covers: ['OE-C7'],
    check: async (context) => {
      const socket = await context.socket('/ws?session_id=nothing-of-this-name')
      const { data } = parseAs(ErrorFrame, await socket.until('the error', () => true), 'the error')
      assert.equal(data.code, 'SESSION_ERROR', 'code')
      await socket.closing()
    },
    sabotage: { 'calls lost sessions failures': changeCode('SESSION_ERROR', 'EXECUTION_ERROR') },
  },

  capacity: {
    level: 'MUST',
    text: 'A connection beyond the limit gets CAPACITY_REACHED with the numbers, and is closed.',
    source: sources.socket,
    basis: { states: 'At the limit a client gets CAPACITY_REACHED with active_sessions and max_sessions.' },
    covers: ['OE-C5'],
    pool: 'auxiliary',
    check: async (context) => {
      const { base } = await context.auxiliary('single')
      const first = clientOf(context, await context.socketAt(base.href, '/ws'))
      await first.state()
      const second = await context.socketAt(base.href, '/ws')
      const { data } = parseAs(ErrorFrame, await second.until('the refusal', () => true), 'the refusal')
      const Full = z.looseObject({ code: z.string(), active_sessions: z.int(), max_sessions: z.int() })
      const { code, active_sessions, max_sessions } = parseAs(Full, data, 'the refusal')
      assert.deepEqual(
        { code, active_sessions, max_sessions },
        { code: 'CAPACITY_REACHED', active_sessions: 1, max_sessions: 1 },
      )
      await second.closing()
      await first.state()
    },
    sabotage: {
      'takes a client beyond its limit': {
        changeMessages: () => (message) =>
          (message.data as { code?: string } | undefined)?.code === 'CAPACITY_REACHED' ? [] : [message],
      },
      'calls its limit a lost session': changeCode('CAPACITY_REACHED', 'SESSION_ERROR'),
      'refuses clients without a number': onMessage('error', ({ data }) => {
        delete data.active_sessions
      }),
    },
  },

  freed: {
    level: 'SHOULD',
    text: 'A connection that has ended makes room for another one.',
    source: sources.open,
    basis: { because: 'The limit counts active sessions; the document does not state when one ends.' },
    covers: ['OE-C5'],
    needs: ['error:capacity'],
    pool: 'auxiliary',
    check: async (context) => {
      const { base } = await context.ownAuxiliary('single')
      const first = clientOf(context, await context.socketAt(base.href, '/ws'))
      await first.reset()
      first.socket.terminate()
      let answer = 'error'
      for (let tries = 0; tries < FREEING_TRIES && answer === 'error'; tries++) {
        await pause(FREEING_MS)
        const next = await context.socketAt(base.href, '/ws')
        next.send({ type: 'state' })
        answer = (await next.until('an answer', () => true)).type
      }
      assert.equal(answer, 'state', 'the next client is refused')
    },
    sabotage: {
      'counts clients that have left': refusesAfterFirst(),
    },
  },

  execution: {
    level: 'MUST',
    text: 'An exception of the environment gets EXECUTION_ERROR.',
    source: sources.types,
    basis: { states: 'Exceptions of a reset or a step get the code EXECUTION_ERROR.' },
    covers: ['OE-C4'],
    unchecked: 'no action fails in every environment',
  },

  factory: {
    level: 'MUST',
    text: 'A connection whose environment cannot be created gets FACTORY_ERROR.',
    source: sources.types,
    basis: { states: 'A factory that fails gives the code FACTORY_ERROR.' },
    covers: ['OE-C6'],
    unchecked: 'nobody outside of a server can make its factory fail',
  },
})

/** Refuses each client after one has left. */
function refusesAfterFirst(): SabotageBehavior {
  let hasLeft = false
  return {
    interceptSocket: () => ({
      fromServer: (message) => [
        hasLeft
          ? { type: 'error', data: { code: 'CAPACITY_REACHED', message: 'full', active_sessions: 1, max_sessions: 1 } }
          : message,
      ],
      onClientClosed: () => {
        hasLeft = true
      },
    }),
  }
}
