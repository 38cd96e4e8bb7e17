import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { encodePng } from '../paint/png/encode.ts'
import type { Recording } from '../viewer/model/recording.ts'
import { readRun } from './read-run.ts'

// Rules such as [RC23] are stated in README.md beside this file.

function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-import-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

const picture = (colour: number) => encodePng(4, 2, new Uint32Array(8).fill(colour))

const shownOf = ({ steps, tables }: Recording) =>
  steps.map(({ tool, args, result, endMs, ok, model }) => ({
    tool,
    args: tables.values[args],
    result: tables.values[result],
    endMs,
    ok,
    model,
  }))

describe('[RC23] a result folder of OSWorld', () => {
  const ROWS = [
    {
      step_num: 1,
      action_timestamp: '20240312@140000',
      action: 'pyautogui.click(5, 6)',
      response: 'I click.',
      reward: 0,
      done: false,
      info: {},
      screenshot_file: 'step_1.png',
    },
    {
      step_num: 2,
      action_timestamp: '20240312@140002',
      action: '{"tool":"type_text","text":"a"}',
      reward: 1,
      done: true,
      info: { ok: false },
      screenshot_file: '../secret.png',
    },
  ]
  const lines = ROWS.map((row) => `${JSON.stringify(row)}\n`).join('')

  it('is refused without steps', async () => {
    for (const text of ['', '\n\n']) {
      const folder = folderWith({ 'traj.jsonl': text, 'result.txt': '0.0\n' })
      await expect(readRun(folder)).rejects.toMatchObject({
        code: 'BadRequest',
        message: `${folder}/traj.jsonl is empty: it has no steps to show`,
      })
    }
  })

  it('has a step with its picture for each line', async () => {
    const folder = folderWith({ 'traj.jsonl': lines, 'step_1.png': picture(0xff0000ff), 'result.txt': '1.0\n' })
    const { recording, tiles, open } = await readRun(folder)
    expect(recording.source).toBe('osworld')
    expect(recording.verdict).toMatchObject({ success: true, score: 1 })
    expect(shownOf(recording)).toEqual([
      {
        tool: 'click',
        args: { code: 'pyautogui.click(5, 6)' },
        result: { reward: 0, done: false },
        endMs: 0,
        ok: true,
        model: { message: 'I click.' },
      },
      {
        tool: 'type_text',
        args: { text: 'a' },
        result: { ok: false, reward: 1, done: true },
        endMs: 2000,
        ok: false,
        model: undefined,
      },
    ])
    expect(recording.moments.map(({ frame }) => frame)).toEqual([undefined, 0, undefined])
    expect(tiles.size).toBe(1)
    expect(open).toBeUndefined()
  })

  it('names a line that cannot be read', async () => {
    const folder = folderWith({ 'traj.jsonl': `${lines}no json\n` })
    await expect(readRun(folder)).rejects.toThrow(/traj\.jsonl:3 is not a JSON object/)
  })
})

describe('[RC24] an ATIF trajectory', () => {
  it('has a step for each call, with what the model said', async () => {
    const steps = [
      { step_id: 1, timestamp: '2024-03-12T14:00:00Z', source: 'user', message: 'Sign in' },
      {
        step_id: 2,
        timestamp: '2024-03-12T14:00:01Z',
        source: 'agent',
        message: 'I look.',
        reasoning_content: 'First the field.',
        tool_calls: [
          { tool_call_id: 'a', function_name: 'click', arguments: { x: 1 } },
          { tool_call_id: 'b', function_name: 'type', arguments: { text: 'x' } },
        ],
        observation: {
          results: [
            { source_call_id: 'b', content: '{"ok":false}' },
            { source_call_id: 'a', content: 'done' },
          ],
        },
        metrics: { prompt_tokens: 10, completion_tokens: 2, cost_usd: 0.5 },
      },
      { step_id: 3, timestamp: '2024-03-12T14:00:03Z', source: 'agent', message: 'Finished.' },
    ]
    const trajectory = {
      schema_version: 'ATIF-v1.4',
      session_id: 'run-1',
      agent: { name: 'mine', version: '2' },
      steps,
      extra: { success: false, score: 0.5, end: 'finished', failure: 'incomplete' },
    }
    const folder = folderWith({ 'run.json': JSON.stringify(trajectory), 'other.json': '{"steps": []}' })
    const { recording } = await readRun(join(folder, 'run.json'))
    expect(recording).toMatchObject({
      title: 'run-1',
      task: 'Sign in',
      source: 'atif',
      recordedBy: 'mine 2',
      verdict: { success: false, score: 0.5, end: 'finished', message: 'incomplete' },
    })
    const model = { message: 'I look.', reasoning: 'First the field.', inputTokens: 10, outputTokens: 2, costUsd: 0.5 }
    expect(shownOf(recording)).toEqual([
      { tool: 'click', args: { x: 1 }, result: 'done', endMs: 1000, ok: true, model },
      { tool: 'type', args: { text: 'x' }, result: { ok: false }, endMs: 1000, ok: false, model: undefined },
      { tool: 'message', args: {}, result: null, endMs: 3000, ok: true, model: { message: 'Finished.' } },
    ])
    await expect(readRun(join(folder, 'other.json'))).rejects.toThrow(/is not an ATIF trajectory/)
  })
})
