/** Times small work side by side in rounds, so that a temporarily busy machine affects all subjects. */

export interface BenchCase {
  readonly name: string
  /** Called before each round, not timed. */
  readonly prepare?: () => void | Promise<void>
  readonly run: () => unknown
  /** The number of runs per round. */
  readonly times: number
}

export interface Measured {
  readonly name: string
  /** Milliseconds of processor time of this process per run: the median of the rounds. */
  readonly cpuMs: number
  /** Milliseconds of wall time per run: the minimum of the rounds. */
  readonly wallMs: number
}

const ROUNDS = 5

/** Keeps results alive, so that no measured work is optimised away. */
export const kept: unknown[] = []

export async function measure(cases: readonly BenchCase[], rounds = ROUNDS): Promise<readonly Measured[]> {
  const samples = cases.map(() => ({ cpu: [] as number[], wall: [] as number[] }))
  for (let round = -1; round < rounds; round++) {
    for (const [index, { prepare, run, times }] of cases.entries()) {
      await prepare?.()
      const cpu = process.cpuUsage()
      const started = performance.now()
      let last: unknown
      for (let time = 0; time < times; time++) {
        last = run()
        if (last instanceof Promise) last = await last
      }
      const wallMs = (performance.now() - started) / times
      const { user, system } = process.cpuUsage(cpu)
      kept[index] = last
      // The first round is a warm-up.
      if (round < 0) continue
      samples[index]!.cpu.push((user + system) / 1000 / times)
      samples[index]!.wall.push(wallMs)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return cases.map(({ name }, index) => ({
    name,
    cpuMs: median(samples[index]!.cpu),
    wallMs: Math.min(...samples[index]!.wall),
  }))
}

export const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/** A line of the report: the subject, the result, the target, and whether it is met. */
export interface ReportLine {
  readonly what: string
  readonly measured: string
  readonly target?: string
  readonly met?: boolean
}

export const ms = (value: number): string =>
  value >= 1
    ? `${value.toFixed(2)} ms`
    : value >= 0.001
      ? `${(value * 1000).toFixed(1)} µs`
      : `${(value * 1e6).toFixed(0)} ns`

export function atMost(what: string, value: number, target: number): ReportLine {
  return { what, measured: ms(value), target: `< ${ms(target)}`, met: value < target }
}

export function atLeast(what: string, ratio: number, target: number, unit = '×'): ReportLine {
  const shown = ratio >= 100 ? ratio.toFixed(0) : ratio.toFixed(2)
  return { what, measured: `${shown}${unit}`, target: `≥ ${target}${unit}`, met: ratio >= target }
}

export const atMostTimes = (what: string, ratio: number, target: number): ReportLine => ({
  what,
  measured: `${ratio.toFixed(2)}×`,
  target: `≤ ${target}×`,
  met: ratio <= target,
})

export function print(title: string, lines: readonly ReportLine[]): void {
  process.stdout.write(`\n${title}\n`)
  for (const { what, measured, target = '', met } of lines) {
    const mark = met === undefined ? ' ' : met ? '✓' : '✗'
    process.stdout.write(`  ${mark} ${what.padEnd(62)} ${measured.padStart(12)}  ${target}\n`)
  }
}
