import { greeting, judge, NOTHING, whereIs } from './judge.ts'
import { type Latency, latencies } from './latency.ts'
import { type CertifyOptions, circumstancesOf } from './options.ts'
import { reportFolder, writeReports } from './report/write.ts'
import type { Protocol, RequirementSet, Tier } from './requirement.ts'
import { type Throughput, throughput } from './throughput.ts'
import { type Conclusion, conclude, type Verdict } from './verdict.ts'

export { mutationRun } from './mutation-run.ts'
export type { CertifyOptions } from './options.ts'
export { outcomeInWords } from './report/words.ts'
export { mutationReport } from './sabotage/mutation.ts'
export { type Fault, sabotageFaults, sabotageProcess, sabotageServer } from './sabotage/serve.ts'

/** A whole run: what was asked, what came out. */
export interface Outcome {
  readonly protocol: Protocol
  /** The server's address, or the command that starts its MCP side. */
  readonly url: string
  readonly set: RequirementSet
  readonly tier: Tier
  readonly profile: string
  readonly seed: number
  readonly verdicts: readonly Verdict[]
  readonly conclusion: Conclusion
  /** Set when the server could not be spoken to at all; then nothing was judged. */
  readonly unreachable?: string
  readonly latencies: readonly Latency[]
  /** Measured after a whole run that is to be reported. */
  readonly throughput?: Throughput
  /** Only some of the requirements were asked for. */
  readonly partial: boolean
  /** 0 passed, 1 failed, 2 not reachable. */
  readonly exitCode: 0 | 1 | 2
  /** Files written. */
  readonly reports: readonly string[]
}

/** Certifies any server of a protocol. Throws only for a mistake in the options. */
export async function certify(options: CertifyOptions): Promise<Outcome> {
  const circumstances = await circumstancesOf(options)
  const { suite, subject, profile, random, tier, baseline } = circumstances
  // Made first, so that a run is not lost because its reports cannot be written.
  const folder = options.report === undefined ? undefined : reportFolder(options.report, options.protocol)
  const unreachable = await greeting(circumstances)
  const ran = unreachable === undefined ? await judge(circumstances) : NOTHING
  const conclusion = conclude(ran.verdicts, baseline, new Set(Object.keys(suite.set.requirements)), ran.gone)
  const partial = options.only !== undefined || options.quickMs !== undefined || subject.url === undefined
  const isWhole = unreachable === undefined && !partial && folder !== undefined
  const speed = isWhole ? await throughput(circumstances) : undefined
  await circumstances.satellites.close()
  const outcome: Outcome = {
    protocol: options.protocol,
    url: whereIs(subject),
    set: suite.set,
    tier,
    profile: profile.name,
    seed: random.seed,
    verdicts: ran.verdicts,
    conclusion,
    ...(unreachable !== undefined && { unreachable }),
    latencies: latencies(suite.contract, ran.frames),
    ...(speed && { throughput: speed }),
    partial,
    exitCode: unreachable !== undefined ? 2 : conclusion.passed ? 0 : 1,
    reports: [],
  }
  return folder === undefined ? outcome : { ...outcome, reports: await writeReports(outcome, folder) }
}
