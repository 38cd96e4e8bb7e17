import { PythonError, type SourcePosition } from './python-error.ts'
import type { Argument, BinaryOperator, FormattedValue, ImportedName, PythonExpression, Statement } from './syntax.ts'
import { type FormatPart, type Token, tokenize } from './tokens.ts'

/** Keywords that begin a statement of Python outside of the subset. */
const UNSUPPORTED = new Set([
  'async',
  'await',
  'assert',
  'break',
  'class',
  'continue',
  'def',
  'del',
  'for',
  'global',
  'if',
  'nonlocal',
  'raise',
  'return',
  'try',
  'while',
  'with',
  'yield',
  'lambda',
])
const KEYWORDS = new Set([
  ...UNSUPPORTED,
  ...['and', 'as', 'elif', 'else', 'except', 'False', 'finally', 'from', 'import', 'in', 'is', 'None', 'not', 'or'],
  ...['pass', 'True'],
])

const MAX_DEPTH = 60
const AUGMENTED: Readonly<Record<string, BinaryOperator>> = {
  '+=': '+',
  '-=': '-',
  '*=': '*',
  '/=': '/',
  '//=': '//',
  '%=': '%',
  '**=': '**',
}

/**
 * Parses a program of the subset: imports, assignments and expressions, without blocks.
 *
 * @throws {PythonError} `SyntaxError` and similar for text that is not Python, `NotImplementedError` for Python outside of
 *   the subset, each with the position.
 */
export const parse = (source: string): readonly Statement[] => new Parser(tokenize(source)).program()

class Parser {
  private at = 0
  private depth = 0
  private readonly tokens: readonly Token[]

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  program(): readonly Statement[] {
    const statements: Statement[] = []
    for (;;) {
      while (this.peek().kind === 'newline' || this.is(';')) this.at++
      if (this.peek().kind === 'end') return statements
      statements.push(this.statement())
      if (this.peek().kind !== 'newline' && !this.is(';')) this.invalid()
    }
  }

  /** The only expression of the source, as of `{…}` in a formatted string. */
  only(): PythonExpression {
    const value = this.expressionList()
    while (this.peek().kind === 'newline') this.at++
    if (this.peek().kind !== 'end') this.invalid()
    return value
  }

  private peek(): Token {
    return this.tokens[this.at]!
  }

  private next(): Token {
    return this.tokens[this.at++]!
  }

  private is(text: string): boolean {
    const token = this.peek()
    return (token.kind === 'name' || token.kind === 'operator') && token.text === text
  }

  private take(text: string): boolean {
    if (!this.is(text)) return false
    this.at++
    return true
  }

  private expect(text: string): void {
    if (!this.take(text)) this.invalid(`expected '${text}'`)
  }

  private invalid(message = 'invalid syntax'): never {
    throw new PythonError('SyntaxError', message, this.position())
  }

  private unsupported(what: string, position = this.position()): never {
    throw new PythonError('NotImplementedError', `${what} not supported by this desktop; ${SUPPORTED}`, position)
  }

