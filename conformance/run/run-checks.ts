import { type Frame, maskToken } from '../probe/frame.ts'
import { isInTier, type Requirement } from '../requirement.ts'
import { explainedBy, type Finding, plural, type RequirementResult, toRequirementResult } from '../suite/results.ts'
import type { Check, Pool } from '../suite/rules.ts'
import { isErrorAsSuccess, isNeverSeen, judgeFrames } from '../suite/shapes.ts'
import { findInterference, type Interference } from './interference.ts'
import type { RunContext } from './options.ts'
import { createProgress, type Progress, SILENT } from './progress.ts'
import { createFailureRepeater, type FramesByCheck, isNegative, type Suspect } from './repeat-failures.ts'
import { CLOSING_MS, prepareServer, runCheck } from './run-check.ts'
import { createServerMonitor, type ServerLoss } from './server-monitor.ts'

/** The findings of a run, and all its frames. */
export interface RunResult {
  readonly results: readonly RequirementResult[]
  readonly frames: readonly Frame[]
  readonly losses: readonly ServerLoss[]
  readonly interference?: Interference
  /** Why the run ended before all checks had run. */
  readonly cutShort?: string
}

export const EMPTY_RUN: RunResult = { results: [], frames: [], losses: [] }

/**
 * Runs the checks, repeats failures alone, and judges all frames against the contract. Dangerous checks run after all
 * repeats, so they cannot affect the others: those of a MUST first, and those of recommendations when every MUST has
 * its result.
 */
