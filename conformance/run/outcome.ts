import { cpus } from 'node:os'
import * as z from 'zod'
import { type Contract, findOperation } from '../contract/contract.ts'
import { createRecorder, type Frame } from '../probe/frame.ts'
import type { RequirementSet, Tier } from '../requirement.ts'
import type { Conclusion, RequirementResult } from '../suite/results.ts'
import type { Interference } from './interference.ts'
import type { RunContext } from './options.ts'
import { openContextFor } from './run-check.ts'
import type { ServerLoss } from './server-monitor.ts'

/** The result of a whole run. */
export interface CertificationResult {
  readonly protocol: RequirementSet['protocol']
  /** A client was judged, not a server. */
  readonly isClient?: true
  /** The server's address, the command that starts its MCP side, or the command that starts a client. */
  readonly url: string
  readonly set: RequirementSet
  readonly tier: Tier
  readonly profile: string
  readonly seed: number
  /** The name and version of the server, where it states them. */
  readonly server?: string
  /** When the run began, in ISO 8601. */
  readonly startedAt: string
  readonly durationMs: number
  /** The command line of the run without its selection of requirements. */
  readonly again: string
  readonly results: readonly RequirementResult[]
  readonly conclusion: Conclusion
  /** Set when the server is unreachable; then no requirement was judged. */
  readonly unreachable?: string
  /** Every loss of the server. */
  readonly losses: readonly ServerLoss[]
  /** Set when clients of the server disturb each other. */
  readonly interference?: Interference
  readonly latencies: readonly Latency[]
  /** Measured after a whole run with reports. */
  readonly throughput?: Throughput
  /** Only some of the requirements were selected. */
  readonly partial: boolean
  /** The options that selected them. */
  readonly partialBecause?: string
  /** 0 passed, 1 failed, 2 not reachable. */
  readonly exitCode: 0 | 1 | 2
  /** The scenarios that failed checks loaded, by their names; reports write `$SCENARIOS` for their folder. */
  readonly scenarios?: Readonly<Record<string, string>>
  /** Files written. */
  readonly reports: readonly string[]
}

/** The name and version that a server states: to MCP clients, in JSON, or as a header. */
export function nameServer(frames: readonly Frame[]): string | undefined {
  const received = frames.filter(({ direction }) => direction === 'received')
  const bodies = received.flatMap(({ value, text }) => {
    const read = z
      .record(z.string(), z.unknown())
      .safeParse(jsonOf((value as { text?: string } | undefined)?.text ?? text))
    return read.success ? [read.data] : []
  })
  for (const body of bodies) {
    const { serverInfo } = Object(body.result) as { serverInfo?: unknown }
    const read = Named.safeParse(serverInfo ?? body)
    const name = read.data?.name ?? read.data?.adapter ?? read.data?.server
    if (read.success && name !== undefined) return `${name} ${read.data.version}`
  }
  const header = (frame: Frame) => (frame.value as { headers?: Record<string, string> } | undefined)?.headers?.server
  return received.map(header).find((found) => found !== undefined)
}

const Named = z.object({
  version: z.string(),
  name: z.string().optional(),
  adapter: z.string().optional(),
  server: z.string().optional(),
})

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How long an operation took, in milliseconds. Never part of pass or fail. */
interface Latency {
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

/** The rate at which sessions open on several connections in parallel. Never part of pass or fail. */
interface Throughput {
  readonly sessionsPerSecond: number
  /** Cores of the machine that runs the suite; a server on the same machine shares them. */
  readonly cores: number
}

const DURATION_MS = 1500
const CONNECTIONS = 8

/** Opens sessions for a while. */
export async function measureThroughput(runContext: RunContext): Promise<Throughput> {
  const { suite, random } = runContext
  const startedAt = performance.now()
  let opened = 0
  const line = async () => {
    while (performance.now() - startedAt < DURATION_MS) {
      const { bench: context, close } = openContextFor(
        runContext,
        random.split('throughput'),
        createRecorder(),
        DURATION_MS * 2,
      )
      try {
        await suite.handshake(context)
        opened++
      } catch {
        return
      } finally {
        await close()
      }
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, line))
  return { sessionsPerSecond: Math.round((opened * 1000) / (performance.now() - startedAt)), cores: cpus().length }
}
