import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { BUNDLED_PROGRAM } from '../../test/support/cli/bundled-program.ts'
import { realClock } from '../base/clock.ts'
import { findScenario } from '../compose/gallery.ts'
import { createFastifyApp } from '../compose/rest-app.ts'
import type { CommandResult } from '../protocols/desk/contract.ts'
import { playEpisode } from './episode/play.ts'
import { EpisodeScenarios } from './episode/scenarios.ts'
import { RESULT_FILES, readResults } from './results/results-folder.ts'

/** An agent with a shell and no model, which knows skills/backlot and nothing else, on tasks with faults. */

const AGENT = fileURLToPath(new URL('../../fixtures/shell-agent/agent.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'backlot-shell-'))
afterAll(() => rmSync(folder, { recursive: true }))

type RunCommand = (
  name: string,
  ...words: string[]
) => Promise<Pick<CommandResult, 'stdout' | 'stderr'> & { status: number }>
type Play = (program: string, task: string, run: RunCommand) => Promise<void>

const { play } = (await import(/* @vite-ignore */ AGENT)) as { readonly play: Play }
const scenarios = new EpisodeScenarios()

const PROGRAMS = ['backlot', 'agent-desktop'] as const
const TASKS = ['login', 'form', 'inbox', 'office']
const PERSONALITIES = ['windows-uia', 'macos-ax', 'linux-gtk']
const FAULTS = [
  'none',
  'lost-click',
  'dropped-keys',
  'stale-reference',
  'late-tree',
  'occluding-toast',
  'update-dialog',
] as const

const CASES = TASKS.flatMap((task) =>
  PROGRAMS.flatMap((program) =>
    PERSONALITIES.flatMap((personality) => FAULTS.map((fault) => ({ task, program, personality, fault }))),
  ),
)

describe('[EV30] an agent that knows the skill', () => {
  it.each(shareOf(CASES))(
    'solves $task with $program on $personality, with the fault $fault',
    async ({ task, program, personality, fault }) => {
      const file = findScenario(task)
      const variant = { personality }
      const episode = { id: `${task}/run-1`, task, file, seed: 1, variant, faults: fault === 'none' ? [] : [fault] }
      const { result } = await playEpisode(
        { ...episode, run: 1, budget: {} },
        {
          agent: {
            name: 'shell',
            play: async ({ desktop, task: words }) => {
              const app = await createFastifyApp(desktop)
              const run: RunCommand = async (name, ...argv) => {
                const [contract, given] = name === 'backlot' ? ['text', argv.slice(1)] : [name, argv]
                const payload = { contract, argv: given, home: folder }
                const answer: CommandResult = (await app.inject({ method: 'POST', url: '/desk', payload })).json()
                return { ...answer, status: answer.exit }
              }
              await play(program, words, run)
              await app.close()
              return {}
            },
          },
          scenarios,
          clock: realClock(),
          signal: new AbortController().signal,
          isTraced: false,
        },
      )
      const { success, end, harm, attack, message } = result
      expect({ success, end, harm, attack, message }).toEqual({
        success: true,
        end: 'finished',
        harm: [],
        attack: [],
        message: '',
      })
    },
  )

  it.each(shareOf(PROGRAMS))(
    '[EV31] finds %s on its PATH, with the desktop of its episode',
    { timeout: 60_000 },
    (program) => {
      const out = join(folder, program)
      const agent = `sleep 0; "${process.execPath}" "${AGENT}" ${program}`
      const args = ['eval', 'login', '--agent', agent, '--workers', '1', '--out', out]
      const { status, stderr } = spawnSync(process.execPath, [BUNDLED_PROGRAM, ...args], { encoding: 'utf8' })
      expect([status, stderr]).toEqual([0, ''])
      const results = readResults(join(out, RESULT_FILES.results))
      expect(results.map(({ success, end, desk }) => [success, end, desk?.sleeps])).toEqual([[true, 'finished', 1]])
    },
  )
})
