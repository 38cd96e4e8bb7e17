import { AssertionError } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type Baseline, readBaseline } from './baseline.ts'
import { openBench, type Subject } from './bench.ts'
import type { Check } from './check.ts'
import { type Latency, latencies } from './latency.ts'
import { within } from './probe/failure.ts'
import { type Frame, recorder } from './probe/frame.ts'
import { loadProfile, type Profile, profileOf } from './profile.ts'
import { type Progress, progressTo, SILENT } from './progress.ts'
import { writeReports } from './report/write.ts'
import { belongs, PROTOCOLS, type Protocol, type Requirement, type RequirementSet, type Tier } from './requirement.ts'
import { type Random, seededRandom } from './seed.ts'
import { judgeShapes, ownMistakes } from './shapes.ts'
import { loadSuite, type Suite } from './suites.ts'
import { type Conclusion, conclude, type Finding, type Verdict, verdictOf } from './verdict.ts'

export interface CertifyOptions {
  readonly protocol: Protocol
  /** The server's address, such as `http://127.0.0.1:5001`. */
  readonly url: string
  /** Starts the same server's MCP side on stdin and stdout. */
  readonly command?: string
  readonly token?: string
  /** Path of a profile, or one that has been read already. */
  readonly profile?: string | Profile
  /** Requirement ids, or beginnings of ids; all of the tier when absent. */
  readonly only?: readonly string[]
  /** What the server claims; the profile's claim, else `full`. */
  readonly tier?: Tier
  /** Path of a baseline of expected failures. */
  readonly baseline?: string
  readonly seed?: number
  /** A directory for the reports; nothing is written when absent. */
  readonly report?: string
  /** Where progress is told; nowhere when absent. */
  readonly progress?: NodeJS.WritableStream & { readonly isTTY?: boolean }
  /** Milliseconds the server may take for anything that has no time of its own in the document; 10 s when absent. */
  readonly patienceMs?: number
  /** Stops at the first thing that fails the run. */
  readonly failFast?: boolean
  /** Checks that may take longer than this are left out and not judged; for quick rounds only, no certificate is written. */
  readonly quickMs?: number
}

/** A whole run: what was asked, what came out. */
export interface Outcome {
  readonly protocol: Protocol
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
  /** Only some of the requirements were asked for. */
  readonly partial: boolean
  /** 0 passed, 1 failed, 2 not reachable. */
  readonly exitCode: 0 | 1 | 2
  /** Files written. */
  readonly reports: readonly string[]
}

/** Certifies any server of a protocol. Throws only for a mistake in the options. */
export async function certify(options: CertifyOptions): Promise<Outcome> {
  if (!PROTOCOLS.includes(options.protocol))
    throw new Error(`"${options.protocol}" is no protocol; one of ${PROTOCOLS.join(', ')} is`)
  const suite = await loadSuite(options.protocol)
  const profile = profileFrom(options)
  const tier = options.tier ?? profile.tier ?? 'full'
  const seed = options.seed ?? 1
  const baseline = options.baseline ? readBaseline(readFileSync(options.baseline, 'utf8'), options.baseline) : {}
  const subject: Subject = {
    url: new URL(options.url).href.replace(/\/$/, ''),
    ...(options.command !== undefined && { command: options.command }),
    ...(options.token !== undefined && { token: options.token }),
  }
  const random = seededRandom(seed)
  const about = { protocol: options.protocol, url: subject.url, set: suite.set, tier, profile: profile.name, seed }

  const unreachable = await greeting(suite, subject, profile, random)
  const ran =
    unreachable === undefined ? await judge(suite, { subject, profile, random, tier, baseline, options }) : NOTHING
  const conclusion = conclude(ran.verdicts, baseline, new Set(Object.keys(suite.set.requirements)))
  const partial = options.only !== undefined || options.quickMs !== undefined
  const outcome: Outcome = {
    ...about,
    verdicts: ran.verdicts,
    conclusion,
    ...(unreachable !== undefined && { unreachable }),
    latencies: latencies(suite.contract, ran.frames),
    partial,
    exitCode: unreachable !== undefined ? 2 : conclusion.passed ? 0 : 1,
    reports: [],
  }
  return options.report === undefined ? outcome : { ...outcome, reports: await writeReports(outcome, options.report) }
}

interface Ran {
  readonly verdicts: readonly Verdict[]
  readonly frames: readonly Frame[]
}

const NOTHING: Ran = { verdicts: [], frames: [] }

function profileFrom({ profile, protocol }: CertifyOptions): Profile {
  if (profile === undefined) return profileOf('none')
  return typeof profile === 'string' ? loadProfile(profile, protocol) : profile
}

const PATIENCE_MS = 10_000

/** Milliseconds after which a server that says nothing is given up. */
const GREETING_MS = 20_000