  private position(): SourcePosition {
    const { line, column } = this.peek()
    return { line, column }
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH)
      throw new PythonError('RecursionError', 'the program is nested too deeply', this.position())
    try {
      return read()
    } finally {
      this.depth--
    }
  }

  private statement(): Statement {
    const position = this.position()
    const token = this.peek()
    if (token.kind === 'indent') throw new PythonError('IndentationError', 'unexpected indent', position)
    if (token.kind === 'operator' && token.text === '@') this.unsupported('decorators are')
    if (token.kind === 'name' && UNSUPPORTED.has(token.text)) this.unsupported(`'${token.text}' statements are`)
    if (this.take('pass')) return { kind: 'pass', ...position }
    if (this.take('import')) return { kind: 'import', modules: this.importedNames(true), ...position }
    if (this.take('from')) return this.importFrom(position)
    return this.assignmentOrExpression(position)
  }

  private importFrom(position: SourcePosition): Statement {
    const module = this.dottedName()
    this.expect('import')
    if (this.take('*')) return { kind: 'import_from', module, names: '*', ...position }
    const inParentheses = this.take('(')
    const names = this.importedNames(false)
    if (inParentheses) this.expect(')')
    return { kind: 'import_from', module, names, ...position }
  }

  private importedNames(areModules: boolean): readonly ImportedName[] {
    const names: ImportedName[] = []
    do {
      if (!areModules && this.is(')')) break
      const name = areModules ? this.dottedName() : this.identifier()
      names.push({ name, as: this.take('as') ? this.identifier() : name })
    } while (this.take(','))
    return names
  }

  private dottedName(): string {
    let name = this.identifier()
    while (this.take('.')) name += `.${this.identifier()}`
    return name
  }

  private identifier(): string {
    const token = this.peek()
    if (token.kind !== 'name' || KEYWORDS.has(token.text)) this.invalid()
    this.at++
    return token.text
  }

  private assignmentOrExpression(position: SourcePosition): Statement {
    const first = this.expressionList()
    const operator = this.peek()
    if (operator.kind === 'operator' && operator.text in AUGMENTED) {
      this.at++
      this.assertTarget(first, false)
      const value: PythonExpression = {
        kind: 'binary',
        operator: AUGMENTED[operator.text]!,
        left: first,
        right: this.expressionList(),
        ...position,
      }
      return { kind: 'assignment', targets: [first], value, ...position }
    }
    if (this.is(':')) this.unsupported('annotations are')
    const parts = [first]
    while (this.take('=')) parts.push(this.expressionList())
    const value = parts.pop()!
    if (parts.length === 0) return { kind: 'expression', value, ...position }
    for (const target of parts) this.assertTarget(target, true)
    return { kind: 'assignment', targets: parts, value, ...position }
  }

  /** Throws unless values can be assigned to the expression: a name, an attribute, or names in a tuple or list. */
  private assertTarget(target: PythonExpression, mayUnpack: boolean): void {
    if (target.kind === 'name' || target.kind === 'attribute') return
    if (mayUnpack && (target.kind === 'tuple' || target.kind === 'list')) {
      for (const item of target.items) this.assertTarget(item, true)
      return
    }
    if (target.kind === 'index' || target.kind === 'slice') this.unsupported('assignments to items are', target)
    throw new PythonError('SyntaxError', 'cannot assign to this expression', {
      line: target.line,
      column: target.column,
    })
  }

  /** Expressions with commas between them are a tuple. */
  private expressionList(): PythonExpression {
    const position = this.position()
    const first = this.expression()
    if (!this.is(',')) return first
    const items = [first]
    while (this.take(',')) {
      if (this.endsList()) break
      items.push(this.expression())
    }
    return { kind: 'tuple', items, ...position }
  }

  private endsList(): boolean {
    const token = this.peek()
    if (token.kind === 'newline' || token.kind === 'end') return true
    return token.kind === 'operator' && [')', ']', '}', '=', ';'].includes(token.text)
  }

  private expression(): PythonExpression {
    return this.nested(() => {
      const position = this.position()
      if (this.is('lambda')) this.unsupported("'lambda' is")
      const then = this.binary(0)
      if (this.is('for')) this.unsupported('comprehensions are')
      if (!this.take('if')) return then
      const test = this.binary(0)
      this.expect('else')
      return { kind: 'conditional', test, then, otherwise: this.expression(), ...position }
    })
  }

  /** Operators of equal precedence, from `or` to `*`; then unary operators. */
  private binary(level: number): PythonExpression {
    const position = this.position()
    if (level === NOT_LEVEL && this.take('not'))
      return this.nested(() => ({ kind: 'unary', operator: 'not', operand: this.binary(level), ...position }))
    const operators = LEVELS[level]
    if (!operators) return this.unary()
    let left = this.binary(level + 1)
    for (;;) {
      const operator = this.operatorOf(operators)
      if (!operator) return left
      const right = this.binary(level + 1)
      if (level === COMPARISON_LEVEL && this.startsComparison()) this.unsupported('chained comparisons are')
      left = { kind: 'binary', operator, left, right, ...position }
    }
  }

  private startsComparison(): boolean {
    const start = this.at
    const found = this.operatorOf(LEVELS[COMPARISON_LEVEL]!) !== undefined
    this.at = start
    return found
  }

  private operatorOf(operators: readonly BinaryOperator[]): BinaryOperator | undefined {
    const start = this.at
    for (const operator of operators) {
      this.at = start
      if (operator.split(' ').every((word) => this.take(word))) return operator
    }
    this.at = start
    return undefined
  }

  private unary(): PythonExpression {
    const position = this.position()
    const operator = this.is('-') ? '-' : this.is('+') ? '+' : undefined
    if (this.is('~')) this.unsupported("'~' is")
    if (operator) {
      this.at++
      return this.nested(() => ({ kind: 'unary', operator, operand: this.unary(), ...position }))
    }
    const base = this.postfix()
    if (!this.take('**')) return base
    return this.nested(() => ({ kind: 'binary', operator: '**', left: base, right: this.unary(), ...position }))
  }

  private postfix(): PythonExpression {
    let value = this.atom()
    for (let count = 0; ; count++) {
      if (count > MAX_DEPTH)
        throw new PythonError('RecursionError', 'the program is nested too deeply', this.position())
      const position = { line: value.line, column: value.column }
      if (this.take('.')) value = { kind: 'attribute', object: value, name: this.identifier(), ...position }
      else if (this.take('(')) value = { kind: 'call', callee: value, arguments: this.arguments(), ...position }
      else if (this.take('[')) value = this.subscript(value, position)
      else return value
    }
  }

  private subscript(object: PythonExpression, position: SourcePosition): PythonExpression {
    const from = this.is(':') ? undefined : this.expressionList()
    if (from && this.take(']')) return { kind: 'index', object, index: from, ...position }
    this.expect(':')
    if (this.is(':')) this.unsupported('steps of slices are')
    const to = this.is(']') ? undefined : this.expression()
    if (this.is(':')) this.unsupported('steps of slices are')
    this.expect(']')
    return { kind: 'slice', object, ...(from && { from }), ...(to && { to }), ...position }
  }

  private arguments(): readonly Argument[] {
    const found: Argument[] = []
    while (!this.take(')')) {
      found.push(this.argument(found))
      if (!this.is(')')) this.expect(',')
    }
    return found
  }

  private argument(before: readonly Argument[]): Argument {
    if (this.is('**')) this.unsupported("'**' in calls is")
    if (this.take('*')) return { value: this.expression(), isSpread: true }
    const token = this.peek()
    const follows = this.tokens[this.at + 1]
    if (token.kind === 'name' && follows?.kind === 'operator' && follows.text === '=') {
      const keyword = this.identifier()
      this.at++
      if (before.some((other) => other.keyword === keyword)) this.invalid(`keyword argument repeated: ${keyword}`)
      return { value: this.expression(), keyword }
    }
    if (before.some(({ keyword }) => keyword !== undefined))
      this.invalid('positional argument follows keyword argument')
    return { value: this.expression() }
  }

  private atom(): PythonExpression {
    const position = this.position()
    const token = this.next()
    switch (token.kind) {
      case 'number':
        return { kind: 'number', value: token.value, isFloat: token.isFloat, ...position }
      case 'string':
      case 'format':
        this.at--
        return this.strings(position)
      case 'name':
        return this.nameOrConstant(token.text, position)
      case 'operator':
        if (token.text === '(') return this.parenthesized(position)
        if (token.text === '[') return { kind: 'list', items: this.items(']'), ...position }
        if (token.text === '{') return this.braces(position)
    }
    this.at--
    return this.invalid()
  }

  private nameOrConstant(text: string, position: SourcePosition): PythonExpression {
    if (text === 'None') return { kind: 'constant', value: null, ...position }
    if (text === 'True' || text === 'False') return { kind: 'constant', value: text === 'True', ...position }
    if (!KEYWORDS.has(text)) return { kind: 'name', name: text, ...position }
    this.at--
    return UNSUPPORTED.has(text) ? this.unsupported(`'${text}' is`) : this.invalid()
  }

  /** Literals beside each other are one string. */
  private strings(position: SourcePosition): PythonExpression {
    const parts: (string | FormattedValue)[] = []
    let isFormat = false
    for (let token = this.peek(); token.kind === 'string' || token.kind === 'format'; token = this.peek()) {
      this.at++
      if (token.kind === 'string') parts.push(token.value)
      else {
        isFormat = true
        for (const part of token.parts) parts.push(typeof part === 'string' ? part : this.formatted(part))
      }
    }
    if (isFormat) return { kind: 'format', parts, ...position }
    return { kind: 'string', value: parts.join(''), ...position }
  }

  private formatted(part: Exclude<FormatPart, string>): FormattedValue {
    const { source, conversion, format } = splitFormat(part.source)
    if (source.trim() === '')
      throw new PythonError('SyntaxError', "f-string: valid expression required before '}'", part)
    if (conversion !== undefined && conversion !== 'r' && conversion !== 's')
      throw new PythonError('SyntaxError', "f-string: invalid conversion character: expected 's' or 'r'", part)
    return this.nested(() => {
      try {
        const column = part.column + source.length - source.trimStart().length
        const inner = new Parser(tokenize(source.trim(), { line: part.line, column }))
        inner.depth = this.depth
        return { value: inner.only(), ...(conversion && { conversion }), ...(format !== undefined && { format }) }
      } catch (error) {
        throw error instanceof PythonError ? new PythonError(error.type, `f-string: ${error.message}`, part) : error
      }
    })
  }

  private parenthesized(position: SourcePosition): PythonExpression {
    if (this.take(')')) return { kind: 'tuple', items: [], ...position }
    const value = this.expressionList()
    if (this.is('for')) this.unsupported('comprehensions are')
    if (this.is(':=')) this.unsupported("':=' is")
    this.expect(')')
    return value
  }

  private items(end: string): readonly PythonExpression[] {
    const items: PythonExpression[] = []
    while (!this.take(end)) {
      items.push(this.expression())
      if (!this.is(end)) this.expect(',')
    }
    return items
  }

  private braces(position: SourcePosition): PythonExpression {
    const entries: (readonly [PythonExpression, PythonExpression])[] = []
    const items: PythonExpression[] = []
    while (!this.take('}')) {
      const key = this.expression()
      if (items.length === 0 && this.take(':')) entries.push([key, this.expression()])
      else items.push(key)
      if (entries.length > 0 && items.length > 0) this.invalid()
      if (!this.is('}')) this.expect(',')
    }
    return items.length > 0 ? { kind: 'set', items, ...position } : { kind: 'dict', entries, ...position }
  }
}

const SUPPORTED = 'use imports, assignments and calls of pyautogui, pyperclip, time and print'

/** Splits `value!r:.2f` at the first `!` and `:` outside of brackets and quotes. */
function splitFormat(text: string): { source: string; conversion?: string; format?: string } {
  let depth = 0
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === "'" || character === '"') quote = character
    else if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character)) depth--
    else if (depth === 0 && character === ':') return { source: text.slice(0, at), format: text.slice(at + 1) }
    else if (depth === 0 && character === '!' && text[at + 1] !== '=') {
      const [conversion = '', ...format] = text.slice(at + 1).split(':')
      return { source: text.slice(0, at), conversion, ...(format.length > 0 && { format: format.join(':') }) }
    }
  }
  return { source: text }
}

const LEVELS: readonly (readonly BinaryOperator[])[] = [
  ['or'],
  ['and'],
  [],
  ['not in', 'in', 'is not', 'is', '==', '!=', '<=', '>=', '<', '>'],
  ['+', '-'],
  ['*', '//', '/', '%'],
]
const NOT_LEVEL = 2
const COMPARISON_LEVEL = 3
