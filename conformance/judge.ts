import { AssertionError } from 'node:assert/strict'
import { type Bench, openBench, type Subject } from './bench.ts'
import type { Check } from './check.ts'
import { differences, differencesInWords } from './compare/differences.ts'
import { inLanes, type Lanes } from './lanes.ts'
import type { Circumstances } from './options.ts'
import { within } from './probe/failure.ts'
import { type Frame, type Recorder, recorder, veiled } from './probe/frame.ts'
import { type Progress, progressTo, SILENT } from './progress.ts'
import { belongs, type Requirement } from './requirement.ts'
import type { Random } from './seed.ts'
import { isNeverSeen, judgeShapes, ownMistakes } from './shapes.ts'
import { type Finding, type Verdict, verdictOf } from './verdict.ts'

/** What a run found, and all frames it saw. */
export interface Ran {
  readonly verdicts: readonly Verdict[]
  readonly frames: readonly Frame[]
  /** Why the run was ended before all was tried: the server could not be spoken to any more. */
  readonly gone?: string
}

export const NOTHING: Ran = { verdicts: [], frames: [] }

const PATIENCE_MS = 10_000

/** Milliseconds after which a server that says nothing is given up. */
const GREETING_MS = 20_000

/** Why the server cannot be spoken to, or undefined when it can. */
export async function greeting(circumstances: Circumstances): Promise<string | undefined> {
  const { suite, subject, random } = circumstances
  const { bench, close } = benchFor(circumstances, random, recorder(), PATIENCE_MS)
  const where = whereIs(subject)
  try {
    await within(GREETING_MS, suite.greet(bench), `any ${suite.set.protocol} answer from ${where}`)
    return undefined
  } catch (error) {
    return `${where} does not speak ${suite.set.protocol}: ${inWords(error, subject.token)}`
  } finally {
    await close()
  }
}

/** The server's address, or what starts it. */
export const whereIs = ({ url, command }: Subject): string => url ?? command ?? ''

/** A bench on which these circumstances hold. */
export function benchFor(
  { suite, subject, profile, satellites }: Circumstances,
  random: Random,
  record: Recorder,
  patienceMs: number,
): { readonly bench: Bench; readonly close: () => Promise<void> } {
  return openBench({ subject, contract: suite.contract, profile, random, recorder: record, patienceMs, satellites })
}

/** Carries out the checks, and judges all frames against the contract. */
export async function judge(circumstances: Circumstances): Promise<Ran> {
  const { suite, subject, random, tier, baseline, options } = circumstances
  const reachable = (id: string) => subject.url !== undefined || suite.checks.get(id)?.lane === 'mcp'
  const wanted = ([id, requirement]: [string, Requirement]) =>
    reachable(id) && (options.only ? options.only.some((start) => id.startsWith(start)) : belongs(requirement, tier))
  const asked = new Map(Object.entries(suite.set.requirements).filter(wanted))
  const isShape = (id: string) => id.startsWith(`${suite.set.protocol}:shape:`)
  const quick = (check: Check) => options.quickMs === undefined || check.timeoutMs <= options.quickMs
  // Shapes are judged over all frames, so asking for one of them by name runs every check.
  const needsAll = options.only !== undefined && [...asked.keys()].some(isShape)
  const queue = [...suite.checks.values()].filter((check) => quick(check) && (needsAll || asked.has(check.id)))
  const progress: Progress = options.progress ? progressTo(options.progress, queue.length) : SILENT
  const findings = new Map<string, Finding>()
  const frames: Frame[] = []
  const fails = (id: string, finding: Finding) => fatal(asked.get(id), finding, baseline[id])
  let gone: string | undefined
  const over = () =>
    gone !== undefined || (options.failFast === true && [...findings].some(([id, finding]) => fails(id, finding)))

  const ordered = slowFirst(random.split('order').shuffle(queue))
  const carry = async (check: Check) => {
    progress.started(check.id)
    const startedAt = performance.now()
    const finding = await carryOut(check, circumstances)
    progress.ended(check.id, fails(check.id, finding), performance.now() - startedAt)
    findings.set(check.id, finding)
    for (const frame of finding.frames) frames.push(frame) // too many for arguments of one call, when a server floods
    if (finding.result === 'passed') return
    const silence = await greeting(circumstances)
    if (silence !== undefined) gone ??= `the server was lost during ${check.id}: ${silence}`
  }
  await inLanes(ordered, lanesOf(circumstances), carry, over)
  progress.finish()

  // What a run that was ended has not seen is not known to be missing.
  const isTold = (finding: Finding) => gone === undefined || !isNeverSeen(finding)
  for (const [id, finding] of judgeShapes(suite.contract, frames)) if (isTold(finding)) findings.set(id, finding)
  const verdicts = [...asked]
    .filter(([id]) => findings.has(id) || (!options.failFast && options.quickMs === undefined))
    .map(([id, requirement]) =>
      verdictOf(
        id,
        requirement,
        worthKeeping(findings.get(id) ?? untold(requirement, gone !== undefined), subject.token),
        baseline,
      ),
    )
  return { verdicts, frames, ...(gone !== undefined && { gone }) }
}

