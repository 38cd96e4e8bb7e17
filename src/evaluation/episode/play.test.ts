import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { realClock } from '../../base/clock.ts'
import { createFastifyApp } from '../../compose/rest-app.ts'
import type { CommandResult } from '../../protocols/desk/contract.ts'
import type { AgentContext, EvaluatedAgent } from '../agents/agent.ts'
import { openAgent } from '../agents/choose-agent.ts'
import { loadSuite } from '../suite/load-suite.ts'
import { type EpisodeBudget, episodesOf } from '../suite/suite-file.ts'
import { type EpisodeOptions, playEpisode } from './play.ts'
import { EpisodeResult } from './result.ts'
import { EpisodeScenarios } from './scenarios.ts'

const folder = mkdtempSync(join(tmpdir(), 'backlot-play-'))
afterAll(() => rmSync(folder, { recursive: true }))

const CONTROLS = `
name: controls
task: Tick A and B. Answer with the word on the page.
states:
  start:
    windows:
      - title: Desk
        tree:
          role: Window
          name: Desk
          children:
            - {id: a, role: CheckBox, name: A, selected: false}
            - {id: b, role: CheckBox, name: B, selected: false}
            - {id: c, role: CheckBox, name: C, selected: false}
            - {id: d, role: CheckBox, name: D, selected: false}
solution:
  - {call: click_element, with: {selector: 'CheckBox "A"'}}
  - {call: click_element, with: {selector: 'CheckBox "B"'}}
oracles:
  success:
    - {kind: element_exists, selector: 'CheckBox[name="A"][selected=true]'}
    - {kind: element_exists, selector: 'CheckBox[name="B"][selected=true]'}
  failure: [{kind: element_exists, selector: 'CheckBox[name="C"][selected=true]'}]
  harm: [{kind: element_exists, selector: 'CheckBox[name="D"][selected=true]'}]
`
const controls = join(folder, 'controls.yaml')
writeFileSync(controls, CONTROLS)

const parts = { environment: process.env, onProcess: () => {} }
const scenarios = new EpisodeScenarios()
const stage = (agent: EvaluatedAgent, rest: Partial<EpisodeOptions> = {}): EpisodeOptions => ({
  agent,
  scenarios,
  clock: realClock(),
  signal: new AbortController().signal,
  isTraced: false,
  ...rest,
})
const agentOf = (play: (context: AgentContext) => Promise<unknown>): EvaluatedAgent => ({
  name: 'test',
  play: async (context) => {
    await play(context)
    return {}
  },
})

async function episodeOf(file: string, budget: EpisodeBudget = {}) {
  const [episode] = episodesOf((await loadSuite([file], { budget })).tasks)
  return episode!
}
async function play(agent: EvaluatedAgent, { file = controls, budget = {}, isTraced = false } = {}) {
  const { result, trace } = await playEpisode(await episodeOf(file, budget), stage(agent, { isTraced }))
  expect(EpisodeResult.parse(JSON.parse(JSON.stringify(result)))).toEqual(result)
  return { ...result, trace }
}
const tick =
  (...names: readonly string[]) =>
  async ({ driver }: AgentContext) => {
    for (const name of names) await driver.locator(`CheckBox "${name}"`).click()
  }

describe('[EV15] an agent', () => {
  it('has the tools of agents only, on a desktop of its own', async () => {
    const refused: unknown[] = []
    const agent = agentOf(async ({ driver }) => {
      for (const tool of ['session_reset', 'session_rewind', 'trace_stop', 'load_scenario'] as const)
        refused.push((await driver.tryCall(tool, {} as never)).error?.code)
      await driver.locator('CheckBox "A"').click()
    })
    const first = await play(agent)
    expect(refused).toEqual(Array(4).fill('PermissionDenied'))
    expect(first).toMatchObject({ score: 0.5, success: false })
    expect((await play(agentOf(tick('B')))).score).toBe(0.5)
  })
})

