import { AssertionError } from 'node:assert/strict'
import { NotOffered } from './probe/failure.ts'
import { reportFolder, writeReports } from './report/write.ts'
import { interferenceInWords } from './run/interference.ts'
import { latencies } from './run/latency.ts'
import { type CertifyOptions, circumstancesOf } from './run/options.ts'
import type { Outcome } from './run/outcome.ts'
import { conclude } from './run/results.ts'
import { greeting, whereIs } from './run/run-check.ts'
import { judge, NOTHING } from './run/run-checks.ts'
import { deathInWords } from './run/server-monitor.ts'
import { throughput } from './run/throughput.ts'

export { type CertifyClientOptions, certifyClient } from './client/run.ts'
export { outcomeInWords } from './report/words.ts'
export type { CertifyOptions } from './run/options.ts'
export { mutationReport } from './sabotage/mutation.ts'
export { mutationRun } from './sabotage/mutation-run.ts'
export { type Fault, sabotageFaults, sabotageProcess, sabotageServer } from './sabotage/serve.ts'

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

/** What a check no longer waits for when it ends may fail after it, and is no bug unless it is none of the server's. */
function ignoreAbandoned(reason: unknown): void {
  if (!(reason instanceof AssertionError || reason instanceof NotOffered)) throw reason
}

/** Certifies any server of a protocol. Throws only for a mistake in the options. */
export async function certify(options: CertifyOptions): Promise<Outcome> {
  const circumstances = await circumstancesOf(options)
  const { suite, subject, profile, random, tier, baseline } = circumstances
  // Made first, so that a run is not lost because its reports cannot be written.
  const folder = options.report === undefined ? undefined : reportFolder(options.report, options.protocol)
  const { unreachable, ran } = await ignoringAbandoned(async () => {
    const unreachable = await greeting(circumstances)
    return { unreachable, ran: unreachable === undefined ? await judge(circumstances) : NOTHING }
  })
  const { deaths, interference } = ran
  const incidents = [
    ...deaths.map(deathInWords),
    ...(interference ? [interferenceInWords(interference)] : []),
    ...(ran.cutShort === undefined ? [] : [ran.cutShort]),
  ]
  const known = new Set(Object.keys(suite.set.requirements))
  const conclusion = conclude(ran.verdicts, baseline, known, incidents)
  const partial =
    options.only !== undefined ||
    options.skip !== undefined ||
    options.quickMs !== undefined ||
    subject.url === undefined
  const isWhole = unreachable === undefined && !partial && folder !== undefined
  const speed = isWhole ? await throughput(circumstances) : undefined
  await circumstances.close()
  const outcome: Outcome = {
    protocol: options.protocol,
    url: whereIs(subject),
    set: suite.set,
    tier,
    profile: profile.name,
    seed: random.seed,
    verdicts: ran.verdicts,
    conclusion,
    deaths,
    ...(interference && { interference }),
    ...(unreachable !== undefined && { unreachable }),
    latencies: latencies(suite.contract, ran.frames),
    ...(speed && { throughput: speed }),
    partial,
    exitCode: unreachable !== undefined ? 2 : conclusion.passed ? 0 : 1,
    reports: [],
  }
  return folder === undefined ? outcome : { ...outcome, reports: await writeReports(outcome, folder) }
}
