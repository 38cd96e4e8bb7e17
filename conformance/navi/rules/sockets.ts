import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { assertAgree } from '../../compare/differences.ts'
import type { Socket, SocketMessage } from '../../probe/websocket.ts'
import {
  type AnyJson,
  closeOnFrame,
  onClientMessage,
  repeatMessages,
  runInTurn,
  tellWhoStays,
} from '../../suite/behaviors.ts'
import { flood } from '../../suite/flood.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { sources } from '../document.ts'
import { connect, ENDS, getMessages, onSuccessOf, parseEvent, parseEventsOf, SETTLE_MS, typesOf } from '../driver.ts'

const WRONG = [
  '{"type":',
  'null',
  '[]',
  '7',
  '{}',
  '{"type":"dance"}',
  '{"type":"message"}',
  '{"type":"message","content":""}',
  '{"type":"message","content":7}',
  '{"type":"message","content":"hi","images":"x"}',
]

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

const bytesOf = (events: readonly SocketMessage[]) => events.reduce((sum, one) => sum + JSON.stringify(one).length, 0)

/** Two sessions with the same messages; the socket of one stopped reading while the agent sent several megabytes. */
async function stall(context: TestContext) {
  const [reading, stalled] = [await connect(context), await connect(context)]
  stalled.socket.pause()
  await flood(context, async (text) => {
    stalled.sendText(text)
    const bytes = bytesOf(await reading.run(text))
    // The other run ends about now; the server may refuse an earlier message, which is harmless.
    await pause(100)
    return bytes
  })
  return { reading, stalled: stalled.socket }
}

const countOf = ({ messages }: Socket, type: string) => messages.filter((one) => one.type === type).length

/** Milliseconds in which a server delivers its pending data to a reader. */
const CATCH_UP_MS = 15_000

