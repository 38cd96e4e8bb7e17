import { describeSent, type Frame } from '../probe/frame.ts'
import { NO_START_COMMAND } from '../servers/processes.ts'
import type { Finding } from '../suite/results.ts'
import type { Check } from '../suite/rules.ts'
import type { RunContext } from './options.ts'
import { MAX_PROBES, prepareServer, probeServer } from './run-check.ts'

/** One loss of the server under test. */
export interface ServerLoss {
  /** The checks that were running. */
  readonly during: readonly string[]
  /** The last message before the first sign of the loss; known when one check ran alone. */
  readonly request?: string
  /** The failure of the health probe. */
  readonly reason: string
  readonly restarted: boolean
  /** Why the start command of the profile did not bring it back. */
  readonly notRestarted?: string
  /** The check did not end the server in every repeat. */
  readonly sometimes?: boolean
  /** The baseline accepts the failure of each check that was running. */
  readonly accepted?: boolean
  /** The auxiliary server that was lost, if it was not the server under test. */
  readonly auxiliary?: string
  /** The failure of the check that ran when the server was lost. */
  readonly finding: Finding
}

/** A finished check with its frames. */
export interface CheckRun {
  readonly check: Check
  readonly frames: readonly Frame[]
  /** Why it failed. */
  readonly why?: string | undefined
  /** The start time of `performance.now()`. */
  readonly startedAt?: number
}

/** Detects the loss of the server under test, names the running checks, and restarts the server if possible. */
export interface ServerMonitor {
  readonly losses: readonly ServerLoss[]
  /** The server was lost and could not be started again. */
  readonly gone: boolean
  /** How often the server was lost so far. */
  readonly lossCount: number
  /** Probes the server after a check and its parallel checks. Returns the loss when the server is lost. */
  probe(noticed: CheckRun, beside: readonly Check[]): Promise<ServerLoss | undefined>
  /** Records that a check does not always end the server. */
  doubt(check: Check): void
  /** Records a check that passed without a probe. */
  ended(checkRun: CheckRun): void
  /** Waits for running probes and restarts. */
  settled(): Promise<void>
}

