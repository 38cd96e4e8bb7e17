import { AssertionError } from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { describeDifferences, differences } from '../compare/differences.ts'
import type { Random } from '../contract/random.ts'
import { fail, isUnreadable, isWronglyAccepted, NotOffered, withTimeout } from '../probe/failure.ts'
import { createRecorder, describeLastCall, type Frame, type FrameRecorder, maskToken } from '../probe/frame.ts'
import type { Finding } from '../suite/results.ts'
import type { Check } from '../suite/rules.ts'
import { findSuiteMistakes } from '../suite/shapes.ts'
import { openTestContext, type Target, type TestContext } from '../suite/test-context.ts'
import type { RunContext } from './options.ts'

const PATIENCE_MS = 10_000

/** Milliseconds after which a silent server is unreachable. */
const GREETING_MS = 20_000

/** How often a handshake that fails quickly is tried, because the server may be busy. */
const GREETINGS = 3
/** Attempts before a server that answers incorrectly counts as lost, because it may fail occasionally. */
export const MAX_PROBES = 8
const PAUSE_MS = 200
/** Milliseconds in which a server sees that the connections of a check have closed. */
export const CLOSING_MS = 50
/** Milliseconds up to which a failure counts as quick. */
const AT_ONCE_MS = 3000

/**
 * Returns why the server is unreachable, or undefined when it answers. Retries incorrect answers up to `mostTries`
 * times.
 */
export async function probeServer(runContext: RunContext, mostTries = GREETINGS): Promise<string | undefined> {
  const startedAt = performance.now()
  for (let tries = 1; ; tries++) {
    const { reason, isAnswered } = await handshakeOnce(runContext)
    const isLast = tries >= (isAnswered ? mostTries : GREETINGS) || performance.now() - startedAt > AT_ONCE_MS
    if (reason === undefined || isLast) return reason
    await pause(PAUSE_MS)
  }
}

interface Greeted {
  readonly reason?: string
  /** The server sent an HTTP response. */
  readonly isAnswered: boolean
}

async function handshakeOnce(runContext: RunContext): Promise<Greeted> {
  const { suite, target, random } = runContext
  const record = createRecorder()
  const { bench: context, close } = openContextFor(runContext, random, record, PATIENCE_MS)
  const where = targetName(target)
  try {
    await withTimeout(GREETING_MS, suite.handshake(context), `any ${suite.set.protocol} answer from ${where}`)
    return { isAnswered: true }
  } catch (error) {
    const isAnswered = record.frames.some(({ direction, channel }) => direction === 'received' && channel === 'http')
    return { reason: `${where} is not a server of ${suite.set.protocol}: ${describe(error, target.token)}`, isAnswered }
  } finally {
    await close()
  }
}

/** The server's address, or the command that starts it. */
export const targetName = ({ url, command }: Target): string => url ?? command ?? ''

/** Opens a test context for a run. */
export function openContextFor(
  { suite, target, profile, auxiliaries }: RunContext,
  random: Random,
  record: FrameRecorder,
  responseTimeoutMs: number,
): { readonly bench: TestContext; readonly close: () => Promise<void> } {
  return openTestContext({
    target,
    contract: suite.contract,
    profile,
    random,
    recorder: record,
    responseTimeoutMs,
    auxiliaries,
  })
}

/** Brings the server into its first state. What fails here, checks find out too. */
export async function prepareServer(runContext: RunContext): Promise<void> {
  const { suite, random } = runContext
  if (suite.prepare === undefined) return
  const { bench: context, close } = openContextFor(runContext, random, createRecorder(), PATIENCE_MS)
  await withTimeout(GREETING_MS, suite.prepare(context), 'the first state').catch(() => undefined)
  await close()
}