export async function runChecks(runContext: RunContext): Promise<RunResult> {
  const { suite, random, options, baseline } = runContext
  const poolOptions = poolOptionsOf(runContext)
  const selection = selectChecks(runContext)
  const { asked, queue } = selection
  const progress: Progress = options.progress ? createProgress(options.progress, queue.length) : SILENT
  const monitor = createServerMonitor(runContext)
  const findings = new Map<string, Finding>()
  const seen = new Map<Check, Frame[]>()
  const running = new Map<Check, Set<Check>>()
  /** When each check ended, by `performance.now()`. */
  const ends = new Map<Check, number>()
  const fails = (id: string, finding: Finding) => fatal(asked.get(id), finding, baseline[id])
  const beganAt = performance.now()
  const { timeLimitMs = TIME_LIMIT_MS } = options
  let cutShort: string | undefined
  const isLate = () => {
    if (performance.now() - beganAt > timeLimitMs)
      cutShort ??= `the run was ended after ${inUnits(timeLimitMs)}, and the remaining checks are not judged`
    return cutShort !== undefined
  }
  const over = () =>
    monitor.gone || isLate() || (options.failFast === true && [...findings].some(([id, finding]) => fails(id, finding)))

  const carry = async (check: Check): Promise<readonly Suspect[]> => {
    await monitor.settled()
    if (over()) return []
    progress.started(check.id)
    const startedAt = performance.now()
    const lossesBefore = monitor.lossCount
    // The server may see connections close after the check that closed them has ended.
    const justEnded = [...ends].filter(([, endedAt]) => startedAt - endedAt < CLOSING_MS).map(([one]) => one)
    const beside = new Set([...running.keys(), ...justEnded])
    for (const others of running.values()) others.add(check)
    running.set(check, beside)
    const finding = await runCheck(check, runContext)
    running.delete(check)
    ends.set(check, performance.now())
    const checkRun = { check, frames: finding.frames, why: finding.why, startedAt }
    const isProbed = isNegative(finding) || isDangerous(check)
    const loss = isProbed ? await monitor.probe(checkRun, [...running.keys()]) : undefined
    if (!isProbed) monitor.ended(checkRun)
    progress.ended(check.id, isNegative(finding), performance.now() - startedAt)
    seen.set(check, [...finding.frames])
    if (loss?.request !== undefined) findings.set(loss.during[0]!, loss.finding)
    const first = findings.get(check.id) ?? finding
    findings.set(check.id, first)
    const sawLoss = monitor.lossCount > lossesBefore
    const killer = loss?.request === undefined ? check : suite.checks.get(loss.during[0]!)!
    const parallel = [...beside].filter((other) => canOverlap(check, other, poolOptions))
    const suspect = (of: Check): Suspect => ({ check: of, first: findings.get(of.id)!, beside: parallel, sawLoss })
    return [...new Set([check, killer])].map(suspect).filter((one) => isNegative(one.first))
  }

  const isMust = ({ id }: Check) => suite.set.requirements[id]!.level === 'MUST'
  // A recommendation can end the server too, so it comes after each MUST.
  const ordered = mustsFirst(slowFirst(random.split('order').shuffle(queue)), isMust)
  await prepareServer(runContext)
  const suspects: Suspect[] = []
  const note = async (check: Check) => {
    suspects.push(...(await carry(check)))
  }
  await runInPools(
    ordered.filter((check) => !isDangerous(check)),
    poolOptions,
    note,
    over,
  )
  const {
    repeatSuspects: confirm,
    findKiller: replay,
    repeatShapes,
  } = createFailureRepeater(runContext, monitor, findings, seen)
  const tried = new Set(suspects.map(({ check }) => check.id))
  const passingAlone = await confirm(suspects.splice(0), progress)
  const candidates = monitor.losses.filter(({ during }) => during.length > 1).flatMap(({ during }) => during)
  await replay([...new Set(candidates)].filter((id) => !tried.has(id)).map((id) => suite.checks.get(id)!))
  const interference = await findInterference(
    runContext,
    passingAlone.filter(({ check }) => isAccusable(asked.get(check.id), baseline[check.id])),
  )
  for (const { check, first, beside, sawLoss } of passingAlone) {
    // A failure that the loss of the server or the reported interference explains does not count against the check.
    const isExplained = sawLoss || (interference !== undefined && beside.length > 0)
    if (!isExplained) findings.set(check.id, unsteady(first, beside.length, findings.get(check.id)!))
  }
  const carryDangerous = async (checks: readonly Check[]) => {
    for (const check of checks) {
      await note(check)
      for (const { check: response, first, sawLoss } of await confirm(suspects.splice(0), progress))
        if (!sawLoss) findings.set(response.id, unsteady(first, 0, findings.get(response.id)!))
    }
  }
  /** A shape without a frame fails, unless the run itself is the reason. */
  const neverSeen = (id: string, finding: Finding): Finding => {
    if (monitor.gone) return unjudged('the server was lost before this was seen')
    if (cutShort !== undefined) return unjudged('the run was ended before this was seen')
    const { covers } = asked.get(id)!
    const cause = [...asked].find(
      ([other, row]) =>
        row.level === 'MUST' && row.covers.some((item) => covers.includes(item)) && isNegative(findings.get(other)),
    )
    if (cause) return { ...unjudged(`${finding.why} (not judged, because ${cause[0]} failed)`), dueTo: cause[0] }
    if (selection.isRestricted) return unjudged('no check that was run shows it')
    const beyond = beyondTier(covers, runContext)
    if (beyond || asked.get(id)!.level !== 'MUST') return beyond ?? finding
    return unjudged(`${finding.why}, so its shape was not tried: 0 of 0 is not a pass`)
  }
  const judgeShapes = async (isLast: boolean) => {
    const repeated = new Set([...findings].flatMap(([id, { repeats }]) => (repeats === undefined ? [] : [id])))
    const shown = withoutMissingRefusals(seen, findings, runContext)
    const frames = shown.flatMap(([, some]) => some)
    for (const [id, finding] of selection.hasShapes ? judgeFrames(suite.contract, frames) : []) {
      if (!asked.has(id) || repeated.has(id)) continue
      if (isNeverSeen(finding) && isLast) findings.set(id, neverSeen(id, finding))
      else if (!isNeverSeen(finding)) findings.set(id, finding)
    }
    if (selection.hasShapes) await repeatShapes(asked, shown)
  }
  const dangerous = ordered.filter(isDangerous)
  await carryDangerous(dangerous.filter(isMust))
  await judgeShapes(false)
  await carryDangerous(dangerous.filter((check) => !isMust(check)))
  await judgeShapes(true)
  const judged = new Map(findings)
  const missing = missingOperations([...seen.values()].flat())
  for (const [id, finding] of judged) findings.set(id, excuse(id, finding, judged, missing, runContext))
  progress.finish()

  const results = [...asked]
    .filter(([id]) => findings.has(id) || (!options.failFast && options.quickMs === undefined))
    .map(([id, requirement]) =>
      toRequirementResult(
        id,
        requirement,
        worthKeeping(findings.get(id) ?? untold(requirement, monitor.gone, cutShort), runContext.target.token),
        baseline,
      ),
    )
  const frames = [...seen.values()].flat()
  const more = { ...(interference && { interference }), ...(cutShort !== undefined && { cutShort }) }
  return { results, frames, losses: monitor.losses, ...more }
}

