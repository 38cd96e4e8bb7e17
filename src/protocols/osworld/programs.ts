import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { Fault } from '../../base/fault.ts'
import { SerialQueue } from '../../base/serial-queue.ts'
import { sessionMachine, type ToolCaller } from './machine.ts'
import { type ProgramResult, runProgram } from './python/evaluate.ts'
import type { ProgramMachine } from './python/native.ts'
import { parse } from './python/parse.ts'
import { createPyautogui } from './python/pyautogui.ts'
import { createBase64, createBinascii, createPlatform, createPyperclip, createTime } from './python/standard-modules.ts'
import { type Block, blocksOf, type Statement } from './python/syntax.ts'
import { type Token, tokenize, withLineFeeds } from './python/tokens.ts'
import { type Module, PythonError, type SourcePosition } from './python/value.ts'

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

const MAX_SHOWN_CHARACTERS = 200

/** A statement of a program, as traces show it. */
export interface TracedStatement extends SourcePosition {
  readonly python: string
}

/**
 * The statements of a program for traces, which may hide what is typed: a statement with text or numbers that may be typed
 * is cut before them. None for a program that cannot be parsed, which does not run either.
 */
export function tracedStatements(code: string): readonly TracedStatement[] {
  try {
    const source = withLineFeeds(code)
    const tokens = tokenize(source)
    const lineStarts = startsOfLines(source)
    const offsetOf = ({ line, column }: SourcePosition): number => lineStarts[line - 1]! + column
    let next = 0
    const statements = withInnerStatements(parse(source))
    return statements.map((statement, index) => {
      const start = offsetOf(statement)
      const following = statements[index + 1]
      const end = following ? offsetOf(following) : source.length
      while (offsetOf(tokens[next]!) < start) next++
      const first = next
      while (!endsStatement(tokens[next]!) && offsetOf(tokens[next]!) < end) next++
      const parts = tokens.slice(first, next)
      const literal = isPointing(statement) ? undefined : parts.find(isLiteral)
      const text = literal ? `${source.slice(start, offsetOf(literal))}…` : source.slice(start, parts.at(-1)?.end)
      return { line: statement.line, column: statement.column, python: firstLine(text) }
    })
  } catch (thrown) {
    if (thrown instanceof PythonError) return []
    throw thrown
  }
}

/** The statement with a place of the program in it. Undefined before the first. */
function statementAt(
  statements: readonly TracedStatement[],
  { line, column }: SourcePosition,
): { readonly python: string; readonly line: number } | undefined {
  const found = statements.findLast((one) => one.line < line || (one.line === line && one.column <= column))
  return found && { python: found.python, line: found.line }
}

/** All statements in the order of the program. One with blocks stands for the line with its keyword. */
const withInnerStatements = (block: Block): readonly Statement[] =>
  block.flatMap((statement) => [statement, ...blocksOf(statement).flatMap(withInnerStatements)])

function startsOfLines(source: string): readonly number[] {
  const starts = [0]
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

const endsStatement = (token: Token): boolean =>
  token.kind === 'newline' || token.kind === 'end' || (token.kind === 'operator' && token.text === ';')

const isLiteral = ({ kind }: Token): boolean => kind === 'string' || kind === 'format' || kind === 'number'

function firstLine(text: string): string {
  const [line = ''] = text.split('\n', 1)
  return line.length > MAX_SHOWN_CHARACTERS ? `${line.slice(0, MAX_SHOWN_CHARACTERS)}…` : line
}

/** Functions whose arguments are places, durations, and names of keys and buttons. */
const POINTING =
  /^(?:pyautogui\.(?:\w*[cC]lick|moveTo|moveRel|move|dragTo|dragRel|drag|mouseDown|mouseUp|hotkey|keyDown|keyUp|v?scroll|hscroll|sleep)|time\.sleep)$/

/** Whether a statement is one call of such a function, with no other call in its arguments. */
function isPointing(statement: Statement): boolean {
  if (statement.kind !== 'expression' || statement.value.kind !== 'call') return false
  const { callee, arguments: given } = statement.value
  if (callee.kind !== 'attribute' || callee.object.kind !== 'name') return false
  return POINTING.test(`${callee.object.name}.${callee.name}`) && !hasCall(given)
}

/** Whether a part of a program has a call in it. */
function hasCall(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(hasCall)
  if (typeof part !== 'object' || part === null) return false
  return (part as { readonly kind?: unknown }).kind === 'call' || Object.values(part).some(hasCall)
}

/** The modules that programs can import, over a machine. */
export const createModules = (machine: ProgramMachine): ReadonlyMap<string, Module> =>
  new Map([
    createPyautogui(machine),
    createTime(machine),
    createPyperclip(machine),
    createPlatform(machine),
    createBase64(),
    createBinascii(),
  ])