export function createServerMonitor(runContext: RunContext): ServerMonitor {
  const losses: ServerLoss[] = []
  let gone = false
  let last: Promise<unknown> = Promise.resolve()

  let previous: CheckRun | undefined
  /** Checks that passed without a probe since the last successful probe, with their end times. */
  let recent: { readonly check: Check; readonly endedAt: number }[] = []
  let lossCount = 0

  async function look(noticed: CheckRun, beside: readonly Check[]): Promise<ServerLoss | undefined> {
    if (gone) return undefined
    const auxiliary = await checkAuxiliaries(noticed, beside)
    if (auxiliary) return auxiliary
    const reason = await probeServer(runContext, MAX_PROBES)
    if (reason === undefined) {
      previous = undefined
      recent = []
      return undefined
    }
    lossCount++
    // A check that could not connect ran after the loss; the previous check, which was not probed, may be the cause.
    const isInnocent =
      noticed.why?.includes('ECONNREFUSED') && !noticed.frames.some(({ direction }) => direction === 'received')
    const suspect = isInnocent && previous ? previous : noticed
    previous = undefined
    // Checks that ended while this one ran may have caused the loss.
    const ended = recent.filter(({ endedAt }) => endedAt >= (noticed.startedAt ?? Number.POSITIVE_INFINITY))
    recent = []
    const company = [...new Set([suspect.check, ...beside, ...ended.map(({ check }) => check)])]
    const concerned = company.filter(({ pool }) => pool === 'main' || pool === 'dangerous').map(({ id }) => id)
    const isSure = concerned.length === 1 && concerned[0] === suspect.check.id
    const { frames } = suspect
    const request = isSure ? findLastRequest(frames) : undefined
    const notRestarted = await runContext.restart().then(
      () => probeServer(runContext),
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    const restarted = notRestarted === undefined
    gone = !restarted
    if (restarted) await prepareServer(runContext)
    const why = `the server was lost${request === undefined ? '' : ` after ${request}`}: ${reason}`
    const finding: Finding = { status: 'failed', why, frames }
    const loss = {
      during: concerned,
      reason,
      restarted,
      finding,
      ...(request !== undefined && { request }),
      ...(notRestarted !== undefined && notRestarted !== NO_START_COMMAND && { notRestarted }),
    }
    // A check that ends the server alone explains an earlier loss that it was part of.
    const explained = losses.findIndex(
      (one) => one.during.length !== 1 && concerned.length === 1 && one.during.includes(concerned[0]!),
    )
    const again = losses.findIndex((one) => one.during.length === 1 && concerned.join() === one.during.join())
    if (explained >= 0) losses[explained] = loss
    else if (again >= 0) losses[again] = loss
    else losses.push(loss)
    return loss
  }

  /** Checks for lost auxiliary servers and MCP processes; the next check that needs one restarts it. */
  async function checkAuxiliaries(noticed: CheckRun, beside: readonly Check[]): Promise<ServerLoss | undefined> {
    const [auxiliaryLoss] = await runContext.auxiliaries.takeLosses()
    if (!auxiliaryLoss) return undefined
    lossCount++
    const { check, frames } = noticed
    // Checks of these pools run one at a time, so no other check uses the server.
    const isSure = check.pool === 'auxiliary' || check.pool === 'mcp'
    const request = isSure ? findLastRequest(frames) : undefined
    const { name: auxiliary, reason } = auxiliaryLoss
    const why = `${auxiliary} was lost${request === undefined ? '' : ` after ${request}`}: ${reason}`
    const finding: Finding = { status: 'failed', why, frames }
    const during = isSure ? [check.id] : [check, ...beside].map(({ id }) => id)
    const loss = { during, reason, restarted: true, auxiliary, finding, ...(request !== undefined && { request }) }
    const again = losses.findIndex((one) => one.auxiliary === auxiliary && one.during.join() === during.join())
    if (again >= 0) losses[again] = loss
    else losses.push(loss)
    return loss
  }

  return {
    losses,
    get lossCount() {
      return lossCount
    },
    get gone() {
      return gone
    },
    probe: (noticed, beside) => {
      const mine = last.then(() => look(noticed, beside))
      last = mine.catch(() => undefined)
      return mine
    },
    doubt: ({ id }) => {
      const at = losses.findIndex(({ during }) => during.join() === id)
      if (at >= 0) losses[at] = { ...losses[at]!, sometimes: true }
    },
    ended: (checkRun) => {
      previous = checkRun
      recent.push({ check: checkRun.check, endedAt: performance.now() })
    },
    settled: async () => void (await last),
  }
}

/** Describes a loss in one sentence: the check and its request when they are known, else all running checks. */
export function describeLoss(loss: ServerLoss): string {
  const { during, request, reason, restarted, notRestarted, sometimes, auxiliary = 'the server' } = loss
  const often = sometimes ? ', not each time it was repeated' : ''
  const after = request === undefined ? '' : ` after ${request}${often}`
  const untried =
    notRestarted === undefined ? 'a start command is needed to find the cause' : 'the cause was not looked for'
  const unknown = restarted ? 'none of them ends the server alone' : untried
  const alone = during.length === 1 ? '' : `; ${unknown}`
  const failed = notRestarted === undefined ? '' : `it could not be restarted (${notRestarted}), so `
  const next = restarted ? 'it was restarted' : `${failed}it got no further requests`
  return `${auxiliary} was lost during ${during.join(', ') || 'a check of a auxiliary server'}${after}${alone}; ${next}: ${reason}`
}

/** Finds the last sent frame before a broken socket or an unanswered request, else the last one. */
export function findLastRequest(frames: readonly Frame[]): string | undefined {
  const sent = frames.filter(({ direction }) => direction === 'sent')
  const cut = frames.findIndex(
    ({ direction, title }) => direction === 'received' && /^close (1006|101[1-5])/.test(title),
  )
  const unanswered = sent.find(
    (one) => one.channel === 'http' && !frames.some(({ title }) => title.includes(` to ${one.title}`)),
  )
  const beforeCut = cut < 0 ? undefined : frames.slice(0, cut).findLast(({ direction }) => direction === 'sent')
  const found = beforeCut ?? unanswered ?? sent.at(-1)
  return found && `"${describeSent(found)}"`
}
