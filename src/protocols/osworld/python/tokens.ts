import { PythonError, type SourcePosition } from './value.ts'

export type Token = SourcePosition & { readonly end: number } & (
    | { readonly kind: 'name' | 'operator'; readonly text: string }
    | { readonly kind: 'number'; readonly value: number; readonly isFloat: boolean }
    | { readonly kind: 'string'; readonly value: string }
    /** Bytes, as a character for each from U+0000 to U+00FF. */
    | { readonly kind: 'bytes'; readonly value: string }
    /** A formatted string: literal parts, and the source of the expressions between them. */
    | { readonly kind: 'format'; readonly parts: readonly FormatPart[] }
    /** Blanks before the first token of a line. */
    | { readonly kind: 'indent'; readonly text: string }
    /** The end of a statement or of the program. */
    | { readonly kind: 'newline' | 'end' }
  )

export type FormatPart = string | (SourcePosition & { readonly source: string })

export const MAX_SOURCE_CHARACTERS = 200_000
const MAX_TOKENS = 50_000

/** Three characters before two, two before one. */
const OPERATORS = ['**=', '//=', '...', '**', '//', '==', '!=', '<=', '>=', '->', ':=', '+=', '-=', '*=', '/=', '%=']
const SINGLE_OPERATORS = new Set('+-*/%()[]{},.:;=<>@&|^~!'.split(''))
const OPENING = new Set(['(', '[', '{'])
const CLOSING = new Set([')', ']', '}'])
const isNameStart = (character: string): boolean => /^[A-Za-z_\u0080-\uffff]$/.test(character)
const isNamePart = (character: string): boolean => /^[A-Za-z0-9_\u0080-\uffff]$/.test(character)
const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= '0' && character <= '9'

/** A program with `\n` at the end of each line. Positions of tokens are places in this text. */
export const withLineFeeds = (source: string): string => source.replaceAll('\r\n', '\n').replaceAll('\r', '\n')

/**
 * Splits a program into tokens.
 *
 * @param from Where the text begins in the program, for the expressions of formatted strings.
 * @throws {PythonError} `SyntaxError` with the position, `MemoryError` for a program that is too long.
 */
export function tokenize(source: string, from: SourcePosition = START): readonly Token[] {
  if (source.length > MAX_SOURCE_CHARACTERS)
    throw new PythonError('MemoryError', `the program has more than ${MAX_SOURCE_CHARACTERS} characters`, START)
  return new Lexer(withLineFeeds(source), from).all()
}

const START: SourcePosition = { line: 1, column: 0 }

class Lexer {
  private at = 0
  private line: number
  private lineStart: number
  private readonly open: string[] = []
  private readonly tokens: Token[] = []
  private readonly source: string

  constructor(source: string, { line, column }: SourcePosition) {
    this.source = source
    this.line = line
    this.lineStart = -column
  }

  all(): readonly Token[] {
    while (this.at < this.source.length) {
      this.next()
      if (this.tokens.length > MAX_TOKENS) this.fail('the program is too long')
    }
    if (this.open.length > 0) this.fail(`'${this.open.at(-1)}' was never closed`)
    const position = this.position()
    this.tokens.push({ kind: 'newline', ...position, end: this.at }, { kind: 'end', ...position, end: this.at })
    return this.tokens
  }

  private position(at = this.at): SourcePosition {
    return { line: this.line, column: at - this.lineStart }
  }

  private fail(message: string, at = this.at): never {
    throw new PythonError('SyntaxError', message, this.position(at))
  }

  private next(): void {
    const character = this.source[this.at]!
    const prefix = this.stringPrefix()
    if (character === '\n') this.newline()
    else if (character === ' ' || character === '\t' || character === '\f') this.blank()
    else if (character === '#') this.comment()
    else if (character === '\\') this.continuation()
    else if (prefix !== undefined) this.string(prefix)
    else if (isNameStart(character)) this.name()
    else if (isDigit(character) || (character === '.' && isDigit(this.source[this.at + 1]))) this.number()
    else this.operator()
  }

  private newline(): void {
    if (this.open.length === 0 && this.tokens.length > 0 && this.tokens.at(-1)!.kind !== 'newline')
      this.tokens.push({ kind: 'newline', ...this.position(), end: this.at })
    this.at++
    this.line++
    this.lineStart = this.at
  }

  private blank(): void {
    const start = this.at
    while (' \t\f'.includes(this.source[this.at] ?? '\n')) this.at++
    const isIndent = start === this.lineStart && this.open.length === 0
    const isBlankLine = this.at >= this.source.length || '\n#'.includes(this.source[this.at]!)
    const continues = this.tokens.length > 0 && this.tokens.at(-1)!.kind !== 'newline'
    if (isIndent && !isBlankLine && !continues)
      this.tokens.push({ kind: 'indent', text: this.source.slice(start, this.at), ...this.position(), end: this.at })
  }

  private comment(): void {
    while (this.at < this.source.length && this.source[this.at] !== '\n') this.at++
  }

  private continuation(): void {
    if (this.source[this.at + 1] !== '\n') this.fail('unexpected character after line continuation character')
    this.at += 2
    this.line++
    this.lineStart = this.at
  }

