import { type Contract, findOperation } from '../contract/contract.ts'
import type { Frame } from '../probe/frame.ts'

/** How long an operation took, in milliseconds. Never part of pass or fail. */
export interface Latency {
  readonly operation: string
  readonly count: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Latencies per operation, from the requests of the checks. */
export function measureLatencies(contract: Contract, frames: readonly Frame[]): readonly Latency[] {
  const times = new Map<string, number[]>()
  for (const frame of frames) {
    if (frame.tookMs === undefined) continue
    const [, method = '', path = ''] = /to (\S+) (\S+)$/.exec(frame.title) ?? []
    const operation = findOperation(contract, method, path)
    if (operation) times.set(operation, [...(times.get(operation) ?? []), frame.tookMs])
  }
  return [...times]
    .map(([operation, took]) => {
      const sorted = took.sort((one, other) => one - other)
      return { operation, count: sorted.length, p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) }
    })
    .sort((one, other) => (one.operation < other.operation ? -1 : 1))
}

/** The smallest value that a share of all values does not exceed. */
const quantile = (sorted: readonly number[], share: number): number =>
  Math.round(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]! * 100) / 100
