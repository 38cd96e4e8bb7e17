import { setTimeout as pause } from 'node:timers/promises'
import type { Frame } from '../probe/frame.ts'
import { openMcpClient } from '../probe/mcp.ts'
import type { Requirement } from '../requirement.ts'
import { explainedBy, type Finding, plural, type Repeats } from '../suite/results.ts'
import type { Check } from '../suite/rules.ts'
import { isNeverSeen, judgeFrames } from '../suite/shapes.ts'
import type { RunContext } from './options.ts'
import type { Progress } from './progress.ts'
import { CLOSING_MS, runCheck } from './run-check.ts'
import type { ServerMonitor } from './server-monitor.ts'

/** A check that did not pass, and the checks that ran in parallel. */
export interface Suspect {
  readonly check: Check
  readonly first: Finding
  readonly beside: readonly Check[]
  /** The server was lost while it ran. */
  readonly sawLoss: boolean
}

export interface FailureRepeater {
  /**
   * Repeats each suspect alone and records the result. Returns the suspects that passed every time; their finding is
   * that of the last repeat.
   */
  repeatSuspects(suspects: readonly Suspect[], progress: Progress): Promise<readonly Suspect[]>
  /** Runs each check alone and probes the server after it, until one of them ends the server. */
  findKiller(candidates: readonly Check[]): Promise<void>
  /** Repeats the checks that violated a shape not yet repeated, and records whether each repeat violates it. */
  repeatShapes(asked: ReadonlyMap<string, Requirement>, shown: FramesByCheck): Promise<void>
}

/** The repeats of one failure so far. */
interface Trial {
  readonly suspect: Suspect
  ran: number
  failed: number
  tookMs: number
  /** What the failures found, without what differs in each run anyway. */
  readonly reasons: Set<string>
  failure: Finding | undefined
  passed: Finding | undefined
}

const REPEATS = 5
/** The maximum of all repeats of a run; each failure is repeated at least once. */
const MAX_REPEATS = 100
/** Milliseconds after which one failure is no longer repeated. */
const MAX_REPEATING_MS = 60_000
/** Milliseconds of repeats after which no failure is repeated a second time. */
const MAX_FURTHER_MS = 90_000
/** Milliseconds that all repeats of a run may take; a failure without a repeat by then is not judged. */
const MAX_TOTAL_MS = 300_000
const OUT_OF_TIME = `repeats had taken ${MAX_TOTAL_MS / 60_000} minutes`
const LOST_BEFORE_REPEAT = 'the server was lost before it could be repeated'

/** The frames of checks by which shapes are judged. */
export type FramesByCheck = readonly (readonly [Check, readonly Frame[]])[]

/** Whether a finding invalidates the checks that rely on it. */
export const isNegative = (finding: Pick<Finding, 'status'> | undefined): boolean =>
  finding !== undefined && ['failed', 'unsteady', 'harness'].includes(finding.status)

const isRepeatable = ({ why = '' }: Finding): boolean => !why.startsWith('prerequisite: the profile')

