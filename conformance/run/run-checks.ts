import type { Check } from '../checks/check.ts'
import { isNeverSeen, judgeShapes } from '../contract/shapes.ts'
import { type Frame, veiled } from '../probe/frame.ts'
import { belongs, type Requirement } from '../requirement.ts'
import { findInterference, type Interference } from './interference.ts'
import type { Circumstances } from './options.ts'
import { inLanes, type Lanes } from './pools.ts'
import { type Progress, progressTo, SILENT } from './progress.ts'
import { confirmer, isBad, type Suspect } from './repeat-failures.ts'
import { type Finding, plural, type Verdict, verdictOf } from './results.ts'
import { carryOut } from './run-check.ts'
import { selectionOf } from './selection.ts'
import { type Death, guardOf } from './server-monitor.ts'

/** What a run found, and all frames it saw. */
export interface Ran {
  readonly verdicts: readonly Verdict[]
  readonly frames: readonly Frame[]
  readonly deaths: readonly Death[]
  readonly interference?: Interference
  /** The run had to end before everything was asked, and why. */
  readonly cutShort?: string
}

export const NOTHING: Ran = { verdicts: [], frames: [], deaths: [] }

/**
 * Carries out the checks, repeats what failed alone, and judges all frames against the contract. Dangerous checks come
 * after everything else was repeated, so that what they break does not touch the others.
 */
export async function judge(circumstances: Circumstances): Promise<Ran> {
  const { suite, random, options, baseline } = circumstances
  const selection = selectionOf(circumstances)
  const { asked, queue } = selection
  const progress: Progress = options.progress ? progressTo(options.progress, queue.length) : SILENT
  const guard = guardOf(circumstances)
  const findings = new Map<string, Finding>()
  const seen = new Map<Check, Frame[]>()
  const running = new Map<Check, Set<Check>>()
  const fails = (id: string, finding: Finding) => fatal(asked.get(id), finding, baseline[id])
  const beganAt = performance.now()
  const { timeLimitMs = TIME_LIMIT_MS } = options
  let cutShort: string | undefined
  const isLate = () => {
    if (performance.now() - beganAt > timeLimitMs)
      cutShort ??= `the run was ended after ${inUnits(timeLimitMs)}, and what was not asked by then is not judged`
    return cutShort !== undefined
  }
  const over = () =>
    guard.gone || isLate() || (options.failFast === true && [...findings].some(([id, finding]) => fails(id, finding)))

  const carry = async (check: Check): Promise<readonly Suspect[]> => {
    await guard.settled()
    if (over()) return []
    progress.started(check.id)
    const startedAt = performance.now()
    const lossesBefore = guard.losses
    const beside = new Set(running.keys())
    for (const others of running.values()) others.add(check)
    running.set(check, beside)
    const finding = await carryOut(check, circumstances)
    running.delete(check)
    const carried = { check, frames: finding.frames, why: finding.why, startedAt }
    const isProbed = isBad(finding) || isDangerous(check)
    const death = isProbed ? await guard.probe(carried, [...running.keys()]) : undefined
    if (!isProbed) guard.ended(carried)
    progress.ended(check.id, fails(check.id, finding), performance.now() - startedAt)
    seen.set(check, [...finding.frames])
    if (death?.request !== undefined) findings.set(death.during[0]!, death.finding)
    const first = findings.get(check.id) ?? finding
    findings.set(check.id, first)
    const sawLoss = guard.losses > lossesBefore
    const killer = death?.request === undefined ? check : suite.checks.get(death.during[0]!)!
    const suspect = (of: Check): Suspect => ({ check: of, first: findings.get(of.id)!, beside: [...beside], sawLoss })
    return [...new Set([check, killer])].map(suspect).filter((one) => isBad(one.first))
  }

  const ordered = slowFirst(random.split('order').shuffle(queue))
  const suspects: Suspect[] = []
  const note = async (check: Check) => {
    suspects.push(...(await carry(check)))
  }
  await inLanes(
    ordered.filter((check) => !isDangerous(check)),
    lanesOf(circumstances),
    note,
    over,
  )
  const { confirm, replay, repeatShapes } = confirmer(circumstances, guard, findings, seen)
  const tried = new Set(suspects.map(({ check }) => check.id))
  const passingAlone = await confirm(suspects.splice(0), progress)
  const candidates = guard.deaths.filter(({ during }) => during.length > 1).flatMap(({ during }) => during)
  await replay([...new Set(candidates)].filter((id) => !tried.has(id)).map((id) => suite.checks.get(id)!))
  const interference = await findInterference(
    circumstances,
    passingAlone.filter(({ check }) => isAccusable(asked.get(check.id), baseline[check.id])),
  )
  for (const { check, first, beside, sawLoss } of passingAlone) {
    // What the loss of the server or the reported interference explains is not held against the check.
    const isExplained = sawLoss || (interference !== undefined && beside.length > 0)
    if (!isExplained) findings.set(check.id, unsteady(first, beside.length, findings.get(check.id)!))
  }
  for (const check of ordered.filter(isDangerous)) {
    await note(check)
    for (const { check: passing, first, sawLoss } of await confirm(suspects.splice(0), progress))
      if (!sawLoss) findings.set(passing.id, unsteady(first, 0, findings.get(passing.id)!))
  }
  /** A shape that no frame shows fails, unless the run itself is the reason. */
  const neverSeen = (id: string, finding: Finding): Finding => {
    if (guard.gone) return unjudged('the server was lost before this was seen')
    if (cutShort !== undefined) return unjudged('the run was ended before this was seen')
    const { covers } = asked.get(id)!
    const cause = [...asked].find(
      ([other, row]) =>
        row.level === 'MUST' && row.covers.some((item) => covers.includes(item)) && isBad(findings.get(other)),
    )
    if (cause) return { ...unjudged(`not judged because of ${cause[0]}`), dueTo: cause[0] }
    if (selection.isRestricted) return unjudged('no check that was run shows it')
    return beyondTier(covers, circumstances) ?? finding
  }
  const frames = [...seen.values()].flat()
  for (const [id, finding] of selection.hasShapes ? judgeShapes(suite.contract, frames) : []) {
    if (!asked.has(id)) continue
    findings.set(id, isNeverSeen(finding) ? neverSeen(id, finding) : finding)
  }
  if (selection.hasShapes) await repeatShapes(asked)
  progress.finish()

  const verdicts = [...asked]
    .filter(([id]) => findings.has(id) || (!options.failFast && options.quickMs === undefined))
    .map(([id, requirement]) =>
      verdictOf(
        id,
        requirement,
        worthKeeping(findings.get(id) ?? untold(requirement, guard.gone, cutShort), circumstances.subject.token),
        baseline,
      ),
    )
  const more = { ...(interference && { interference }), ...(cutShort !== undefined && { cutShort }) }
  return { verdicts, frames, deaths: guard.deaths, ...more }
}

