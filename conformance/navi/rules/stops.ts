import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { assertStatus } from '../../probe/failure.ts'
import { changeStatus, repeatMessages } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import { StopResult } from '../contract.ts'
import { sources } from '../document.ts'
import { connect, createSession, onSuccessOf, typesOf } from '../driver.ts'

/** Stopping a run. */
export const stopRules = defineRules('stop', ['flow:simple'], {
  running: {
    level: 'MUST',
    text: 'Stop answers ok true, and the run ends with stream_stopped.',
    source: sources.rest,
    basis: { states: 'stop answers ok true, and stream_stopped reports that the user stopped the generation.' },
    covers: ['N-E11', 'N-V10', 'N-B4'],
    check: async (context) => {
      const { sendText, nextEvent, path } = await connect(context)
      sendText(context.profile.phrase('endless'))
      await nextEvent('stream_delta')
      const answer = await context.http.post(`${path}/stop`)
      assert.equal(answer.json(StopResult).ok, true, 'ok')
      await nextEvent('stream_stopped')
    },
    sabotage: {
      'stops in silence': repeatMessages('stream_stopped', 0),
      'never stops anything': onSuccessOf('POST /sessions/{session_id}/stop', (json) => {
        Object.assign(json, { ok: false, reason: 'no active run' })
      }),
    },
  },

  idle: {
    level: 'MUST',
    text: 'Without a run stop answers ok false with the reason "no active run".',
    source: sources.rest,
    basis: { states: 'stop answers ok false with the reason "no active run".' },
    covers: ['N-E11'],
    needs: ['session:create'],
    check: async (context) => {
      const id = await createSession(context)
      const answer = await context.http.post(`/sessions/${id}/stop`)
      assertStatus(answer, 200)
      const { ok, reason } = answer.json(StopResult)
      assert.deepEqual({ ok, reason }, { ok: false, reason: 'no active run' })
    },
    sabotage: {
      'always stops something': onSuccessOf('POST /sessions/{session_id}/stop', (json) => {
        json.ok = true
        delete json.reason
      }),
    },
  },

  unknown: {
    level: 'SHOULD',
    text: 'Stop of an unknown session answers 404.',
    source: sources.open,
    basis: { because: 'Nothing runs in a session that does not exist, so ok false is correct as well.' },
    covers: ['N-A12', 'N-C9'],
    check: async ({ http, random }) => {
      assertStatus(await http.post(`/sessions/${random.word(16)}/stop`), 404)
    },
    sabotage: {
      'stops what is not there': changeStatus(404, 200, ({ path }) => path.endsWith('/stop')),
    },
  },

  after: {
    level: 'MUST',
    text: 'After a stop, no further event of the run follows, and the session can be used immediately.',
    source: sources.events,
    basis: {
      states: 'The agent breaks out of streams and tool loops cleanly, and stream_stopped enables the input again.',
    },
    covers: ['N-B4', 'N-V10'],
    check: async (context) => {
      const { socket, sendText, nextEvent, run, path } = await connect(context)
      sendText(context.profile.phrase('endless'))
      await nextEvent('stream_delta')
      await context.http.post(`${path}/stop`)
      const stopped = await nextEvent('stream_stopped')
      await pause(300)
      assert.equal(socket.messages.at(-1), stopped, `${typesOf(socket.messages).at(-1)} follows the stop`)
      const events = await run(context.profile.phrase('hello'))
      assert.equal(events.at(-1)!.type, 'stream_end', 'the last event')
    },
    sabotage: {
      'talks after a stop': {
        changeMessages: () => (message) =>
          message.type === 'stream_stopped' ? [message, { type: 'stream_delta', delta: 'and' }] : [message],
      },
    },
  },

  delete: {
    level: 'SHOULD',
    text: 'Deleting a session during a run answers 204 and closes its sockets.',
    source: sources.open,
    basis: { because: 'The document does not specify the effect of deleting a session on its run.' },
    covers: ['N-B12', 'N-E7', 'N-C8'],
    check: async (context) => {
      const { socket, sendText, nextEvent, path } = await connect(context)
      sendText(context.profile.phrase('endless'))
      await nextEvent('stream_delta')
      assertStatus(await context.http.delete(path), 204)
      await socket.closing()
    },
    sabotage: {
      'leaves sockets of deleted sessions open': { changeCloseCode: () => undefined },
    },
  },
})
