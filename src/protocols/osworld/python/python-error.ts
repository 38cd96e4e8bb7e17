/** A place in a program: lines count from 1, columns from 0. */
export interface SourcePosition {
  readonly line: number
  readonly column: number
}

/** An exception of a program, with the name of Python's class: `TypeError`, `NameError`, `SyntaxError`. */
export class PythonError extends Error {
  readonly type: string
  readonly position: SourcePosition | undefined

  constructor(type: string, message: string, position?: SourcePosition) {
    super(message)
    this.type = type
    this.position = position
  }
}

/** Returns the error with a position, unless it has one. */
export const positioned = (error: PythonError, position: SourcePosition): PythonError =>
  error.position ? error : new PythonError(error.type, error.message, position)

/** What the standard error of `python -c` shows for the error. A syntax error shows its line and a caret. */
export function traceback({ type, message, position }: PythonError, source: string): string {
  const { line, column } = position ?? { line: 1, column: 0 }
  const summary = message === '' ? type : `${type}: ${message}`
  if (type !== 'SyntaxError')
    return `Traceback (most recent call last):\n  File "<string>", line ${line}, in <module>\n${summary}\n`
  const text = source.split('\n')[line - 1] ?? ''
  const indent = text.length - text.trimStart().length
  const caret = ' '.repeat(Math.max(0, Math.min(column, text.length) - indent))
  return `  File "<string>", line ${line}\n    ${text.trim().slice(0, MAX_SHOWN_CHARACTERS)}\n    ${caret}^\n${summary}\n`
}

const MAX_SHOWN_CHARACTERS = 2_000