/** Milliseconds after which no further check starts. */
const TIME_LIMIT_MS = 30 * 60_000

const inUnits = (ms: number): string =>
  ms < 120_000 ? plural(Math.round(ms / 1000), 'second') : plural(Math.round(ms / 60_000), 'minute')

const isDangerous = ({ pool }: Check): boolean => pool === 'dangerous'

/** How the checks of a run share its servers. */
export const poolOptionsOf = ({ suite, profile }: RunContext): PoolOptions => ({
  concurrency: suite.concurrency,
  sharesScreen: profile.has('stage'),
})

/** The longest checks start first, so none of them prolongs the end of the run. */
const slowFirst = (checks: readonly Check[]): Check[] =>
  [...checks].sort((one, other) => other.timeoutMs - one.timeoutMs)

/** The same order, with the checks of each MUST before those of recommendations. */
export const mustsFirst = (checks: readonly Check[], isMust: (check: Check) => boolean): readonly Check[] => [
  ...checks.filter(isMust),
  ...checks.filter((check) => !isMust(check)),
]

const isAccusable = (requirement: Requirement | undefined, accepted: string | undefined): boolean =>
  requirement?.level === 'MUST' && accepted === undefined

const fatal = (requirement: Requirement | undefined, finding: Finding, accepted: string | undefined): boolean =>
  finding.status === 'harness' || (finding.status === 'failed' && isAccusable(requirement, accepted))

/** The finding of a check that failed once and passed in all repeats alone. */
const unsteady = (first: Finding, besideCount: number, { repeats }: Finding): Finding => ({
  ...first,
  status: 'unsteady',
  why: `failed ${besideCount > 0 ? 'in parallel with other checks' : 'at first'}, passed when repeated: ${first.why}`,
  ...(repeats && { repeats }),
})

/**
 * A failure is not judged when a requirement that its check needs has failed too, also if that came out later, or, for a
 * failure to read an answer, when the shape of that answer has failed: one fault, one failure.
 */
