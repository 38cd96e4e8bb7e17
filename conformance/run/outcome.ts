import type { RequirementSet, Tier } from '../requirement.ts'
import type { Interference } from './interference.ts'
import type { Latency } from './latency.ts'
import type { Conclusion, RequirementResult } from './results.ts'
import type { ServerLoss } from './server-monitor.ts'
import type { Throughput } from './throughput.ts'

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
  /** 0 passed, 1 failed, 2 not reachable. */
  readonly exitCode: 0 | 1 | 2
  /** Files written. */
  readonly reports: readonly string[]
}
