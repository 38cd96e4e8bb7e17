import type { Check } from '../checks/check.ts'
import { isNeverSeen, judgeShapes } from '../contract/shapes.ts'
import type { Frame } from '../probe/frame.ts'
import { openMcp } from '../probe/mcp.ts'
import type { Requirement } from '../requirement.ts'
import { needsOf } from './dependencies.ts'
import type { Circumstances } from './options.ts'
import type { Progress } from './progress.ts'
import type { Finding, Repeats } from './results.ts'
import { carryOut } from './run-check.ts'
import type { Guard } from './server-monitor.ts'

/** A check that did not pass, and what ran beside it. */
export interface Suspect {
  readonly check: Check
  readonly first: Finding
  readonly beside: readonly Check[]
  /** The server was lost while it ran. */
  readonly sawLoss: boolean
}

export interface Confirmer {
  /**
   * Repeats each suspect alone and records what that shows; gives those that passed every time, whose finding is then
   * that of the last repeat.
   */
  confirm(suspects: readonly Suspect[], progress: Progress): Promise<readonly Suspect[]>
  /** Carries each check out alone and probes the server after it, until one of them is found to end it. */
  replay(candidates: readonly Check[]): Promise<void>
  /** Repeats the checks in which a shape was violated, and records whether it is violated each time. */
  repeatShapes(asked: ReadonlyMap<string, Requirement>): Promise<void>
}

const REPEATS = 5
/** All repeats of a run together; each failure is repeated at least once. */
const MAX_REPEATS = 100
/** Milliseconds after which one failure is not repeated any further. */
const MAX_REPEATING_MS = 60_000
/** Milliseconds that all repeats of a run may take together; a failure that is not repeated by then is not judged. */
const MAX_TOTAL_MS = 300_000
const OUT_OF_TIME = `not repeated, for repeats had taken ${MAX_TOTAL_MS / 60_000} minutes`

/** Whether a finding speaks against what relies on it. */
export const isBad = (finding: Pick<Finding, 'result'> | undefined): boolean =>
  finding !== undefined && ['failed', 'unsteady', 'harness'].includes(finding.result)

const isRepeatable = ({ why = '' }: Finding): boolean => !why.startsWith('prerequisite: the profile')

