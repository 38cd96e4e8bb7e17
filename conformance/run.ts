import { readFileSync } from 'node:fs'
import { readBaseline } from './baseline.ts'
import type { Subject } from './bench.ts'
import { type Circumstances, greeting, judge, NOTHING } from './judge.ts'
import { type Latency, latencies } from './latency.ts'
import { loadProfile, type Profile, profileOf } from './profile.ts'
import { writeReports } from './report/write.ts'
import { PROTOCOLS, type Protocol, type RequirementSet, type Tier } from './requirement.ts'
import { satellites } from './satellites.ts'
import { seededRandom } from './seed.ts'
import { loadSuite } from './suites.ts'
import { type Conclusion, conclude, type Verdict } from './verdict.ts'

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

/** All that a run with these options depends on. Throws for a mistake in the options. */
export async function circumstancesOf(options: CertifyOptions): Promise<Circumstances> {
  if (!PROTOCOLS.includes(options.protocol))
    throw new Error(`"${options.protocol}" is no protocol; one of ${PROTOCOLS.join(', ')} is`)
  const suite = await loadSuite(options.protocol)
  const profile = profileFrom(options)
  const subject: Subject = {
    url: new URL(options.url).href.replace(/\/$/, ''),
    ...(options.command !== undefined && { command: options.command }),
    ...(options.token !== undefined && { token: options.token }),
  }
  return {
    suite,
    subject,
    profile,
    random: seededRandom(options.seed ?? 1),
    tier: options.tier ?? profile.tier ?? 'full',
    baseline: options.baseline ? readBaseline(readFileSync(options.baseline, 'utf8'), options.baseline) : {},
    options,
    satellites: satellites(profile.servers, suite.readyPath),
  }
}

/** Certifies any server of a protocol. Throws only for a mistake in the options. */
export async function certify(options: CertifyOptions): Promise<Outcome> {
  const circumstances = await circumstancesOf(options)
  const { suite, subject, profile, random, tier, baseline } = circumstances
  const unreachable = await greeting(circumstances)
  const ran = unreachable === undefined ? await judge(circumstances) : NOTHING
  await circumstances.satellites.close()
  const conclusion = conclude(ran.verdicts, baseline, new Set(Object.keys(suite.set.requirements)))
  const partial = options.only !== undefined || options.quickMs !== undefined
  const outcome: Outcome = {
    protocol: options.protocol,
    url: subject.url,
    set: suite.set,
    tier,
    profile: profile.name,
    seed: random.seed,
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

function profileFrom({ profile, protocol }: CertifyOptions): Profile {
  if (profile === undefined) return profileOf('none')
  return typeof profile === 'string' ? loadProfile(profile, protocol) : profile
}