function excuse(
  id: string,
  finding: Finding,
  findings: ReadonlyMap<string, Finding>,
  missing: ReadonlySet<string>,
  { suite }: RunContext,
): Finding {
  if (!isNegative(finding) || finding.status === 'harness') return finding
  const needed = suite.checks.get(id)?.needs.find((one) => isNegative(findings.get(one)))
  if (needed !== undefined) return explainedBy(finding, needed)
  if (!finding.isUnreadable) return finding
  const { requirements } = suite.set
  const operation = operationOf(finding.frames.findLast((frame) => isMissing(frame)))
  if (operation !== undefined && missing.has(operation)) {
    const items = suite.contract.operations[operation]!.covers
    const isAbout = (row: string) => requirements[row]!.covers.some((item) => items.includes(item))
    const accused = [...findings.keys()].find((row) => isAbout(row) && isNegative(findings.get(row)))
    if (isAbout(id)) return finding
    if (accused !== undefined) return explainedBy(finding, accused)
    return {
      ...finding,
      status: 'unjudged',
      why: `${finding.why} (not judged, because the server has no ${operation})`,
    }
  }
  const isAsStrict = (shape: string) => requirements[shape]!.level === 'MUST' || requirements[id]!.level !== 'MUST'
  const cause = [...judgeFrames(suite.contract, finding.frames)].find(
    ([shape, seen]) =>
      seen.status === 'failed' && !isNeverSeen(seen) && isNegative(findings.get(shape)) && isAsStrict(shape),
  )
  return cause === undefined ? finding : explainedBy(finding, cause[0])
}

/** Statuses of a server that does not have what was asked for. */
const MISSING = /^(.*) (?:404|405|501)$/

const isMissing = ({ direction, shape = '' }: Frame): boolean => direction === 'received' && MISSING.test(shape)

const operationOf = (frame: Frame | undefined): string | undefined => MISSING.exec(frame?.shape ?? '')?.[1]

/** The operations that the server answered as if it did not have them, whenever it was asked. */
function missingOperations(frames: readonly Frame[]): ReadonlySet<string> {
  const answers = frames.filter(({ direction, shape = '' }) => direction === 'received' && / \d{3}$/.test(shape))
  const known = new Set(answers.filter((frame) => !isMissing(frame)).map(({ shape }) => shape!.replace(/ \d{3}$/, '')))
  return new Set(
    answers
      .filter(isMissing)
      .flatMap((frame) => operationOf(frame) ?? [])
      .filter((one) => !known.has(one)),
  )
}

/**
 * The frames by which shapes are judged. A success where an error is due fails its own rule, so it shows nothing about
 * the shape of successes; neither do other errors with the status of a success, if a rule fails for one.
 */
function withoutMissingRefusals(
  seen: ReadonlyMap<Check, readonly Frame[]>,
  findings: ReadonlyMap<string, Finding>,
  { suite }: RunContext,
): FramesByCheck {
  const isMissing = ({ id }: Check) =>
    suite.set.requirements[id]!.level === 'MUST' && findings.get(id)?.isWronglyAccepted === true
  const isError = (frame: Frame) => isErrorAsSuccess(suite.contract, frame)
  const isNamed = [...seen].some(([check, frames]) => isMissing(check) && frames.some(isError))
  return [...seen]
    .filter(([check]) => !isMissing(check))
    .map(([check, frames]) => [check, isNamed ? frames.filter((frame) => !isError(frame)) : frames])
}

/** A shape that only a check of a larger tier produces is not judged in a smaller tier. */
function beyondTier(covers: readonly string[], { suite, tier }: RunContext): Finding | undefined {
  const larger = Object.entries(suite.set.requirements).find(
    ([id, row]) => suite.checks.has(id) && !isInTier(row, tier) && row.covers.some((item) => covers.includes(item)),
  )
  const why = `the tier ${tier} does not include ${larger?.[0]}, which shows it`
  return larger && { status: 'unchecked', why, frames: [] }
}

const unjudged = (why: string): Finding => ({ status: 'unjudged', why, frames: [] })

/**
 * A requirement without a check has a stated reason. Without either it is an error of the suite, unless the run ended
 * early.
 */
const untold = (requirement: Requirement, gone: boolean, cutShort: string | undefined): Finding => {
  if (requirement.unchecked !== undefined) return { status: 'unchecked', why: requirement.unchecked, frames: [] }
  if (gone) return unjudged('the server was lost before this was tried')
  if (cutShort !== undefined) return unjudged('the run was ended before this was tried')
  return { status: 'harness', why: 'the suite has no check for this requirement', frames: [] }
}

