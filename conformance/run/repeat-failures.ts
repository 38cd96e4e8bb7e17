import { setTimeout as pause } from 'node:timers/promises'
import { isNeverSeen, judgeFrames } from '../contract/shapes.ts'
import type { Frame } from '../probe/frame.ts'
import { openMcpClient } from '../probe/mcp.ts'
import type { Requirement } from '../requirement.ts'
import type { Check } from '../rules.ts'
import type { RunContext } from './options.ts'
import type { Progress } from './progress.ts'
import type { Finding, Repeats } from './results.ts'
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
  /** Repeats the checks that violated a shape, and records whether each repeat violates it. */
  repeatShapes(asked: ReadonlyMap<string, Requirement>): Promise<void>
}

const REPEATS = 5
/** The maximum of all repeats of a run; each failure is repeated at least once. */
const MAX_REPEATS = 100
/** Milliseconds after which one failure is no longer repeated. */
const MAX_REPEATING_MS = 60_000
/** Milliseconds that all repeats of a run may take; a failure without a repeat by then is not judged. */
const MAX_TOTAL_MS = 300_000
const OUT_OF_TIME = `not repeated, for repeats had taken ${MAX_TOTAL_MS / 60_000} minutes`

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

  async function confirm(suspects: readonly Suspect[], progress: Progress): Promise<readonly Suspect[]> {
    const count = countFor(suspects.length)
    const response: Suspect[] = []
    if (suspects.length > 0) progress.print(`repeating ${suspects.length} failed checks alone`)
    for (const suspect of sortByDependency(suspects)) {
      const { check, first } = suspect
      const cause = check.needs.find((id) => isNegative(findings.get(id)) || findings.get(id)?.status === 'unjudged')
      if (cause !== undefined) {
        const why = `not judged because of ${cause}: ${first.why}`
        findings.set(check.id, { status: 'unjudged', why, dueTo: cause, frames: [] })
        continue
      }
      const isKiller = monitor.losses.some(({ finding }) => finding === first)
      if (monitor.gone) {
        if (!isKiller)
          findings.set(check.id, {
            status: 'unjudged',
            why: `the server was lost before this failure could be repeated: ${first.why}`,
            frames: [],
          })
        continue
      }
      if (!isRepeatable(first) || most === 0) continue
      if (spentMs > MAX_TOTAL_MS) {
        findings.set(check.id, { status: 'unjudged', why: `${OUT_OF_TIME}: ${first.why}`, frames: [] })
        continue
      }
      const { repeats, failure, passed } = await repeatAlone(check, count, suspect.sawLoss)
      if (repeats.ran === 0) continue
      if (!failure) {
        findings.set(check.id, { ...passed!, repeats })
        // The frames of the passing repeat are judged too.
        seen.get(check)?.push(...passed!.frames)
        response.push(suspect)
      } else if (!passed) findings.set(check.id, { ...failure, repeats })
      else findings.set(check.id, { ...failure, status: 'unsteady', repeats })
    }
    return response
  }

  /** Runs a check up to `count` times, and stops once it has both passed and failed. */
  async function repeatAlone(check: Check, count: number, sawLoss: boolean) {
    let failed = 0
    let ran = 0
    let failure: Finding | undefined
    let passed: Finding | undefined
    const startedAt = performance.now()
    while (ran < count && !(failure && passed) && !monitor.gone && performance.now() - startedAt < MAX_REPEATING_MS) {
      const finding = await runCheckAlone(check, runContext)
      const isProbed = isNegative(finding) || check.pool === 'dangerous' || sawLoss
      const loss = isProbed ? await monitor.probe({ check, frames: finding.frames }, []) : undefined
      ran++
      if (loss || isNegative(finding)) failed++
      if (loss) failure = loss.finding
      else if (!isNegative(finding)) passed = finding
      else failure = finding
    }
    spentMs += performance.now() - startedAt
    if (passed) monitor.doubt(check)
    return { repeats: { ran, failed }, failure, passed }
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

  async function repeatShapes(asked: ReadonlyMap<string, Requirement>): Promise<void> {
    if (most === 0) return
    const { contract } = runContext.suite
    const violatedIn = (frames: readonly Frame[]) =>
      [...judgeFrames(contract, frames)].flatMap(([id, finding]) =>
        finding.status === 'failed' && !isNeverSeen(finding) && asked.has(id) ? [id] : [],
      )
    const sources = new Map<Check, string[]>()
    const placed = new Set<string>()
    for (const [check, frames] of seen) {
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
      const whyNot = monitor.gone ? 'the server was lost before this failure could be repeated' : OUT_OF_TIME
      for (const id of ids) findings.set(id, shapeFinding(findings.get(id)!, { ran, failed: failed.get(id)! }, whyNot))
    }
  }

  return { repeatSuspects: confirm, findKiller: replay, repeatShapes }
}

function shapeFinding(first: Finding, repeats: Repeats, whyNot: string): Finding {
  if (repeats.ran === 0) return { status: 'unjudged', why: `${whyNot}: ${first.why}`, frames: [] }
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
