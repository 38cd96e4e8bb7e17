import { expect, it } from 'vitest'
import type { ModelPrice } from '../compose/model-settings.ts'
import { writeModelTurns } from '../compose/reference-agent.ts'
import type { AgentRunEvent } from '../reference-agent/report.ts'
import { openDesktop } from '../testing.ts'
import { type BuiltRecording, recordTrace } from './record-trace.ts'

// Rules such as [RC20] are stated in README.md beside this file.

const usage = (step: number): AgentRunEvent => ({
  type: 'usage',
  step,
  inputTokens: 100 * step,
  outputTokens: step,
  totalTokens: 0,
  latencyMs: 10 * step,
})

/** A trace of a run in which a model takes three turns, and the files beside it. */
async function modelRun(redact_keys: readonly string[] = [], price?: ModelPrice) {
  const config = { tracing: { redact_keys: [...redact_keys], screenshot_every_n_actions: 0 } }
  const desktop = openDesktop({ scenario: 'login', config })
  await desktop.call('trace_start', { label: 'model' })
  const seen: AgentRunEvent[] = []
  const report = writeModelTurns(desktop.session, (event) => seen.push(event), price)
  const events: AgentRunEvent[] = [
    { type: 'task', text: 'sign in', model: 'test-model', dialect: 'openai' },
    { type: 'thought', step: 1, text: 'I look first.' },
    usage(1),
    { type: 'thought', step: 2, text: 'The field is empty.' },
    { type: 'text', step: 2, text: 'I type hunter2.' },
    usage(2),
    { type: 'call', step: 2, tool: 'set_value', args: { element_id: 'u', value: 'hunter2' } },
  ]
  await desktop.call('get_screenshot', {})
  for (const event of events) report(event)
  await desktop.call('set_value', { element_id: 'u', value: 'hunter2' })
  await desktop.call('get_screenshot', {})
  report(usage(3))
  await desktop.call('click_element', { element_id: 'btn' })
  report({ type: 'end', outcome: 'done', text: '', steps: 3, inputTokens: 0, outputTokens: 0 })
  const { path } = await desktop.call('trace_stop')
  const file = (name: string) => String(desktop.artifacts.get(path.replace('trace.jsonl', name)))
  expect(seen).toHaveLength(events.length + 2)
  return { text: file('trace.jsonl'), model: file('model.jsonl') }
}

const built = (text: string, files: Readonly<Record<string, string>>): Promise<BuiltRecording> =>
  recordTrace({
    path: 'trace',
    text,
    read: (name) => (files[name] === undefined ? undefined : Buffer.from(files[name])),
  })

it('[RC20] has the turns of the model at the calls that they led to', async () => {
  const { text, model } = await modelRun()
  const { recording } = await built(text, { 'model.jsonl': model })
  expect(recording.steps.map(({ tool, model: turn }) => [tool, turn])).toEqual([
    ['get_screenshot', undefined],
    [
      'set_value',
      {
        message: 'I type hunter2.',
        reasoning: 'I look first.\n\nThe field is empty.',
        inputTokens: 300,
        outputTokens: 3,
        latencyMs: 30,
      },
    ],
    ['get_screenshot', undefined],
    ['click_element', { inputTokens: 300, outputTokens: 3, latencyMs: 30 }],
  ])
})

it('[RC20] has the cost of the turns where the operator gives prices', async () => {
  const { text, model } = await modelRun([], { inUsd: 2, outUsd: 10 })
  const { recording } = await built(text, { 'model.jsonl': model })
  // 300 tokens in and 3 out, over two turns; then as many in one.
  expect(recording.steps.map((step) => step.model?.costUsd)).toEqual([undefined, 0.00063, undefined, 0.00063])
  const { model: free } = await modelRun()
  expect(free).not.toContain('cost_usd')
})

it('[RC20] hides in the turns of the model what the trace hides', async () => {
  const { model } = await modelRun(['value'])
  expect(model).not.toContain('hunter2')
  expect(model).toContain('I type <redacted>.')
  expect(model).toContain('"args":{"element_id":"u","value":"<redacted>"}')
})

it('[RC20] has requests and events, and leaves out lines that cannot be read', async () => {
  const { text } = await modelRun()
  const wire = [
    { after: 0, method: 'POST', url: '/api/x', headers: { a: 'b' }, body: '{}', status: 200, response: 'ok', ms: 3 },
    { after: 9, method: 'GET', url: '/late' },
  ]
  const event = {
    after: 1,
    ts: '2024-03-12T14:00:00Z',
    protocol: 'windieos',
    direction: 'in',
    name: 'tool',
    content: [1],
  }
  const lines = (...values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
  const { recording } = await built(text, {
    'wire.jsonl': `${lines(...wire)}{"after":`,
    'events.jsonl': lines(event),
  })
  const { after: _, ...first } = wire[0]!
  expect(recording.steps.map(({ wire: sent }) => sent)).toEqual([
    [first],
    undefined,
    undefined,
    [{ method: 'GET', url: '/late' }],
  ])
  expect(recording.events).toEqual([
    { after: 1, wallTime: event.ts, protocol: 'windieos', direction: 'in', name: 'tool', content: expect.any(Number) },
  ])
  expect(recording.tables.values[recording.events[0]!.content]).toEqual([1])
})

it('[RC17] says how many lines are missing beside the trace, by its footer', async () => {
  const { text, model } = await modelRun()
  const remarks = async (files: Readonly<Record<string, string>>) =>
    (await built(text, files)).recording.warnings.filter((warning) => warning.includes('jsonl'))
  const lines = model.trim().split('\n')
  expect(await remarks({ 'model.jsonl': model })).toEqual([])
  expect(await remarks({ 'model.jsonl': `${lines[0]}\n` })).toEqual([
    `${lines.length - 1} of ${lines.length} lines are missing in model.jsonl`,
  ])
  expect(await remarks({})).toEqual([`${lines.length} of ${lines.length} lines are missing in model.jsonl`])
})
