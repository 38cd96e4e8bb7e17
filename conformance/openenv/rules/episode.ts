import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { assertAgree } from '../../compare/differences.ts'
import { onClientMessage, swapWithNext } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { JsonMessage, SabotageBehavior } from '../../suite/sabotage.ts'
import { sources } from '../document.ts'
import { asJson, connect, onAnswerTo, resetOf } from '../driver.ts'

let draws = 0

/** Milliseconds in which a server notices that a client has left. */
const SETTLE_MS = 200

/** Episodes over a connection. */
export const episodeRules = defineRules('episode', {
  reset: {
    level: 'MUST',
    text: 'A reset answers an observation of an episode that has not ended.',
    source: sources.types,
    basis: { states: 'The result of a reset has an observation; done is false unless the episode is over at once.' },
    covers: ['OE-M1', 'OE-F1'],
    check: async (context) => {
      const { done } = await (await connect(context)).reset()
      assert.equal(done, false, 'the episode is over at once')
    },
    sabotage: {
      'ends episodes with their reset': onAnswerTo('reset', ({ data }) => {
        data.done = true
      }),
    },
  },

  step: {
    level: 'MUST',
    text: 'A step answers an observation.',
    source: sources.types,
    basis: { states: 'A step executes an action and answers an observation.' },
    covers: ['OE-M2', 'OE-F1'],
    needs: ['episode:reset'],
    check: async (context) => {
      const client = await connect(context)
      await client.reset()
      await client.step()
    },
    sabotage: {
      'answers steps with states': {
        interceptSocket: () => {
          const sent: string[] = []
          return {
            fromClient: (frame) => {
              sent.push(String(frame.data))
              return [frame]
            },
            fromServer: (message): readonly JsonMessage[] =>
              sent.shift()?.includes('"step"') && message.type === 'observation'
                ? [{ type: 'state', data: { episode_id: null, step_count: 0 } }]
                : [message],
          }
        },
      },
    },
  },

  reward: {
    level: 'SHOULD',
    text: 'Each step has a finite reward.',
    source: sources.validation,
    basis: { because: 'The types allow null; the checks of the runtime level ask for a number on steps.' },
    covers: ['OE-B5'],
    needs: ['episode:step'],
    check: async (context) => {
      const client = await connect(context)
      await client.reset()
      const { reward } = await client.step()
      assert.ok(typeof reward === 'number' && Number.isFinite(reward), `the reward is ${String(reward)}`)
    },
    sabotage: {
      'rewards nothing': onAnswerTo('step', ({ data }) => {
        data.reward = null
      }),
    },
  },

  count: {
    level: 'MUST',
    text: 'The state counts the steps since the last reset.',
    source: sources.types,
    basis: { states: 'step_count is the number of steps of the episode.' },
    covers: ['OE-B4', 'OE-M3', 'OE-F2'],
    needs: ['episode:step'],
    check: async (context) => {
      const client = await connect(context)
      await client.reset()
      assert.equal((await client.state()).step_count, 0, 'step_count')
      await client.step()
      assert.equal((await client.state()).step_count, 1, 'step_count')
      await client.reset()
      assert.equal((await client.state()).step_count, 0, 'a reset does not begin the count anew')
    },
    sabotage: {
      'counts no steps': onAnswerTo('state', ({ data }) => {
        data.step_count = 0
      }),
      'goes on counting after a reset': {
        interceptSocket: () => {
          let steps = 0
          return {
            fromClient: (frame) => {
              if (String(frame.data).includes('"step"')) steps++
              return [frame]
            },
            fromServer: (message) => {
              const data = message.data as { step_count?: number }
              if (message.type === 'state') data.step_count = steps
              return [message]
            },
          }
        },
      },
    },
  },

  id: {
    level: 'MUST',
    text: 'The state has the episode_id that the reset gave.',
    source: sources.types,
    basis: { states: 'A reset may name its episode; the state has its identity.' },
    covers: ['OE-B4'],
    needs: ['episode:reset'],
    check: async (context) => {
      const client = await connect(context)
      const episode_id = `episode-${context.random.word(8)}`
      await client.reset({ ...resetOf(context), episode_id })
      assertAgree({ 'the state': (await client.state()).episode_id, 'the observation': episode_id }, 'episode_id')
    },
    sabotage: {
      'names episodes itself': onAnswerTo('state', ({ data }) => {
        data.episode_id = 'mine'
      }),
    },
  },

  seed: {
    level: 'SHOULD',
    text: 'One seed and the same actions give the same observations, rewards and ends.',
    source: sources.validation,
    basis: { because: 'The checks of the runtime level call this seed_control and episode_determinism.' },
    covers: ['OE-B3'],
    needs: ['episode:step'],
    check: async (context) => {
      const play = async () => {
        const client = await connect(context)
        const results = [await client.reset({ ...resetOf(context), seed: 7 }), await client.step()]
        return asJson(results.map(({ observation, reward, done }) => ({ observation, reward, done })))
      }
      assertAgree({ 'the first episode': await play(), 'the second episode': await play() })
    },
    sabotage: {
      'observes something else each time': onAnswerTo('reset', ({ data }) => {
        data.observation.draw = ++draws
      }),
    },
  },

  own: {
    level: 'MUST',
    text: 'Each connection has an environment of its own.',
    source: sources.socket,
    basis: { states: 'Each connection gets its own environment instance.' },
    covers: ['OE-B1'],
    needs: ['episode:count'],
    check: async (context) => {
      const [one, other] = [await connect(context), await connect(context)]
      const before = await other.reset({ ...resetOf(context), seed: 7 })
      await one.reset({ ...resetOf(context), seed: 7 })
      await one.step()
      assert.equal((await other.state()).step_count, 0, 'the steps of another connection are counted')
      assertAgree(
        {
          'the other session': asJson((await other.reset({ ...resetOf(context), seed: 7 })).observation),
          'the first session': asJson(before.observation),
        },
        'the observation',
      )
    },
    sabotage: {
      'counts the steps of all connections': {
        ...sharedCount(),
        alsoBreaks: ['episode:count'],
      },
    },
  },

  leaves: {
    level: 'MUST',
    text: 'A client that disconnects leaves the episodes of other connections as they are.',
    source: sources.socket,
    basis: { states: 'Each connection gets its own environment instance.' },
    covers: ['OE-B1'],
    needs: ['episode:own'],
    check: async (context) => {
      const [leaving, staying] = [await connect(context), await connect(context)]
      for (const client of [leaving, staying]) {
        await client.reset()
        await client.step()
      }
      leaving.socket.terminate()
      await pause(SETTLE_MS)
      assert.equal((await staying.state()).step_count, 1, 'the episode of another connection has begun anew')
    },
    sabotage: {
      'begins all episodes anew when a client leaves': beginsAnew(),
    },
  },

  order: {
    level: 'MUST',
    text: 'Frames that are sent at once are answered in their order.',
    source: sources.socket,
    basis: { states: 'The server receives a message, answers it, and receives the next one.' },
    covers: ['OE-B7'],
    needs: ['episode:reset'],
    check: async (context) => {
      const { socket } = await connect(context)
      socket.send({ type: 'state' })
      socket.send({ type: 'reset', data: resetOf(context) })
      socket.send({ type: 'state' })
      await socket.until('three answers', () => socket.messages.length >= 3)
      assert.deepEqual(
        socket.messages.slice(0, 3).map(({ type }) => type),
        ['state', 'observation', 'state'],
        'the types of the first three answers',
      )
    },
    sabotage: { 'answers states after the frame behind them': swapWithNext('state') },
  },

  close: {
    level: 'MUST',
    text: 'The server closes the connection after a close frame.',
    source: sources.socket,
    basis: { states: 'A close message ends the session.' },
    covers: ['OE-M4'],
    check: async (context) => {
      const { socket } = await connect(context)
      socket.send({ type: 'close' })
      await socket.closing()
    },
    sabotage: { 'ignores close frames': onClientMessage(({ type }) => type !== 'close') },
  },
})

/** Counts no step of an episode once a client has left. */
function beginsAnew(): SabotageBehavior {
  let hasLeft = false
  return {
    interceptSocket: () => ({
      fromServer: (message) =>
        hasLeft && message.type === 'state'
          ? [{ ...message, data: { ...(message.data as object), step_count: 0 } }]
          : [message],
      onClientClosed: () => {
        hasLeft = true
      },
    }),
  }
}

/** Counts the steps of all connections as one. */
function sharedCount() {
  let steps = 0
  return {
    interceptSocket: () => ({
      fromClient: (frame: { readonly data: Buffer; readonly binary: boolean }) => {
        if (String(frame.data).includes('"step"')) steps++
        return [frame]
      },
      fromServer: (message: JsonMessage) => {
        if (message.type === 'state') (message.data as { step_count: number }).step_count = steps
        return [message]
      },
    }),
  }
}
