import type { Check, Lane } from '../checks/check.ts'

/** How checks share the servers they act on. */
export interface Lanes {
  /** How many checks of the main lane run at once. */
  readonly concurrency: number
  /** Servers that show one real screen cannot be acted on beside each other. */
  readonly sharesScreen: boolean
}

/** Carries out checks in the order given, those of each lane as the lane demands; none begins once it is `over`. */
export async function inLanes(
  checks: readonly Check[],
  { concurrency, sharesScreen }: Lanes,
  carryOut: (check: Check) => Promise<void>,
  over: () => boolean = () => false,
): Promise<void> {
  const work = async (lane: Check[]) => {
    while (lane.length > 0 && !over()) await carryOut(lane.shift()!)
  }
  const lane = (name: Lane) => checks.filter((check) => check.lane === name)
  const main = lane('main')
  const beside = [lane('satellite'), lane('mcp')]
  await Promise.all([
    ...Array.from({ length: concurrency }, () => work(main)),
    ...(sharesScreen ? [] : beside.map(work)),
  ])
  if (sharesScreen) for (const one of beside) await work(one)
  await work(lane('dangerous'))
}
