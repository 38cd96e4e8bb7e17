import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { BUNDLED_PROGRAM } from '../../test/support/cli/bundled-program.ts'
import { startLoginModel } from '../../test/support/evaluation/login-model.ts'
import { RESULT_FILES, readResults } from './results/results-folder.ts'

/** The agents of docs/examples/agents in evaluations, with a model that signs in. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const AGENTS = join(ROOT, 'docs/examples/agents')
const folder = mkdtempSync(join(tmpdir(), 'backlot-examples-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** For each example, the path below the model's address, and the tools that a solved episode has called. */
const EXAMPLES: Readonly<Record<string, { readonly base: string; readonly tools: readonly string[] }>> = {
  'anthropic.mjs': { base: '', tools: ['capture_screen', 'mouse_click', 'type_text'] },
  'gemini.mjs': { base: '', tools: ['capture_screen', 'mouse_click', 'type_text'] },
  'mcp.mjs': { base: '/v1', tools: ['click_element', 'finish', 'type_text'] },
  'openai.mjs': { base: '/v1', tools: ['capture_screen', 'mouse_click', 'type_text'] },
  'osworld.py': { base: '/v1', tools: ['capture_screen', 'mouse_click', 'type_text'] },
  'rest.mjs': { base: '/v1', tools: ['click_element', 'finish', 'get_screen_description', 'type_text'] },
  'shell.mjs': { base: '/v1', tools: ['click_element', 'finish', 'get_screen_outline', 'type_text'] },
}

function evaluate(agent: string, modelUrl: string, out: string): Promise<{ code: number | null; output: string }> {
  const args = ['eval', 'login', '--seeds', '1..2', '--agent', agent, '--workers', '1', '--out', out]
  const child = spawn(process.execPath, [BUNDLED_PROGRAM, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, MODEL_URL: modelUrl, MODEL_KEY: 'k', MODEL: 'm' },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })))
}

describe('[EV29] the examples of agents', () => {
  it('are all tested', () => {
    expect(readdirSync(AGENTS).filter((name) => name !== 'README.md')).toEqual(Object.keys(EXAMPLES))
  })

  it.each(shareOf(Object.entries(EXAMPLES)))('solve a task: %s', { timeout: 60_000 }, async (name, { base, tools }) => {
    const model = await startLoginModel()
    try {
      const program = name.endsWith('.py') ? 'python3' : `"${process.execPath}"`
      const out = join(folder, name)
      const { code, output } = await evaluate(`${program} "${join(AGENTS, name)}"`, `${model.url}${base}`, out)
      expect(model.problems).toEqual([])
      const results = readResults(join(out, RESULT_FILES.results))
      expect(results.map(({ success, message }) => [success, message])).toEqual([
        [true, ''],
        [true, ''],
      ])
      expect(code).toBe(0)
      expect(Object.keys(results[0]!.calls)).toEqual(expect.arrayContaining([...tools]))
      expect(output).toContain('success: 2 of 2')
      // The vendors' agents report their tokens: ten of input for each of six requests.
      if (['anthropic.mjs', 'gemini.mjs', 'openai.mjs'].includes(name))
        expect(results[0]!.model).toEqual({ input_tokens: 60, output_tokens: 6, cost_usd: null })
    } finally {
      model.close()
    }
  })
})
