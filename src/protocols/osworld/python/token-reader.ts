import { PythonError, type SourcePosition } from './python-error.ts'
import type { Token } from './tokens.ts'

/** Keywords that begin a statement of Python outside of the subset. */
export const UNSUPPORTED_KEYWORDS = new Set([
  'async',
  'await',
  'assert',
  'class',
  'del',
  'global',
  'nonlocal',
  'yield',
  'lambda',
])
export const PYTHON_KEYWORDS = new Set([
  ...UNSUPPORTED_KEYWORDS,
  ...['and', 'as', 'break', 'continue', 'elif', 'else', 'except', 'False', 'finally', 'for', 'from', 'if', 'import'],
  ...['in', 'is', 'None', 'not', 'or', 'pass', 'raise', 'return', 'True', 'try', 'while', 'with', 'def'],
])

export const MAX_NESTING = 60
const SUPPORTED = 'use imports, assignments, calls, plain functions, if, for, while, try and with, without classes'

/** Reads the tokens of a program one after the other. */
export class TokenReader {
  protected at = 0
  protected depth = 0
  protected readonly tokens: readonly Token[]

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  protected peek(): Token {
    return this.tokens[this.at]!
  }

  protected next(): Token {
    return this.tokens[this.at++]!
  }

  protected is(text: string): boolean {
    const token = this.peek()
    return (token.kind === 'name' || token.kind === 'operator') && token.text === text
  }

  protected take(text: string): boolean {
    if (!this.is(text)) return false
    this.at++
    return true
  }

  protected expect(text: string): void {
    if (!this.take(text)) this.invalid(`expected '${text}'`)
  }

  protected invalid(message = 'invalid syntax'): never {
    throw new PythonError('SyntaxError', message, this.position())
  }

  protected unsupported(what: string, position = this.position()): never {
    throw new PythonError('NotImplementedError', `${what} not supported by this desktop; ${SUPPORTED}`, position)
  }

  protected position(): SourcePosition {
    const { line, column } = this.peek()
    return { line, column }
  }

  protected nested<T>(read: () => T): T {
    if (++this.depth > MAX_NESTING)
      throw new PythonError('RecursionError', 'the program is nested too deeply', this.position())
    try {
      return read()
    } finally {
      this.depth--
    }
  }

  protected identifier(): string {
    const token = this.peek()
    if (token.kind !== 'name' || PYTHON_KEYWORDS.has(token.text)) this.invalid()
    this.at++
    return token.text
  }
}
