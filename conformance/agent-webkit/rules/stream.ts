import assert from 'node:assert/strict'
import { assertAgree } from '../../compare/differences.ts'
import { assertStatus } from '../../probe/failure.ts'
import { eventNameOf, onEvent } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import { event } from '../contract.ts'
import { sources } from '../document.ts'
import { assertContiguous, connect, eventIdOf, parseEvent } from '../driver.ts'
import { repeatEvent } from '../sabotage.ts'

/** Renumbers frames by their ids. */
const renumber = (number: (id: number) => number): SabotageBehavior => ({
  changeFrames: () => (frame) => [frame.replace(/^id: ?(\d+)$/m, (_, id: string) => `id: ${number(Number(id))}`)],
})

/** The stream of a session: its frames and ids. */
export const streamRules = defineRules('stream', ['stream:opens'], {
  opens: {
    level: 'MUST',
    text: 'A stream is answered with 200 and text/event-stream.',
    source: sources.stream,
    basis: { states: 'Streaming from the server is SSE.' },
    covers: ['W-E2', 'W-F3'],
    check: async (context) => {
      const { stream } = await connect(context)
      assertStatus(stream, 200)
      assert.match(stream.headers['content-type'] ?? '', /^text\/event-stream\s*(;|$)/)
    },
    sabotage: {
      'opens streams as text': {
        changeStreamHeaders: (headers) => {
          headers['content-type'] = 'text/plain'
        },
      },
    },
  },

  headers: {
    level: 'SHOULD',
    text: 'A stream forbids caching and buffering.',
    source: sources.reference,
    basis: { because: 'The document does not name the headers; a proxy that buffers would hold events back.' },
    covers: ['W-F3'],
    check: async (context) => {
      const { stream } = await connect(context)
      assert.match(stream.headers['cache-control'] ?? '', /no-cache|no-store/i)
      assert.match(stream.headers['x-accel-buffering'] ?? '', /^no$/i)
    },
    sabotage: {
      'caches streams': cached(),
    },
  },

  first: {
    level: 'MUST',
    text: 'The first event is session_ready, naming the session and protocol version 1.0.',
    source: sources.events,
    basis: { states: 'session_ready with session_id and protocol_version is the first event.' },
    covers: ['W-V1'],
    check: async (context) => {
      const { stream, id } = await connect(context)
      const first = await stream.until('its first event', () => true)
      assertAgree({ session_ready: parseEvent(first, 'session_ready').session_id, 'POST /sessions': id }, 'the session')
    },
    sabotage: {
      'names another session in session_ready': onEvent('session_ready', (data) => {
        data.session_id = 'other'
      }),
      'never sends session_ready': repeatEvent('session_ready', 0),
    },
  },

  framing: {
    level: 'MUST',
    text: 'Every event has a numeric id, a name and JSON data.',
    source: sources.stream,
    basis: { states: 'Every event has a numeric id, an event name and JSON data.' },
    covers: ['W-F1', 'W-F4', 'W-F5'],
    needs: ['stream:opens', 'turn:result'],
    check: async (context) => {
      const client = await connect(context)
      await client.runTurn(context.profile.phrase('hello'))
      for (const { id, raw, data } of client.stream.events) {
        assert.match(id ?? '', /^\d+$/, `the id is to be a number:\n${raw}`)
        assert.match(raw, /^event: ?./m, `an event is to have a name:\n${raw}`)
        assert.equal(typeof data, 'object', `data is to be a JSON object:\n${raw}`)
      }
    },
    sabotage: {
      'sends no id line': {
        alsoBreaks: ['stream:ids'],
        changeFrames: () => (frame) => [frame.replace(/^id: .*\n/m, '')],
      },
    },
  },

  lines: {
    level: 'SHOULD',
    text: 'A frame is one id line, one event line and one data line.',
    source: sources.reference,
    basis: { because: 'Server-sent events may have more lines; simple readers expect one of each.' },
    covers: ['W-F1'],
    needs: ['stream:opens', 'turn:result'],
    check: async (context) => {
      const client = await connect(context)
      await client.runTurn(context.profile.phrase('hello'))
      for (const { raw } of client.stream.events) {
        const fields = raw.split('\n').map((line) => line.slice(0, line.indexOf(':')))
        assert.deepEqual(fields.sort(), ['data', 'event', 'id'], `a frame is to have one of each:\n${raw}`)
      }
    },
    sabotage: {
      'splits data over two lines': {
        changeFrames: () => (frame) => [frame.replace(/^data: ?\{/m, 'data: {\ndata: ')],
      },
    },
  },

  'known-events': {
    level: 'SHOULD',
    text: 'Every event is one of the twelve documented ones.',
    source: sources.events,
    basis: { because: 'The document calls its catalog complete; clients ignore unknown events.' },
    covers: ['W-F1'],
    needs: ['stream:opens', 'turn:result'],
    check: async (context) => {
      const client = await connect(context)
      await client.runTurn(context.profile.phrase('hello'))
      await client.runTurn(context.profile.phrase('tool'))
      const unknown = client.stream.events.map((seen) => seen.event).filter((name) => !(name in event))
      assert.deepEqual(unknown, [], 'events that the document does not have')
    },
    sabotage: {
      'sends an event nobody knows': alsoSends('id: 0\nevent: surprise\ndata: {}'),
    },
  },

  ids: {
    level: 'MUST',
    text: 'Ids of a session only grow, over all its turns.',
    source: sources.ids,
    basis: { states: 'The id is a sequence number that the server assigns and that only grows.' },
    covers: ['W-F6', 'W-F5'],
    needs: ['stream:framing', 'stream:opens', 'turn:result'],
    check: async (context) => {
      const client = await connect(context)
      for (const purpose of ['hello', 'tool', 'hello']) await client.runTurn(context.profile.phrase(purpose))
      const ids = client.stream.events.map(eventIdOf)
      for (const [at, id] of ids.entries()) assert.ok(at === 0 || id > ids[at - 1]!, `after ${ids[at - 1]} comes ${id}`)
    },
    sabotage: {
      'repeats an id': renumber((id) => (id > 3 ? id - 1 : id)),
      'sends every event twice': { changeFrames: () => (frame) => [frame, frame] },
      'swaps neighbours': swapNeighbours(),
      'asks twice': { alsoBreaks: ['permission:after-use'], ...repeatEvent('permission_request', 2) },
    },
  },

  contiguous: {
    level: 'SHOULD',
    text: 'Ids of a session count up from 1 without gaps.',
    source: sources.reference,
    basis: { because: 'The document asks for growing numbers; without gaps, a client can detect missed events.' },
    covers: ['W-F6'],
    needs: ['stream:opens', 'turn:result'],
    check: async (context) => {
      const client = await connect(context)
      for (const purpose of ['hello', 'tool', 'hello']) await client.runTurn(context.profile.phrase(purpose))
      assertContiguous(client.stream.events, 1)
    },
    sabotage: {
      'counts from 0': renumber((id) => id - 1),
      'counts by two': renumber((id) => id * 2 - 1),
      'loses every fifth event': lose(5),
    },
  },
})

function lose(every: number): SabotageBehavior {
  return {
    changeFrames: () => {
      let count = 0
      return (frame) => (++count % every === 0 ? [] : [frame])
    },
  }
}

function swapNeighbours(): SabotageBehavior {
  return {
    changeFrames: () => {
      let held: string | undefined
      return (frame) => {
        if (eventNameOf(frame) === 'session_ready' || frame.startsWith(':')) return [frame]
        if (held === undefined) {
          held = frame
          return []
        }
        const both = [frame, held]
        held = undefined
        return both
      }
    },
  }
}

function cached(): SabotageBehavior {
  return {
    changeStreamHeaders: (headers) => {
      headers['cache-control'] = 'max-age=60'
    },
  }
}

function alsoSends(extra: string): SabotageBehavior {
  return {
    changeFrames: () => {
      let said = false
      return (frame) => {
        if (said) return [frame]
        said = true
        return [frame, extra]
      }
    },
  }
}