describe('[EV16] an episode', () => {
  it('ends when the agent returns or finishes', async () => {
    expect(await play(agentOf(tick('A', 'B')))).toMatchObject({
      end: 'exited',
      success: true,
      score: 1,
      failure: null,
      steps: 2,
      solution_steps: 2,
    })
    const finishing = agentOf(async (context) => {
      await tick('A', 'B')(context)
      await context.driver.call('finish', {})
    })
    expect(await play(finishing)).toMatchObject({ end: 'finished', success: true })
  })

  it('ends at its limits of steps, time and tokens', async () => {
    const eager = agentOf(async ({ driver, signal }) => {
      while (!signal.aborted) await driver.tryCall('click_element', { selector: 'CheckBox "A"' })
    })
    expect(await play(eager, { budget: { max_steps: 3 } })).toMatchObject({ end: 'step_limit', failure: 'step_limit' })
    const stuck = agentOf(({ signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)))
    expect(await play(stuck, { budget: { time_s: 1 } })).toMatchObject({ end: 'time_limit', failure: 'time_limit' })
    const wordy: EvaluatedAgent = {
      name: 'wordy',
      play: async () => ({ usage: { input_tokens: 900, output_tokens: 101, cost_usd: 0.5 } }),
    }
    const { end, model } = await play(wordy, { budget: { tokens: 1000 } })
    expect({ end, model }).toEqual({
      end: 'token_limit',
      model: { input_tokens: 900, output_tokens: 101, cost_usd: 0.5 },
    })
  })
})

describe('[EV17] results', () => {
  it('tell crashes, harm and success apart', async () => {
    const crash = agentOf(async () => {
      throw new Error('no model')
    })
    expect(await play(crash)).toMatchObject({
      end: 'agent_error',
      failure: 'agent_error',
      message: expect.stringContaining('the agent failed: no model'),
    })
    const { success, harm } = await play(agentOf(tick('A', 'B', 'D')))
    expect({ success, harm }).toEqual({ success: true, harm: [expect.stringContaining('element_exists')] })
  })
})

describe('[EV18] a failure', () => {
  it('has one category', async () => {
    expect((await play(agentOf(tick('C')))).failure).toBe('forbidden_outcome')
    expect((await play(agentOf(tick('A')))).failure).toBe('incomplete')
    expect((await play(agentOf(tick('A', 'A')))).failure).toBe('wrong_outcome')
    expect((await play(agentOf(async () => {}))).failure).toBe('nothing_done')
    const claims = agentOf(({ driver }) => driver.call('finish', { status: 'infeasible', text: 'no' }))
    const claimed = await play(claims)
    expect(claimed.failure).toBe('claimed_infeasible')
    expect(claimed.message).toMatch(/^the agent claimed that the task is infeasible: no; /)
  })
})

describe('[EV19] calls and observations', () => {
  it('are counted', async () => {
    const reader = agentOf(async ({ driver }) => {
      const { windows } = await driver.call('list_windows')
      await driver.call('get_window_structure', { window_uid: windows[0]!.window_uid })
      await driver.screenshot()
      await tick('A')({ driver } as AgentContext)
    })
    const { calls, steps, observed } = await play(reader)
    expect(calls).toEqual({ click_element: 1, get_screenshot: 1, get_window_structure: 1, list_windows: 1 })
    expect(steps).toBe(1)
    expect(observed.picture).toMatchObject({ calls: 1, bytes: expect.any(Number) })
    expect(observed.tree.calls).toBe(1)
    expect(observed.text.calls).toBe(2)
    for (const { bytes, tokens } of Object.values(observed)) {
      expect(bytes).toBeGreaterThan(100)
      expect(tokens).toBeGreaterThan(10)
    }
  })
})

describe('[EV20] a trace', () => {
  it('is replayed to the same end', async () => {
    const { trace, final } = await play(agentOf(tick('B', 'C', 'A')), { isTraced: true })
    const file = join(folder, 'trace.jsonl')
    writeFileSync(file, trace!)
    const again = await play(await openAgent(`replay ${file}`, parts))
    expect(again).toMatchObject({ final, failure: 'forbidden_outcome', steps: 3 })
    const { trace: solved } = await play(await openAgent('solution', parts), { file: 'login', isTraced: true })
    writeFileSync(file, solved!)
    expect(await play(await openAgent(`replay ${file}`, parts), { file: 'login' })).toMatchObject({ success: true })
  })
})

