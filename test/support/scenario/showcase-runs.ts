import { createHash } from 'node:crypto'
import { memorySession } from '../../../src/compose/memory-session.ts'
import { playSolution } from '../../../src/compose/play-solution.ts'
import { loadScenario } from '../../../src/compose/preview.ts'
import { screenDigest } from '../../../src/compose/verify/solution-run.ts'
import { SHELL_STYLES } from '../../../src/desktop/style/style.ts'
import { call } from '../../../src/observer/call.ts'
import { type AuthoredFaults, checkFaults, FAULT_CATALOGUE } from '../../../src/scenario/faults/catalogue.ts'
import { variantsOf } from '../../../src/scenario/seeds.ts'
import type { VariantChoices } from '../../../src/scenario/variants/axis.ts'

/** What a run of `showcase` leaves: the trees and pixels at its end, its trace and the firings of faults. */
export interface ShowcaseRun {
  readonly end: string
  readonly trace: string
  readonly fired: readonly string[]
}

/** A fault that fires whenever it could. */
const certain = (id: string): AuthoredFaults[number] => {
  const [fault] = checkFaults([id])
  return 'probability' in fault! ? { ...fault, probability: 1 } : fault!
}

/** Runs that have several axes and faults together. */
const COMBINATIONS: readonly (readonly [VariantChoices, readonly string[]])[] = [
  [{ personality: 'windows-uia', locale: 'mirrored', scale: '1.5' }, ['stale-reference', 'injected-text', 'latency']],
  [{ personality: 'macos-ax', theme: 'dark', text_size: '1.6' }, ['partial-tree', 'doubled-keys', 'occluding-toast']],
  [{ data: '9', synonyms: 'random', window_position: 'random' }, ['late-tree', 'ghost-node', 'session-timeout']],
]

/** Plays `showcase` in each axis, with each fault and with some combinations. The runs by name. */
export async function playShowcase(): Promise<Readonly<Record<string, ShowcaseRun>>> {
  const drawn: VariantChoices = Object.assign({}, ...variantsOf(await loadScenario('showcase'), 100))
  const cases: readonly (readonly [VariantChoices, readonly string[]])[] = [
    ...Object.entries(drawn).map(([axis, value]) => [{ [axis]: value }, []] as const),
    // Samples never draw a style.
    ...SHELL_STYLES.map((style) => [{ style }, []] as const),
    ...FAULT_CATALOGUE.map(({ id }) => [{}, [id]] as const),
    ...COMBINATIONS,
  ]
  const runs: Record<string, ShowcaseRun> = {}
  for (const [variant, faults] of cases) {
    const name = [...Object.entries(variant).map((choice) => choice.join('=')), ...faults].join(' ')
    runs[name] = await play(variant, faults.map(certain))
  }
  return runs
}

async function play(variant: VariantChoices, faults: AuthoredFaults): Promise<ShowcaseRun> {
  const desktop = memorySession(await loadScenario('showcase', { variant }), { faults })
  const { session, computer, artifacts } = desktop
  await call(session, 'trace_start', {})
  for await (const _ of playSolution(desktop, computer.loadedScenario.solutions[0]));
  await call(session, 'trace_stop', {})
  const trace = createHash('sha256')
  for (const [path, content] of artifacts) trace.update(path).update(content)
  const fired = computer.firedFaults.map(({ fault, step, elapsedMs }) => `${fault} ${step} ${elapsedMs}`)
  return { end: await screenDigest(computer), trace: trace.digest('hex'), fired }
}