/** How the checks of a run may share its servers. */
export const lanesOf = ({ suite, profile }: Circumstances): Lanes => ({
  concurrency: suite.concurrency,
  sharesScreen: profile.has('stage'),
})

/** The longest checks start first, so that the run is not kept waiting by one of them at its end. */
const slowFirst = (checks: readonly Check[]): Check[] =>
  [...checks].sort((one, other) => other.timeoutMs - one.timeoutMs)

const fatal = (requirement: Requirement | undefined, finding: Finding, accepted: string | undefined): boolean =>
  finding.result === 'harness' ||
  (finding.result === 'failed' && requirement?.level === 'MUST' && accepted === undefined)

/** A requirement without a check has a stated reason; without either it is an error of the suite, unless the run was ended. */
const untold = (requirement: Requirement, isCut: boolean): Finding => {
  if (requirement.unchecked !== undefined) return { result: 'unchecked', why: requirement.unchecked, frames: [] }
  const why = isCut ? 'the server was lost before this was tried' : 'the suite has no check for this requirement'
  return { result: 'harness', why, frames: [] }
}

/** What a report shows of a finding: frames where they explain it, and no token. */
const worthKeeping = ({ why, ...finding }: Finding, token: string | undefined): Finding => ({
  ...finding,
  ...(why !== undefined && { why: veiled(why, token) }),
  frames: finding.result === 'failed' || finding.result === 'harness' ? finding.frames : [],
})

/** Carries out one check; never throws. */
export async function carryOut(check: Check, circumstances: Circumstances): Promise<Finding> {
  const { suite, subject, random, options } = circumstances
  const record = recorder(subject.token)
  const patienceMs = options.patienceMs ?? PATIENCE_MS
  const { bench, close } = benchFor(circumstances, random.split(check.id), record, patienceMs)
  try {
    await within(check.timeoutMs, check.run(bench), `the check to end`)
  } catch (error) {
    return failure(error, record.frames, subject.token)
  } finally {
    await close()
  }
  const mistakes = ownMistakes(suite.contract, record.frames)
  if (mistakes.length > 0)
    return { result: 'harness', why: `the suite sent ${mistakes.join('; ')}`, frames: record.frames }
  return { result: 'passed', frames: record.frames }
}

/** An assertion is the server's failure; anything else that is thrown is an error of the suite. */
function failure(error: unknown, frames: readonly Frame[], token: string | undefined): Finding {
  if (error instanceof AssertionError) {
    const { expected, actual, pictures } = error as AssertionError & { pictures?: Readonly<Record<string, string>> }
    const compares = isComparison(error)
    return {
      result: 'failed',
      why: inWords(error, token),
      ...(compares && expected !== undefined && { expected: veiled(expected, token) }),
      ...(compares && actual !== undefined && { actual: veiled(actual, token) }),
      ...(pictures && { pictures }),
      frames,
    }
  }
  return { result: 'harness', why: error instanceof Error ? (error.stack ?? error.message) : String(error), frames }
}

/** What `assert.ok` compares is only that something was not true. */
const isComparison = ({ operator }: AssertionError): boolean => operator !== '=='

const EQUALITIES = ['strictEqual', 'deepStrictEqual']

/** What some versions of Node add to a message that was given. */
const ADDED = /\n(\n.* !== .*\n$|\+ actual - expected\n[\s\S]*$)/

/** What went wrong in one line, if it can be: what was given as a message, then what was compared. */
function inWords(error: unknown, token: string | undefined): string {
  const message = veiled(error instanceof Error ? error.message : String(error), token)
  if (!(error instanceof AssertionError) || !isComparison(error)) return message
  // Veiled before they are cut short, so that no part of a token is left.
  const compared = differencesInWords(differences(veiled(error.expected, token), veiled(error.actual, token)))
  if (error.generatedMessage) return compared || message
  const given = message.replace(ADDED, '')
  return EQUALITIES.includes(error.operator) && compared !== '' ? `${given}: ${compared}` : given
}