/** Runs one check; never throws. The frames are those until its end, without those that undo its effects. */
export async function runCheck(check: Check, runContext: RunContext): Promise<Finding> {
  const { suite, target, random, options } = runContext
  const record = createRecorder(target.token)
  const responseTimeoutMs = options.responseTimeoutMs ?? PATIENCE_MS
  const { bench: context, close } = openContextFor(runContext, random.split(check.id), record, responseTimeoutMs)
  try {
    await waitForEnd(check.run(context), check.timeoutMs, record.frames)
    const frames = [...record.frames]
    const mistakes = findSuiteMistakes(suite.contract, frames)
    if (mistakes.length > 0) return { status: 'harness', why: `the suite sent ${mistakes.join('; ')}`, frames }
    return { status: 'passed', frames }
  } catch (error) {
    return failure(error, [...record.frames], target.token)
  } finally {
    await close()
  }
}

/** The response time that check timeouts assume; slower responses extend the timeout. */
const RECKONED_MS = 500
/** The maximum factor by which a slow server extends the timeout of a check. */
const MAX_STRETCH = 10

/** Waits for the end of a check. Slow responses extend the timeout, because each response has its own limit. */
async function waitForEnd(run: Promise<void>, timeoutMs: number, frames: readonly Frame[]): Promise<void> {
  const ended = run.then(() => true)
  const startedAt = performance.now()
  for (let allowedMs = timeoutMs; ; ) {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), startedAt + allowedMs - performance.now())
    })
    const isOver = await Promise.race([ended, late]).finally(() => clearTimeout(timer))
    if (isOver) return
    const slowMs = frames.reduce((sum, { tookMs = 0 }) => sum + Math.max(0, tookMs - RECKONED_MS), 0)
    allowedMs = Math.min(timeoutMs + slowMs, timeoutMs * MAX_STRETCH)
    if (performance.now() - startedAt >= allowedMs) fail(`waited ${Math.round(allowedMs)} ms for the check to end`)
  }
}

/** An assertion is a failure of the server; any other exception is an error of the suite. */
function failure(error: unknown, frames: readonly Frame[], token: string | undefined): Finding {
  if (error instanceof AssertionError) {
    const { expected, actual, pictures, statements } = error as AssertionError &
      Pick<Finding, 'pictures' | 'statements'>
    const compares = isComparison(error)
    return {
      status: 'failed',
      why: withCall(describe(error, token), frames),
      ...(compares && expected !== undefined && { expected: maskToken(expected, token) }),
      ...(compares && actual !== undefined && { actual: maskToken(actual, token) }),
      ...(statements && { statements: maskToken(statements, token) }),
      ...(pictures && { pictures }),
      ...(isUnreadable(error) && { isUnreadable: true }),
      ...(isWronglyAccepted(error) && { isWronglyAccepted: true }),
      frames,
    }
  }
  if (error instanceof NotOffered) return { status: 'unchecked', why: error.message, frames }
  return { status: 'harness', why: error instanceof Error ? (error.stack ?? error.message) : String(error), frames }
}

/** Adds the last call of a check to the reason of its failure, unless that names it. */
function withCall(why: string, frames: readonly Frame[]): string {
  const call = describeLastCall(frames)
  const isNamed = frames.some(({ direction, title }) => direction === 'sent' && why.includes(title.split('?')[0]!))
  const isOfProfile = why.startsWith('prerequisite: the profile')
  return call === undefined || isNamed || isOfProfile ? why : `${why} (after ${call})`
}

/** `assert.ok` compares only with true, so it has no useful expected value. */
const isComparison = ({ operator }: AssertionError): boolean => operator !== '=='

const EQUALITIES = ['strictEqual', 'deepStrictEqual']

/** The suffix that some Node versions add to a given message. */
const ADDED = /\n(\n.* !== .*\n$|\+ actual - expected\n[\s\S]*$)/

/** Describes a failure in one line if possible: its message, then the compared values. */
function describe(error: unknown, token: string | undefined): string {
  const message = maskToken(error instanceof Error ? error.message : String(error), token)
  if (!(error instanceof AssertionError) || !isComparison(error)) return message
  // Masked before truncation, so no part of a token remains.
  const compared = describeDifferences(differences(maskToken(error.expected, token), maskToken(error.actual, token)))
  if (error.generatedMessage) return compared || message
  const given = message.replace(ADDED, '')
  return EQUALITIES.includes(error.operator) && compared !== '' ? `${given}: ${compared}` : given
}