export function createFailureRepeater(
  runContext: RunContext,
  monitor: ServerMonitor,
  findings: Map<string, Finding>,
  seen: ReadonlyMap<Check, Frame[]>,
): FailureRepeater {
  const most = runContext.options.repeats ?? REPEATS
  let spentMs = 0
  const countFor = (suspects: number) => Math.min(most, Math.max(1, Math.floor(MAX_REPEATS / suspects)))
  const isMust = ({ id }: Check) => runContext.suite.set.requirements[id]?.level === 'MUST'

  /** Repeats each failure once, those of a MUST first, and then again while there is time. */
  async function confirm(suspects: readonly Suspect[], progress: Progress): Promise<readonly Suspect[]> {
    const sorted = sortByDependency(suspects)
    const musts = sorted.filter(({ check }) => isMust(check))
    const others = sorted.filter(({ check }) => !isMust(check))
    if (suspects.length > 0) progress.print(`repeating ${plural(suspects.length, 'check')} alone that did not pass`)
    const trials: Trial[] = []
    const startedAt = performance.now()
    for (const [index, suspect] of [...musts, ...others].entries()) {
      const trial = await tryFirst(suspect)
      if (trial) trials.push(trial)
      progress.repeated(index + 1, suspects.length, performance.now() - startedAt)
    }
    for (const trial of trials) {
      const isFirstRank = isMust(trial.suspect.check)
      const count = countFor(isFirstRank ? musts.length : suspects.length)
      while (trial.ran < count && spentMs < MAX_FURTHER_MS && isOpen(trial)) await repeatOnce(trial)
      record(trial)
      // The frames of a check that passes alone are judged too.
      if (trial.passed && !trial.failure) seen.get(trial.suspect.check)?.push(...trial.passed.frames)
    }
    return trials.filter(({ failure }) => !failure).map(({ suspect }) => suspect)
  }

  /** Repeats a suspect once unless something else explains its failure or makes a repeat impossible. */
  async function tryFirst(suspect: Suspect): Promise<Trial | undefined> {
    const { check, first } = suspect
    const leave = (reason: string) => {
      findings.set(check.id, { ...first, status: 'unjudged', why: `${first.why} (not judged, because ${reason})` })
    }
    const cause = check.needs.find((id) => isNegative(findings.get(id)) || findings.get(id)?.status === 'unjudged')
    if (cause !== undefined) return void findings.set(check.id, explainedBy(first, cause))
    if (monitor.gone) {
      const isKiller = monitor.losses.some(({ finding }) => finding === first)
      if (!isKiller) leave(LOST_BEFORE_REPEAT)
      return undefined
    }
    if (!isRepeatable(first) || most === 0) return undefined
    if (spentMs > MAX_TOTAL_MS) return void leave(OUT_OF_TIME)
    const trial: Trial = {
      suspect,
      ran: 0,
      failed: 0,
      tookMs: 0,
      reasons: new Set(),
      failure: undefined,
      passed: undefined,
    }
    await repeatOnce(trial)
    record(trial)
    return trial
  }

  /** Whether a further repeat can tell more: it has not both passed and failed, and has time. */
  const isOpen = ({ failure, passed, tookMs }: Trial): boolean =>
    !(failure && passed) && !monitor.gone && tookMs < MAX_REPEATING_MS

  async function repeatOnce(trial: Trial): Promise<void> {
    const { check, sawLoss } = trial.suspect
    const startedAt = performance.now()
    const finding = await runCheckAlone(check, runContext)
    const isProbed = isNegative(finding) || check.pool === 'dangerous' || sawLoss
    const loss = isProbed ? await monitor.probe({ check, frames: finding.frames }, []) : undefined
    trial.ran++
    if (loss || isNegative(finding)) trial.failed++
    if (loss) trial.failure = loss.finding
    else if (isNegative(finding)) {
      trial.failure = finding
      trial.reasons.add(toReason(finding))
    } else {
      trial.passed = finding
      monitor.doubt(check)
    }
    const tookMs = performance.now() - startedAt
    trial.tookMs += tookMs
    spentMs += tookMs
  }

  /** Makes the finding of a suspect that of its repeats. */
  function record({ suspect: { check }, ran, failed, reasons, failure, passed }: Trial): void {
    const repeats: Repeats = { ran, failed, ...(failure && reasons.size > 1 && { isVaried: true }) }
    if (failure) findings.set(check.id, { ...failure, ...(passed && { status: 'unsteady' }), repeats })
    else if (passed) findings.set(check.id, { ...passed, repeats })
  }

  async function replay(candidates: readonly Check[]): Promise<void> {
    for (const check of candidates) {
      if (monitor.gone) return
      const { frames } = await runCheckAlone(check, runContext)
      const loss = await monitor.probe({ check, frames }, [])
      if (!loss) continue
      findings.set(check.id, { ...loss.finding, repeats: { ran: 1, failed: 1 } })
      return
    }
  }

  async function repeatShapes(asked: ReadonlyMap<string, Requirement>, shown: FramesByCheck): Promise<void> {
    if (most === 0) return
    const { contract } = runContext.suite
    const before = new Set([...findings].flatMap(([id, { repeats }]) => (repeats === undefined ? [] : [id])))
    const isRepeated = (id: string) => before.has(id)
    const violatedIn = (frames: readonly Frame[]) =>
      [...judgeFrames(contract, frames)].flatMap(([id, finding]) =>
        finding.status === 'failed' && !isNeverSeen(finding) && asked.has(id) && !isRepeated(id) ? [id] : [],
      )
    const sources = new Map<Check, string[]>()
    const placed = new Set<string>()
    for (const [check, frames] of shown) {
      const ids = violatedIn(frames).filter((id) => !placed.has(id))
      for (const id of ids) placed.add(id)
      if (ids.length > 0) sources.set(check, ids)
    }
    const count = countFor(sources.size)
    for (const [check, ids] of sources) {
      let ran = 0
      const failed = new Map(ids.map((id) => [id, 0]))
      const startedAt = performance.now()
      const hasTime = () => spentMs <= MAX_TOTAL_MS && performance.now() - startedAt < MAX_REPEATING_MS
      while (ran < count && !monitor.gone && hasTime()) {
        const { frames, status } = await runCheckAlone(check, runContext)
        if (isNegative({ status })) await monitor.probe({ check, frames }, [])
        const again = violatedIn(frames)
        ran++
        for (const id of ids) if (again.includes(id)) failed.set(id, failed.get(id)! + 1)
      }
      spentMs += performance.now() - startedAt
      const whyNot = monitor.gone ? LOST_BEFORE_REPEAT : OUT_OF_TIME
      for (const id of ids) findings.set(id, shapeFinding(findings.get(id)!, { ran, failed: failed.get(id)! }, whyNot))
    }
  }

  return { repeatSuspects: confirm, findKiller: replay, repeatShapes }
}