export function confirmer(
  circumstances: Circumstances,
  guard: Guard,
  findings: Map<string, Finding>,
  seen: ReadonlyMap<Check, Frame[]>,
): Confirmer {
  const most = circumstances.options.repeats ?? REPEATS
  let spentMs = 0
  const countFor = (suspects: number) => Math.min(most, Math.max(1, Math.floor(MAX_REPEATS / suspects)))

  async function confirm(suspects: readonly Suspect[], progress: Progress): Promise<readonly Suspect[]> {
    const count = countFor(suspects.length)
    const passing: Suspect[] = []
    if (suspects.length > 0) progress.says(`repeating what failed alone: ${suspects.length} of the checks`)
    for (const suspect of inOrderOfNeed(suspects)) {
      const { check, first } = suspect
      const cause = needsOf(check.id).find((id) => isBad(findings.get(id)) || findings.get(id)?.result === 'unjudged')
      if (cause !== undefined) {
        const why = `not judged because of ${cause}: ${first.why}`
        findings.set(check.id, { result: 'unjudged', why, dueTo: cause, frames: [] })
        continue
      }
      const isKiller = guard.deaths.some(({ finding }) => finding === first)
      if (guard.gone) {
        if (!isKiller)
          findings.set(check.id, {
            result: 'unjudged',
            why: `the server was lost before this failure could be repeated: ${first.why}`,
            frames: [],
          })
        continue
      }
      if (!isRepeatable(first) || most === 0) continue
      if (spentMs > MAX_TOTAL_MS) {
        findings.set(check.id, { result: 'unjudged', why: `${OUT_OF_TIME}: ${first.why}`, frames: [] })
        continue
      }
      const { repeats, failure, passed } = await repeatAlone(check, count, suspect.sawLoss)
      if (repeats.ran === 0) continue
      if (!failure) {
        findings.set(check.id, { ...passed!, repeats })
        // What it shows when it passes is judged, too.
        seen.get(check)?.push(...passed!.frames)
        passing.push(suspect)
      } else if (!passed) findings.set(check.id, { ...failure, repeats })
      else findings.set(check.id, { ...failure, result: 'unsteady', repeats })
    }
    return passing
  }

  /** Carries a check out up to `count` times, and no further once it has both passed and failed. */
  async function repeatAlone(check: Check, count: number, sawLoss: boolean) {
    let failed = 0
    let ran = 0
    let failure: Finding | undefined
    let passed: Finding | undefined
    const startedAt = performance.now()
    while (ran < count && !(failure && passed) && !guard.gone && performance.now() - startedAt < MAX_REPEATING_MS) {
      const finding = await carryOutAlone(check, circumstances)
      const isProbed = isBad(finding) || check.lane === 'dangerous' || sawLoss
      const death = isProbed ? await guard.probe({ check, frames: finding.frames }, []) : undefined
      ran++
      if (death || isBad(finding)) failed++
      if (death) failure = death.finding
      else if (!isBad(finding)) passed = finding
      else failure = finding
    }
    spentMs += performance.now() - startedAt
    if (passed) guard.doubt(check)
    return { repeats: { ran, failed }, failure, passed }
  }

  async function replay(candidates: readonly Check[]): Promise<void> {
    for (const check of candidates) {
      if (guard.gone) return
      const { frames } = await carryOutAlone(check, circumstances)
      const death = await guard.probe({ check, frames }, [])
      if (!death) continue
      findings.set(check.id, { ...death.finding, repeats: { ran: 1, failed: 1 } })
      return
    }
  }

  async function repeatShapes(asked: ReadonlyMap<string, Requirement>): Promise<void> {
    if (most === 0) return
    const { contract } = circumstances.suite
    const violatedIn = (frames: readonly Frame[]) =>
      [...judgeShapes(contract, frames)].flatMap(([id, finding]) =>
        finding.result === 'failed' && !isNeverSeen(finding) && asked.has(id) ? [id] : [],
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
      while (ran < count && !guard.gone && hasTime()) {
        const { frames, result } = await carryOutAlone(check, circumstances)
        if (isBad({ result })) await guard.probe({ check, frames }, [])
        const again = violatedIn(frames)
        ran++
        for (const id of ids) if (again.includes(id)) failed.set(id, failed.get(id)! + 1)
      }
      spentMs += performance.now() - startedAt
      const whyNot = guard.gone ? 'the server was lost before this failure could be repeated' : OUT_OF_TIME
      for (const id of ids) findings.set(id, shapeFinding(findings.get(id)!, { ran, failed: failed.get(id)! }, whyNot))
    }
  }

  return { confirm, replay, repeatShapes }
}

function shapeFinding(first: Finding, repeats: Repeats, whyNot: string): Finding {
  if (repeats.ran === 0) return { result: 'unjudged', why: `${whyNot}: ${first.why}`, frames: [] }
  return { ...first, ...(repeats.failed < repeats.ran && { result: 'unsteady' }), repeats }
}

/** Carries out a check on connections of its own, the MCP session included. */
async function carryOutAlone(check: Check, circumstances: Circumstances): Promise<Finding> {
  const closing: (() => unknown)[] = []
  const own: Circumstances = {
    ...circumstances,
    satellites: {
      ...circumstances.satellites,
      mcp: async (command, recorder) => {
        const mcp = await openMcp(command, recorder)
        closing.push(() => mcp.close())
        return mcp
      },
    },
  }
  try {
    return await carryOut(check, own)
  } finally {
    for (const close of closing) await close()
  }
}

/** What others need comes before them; otherwise by id, whatever the order of the run was. */
function inOrderOfNeed(suspects: readonly Suspect[]): readonly Suspect[] {
  const left = new Map(
    [...suspects].sort((one, other) => (one.check.id < other.check.id ? -1 : 1)).map((one) => [one.check.id, one]),
  )
  const ordered: Suspect[] = []
  const take = (id: string) => {
    const suspect = left.get(id)
    if (!suspect) return
    left.delete(id)
    for (const needed of needsOf(id)) take(needed)
    ordered.push(suspect)
  }
  for (const id of [...left.keys()]) take(id)
  return ordered
}