/** The socket of a session. */
export const socketRules = defineRules('socket', ['session:create'], {
  unknown: {
    level: 'MUST',
    text: 'The socket of an unknown session closes with 4004.',
    source: sources.socket,
    basis: { states: 'The server closes with 4004 when the session is not found.' },
    covers: ['N-X5', 'N-E13'],
    check: async (context) => {
      const socket = await context.socket(`/ws/sessions/${context.random.word(16)}`)
      assert.equal(await socket.closing(), 4004, 'the code that closes the socket')
    },
    sabotage: {
      'closes with 1000': { changeCloseCode: () => 1000 },
    },
  },

  malformed: {
    level: 'SHOULD',
    text: 'A frame that is not a message is answered with an error; the socket stays open and no run starts.',
    source: sources.open,
    basis: { because: 'The document requires type and content, but does not specify the response to other frames.' },
    covers: ['N-M1', 'N-M2', 'N-V13', 'N-C1', 'N-C2'],
    pool: 'dangerous',
    check: async (context) => {
      const { socket, run, nextEvent } = await connect(context)
      for (const [at, raw] of WRONG.entries()) {
        socket.sendRaw(raw)
        await nextEvent('error', at)
      }
      await pause(SETTLE_MS)
      assert.deepEqual(
        typesOf(socket.messages).filter((type) => type !== 'error'),
        [],
        'a run began',
      )
      await run(context.profile.phrase('hello'))
    },
    sabotage: {
      'hides its errors': { alsoBreaks: ['flow:recoverable', 'flow:terminal'], ...repeatMessages('error', 0) },
    },
  },

  binary: {
    level: 'SHOULD',
    text: 'A binary frame that holds a message is read like a text frame.',
    source: sources.open,
    basis: { because: 'All messages are JSON; the document does not cover binary frames.' },
    covers: ['N-C11'],
    needs: ['session:create', 'flow:simple'],
    pool: 'dangerous',
    check: async (context) => {
      const { socket, nextEvent } = await connect(context)
      socket.sendRaw(Buffer.from(JSON.stringify({ type: 'message', content: context.profile.phrase('hello') })))
      await nextEvent('stream_end')
    },
    sabotage: {
      'hears no binary frames': { interceptSocket: () => ({ fromClient: (one) => (one.binary ? [] : [one]) }) },
    },
  },

  huge: {
    level: 'SHOULD',
    text: 'A frame that is too large at most closes its socket with 1009; the session continues.',
    source: sources.open,
    basis: { because: 'The document sets no limit; one client should not disturb others.' },
    covers: ['N-C10'],
    pool: 'dangerous',
    timeoutMs: 30_000,
    check: async (context) => {
      const { id, socket } = await connect(context)
      socket.sendRaw(JSON.stringify({ type: 'message', content: 'A'.repeat(110 * 1024 * 1024) }))
      const code = await socket.closing(6000).catch(() => undefined)
      assert.ok(code === undefined || code === 1009, `the socket closes with ${code}`)
      await context.http.post(`/sessions/${id}/stop`)
      const other = await connect(context)
      await other.run(context.profile.phrase('hello'))
    },
    sabotage: {
      'breaks at a huge frame': closeOnFrame(1011, ({ data }) => data.length > 100 * 1024 * 1024),
    },
  },

  stop: {
    level: 'SHOULD',
    text: 'A stop sent over the socket has no effect.',
    source: sources.rest,
    basis: { because: 'The document requires clients to stop over REST, and lists no such message.' },
    covers: ['N-B13', 'N-A14'],
    pool: 'dangerous',
    check: async (context) => {
      const { socket, sendText, nextEvent, path } = await connect(context)
      sendText(context.profile.phrase('endless'))
      await nextEvent('stream_delta')
      socket.sendRaw('{"type":"stop"}')
      await pause(300)
      assert.ok(!typesOf(socket.messages).includes('stream_stopped'), 'the run stopped')
      await context.http.post(`${path}/stop`)
    },
    sabotage: {
      'stops at a word': onClientMessage((message, { sendToClient }) => {
        if (message.type === 'stop') sendToClient({ type: 'stream_stopped' })
      }),
    },
  },

  images: {
    level: 'MUST',
    text: 'Images are accepted raw and as data URLs, whose prefix is stripped.',
    source: sources.socket,
    basis: { states: 'Images are base64, raw or as data URLs, whose prefix the server strips.' },
    covers: ['N-M3', 'N-B8'],
    needs: ['session:create', 'flow:simple'],
    check: async (context) => {
      const { id, run } = await connect(context)
      await run(context.profile.phrase('hello'), { images: [PIXEL, `data:image/png;base64,${PIXEL}`] })
      const asked = (await getMessages(context, id)).find((item) => item.role === 'user')
      assert.deepEqual(asked?.images, [PIXEL, PIXEL], 'images')
    },
    sabotage: {
      'keeps image prefixes': onSuccessOf('GET /sessions/{session_id}', (json) => {
        for (const one of json.messages)
          if (one.images) one.images = one.images.map((image: string) => `data:image/png;base64,${image}`)
      }),
    },
  },

  two: {
    level: 'SHOULD',
    text: 'Every socket of a session receives every run, including one started over REST.',
    source: sources.open,
    basis: { because: 'The document does not cover several sockets.' },
    covers: ['N-B11', 'N-C6'],
    needs: ['session:create', 'flow:simple'],
    check: async (context) => {
      const one = await connect(context)
      const other = await connect(context, one.id)
      await pause(50)
      const events = await one.run(context.profile.phrase('hello'))
      await other.nextEvent('stream_end')
      assertAgree(
        {
          'the other client': typesOf(other.socket.messages).slice(0, events.length),
          'the first client': typesOf(events),
        },
        'the types of events',
      )
      const place = other.socket.messages.length
      await context.http.post(`${one.path}/messages`, { content: context.profile.phrase('hello') })
      await other.nextEvent('stream_end', place)
    },
    sabotage: {
      'tells the second socket nothing': { alsoBreaks: ['socket:reconnect'], ...firstOnly() },
    },
  },

  slow: {
    level: 'MUST',
    text: 'A socket that does not read for a while reads every delta later, or is closed.',
    source: sources.socket,
    basis: { states: 'Events arrive in order, and content of stream_end is the sum of all stream_delta values.' },
    covers: ['N-V8', 'N-G9'],
    needs: ['session:create', 'flow:simple'],
    pool: 'dangerous',
    timeoutMs: 60_000,
    check: async (context) => {
      const { stalled } = await stall(context)
      stalled.resume()
      const startedAt = performance.now()
      for (
        let received = -1;
        received !== stalled.messages.length || countOf(stalled, 'stream_end') === 0;
        await pause(500)
      ) {
        // A server may close a socket whose client does not read.
        if (stalled.closed !== undefined || performance.now() - startedAt > CATCH_UP_MS) break
        received = stalled.messages.length
      }
      if (stalled.closed === undefined)
        assertAgree(
          { stream_end: countOf(stalled, 'stream_end'), stream_start: countOf(stalled, 'stream_start') },
          'a late reader does not receive the end of a run',
        )
      let joined = ''
      for (const one of stalled.messages) {
        if (one.type === 'stream_start') joined = ''
        if (one.type === 'stream_delta') joined += parseEvent(one, 'stream_delta').delta
        if (one.type === 'stream_end') assert.ok(parseEvent(one, 'stream_end').content === joined, 'a delta is missing')
      }
    },
    sabotage: {
      'loses a delta of a long answer': losesLateDelta(),
    },
  },

  stalled: {
    level: 'SHOULD',
    text: 'A socket that does not read holds up no other session.',
    source: sources.open,
    basis: { because: 'The document does not cover clients that do not read.' },
    covers: ['N-V8'],
    needs: ['session:create', 'flow:simple'],
    pool: 'dangerous',
    timeoutMs: 60_000,
    check: async (context) => {
      const { reading } = await stall(context)
      const other = await connect(context)
      await Promise.all([reading, other].map(({ run }) => run(context.profile.phrase('hello'))))
    },
    sabotage: {
      'keeps back the end of several megabytes': { alsoBreaks: ['socket:slow'], ...endsNothingLarge() },
    },
  },

  busy: {
    level: 'SHOULD',
    text: 'A message during a run does not disturb it.',
    source: sources.open,
    basis: { because: 'The document does not specify the effect of a message during a run.' },
    covers: ['N-B10', 'N-C3'],
    check: async (context) => {
      const { id, socket, sendText, nextEvent, path } = await connect(context)
      sendText(context.profile.phrase('endless'))
      await nextEvent('stream_delta')
      const hello = context.profile.phrase('hello')
      sendText(hello)
      await pause(300)
      const types = typesOf(socket.messages)
      assert.equal(types.filter((type) => type === 'stream_start').length, 1, 'a second run began within the first')
      assert.ok(!types.includes('stream_end') && !types.includes('stream_stopped'), 'the run ended')
      await context.http.post(`${path}/stop`)
      await nextEvent('stream_stopped')
      assert.ok((await getMessages(context, id)).length > 0, 'the session has no messages')
    },
    sabotage: {
      'begins a run within another': interrupts(),
    },
  },

  parallel: {
    level: 'SHOULD',
    text: 'Runs of different sessions go on at the same time.',
    source: sources.open,
    basis: { because: 'The document gives no order between sessions; one long run should not hold up the others.' },
    covers: ['N-E13'],
    needs: ['session:create', 'flow:simple', 'stop:running'],
    check: async (context) => {
      const [long, short] = [await connect(context), await connect(context)]
      long.sendText(context.profile.phrase('endless'))
      await long.nextEvent('stream_delta')
      short.sendText(context.profile.phrase('hello'))
      const end = await short.nextEvent('stream_end').catch(() => undefined)
      const isLongOver = typesOf(long.socket.messages).some((type) => ENDS.includes(type))
      await context.http.post(`${long.path}/stop`)
      assert.ok(end !== undefined && !isLongOver, 'a session waits for the end of a run of another session')
    },
    sabotage: {
      'runs one session after another': runInTurn('message', ENDS),
    },
  },

  leaves: {
    level: 'SHOULD',
    text: 'A client that disconnects disturbs no other socket of its session, and no other session.',
    source: sources.open,
    basis: { because: 'The document does not cover several sockets; runs belong to sessions, not to sockets.' },
    covers: ['N-C6', 'N-C7'],
    needs: ['session:create', 'flow:simple', 'socket:two'],
    timeoutMs: 40_000,
    check: async (context) => {
      const [mine, other] = [await connect(context), await connect(context)]
      const leaving = await connect(context, mine.id)
      for (const client of [mine, other]) {
        client.sendText(context.profile.phrase('slow'))
        await client.nextEvent('stream_delta')
      }
      leaving.socket.terminate()
      const ends = [mine, other].map(({ socket }) =>
        socket.until('the end of the run', ({ type }) => ENDS.includes(type), { timeoutMs: 20_000 }),
      )
      assert.deepEqual(typesOf(await Promise.all(ends)), ['stream_end', 'stream_end'], 'the types of the ends')
    },
    sabotage: {
      'stops every run when a client leaves': tellWhoStays({ type: 'stream_stopped' }),
    },
  },

  reconnect: {
    level: 'MUST',
    text: 'A client that reconnects during a run receives the events that it missed, and the end of the run.',
    source: sources.socket,
    basis: { states: 'A client that reconnects during a run is subscribed again and gets the events it missed.' },
    covers: ['N-B9', 'N-E13', 'N-C7', 'N-A1'],
    needs: ['session:create', 'flow:simple'],
    timeoutMs: 40_000,
    check: async (context) => {
      const first = await connect(context)
      first.sendText(context.profile.phrase('slow'))
      await first.nextEvent('stream_delta')
      // After a complete closing handshake, no message to this socket is in transit.
      first.socket.close()
      await first.socket.closing()
      const received = parseEventsOf(first.socket.messages, 'stream_delta')
        .map((one) => one.delta)
        .join('')
      await pause(150)
      const again = await connect(context, first.id)
      const ended = await again.socket.until('the end of the run', (one) => one.type === 'stream_end', {
        timeoutMs: 20_000,
      })
      const [end] = parseEventsOf([ended], 'stream_end')
      const rest = parseEventsOf(again.socket.messages, 'stream_delta')
        .map((one) => one.delta)
        .join('')
      const whole = end!.content
      assert.ok(rest.length > 0, 'no missed event arrived')
      assert.ok(whole.endsWith(rest), 'what came after the reconnect is not the rest of the answer')
      assert.ok(received.length + rest.length >= whole.length, 'a piece between the two sockets is missing')
    },
    sabotage: {
      'stops the run of a client that leaves': stopsAtDisconnect(),
      'repeats itself to who comes back': {
        changeMessages: () => (message) => (message.type === 'stream_delta' ? [message, message] : [message]),
      },
    },
  },

  'missed-end': {
    level: 'SHOULD',
    text: 'A client that reconnects after the end of a run receives that end, or finds the answer in the session.',
    source: sources.open,
    basis: { because: 'The document covers reconnects during a run.' },
    covers: ['N-A2'],
    needs: ['session:create', 'flow:simple'],
    check: async (context) => {
      const first = await connect(context)
      first.sendText(context.profile.phrase('hello'))
      await first.nextEvent('stream_start')
      first.socket.close()
      await first.socket.closing()
      await pause(500)
      const again = await connect(context, first.id)
      const end = await again.socket
        .until('stream_end', (one) => one.type === 'stream_end', { timeoutMs: 1500 })
        .catch(() => undefined)
      const last = (await getMessages(context, first.id)).at(-1)
      assert.ok(end !== undefined || last?.role === 'assistant', 'the answer is neither sent nor in the session')
    },
    sabotage: {
      'forgets who left': forgetsWhoLeft(),
    },
  },
})

