import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { onClientMessage } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { JsonMessage, SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { sources } from '../document.ts'
import { connect, ownMessages, parseEvent, SETTLE_MS } from '../driver.ts'
import { dropClientMessages, errorFor, isPermissionRequest } from '../sabotage.ts'

/** A run that has started to send text and continues for a while. */
async function talkative(context: TestContext) {
  const client = await connect(context)
  const key = client.chat(context.profile.phrase('endless'))
  await client.nextEvent('text_delta')
  return { client, key }
}

/** Cancelling a run. */
export const cancelRules = defineRules('cancel', ['chat:answer'], {
  stops: {
    level: 'MUST',
    text: 'After a cancel the run falls silent.',
    source: sources.incoming,
    basis: { states: 'cancel aborts a running session.' },
    covers: ['C-M2', 'C-R9'],
    check: async (context) => {
      const { client, key } = await talkative(context)
      client.socket.send({ type: 'cancel', sessionKey: key })
      await pause(400)
      const said = client.eventsOf(key).length
      await pause(400)
      assert.equal(client.eventsOf(key).length, said, 'the run continues')
    },
    sabotage: {
      'ignores cancels': dropClientMessages('cancel'),
    },
  },

  end: {
    level: 'SHOULD',
    text: 'A cancelled run ends with one done at most, which is the last of it, and with no error.',
    source: sources.judgement,
    basis: { because: 'The document does not specify how an aborted run ends; two ends would look like two runs.' },
    covers: ['C-R9', 'C-A2'],
    check: async (context) => {
      const { client, key } = await talkative(context)
      client.socket.send({ type: 'cancel', sessionKey: key })
      await pause(800)
      const ends = client.eventsOf(key).filter((one) => one.type === 'done' || one.type === 'error')
      assert.ok(ends.length <= 1 && ends.every((one) => one.type === 'done'), `it ends with ${JSON.stringify(ends)}`)
      if (ends[0]) assert.equal(client.eventsOf(key).at(-1), ends[0], 'something follows the done')
    },
    sabotage: {
      'ends a cancelled run with an error': failsCancelled(),
    },
  },

  again: {
    level: 'SHOULD',
    text: 'After a cancel, the session can be used immediately.',
    source: sources.gateway,
    basis: { because: 'chat continues a conversation; the document does not specify how soon after a cancel.' },
    covers: ['C-R10'],
    check: async (context) => {
      const { client, key } = await talkative(context)
      client.socket.send({ type: 'cancel', sessionKey: key })
      const place = client.socket.messages.length
      client.chat(context.profile.phrase('hello'), { sessionKey: key })
      await client.socket.until('the answer', (one) => one.type === 'text_delta' && one.sessionKey === key, {
        after: place,
      })
      await client.socket.until('the done', (one) => one.type === 'done' && one.sessionKey === key, { after: place })
    },
  },

  unknown: {
    level: 'SHOULD',
    text: 'A cancel of a session that does not run is ignored.',
    source: sources.gateway,
    basis: { because: 'The document covers running sessions only; the gateway ignores others.' },
    covers: ['C-X8'],
    check: async (context) => {
      const client = await connect(context)
      client.socket.send({ type: 'cancel', sessionKey: context.random.word(16) })
      await pause(SETTLE_MS)
      assert.deepEqual(ownMessages(client.socket), [], 'the messages that this client got')
      await client.run(context.profile.phrase('hello'))
    },
    sabotage: {
      'complains of a cancel of nothing': complainsOfCancels(),
    },
  },

  pending: {
    level: 'SHOULD',
    text: 'A cancel denies a pending permission; a late approval does not run the tool.',
    source: sources.judgement,
    basis: { because: 'An aborted run should not run a tool that is approved later.' },
    covers: ['C-R9', 'C-A7'],
    needs: ['chat:answer', 'permission:request'],
    check: async (context) => {
      const client = await connect(context)
      const key = client.chat(context.profile.phrase('permission'))
      const { requestId } = parseEvent(await client.nextEvent('permission_request'), 'permission_request')
      client.socket.send({ type: 'cancel', sessionKey: key })
      await pause(SETTLE_MS)
      // A busy server may send the end of the run and the result of the tool late.
      const said = () => client.eventsOf(key).filter((one) => one.type !== 'done' && one.type !== 'tool_result').length
      const before = said()
      client.socket.send({ type: 'permission_response', requestId, approved: true })
      await pause(SETTLE_MS)
      assert.equal(said(), before, 'the late approval has an effect')
      const ran = client
        .eventsOf(key)
        .some((one) => one.type === 'tool_result' && parseEvent(one, 'tool_result').isError !== true)
      assert.ok(!ran, 'the tool ran')
    },
    sabotage: {
      'goes on waiting after a cancel': cancelsNoPermission(),
    },
  },
})

/** What becomes of runs and requests when a client disconnects. */
export const disconnectRules = defineRules('disconnect', {
  others: {
    level: 'MUST',
    text: 'When a client disconnects, the runs of other clients continue.',
    source: sources.behavior,
    basis: { states: 'A disconnect aborts the active runs of that client.' },
    covers: ['C-D1', 'C-D2', 'C-A3'],
    needs: ['permission:request'],
    pool: 'dangerous',
    check: async (context) => {
      const [going, staying] = [await connect(context), await connect(context)]
      const key = staying.chat(context.profile.phrase('permission'))
      const { requestId } = parseEvent(await staying.nextEvent('permission_request'), 'permission_request')
      going.chat(context.profile.phrase('endless'))
      await going.nextEvent('text_delta')
      going.socket.terminate()
      await pause(300)
      staying.socket.send({ type: 'permission_response', requestId, approved: true })
      assert.equal((await staying.end(key)).type, 'done', 'the end of the run')
      const results = staying.eventsOf(key).filter((one) => one.type === 'tool_result')
      assert.deepEqual(
        results.map((one) => parseEvent(one, 'tool_result').isError === true),
        [false],
        'the permission was denied',
      )
    },
    sabotage: {
      'denies everybody when one leaves': deniesAll(),
    },
  },

  permission: {
    level: 'MUST',
    text: 'When a client disconnects its pending permissions are denied.',
    source: sources.behavior,
    basis: { states: 'A disconnect denies the pending permission requests of that client.' },
    covers: ['C-D1'],
    needs: ['permission:request'],
    pool: 'dangerous',
    check: async (context) => {
      const going = await connect(context)
      const key = going.chat(context.profile.phrase('permission'))
      const { requestId } = parseEvent(await going.nextEvent('permission_request'), 'permission_request')
      const waiting = going.chat(context.profile.phrase('permission'))
      await going.socket.until('two requests', (one) => isPermissionRequest(one) && one.requestId !== requestId)
      going.socket.terminate()
      const other = await connect(context)
      await pause(300)
      other.socket.send({ type: 'permission_response', requestId, approved: true })
      await pause(300)
      assert.deepEqual(other.eventsOf(key), [], 'the run of the disconnected client continues')
      // A gateway that runs the chats of a session in turn keeps the next one waiting for a permission still pending.
      const again = await connect(context)
      again.chat(context.profile.phrase('hello'), { sessionKey: waiting })
      const end = await again.end(waiting).catch(() => undefined)
      assert.equal(end?.type, 'done', 'the session of the disconnected client still waits for its permission')
    },
    sabotage: {
      'keeps permissions of those who left': keepsPermissions(),
      'goes on for whoever approves': goesOnForOthers(),
    },
  },

  replay: {
    level: 'SHOULD',
    text: 'A new socket receives no earlier events.',
    source: sources.gateway,
    basis: { because: 'The document defines no replay; the gateway sends none.' },
    covers: ['C-D3'],
    pool: 'dangerous',
    check: async (context) => {
      const { client } = await talkative(context)
      client.socket.terminate()
      const again = await connect(context)
      await pause(300)
      assert.deepEqual(ownMessages(again.socket), [], 'the messages that this client got')
    },
    sabotage: {
      'tells a newcomer what went before': { alsoBreaks: ['connect:silent'], ...retell() },
    },
  },

  page: {
    level: 'MAY',
    text: 'The page ignores unknown types.',
    source: sources.page,
    basis: { because: 'It is a habit of the page.' },
    covers: ['C-D5'],
    unchecked: 'it is a habit of a client',
  },
})

function complainsOfCancels(): SabotageBehavior {
  const seen = new Set<unknown>()
  return onClientMessage((message, { sendToClient }) => {
    if (message.type === 'chat') seen.add(message.sessionKey)
    if (message.type === 'cancel' && !seen.has(message.sessionKey)) sendToClient(errorFor(message.sessionKey))
  })
}

function cancelsNoPermission(): SabotageBehavior {
  return {
    interceptSocket: () => {
      let waits = false
      return {
        fromClient: (one) => (waits && one.data.includes('"cancel"') ? [] : [one]),
        fromServer: (message) => {
          waits = isPermissionRequest(message)
          return [message]
        },
      }
    },
  }
}

function deniesAll(): SabotageBehavior {
  const denials = new Set<() => void>()
  return {
    interceptSocket: ({ sendToServer }) => {
      let deny = () => {}
      return {
        fromServer: (message) => {
          if (!isPermissionRequest(message)) return [message]
          deny = () => sendToServer({ type: 'permission_response', requestId: message.requestId, approved: false })
          denials.add(deny)
          return [message]
        },
        onClientClosed: () => {
          denials.delete(deny)
          for (const other of denials) other()
        },
      }
    },
  }
}

/** Keeps the socket at the server when a client that was asked leaves, and the chats of its sessions waiting. */
function keepsPermissions(): SabotageBehavior {
  const parked = new Set<unknown>()
  return {
    interceptSocket: (wire) => {
      const runs: unknown[] = []
      let isAsked = false
      const { fromClient } = onClientMessage((message) => {
        if (message.type !== 'chat') return true
        runs.push(message.sessionKey)
        return !parked.has(message.sessionKey)
      }).interceptSocket!(wire)
      return {
        ...(fromClient && { fromClient }),
        fromServer: (message) => {
          isAsked ||= isPermissionRequest(message)
          return [message]
        },
        onClientClosed: () => {
          if (isAsked) for (const key of runs) parked.add(key)
        },
      }
    },
  }
}

/** Sends the events of a run to every client that approves its request. */
function goesOnForOthers(): SabotageBehavior {
  const runs = new Map<unknown, unknown>()
  return {
    interceptSocket: (wire) => {
      let run: unknown
      const { fromClient } = onClientMessage((message, { sendToClient }) => {
        if (message.type === 'chat') run = message.sessionKey
        if (message.type === 'permission_response' && runs.get(message.requestId) !== run)
          sendToClient({ type: 'text_delta', sessionKey: runs.get(message.requestId), text: 'On we go.' })
      }).interceptSocket!(wire)
      return {
        ...(fromClient && { fromClient }),
        fromServer: (message) => {
          if (isPermissionRequest(message)) runs.set(message.requestId, run)
          return [message]
        },
      }
    },
  }
}

/** Turns the done that follows a cancel into an error. */
function failsCancelled(): SabotageBehavior {
  return {
    interceptSocket: () => {
      const cancelled = new Set<unknown>()
      return {
        fromClient: (one) => {
          const text = one.data.toString()
          if (text.includes('"type":"cancel"')) cancelled.add(JSON.parse(text).sessionKey)
          return [one]
        },
        fromServer: (message) => [
          message.type === 'done' && cancelled.has(message.sessionKey)
            ? { type: 'error', sessionKey: message.sessionKey, error: 'cancelled' }
            : message,
        ],
      }
    },
  }
}

/** Sends the last message of another socket to each new socket. */
function retell(): SabotageBehavior {
  let last: JsonMessage | undefined
  return {
    changeMessages: (say) => {
      if (last !== undefined) say(last)
      return (message) => {
        last = message
        return [message]
      }
    },
  }
}
