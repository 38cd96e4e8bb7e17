import { drawInteger, type Random, seededRandom, split } from '../../base/random.ts'
import type { Desktop } from '../../desktop/model/desktop.ts'
import { hookOf } from './catalogue.ts'
import type { ChosenFault } from './fault-kind.ts'
import type { FaultEntry, FaultRun, FiredFault } from './fault-run.ts'

/** The step after which a fault of a step fires, unless it names one. */
const FIRST_STEP = 1
const LAST_STEP = 4

/** The state of the faults at the start of a run; undefined without any. Each fault draws on its own. */
export function startFaults(
  own: readonly ChosenFault[],
  chosen: readonly ChosenFault[],
  start: { readonly seed: number; readonly desktop: Desktop; readonly atMs: number },
): FaultRun | undefined {
  const all = [...own, ...chosen]
  if (all.length === 0) return undefined
  const parent = split(seededRandom(start.seed), 'faults')
  const numbers = new Map<string, number>()
  const fired: FiredFault[] = []
  const entries = all.map((each): FaultEntry => {
    const { fault } = each
    const number = (numbers.get(fault) ?? 0) + 1
    numbers.set(fault, number)
    const [step, random] = drawInteger(split(parent, `${fault} ${number}`), FIRST_STEP, LAST_STEP)
    const [where, next] = drawSplit(random)
    const hook = hookOf(each)
    const isConstant = hook.on === 'observation' && hook.constant === true
    if (isConstant) fired.push({ fault, step: 0, elapsedMs: 0 })
    return {
      chosen: each,
      random: next,
      chances: 0,
      firings: 0,
      atStep: typeof each.step === 'number' ? each.step : step,
      active: isConstant ? { untilMs: Number.POSITIVE_INFINITY, before: start.desktop, random: where } : undefined,
    }
  })
  return { chosen, entries, steps: 0, startMs: start.atMs, fired }
}

const MAX_SEED = 0x7fff_ffff

/** A generator for one firing, and the next generator. */
export function drawSplit(random: Random): [Random, Random] {
  const [seed, next] = drawInteger(random, 0, MAX_SEED)
  return [seededRandom(seed), next]
}
