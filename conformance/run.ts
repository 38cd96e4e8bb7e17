import { AssertionError } from 'node:assert/strict'
import { NotOffered } from './probe/failure.ts'
import { takeScenarios } from './report/scenarios.ts'
import { ensureReportFolder, writeReports } from './report/write.ts'
import { describeInterference } from './run/interference.ts'
import { type CertifyOptions, commandAgain, createRunContext, describeSelection } from './run/options.ts'
import { type CertificationResult, measureLatencies, measureThroughput, nameServer } from './run/outcome.ts'
import { probeServer, targetName } from './run/run-check.ts'
import { EMPTY_RUN, runChecks } from './run/run-checks.ts'
import { describeLoss, type ServerLoss } from './run/server-monitor.ts'
import { conclude, type RequirementResult } from './suite/results.ts'

export { type CertifyClientOptions, certifyClient } from './certify-client.ts'
export { describeResult as outcomeInWords } from './report/words.ts'
export type { CertifyOptions } from './run/options.ts'
export { mutationReport, runMutation as mutationRun } from './sabotage/mutation.ts'
export {
  listSabotages as sabotageFaults,
  runSabotaged as sabotageCall,
  type SabotageInfo as Fault,
  startSabotageProcess as sabotageProcess,
  startSabotageProxy as sabotageServer,
} from './sabotage/serve.ts'

let runs = 0

async function ignoringAbandoned<T>(run: () => Promise<T>): Promise<T> {
  if (runs === 0) process.on('unhandledRejection', ignoreAbandoned)
  runs++
  try {
    return await run()
  } finally {
    runs--
    if (runs === 0) process.off('unhandledRejection', ignoreAbandoned)
  }
}

/** Ignores failures of the server in promises that an ended check no longer awaits. */
function ignoreAbandoned(reason: unknown): void {
  if (!(reason instanceof AssertionError || reason instanceof NotOffered)) throw reason
}

/** Whether the baseline accepts the failure of each check that was running when the server was lost. */
const isAccepted = ({ during }: ServerLoss, results: readonly RequirementResult[]): boolean =>
  during.length > 0 && during.every((id) => results.find((one) => one.id === id)?.accepted !== undefined)

/** Certifies any server of a protocol. Throws only for a mistake in the options. */
export async function certify(options: CertifyOptions): Promise<CertificationResult> {
  const startedAt = new Date()
  const runContext = await createRunContext(options)
  const { suite, target, profile, random, tier, baseline } = runContext
  // Made first, so that a run is not lost because its reports cannot be written.
  const folder = options.report === undefined ? undefined : ensureReportFolder(options.report, options.protocol)
  const { unreachable, ran } = await ignoringAbandoned(async () => {
    const unreachable = await probeServer(runContext)
    return { unreachable, ran: unreachable === undefined ? await runChecks(runContext) : EMPTY_RUN }
  })
  const { interference } = ran
  const losses = ran.losses.map((loss) => (isAccepted(loss, ran.results) ? { ...loss, accepted: true } : loss))
  const incidents = [
    ...losses.filter(({ accepted }) => !accepted).map(describeLoss),
    ...(interference ? [describeInterference(interference)] : []),
    ...(ran.cutShort === undefined ? [] : [ran.cutShort]),
  ]
  const known = new Set(Object.keys(suite.set.requirements))
  const conclusion = conclude(ran.results, baseline, known, incidents)
  const partialBecause = describeSelection(options, suite.isCommandLine === true)
  const partial = partialBecause !== undefined
  const isWhole = unreachable === undefined && !partial && folder !== undefined
  const speed = isWhole && !suite.isCommandLine ? await measureThroughput(runContext) : undefined
  await runContext.close()
  const server = nameServer(ran.frames)
  const outcome: CertificationResult = {
    protocol: options.protocol,
    url: targetName(target),
    set: suite.set,
    tier,
    profile: profile.name,
    seed: random.seed,
    ...(server !== undefined && { server }),
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    again: commandAgain(options),
    ...takeScenarios(ran.results),
    conclusion,
    losses,
    ...(interference && { interference }),
    ...(unreachable !== undefined && { unreachable }),
    latencies: measureLatencies(suite.contract, ran.frames),
    ...(speed && { throughput: speed }),
    partial,
    ...(partial && { partialBecause }),
    exitCode: unreachable !== undefined ? 2 : conclusion.passed ? 0 : 1,
    reports: [],
  }
  return folder === undefined ? outcome : { ...outcome, reports: await writeReports(outcome, folder) }
}
