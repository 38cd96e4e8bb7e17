import { AssertionError } from 'node:assert/strict'
import type { Check } from '../checks/check.ts'
import { differences, differencesInWords } from '../compare/differences.ts'
import { ownMistakes } from '../contract/shapes.ts'
import { fail, NotOffered, within } from '../probe/failure.ts'
import { type Frame, type Recorder, recorder, veiled } from '../probe/frame.ts'
import type { Circumstances } from './options.ts'
import type { Random } from './random.ts'
import type { Finding } from './results.ts'
import { type Bench, openBench, type Subject } from './test-context.ts'

const PATIENCE_MS = 10_000

/** Milliseconds after which a server that says nothing is given up. */
const GREETING_MS = 20_000

/** How often a greeting that fails at once is tried, for a server may be busy. */
const GREETINGS = 3
/** How often before a server that answers, but not rightly, is taken for lost: it may fail now and then. */
export const PROBES = 8
const PAUSE_MS = 200
/** Milliseconds after which a failure is no longer one at once. */
const AT_ONCE_MS = 3000

/** Why the server cannot be spoken to, or undefined when it can. One that answers wrongly is tried `mostTries` times. */
export async function greeting(circumstances: Circumstances, mostTries = GREETINGS): Promise<string | undefined> {
  const startedAt = performance.now()
  for (let tries = 1; ; tries++) {
    const { silence, isAnswered } = await greetOnce(circumstances)
    const isLast = tries >= (isAnswered ? mostTries : GREETINGS) || performance.now() - startedAt > AT_ONCE_MS
    if (silence === undefined || isLast) return silence
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

interface Greeted {
  readonly silence?: string
  /** Something came back over HTTP. */
  readonly isAnswered: boolean
}

async function greetOnce(circumstances: Circumstances): Promise<Greeted> {
  const { suite, subject, random } = circumstances
  const record = recorder()
  const { bench, close } = benchFor(circumstances, random, record, PATIENCE_MS)
  const where = whereIs(subject)
  try {
    await within(GREETING_MS, suite.greet(bench), `any ${suite.set.protocol} answer from ${where}`)
    return { isAnswered: true }
  } catch (error) {
    const isAnswered = record.frames.some(({ direction, channel }) => direction === 'received' && channel === 'http')
    return { silence: `${where} does not speak ${suite.set.protocol}: ${inWords(error, subject.token)}`, isAnswered }
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

/** Carries out one check; never throws. */
export async function carryOut(check: Check, circumstances: Circumstances): Promise<Finding> {
  const { suite, subject, random, options } = circumstances
  const record = recorder(subject.token)
  const patienceMs = options.patienceMs ?? PATIENCE_MS
  const { bench, close } = benchFor(circumstances, random.split(check.id), record, patienceMs)
  try {
    await untilEnd(check.run(bench), check.timeoutMs, record.frames)
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

/** Milliseconds of an answer that a check has reckoned with; what an answer takes beyond them prolongs the check. */
const RECKONED_MS = 500
/** How many times the time of a check it may take before a slow server. */
const MAX_STRETCH = 10

/** Waits for the end of a check. Every single answer has its own limit, so that a slow server fails by no sum of them. */
async function untilEnd(run: Promise<void>, timeoutMs: number, frames: readonly Frame[]): Promise<void> {
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
  if (error instanceof NotOffered) return { result: 'unchecked', why: error.message, frames }
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