/** Why the server cannot be spoken to, or undefined when it can. */
async function greeting(suite: Suite, subject: Subject, profile: Profile, random: Random): Promise<string | undefined> {
  const { bench, close } = openBench({
    subject,
    contract: suite.contract,
    profile,
    random,
    recorder: recorder(),
    patienceMs: PATIENCE_MS,
  })
  try {
    await within(GREETING_MS, suite.greet(bench), `any ${suite.set.protocol} answer from ${subject.url}`)
    return undefined
  } catch (error) {
    return `${subject.url} does not speak ${suite.set.protocol}: ${error instanceof Error ? error.message : String(error)}`
  } finally {
    await close()
  }
}

interface Circumstances {
  readonly subject: Subject
  readonly profile: Profile
  readonly random: Random
  readonly tier: Tier
  readonly baseline: Baseline
  readonly options: CertifyOptions
}

async function judge(suite: Suite, circumstances: Circumstances): Promise<Ran> {
  const { random, tier, baseline, options } = circumstances
  const wanted = ([id, requirement]: [string, Requirement]) =>
    options.only ? options.only.some((start) => id.startsWith(start)) : belongs(requirement, tier)
  const asked = new Map(Object.entries(suite.set.requirements).filter(wanted))
  const isShape = (id: string) => id.startsWith(`${suite.set.protocol}:shape:`)
  const quick = (check: Check) => options.quickMs === undefined || check.timeoutMs <= options.quickMs
  // Shapes are judged over all frames, so asking for one of them runs every check.
  const needsAll = [...asked.keys()].some(isShape)
  const queue = [...suite.checks.values()].filter((check) => quick(check) && (needsAll || asked.has(check.id)))
  const progress: Progress = options.progress ? progressTo(options.progress, queue.length) : SILENT
  const findings = new Map<string, Finding>()
  const frames: Frame[] = []
  const over = () =>
    options.failFast === true && [...findings].some(([id, finding]) => fatal(asked.get(id), finding, baseline[id]))

  const ordered = slowFirst(random.split('order').shuffle(queue))
  const worker = async () => {
    while (ordered.length > 0 && !over()) {
      const check = ordered.shift()!
      progress.started(check.id)
      const startedAt = performance.now()
      const finding = await carryOut(check, suite, circumstances)
      progress.ended(check.id, finding.result, performance.now() - startedAt)
      findings.set(check.id, finding)
      frames.push(...finding.frames)
    }
  }
  await Promise.all(Array.from({ length: suite.concurrency }, worker))
  progress.finish()

  if (options.quickMs === undefined || needsAll)
    for (const [id, finding] of judgeShapes(suite.contract, frames)) findings.set(id, finding)
  const verdicts = [...asked]
    .filter(([id]) => findings.has(id) || (!options.failFast && options.quickMs === undefined))
    .map(([id, requirement]) =>
      verdictOf(id, requirement, worthKeeping(findings.get(id) ?? untold(requirement)), baseline),
    )
  return { verdicts, frames }
}

/** The longest checks start first, so that the run is not kept waiting by one of them at its end. */
const slowFirst = (checks: readonly Check[]): Check[] =>
  [...checks].sort((one, other) => other.timeoutMs - one.timeoutMs)

const fatal = (requirement: Requirement | undefined, finding: Finding, accepted: string | undefined): boolean =>
  finding.result === 'harness' ||
  (finding.result === 'failed' && requirement?.level === 'MUST' && accepted === undefined)

/** A requirement without a check has a stated reason; without either it is an error of the suite. */
const untold = (requirement: Requirement): Finding =>
  requirement.unchecked === undefined
    ? { result: 'harness', why: 'the suite has no check for this requirement', frames: [] }
    : { result: 'unchecked', why: requirement.unchecked, frames: [] }

const worthKeeping = (finding: Finding): Finding =>
  finding.result === 'failed' || finding.result === 'harness' ? finding : { ...finding, frames: [] }

async function carryOut(
  check: Check,
  suite: Suite,
  { subject, profile, random, options }: Circumstances,
): Promise<Finding> {
  const record = recorder()
  const { bench, close } = openBench({
    subject,
    contract: suite.contract,
    profile,
    random: random.split(check.id),
    recorder: record,
    patienceMs: options.patienceMs ?? PATIENCE_MS,
  })
  try {
    await within(check.timeoutMs, check.run(bench), `the check to end`)
  } catch (error) {
    return failure(error, record.frames)
  } finally {
    await close()
  }
  const mistakes = ownMistakes(suite.contract, record.frames)
  if (mistakes.length > 0)
    return { result: 'harness', why: `the suite sent ${mistakes.join('; ')}`, frames: record.frames }
  return { result: 'passed', frames: record.frames }
}

/** An assertion is the server's failure; anything else that is thrown is an error of the suite. */
function failure(error: unknown, frames: readonly Frame[]): Finding {
  if (error instanceof AssertionError) {
    const { expected, actual, pictures } = error as AssertionError & { pictures?: Readonly<Record<string, string>> }
    return {
      result: 'failed',
      why: error.message,
      ...(expected !== undefined && { expected }),
      ...(actual !== undefined && { actual }),
      ...(pictures && { pictures }),
      frames,
    }
  }
  return { result: 'harness', why: error instanceof Error ? (error.stack ?? error.message) : String(error), frames }
}
