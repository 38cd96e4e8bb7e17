import { expect, it } from 'vitest'
import { createAgent } from '../engine.ts'
import type { AgentEvent } from '../events.ts'
import type { Model } from '../models/model.ts'
import { builtinScript, PHRASES } from './builtin-script.ts'
import { type ModelRecording, recordModel } from './model-recording.ts'
import { parseScript } from './script.ts'
import { cannedTools, scriptedModel } from './scripted-model.ts'

/** Returns the events of a session that receives these messages, without ids and times. */
async function play(model: Model, texts: readonly string[], askBeforeActs = false): Promise<unknown[]> {
  const session = createAgent({ model, askBeforeActs, openToolbox: () => cannedTools(builtinScript.tools) }).open()
  const events: AgentEvent[] = []
  session.listen((event) => {
    events.push(event)
    if (event.type === 'permission_request' || event.type === 'hook_request')
      session.decidePermission(event.requestId, { allowed: true })
    if (event.type === 'question') session.answer(event.requestId, { answers: { name: 'x' }, text: 'x' })
  })
  for (const text of texts) await session.send({ text }).ended
  const hidden = new Set(['runId', 'atMs', 'messageId', 'callId', 'requestId', 'durationMs', 'id', 'refused'])
  return JSON.parse(JSON.stringify(events, (key, value) => (hidden.has(key) ? undefined : value)))
}

it('[AG60] a recorded session replays with the same events', async () => {
  const slow = new Set(['answer slowly', 'use tools slowly', 'answer endlessly'])
  const texts = PHRASES.map((phrase) => phrase.say).filter((text) => !slow.has(text))
  let cassette: ModelRecording = { turns: [] }
  const recorded = await play(
    recordModel(scriptedModel(builtinScript), (tape) => {
      cassette = tape
    }),
    [...texts, 'braces: {{message}}'],
  )
  const written = JSON.parse(JSON.stringify(cassette))
  expect(await play(scriptedModel(parseScript(written)), [...texts, 'braces: {{message}}'])).toEqual(recorded)
})

it('[AG60] records a nested agent of a real model separately', async () => {
  const model: Model = {
    name: 'nesting',
    async *run(request) {
      if (request.nested) return void (yield { do: 'say', text: `did ${request.text}` })
      const { results } = yield { do: 'call', calls: [{ tool: 'spawn_agent', args: { task: 'one' } }] }
      const more = yield { do: 'call', calls: [{ tool: 'spawn_agent', args: { task: 'two' } }] }
      yield { do: 'say', text: [...results, ...more.results].map((result) => result.text).join(', ') }
    },
  }
  let cassette: ModelRecording = { turns: [] }
  const recorded = await play(
    recordModel(model, (tape) => {
      cassette = tape
    }),
    ['go'],
  )
  expect(JSON.stringify(recorded)).toContain('did one, did two')
  expect(await play(scriptedModel(parseScript(JSON.parse(JSON.stringify(cassette)))), ['go'])).toEqual(recorded)
})

it('[AG66] answers an invalid call with its problem, also in the replay', async () => {
  const model: Model = {
    name: 'careless',
    async *run() {
      const { results } = yield { do: 'call', calls: [{ tool: 'run_command', args: {}, problem: 'Not whole.' }] }
      yield { do: 'say', text: `It says: ${results[0]!.text}` }
    },
  }
  let cassette: ModelRecording = { turns: [] }
  const recorded = await play(
    recordModel(model, (tape) => {
      cassette = tape
    }),
    ['go'],
  )
  expect(recorded).toContainEqual(expect.objectContaining({ type: 'tool_result', ok: false, text: 'Not whole.' }))
  expect(JSON.stringify(recorded)).not.toContain('tool_started')
  expect(await play(scriptedModel(parseScript(JSON.parse(JSON.stringify(cassette)))), ['go'])).toEqual(recorded)
})

it('[AG68] asks for permission before a real model acts, also in the replay', async () => {
  const model: Model = {
    name: 'acting',
    async *run() {
      const { results } = yield { do: 'call', calls: [{ tool: 'run_command', args: { command: 'ls' } }] }
      yield { do: 'say', text: `It says: ${results[0]!.text}` }
    },
  }
  let cassette: ModelRecording = { turns: [] }
  const keep = (tape: ModelRecording) => {
    cassette = tape
  }
  const recorded = await play(recordModel(model, keep, true), ['go'], true)
  expect(recorded).toContainEqual(
    expect.objectContaining({
      type: 'permission_request',
      details: '{"command":"ls"}',
      description: 'Use run_command',
    }),
  )
  expect(await play(scriptedModel(parseScript(JSON.parse(JSON.stringify(cassette)))), ['go'])).toEqual(recorded)
})