  /** The prefix of a string that begins here: `''`, `r`, `b`, `f`, `rb` and so on. Undefined if none begins. */
  private stringPrefix(): string | undefined {
    const text = this.source.slice(this.at, this.at + 3)
    const prefix = /^([rRuUbBfF]{0,2})['"]/.exec(text)?.[1]?.toLowerCase()
    return prefix !== undefined && ['', 'r', 'u', 'b', 'f', 'rb', 'br', 'rf', 'fr'].includes(prefix)
      ? prefix
      : undefined
  }

  private string(prefix: string): void {
    const start = this.at
    const position = this.position()
    const isBytes = prefix.includes('b')
    this.at += prefix.length
    const quote = this.source[this.at]!
    const fence = this.source.startsWith(quote.repeat(3), this.at) ? quote.repeat(3) : quote
    this.at += fence.length
    const format = prefix.includes('f')
    const isRaw = prefix.includes('r')
    const parts: FormatPart[] = []
    let text = ''
    for (;;) {
      const character = this.source[this.at]
      if (character === undefined || (character === '\n' && fence.length === 1)) {
        const kind = fence.length === 3 ? 'triple-quoted string literal' : 'string literal'
        throw new PythonError('SyntaxError', `unterminated ${kind} (detected at line ${this.line})`, position)
      }
      if (this.source.startsWith(fence, this.at)) break
      if (isBytes && character > '\u007f') this.fail('bytes can only contain ASCII literal characters')
      if (character === '\\') text += this.escape(isRaw, isBytes)
      else if (format && '{}'.includes(character) && this.source[this.at + 1] === character) {
        text += character
        this.at += 2
      } else if (format && character === '{') {
        if (text !== '') parts.push(text)
        text = ''
        parts.push(this.formatExpression())
      } else if (format && character === '}') this.fail("f-string: single '}' is not allowed")
      else {
        text += character
        this.step()
      }
    }
    this.at += fence.length
    const end = this.at
    if (format) this.tokens.push({ kind: 'format', parts: text === '' ? parts : [...parts, text], ...position, end })
    else this.tokens.push({ kind: isBytes ? 'bytes' : 'string', value: text, ...position, end: Math.max(end, start) })
  }

  /** Moves past one character, which may end a line. */
  private step(): void {
    const isLineEnd = this.source[this.at] === '\n'
    this.at++
    if (!isLineEnd) return
    this.line++
    this.lineStart = this.at
  }

  private formatExpression(): FormatPart {
    this.at++
    const start = this.at
    const position = this.position()
    let depth = 0
    for (;;) {
      const character = this.source[this.at]
      if (character === undefined || character === '\n') this.fail("f-string: expecting '}'", start)
      if (OPENING.has(character)) depth++
      if (depth === 0 && character === '}') break
      if (CLOSING.has(character)) depth--
      this.at++
    }
    const source = this.source.slice(start, this.at)
    this.at++
    return { source, ...position }
  }

  /** Reads the escape at the backslash. In a raw string both characters stay. Bytes have no escapes for other characters. */
  private escape(isRaw: boolean, isBytes: boolean): string {
    const next = this.source[this.at + 1]
    if (next === undefined) this.fail('unterminated string literal')
    if (isRaw) {
      this.at++
      this.step()
      return `\\${next}`
    }
    const hexadecimal = isBytes ? { x: 2 }[next] : { x: 2, u: 4, U: 8 }[next]
    if (hexadecimal !== undefined) return this.codePoint(next, hexadecimal)
    const octal = /^[0-7]{1,3}/.exec(this.source.slice(this.at + 1, this.at + 4))?.[0]
    if (octal !== undefined) {
      this.at += 1 + octal.length
      return String.fromCharCode(isBytes ? Number.parseInt(octal, 8) & 0xff : Number.parseInt(octal, 8))
    }
    this.at++
    this.step()
    if (next === '\n') return ''
    return ESCAPES[next] ?? `\\${next}`
  }

  private codePoint(letter: string, digits: number): string {
    const hex = this.source.slice(this.at + 2, this.at + 2 + digits)
    const code = new RegExp(`^[0-9a-fA-F]{${digits}}$`).test(hex) ? Number.parseInt(hex, 16) : Number.NaN
    if (!(code <= 0x10ffff)) this.fail(`(unicode error) truncated \\${letter} escape`)
    this.at += 2 + digits
    return String.fromCodePoint(code)
  }

  private name(): void {
    const start = this.at
    while (this.at < this.source.length && isNamePart(this.source[this.at]!)) this.at++
    this.tokens.push({ kind: 'name', text: this.source.slice(start, this.at), ...this.position(start), end: this.at })
  }

  private number(): void {
    const start = this.at
    const text = NUMBER.exec(this.source.slice(start, start + MAX_NUMBER_CHARACTERS))![0]
    this.at += text.length
    if (isNamePart(this.source[this.at] ?? ' ')) this.fail('invalid decimal literal', start)
    const digits = text.replaceAll('_', '')
    const isFloat = !/^0[xXoObB]/.test(digits) && /[.eE]/.test(digits)
    if (!isFloat && /^0\d*[1-9]/.test(digits))
      this.fail('leading zeros in decimal integer literals are not permitted', start)
    const value = Number(digits)
    if (!isFloat && !Number.isSafeInteger(value)) this.fail('integers beyond 2**53 are not supported', start)
    this.tokens.push({ kind: 'number', value, isFloat, ...this.position(start), end: this.at })
  }

  private operator(): void {
    const start = this.at
    const longer = OPERATORS.find((operator) => this.source.startsWith(operator, start))
    const text = longer ?? this.source[start]!
    if (!longer && !SINGLE_OPERATORS.has(text)) {
      const code = text.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
      this.fail(`invalid character '${text}' (U+${code})`)
    }
    if (OPENING.has(text)) this.open.push(text)
    if (CLOSING.has(text) && this.open.pop() !== PAIRS[text]) this.fail(`unmatched '${text}'`)
    this.at += text.length
    this.tokens.push({ kind: 'operator', text, ...this.position(start), end: this.at })
  }
}

const MAX_NUMBER_CHARACTERS = 400
const NUMBER =
  /^(?:0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*)?\.\d[\d_]*(?:[eE][+-]?\d+)?|\d[\d_]*\.?(?:[eE][+-]?\d+)?)/

const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
}

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
