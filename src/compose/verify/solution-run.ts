import { createHash } from 'node:crypto'
import type { SyntheticComputer } from '../../adapters/synthetic/synthetic.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import { reportOracles } from '../../observer/oracles.ts'
import type { DesktopSession } from '../../observer/session/session.ts'
import { duplicateInWords, duplicatesIn } from '../../scenario/composition/instance.ts'
import type { AuthoredFaults } from '../../scenario/faults/catalogue.ts'
import type { FiredFault } from '../../scenario/faults/fault-kind.ts'
import { explain } from '../../scenario/oracles/oracle.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { entriesOf } from '../../scenario/scenario-run.ts'
import { memorySession } from '../memory-session.ts'
import { playSolution, type ReplaceCall } from '../play-solution.ts'

/** A run of a solution of a scenario. */
export interface SolutionRun {
  /** The hashes of all trees and of the pixels of the screen, initially and after each step. */
  readonly marks: readonly string[]
  /** Undefined when every step succeeded and the oracles pass. */
  readonly failure: string | undefined
  /** Virtual time. */
  readonly durationMs: number
  /** The faults that fired, in order. */
  readonly fired: readonly FiredFault[]
}

/** How a solution is run. */
interface SolutionRunOptions {
  /** Whether the screen is painted and hashed after each step; true by default. */
  readonly marked?: boolean
  readonly faults?: AuthoredFaults
  /** Leaves out the optional steps. */
  readonly onlyNeeded?: boolean
}

/** Runs a solution of a scenario, by default its first, on a desktop in memory. */
export async function runSolution(
  scenario: Scenario,
  solution = scenario.solutions[0],
  { marked = true, faults = [], onlyNeeded = false }: SolutionRunOptions = {},
): Promise<SolutionRun> {
  const desktop = memorySession(scenario, { faults })
  const { session, computer, clock } = desktop
  const mark = async () => (marked ? [await screenDigest(computer)] : [])
  const marks = await mark()
  const startMs = clock.now()
  if (!solution) return { marks, failure: 'the scenario has no solution', durationMs: 0, fired: [] }
  let failure: string | undefined
  const replace: ReplaceCall = (planned) => (onlyNeeded && planned.isOptional ? undefined : planned)
  for await (const played of playSolution(desktop, solution, replace)) {
    failure = played.failure
    failure ??= itemsLeftOut(computer)
    if (!failure) marks.push(...(await mark()))
  }
  failure ??= await checkSuccess(session)
  return { marks, failure, durationMs: clock.now() - startMs, fired: computer.firedFaults }
}

/** Why the screen does not show the items of the data as they are: two have one key, or there are more than are shown. */
function itemsLeftOut({ run }: SyntheticComputer): string | undefined {
  const { hosts = [], windows = [] } = run.scenario.program ?? {}
  if (hosts.length + windows.length === 0) return undefined
  for (const { tree } of run.desktop.windows) {
    const [duplicate] = duplicatesIn(tree)
    if (duplicate) return `duplicate-key: ${duplicateInWords(duplicate)}`
  }
  const reasons = entriesOf(run.log).map(({ fields }) => String(fields?.reason))
  return reasons.find((reason) => /^repeat: .* are shown$/.test(reason))
}

/** Returns why the scenario is not solved: the first success oracle that fails, or a failure oracle that passes. */
export async function checkSuccess(session: DesktopSession): Promise<string | undefined> {
  const simulation = session.computer.simulation!
  const report = await reportOracles(session.context, simulation)
  const met = report.failure.find(({ passed }) => passed)
  if (met) return `failure oracle ${explain(met)}`
  if (report.success.length === 0) return 'the scenario has no success oracle'
  const missed = report.success.find(({ passed }) => !passed)
  return missed && `success oracle ${explain(missed)}`
}

/** The hashes of all trees and of the pixels of the screen. */
export async function screenDigest(computer: SyntheticComputer): Promise<string> {
  const trees = computer.windows().map(({ uid }) => {
    const tree = computer.tree(uid)
    return `${uid} ${tree ? treeHash(tree) : ''}`
  })
  const picture = await computer.screenshot({ screen: true })
  const pixels = createHash('sha256').update(picture.pixels()).digest('hex')
  return [...trees, `pixels ${pixels}`].join('\n')
}