/** Loses a delta once several megabytes went over a socket. */
function losesLateDelta(): SabotageBehavior {
  return {
    changeMessages: () => {
      let bytes = 0
      let hasLost = false
      return (message) => {
        bytes += JSON.stringify(message).length
        if (hasLost || bytes < 1_500_000 || message.type !== 'stream_delta') return [message]
        hasLost = true
        return []
      }
    },
  }
}

/** Loses the end of a run once several megabytes went over a socket. */
function endsNothingLarge(): SabotageBehavior {
  return {
    changeMessages: () => {
      let bytes = 0
      return (message) => {
        bytes += JSON.stringify(message).length
        return bytes > 1_500_000 && message.type === 'stream_end' ? [] : [message]
      }
    },
  }
}

/** Sends a client that comes back the end of a stopped run in place of its rest. */
function stopsAtDisconnect(): SabotageBehavior {
  let hasLeft = false
  return {
    interceptSocket: () => ({
      fromServer: (message) => {
        if (!hasLeft || message.type === 'stream_start') return [message]
        return message.type === 'stream_end' ? [{ type: 'stream_stopped' }] : []
      },
      onClientClosed: () => {
        hasLeft = true
      },
    }),
  }
}

/** Loses the answer of clients that left before its end. */
function forgetsWhoLeft(): SabotageBehavior {
  let sockets = 0
  return {
    changeMessages: () => {
      const isLater = sockets++ > 0
      return (message) => (isLater ? [] : [message])
    },
    changeResponse: (response) => {
      const { messages } = (response.json ?? {}) as AnyJson
      if (Array.isArray(messages)) messages.length = Math.min(messages.length, 1)
    },
  }
}

function firstOnly(): SabotageBehavior {
  let sockets = 0
  return {
    changeMessages: () => {
      const deaf = sockets++ % 2 === 1
      return (message) => (deaf ? [] : [message])
    },
  }
}

/** Sends stream_start when a message arrives during a run. */
function interrupts(): SabotageBehavior {
  return {
    interceptSocket: ({ sendToClient }) => {
      let runs = false
      return {
        fromClient: (one) => {
          if (runs) sendToClient({ type: 'stream_start' })
          return [one]
        },
        fromServer: (message) => {
          runs = message.type === 'stream_start' || (runs && message.type === 'stream_delta')
          return [message]
        },
      }
    },
  }
}
