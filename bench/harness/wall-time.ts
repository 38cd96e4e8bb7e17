import { median, ms, type ReportLine } from './measure.ts'

export const RUNS = 60
export const WARM_UPS = 10

/** The wall time of one run: the median of many after a warm-up. */
export async function timed(run: (turn: number) => unknown, runs = RUNS): Promise<number> {
  const samples: number[] = []
  for (let turn = -WARM_UPS; turn < runs; turn++) {
    const started = performance.now()
    await run(turn)
    if (turn >= 0) samples.push(performance.now() - started)
  }
  return median(samples)
}

/** A step of Backlot and the same step done in another way, such as with a tool that scripts use. */
export const beside = (what: string, oursMs: number, other: string, theirsMs: number): ReportLine => ({
  what,
  measured: ms(oursMs),
  target: `${other}: ${ms(theirsMs)}`,
})