/** Milliseconds after which no further check is begun. */
const TIME_LIMIT_MS = 30 * 60_000

const inUnits = (ms: number): string =>
  ms < 120_000 ? plural(Math.round(ms / 1000), 'second') : plural(Math.round(ms / 60_000), 'minute')

const isDangerous = ({ lane }: Check): boolean => lane === 'dangerous'

/** How the checks of a run may share its servers. */
export const lanesOf = ({ suite, profile }: Circumstances): Lanes => ({
  concurrency: suite.concurrency,
  sharesScreen: profile.has('stage'),
})

/** The longest checks start first, so that the run is not kept waiting by one of them at its end. */
const slowFirst = (checks: readonly Check[]): Check[] =>
  [...checks].sort((one, other) => other.timeoutMs - one.timeoutMs)

const isAccusable = (requirement: Requirement | undefined, accepted: string | undefined): boolean =>
  requirement?.level === 'MUST' && accepted === undefined

const fatal = (requirement: Requirement | undefined, finding: Finding, accepted: string | undefined): boolean =>
  finding.result === 'harness' || (finding.result === 'failed' && isAccusable(requirement, accepted))

/** The finding of a check that failed once and passed whenever it was repeated alone. */
const unsteady = (first: Finding, besideCount: number, { repeats }: Finding): Finding => ({
  ...first,
  result: 'unsteady',
  why: `failed ${besideCount > 0 ? 'beside other checks' : 'at first'}, passed when repeated: ${first.why}`,
  ...(repeats && { repeats }),
})

/** A shape that only a check of a larger tier may show is not judged in a smaller one. */
function beyondTier(covers: readonly string[], { suite, tier }: Circumstances): Finding | undefined {
  const larger = Object.entries(suite.set.requirements).find(
    ([id, row]) => suite.checks.has(id) && !belongs(row, tier) && row.covers.some((item) => covers.includes(item)),
  )
  const why = `the tier ${tier} does not include ${larger?.[0]}, which shows it`
  return larger && { result: 'unchecked', why, frames: [] }
}

const unjudged = (why: string): Finding => ({ result: 'unjudged', why, frames: [] })

/** A requirement without a check has a stated reason; without either it is an error of the suite, unless the run was ended. */
const untold = (requirement: Requirement, gone: boolean, cutShort: string | undefined): Finding => {
  if (requirement.unchecked !== undefined) return { result: 'unchecked', why: requirement.unchecked, frames: [] }
  if (gone) return unjudged('the server was lost before this was tried')
  if (cutShort !== undefined) return unjudged('the run was ended before this was tried')
  return { result: 'harness', why: 'the suite has no check for this requirement', frames: [] }
}

/** What a report shows of a finding: frames where they explain it, and no token. */
const worthKeeping = ({ why, ...finding }: Finding, token: string | undefined): Finding => ({
  ...finding,
  ...(why !== undefined && { why: veiled(why, token) }),
  frames: isBad(finding) ? finding.frames : [],
})
