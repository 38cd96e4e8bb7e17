import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { Fault } from '../../base/fault.ts'
import { SerialQueue } from '../../base/serial-queue.ts'
import { sessionMachine } from './machine.ts'
import { type ProgramResult, runProgram } from './python/evaluate.ts'
import { createModules } from './python/modules/modules.ts'
import type { ToolCaller } from './tool-caller.ts'
import { statementAt, tracedStatements } from './traced-statements.ts'

/** The longest that a request runs, in milliseconds of the operator's clock. Clients end their requests after 120 s. */
export const MAX_RUN_MS = 110_000
const MAX_WAITING = 16
/** How long a program computes before other requests get a turn, in milliseconds. */
const MAX_TURN_MS = 20

/** Runs the programs of a session one after the other, as one mouse and one keyboard do. */
export class Programs {
  #waiting = 0
  readonly #queue = new SerialQueue()

  /** Throws `Busy` when many requests wait already. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING)
      throw new Fault('Busy', `${this.#waiting} programs wait for their turn; send the next when one has ended`)
    this.#waiting++
    try {
      return await this.#queue.run(work)
    } finally {
      this.#waiting--
    }
  }
}

/** Does work whose signal is aborted after a time, or with an earlier signal. */
export async function withinTime<T>(
  maxMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  earlier?: AbortSignal,
): Promise<T> {
  const limit = new AbortController()
  const abort = (): void => limit.abort()
  const timer = setTimeout(abort, maxMs).unref()
  if (earlier?.aborted) abort()
  earlier?.addEventListener('abort', abort)
  try {
    return await work(limit.signal)
  } finally {
    clearTimeout(timer)
    earlier?.removeEventListener('abort', abort)
  }
}

/** Runs a program on the desktop of a session. Throws `Timeout` after `maxRunMs`, or when the caller's signal is aborted. */
export const runPython = (caller: ToolCaller, code: string, maxRunMs = MAX_RUN_MS): Promise<ProgramResult> =>
  withinTime(maxRunMs, (signal) => runWithSignal({ ...caller, signal }, code, maxRunMs), caller.signal)

async function runWithSignal(
  caller: ToolCaller & { readonly signal: AbortSignal },
  code: string,
  maxRunMs: number,
): Promise<ProgramResult> {
  const { operatorClock } = caller.session
  const endMs = operatorClock.now() + maxRunMs
  let turnStartMs = operatorClock.now()
  const pace = (): Promise<void> | undefined => {
    const nowMs = operatorClock.now()
    if (caller.signal.aborted || nowMs > endMs)
      throw new Fault('Timeout', `the program ran for more than ${maxRunMs / 1000} seconds and was ended`)
    if (nowMs - turnStartMs < MAX_TURN_MS) return undefined
    return yieldToOthers().then(() => {
      turnStartMs = operatorClock.now()
    })
  }
  const statements = tracedStatements(code)
  let current: ToolCaller = caller
  const machine = sessionMachine(() => current, pace)
  return runProgram(code, {
    modules: createModules(machine),
    pace,
    beforeCall: (at) => {
      current = { ...caller, source: statementAt(statements, at) }
    },
  })
}
