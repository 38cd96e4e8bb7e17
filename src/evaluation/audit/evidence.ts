import { seededRandom, split } from '../../base/random.ts'
import type { RecordedSolution } from '../../compose/verify/audit/recording.ts'
import { RANDOM_STEPS, randomAction } from '../../compose/verify/random-agent.ts'
import { type Check, findIdle } from '../../compose/verify/verify.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { type AdversaryCall, isSolved, openAttempt, shrinkCalls } from './attempt.ts'

/** `wait` takes at most a minute. */
const MAX_WAIT_MS = 60_000
const IDLE_MS = [0, 1000, 5000, 30_000, MAX_WAIT_MS, 300_000, 600_000]
/** The seeds of the random agents of `backlot test`. */
const MAX_RANDOM_SEED = 20

/** The calls that show what a check of `backlot test` has found. Undefined where its message describes the change. */
export async function evidenceOf(
  name: Check['name'],
  scenario: Scenario,
  recorded: readonly RecordedSolution[],
): Promise<readonly AdversaryCall[] | undefined> {
  if (name === 'start') return []
  if (name === 'idle') return waitsOf(await idleMsOf(scenario))
  if (name === 'random') return randomCalls(scenario)
  if (name === 'omitted_step') return shortestSolution(scenario, recorded)
  return undefined
}

/** The first of the durations that solves the scenario; undefined without one. */
export async function idleMsOf(scenario: Scenario): Promise<number | undefined> {
  for (const ms of IDLE_MS) if ((await findIdle(scenario, ms)) !== undefined) return ms
  return undefined
}

const waitsOf = (ms: number | undefined): readonly AdversaryCall[] | undefined =>
  ms === undefined
    ? undefined
    : Array.from({ length: Math.ceil(ms / MAX_WAIT_MS) }, () => ({
        tool: 'wait',
        args: { duration_ms: Math.min(ms, MAX_WAIT_MS) },
      }))

async function randomCalls(scenario: Scenario): Promise<readonly AdversaryCall[] | undefined> {
  for (let seed = 1; seed <= MAX_RANDOM_SEED; seed++) {
    const attempt = openAttempt(scenario)
    let random = split(seededRandom(seed), 'random agent')
    for (let step = 0; step < RANDOM_STEPS; step++) {
      const [tool, args, next] = randomAction(attempt.desktop.computer, random)
      random = next
      await attempt.call(tool, args)
    }
    if (await isSolved(attempt)) return shrinkCalls(scenario, attempt.calls)
  }
  return undefined
}

/** The calls of the first solution without those that it does not need. */
async function shortestSolution(
  scenario: Scenario,
  [first]: readonly RecordedSolution[],
): Promise<readonly AdversaryCall[] | undefined> {
  if (!first) return undefined
  const calls = first.calls.map(({ tool, args }) => ({ tool, args }))
  const shrunk = await shrinkCalls(scenario, calls)
  return shrunk.length < calls.length ? shrunk : undefined
}
