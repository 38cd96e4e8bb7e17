import { Fault } from '../../base/fault.ts'
import { sessionMachine } from './machine.ts'
import { type ProgramResult, runProgram } from './python/evaluate.ts'
import { createModules } from './python/modules/modules.ts'
import { parse } from './python/parse.ts'
import { PythonError, type SourcePosition } from './python/python-error.ts'
import type { ToolCaller } from './tool-caller.ts'

/** The longest that a request runs, in milliseconds of the operator's clock. Clients end their requests after 120 s. */
export const MAX_RUN_MS = 110_000
const MAX_WAITING = 16
const MAX_SHOWN_CHARACTERS = 200

/** Runs the programs of a session one after the other, as one mouse and one keyboard do. */
export class Programs {
  #waiting = 0
  #last: Promise<unknown> = Promise.resolve()

  /** Throws `Busy` when many requests wait already. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING)
      throw new Fault('Busy', `${this.#waiting} programs wait for their turn; send the next when one has ended`)
    this.#waiting++
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => {})
    try {
      return await turn
    } finally {
      this.#waiting--
    }
  }
}

/** Runs a program on the desktop of a session. Throws `Timeout` after `maxRunMs`. */
export async function runPython(caller: ToolCaller, code: string, maxRunMs = MAX_RUN_MS): Promise<ProgramResult> {
  const { operatorClock } = caller.session
  const endMs = operatorClock.now() + maxRunMs
  const limit = new AbortController()
  const { signal } = limit
  const timer = setTimeout(() => limit.abort(), maxRunMs).unref()
  const statements = statementsOf(code)
  let current: ToolCaller = { ...caller, signal }
  const machine = sessionMachine(() => current)
  const running = runProgram(code, {
    modules: createModules(machine),
    beforeCall: (at) => {
      if (signal.aborted || operatorClock.now() > endMs)
        throw new Fault('Timeout', `the program ran for more than ${maxRunMs / 1000} seconds and was ended`)
      current = { ...caller, signal, source: statementAt(statements, at) }
    },
  })
  return running.finally(() => clearTimeout(timer))
}

interface Place {
  readonly line: number
  readonly column: number
}

/** A statement in a trace. */
interface TracedStatement extends Place {
  readonly python: string
}

/** The statements of a program. None for a program that cannot be parsed, which does not run either. */
function statementsOf(code: string): readonly TracedStatement[] {
  try {
    const lines = code.split('\n')
    const offsets = [0]
    for (const line of lines) offsets.push(offsets.at(-1)! + line.length + 1)
    const starts = parse(code).map(({ line, column }) => ({ line, column, offset: offsets[line - 1]! + column }))
    return starts.map(({ line, column, offset }, index) => {
      const text = code.slice(offset, starts[index + 1]?.offset)
      return { line, column, python: shownStatement(text.split('\n', 1)[0]!.trim()) }
    })
  } catch (thrown) {
    if (thrown instanceof PythonError) return []
    throw thrown
  }
}

/** Calls whose texts are names of keys and buttons. Other texts may be typed, and traces may hide what is typed. */
const WITHOUT_TYPED_TEXT =
  /^pyautogui\.(?:\w*[cC]lick|moveTo|moveRel|move|dragTo|dragRel|drag|mouseDown|mouseUp|hotkey|keyDown|keyUp|scroll|hscroll|vscroll)\(/

function shownStatement(text: string): string {
  const quote = WITHOUT_TYPED_TEXT.test(text) ? -1 : text.search(/['"]/)
  const shown = quote < 0 ? text : `${text.slice(0, quote + 1)}…`
  return shown.length > MAX_SHOWN_CHARACTERS ? `${shown.slice(0, MAX_SHOWN_CHARACTERS)}…` : shown
}

function statementAt(statements: readonly TracedStatement[], { line, column }: SourcePosition): unknown {
  const found = statements.findLast((one) => one.line < line || (one.line === line && one.column <= column))
  return found && { python: found.python, line: found.line }
}