describe('built-in agents', () => {
  it('solve, do nothing, and act at random differently in each run', async () => {
    expect(await play(await openAgent('solution', parts))).toMatchObject({ success: true, failure: null })
    expect(await play(await openAgent('noop', parts))).toMatchObject({ success: false, steps: 0 })
    const random = await openAgent('random', parts)
    const episode = await episodeOf(controls)
    const of = async (run: number) =>
      (await playEpisode({ ...episode, id: `controls/run-${run}`, run }, stage(random))).result
    const [first, again, second] = [await of(1), await of(1), await of(2)]
    expect(again.calls).toEqual(first.calls)
    expect(second.calls).not.toEqual(first.calls)
  })

  it('are modules, whose usage counts', async () => {
    const file = join(folder, 'agent.mjs')
    writeFileSync(
      file,
      `export default async (desktop, task) => {
        if (!task.text.startsWith('Tick')) throw new Error(task.text)
        for (const name of ['A', 'B']) await desktop.locator('CheckBox "' + name + '"').click()
        return { usage: { input_tokens: 5, output_tokens: 2 } }
      }`,
    )
    const { success, model } = await play(await openAgent(file, parts))
    expect({ success, model }).toEqual({
      success: true,
      model: { input_tokens: 5, output_tokens: 2, cost_usd: null },
    })
    writeFileSync(join(folder, 'wrong.mjs'), 'export const play = 1')
    await expect(openAgent(join(folder, 'wrong.mjs'), parts)).rejects.toThrow('no function as its default export')
    await expect(openAgent(join(folder, 'absent.mjs'), parts)).rejects.toThrow('does not exist')
    await expect(openAgent(`replay ${folder}/absent.jsonl`, parts)).rejects.toThrow('cannot be read')
    await expect(openAgent(' ', parts)).rejects.toThrow('name an agent')
  })
})

describe('[EV34] the command line', () => {
  /** Plays commands of the text form, and adds what they print. */
  const commands =
    (lines: readonly (readonly string[])[], printed: CommandResult[] = []) =>
    async ({ desktop }: AgentContext) => {
      const app = await createFastifyApp(desktop)
      for (const argv of lines) {
        const payload = { contract: 'text', argv }
        printed.push((await app.inject({ method: 'POST', url: '/desk', payload })).json())
      }
      await app.close()
    }

  it('is counted, as are actions that are repeated without a look', async () => {
    const printed: CommandResult[] = []
    const lines = [['snapshot'], ['click', 'e9'], ['click', 'e1'], ['click', 'e1'], ['wait', '200'], ['click', 'e1']]
    const { desk, success } = await play(agentOf(commands(lines, printed)))
    expect({ desk, success }).toEqual({
      desk: {
        commands: 6,
        stdout_bytes: printed.reduce((sum, { stdout }) => sum + Buffer.byteLength(stdout), 0),
        repeated: 1,
        other_elements: 0,
        stale_recovered: 1,
        fixed_waits: 1,
        sleeps: 0,
      },
      success: false,
    })
  })

  it('[EV35] is counted where it acts on elements that no solution uses', async () => {
    const used = async (lines: readonly (readonly string[])[], file?: string) =>
      (await play(agentOf(commands([['snapshot'], ...lines])), file === undefined ? {} : { file })).desk?.other_elements
    expect(
      await used([
        ['click', 'e1'],
        ['click', 'e2'],
      ]),
    ).toBe(0)
    expect(
      await used([
        ['click', 'e1'],
        ['click', 'e3'],
        ['press', 'tab'],
        ['hover', 'e4'],
      ]),
    ).toBe(2)
    const unsolved = join(folder, 'unsolved.yaml')
    writeFileSync(unsolved, CONTROLS.replace(/solution:\n(?: {2}- .*\n)+/, ''))
    expect(await used([['click', 'e3']], unsolved)).toBe(null)
  })

  it('[EV36] of the solution are counted without its optional steps', async () => {
    const file = join(folder, 'optional.yaml')
    writeFileSync(file, CONTROLS.replace(`CheckBox "A"'}}`, `CheckBox "A"'}, optional: true}`))
    const { result } = await playEpisode(await episodeOf(file), stage(agentOf(commands([]))))
    expect(result.solution_steps).toBe(1)
  })

  it('[EV35] is not counted in windows of faults', async () => {
    const episode = { ...(await episodeOf(controls)), faults: [{ fault: 'update-dialog', step: 1 }] }
    const dismissed: CommandResult[] = []
    const lines = [['snapshot'], ['click', 'e1'], ['snapshot'], ['click', 'e6']]
    const { result } = await playEpisode(episode, stage(agentOf(commands(lines, dismissed))))
    expect(dismissed[3]?.stdout).toMatch(/^clicked e6 Button/)
    expect(result.desk?.other_elements).toBe(0)
  })
})