/** Keeps the parts of a finding for the report: frames of failures, also of those not judged, and no token. */
const worthKeeping = ({ why, ...finding }: Finding, token: string | undefined): Finding => ({
  ...finding,
  ...(why !== undefined && { why: maskToken(why, token) }),
  frames: isNegative(finding) || finding.status === 'unjudged' ? finding.frames : [],
})

/** The selected requirements of a run, and the checks to run. */
export interface CheckSelection {
  readonly asked: ReadonlyMap<string, Requirement>
  readonly hasShapes: boolean
  readonly queue: readonly Check[]
  /** `only` or `skip` restricts the run, so an unseen shape is not a failure. */
  readonly isRestricted: boolean
}

/**
 * Selects requirements by tier, `only` and `skip`. A shape selected by name runs the checks that cover the same
 * items.
 */
function selectChecks({ suite, target, tier, options }: RunContext): CheckSelection {
  const { requirements, protocol } = suite.set
  const names = (starts: readonly string[] | undefined, id: string) => starts?.some((start) => id.startsWith(start))
  const isReachable = (id: string) =>
    suite.isCommandLine || target.url !== undefined || suite.checks.get(id)?.pool === 'mcp'
  const isSkipped = (id: string) => names(options.skip, id) === true
  const isWanted = ([id, requirement]: [string, Requirement]) =>
    isReachable(id) && !isSkipped(id) && (names(options.only, id) ?? isInTier(requirement, tier))
  const asked = new Map(Object.entries(requirements).filter(isWanted))
  const isShape = (id: string) => id.startsWith(`${protocol}:shape:`)
  const shapeItems =
    options.only === undefined ? [] : [...asked].flatMap(([id, { covers }]) => (isShape(id) ? covers : []))
  const shows = ({ id, pool }: Check) =>
    pool !== 'dangerous' && requirements[id]!.covers.some((item) => shapeItems.includes(item))
  const isQuick = ({ timeoutMs }: Check) => options.quickMs === undefined || timeoutMs <= options.quickMs
  const queue = [...suite.checks.values()].filter(
    (check) => isQuick(check) && !isSkipped(check.id) && (asked.has(check.id) || shows(check)),
  )
  const hasShapes = [...asked.keys()].some(isShape)
  return { asked, hasShapes, queue, isRestricted: options.only !== undefined || options.skip !== undefined }
}

/** How checks share the servers that they act on. */
interface PoolOptions {
  /** The number of parallel checks of the main pool. */
  readonly concurrency: number
  /** All servers share one real screen, so their checks cannot run in parallel. */
  readonly sharesScreen: boolean
}

/** Runs checks in the given order, with the concurrency of their pools. No check starts after `over` returns true. */
export async function runInPools(
  checks: readonly Check[],
  { concurrency, sharesScreen }: PoolOptions,
  carryOut: (check: Check) => Promise<void>,
  over: () => boolean = () => false,
): Promise<void> {
  const work = async (pool: Check[]) => {
    while (pool.length > 0 && !over()) await carryOut(pool.shift()!)
  }
  const pool = (name: Pool) => checks.filter((check) => check.pool === name)
  const main = pool('main')
  const beside = [pool('auxiliary'), pool('mcp')]
  await Promise.all([
    ...Array.from({ length: concurrency }, () => work(main)),
    ...(sharesScreen ? [] : beside.map(work)),
  ])
  if (sharesScreen) for (const one of beside) await work(one)
  await work(pool('dangerous'))
}

/** Whether a run may have two checks in progress at the same time. */
export const canOverlap = (
  one: Pick<Check, 'pool'>,
  other: Pick<Check, 'pool'>,
  { concurrency, sharesScreen }: PoolOptions,
): boolean =>
  [one, other].every(({ pool }) => pool !== 'dangerous') &&
  (one.pool === other.pool ? one.pool === 'main' && concurrency > 1 : !sharesScreen)