/** The start of a reason without ids and times, which differ in each run. */
const toReason = ({ why = '' }: Finding): string =>
  why.replace(/ \(after .*/s, '').replace(/[\da-f]{8}[\da-f-]*|\d{3,}/g, '#')

function shapeFinding(first: Finding, repeats: Repeats, whyNot: string): Finding {
  if (repeats.ran === 0) return { ...first, status: 'unjudged', why: `${first.why} (not judged, because ${whyNot})` }
  return { ...first, ...(repeats.failed < repeats.ran && { status: 'unsteady' }), repeats }
}

/** Runs a check on its own connections, including its own MCP session, after those of the previous check closed. */
async function runCheckAlone(check: Check, runContext: RunContext): Promise<Finding> {
  await pause(CLOSING_MS)
  const closing: (() => unknown)[] = []
  const own: RunContext = {
    ...runContext,
    auxiliaries: {
      ...runContext.auxiliaries,
      mcp: async (command, recorder) => {
        const mcp = await openMcpClient(command, recorder)
        closing.push(() => mcp.close())
        return mcp
      },
    },
  }
  try {
    return await runCheck(check, own)
  } finally {
    for (const close of closing) await close()
  }
}

/** Sorts dependencies first, otherwise by id. */
function sortByDependency(suspects: readonly Suspect[]): readonly Suspect[] {
  const left = new Map(
    [...suspects].sort((one, other) => (one.check.id < other.check.id ? -1 : 1)).map((one) => [one.check.id, one]),
  )
  const ordered: Suspect[] = []
  const take = (id: string) => {
    const suspect = left.get(id)
    if (!suspect) return
    left.delete(id)
    for (const needed of suspect.check.needs) take(needed)
    ordered.push(suspect)
  }
  for (const id of [...left.keys()]) take(id)
  return ordered
}
